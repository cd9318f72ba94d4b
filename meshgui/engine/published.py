"""Published results: the settings they were had in, the numbers, and how measured ones stand beside them.

The numbers are data (resources/published). A published number is a figure of one strategy, or its ratio to
another's; or a range; or which strategies have the highest or the lowest of a figure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final, NamedTuple

from meshgui.engine.measures import summary
from meshgui.engine.recording import Recording
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.engine.statistics import Estimate, estimate

__all__ = [
    "ALIKE",
    "NEAR",
    "Published",
    "Samples",
    "Setting",
    "Standing",
    "figures_of",
    "network_settings",
    "ratio_of_means",
    "standing",
]

NEAR: Final = 0.10  # a measured number is the published one if it is within this share of it
ALIKE: Final = 2.0  # an amount is of the published one's order if neither is more than this times the other

Figures = dict[str, float]
Samples = dict[str, list[Figures]]
"""Of each strategy, the figures of its runs, in order of seed: the same seeds for all."""


@dataclass(frozen=True)
class Published:
    """A number, or an order, as published."""

    figure: str
    strategy: str = ""
    to: str = ""  # the strategy it is a ratio to
    setting: str = ""  # and the setting of that one, if it is another
    value: float | None = None
    least: float | None = None
    most: float | None = None
    highest: tuple[str, ...] = ()
    lowest: tuple[str, ...] = ()
    interval: tuple[float, ...] = ()
    words: str = ""  # as it is put where no number is given
    derived: bool = False  # from other published numbers
    over_loads: str = ""  # which of several loads counts: that of the `least` ratio


@dataclass(frozen=True)
class Setting:
    """Runs that were made, and what was published of them."""

    name: str
    id: str
    source: str
    what: str
    scenario: dict[str, Any]
    strategies: dict[str, dict[str, Any]]
    published: tuple[Published, ...]
    beside: str = ""  # the strategy beside which all numbers are judged
    loads: tuple[float, ...] = field(default=())

    def scenario_of(self, strategy: str, load: float | None = None) -> Scenario:
        """The scenario of one of the strategies, and of one of the loads where there are several."""
        data = self.scenario | {"allocator": self.strategies[strategy]}
        if load is not None:
            data = data | {"workload": data["workload"] | {"load": load}}
        return scenario_from(data)


class Standing(NamedTuple):
    """A measured number beside the published one."""

    published: float | None
    measured: Estimate | None
    verdict: str  # reproduced, same order, differs
    to: str = ""  # the strategy both are ratios to

    @property
    def ratio(self) -> float | None:
        """The measured number as a multiple of the published one."""
        return self.measured.mean / self.published if self.measured and self.published else None


def network_settings() -> dict[str, Setting]:
    """The settings of the results that were had with a network."""
    text = files("meshgui").joinpath("resources", "published", "network.json").read_text(encoding="utf-8")
    return {name: _setting(name, data) for name, data in json.loads(text)["settings"].items()}


def _setting(name: str, data: dict[str, Any]) -> Setting:
    numbers = tuple(_number(number) for number in data["published"])
    rest = {key: value for key, value in data.items() if key not in {"published", "loads"}}
    return Setting(name, **rest, published=numbers, loads=tuple(data.get("loads", ())))


def _number(data: dict[str, Any]) -> Published:
    lists: dict[str, Any] = {key: tuple(value) for key, value in data.items() if isinstance(value, list)}
    return Published(**(data | lists))


def figures_of(recording: Recording) -> Figures:
    """The means of a run, by the names of its summary."""
    means = {
        name: value["mean"] if isinstance(value, dict) else value
        for name, value in summary(recording).items()
        if not isinstance(value, dict) or "mean" in value
    }
    return {name: float(value) for name, value in means.items()}


def ratio_of_means(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """The ratio of two means, from runs of both with the same seeds: what they share does not widen it."""
    base = math.fsum(below) / len(below)
    ratio = math.fsum(above) / len(above) / base
    rest = estimate([a - ratio * b for a, b in zip(above, below, strict=True)])  # 0 in the mean
    return Estimate(ratio, rest.half_width / abs(base), len(above))


def standing(
    setting: Setting, number: Published, samples: Samples, others: Samples | None = None
) -> Standing:
    """How a published number and the measured one stand to each other; `others` are of its other setting."""
    if number.highest or number.lowest:
        return _of_order(number, samples)
    mine = [run[number.figure] for run in samples[number.strategy]]
    to, published = number.to, number.value
    if setting.beside and not to and published is not None:
        base = _published_value(setting, number.figure, setting.beside)
        if base and any(run[number.figure] for run in samples[setting.beside]):
            to, published = setting.beside, published / base
    if to:
        below = [run[number.figure] for run in (others or samples)[to]]
        both = min(len(mine), len(below))
        measured = ratio_of_means(mine[:both], below[:both])
    else:
        measured = estimate(mine)
    if published is None:
        return Standing(None, measured, _in_range(round(measured.mean, 2), number))
    if abs(measured.mean - published) <= NEAR * abs(published):
        return Standing(published, measured, "reproduced", to)
    alike = _same_side(measured.mean, published) if to else _same_size(measured.mean, published)
    return Standing(published, measured, "same order" if alike else "differs", to)


def _in_range(measured: float, number: Published) -> str:
    """A range is met if the measured number, rounded as the ends are, is in it; nearly, if close to it."""
    least = -math.inf if number.least is None else number.least
    most = math.inf if number.most is None else number.most
    if least <= measured <= most:
        return "reproduced"
    return "same order" if least * (1 - NEAR) <= measured <= most * (1 + NEAR) else "differs"


def _published_value(setting: Setting, figure: str, strategy: str) -> float:
    plain = (n for n in setting.published if n.figure == figure and n.strategy == strategy and not n.to)
    return next(n.value or 0.0 for n in plain)


def _same_side(measured: float, published: float) -> bool:
    """Whether the same of the two is ahead."""
    return (measured < 1) == (published < 1)


def _same_size(measured: float, published: float) -> bool:
    """Whether an amount is at least half and at most twice the published one; of 0 nothing is."""
    least, most = sorted((published / ALIKE, published * ALIKE))
    return published != 0 and least <= measured <= most


def _of_order(number: Published, samples: Samples) -> Standing:
    """Whether the strategies named have the highest, or the lowest, of the figure."""
    named = number.highest or number.lowest
    means = {name: estimate([run[number.figure] for run in runs]).mean for name, runs in samples.items()}
    ranked = sorted(means, key=lambda name: means[name], reverse=bool(number.highest))
    return Standing(None, None, "reproduced" if set(ranked[: len(named)]) == set(named) else "differs")
