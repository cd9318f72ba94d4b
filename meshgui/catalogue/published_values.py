"""Published values that belong over the results of an experiment: those of the very scenarios it runs.

A point of an experiment and a point of the catalogue are the same if their works are. A value or a range
stands as it was published. A ratio stands at that ratio times what was measured of the point that it is a
ratio to, if the experiment has that, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from meshgui.catalogue.entries import ComparedPoints, Number, Setting, catalogue
from meshgui.catalogue.sources import cited
from meshgui.engine.basics.translation import tr
from meshgui.experiment.results import PointResult
from meshgui.experiment.run_spec import run_spec_of


class PublishedValue(NamedTuple):
    """A published value, or a range where `low` is less than `high`, of one figure at one point."""

    point: int
    figure: str
    low: float
    high: float
    label: str
    is_ratio: bool  # published as a ratio to another point, and stands at that times what was measured there


class _Claim(NamedTuple):
    """A published number of one scenario, and the one it is a multiple of."""

    figure: str
    low: float
    high: float
    to: str | None  # the work of the other one
    label: str


def published_values(results: Sequence[PointResult]) -> list[PublishedValue]:
    """The published values of the points of an experiment, as far as they are known by now."""
    by_key = {result.point.spec.key: result for result in results}
    claims = _claims()
    found: list[PublishedValue] = []
    for result in results:
        for claim in claims.get(result.point.spec.key, ()):
            times = 1.0
            if claim.to is not None:
                other = by_key.get(claim.to)
                measured = None if other is None else other.estimates.get(claim.figure)
                if measured is None:
                    continue
                times = measured.mean
            low, high, is_ratio = claim.low * times, claim.high * times, claim.to is not None
            found.append(PublishedValue(result.point.index, claim.figure, low, high, claim.label, is_ratio))
    plain = {value.figure for value in found if not value.is_ratio}
    rest = [v for v in found if not v.is_ratio or v.figure not in plain]  # a value says more than a ratio
    return list(dict.fromkeys(rest))


@lru_cache(maxsize=1)
def _claims() -> dict[str, tuple[_Claim, ...]]:
    """By the key of its work, all that was published of a scenario."""
    found: dict[str, list[_Claim]] = {}
    for entry in catalogue().values():
        keys = {point: run_spec_of(entry.scenario(point)).key for point in entry.points}
        for setting, number in entry.numbers:
            if number.over_loads or number.difference or number.timed:
                continue
            for pair in entry.compared(setting, number):
                claim = _claim(setting, number, pair, None if pair.to is None else keys[pair.to])
                if claim is not None:
                    found.setdefault(keys[pair.of], []).append(claim)
    return {key: tuple(claims) for key, claims in found.items()}


def _claim(setting: Setting, number: Number, pair: ComparedPoints, to: str | None) -> _Claim | None:
    label = tr("published ({cited})").format(cited=cited(setting.source))
    if pair.to is not None:
        label = tr("{label}, as a ratio times the measured {strategy}").format(
            label=label, strategy=pair.to.strategy
        )
    low, high = (number.least, number.most) if number.value is None else (number.value, number.value)
    return None if low is None or high is None else _Claim(number.figure, low, high, to, label)
