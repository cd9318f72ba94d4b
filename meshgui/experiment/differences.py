"""Differences between points of an experiment: runs with the same seeds see the same jobs and make pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.experiment.fields import FieldAxis, FieldError, axis_from, label_of
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult
from meshgui.experiment.statistics import Estimate, difference_of_means


@dataclass(frozen=True)
class Baseline:
    """A value of a field varied: every point is set beside the one that has it, and else the same values."""

    key: str
    place: int  # among the values of the field

    def label(self, experiment: Experiment) -> str:
        """The value in words."""
        return label_of(_axis(experiment, self.key).values[self.place])


@dataclass(frozen=True, eq=False)
class PairedDifferences:
    """How far the means of points are above those of the points that they are set beside."""

    label: str  # the baseline's value
    confidence: float
    others: Mapping[int, PointResult]  # by the number of a point, the one beside it; none of the baseline

    def pairs(self, result: PointResult) -> int:
        """How many runs of a point, or batches of its run, have one beside them."""
        other = self.others.get(result.point.index)
        if other is None:
            return 0
        counts = [_samples(one) for one in (result, other) if not one.exact]
        return min(counts, default=min(_samples(result), _samples(other)))

    def of(self, result: PointResult, figure: str) -> Estimate | None:
        """The difference of a figure with its interval, as far as both points are."""
        other = self.others.get(result.point.index)
        if other is None or figure not in result.estimates or figure not in other.estimates:
            return None
        if result.exact and other.exact:
            return Estimate(result.samples(figure)[0] - other.samples(figure)[0], 0.0, 1)
        above, below = (_paired(one, figure, self.pairs(result)) for one in (result, other))
        return difference_of_means(above, below, self.confidence)


def baseline_from(experiment: Experiment, text: str) -> Baseline:
    """The baseline as KEY=VALUE; FieldError unless it is one of the values of a field that is varied."""
    if "=" not in text:
        raise FieldError(tr("expected KEY=VALUE, got {printable}").format(printable=printable(text)))
    given = axis_from(text)
    if given.key not in experiment.keys:
        varied = ", ".join(experiment.keys)
        raise FieldError(
            tr("expected a field that is varied{value}").format(value=f": {varied}" if varied else ""),
            given.key,
        )
    known = list(map(label_of, _axis(experiment, given.key).values))
    if len(given.values) != 1 or label_of(given.values[0]) not in known:
        raise FieldError(tr("expected one of its values: {known}").format(known=", ".join(known)), given.key)
    return Baseline(given.key, known.index(label_of(given.values[0])))


def paired_differences(
    experiment: Experiment, results: Sequence[PointResult], baseline: Baseline
) -> PairedDifferences:
    """Every point beside the one with the baseline's value."""
    count = len(_axis(experiment, baseline.key).values)
    after = experiment.axes[experiment.keys.index(baseline.key) + 1 :]
    stride = prod(len(axis.values) for axis in after)
    by_index = {result.point.index: result for result in results}
    others = {
        index: by_index[index + (baseline.place - place) * stride]
        for index in by_index
        if (place := index // stride % count) != baseline.place
    }
    return PairedDifferences(baseline.label(experiment), experiment.target.confidence, others)


def differences_of(experiment: Experiment, results: Sequence[PointResult]) -> PairedDifferences | None:
    """Those that an experiment is to report."""
    if not experiment.against:
        return None
    return paired_differences(experiment, results, baseline_from(experiment, experiment.against))


def _paired(result: PointResult, figure: str, pairs: int) -> tuple[float, ...]:
    """A figure of the first runs; a run that needs no seed stands beside each."""
    samples = result.samples(figure)
    return samples * pairs if result.exact else samples[:pairs]


def _samples(result: PointResult) -> int:
    """How many there are; every figure has as many."""
    return next((found.runs for found in result.estimates.values()), 0)


def _axis(experiment: Experiment, key: str) -> FieldAxis:
    return next(axis for axis in experiment.axes if axis.key == key)
