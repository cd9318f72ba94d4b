"""Published results reproduced: their settings run, over and over, until every number is known well enough.

All points of an entry have the seeds 1, 2, 3 …. How often each is run follows from the intervals that those
before it came to, never from what else a store may hold: so an entry comes out the same, however often it was
interrupted and whoever worked.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Final, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry, ResultPoint
from meshgui.catalogue.judging import JudgedNumber, judge, runs_needed
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Work
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.dispatcher import Dispatcher, FinishedRun
from meshgui.experiment.executors import Executor
from meshgui.experiment.run_spec import RunResult, RunSpec, run_spec_of
from meshgui.experiment.store import Store

_FIRST_SEED: Final = 1


class ReproductionProgress(NamedTuple):
    """How far it is."""

    done: int  # runs
    needed: int  # estimated from the runs there are
    open_entries: int
    seconds_left: float | None
    note: str = ""  # what it waits for


class EntryState:
    """An entry while its runs come in."""

    def __init__(self, entry: CatalogueEntry, *, quick: bool) -> None:
        self.entry, self.quick = entry, quick
        self.specs: dict[ResultPoint, RunSpec] = {
            point: run_spec_of(
                entry.scenario(point, quick=quick),
                schedule=any(number.schedule for number in entry.settings[point.setting].numbers),
            )
            for point in entry.points
        }
        self.faults: dict[ResultPoint, str] = {}
        self._runs: dict[str, dict[int, RunResult]] = {work.key: {} for work in self.specs.values()}
        self._targets: dict[ResultPoint, int] = dict.fromkeys(entry.points, 0)
        self._lacking: set[tuple[str, int]] = set()  # keys and seeds of runs ordered and not yet there
        self.done = False

    def take(self, key: str, runs: Iterable[tuple[int, RunResult]]) -> None:
        """Take in runs of a work, by seed."""
        if key in self._runs:
            for seed, made in runs:
                self._runs[key][seed] = made
                self._lacking.discard((key, seed))

    def fail(self, key: str, fault: str) -> None:
        """A work that cannot be made: its points have no more runs."""
        failed = {point: fault for point, work in self.specs.items() if work.key == key}
        self.faults = failed | self.faults  # the first fault of a point stands
        self._lacking = {(lacking, seed) for lacking, seed in self._lacking if lacking != key}

    def wanting(self) -> list[tuple[int, ResultPoint]]:
        """Once all runs asked for before are there: the seeds to run next, and of which points; or none."""
        while not (self._lacking or self.done):
            asked = runs_needed(self.entry, self.samples, quick=self.quick)
            more = {point: runs for point, runs in asked.items() if point not in self.faults}
            if not more:
                self.done = True
            self._targets |= more
            lacking = {
                (self.specs[point].key, seed): (seed, point)
                for point, runs in more.items()
                for seed in range(_FIRST_SEED, _FIRST_SEED + runs)
                if seed not in self._runs[self.specs[point].key]
            }
            self._lacking = set(lacking)
            if lacking:
                return sorted(lacking.values())
        return []

    @property
    def samples(self) -> dict[ResultPoint, list[Figures]]:
        """Of every point the runs counted, in order of seed."""
        return {point: self._counted(point) for point in self.entry.points}

    @property
    def judged(self) -> tuple[JudgedNumber, ...]:
        """Every number beside the published one, from the runs counted so far."""
        return judge(self.entry, self.samples)

    @property
    def counted(self) -> int:
        """Runs counted so far, of all points."""
        return sum(len(self._counted(point)) for point in self.entry.points)

    @property
    def targeted(self) -> int:
        """Runs wanted by now, of all points."""
        return sum(self._targets.values())

    def _counted(self, point: ResultPoint) -> list[Figures]:
        runs = self._runs[self.specs[point].key]
        counted: list[Figures] = []
        for seed in range(_FIRST_SEED, _FIRST_SEED + self._targets[point]):
            if seed not in runs:
                break
            made = runs[seed]
            counted.append(made.samples[0] | made.wall)
        return counted


class Reproduction:
    """Entries of the catalogue under way; may be stopped and, from the same store, gone on with."""

    def __init__(
        self, entries: Iterable[CatalogueEntry], store: Store, executor: Executor, *, quick: bool = False
    ) -> None:
        self.states = [EntryState(entry, quick=quick) for entry in entries]
        self._dispatcher = Dispatcher(store, executor)
        works = {work.key: work for state in self.states for work in state.specs.values()}
        store.register(works.values())
        for key in works:
            kept = store.results(key, _FIRST_SEED)
            for state in self.states:
                state.take(key, kept.items())
        self._asked: set[tuple[str, int]] = set()  # of all entries: some share settings
        self._next: list[tuple[int, int, ResultPoint]] = []  # seed, entry, point
        for index in range(len(self.states)):
            self._look_for_work(index)

    @property
    def progress(self) -> ReproductionProgress:
        """How far it is."""
        done, needed = self._runs
        unfinished = sum(not state.done for state in self.states)
        left = None
        if self._dispatcher.completed:
            left = (
                (needed - done)
                * self._dispatcher.seconds
                / self._dispatcher.completed
                / self._dispatcher.workers
            )
        return ReproductionProgress(done, needed, unfinished, left, self._dispatcher.note)

    @property
    def _runs(self) -> tuple[int, int]:
        """Those counted, and those needed in all."""
        return sum(state.counted for state in self.states), sum(state.targeted for state in self.states)

    def run(self, work: Work | None = None) -> None:
        """Go on until every entry is done; who follows the work hears how many runs were made."""
        with (work or Work()).under_way(lambda: Progress(*self._runs)):
            self._dispatcher.run(lambda: not all(state.done for state in self.states), self._fill, self._take)

    def _fill(self) -> None:
        while self._dispatcher.has_room and self._next:
            seed, index, point = heapq.heappop(self._next)
            self._dispatcher.order(self.states[index].specs[point], seed)

    def _take(self, finished: Iterable[FinishedRun]) -> None:
        for work, seed, made, fault in finished:
            for index, state in enumerate(self.states):
                if made is None:
                    state.fail(work.key, tr("seed {seed}: {fault}").format(seed=seed, fault=fault))
                else:
                    state.take(work.key, ((seed, made),))
                self._look_for_work(index)

    def _look_for_work(self, index: int) -> None:
        """Put down what an entry wants run, but for what another one has asked for already."""
        state = self.states[index]
        for seed, point in state.wanting():
            asked = (state.specs[point].key, seed)
            if asked not in self._asked:
                self._asked.add(asked)
                heapq.heappush(self._next, (seed, index, point))
