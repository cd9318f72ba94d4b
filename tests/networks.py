"""Runs with a network, for tests that look at what its packets did."""

from functools import cache

from meshgui.engine.scenario import Scenario, scenario_from
from meshgui.engine.simulation import simulate


def sending(jobs, pattern="random", shape=(4, 4), **network) -> Scenario:
    """Jobs `(arrival, size, messages)` that end when their messages have arrived."""
    rows = [{"arrival": a, "size": list(size), "messages": n} for a, size, n in jobs]
    return scenario_from(
        {
            "meshgui": 1,
            "mesh": {"shape": list(shape)},
            "allocator": {"name": "ff"},
            "workload": {"kind": "list", "jobs": rows},
            "network": {"pattern": pattern, **network},
        }
    )


@cache
def crowd():
    """A dozen jobs that send to each other, two of them from time 0, some from between whole cycles."""
    jobs = [(0, (2, 2), 3), (0, (4, 2), 2), *((7.3 * n, (1 + n % 3, 2), 2) for n in range(10))]
    return simulate(sending(sorted(jobs), "all-to-all"))


@cache
def busy(jobs=40, messages=60):
    """Jobs that fill an 8×8 mesh with packets to random places: many are blocked, up to dozens at once."""
    rows = [(25 * n, (4, 4), messages) for n in range(jobs)]
    return simulate(sending(rows, shape=(8, 8)))
