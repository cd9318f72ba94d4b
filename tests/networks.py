"""Small runs with a network, for the tests of what shows it."""

from functools import cache

from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import Scenario
from tests.scenarios import scenario_of


@cache
def sent(*packets, shape=(4, 4), flits=8, routing_delay=3, **law):
    """The run of one job on the whole mesh that sends packets `(time, source, target)`; nodes are (x, y)."""
    rows = [[time, *source, 0, *target, 0] for time, source, target in packets]
    network = {"pattern": "file", "packets": rows, "flits": flits, "routing_delay": routing_delay, **law}
    return simulate(
        scenario_of(shape, [{"arrival": 0, "size": list(shape)}], title="Packets", network=network)
    )


@cache
def sent_on_torus(*packets, shape=(4, 4), flits=8, routing_delay=3, **law):
    """The same on a torus."""
    rows = [[time, *source, 0, *target, 0] for time, source, target in packets]
    network = {"pattern": "file", "packets": rows, "flits": flits, "routing_delay": routing_delay, **law}
    mesh = {"shape": list(shape), "wrap": [True] * len(shape)}
    jobs = {"kind": "list", "jobs": [{"arrival": 0, "size": list(shape)}]}
    return simulate(
        Scenario.model_validate(
            {
                "title": "Rings",
                "mesh": mesh,
                "allocator": {"name": "ff"},
                "workload": jobs,
                "network": network,
            }
        )
    )


PAPERS_LAWS = [{"per_hop": "flit"}, {"ports": "free"}, {"per_hop": "flit", "ports": "free"}]
"""The other settings of the papers' networks."""


def alone():
    """One packet, three hops along x."""
    return sent((0, (0, 0), (3, 0)))


def three_in_a_row():
    """Packet 2 waits for packet 1, which waits for packet 0: all want to go east over (2,0)→(3,0)."""
    return sent((0, (2, 0), (3, 0)), (0, (1, 0), (3, 0)), (0, (0, 0), (3, 0)), flits=16)


@cache
def busy(jobs=60, **law):
    """Many jobs that send to all, so that much is blocked."""
    return simulate(
        scenario_of(
            (8, 8),
            {"kind": "stochastic", "jobs": jobs, "load": 0.02},
            "gabl",
            title="All to all",
            network={"pattern": "all-to-all", "messages": 40, "flits": 16, **law},
        )
    )


def sending(jobs, pattern="random", shape=(4, 4), **network) -> Scenario:
    """Jobs `(arrival, size, messages)` that end when their messages have arrived."""
    rows = [{"arrival": a, "size": list(size), "messages": n} for a, size, n in jobs]
    return scenario_of(shape, rows, network={"pattern": pattern, **network})


CIRCLE = [
    [0, 0, 0, 0, 2, 0, 0, 0],
    [0, 1, 0, 0, 3, 0, 0, 0],
    [0, 2, 0, 0, 0, 0, 0, 0],
    [0, 3, 0, 0, 1, 0, 0, 0],
]


def ring(jobs=((0, 4), (30, 4)), packets=CIRCLE, name="gabl", **network):
    """A ring of four processors; each of the first job's packets wants the link that the next one holds."""
    rows = [{"arrival": arrival, "size": [size, 1]} for arrival, size in jobs]
    network = {"pattern": "file", "packets": packets, **network}
    mesh = {"shape": [4, 1], "wrap": [True, False]}
    return scenario_of((4, 1), rows, name, network=network, mesh=mesh)


@cache
def crowd():
    """A dozen jobs that send to each other, two of them from time 0, some from between whole cycles."""
    jobs = [(0, (2, 2), 3), (0, (4, 2), 2), *((7.3 * n, (1 + n % 3, 2), 2) for n in range(10))]
    return simulate(sending(sorted(jobs), "all-to-all"))


@cache
def full_mesh(jobs=40, messages=60):
    """Jobs that fill an 8×8 mesh with packets to random places: many are blocked, up to dozens at once."""
    rows = [(25 * n, (4, 4), messages) for n in range(jobs)]
    return simulate(sending(rows, shape=(8, 8)))
