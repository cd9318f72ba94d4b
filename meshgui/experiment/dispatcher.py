"""Orders runs from an executor and stores their results: every sweep and reproduction goes through here.

A task that fails is tried once more before its failure counts. What could not be kept, because the store
failed, is still here and kept with the next try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple

from meshgui.engine.basics.work import look
from meshgui.experiment.executors import Executor
from meshgui.experiment.run_spec import RunResult, RunSpec
from meshgui.experiment.store import RunFailure, RunRecord, Store, StoreError
from meshgui.experiment.task import Task, TaskOutcome

_TRIES: Final = 2
_WAIT: Final = 0.1


class FinishedRun(NamedTuple):
    """A replication that has been made and kept, or that could not be made."""

    spec: RunSpec
    seed: int
    result: RunResult | None
    fault: str = ""


class Dispatcher:
    """An executor and a store."""

    def __init__(self, store: Store, executor: Executor) -> None:
        self._store, self._executor = store, executor
        self._tasks: dict[int, Task] = {}
        self._tries: dict[int, int] = {}
        self._unsaved: list[FinishedRun] = []
        self._numbers = 0
        self.completed = 0
        self.seconds = 0.0  # that the replications took, each in its process

    @property
    def workers(self) -> int:
        """How many replications are made at the same time."""
        return self._executor.workers

    @property
    def note(self) -> str:
        """What the executor waits for, if nothing can be made at the moment."""
        return self._executor.note

    @property
    def has_room(self) -> bool:
        """Whether there are hands for more work."""
        return len(self._tasks) < self._executor.slots

    def run(
        self,
        wanted: Callable[[], bool],
        fill: Callable[[], None],
        take: Callable[[Iterable[FinishedRun]], None],
    ) -> None:
        """Have work handed out by `fill`, and `take` what is finished, while any is wanted."""
        take(self.save())
        try:
            while wanted():
                fill()
                take(self.collect(_WAIT))
                look()
        except StoreError:
            raise
        except BaseException:
            with suppress(StoreError):  # the first fault is the one to report
                take(self.save())
            raise

    def order(self, spec: RunSpec, seed: int) -> None:
        """Have a replication made."""
        self._hand_out(Task(self._numbers, spec, seed), 1)
        self._numbers += 1

    def collect(self, seconds: float) -> list[FinishedRun]:
        """What has been finished since, waiting that long for the first; all of it is kept by then."""
        for outcome in self._executor.outcomes(seconds):
            self._take(outcome)
        return self.save()

    def save(self) -> list[FinishedRun]:
        """Store the finished runs that have not been returned yet."""
        if self._unsaved:
            self._store.keep(
                (RunRecord(f.spec.key, f.seed, f.result) for f in self._unsaved if f.result is not None),
                (RunFailure(f.spec.key, f.seed, f.fault) for f in self._unsaved if f.result is None),
            )
        done, self._unsaved = self._unsaved, []
        return done

    def _hand_out(self, task: Task, tries: int) -> None:
        self._tasks[task.number], self._tries[task.number] = task, tries
        self._executor.submit(task)

    def _take(self, outcome: TaskOutcome) -> None:
        task, tries = self._tasks.pop(outcome.number), self._tries.pop(outcome.number)
        if outcome.result is None and tries < _TRIES:
            self._hand_out(task, tries + 1)
            return
        if outcome.result is not None:
            self.completed += 1
            self.seconds += outcome.result.seconds
        self._unsaved.append(FinishedRun(task.spec, task.seed, outcome.result, outcome.fault))
