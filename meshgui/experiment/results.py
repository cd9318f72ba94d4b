"""The results of an experiment, point by point: means with intervals, from as many runs as needed.

A point is decided by its replications in the order of their seeds: by the first ones that are enough. Those
made beyond them, by a worker that was ahead, are kept but not counted, so that neither how many workers there
are nor an interruption changes a result. One that cannot be made fails the point if those before it are not
enough: that, too, is so whatever came first.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.grid import Experiment, GridPoint, Target
from meshgui.experiment.run_spec import RunResult
from meshgui.experiment.samples import PackedSamples, SampleTable
from meshgui.experiment.statistics import Estimate, estimate, quantile
from meshgui.experiment.store import Store, StoredRun

_NEARLY: Final = 1 + 1e-9
_MANY: Final = 10**12  # values, whose quantile no fewer values fall below


@dataclass(frozen=True, eq=False)
class PointResult:
    """A point as it stands: from the runs counted so far. What is asked of it is computed then."""

    point: GridPoint
    runs: int
    decided: bool  # it needs no more runs
    precise: bool  # and not because the most allowed were made
    fault: str  # why there will be no more; empty if there is nothing wrong
    seconds: float  # that a run takes, on average
    _samples: _Rows
    _wall: _Rows
    _confidence: float

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """Of each figure that every sample has."""
        found = self._samples.estimates(self._confidence)
        if self.exact:
            return {name: replace(one, half_width=0.0) for name, one in found.items()}
        return found

    @property
    def exact(self) -> bool:
        """Whether its only run says all: no figure but those measured with a clock depends on the seed."""
        return self.runs == 1 and self.precise and not self.point.drawn

    @cached_property
    def wall(self) -> dict[str, Estimate]:
        """Of the figures measured with a clock."""
        return self._wall.estimates(self._confidence)

    @cached_property
    def sampled(self) -> tuple[Figures, ...]:
        """Every sample counted, in order of seed, with the figures that all have."""
        return self._samples.rows()

    def samples(self, name: str) -> tuple[float, ...]:
        """One figure of every sample counted, in order of seed."""
        return tuple(self._samples.column(name))


class Imprecision(NamedTuple):
    """Points whose runs are all made without being as precise as wanted, and the worst figure of them."""

    points: int
    wanted: float
    figure: str
    error: float  # its half width over its mean

    @classmethod
    def of(cls, results: Iterable[PointResult], target: Target) -> Imprecision | None:
        """That of the results that have no fault; None where all are precise."""
        short = [result for result in results if not result.precise and not result.fault]
        errors = [
            (result.estimates[name].relative_error if name in result.estimates else math.inf, name)
            for result in short
            for name in target.wanted(result.point.scenario)
        ]
        if not errors:
            return None
        error, figure = max(errors, key=lambda found: found[0])
        return cls(len(short), target.precision, figure, error)


class _Rows:
    """The first rows of a table that grows."""

    def __init__(self, table: SampleTable) -> None:
        self._table, self._names, self._length = table, table.names, table.length

    def column(self, name: str) -> array[float]:
        if not self._length:
            return array("d")
        if name not in self._names:
            raise KeyError(name)
        return self._table.column(name, self._length)

    def rows(self) -> tuple[Figures, ...]:
        columns = [self.column(name) for name in self._names]
        return tuple(dict(zip(self._names, row, strict=True)) for row in zip(*columns, strict=True))

    def estimates(self, confidence: float) -> dict[str, Estimate]:
        return {name: estimate(self.column(name), confidence) for name in self._names} if self._length else {}


class _Running:
    """A mean and its interval, updated value by value."""

    def __init__(self, confidence: float) -> None:
        self.n, self.mean, self._squares = 0, 0.0, 0.0
        self._confidence = confidence
        self._least_quantile = quantile(_MANY, confidence)

    def add(self, value: float) -> None:
        self.n += 1
        apart = value - self.mean
        self.mean += apart / self.n
        self._squares += apart * (value - self.mean)

    @property
    def relative_error(self) -> float:
        return self._error(quantile(self.n, self._confidence)) if self.n > 1 else math.inf

    def is_nearly_within(self, precision: float) -> bool:
        """Whether its relative error is below that, or as good as; said quickly where it is far above."""
        limit = precision * _NEARLY
        if self.n < 2 or not self._error(self._least_quantile) <= limit:
            return False
        return self.relative_error <= limit

    def _error(self, times: float) -> float:
        half_width = times * math.sqrt(self._squares / (self.n - 1) / self.n)
        if half_width == 0:
            return 0.0
        return math.inf if self.mean == 0 else half_width / abs(self.mean)


class PointState:
    """A point while its replications arrive, in any order."""

    def __init__(self, experiment: Experiment, point: GridPoint) -> None:
        self.point = point
        self.fault = ""
        self.certain = experiment.batches is None and not point.drawn
        once = {"least": 1, "most": 1} if self.certain else {}
        self.target, self._first = experiment.target.model_copy(update=once), experiment.seed
        self._wanted = experiment.target.wanted(point.scenario)
        self._ahead: dict[int, StoredRun] = {}  # made, but not all those before them
        self._failed: dict[int, str] = {}
        self._counted = 0
        self._decided = self._precise = False
        self._running = {name: _Running(self.target.confidence) for name in self._wanted}
        self._samples, self._wall, self._seconds = SampleTable(), SampleTable(), 0.0
        self._result: PointResult | None = None

    @property
    def decided(self) -> bool:
        """Whether it needs no more runs."""
        return self._decided

    @property
    def open(self) -> bool:
        """Whether more runs of it are wanted."""
        return not (self._decided or self.fault)

    @property
    def counted(self) -> int:
        """The runs counted so far."""
        return self._counted

    @property
    def most(self) -> int:
        """How many runs there can be: those allowed, or those before one that cannot be made."""
        return min(self.target.most, min(self._failed, default=self.target.most))

    @property
    def seconds(self) -> float:
        """That a run takes, on average."""
        return self._seconds / self._counted if self._counted else math.nan

    def has(self, number: int) -> bool:
        """Whether that replication, counted from 0, has been made."""
        return number < self._counted or number in self._ahead

    def take(self, made: Iterable[tuple[int, RunResult]]) -> None:
        """Take in replications, by number from 0."""
        for number, found in made:
            self.take_stored(number, StoredRun(PackedSamples.of(found.samples), found.wall, found.seconds))

    def take_stored(self, number: int, stored: StoredRun) -> None:
        """Take in one as a store has it."""
        if self.open and not self.has(number):
            self._ahead[number] = stored
            self._failed.pop(number, None)
            self._count()

    def fail(self, number: int, fault: str) -> None:
        """That replication cannot be made: so if all those before it are not enough, the point fails."""
        if not self.has(number):
            self._failed.setdefault(number, fault)
            self._count()

    def needed(self) -> int:
        """About how many runs it takes in all, going by those there are."""
        target = self.target
        if not self.open:
            return self._counted
        worst = max((running.relative_error for running in self._running.values()), default=0.0)
        if self._counted < 2 or not math.isfinite(worst):
            wanted = self._counted + 1
        else:
            wanted = math.ceil(self._counted * min(worst / target.precision, target.most) ** 2)
        return min(max(target.least, wanted, self._counted + 1), self.most)

    @property
    def result(self) -> PointResult:
        """As it stands; the same object until something has changed."""
        if self._result is None:
            self._result = PointResult(
                self.point,
                self._counted,
                self._decided,
                self._precise,
                self.fault,
                self.seconds,
                _Rows(self._samples),
                _Rows(self._wall),
                self.target.confidence,
            )
        return self._result

    def _count(self) -> None:
        """Go on through the replications in order, up to the first gap, until there are enough."""
        target = self.target
        while self.open and self._counted in self._ahead:
            self._add(self._ahead.pop(self._counted))
            if self._counted >= target.least and (self.certain or self._is_precise()):
                self._decided = self._precise = True
            elif self._counted >= target.most:
                self._decided = True
        if self.open and self._counted in self._failed:
            self.fault = tr("seed {first}: {failed}").format(
                first=self._first + self._counted, failed=self._failed[self._counted]
            )
            self._result = None
        if not self.open:
            self._ahead.clear()  # no use any more

    def _add(self, stored: StoredRun) -> None:
        self._counted += 1
        self._result = None
        samples = stored.samples
        self._samples = self._samples.add(samples)
        self._wall = self._wall.add(PackedSamples.of((stored.wall,)))
        self._seconds += stored.seconds
        width = len(samples.names)
        for name, running in self._running.items():
            if name not in samples.names:
                self.fault = tr("its runs have no {name}").format(name=name)
                continue
            for at in range(samples.names.index(name), len(samples.values), width):
                running.add(samples.values[at])

    def _is_precise(self) -> bool:
        """Whether every figure that counts is known well enough; the last word has the plain formula."""
        target = self.target
        if not all(running.is_nearly_within(target.precision) for running in self._running.values()):
            return False
        rows = _Rows(self._samples)
        return all(
            estimate(rows.column(name), target.confidence).relative_error <= target.precision
            for name in self._wanted
        )


def states_of(experiment: Experiment, store: Store) -> list[PointState]:
    """Every point, with what the store has of it."""
    states = []
    for point in experiment.points:
        state = PointState(experiment, point)
        for seed, stored in store.stored(point.spec.key, experiment.seed, experiment.target.most):
            state.take_stored(seed - experiment.seed, stored)
            if not state.open:
                break
        states.append(state)
    return states


def results_of(experiment: Experiment, store: Store) -> list[PointResult]:
    """What the store has of an experiment, without running anything; failures as they were left."""
    states = states_of(experiment, store)
    for state in states:
        for failure in store.failures(state.point.spec.key):
            if 0 <= failure.seed - experiment.seed < experiment.target.most:
                state.fail(failure.seed - experiment.seed, failure.fault)
    return [state.result for state in states]
