"""Compiles, or loads, every kernel that the program has, an example, a strategy or a network at a time.

Each is reached the way the program reaches it: by small runs, recorded and for their figures alone, of which
an attempt and a release are stepped through. What calls plain Python is reached as the doctor tries it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from meshgui.cli.checks import own_plugins
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategies
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.translation import tr
from meshgui.engine.network import record
from meshgui.engine.network.patterns.registry import FILE, patterns
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.simulation import simulate, simulate_figures
from meshgui.engine.scenario import Scenario, load_scenario, scenario_from
from meshgui.model.document.examples import examples
from meshgui.model.manual.sheet_text import worth_seeing
from meshgui.model.timeline import packet_spans

_JOBS: Final = 12  # enough for one of them to wait


class Preparation(NamedTuple):
    """A part of the work."""

    what: str
    run: Callable[[], object]


def preparations() -> Iterator[Preparation]:
    """What there is to prepare, in the order in which a user is likely to need it."""
    yield Preparation("drawing", _draw)
    for path in examples():
        yield Preparation(path.name, partial(_run_example, path))
    for name, cls in sorted(strategies().items()):
        if cls.__module__.startswith("meshgui."):  # a package's own strategy is its author's matter
            yield Preparation(name, partial(_run_all, name))
    for pattern in patterns():
        if pattern != FILE:
            yield Preparation(
                tr("the network, {pattern}").format(pattern=pattern), partial(_run_network, pattern)
            )
    yield Preparation("plug-ins", lambda: list(own_plugins()))


def _draw() -> None:
    record.load_kernels()
    packet_spans.load_kernels()


def _run_example(path: Path) -> None:
    _run(load_scenario(path))


def _run_all(name: str) -> None:
    for dims in strategies()[name].dims:
        with suppress(StrategyError):
            _run(_scenario(name, dims))


def _run_network(pattern: str) -> None:
    _run(_scenario("ff", 2, {"pattern": pattern}))


def _scenario(name: str, dims: int, network: Mapping[str, Any] | None = None) -> Scenario:
    cls, jobs = strategies()[name], {"jobs": _JOBS, "load": 10.0}
    data: dict[str, Any] = {
        "meshgui": 1,
        "title": "",
        "mesh": {"shape": [8] * dims},
        "allocator": {"name": name},
        "workload": {"kind": "stochastic", **jobs},
        "network": network,
        "seed": 1,
    }
    if cls.aligned:  # it takes few sizes, or works on tori alone
        shown = worth_seeing(cls)
        data |= {"mesh": shown["mesh"], "allocator": shown["allocator"], "workload": shown["workload"] | jobs}
    return scenario_from(data)


def _run(scenario: Scenario) -> None:
    recording = simulate(scenario)
    position = len(recording) // 2
    working = recording.strategy_at(position)
    working.inspect(Moment(working.capture()))
    for attempt in range(min(_JOBS, len(recording.attempts))):
        recording.trace(attempt)
    leaving = recording.next_release(0)
    if leaving is not None:
        recording.trace_release(leaving)
    scratch = recording.new_strategy()
    scratch.trace(Request(0, (1, 1, 1)))
    if recording.network is not None:
        recording.network.at(int(recording.end_time) // 2)
    figures_of(simulate_figures(scenario))
