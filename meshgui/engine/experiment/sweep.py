"""The sweep: hands replications to an executor and keeps what comes back, until every point is done.

First every point gets its least number of runs, one round after the other, so that there is soon something of
everywhere to look at; then those go on that are not precise yet.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple

from meshgui.engine.experiment.executors import Executor, Outcome, Task
from meshgui.engine.experiment.grid import Experiment
from meshgui.engine.experiment.results import PointResult, states_of
from meshgui.engine.experiment.store import Failure, Kept, Store
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
        self._tasks: dict[int, tuple[int, int]] = {}  # task number -> point, replication
        self._tries: dict[tuple[int, int], int] = {}
        self._unsaved: list[Kept] = []
        self._numbers = 0
        self._made = 0
        self._working = 0.0  # seconds that replications took
        self._next = [(0, state.point.index) for state in self._states if state.open]
        heapq.heapify(self._next)

    @property
    def results(self) -> list[PointResult]:
        """All points as they stand."""
        return [state.result for state in self._states]

    @property
    def progress(self) -> Progress:
        """How far it is."""
        done = sum(state.counted for state in self._states)
        needed = sum(state.needed() for state in self._states)
        open_points = sum(state.open for state in self._states)
        left = None
        if not open_points:
            left = 0.0
        elif self._made:
            left = self._seconds_left()
        failed = sum(bool(state.fault) for state in self._states)
        return Progress(done, max(needed, done), self._made, open_points, failed, left)

    def run(self, report: Report | None = None) -> None:
        """Go on until every point is done; Cancelled if `report` says to stop."""
        self._save()
        last = -_BETWEEN_REPORTS
        while any(state.open for state in self._states):
            self._fill()
            outcomes = self._executor.outcomes(_WAIT)
            for outcome in outcomes:
                self._take(outcome)
            self._save()
            if report is not None and monotonic() - last >= _BETWEEN_REPORTS:
                last = monotonic()
                if not report(self.progress):
                    raise Cancelled
        if report is not None:
            report(self.progress)

    def _fill(self) -> None:
        """Hand out replications while there are hands for them."""
        while len(self._tasks) < self._executor.slots and self._next:
            number, index = heapq.heappop(self._next)
            state = self._states[index]
            if not state.open or number >= self.experiment.target.most:
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
        if outcome.made is not None:
            self._made += 1
            self._working += outcome.made.seconds
            key, seed = state.point.work.key, self.experiment.seed + number
            self._unsaved.append(Kept(key, seed, outcome.made))
            state.take(((number, outcome.made),))
            return
        tries = self._tries[index, number] = self._tries.get((index, number), 0) + 1
        if tries < _TRIES:
            self._hand_out(index, number)
        elif state.open:
            seed = self.experiment.seed + number
            state.fail(f"seed {seed}: {outcome.fault}")
            self._store.fail(Failure(state.point.work.key, seed, outcome.fault))

    def _save(self) -> None:
        """Keep what has been made; if that fails, it is still here for another try."""
        if self._unsaved:
            self._store.keep(self._unsaved)
            self._unsaved.clear()

    def _seconds_left(self) -> float:
        usual = self._working / self._made
        left = 0.0
        for state in self._states:
            if state.open:
                seconds = state.result.seconds if state.counted else usual
                left += (state.needed() - state.counted) * seconds
        return left / self._executor.hands
