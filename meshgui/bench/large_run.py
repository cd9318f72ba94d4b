"""A script: a large run with a network, recorded and looked at everywhere; what that took, as JSON."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import scenario_from
from meshgui.model.stepping.cursor import Cursor

SETTING = {
    "meshgui": 1,
    "mesh": {"shape": [64, 64]},
    "allocator": {"name": "mbs"},
    "workload": {"kind": "stochastic", "jobs": 10_000, "load": 0.003},
    "network": {"pattern": "random", "messages": 50, "flits": 64},
}
_SEEKS = 300


def most_memory() -> int:
    """Bytes resident at most since this program began; what its parent held is not counted."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError(tr("the system does not report how much memory was used"))


def took(work: Callable[[], object]) -> float:
    """Seconds."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def look(recorded: Recording, time: float) -> None:
    """Go to a time, with nothing left over from elsewhere, and see machine and network."""
    cursor = Cursor()
    cursor.show(recorded)
    cursor.go_to_time(time)
    if cursor.view is not None:
        _ = cursor.view.snapshot
        _ = cursor.view.inspection
        _ = cursor.view.network


def kernel_alone(network: NetworkRecord) -> float:
    """Seconds that the kernel takes for the same packets, sent when they were, in one go."""
    work = Network(network.mesh, network.law)
    work.send(network.sent, network.sources, network.targets)
    return took(lambda: work.advance(1 << 60))


def main() -> None:
    """Run, record, seek; memory is read before the baselines, which need some of their own."""
    scenario = scenario_from(SETTING)
    before = most_memory()
    begun = perf_counter()
    recorded = Simulation(scenario).run()
    run = perf_counter() - begun
    chosen = random.Random(1)
    look(recorded, recorded.end_time / 2)
    times = [chosen.uniform(0, recorded.end_time) for _ in range(_SEEKS)]
    seeks = sorted(took(lambda at=at: look(recorded, at)) for at in times)  # type: ignore[misc]
    peak = most_memory()
    network = recorded.network
    if network is None:
        raise SystemExit(tr("the run has no network"))
    copies = sorted(took(network.sent.copy) for _ in range(100))
    json.dump(
        {
            "before": before,
            "peak": peak,
            "hops": len(network.raw.channels),
            "run": run,
            "kernel": kernel_alone(network),
            "seek": seeks[int(0.95 * _SEEKS)],
            "copy": copies[95],
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
