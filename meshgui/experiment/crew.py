"""Work handed to an executor, and what comes back kept in a store: all that makes runs goes through here.

A task that fails is tried once more before its failure counts. What could not be kept, because the store
failed, is still here and kept with the next try.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple

from meshgui.engine.simulation import Cancelled
from meshgui.experiment.executors import Executor, Outcome, Task
from meshgui.experiment.store import Failure, Kept, Store, StoreError
from meshgui.experiment.work import Made, Work

__all__ = ["Crew", "Finished"]

_TRIES: Final = 2
_BETWEEN_REPORTS: Final = 0.1  # seconds
_WAIT: Final = 0.1


class Finished(NamedTuple):
    """A replication that has been made and kept, or that could not be made."""

    work: Work
    seed: int
    made: Made | None
    fault: str = ""


class Crew:
    """An executor and a store."""

    def __init__(self, store: Store, executor: Executor) -> None:
        self._store, self._executor = store, executor
        self._tasks: dict[int, Task] = {}
        self._tries: dict[int, int] = {}
        self._unsaved: list[Finished] = []
        self._numbers = 0
        self.made = 0
        self.seconds = 0.0  # that the replications took, each in its process

    @property
    def hands(self) -> int:
        """How many replications are made at the same time."""
        return self._executor.hands

    @property
    def has_room(self) -> bool:
        """Whether there are hands for more work."""
        return len(self._tasks) < self._executor.slots

    def work(
        self,
        wanted: Callable[[], bool],
        fill: Callable[[], None],
        take: Callable[[Iterable[Finished]], None],
        report: Callable[[], bool] | None,
    ) -> None:
        """Have work handed out by `fill`, and `take` what is finished, while any is wanted.

        `report` is called now and then, and at the end; False stops it with Cancelled.
        """
        take(self.save())
        try:
            self._go_on(wanted, fill, take, report)
        except StoreError:
            raise
        except BaseException:
            with suppress(StoreError):  # the first fault is the one to tell
                take(self.save())
            raise
        if report is not None:
            report()

    def _go_on(
        self,
        wanted: Callable[[], bool],
        fill: Callable[[], None],
        take: Callable[[Iterable[Finished]], None],
        report: Callable[[], bool] | None,
    ) -> None:
        last = -_BETWEEN_REPORTS
        while wanted():
            fill()
            take(self.collect(_WAIT))
            if report is not None and monotonic() - last >= _BETWEEN_REPORTS:
                last = monotonic()
                if not report():
                    raise Cancelled

    def order(self, work: Work, seed: int) -> None:
        """Have a replication made."""
        self._hand_out(Task(self._numbers, work, seed), 1)
        self._numbers += 1

    def collect(self, seconds: float) -> list[Finished]:
        """What has been finished since, waiting that long for the first; all of it is kept by then."""
        for outcome in self._executor.outcomes(seconds):
            self._take(outcome)
        return self.save()

    def save(self) -> list[Finished]:
        """Keep what has been finished and not been told of yet."""
        if self._unsaved:
            self._store.keep(
                (Kept(f.work.key, f.seed, f.made) for f in self._unsaved if f.made is not None),
                (Failure(f.work.key, f.seed, f.fault) for f in self._unsaved if f.made is None),
            )
        done, self._unsaved = self._unsaved, []
        return done

    def _hand_out(self, task: Task, tries: int) -> None:
        self._tasks[task.number], self._tries[task.number] = task, tries
        self._executor.submit(task)

    def _take(self, outcome: Outcome) -> None:
        task, tries = self._tasks.pop(outcome.number), self._tries.pop(outcome.number)
        if outcome.made is None and tries < _TRIES:
            self._hand_out(task, tries + 1)
            return
        if outcome.made is not None:
            self.made += 1
            self.seconds += outcome.made.seconds
        self._unsaved.append(Finished(task.work, task.seed, outcome.made, outcome.fault))
