"""How measured numbers stand beside published ones, and where more runs are needed to know them well enough.

Nothing is run here: all is computed from the figures of runs that were made. The runs of a point are in order
of seed, and all points have the same seeds, so those of two points are compared in pairs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry, ComparedPoints, Number, ResultPoint, Setting
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import percent
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.statistics import Estimate, difference_of_means, estimate
from meshgui.experiment.theory import unloaded_latency

NEAR: Final = 0.10  # a measured number is the published one if it is within this share of it
ALIKE: Final = 2.0  # the published order: neither number is more than this times the other
PRECISION: Final = 0.05  # half an interval's share of the mean, as the papers have it
RULE: Final = tr(
    "Reproduced: within {near} of the published number, inside the published range, in the published "
    "order, or the same schedule. Same order: further off, but at least 1/{ALIKE:g} and at most "
    "{ALIKE:g} times the published number, with the same one ahead where two are compared; or within "
    "{near} of the published range. Differs: otherwise."
).format(near=percent(NEAR), ALIKE=ALIKE)

Samples = Mapping[ResultPoint, Sequence[Figures]]
"""Of each point the figures of its runs, with the seeds 1, 2, 3 …; points may have more runs than others."""


class Verdict(StrEnum):
    """How a measured number stands to the published one."""

    REPRODUCED = "reproduced"
    SAME_ORDER = "same order"
    DIFFERS = "differs"
    MEASURED = "measured"
    NOT_RUN = "not run"

    @property
    def words(self) -> str:
        """The verdict as people read it."""
        return _VERDICTS[self]


_VERDICTS: Final = {
    Verdict.REPRODUCED: tr("reproduced"),
    Verdict.SAME_ORDER: tr("same order"),
    Verdict.DIFFERS: tr("differs"),
    Verdict.MEASURED: tr("measured"),
    Verdict.NOT_RUN: tr("not run"),
}


class JudgedNumber(NamedTuple):
    """A measured number beside the published one."""

    setting: str
    number: Number
    verdict: Verdict
    published: float | None = None
    measured: Estimate | None = None
    to: str = ""  # the strategy both are compared to
    load: float | None = None  # the load it is of, where the setting has several
    means: Mapping[str, Estimate] = {}  # of an order, the figure of every strategy
    loads: Mapping[float, Estimate] = {}  # of a number over all loads, what it is at each
    expected: float | None = None  # by theory, of what nothing was published

    @property
    def ratio(self) -> float | None:
        """The measured number as a multiple of the published one."""
        return self.measured.mean / self.published if self.measured and self.published else None

    @property
    def precise(self) -> bool:
        """Whether the interval is narrow enough to say so; where there is none, whether there are runs."""
        if self.measured is None:
            return self.verdict is not Verdict.NOT_RUN
        return self.measured.relative_error <= PRECISION


def judge(entry: CatalogueEntry, samples: Samples) -> tuple[JudgedNumber, ...]:
    """Every published number of an entry beside the measured one."""
    return tuple(judge_number(entry, setting, number, samples) for setting, number in entry.numbers)


def judge_number(entry: CatalogueEntry, setting: Setting, number: Number, samples: Samples) -> JudgedNumber:
    """One published number beside the measured one."""
    compared = entry.compared(setting, number)
    if not all(samples.get(point) for pair in compared for point in pair if point is not None):
        return JudgedNumber(
            setting.name, number, Verdict.NOT_RUN, number.value, to=number.to, load=number.load
        )
    if number.schedule:
        return _of_schedule(setting, number, samples[compared[0].of])
    if number.highest or number.lowest:
        return _of_order(setting, number, compared, samples)
    found = {pair: _measured(number, pair, samples) for pair in compared}
    extreme = max if number.over_loads == "greatest" else min
    pair, measured = extreme(found.items(), key=lambda item: item[1].mean)
    verdict = _verdict(number, number.value, measured, number.to)
    by_load = {pair.of.load: e for pair, e in found.items() if pair.of.load is not None}
    loads = by_load if number.over_loads else {}
    return JudgedNumber(
        setting.name, number, verdict, number.value, measured, number.to, pair.of.load,
        loads=loads, expected=_expected(setting, number, samples[pair.of]) if number.asked else None,
    )  # fmt: skip


def runs_needed(
    entry: CatalogueEntry, samples: Samples, *, precision: float = PRECISION, quick: bool = False
) -> dict[ResultPoint, int]:
    """The points that need more runs than they have, and how many they should have next.

    As many as their numbers' intervals speak for, but at most twice as many as there are: an interval from
    few runs is itself not well known. Numbers by the clock do not ask for more: they scatter as the machine
    does.
    """
    least, most = (entry.quick.runs,) * 2 if quick else (min(entry.least, entry.most), entry.most)
    target = dict.fromkeys(entry.points, least)
    for setting, number in entry.numbers:
        judged = judge_number(entry, setting, number, samples)
        if judged.measured is None or number.timed or judged.measured.relative_error <= precision:
            continue
        runs = judged.measured.runs
        enough = min((judged.measured.relative_error / precision) ** 2, 2.0) * runs
        for pair in entry.compared(setting, number):
            if judged.loads and pair.of.load != judged.load:
                continue  # another load does not become the extreme by being known better
            for point in pair:
                if point is not None:
                    target[point] = max(target[point], min(math.ceil(enough), most))
    return {point: runs for point, runs in target.items() if runs > len(samples.get(point, ()))}


def ratio_of_means(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """The ratio of two means, from runs of both with the same seeds: what they share does not widen it.

    Beside nothing, nothing is as much, and anything is infinitely more.
    """
    base = math.fsum(below) / len(below)
    if base == 0:
        return Estimate(math.inf, math.inf, len(below)) if any(above) else Estimate(1.0, 0.0, len(below))
    ratio = math.fsum(above) / len(above) / base
    rest = estimate([a - ratio * b for a, b in zip(above, below, strict=True)])  # 0 on average
    return Estimate(ratio, rest.half_width / abs(base), len(above))


def _measured(number: Number, pair: ComparedPoints, samples: Samples) -> Estimate:
    """The mean of a figure, or the comparison of two means."""
    mine = _column(number, pair.of, samples)
    if pair.to is None:
        return estimate(mine)
    below = _column(number, pair.to, samples)
    both = min(len(mine), len(below))
    compare = difference_of_means if number.difference else ratio_of_means
    return compare(mine[:both], below[:both])


def _expected(setting: Setting, number: Number, runs: Sequence[Figures]) -> float | None:
    """The latency that the messages would have had in an unloaded network."""
    network = setting.scenario.get("network")
    if number.figure != "latency" or network is None:
        return None
    hops = math.fsum(run["message_distance"] for run in runs) / len(runs)
    return unloaded_latency(NetworkSpec.model_validate(network), hops)


def _column(number: Number, point: ResultPoint, samples: Samples) -> list[float]:
    return [run[number.figure] for run in samples[point]]


def _verdict(number: Number, published: float | None, measured: Estimate, to: str) -> Verdict:
    """How near a mean is; its interval does not count. Where nothing was published, that it is measured."""
    if number.asked:
        return Verdict.MEASURED
    if published is None:
        return _in_range(round(measured.mean, 2), number)
    if abs(measured.mean - published) <= NEAR * abs(published):
        return Verdict.REPRODUCED
    is_ratio = bool(to) and not number.difference
    alike = _same_size(measured.mean, published) and (not is_ratio or _same_side(measured.mean, published))
    return Verdict.SAME_ORDER if alike else Verdict.DIFFERS


def _in_range(measured: float, number: Number) -> Verdict:
    """A range is met if the measured number, rounded as the ends are, is in it; nearly, if close to it."""
    least = -math.inf if number.least is None else number.least
    most = math.inf if number.most is None else number.most
    if least <= measured <= most:
        return Verdict.REPRODUCED
    close = least * (1 - NEAR) <= measured <= most * (1 + NEAR)
    return Verdict.SAME_ORDER if close else Verdict.DIFFERS


def _same_side(measured: float, published: float) -> bool:
    """Whether the same of the two is ahead; where neither was, either may be."""
    return published == 1 or (measured < 1) == (published < 1)


def _same_size(measured: float, published: float) -> bool:
    """Whether a number is at least half and at most twice the published one, so of its sign; of 0 none is."""
    least, most = sorted((published / ALIKE, published * ALIKE))
    return published != 0 and least <= measured <= most


def _of_order(
    setting: Setting, number: Number, compared: Sequence[ComparedPoints], samples: Samples
) -> JudgedNumber:
    """Whether the strategies named have the highest, or the lowest, of the figure."""
    named = number.highest or number.lowest
    means = {pair.of.strategy: estimate(_column(number, pair.of, samples)) for pair in compared}
    ranked = sorted(means, key=lambda name: means[name].mean, reverse=bool(number.highest))
    met = set(ranked[: len(named)]) == set(named)
    verdict = Verdict.REPRODUCED if met else Verdict.DIFFERS
    return JudgedNumber(setting.name, number, verdict, load=compared[0].of.load, means=means)


def _of_schedule(setting: Setting, number: Number, runs: Sequence[Figures]) -> JudgedNumber:
    """Whether every job ran when and where it was published to, in every run, and no other one did."""
    published: Figures = {}
    for row in number.schedule:
        published |= row.figures
    met = all(_schedule_in(run) == published for run in runs)
    return JudgedNumber(setting.name, number, Verdict.REPRODUCED if met else Verdict.DIFFERS)


def _schedule_in(run: Figures) -> Figures:
    return {name: value for name, value in run.items() if name.startswith("job ")}
