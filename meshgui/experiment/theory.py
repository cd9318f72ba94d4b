"""What theory expects of a point of an experiment, to stand beside what was measured there.

The latency of an unloaded network is that of the same messages over the same routes if no header ever had to
wait. Where jobs arrive at random, one at a time, and the machine serves them like a counter, their mean wait
is that of the queue in the long run: by Pollaczek and Khinchine if it holds one job at a time (M/G/1), by
Erlang if it holds several and service times are exponential (M/M/c). The wait of a run of some jobs that
begins on an empty machine is shorter, the more so the nearer the load comes to what the machine can carry.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.laws import (
    BoundedParetoService,
    ConstantService,
    ExponentialService,
    UniformService,
)
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.spec import NetworkSpec
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.spec import StochasticWorkload
from meshgui.experiment.results import PointResult


class ExpectedValue(NamedTuple):
    """A value, what it is the value of, and what it takes for granted in a sentence."""

    name: str
    value: float
    assumptions: str


UNLOADED: Final = tr("unloaded network")
IF_UNLOADED: Final = tr(
    "Unloaded network: the same messages over the same routes, if no header ever had to wait"
)


def expected(result: PointResult, figure: str) -> ExpectedValue | None:
    """What theory has to say of a figure at a point."""
    scenario = result.point.scenario
    if scenario.network is not None:
        return _unloaded(result, scenario.network) if figure == "latency" else None
    return expected_wait(scenario, figure)


def _unloaded(result: PointResult, network: NetworkSpec) -> ExpectedValue | None:
    hops = result.estimates.get("message_distance")
    if hops is None or not math.isfinite(hops.mean):
        return None
    return ExpectedValue(UNLOADED, unloaded_latency(network, hops.mean), IF_UNLOADED)


def unloaded_latency(network: NetworkSpec, hops: float) -> float:
    """The mean latency over a mean number of hops: it rises by the same with each."""
    least, one = network.law.unblocked(0), network.law.unblocked(1)
    return least + (one - least) * hops


def expected_wait(scenario: Scenario, figure: str) -> ExpectedValue | None:
    """The mean waiting or turnaround of jobs where the machine is a queue that theory knows."""
    workload = scenario.workload
    if figure not in {"waiting", "turnaround"} or not isinstance(workload, StochasticWorkload):
        return None
    servers = servers_of(scenario)
    moments = None if servers == 0 else _moments(workload.service_law(None))
    if moments is None:
        return None
    mean, square = moments
    if servers == 1:
        name, wait = "M/G/1", pollaczek_khinchine(workload.load, mean, square)
        said = tr("M/G/1: one job at a time, Poisson arrivals, served in order, in the long run")
    elif square == 2 * mean**2:
        name, wait = f"M/M/{servers}", erlang(workload.load, mean, servers)
        said = tr(
            "M/M/{servers}: {servers} jobs at a time, Poisson arrivals and exponential service times, "
            "served in order, in the long run"
        ).format(servers=servers)
    else:
        return None
    return ExpectedValue(name, wait + (mean if figure == "turnaround" else 0.0), said)


def servers_of(scenario: Scenario) -> int:
    """How many jobs the machine holds at a time, always the same number; 0 if it cannot be said."""
    workload, mesh = scenario.workload, scenario.machine
    if (
        scenario.network is not None
        or scenario.scheduler.name != "fcfs"
        or not isinstance(workload, StochasticWorkload)
        or workload.gaps.kind != "exponential"
        or workload.sides.kind != "uniform"
        or any(mesh.wrap)
    ):
        return 0
    side, high = workload.sides.low, workload.sides.high
    if any(side > length or side != (high or length) for length in mesh.shape):
        return 0
    processors, cls = side**mesh.dims, strategy(scenario.allocator.name)
    if cls.id in _FILLS:
        exact = (
            cls(mesh, scenario.allocator.options).granted((side, side, side if mesh.dims == 3 else 1))
            == processors
        )
        return mesh.processors // processors if exact else 0
    if cls.id in _ALIGNED and mesh.dims in cls.dims:
        return math.prod(length // side for length in mesh.shape)
    return int(cls.contiguous and all(2 * side > length for length in mesh.shape))


_FILLS: Final = frozenset({"random", "paging", "mbs", "sdsc", "gabl", "arsgabl", "asmb", "genalg"})
"""Strategies that place a job whenever enough processors are free."""

_ALIGNED: Final = frozenset({"ff"})
"""Strategies of which jobs of one size are always in columns and rows of that size.

The first base in scan order is aligned to those: where a box is free that is not, the aligned box that holds
its base is free, too, and comes first.
"""


def pollaczek_khinchine(load: float, mean: float, square: float) -> float:
    """The mean wait for one server, from the first two moments of the service times; NaN if it never ends."""
    busy = load * mean
    return load * square / (2 * (1 - busy)) if busy < 1 else math.nan


def erlang(load: float, mean: float, servers: int) -> float:
    """The mean wait for several servers with exponential service times; NaN if it never ends."""
    offered = load * mean
    if offered >= servers:
        return math.nan
    lost = 1.0  # Erlang's B, server by server
    for number in range(1, servers + 1):
        lost = offered * lost / (number + offered * lost)
    share = offered / servers
    waits = lost / (1 - share * (1 - lost))  # Erlang's C
    return waits * mean / (servers - offered)


def _moments(law: object) -> tuple[float, float] | None:
    """The first two moments of service times."""
    match law:
        case ExponentialService(mean=mean):
            return mean, 2 * mean**2
        case ConstantService(value=value):
            return value, value**2
        case UniformService(low=low, high=high):
            return (low + high) / 2, (low**2 + low * high + high**2) / 3
        case BoundedParetoService():
            return _pareto(law, 1), _pareto(law, 2)
    return None


def _pareto(law: BoundedParetoService, power: int) -> float:
    """A moment of bounded Pareto times."""
    k, q, alpha = law.k, law.q, law.alpha
    rest = power - alpha
    whole = math.log(q / k) if rest == 0 else (q**rest - k**rest) / rest
    return float(alpha * k**alpha / (1 - (k / q) ** alpha) * whole)
