"""Measures packets under a steady load, which nodes make whether or not the network takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.limits import MAX_PACKETS_SENT
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import report
from meshgui.engine.network.deadlock import Deadlock, can_deadlock, deadlock_of
from meshgui.engine.network.loads.base import Load, LoadError
from meshgui.engine.network.networks import network_for
from meshgui.engine.network.packets import NO_END
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.switching import Law

LONGEST: Final = 10  # times the cycles of the run: then packets that have not arrived are given up
SATURATED: Final = 3  # times the latency of an empty network
_DRAWN_AT_ONCE: Final = 1 << 20  # nodes × cycles
_PARTS: Final = 16
_HOPS_AT_ONCE: Final = 1 << 17
_MEASURED: Final = 0  # the group of the packets that are measured


@dataclass(frozen=True, slots=True)
class SteadyLoad:
    """A network, and the load on it."""

    mesh: Mesh
    law: Law
    load: type[Load]
    rate: float  # flits that a node makes in a cycle, on average
    cycles: int
    warm_up: int = 0  # cycles whose packets are not measured
    seed: int = 1

    def fault(self) -> tuple[str, str] | None:
        """The field that does not fit, and why; None if all do."""
        if (fault := self.load.unfit(self.mesh)) is not None:
            return "traffic", fault
        if self.mesh.processors < 2:
            return "traffic", tr("expected a mesh of at least 2 processors")
        if not 0 < self.rate <= self.law.flits:
            said = tr("expected a rate above 0, and at most {flits}: a packet of each node in each cycle")
            return "rate", said.format(flits=self.law.flits)
        if not 0 <= self.warm_up < self.cycles:
            said = tr("expected fewer cycles than {cycles}, the whole run, got {warm_up}")
            return "warm-up", said.format(cycles=self.cycles, warm_up=self.warm_up)
        packets = self.rate / self.law.flits * self.mesh.processors * self.cycles
        if packets > MAX_PACKETS_SENT:
            said = tr("expected at most {most} packets in all, got about {packets:.0f}")
            return "cycles", said.format(most=MAX_PACKETS_SENT, packets=packets)
        return None


class Measured(NamedTuple):
    """What was measured of packets born in the steady part of a run."""

    latency: Ints  # of those that have arrived, from birth, waiting in the source included
    network_latency: Ints  # from the injection
    empty: Ints  # what each would have taken in an empty network
    packets: int  # all that were born
    offered: float  # flits of a node in a cycle that were sent
    throughput: float  # and that arrived, in the same cycles
    deadlock: Deadlock | None

    @property
    def saturated(self) -> bool:
        """Whether packets take more than three times as long as in an empty network, or do not arrive."""
        late = len(self.latency) < self.packets
        return late or bool(self.packets and self.latency.mean() > SATURATED * self.empty.mean())


def births(
    under: SteadyLoad, pattern: Load, random: np.random.Generator, cycles: int
) -> tuple[Ints, Ints, Ints]:
    """The packets of some cycles, drawn: when each is born, and its source and target by number."""
    born = random.random((cycles, under.mesh.processors)) < under.rate / under.law.flits
    times, sources = np.nonzero(born)
    targets = pattern.targets(under.mesh, sources, random)
    sent = sources != targets
    return times[sent], sources[sent], targets[sent]


def measure(under: SteadyLoad) -> Measured:
    """Put the load on the network until all measured packets have arrived, or that takes too long."""
    mesh, law, nodes = under.mesh, under.law, under.mesh.processors
    network = network_for(mesh, law, 2)
    pattern, random = under.load(), np.random.default_rng(under.seed)
    end, now, step = LONGEST * under.cycles, 0, max(1, _DRAWN_AT_ONCE // nodes)
    drain = min(step, max(1, under.cycles // _PARTS))  # then it ends soon after the last of them
    pending = network.state.pending
    while now < under.cycles or (now < end and pending[_MEASURED]):
        stop = min(now + step, under.cycles) if now < under.cycles else min(now + drain, end)
        times, sources, targets = births(under, pattern, random, stop - now)
        times += now
        if network.count + len(times) > MAX_PACKETS_SENT:
            said = tr("the load makes more than {most} packets before those that are measured have arrived")
            raise LoadError(said.format(most=MAX_PACKETS_SENT))
        measured = (times >= under.warm_up) & (times < under.cycles)
        network.send(times, sources, targets, np.where(measured, _MEASURED, 1))
        while network.now < stop - 1:
            network.advance(stop - 1, _HOPS_AT_ONCE)
        now = stop
        report(now, under.cycles)
    record = NetworkRecord(mesh, law, network.packets())
    deadlock = None
    if pending[_MEASURED] and can_deadlock(mesh, law):
        while network.now < NO_END and network.delivered < network.count:  # without further packets
            network.advance(NO_END, _HOPS_AT_ONCE)
        deadlock = deadlock_of(NetworkRecord(mesh, law, network.packets()))
    return _figures(under, record, deadlock)


def _figures(under: SteadyLoad, record: NetworkRecord, deadlock: Deadlock | None) -> Measured:
    steady = (under.warm_up, under.cycles)
    mine = record.jobs[record.arrived] == _MEASURED
    arrived = record.arrived[mine]
    delivered, born = record.delivered[record.arrived], record.sent
    share = under.law.flits / (under.mesh.processors * (under.cycles - under.warm_up))
    return Measured(
        record.delivered[arrived] - born[arrived],
        record.latency[mine],
        np.asarray(under.law.unblocked(record.distances[arrived])),
        int(np.count_nonzero(record.jobs == _MEASURED)),
        _count_between(born, *steady) * share,
        _count_between(delivered, *steady) * share,
        deadlock,
    )


def _count_between(times: Ints, begin: int, end: int) -> int:
    return int(np.count_nonzero((times >= begin) & (times < end)))
