"""The catalogue of published results: what was run, what was published of it, and why it may differ.

Every entry is one file of data (resources/published). A published number is a figure of one strategy, or what
it comes to beside another's, another setting's or another load's; or a range; or which strategies have the
highest or the lowest of a figure; or a whole schedule.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from meshgui.catalogue.sources import cited
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, places
from meshgui.engine.basics.translation import tr_page
from meshgui.engine.network.loads.registry import loads
from meshgui.engine.network.steady_load import SteadyLoad
from meshgui.engine.network.switching import Law
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.engine.runs.figures import Figures, placement_figures
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.itself import resource

Data = dict[str, Any]

_PAPER: Final = re.compile(r"^00\d,? ?")  # a paper's number, which some settings begin with


class ResultPoint(NamedTuple):
    """What is run over and over: one strategy of a setting, at one load where the setting has several."""

    setting: str
    strategy: str
    load: float | None = None


class ComparedPoints(NamedTuple):
    """The runs behind a number, and those it is compared to."""

    of: ResultPoint
    to: ResultPoint | None


class ScheduledJob(NamedTuple):
    """A job's place in a published schedule; corners are counted from 0."""

    job: int
    box: Box
    start: float
    finish: float

    @property
    def figures(self) -> Figures:
        """The same under the names that figures of a run have."""
        return placement_figures(self.job, (self.box,), self.start, self.finish)


class QuickLimits(NamedTuple):
    """How much is run when it has to be quick."""

    runs: int
    jobs: int | None = None  # as many as otherwise, if not stated


@dataclass(frozen=True)
class Number:
    """A number, a range, an order or a schedule, as published."""

    figure: str = ""
    strategy: str = ""
    load: float | None = None  # which of the setting's loads
    over_loads: str = ""  # or that of all its loads with the `least` or the `greatest` number
    to: str = ""  # the strategy it is compared to
    to_setting: str = ""  # and the setting of that one, if it is another
    to_load: float | None = None  # and its load, if it is another
    difference: bool = False  # how far above that one it is, not how many times that one
    value: float | None = None
    least: float | None = None
    most: float | None = None
    highest: tuple[str, ...] = ()
    lowest: tuple[str, ...] = ()
    schedule: tuple[ScheduledJob, ...] = ()
    interval: tuple[float, ...] = ()
    words: str = ""  # as it is put where it is not given like this
    derived: bool = False  # from other published numbers
    asked: bool = False  # a paper leaves it to others: it is measured here, and nothing was published

    @property
    def timed(self) -> bool:
        """Whether it is measured by a clock, so that it comes out differently each time."""
        return self.figure in FIGURES and FIGURES[self.figure].wall


@dataclass(frozen=True)
class Setting:
    """What was run, and what was published of it."""

    entry: str
    name: str
    source: str
    what: str
    scenario: Data
    strategies: dict[str, Data]
    numbers: tuple[Number, ...] = ()
    loads: tuple[float, ...] = ()
    # Where routings are compared, not strategies: the load on the network, whose rates are the loads.
    traffic: Data = field(default_factory=dict)

    @property
    def readers_name(self) -> str:
        """Its name without a paper's number; if that is all of it, where it is published."""
        return _PAPER.sub("", self.name) or cited(self.source)

    def data_of(self, strategy: str, load: float | None = None, jobs: int | None = None) -> Data:
        """The scenario of one of the strategies as data; at one of the loads where there are several."""
        if self.traffic:
            return self._under_traffic(strategy, load or self.loads[0])
        data = self.scenario | {"allocator": self.strategies[strategy]}
        changed = {"load": load, "jobs": jobs if data["workload"]["kind"] == "stochastic" else None}
        workload = data["workload"] | {key: value for key, value in changed.items() if value is not None}
        return data | {"workload": workload}

    def scenario_of(self, strategy: str, load: float | None = None, jobs: int | None = None) -> Scenario:
        """The scenario of one of the strategies, see `data_of`."""
        return scenario_from(self.data_of(strategy, load, jobs))

    def _under_traffic(self, routing: str, rate: float) -> Data:
        """A job on the whole machine that sends the packets of a steady load, drawn once and for all."""
        data = self.scenario | {"network": self.scenario["network"] | {"pattern": "file", "routing": routing}}
        empty, kind = scenario_from(data), loads()[self.traffic["name"]]
        law = Law() if empty.network is None else empty.network.law
        cycles, seed = self.traffic["cycles"], self.traffic["seed"]
        under = SteadyLoad(empty.machine, law, kind, rate, cycles, seed=seed)
        times, sources, targets = under.born()
        ends = (places(under.mesh, sources).tolist(), places(under.mesh, targets).tolist())
        rows = zip(times.tolist(), *ends, strict=True)
        packets = [[time, *source, *target, 0] for time, source, target in rows]
        return data | {"network": data["network"] | {"packets": packets}}

    def loads_of(self, number: Number) -> tuple[float | None, ...]:
        """The loads that a number speaks of."""
        if number.over_loads:
            return self.loads
        return (number.load,)


