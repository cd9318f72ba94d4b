"""The engine's figures: a run, recording it, seeking in it, and the work of the strategies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from time import perf_counter
from typing import Any

import numpy as np

from meshgui.bench.measurement import RECORDING, Measurement, alternate, seconds
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.runs.event_log import log_lines
from meshgui.engine.runs.measures import summary
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor

_REPEATS = 7
_HOPS = 1_000_000


def _scenario(
    allocator: str = "tbl", side: int = 8, load: float = 5.8, jobs: int = 1000, scheduler: str = "fcfs"
) -> Scenario:
    data: dict[str, Any] = {
        "meshgui": 1,
        "mesh": {"shape": [side] * 3},
        "allocator": {"name": allocator},
        "scheduler": {"name": scheduler},
        "workload": {"kind": "stochastic", "jobs": jobs, "load": load},
    }
    return scenario_from(data)


def _recorded(scenario: Scenario) -> Recording:
    return Simulation(scenario).run()


def _timed(scenario: Scenario, *, record: bool) -> float:
    """Seconds from the first event to the last; drawing the jobs is not part of a run."""
    return seconds(Simulation(scenario, record=record).run)


def run() -> Iterator[Measurement]:
    """A run of 1000 jobs, recorded, beside its figures only."""
    scenario = _scenario()
    _recorded(scenario)  # kernels loaded
    with_it, without = alternate(
        lambda: _timed(scenario, record=True), lambda: _timed(scenario, record=False), repeats=_REPEATS
    )
    bare = tr("the same run, figures only")
    yield Measurement(
        "run", tr("1000 jobs, TBL, 8×8×8, load 5.8"), "s", with_it, without, bare, 0.15, of_ratio=False
    )


def recording() -> Iterator[Measurement]:
    """What recording costs: time on top of a run, and memory for each event."""
    scenario = _scenario(jobs=5000)
    _recorded(scenario)
    with_it, without = alternate(
        lambda: _timed(scenario, record=True), lambda: _timed(scenario, record=False), repeats=_REPEATS
    )
    bare = tr("the same run, figures only")
    yield Measurement("recording", tr("5000 jobs, recorded"), "s", with_it, without, bare, RECORDING)
    recorded = _recorded(scenario)
    log = sum(len(str(line)) for line in log_lines(recorded)) / len(recorded)
    memory = recorded.nbytes / len(recorded)
    yield Measurement(
        "recording", "memory", tr("bytes per event"), memory, log, tr("its line as text"), 64, of_ratio=False
    )
    crowded = _memory("fcfs")
    for discipline in ("ssd", "ooo", "easy"):
        what = tr("memory, {upper} under saturation").format(upper=discipline.upper())
        yield Measurement(
            "recording", what, tr("bytes per event"), _memory(discipline), crowded, "FCFS", 64, of_ratio=False
        )


def _memory(discipline: str) -> float:
    """Bytes an event of a recorded run in which the queue grows to the end."""
    recorded = _recorded(_scenario(load=12.0, scheduler=discipline))
    return recorded.nbytes / len(recorded)


def seek() -> Iterator[Measurement]:
    """Going anywhere in a long run and having the machine and the inspectors' data there."""
    recorded = _recorded(_scenario(jobs=10_000))
    chosen = random.Random(1)
    _seek(recorded, [_random_position(recorded, chosen) for _ in range(20)])  # kernels loaded
    places = [_random_position(recorded, chosen) for _ in range(300)]
    jumps = sorted(_seek(recorded, places))
    copies = sorted(seconds(lambda: _copy(recorded)) for _ in range(100))
    late = jumps[int(0.95 * len(jumps))] * 1000
    copied = copies[int(0.95 * len(copies))] * 1000
    yield Measurement(
        "seek",
        tr("to any event or step of 10 000 jobs, 95th percentile"),
        "ms",
        late,
        copied,
        tr("one copy of the arrays a snapshot reads"),
        16,
        of_ratio=False,
    )
    yield _seek_cycles()


def _seek_cycles() -> Measurement:
    """Going to any cycle of a run with a million hops and having the machine and the network there."""
    recorded = _recorded(_network_scenario())
    network = recorded.network
    hops = len(recorded.packets.entered) if recorded.packets is not None else 0
    if network is None or hops < _HOPS:
        raise RuntimeError(f"expected {_HOPS} hops or more, got {hops}")
    chosen = random.Random(1)
    last = int(recorded.end_time)
    _seek(recorded, [chosen.randrange(last + 1) for _ in range(20)])  # kernels loaded, figures made
    jumps = sorted(_seek(recorded, [chosen.randrange(last + 1) for _ in range(300)]))
    passes = sorted(seconds(lambda: _pass_over(network)) for _ in range(100))
    late, passed = (taken[int(0.95 * len(taken))] * 1000 for taken in (jumps, passes))
    return Measurement(
        "seek",
        tr("to any cycle of {hops:.2f} million hops, 95th percentile").format(hops=hops / 1000000.0),
        "ms",
        late,
        passed,
        tr("one pass over the arrays of packets it reads"),
        100,
        of_ratio=False,
    )


def _network_scenario() -> Scenario:
    """A run of about 1.1 million hops; the machine half full, so that packets meet."""
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": [16, 16]},
            "allocator": {"name": "gabl"},
            "workload": {"kind": "stochastic", "jobs": 10_000, "load": 0.012},
            "network": {"pattern": "random", "messages": 14},
        }
    )


def _pass_over(network: NetworkRecord) -> None:
    for array in (network.sent, network.injected, network.delivered, network.jobs):
        np.copy(array)


def _random_position(recorded: Recording, chosen: random.Random) -> Position:
    """Any position, and for every second one a step of an attempt made there, if there was one."""
    position = chosen.randrange(len(recorded) + 1)
    attempts = recorded.attempts_at(position)
    if chosen.random() < 0.5 and len(attempts):
        attempt = chosen.choice(attempts)
        return Position(position, attempt, chosen.randrange(len(recorded.trace(attempt).steps)))
    return Position(position)


def _seek(recorded: Recording, places: list[Position] | list[int]) -> list[float]:
    """Seconds to each place, or cycle of a network, and what there is to see; nothing is left from before."""
    taken = []
    for place in places:
        cursor = Cursor()
        cursor.show(recorded)
        begun = perf_counter()
        if isinstance(place, int):
            cursor.go_to_time(place)
        else:
            cursor.go_to(place)
        if cursor.view is not None:
            _ = cursor.view.snapshot
            _ = cursor.view.network if isinstance(place, int) else cursor.view.inspection
        taken.append(perf_counter() - begun)
    return taken


def _copy(recorded: Recording) -> None:
    jobs = (recorded.arrived, recorded.started, recorded.ended, recorded.first_box, recorded.box_count)
    for array in (*jobs, recorded.kinds, recorded.boxes):
        np.copy(array)


def allocation() -> Iterator[Measurement]:
    """Operations a job: TBL beside TFF, and TBL on a larger mesh beside a smaller one."""
    small, first_fit, large = (
        float(summary(_recorded(_scenario(name, side, 4.6)))["overhead"]["operations_mean"])
        for name, side in (("tbl", 8), ("tff", 8), ("tbl", 12))
    )
    unit, name = tr("operations per job"), "allocation"
    yield Measurement(name, tr("TBL, 8×8×8, load 4.6"), unit, small, first_fit, "TFF", 0.06)
    yield Measurement(name, tr("TBL, 12×12×12, load 4.6"), unit, large, small, "TBL, 8×8×8", 1.25)
