"""The parts of a scenario in which compared runs differ, and the choices for each part."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple

from meshgui.engine.allocation.registry import by_title
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.registry import FILE, patterns
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.network.switching import SWITCHINGS
from meshgui.engine.scenario import Scenario, ScenarioError, scenario_from
from meshgui.engine.scheduling.registry import disciplines
from meshgui.model.fields.names import discipline_name, pattern_name, strategy_name

FEWEST_RUNS: Final = 2
MOST_RUNS: Final = 4
_SEEDS: Final = 12  # that are offered
_PREFERRED: Final = ("ff", "tbl", "gabl", "ooo", "easy", "all-to-all")  # beside what there is, at first


class VariedPart(StrEnum):
    """The part of the scenario in which the runs differ."""

    STRATEGY = "strategy"
    DISCIPLINE = "discipline"
    NETWORK = "network"
    SEED = "seed"


class RunChoice(NamedTuple):
    """One choice for the part that differs: its name over the run, its words in a list, what it changes."""

    name: str
    title: str
    changes: dict[str, Any]  # fields of the scenario; none for the choice that the scenario has
    refusal: str = ""  # why no run of this scenario can have it


def run_choices(scenario: Scenario, part: VariedPart) -> tuple[RunChoice, ...]:
    """The choices for a part, the scenario's own first."""
    found = _CHOICES[part](scenario)
    own = next((choice for choice in found if not choice.changes), found[0])
    others = [_checked(scenario, choice) for choice in found if choice is not own]
    return (own, *others)


def varied(scenario: Scenario, choice: RunChoice) -> Scenario:
    """The scenario with this choice; ScenarioError where the rest of it does not allow that."""
    if not choice.changes:
        return scenario
    fields = type(scenario).model_fields
    data = {fields[name].alias or name: value for name, value in scenario}
    return scenario_from(data | choice.changes)


def first_choices(choices: tuple[RunChoice, ...]) -> tuple[RunChoice, ...]:
    """The two to begin with: the scenario's own and one that it allows."""
    others = [choice for choice in choices[1:] if not choice.refusal]
    rank = {name: place for place, name in enumerate(_PREFERRED)}
    others.sort(key=lambda choice: rank.get(choice.name, len(rank)))
    return (choices[0], *others[:1])


def _checked(scenario: Scenario, choice: RunChoice) -> RunChoice:
    try:
        varied(scenario, choice)
    except ScenarioError as error:
        return choice._replace(refusal=error.message)
    return choice


def _strategies(scenario: Scenario) -> list[RunChoice]:
    own = scenario.allocator.name
    return [
        RunChoice(cls.id, strategy_name(cls.id), {} if cls.id == own else {"allocator": {"name": cls.id}})
        for cls in by_title()
    ]


def _disciplines(scenario: Scenario) -> list[RunChoice]:
    own = scenario.scheduler.name
    return [
        RunChoice(name, discipline_name(name), {} if name == own else {"scheduler": {"name": name}})
        for name in disciplines()
    ]


def _networks(scenario: Scenario) -> list[RunChoice]:
    """Without a network, with other patterns of communication, and with other switching."""
    own = scenario.network
    if own is None:
        here = RunChoice(tr("no network"), tr("No network"), {})
        return [here, *(_pattern(NetworkSpec(pattern=name), name) for name in patterns())]
    name = f"{own.pattern}, {own.switching}"
    full = f"{pattern_name(own.pattern)}, {own.switching}"
    found = [RunChoice(name, tr("{network} (as it is)").format(network=full), {})]
    found.append(RunChoice(tr("no network"), tr("No network"), {"network": None}))
    if own.pattern != FILE:
        found += [_pattern(own, name) for name in patterns() if name != own.pattern]
    for switching in SWITCHINGS:
        fits = own.per_hop == "header" or switching != "store-and-forward"
        if switching != own.switching and fits:
            buffer = own.buffer if switching == "wormhole" else max(own.buffer, own.flits)
            network = own.model_copy(update={"switching": switching, "buffer": buffer})
            words = tr("{switching}, buffers of {buffer} flits") if buffer != own.buffer else "{switching}"
            title = words.format(switching=switching, buffer=buffer)
            found.append(RunChoice(switching, title, {"network": network}))
    return found


def _pattern(network: NetworkSpec, name: str) -> RunChoice:
    changed = network.model_copy(update={"pattern": name})
    return RunChoice(name, pattern_name(name), {"network": changed})


def _seeds(scenario: Scenario) -> list[RunChoice]:
    first = scenario.seed
    return [
        RunChoice(
            tr("seed {seed}").format(seed=seed),
            tr("seed {seed}").format(seed=seed),
            {} if seed == first else {"seed": seed},
        )
        for seed in range(first, first + _SEEDS)
    ]


_CHOICES: Final = {
    VariedPart.STRATEGY: _strategies,
    VariedPart.DISCIPLINE: _disciplines,
    VariedPart.NETWORK: _networks,
    VariedPart.SEED: _seeds,
}
