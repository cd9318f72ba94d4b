"""The sweep: hands replications to an executor and keeps what comes back, until every point is done.

First every point gets its least number of runs, one round after the other, so that there is soon something of
everywhere to look at; then those go on that are not precise yet.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple, Self

from meshgui.engine.experiment.executors import Executor, Outcome, Task
from meshgui.engine.experiment.grid import Experiment
from meshgui.engine.experiment.results import PointResult, PointState, states_of
from meshgui.engine.experiment.store import Failure, Kept, Store, StoreError
from meshgui.engine.simulation import Cancelled

__all__ = ["Progress", "Report", "Sweep"]

_TRIES: Final = 2  # of a replication, before its point is given up
_BETWEEN_REPORTS: Final = 0.1  # seconds
_WAIT: Final = 0.1


class Progress(NamedTuple):
    """How far a sweep is."""

    done: int  # replications counted
    needed: int  # in all, as far as can be told by now
    made: int  # in this session
    open_points: int
    failed_points: int
    seconds_left: float | None  # None until something is known of it

    @property
    def share(self) -> float:
        """Of the work that is done."""
        return self.done / self.needed if self.needed else 1.0


Report = Callable[[Progress], bool]  # False stops the sweep


class Sweep:
    """An experiment under way. `run` may be called again after it was stopped, or after the store failed."""

    def __init__(self, experiment: Experiment, store: Store, executor: Executor) -> None:
        self.experiment = experiment
        self._store, self._executor = store, executor
        store.begin(experiment.id, experiment.as_data(), (point.work for point in experiment.points))
        self._states = states_of(experiment, store)
        self._tally = _Tally(self._states)
        self._tasks: dict[int, tuple[int, int]] = {}  # task number -> point, replication
        self._tries: dict[tuple[int, int], int] = {}
        self._unsaved: list[Kept] = []
        self._unsaved_failures: list[Failure] = []
        self._numbers = 0
        self._made = 0
        self._working = 0.0  # seconds that replications took
        self._next = [(state.counted, state.point.index) for state in self._states if state.open]
        heapq.heapify(self._next)

    @property
    def results(self) -> list[PointResult]:
        """All points as they stand."""
        return [state.result for state in self._states]

    @property
    def progress(self) -> Progress:
        """How far it is."""
        tally = self._tally
        left = None
        if not tally.open:
            left = 0.0
        elif self._made:
            seconds = tally.seconds + tally.unknown * self._working / self._made
            left = max(0.0, seconds) / self._executor.hands
        return Progress(tally.done, tally.needed, self._made, tally.open, tally.failed, left)

    def run(self, report: Report | None = None) -> None:
        """Go on until every point is done; Cancelled if `report` says to stop."""
        self._save()
        try:
            self._go_on(report)
        except StoreError:
            raise
        except BaseException:
            with suppress(StoreError):  # the first fault is the one to tell
                self._save()
            raise
        if report is not None:
            report(self.progress)

    def _go_on(self, report: Report | None) -> None:
        last = -_BETWEEN_REPORTS
        while self._tally.open:
            self._fill()
            for outcome in self._executor.outcomes(_WAIT):
                self._take(outcome)
            self._save()
            if report is not None and monotonic() - last >= _BETWEEN_REPORTS:
                last = monotonic()
                if not report(self.progress):
                    raise Cancelled

    def _fill(self) -> None:
        """Hand out replications while there are hands for them."""
        while len(self._tasks) < self._executor.slots and self._next:
            number, index = heapq.heappop(self._next)
            state = self._states[index]
            if not state.open or number >= state.most:
                continue
            heapq.heappush(self._next, (number + 1, index))
            if not state.has(number):
                self._hand_out(index, number)

    def _hand_out(self, index: int, number: int) -> None:
        self._numbers += 1
        self._tasks[self._numbers] = (index, number)
        work = self._states[index].point.work
        self._executor.submit(Task(self._numbers, work, self.experiment.seed + number))

    def _take(self, outcome: Outcome) -> None:
        index, number = self._tasks.pop(outcome.number)
        state = self._states[index]
        key, seed = state.point.work.key, self.experiment.seed + number
        if outcome.made is not None:
            self._made += 1
            self._working += outcome.made.seconds
            self._unsaved.append(Kept(key, seed, outcome.made))
            state.take(((number, outcome.made),))
            self._tally.update(index)
            return
        if not state.open or number >= state.most:
            return
        tries = self._tries[index, number] = self._tries.get((index, number), 0) + 1
        if tries < _TRIES:
            self._hand_out(index, number)
            return
        self._unsaved_failures.append(Failure(key, seed, outcome.fault))
        state.fail(number, outcome.fault)
        self._tally.update(index)

    def _save(self) -> None:
        """Keep what has been made; if that fails, it is still here for another try."""
        if self._unsaved or self._unsaved_failures:
            self._store.keep(self._unsaved, self._unsaved_failures)
            self._unsaved.clear()
            self._unsaved_failures.clear()


class _Tally:
    """Sums over all points, kept up to date point by point: there may be ten thousand."""

    def __init__(self, states: Sequence[PointState]) -> None:
        self._states = states
        self._parts = [_Part.of(state) for state in states]
        self.done = sum(part.done for part in self._parts)
        self.needed = sum(part.needed for part in self._parts)
        self.open = sum(part.open for part in self._parts)
        self.failed = sum(part.failed for part in self._parts)
        self.unknown = sum(part.unknown for part in self._parts)
        self.seconds = sum(part.seconds for part in self._parts)

    def update(self, index: int) -> None:
        """A point has changed."""
        old, new = self._parts[index], _Part.of(self._states[index])
        self._parts[index] = new
        self.done += new.done - old.done
        self.needed += new.needed - old.needed
        self.open += new.open - old.open
        self.failed += new.failed - old.failed
        self.unknown += new.unknown - old.unknown
        self.seconds += new.seconds - old.seconds


class _Part(NamedTuple):
    """What a point adds to the sums."""

    done: int
    needed: int
    open: bool
    failed: bool
    unknown: int  # runs left of which it is not known how long they take
    seconds: float  # for the others

    @classmethod
    def of(cls, state: PointState) -> Self:
        needed, done = state.needed(), state.counted
        left = needed - done
        unknown, seconds = (0, left * state.seconds) if done else (left, 0.0)
        return cls(done, needed, state.open, bool(state.fault), unknown, seconds)
