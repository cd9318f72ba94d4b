"""Finds where a network stands still for ever: the cycle, and a circle of packets that wait for each other.

While any flit or header can move there is none.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.flit_places import last_move
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.switching import Law

CIRCLE_SHOWN: Final = 8  # packets in a sentence


class Deadlock(NamedTuple):
    """The first cycle in which nothing can move any more, and what waits for what in it."""

    cycle: int
    circle: tuple[int, ...]  # packets, of which each waits for a channel that the next holds

    @property
    def words(self) -> str:
        """It in one sentence."""
        more = ", …" if len(self.circle) > CIRCLE_SHOWN else ""
        shown = ", ".join(map(str, self.circle[:CIRCLE_SHOWN])) + more
        said = tr(
            "deadlock in cycle {cycle}: each of the packets {packets} waits for a channel that the next "
            "holds, and the last for one that the first holds"
        )
        return said.format(cycle=self.cycle, packets=shown)


class CircleLanes(NamedTuple):
    """The channels of a circle, packet by packet: those from the one that the packet before waits for on."""

    channels: Ints
    virtual: Ints
    owners: Ints


def lanes_of(record: NetworkRecord, deadlock: Deadlock) -> CircleLanes:
    """The channels that close the circle of a deadlock; each packet's last one is where its header stands."""
    moment = record.at(deadlock.cycle)
    kept = [np.zeros(0, dtype=np.int64)]
    before = (deadlock.circle[-1], *deadlock.circle[:-1])
    for packet, waiting in zip(deadlock.circle, before, strict=True):
        wants = (moment.wanting == waiting) & (moment.wanted_of == packet)
        link, number = moment.wanted_channels[wants][0], moment.wanted_virtual[wants][0]
        mine = np.flatnonzero(moment.held_by == packet)
        wanted = (moment.held_channels[mine] == link) & (moment.held_virtual[mine] == number)
        kept.append(mine[int(wanted.argmax()) :])
    rows = np.concatenate(kept)
    return CircleLanes(moment.held_channels[rows], moment.held_virtual[rows], moment.held_by[rows])


def can_deadlock(mesh: Mesh, law: Law) -> bool:
    """Whether some packets could wait for each other in a circle: not under turn models and datelines."""
    return law.routing == "adaptive" or (any(mesh.wrap) and law.channels == 1)


def deadlock_of(record: NetworkRecord, last_event: int = 0) -> Deadlock | None:
    """The deadlock in which a network has ended, if packets are left in it; `last_event` is of its jobs."""
    left = np.flatnonzero(record.delivered == NEVER_YET)
    if not len(left):
        return None
    raw, law = record.raw, record.law
    headers = record.headers(left)
    waiting = (headers.asked != NEVER_YET) & (headers.granted == NEVER_YET)
    first, last = raw.first[left], raw.first[left + 1] - 1
    moved = last_move(first, last, raw.sent[left], raw.entered, raw.moves, law.flits, law.buffer, law.cycles)
    delivered = int(record.delivered[record.arrived].max(initial=0))
    cycle = max(moved, delivered, int(headers.asked[waiting].max(initial=0)), last_event)
    return Deadlock(cycle, _circle(record, cycle))


def _circle(record: NetworkRecord, cycle: int) -> tuple[int, ...]:
    moment = record.at(cycle)
    holders = dict(zip(moment.blocked.tolist(), moment.blocked_by.tolist(), strict=True))
    way = list[int]()
    packet = int(moment.blocked[0])
    while packet not in way:
        way.append(packet)
        packet = holders.get(packet, NO_PACKET)
    circle = way[way.index(packet) :]
    start = circle.index(min(circle))
    return tuple(circle[start:] + circle[:start])
