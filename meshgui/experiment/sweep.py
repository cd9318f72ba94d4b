"""The sweep: hands replications to an executor and keeps what comes back, until every point is done.

First every point gets its least number of runs, one round after the other, so that there is soon something of
everywhere to look at; then those go on that are not precise yet.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Self

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import shortened
from meshgui.engine.basics.work import Progress, Work
from meshgui.experiment.dispatcher import Dispatcher, FinishedRun
from meshgui.experiment.executors import Executor
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult, PointState, states_of
from meshgui.experiment.store import Store

_SHARD: Final = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)


class Shard(NamedTuple):
    """A share of the points: every `of`th, from one on."""

    first: int  # from 0
    of: int

    @classmethod
    def of_text(cls, text: str) -> Self:
        """From I/N, with I from 1 to N."""
        found = _SHARD.fullmatch(text)
        number, of = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= number <= of:
            raise ValueError(tr("expected I/N with I from 1 to N, got {text}").format(text=shortened(text)))
        return cls(number - 1, of)

    def has(self, point: int) -> bool:
        """Whether a point, counted from 0, is in it."""
        return point % self.of == self.first


class SweepProgress(NamedTuple):
    """How far a sweep is."""

    done: int  # replications counted
    needed: int  # in all, estimated from the runs there are
    completed: int  # in this session
    open_points: int
    failed_points: int
    seconds_left: float | None  # None until something is known of it
    note: str = ""  # what it waits for

    @property
    def share(self) -> float:
        """Of the work that is done."""
        return self.done / self.needed if self.needed else 1.0


class Sweep:
    """An experiment under way. `run` may be called again after it was stopped, or after the store failed."""

    def __init__(
        self, experiment: Experiment, store: Store, executor: Executor, shard: Shard | None = None
    ) -> None:
        self.experiment = experiment
        self._dispatcher = Dispatcher(store, executor)
        states = states_of(experiment, store)  # before anything is written: the store may be damaged
        self._states = [state for state in states if shard is None or shard.has(state.point.index)]
        store.begin(experiment.id, experiment.as_data(), (point.spec for point in experiment.points))
        self._tally = _Tally(self._states)
        self._points_of: dict[str, list[int]] = {}  # places among these; two may be of the same scenario
        for place, state in enumerate(self._states):
            self._points_of.setdefault(state.point.spec.key, []).append(place)
        self._asked: set[tuple[str, int]] = set()
        self._next = [(state.counted, place) for place, state in enumerate(self._states) if state.open]
        heapq.heapify(self._next)

    @property
    def results(self) -> list[PointResult]:
        """All points as they stand."""
        return [state.result for state in self._states]

    @property
    def progress(self) -> SweepProgress:
        """How far it is."""
        tally = self._tally
        left = None
        if not tally.open:
            left = 0.0
        elif completed := self._dispatcher.completed:
            seconds = tally.seconds + tally.unknown * self._dispatcher.seconds / completed
            left = max(0.0, seconds) / self._dispatcher.workers
        done, note = self._dispatcher.completed, self._dispatcher.note
        return SweepProgress(tally.done, tally.needed, done, tally.open, tally.failed, left, note)

    def run(self, work: Work | None = None) -> None:
        """Go on until every point is done; who follows the work hears how many runs were made."""
        with (work or Work()).under_way(lambda: Progress(self._tally.done, self._tally.needed)):
            self._dispatcher.run(lambda: self._tally.open > 0, self._fill, self._take)

    def _fill(self) -> None:
        """Order replications while workers are free."""
        while self._dispatcher.has_room and self._next:
            number, index = heapq.heappop(self._next)
            state = self._states[index]
            if not state.open or number >= state.most:
                continue
            heapq.heappush(self._next, (number + 1, index))
            spec, seed = state.point.spec, self.experiment.seed + number
            if not state.has(number) and (spec.key, seed) not in self._asked:
                self._asked.add((spec.key, seed))
                self._dispatcher.order(spec, seed)

    def _take(self, finished: Iterable[FinishedRun]) -> None:
        for spec, seed, result, fault in finished:
            number = seed - self.experiment.seed
            for index in self._points_of[spec.key]:
                if result is not None:
                    self._states[index].take(((number, result),))
                else:
                    self._states[index].fail(number, fault)
                self._tally.update(index)


class _Tally:
    """Sums over all points, kept up to date point by point: there may be ten thousand."""

    def __init__(self, states: Sequence[PointState]) -> None:
        self._states = states
        self._parts = [_PointTally.of(state) for state in states]
        self.done = sum(part.done for part in self._parts)
        self.needed = sum(part.needed for part in self._parts)
        self.open = sum(part.open for part in self._parts)
        self.failed = sum(part.failed for part in self._parts)
        self.unknown = sum(part.unknown for part in self._parts)
        self.seconds = sum(part.seconds for part in self._parts)

    def update(self, index: int) -> None:
        """A point has changed."""
        old, new = self._parts[index], _PointTally.of(self._states[index])
        self._parts[index] = new
        self.done += new.done - old.done
        self.needed += new.needed - old.needed
        self.open += new.open - old.open
        self.failed += new.failed - old.failed
        self.unknown += new.unknown - old.unknown
        self.seconds += new.seconds - old.seconds


class _PointTally(NamedTuple):
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
