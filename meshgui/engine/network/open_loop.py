"""Measures packets under a steady load, which nodes make whether or not the network takes them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.limits import MAX_PACKETS_SENT
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import report
from meshgui.engine.network.deadlock import Deadlock, can_deadlock, deadlock_of
from meshgui.engine.network.loads.base import LoadError
from meshgui.engine.network.networks import network_for
from meshgui.engine.network.packets import NO_END
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.steady_load import SteadyLoad

LONGEST: Final = 10  # times the cycles of the run: then packets that have not arrived are given up
SATURATED: Final = 3  # times the latency of an empty network
_PARTS: Final = 16
_HOPS_AT_ONCE: Final = 1 << 17
_MEASURED: Final = 0  # the group of the packets that are measured


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


def measure(under: SteadyLoad) -> Measured:
    """Put the load on the network until all measured packets have arrived, or that takes too long."""
    mesh, law = under.mesh, under.law
    network = network_for(mesh, law, 2)
    packets = under.packets()
    end, now, step = LONGEST * under.cycles, 0, under.drawn_at_once
    drain = min(step, max(1, under.cycles // _PARTS))  # then it ends soon after the last of them
    pending = network.state.pending
    while now < under.cycles or (now < end and pending[_MEASURED]):
        stop = min(now + step, under.cycles) if now < under.cycles else min(now + drain, end)
        times, sources, targets = packets.between(now, stop)
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
