"""The fields of a scenario that a slider can change while curves follow it."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.experiment.fields import with_field

TICKS: Final = 200  # of a slider over a continuous range
_WIDE: Final = 8.0  # a range goes from the value by this factor down and up
_LEAST_SIDE: Final = 2
_MOST_SIDE: Final = {2: 16, 3: 8}
_DIGITS: Final = 3


@dataclass(frozen=True)
class LiveField:
    """A field with a range: of whole numbers, or of numbers at equal ratios."""

    key: str
    label: str
    low: float
    high: float
    now: float
    whole: bool = False

    @property
    def ticks(self) -> int:
        """The last place of a slider, whose first is 0."""
        return round(self.high - self.low) if self.whole else TICKS

    def value(self, tick: int) -> float:
        """The value at a place of the slider."""
        if self.whole:
            return self.low + tick
        value = self.low * (self.high / self.low) ** (tick / TICKS)
        return float(f"{value:.{_DIGITS}g}")

    def tick(self, value: float) -> int:
        """The place of the slider nearest to a value."""
        if self.whole:
            return round(value - self.low)
        return round(TICKS * math.log(value / self.low) / math.log(self.high / self.low))

    def text(self, tick: int) -> str:
        """The value in words."""
        value = self.value(tick)
        return formatted(value, "g")

    def applied(self, scenario: Scenario, tick: int) -> Scenario:
        """The scenario with the value in place; ScenarioError where it is not valid then."""
        value: Any = self.value(tick)
        if self.key == "mesh.shape":
            value = [int(value)] * scenario.machine.dims
        elif self.key == "workload.service":
            value = {"kind": "exponential", "mean": value}
        data = with_field(scenario.model_dump(mode="json"), self.key, value)
        return scenario_from(data)


def live_fields(scenario: Scenario, varied: Collection[str] = ()) -> list[LiveField]:
    """The fields that can follow a slider and are not varied by the experiment."""
    workload, found = scenario.workload, []
    if workload.kind == "stochastic":
        found.append(_around("workload.load", tr("Load"), workload.load))
        service = workload.service_law(scenario.network)
        if service is not None and service.kind == "exponential":
            key = "workload.service" if workload.service is None else "workload.service.mean"
            found.append(_around(key, tr("Mean service"), service.mean))
        if workload.sides.kind == "exponential":
            mean = workload.sides.mean or scenario.machine.extents[0] / 2
            found.append(_around("workload.sides.mean", tr("Mean side"), mean))
    if scenario.network is not None and scenario.network.pattern != "file":
        found.append(_around("network.messages", tr("Messages"), float(scenario.network.messages)))
    mesh = scenario.machine
    most = _MOST_SIDE[mesh.dims]
    side = min(max(round(mesh.processors ** (1 / mesh.dims)), _LEAST_SIDE), most)
    found.append(LiveField("mesh.shape", tr("Mesh side"), _LEAST_SIDE, most, side, whole=True))
    return [one for one in found if not any(_same(one.key, key) for key in varied)]


def _same(one: str, other: str) -> bool:
    """Whether one of two fields is the other, or a part of it."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _around(key: str, label: str, now: float) -> LiveField:
    return LiveField(key, label, now / _WIDE, now * _WIDE, now)