MOST_RUNS: Final = 1_000_000
"""Runs of a point where only their precision ends them."""


@dataclass(frozen=True)
class CatalogueEntry:
    """A result: what was done and claimed, and the settings in which it is checked."""

    id: str
    title: str
    source: str
    text: str
    settings: dict[str, Setting]
    most: int  # runs of a point at most
    quick: QuickLimits
    least: int = 10  # runs of a point at least
    remarks: tuple[str, ...] = ()  # why it differs, where that is known

    @property
    def until_precise(self) -> CatalogueEntry:
        """The same with runs until each interval is narrow enough, however many that takes."""
        return replace(self, most=MOST_RUNS)

    @property
    def readers_name(self) -> str:
        """What readers know it as; the id is for files and the command line."""
        return cited(self.source)

    @property
    def numbers(self) -> Iterator[tuple[Setting, Number]]:
        """All that was published, setting by setting."""
        return ((setting, number) for setting in self.settings.values() for number in setting.numbers)

    @cached_property
    def points(self) -> tuple[ResultPoint, ...]:
        """All that has to be run."""
        found: dict[ResultPoint, None] = {}
        for setting, number in self.numbers:
            for of, to in self.compared(setting, number):
                found |= dict.fromkeys((of,) if to is None else (of, to))
        return tuple(found)

    def compared(self, setting: Setting, number: Number) -> tuple[ComparedPoints, ...]:
        """The runs behind a number: for every load it speaks of; of an order, for every strategy."""
        names = tuple(setting.strategies) if number.highest or number.lowest else (number.strategy,)
        return tuple(
            ComparedPoints(ResultPoint(setting.name, name, load), self._other(setting, number, load))
            for load in setting.loads_of(number)
            for name in names
        )

    def scenario(self, point: ResultPoint, *, quick: bool = False) -> Scenario:
        """What is run at a point."""
        return self.settings[point.setting].scenario_of(
            point.strategy, point.load, self.quick.jobs if quick else None
        )

    def _other(self, setting: Setting, number: Number, load: float | None) -> ResultPoint | None:
        if not number.to:
            return None
        name = number.to_setting or setting.name
        at = load if number.to_load is None else number.to_load
        return ResultPoint(name, number.to, at if self.settings[name].loads else None)


def catalogue() -> dict[str, CatalogueEntry]:
    """All entries, by id."""
    folder = resource("published")
    found = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    entries = (entry_from(json.loads(folder.joinpath(name).read_text(encoding="utf-8"))) for name in found)
    return {entry.id: entry for entry in entries}


def entry_from(data: Data) -> CatalogueEntry:
    """An entry from plain data."""
    settings = {
        name: _setting({"entry": data["id"], "name": name, "source": data["source"]} | setting)
        for name, setting in data["settings"].items()
    }
    words = {"title": tr_page(data["title"]), "text": tr_page(data["text"])}
    remarks = tuple(map(tr_page, data.get("remarks", ())))
    changed = {"settings": settings, "quick": QuickLimits(**data["quick"]), "remarks": remarks}
    return CatalogueEntry(**(data | words | changed))


def _setting(data: Data) -> Setting:
    """A setting; `ratios` says which figures of a table are also judged as ratios to a strategy's.

    `asked` names figures that a paper leaves to others, of every strategy at every load.
    """
    ratios, asked = data.pop("ratios", None), data.pop("asked", ())
    data |= {"strategies": {name: {} for name in data.pop("routings", ())} or data.get("strategies")}
    numbers = [_number(number) for number in data.get("numbers", ())]
    numbers += [
        Number(figure, strategy, load, asked=True)
        for figure in asked
        for strategy in data["strategies"]
        for load in data.get("loads", (None,))
    ]
    if ratios:
        numbers = [one for number in numbers for one in (number, *_ratio(number, numbers, **ratios))]
    what = tr_page(data["what"])
    return Setting(
        **(data | {"what": what, "numbers": tuple(numbers), "loads": tuple(data.get("loads", ()))})
    )


def _ratio(number: Number, numbers: list[Number], to: str, figures: list[str]) -> Iterator[Number]:
    """A number of a table as a ratio to the one of another strategy, if it is one of the figures."""
    if number.figure in figures and number.strategy != to:
        [base] = [n.value for n in numbers if (n.figure, n.strategy) == (number.figure, to)]
        yield replace(number, to=to, value=(number.value or 0.0) / (base or math.nan), derived=True)


def _number(data: Data) -> Number:
    lists: Data = {key: tuple(value) for key, value in data.items() if isinstance(value, list)}
    rows = tuple(ScheduledJob(**(row | {"box": Box(*row["box"])})) for row in data.get("schedule", ()))
    return Number(**(data | lists | {"words": tr_page(data.get("words", "")), "schedule": rows}))
