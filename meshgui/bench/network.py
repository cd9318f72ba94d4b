"""The network's figures: the kernel, what recording a run costs, and a large run from start to scrubbing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meshgui.bench.measurement import Measurement, alternate, not_measured, seconds
from meshgui.bench.messages import Messages
from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.flit_network import FlitNetwork
from meshgui.engine.network.heap import pop, push
from meshgui.engine.network.packets import NO_END
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import WAYS
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import Network
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario, scenario_from

_REPEATS = 7
_HOPS = 1_000_000  # in each of the kernel's runs
_NODES_AWAY = 4  # every packet's way; from any node of the smallest mesh there is room for it
_CYCLES_BETWEEN = 100  # of one node's packets, on average
_MILLIONS_A_SECOND = 3
_SCRIPT = Path(__file__).with_name("large_run.py")
_LONGEST = 900


def network() -> Iterator[Measurement]:
    """A header hop on a small mesh and on a large one, and what recording a run with a network costs."""
    small, large_mesh, queue = alternate(
        lambda: _hop(8), lambda: _hop(64), lambda: _queue_alone(64), repeats=_REPEATS
    )
    same = tr(
        "each packet travels {NODES_AWAY} nodes, each node sends one every {CYCLES_BETWEEN} cycles"
    ).format(NODES_AWAY=_NODES_AWAY, CYCLES_BETWEEN=_CYCLES_BETWEEN)
    heap = tr(
        "the same number of events through a heap of the same number of packets, and nothing else ({same})"
    ).format(same=same)
    small_too = tr("the same on 8×8 ({same}, so that both meshes are equally loaded)").format(same=same)
    name, ours = "network", large_mesh * 1e9
    yield Measurement(
        name,
        tr("a header hop, 64×64"),
        "ns",
        ours,
        queue * 1e9,
        heap,
        1000 / _MILLIONS_A_SECOND,
        of_ratio=False,
    )
    yield Measurement(
        name, tr("a header hop, 64×64 compared with 8×8"), "ns", ours, small * 1e9, small_too, 1.25
    )
    yield from _flits()
    yield from _few_messages()
    yield from _recording()


def _hop(side: int) -> float:
    """Seconds for each hop of random traffic that is the same at every node, for a mesh of any size."""
    sent = _traffic(side)
    work = Network(Mesh((side, side)), Law())
    work.send(*sent)
    return seconds(lambda: work.advance(1 << 40)) / work.hops


def _flits() -> Iterator[Measurement]:
    """A flit move with two channels a link, beside a look at every channel of every router in every cycle."""
    law, side = Law(buffer=4, channels=2, credit=1), 16
    sent = tuple(column[: _HOPS // _NODES_AWAY // law.flits] for column in _traffic(side))
    cycles, moves = 0, 1

    def moved() -> float:
        nonlocal cycles, moves
        work = FlitNetwork(Mesh((side, side)), law)
        work.send(*sent)
        took = seconds(lambda: work.advance(NO_END >> 1))
        moves, cycles = work.hops, int(NetworkRecord(work.mesh, law, work.packets()).delivered.max())
        return took / moves

    moved()
    lying = np.zeros(side**2 * WAYS * law.channels, dtype=np.int32)
    ours, theirs = alternate(
        moved, lambda: seconds(lambda: visit_every_router(lying, cycles)) / moves, repeats=_REPEATS
    )
    what = tr("a flit move, 16×16, two channels a link")
    routers = tr("only a look at every channel of every router in every cycle, for the same packets")
    yield Measurement(
        "network", what, "ns", ours * 1e9, theirs * 1e9, routers, 1000 / _MILLIONS_A_SECOND, of_ratio=False
    )


@kernel
def visit_every_router(lying: NDArray[np.int32], cycles: int) -> int:
    """Look at every channel in every cycle, as a simulator does that moves each router on."""
    total = 0
    for cycle in range(cycles):
        for channel in range(lying.size):
            if lying[channel] > cycle:
                total += 1
            lying[channel] ^= 1
    return total


def _traffic(side: int) -> tuple[Ints, Ints, Ints]:
    """When packets are sent, from where, and where to."""
    packets = _HOPS // (_NODES_AWAY + 2)
    draws = np.random.default_rng(1)
    times = np.sort(draws.integers(0, packets * _CYCLES_BETWEEN // side**2, packets))
    across = draws.integers(0, _NODES_AWAY + 1, packets)
    steps = np.stack((across, _NODES_AWAY - across), 1)
    source = draws.integers(0, side, (packets, 2))
    ahead = source + steps < side  # as far as there is room, one way or the other
    back = source - steps >= 0
    target = source + np.where(ahead & (draws.random((packets, 2)) < 0.5) | ~back, steps, -steps)
    return times, source @ (1, side), target @ (1, side)


@kernel
def through_a_heap(heap: NDArray[np.int32], due: Ints, events: int) -> None:
    """Take out the packet that is due first and put it back four cycles later, over and over."""
    for packet in range(due.size):
        push(heap, packet, due, packet)
    for _ in range(events):
        packet = pop(heap, due.size, due)
        due[packet] += 4
        push(heap, due.size - 1, due, packet)


def _queue_alone(side: int) -> float:
    """Seconds for each of as many events that only pass through a queue."""
    under_way = side**2 * Law().unblocked(_NODES_AWAY) // _CYCLES_BETWEEN
    due = np.sort(np.random.default_rng(1).integers(0, 64, under_way))
    heap = np.empty(under_way, dtype=np.int32)
    return seconds(lambda: through_a_heap(heap, due, _HOPS)) / _HOPS


def _few_messages() -> Iterator[Measurement]:
    """Five messages a job: a hop in the run, and sent by job and stage, beside the same packets at once."""
    for pattern in ("random", "n-body"):
        yield from _messages_of(Simulation(_scenario(16, 1000, 0.02, 8, 5, pattern, "gabl")).run(), pattern)


def _messages_of(recorded: Recording, pattern: str) -> Iterator[Measurement]:
    spec, packets = recorded.scenario.network, recorded.network
    if spec is None or packets is None:
        raise ValueError(tr("a run with a network has packets"))
    hops = len(packets.raw.channels)

    def at_once() -> float:
        work = Network(packets.mesh, packets.law)
        work.send(packets.sent, packets.sources, packets.targets)
        return seconds(lambda: work.advance(NO_END)) / hops

    kernel_alone, by_stage, run = alternate(
        at_once,
        lambda: seconds(Messages(recorded, spec).send) / hops,
        lambda: seconds(Simulation(recorded.scenario, record=False).run) / hops,
        repeats=_REPEATS,
    )
    same = tr("the same packets through the kernel, all sent beforehand")
    for what, took, budget in ((tr("sent by stage"), by_stage, 6.0), (tr("in the run"), run, 15.0)):
        name = tr("a hop {what}, 1000 jobs of 5 messages, {pattern}").format(what=what, pattern=pattern)
        yield Measurement("network", name, "ns", took * 1e9, kernel_alone * 1e9, same, budget)


def _scenario(
    side: int, jobs: int, load: float, flits: int, messages: int, pattern: str = "random", name: str = "mbs"
) -> Scenario:
    data: dict[str, Any] = {
        "meshgui": 1,
        "mesh": {"shape": [side, side]},
        "allocator": {"name": name},
        "workload": {"kind": "stochastic", "jobs": jobs, "load": load},
        "network": {"pattern": pattern, "messages": messages, "flits": flits},
    }
    return scenario_from(data)


def _recording() -> Iterator[Measurement]:
    """Time on top of a run whose attempts and key frames are not recorded; memory for each hop."""
    scenario = _scenario(16, 1000, 0.05, 8, 50)
    recorded = Simulation(scenario).run()
    with_it, without = alternate(
        lambda: seconds(Simulation(scenario, record=True).run),
        lambda: seconds(Simulation(scenario, record=False).run),
        repeats=_REPEATS,
    )
    what = tr("1000 jobs of 50 messages, recorded")
    bare = tr(
        "the same run without recording attempts and key frames (hops are recorded: the kernel works on them)"
    )
    yield Measurement("network", what, "s", with_it, without, bare, 1.3)
    if recorded.packets is None:
        return
    memory = sum(array.nbytes for array in recorded.packets) / len(recorded.packets.channels)
    plain = tr("packet, channel and cycle as three numbers of 8 bytes")
    yield Measurement("network", "memory", tr("bytes per hop"), memory, 24.0, plain, 64, of_ratio=False)


def large() -> Iterator[Measurement]:
    """A large run in a process of its own: the most memory it took, its time, and seeking in it."""
    name, what = "large", tr("64×64, 10 000 jobs, 64 flits")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}  # it imports what we are
    try:
        done = subprocess.run(  # noqa: S603 - a script of ours
            [sys.executable, str(_SCRIPT)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=_LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        yield not_measured(name, what, tr("not finished within {LONGEST} s").format(LONGEST=_LONGEST))
        return
    if done.returncode:
        yield not_measured(name, what, (done.stderr.strip().splitlines() or [tr("it failed")])[-1])
        return
    found = json.loads(done.stdout)
    hops = tr("{found:.1f} million hops").format(found=found["hops"] / 1000000.0)
    before = tr("the process before the run")
    yield Measurement(
        name, tr("{what}, {hops}: memory").format(what=what, hops=hops),
        "GiB", found["peak"] / 2**30, found["before"] / 2**30, before, 2.0,
        of_ratio=False,
    )  # fmt: skip
    alone = tr("the same packets through the kernel, without jobs")
    yield Measurement(name, tr("the run"), "s", found["run"], found["kernel"], alone, None)
    yield Measurement(
        name, tr("to any time of it, 95th percentile"), "ms", found["seek"] * 1000,
        found["copy"] * 1000, tr("one pass over the packets' send times"), 100, of_ratio=False,
    )  # fmt: skip
