"""What to run, whole by itself, and its result. The key is a hash of all that decides the figures.

The replications of every point of an experiment have the seeds `scenario.seed`, `scenario.seed + 1` and so
on: common random numbers. A long run may instead be cut into batches, which then are the samples.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any, Final, NamedTuple, Self

from meshgui.engine.allocation.registry import strategies, strategy
from meshgui.engine.basics.plugins import is_own
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Work
from meshgui.engine.network.loads.registry import loads
from meshgui.engine.network.open_loop import measure
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.patterns.registry import FILE, patterns
from meshgui.engine.runs.figures import Figures, figures_of, load_figures, schedule_of
from meshgui.engine.runs.simulation import simulate_figures
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.engine.scheduling.registry import discipline, disciplines
from meshgui.engine.workload.trace import TraceWorkload
from meshgui.experiment.batches import Batches, batch_figures
from meshgui.experiment.plugin_code import code_in

MODEL: Final = 4
"""The version of the model: to be raised when the same scenario and seed give other figures than before, or
more, so that results of before are not taken for results of now."""

_NO_MATTER: Final = ("title", "notes", "seed")  # to the results of a run
_SCENARIOS: Final = 16  # kept by a process that makes them


class OtherCodeError(Exception):
    """A plug-in is of other code here than where the run was ordered."""


@dataclass(frozen=True)
class RunSpec:
    """What to run, but for the seed; plain text, so that it can go to another process or machine."""

    key: str
    text: str

    @classmethod
    def of(cls, data: dict[str, Any]) -> Self:
        """From plain data."""
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return cls(hashlib.sha256(text.encode()).hexdigest(), text)

    @property
    def data(self) -> dict[str, Any]:
        """As plain data: `model`, `scenario`, and where there are any, `batches` and `plugins`."""
        data: dict[str, Any] = json.loads(self.text)
        return data


class RunResult(NamedTuple):
    """The figures of one run."""

    samples: tuple[Figures, ...]  # one, or one a batch
    wall: Figures  # measured with a clock: it differs between equal runs
    seconds: float  # it took


def run_spec_of(scenario: Scenario, batches: Batches | None = None, *, schedule: bool = False) -> RunSpec:
    """What to run for a scenario, however it was written down; if wanted, with its schedule as figures."""
    plain = scenario.whole().model_dump(mode="json")
    if isinstance(scenario.workload, TraceWorkload):
        plain["workload"] |= dict.fromkeys(_no_matter_of(scenario.workload))
    data: dict[str, Any] = {
        "model": MODEL,
        "scenario": {key: value for key, value in plain.items() if key not in _NO_MATTER},
    }
    if batches is not None:
        data["batches"] = batches.model_dump(mode="json")
    if schedule:
        data["schedule"] = True
    if plugins := plugins_of(scenario):
        data["plugins"] = plugins
    return RunSpec.of(data)


def _no_matter_of(workload: TraceWorkload) -> tuple[str, ...]:
    """The columns of a trace that no figure depends on."""
    return ("numbers",) if workload.estimates == "requested-time" else ("numbers", "requested_times")


def plugins_of(scenario: Scenario) -> dict[str, str]:
    """The code of each third party's class that a scenario uses, by its kind and id."""
    codes = {}
    if not is_own(strategy(name := scenario.allocator.name)):
        codes[f"strategy {name}"] = code_in(strategies(), name)
    if not is_own(discipline(name := scenario.scheduler.name)):
        codes[f"discipline {name}"] = code_in(disciplines(), name)
    if scenario.network is not None and (name := scenario.network.pattern) != FILE:
        codes[f"pattern {name}"] = code_in(patterns(), name)
    if scenario.network is not None and scenario.network.load is not None:
        name = scenario.network.load.traffic
        codes[f"load {name}"] = code_in(loads(), name)
    return {name: code for name, code in codes.items() if code}


def run_once(text: str, seed: int, work: Work | None = None) -> RunResult:
    """Run a specification with a seed."""
    begun = perf_counter()
    scenario, batches, schedule = _parsed(text)
    with (work or Work()).under_way():
        load = figures_under_load(scenario, seed)
    if load is not None:
        return RunResult((load,), {}, perf_counter() - begun)
    recording = simulate_figures(scenario, seed, work)
    if recording.deadlock is not None:
        raise NetworkError(recording.deadlock.words)
    figures, wall = figures_of(recording)
    if schedule:
        figures |= schedule_of(recording)
    samples = (figures,) if batches is None else tuple(batch_figures(recording, batches))
    return RunResult(samples, wall, perf_counter() - begun)


def figures_under_load(scenario: Scenario, seed: int) -> Figures | None:
    """The figures of a network under a steady load; None of a scenario without one."""
    network = scenario.network
    if network is None or network.load is None:
        return None
    return load_figures(measure(network.load.on(scenario.machine, network.law, seed)))


@lru_cache(maxsize=_SCENARIOS)
def _parsed(text: str) -> tuple[Scenario, Batches | None, bool]:
    data = json.loads(text)
    if data["model"] != MODEL:
        raise ValueError(
            tr("expected work for version {MODEL} of the model, got version {data}").format(
                MODEL=MODEL, data=data["model"]
            )
        )
    batches = Batches.model_validate(data["batches"]) if "batches" in data else None
    scenario = scenario_from(data["scenario"])
    here = plugins_of(scenario)
    for name, code in data.get("plugins", {}).items():
        if here.get(name) != code:
            raise OtherCodeError(
                tr("{name}: expected {code}, as here, got {other}").format(
                    name=name, code=code, other=here.get(name, tr("unknown code"))
                )
            )
    return scenario, batches, "schedule" in data
