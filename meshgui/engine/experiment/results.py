"""What an experiment comes to, point by point: means with intervals, from as many runs as are asked for.

A point is decided by its replications in the order of their seeds: by the first ones that are enough. Those
made beyond them, by a worker that was ahead, are kept but not counted, so that neither how many workers there
are nor an interruption changes a result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from meshgui.engine.experiment.grid import Experiment, Point
from meshgui.engine.experiment.store import Store
from meshgui.engine.experiment.work import Made
from meshgui.engine.figures import Figures
from meshgui.engine.statistics import Estimate, estimate

__all__ = ["PointResult", "PointState", "results_of"]

_NEARLY: Final = 1 + 1e-9


@dataclass(frozen=True, eq=False)
class PointResult:
    """A point as it stands: from the runs counted so far."""

    point: Point
    runs: int
    estimates: dict[str, Estimate]  # of each figure that every sample has
    wall: dict[str, Estimate]
    decided: bool  # it needs no more runs
    precise: bool  # and not because the most allowed were made
    fault: str  # why there will be no more; empty if there is nothing wrong
    seconds: float  # that a run takes, on the mean

    def samples(self, name: str) -> tuple[float, ...]:
        """One figure of every sample counted, in order of seed."""
        return tuple(sample[name] for sample in self.sampled)

    sampled: tuple[Figures, ...] = field(default=(), repr=False)


class _Running:
    """A mean and its interval, updated value by value."""

    def __init__(self) -> None:
        self.n, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, value: float) -> None:
        self.n += 1
        apart = value - self.mean
        self.mean += apart / self.n
        self._squares += apart * (value - self.mean)

    def relative_error(self, confidence: float) -> float:
        if self.n < 2:
            return math.inf
        half_width = _quantile(self.n, confidence) * math.sqrt(self._squares / (self.n - 1) / self.n)
        if half_width == 0:
            return 0.0
        return math.inf if self.mean == 0 else half_width / abs(self.mean)


@lru_cache(maxsize=100_000)
def _quantile(n: int, confidence: float) -> float:
    """Half the width of the interval of n values whose mean has the standard deviation 1."""
    from scipy.special import stdtrit  # noqa: PLC0415 - see statistics

    return float(stdtrit(n - 1, (1 + confidence) / 2))


class PointState:
    """A point while its replications come in, in whatever order."""

    def __init__(self, experiment: Experiment, point: Point) -> None:
        self.point = point
        self.fault = ""
        self._target, self._first = experiment.target, experiment.seed
        self._batched = experiment.batches is not None
        self._wanted = experiment.target.wanted(point.scenario)
        self._made: dict[int, Made] = {}
        self._counted = 0
        self._decided = self._precise = False
        self._running: dict[str, _Running] = {name: _Running() for name in self._wanted}
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

    def has(self, number: int) -> bool:
        """Whether that replication, counted from 0, has been made."""
        return number in self._made

    def take(self, made: Iterable[tuple[int, Made]]) -> None:
        """Take in replications, by number from 0."""
        self._made.update(made)
        self._count()

    def fail(self, fault: str) -> None:
        """No more can be had of it."""
        self.fault = fault
        self._result = None

    def needed(self) -> int:
        """About how many runs it takes in all, going by those there are."""
        target = self._target
        if not self.open:
            return self._counted
        worst = max((r.relative_error(target.confidence) for r in self._running.values()), default=0.0)
        if self._counted < 2 or not math.isfinite(worst):
            return max(target.least, min(self._counted + 1, target.most))
        wanted = math.ceil(self._counted * (worst / target.precision) ** 2)
        return max(target.least, min(max(wanted, self._counted + 1), target.most))

    @property
    def result(self) -> PointResult:
        """As it stands; the same object until something has changed."""
        if self._result is None:
            self._result = self._as_it_stands()
        return self._result

    def _count(self) -> None:
        """Go on through the replications in order, up to the first gap, until there are enough."""
        target = self._target
        while not self._decided and self._counted in self._made:
            made = self._made[self._counted]
            self._counted += 1
            self._result = None
            for sample in made.samples:
                for name, running in self._running.items():
                    running.add(sample.get(name, math.nan))
            if self._counted >= target.least and self._is_precise():
                self._decided = self._precise = True
            elif self._counted >= target.most:
                self._decided = True

    def _is_precise(self) -> bool:
        """Whether every figure that counts is known well enough; the last word has the plain formula."""
        target = self._target
        if any(
            not running.relative_error(target.confidence) <= target.precision * _NEARLY
            for running in self._running.values()
        ):
            return False
        samples = self._samples()
        return all(
            estimate([sample[name] for sample in samples], target.confidence).relative_error
            <= target.precision
            for name in self._wanted
        )

    def _samples(self) -> tuple[Figures, ...]:
        return tuple(sample for k in range(self._counted) for sample in self._made[k].samples)

    def _as_it_stands(self) -> PointResult:
        samples, confidence = self._samples(), self._target.confidence
        walls = [self._made[k].wall for k in range(self._counted)]
        seconds = [self._made[k].seconds for k in range(self._counted)]
        return PointResult(
            self.point,
            self._counted,
            _estimates(samples, confidence),
            _estimates(walls, confidence),
            self._decided,
            self._precise,
            self.fault,
            math.fsum(seconds) / len(seconds) if seconds else math.nan,
            samples,
        )


def _estimates(samples: Iterable[Figures], confidence: float) -> dict[str, Estimate]:
    """Of every figure that all have."""
    rows = list(samples)
    if not rows:
        return {}
    names = [name for name in rows[0] if all(name in row for row in rows)]
    return {name: estimate([row[name] for row in rows], confidence) for name in names}


def states_of(experiment: Experiment, store: Store) -> list[PointState]:
    """Every point, with what the store has of it."""
    states = []
    for point in experiment.points:
        state = PointState(experiment, point)
        kept = store.kept(point.work.key, experiment.seed, experiment.target.most)
        state.take((seed - experiment.seed, made) for seed, made in kept.items())
        states.append(state)
    return states


def results_of(experiment: Experiment, store: Store) -> list[PointResult]:
    """What the store has of an experiment, without running anything; failures as they were left."""
    states = states_of(experiment, store)
    for state in states:
        for failure in store.failures(state.point.work.key):
            if state.open and 0 <= failure.seed - experiment.seed < experiment.target.most:
                state.fail(f"seed {failure.seed}: {failure.fault}")
    return [state.result for state in states]
