"""A Dask cluster as executor (`pip install meshgui[cluster]`): a scheduler and workers already started."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Any, Final

from meshgui.engine.experiment.executors import ExecutorError, Outcome, Task, outcome_of

__all__ = ["DaskCluster"]

_AHEAD: Final = 2
_PATIENCE: Final = 10.0  # seconds to find the scheduler


class DaskCluster:
    """The workers behind a scheduler's address."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client  # noqa: PLC0415 - an extra, and slow to load
        except ImportError:
            raise ExecutorError(
                "--dask: expected the package distributed: pip install meshgui[cluster]"
            ) from None
        try:
            self._client: Any = Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ExecutorError(f"{address}: no Dask scheduler answers there: {error}") from None
        self._address = address
        self._done: SimpleQueue[tuple[int, Any]] = SimpleQueue()
        self._futures: dict[int, Any] = {}

    @property
    def hands(self) -> int:
        """See Executor."""
        threads: list[int] = list(self._client.nthreads().values())
        return max(1, sum(threads))

    @property
    def slots(self) -> int:
        """See Executor."""
        return self.hands * _AHEAD

    def submit(self, task: Task) -> None:
        """See Executor."""
        future = self._client.submit(outcome_of, task.number, task.work.text, task.seed, pure=False)
        self._futures[task.number] = future
        future.add_done_callback(lambda done: self._done.put((task.number, done)))

    def outcomes(self, seconds: float) -> list[Outcome]:
        """See Executor."""
        try:
            found = [self._done.get(timeout=seconds)]
        except Empty:
            if self._client.status != "running":
                raise ExecutorError(f"{self._address}: the Dask scheduler is gone") from None
            return []
        while not self._done.empty():
            found.append(self._done.get())
        return [self._outcome(number, future) for number, future in found]

    def close(self) -> None:
        """See Executor."""
        self._client.close()

    def _outcome(self, number: int, future: Any) -> Outcome:  # noqa: ANN401 - Dask has no types
        del self._futures[number]
        if future.status == "finished":
            outcome: Outcome = future.result()
            return outcome
        return Outcome(number, None, f"the worker failed: {future.exception()}")
