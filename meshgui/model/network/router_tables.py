"""The channels of one router at a cycle: who holds each, its buffer, and the room in it, by columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import node_numbers
from meshgui.engine.basics.sentences import ChannelLink, Link, PacketLink
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import EJECT, LINKS, WAYS, describe_node, ends
from meshgui.model.moment.packet_states import PacketState, states_at
from meshgui.model.network.network_tables import NetworkRows, channels_of, zeros
from meshgui.model.tables.columns import UNKNOWN, Column, GiveWay, TableCell


class RouterChannel(NamedTuple):
    """A virtual channel at a router."""

    channel: int  # of the link
    number: int
    incoming: bool
    holder: int  # NO_PACKET: it is free
    flits: int  # in its buffer
    room: int | None  # places in its buffer; None: the processor takes in every flit at once
    waiting: int  # packets that wait for it


def router_of(
    record: NetworkRecord, moment: NetworkMoment, channel: int | None = None, packet: int | None = None
) -> int:
    """The router to show: that into which a channel leads, or the next that the header of a packet leaves.

    With neither in the network, it is the one where a packet waits longest.
    """
    if channel is None and packet is not None:
        state = states_at(record, moment, np.array([packet]))
        at, kind = int(state.channels[0]), state.kinds[0]
        if kind in {PacketState.MOVING, PacketState.BLOCKED, PacketState.QUEUED}:
            return at // WAYS
        channel = at if at >= 0 else None
    if channel is not None:
        return int(_far_ends(record, np.array([channel]))[0])
    if len(moment.blocked):
        return int(moment.blocked_at[moment.blocked_since.argmin()]) // WAYS
    return int(moment.flit_channels[0]) // WAYS if len(moment.flit_channels) else 0


def channels_at(record: NetworkRecord, moment: NetworkMoment, node: int) -> tuple[RouterChannel, ...]:
    """The channels of a router: first those that lead into it, then those that leave it."""
    every = channels_of(record.mesh, not record.law.has_ports)
    way, from_here = every % WAYS, every // WAYS == node
    ejects = way == EJECT
    coming = every[(_far_ends(record, every) == node) & ~ejects]
    found = []
    for channels, incoming in ((coming, True), (every[from_here & ((way < LINKS) | ejects)], False)):
        for channel in channels.tolist():
            count = record.law.channels if channel % WAYS < LINKS else 1
            found += [_seen(record, moment, channel, number, incoming) for number in range(count)]
    return tuple(found)


def _seen(
    record: NetworkRecord, moment: NetworkMoment, channel: int, number: int, incoming: bool
) -> RouterChannel:
    held = (moment.held_channels == channel) & (moment.held_virtual == number)
    flits = (moment.flit_channels == channel) & (moment.flit_virtual == number)
    waits = (moment.wanted_channels == channel) & (moment.wanted_virtual == number)
    doors = record.raw.channels[record.raw.first[moment.queued]]
    return RouterChannel(
        channel,
        number,
        incoming,
        int(moment.held_by[held][0]) if held.any() else NO_PACKET,
        int(flits.sum()),
        None if channel % WAYS == EJECT else record.law.buffer - int(flits.sum()),
        int(waits.sum()) + int((doors == channel).sum()),
    )


def _far_ends(record: NetworkRecord, channels: Ints) -> Ints:
    return node_numbers(record.mesh, ends(record.mesh, channels)[1])


@dataclass(frozen=True, eq=False)
class RouterRows(NetworkRows):
    """The channels of a router at a cycle."""

    node: int
    moment: NetworkMoment

    @cached_property
    def channels(self) -> tuple[RouterChannel, ...]:
        """A row for each virtual channel."""
        return channels_at(self.record, self.moment, self.node)

    def __len__(self) -> int:
        return len(self.channels)

    @property
    def title(self) -> str:
        place, cycle = describe_node(self.record.mesh, self.node), self.moment.cycle
        return tr("Router {place} at cycle {cycle}").format(place=place, cycle=cycle)

    @property
    def scope(self) -> Hashable:
        return id(self.record), self.node

    def has(self, channel: int | None) -> bool:
        """Whether it is one of the router's."""
        return any(here.channel == channel for here in self.channels)

    def name(self, row: int) -> str:
        """The channel by its two ends."""
        return self.name_of(self.channels[row].channel)

    def holder(self, row: int) -> int | None:
        """The packet that holds it."""
        holder = self.channels[row].holder
        return None if holder == NO_PACKET else holder

    def holders_job(self, row: int) -> int | None:
        """The job whose packet holds it."""
        holder = self.holder(row)
        return None if holder is None else self.job_of(holder)

    def holder_link(self, row: int) -> Link | None:
        """The packet that holds it, as a link."""
        holder = self.holder(row)
        return None if holder is None else PacketLink(holder, self.job_of(holder))

    def link(self, row: int) -> ChannelLink:
        """What a row stands for."""
        return ChannelLink(self.channels[row].channel)

    def flits(self, row: int) -> str:
        """How full its buffer is; an ejection has none."""
        here = self.channels[row]
        return "" if here.room is None else f"{here.flits}/{self.record.law.buffer}"

    def tone(self, row: int) -> str:
        """A free channel stands back."""
        return "muted" if self.holder(row) is None else "text"


ROUTER_COLUMNS: Final[tuple[Column[RouterRows], ...]] = (
    Column(
        tr("Channel"),
        RouterRows.name,
        tone=RouterRows.tone,
        widest=RouterRows.longest_channels,
        shrinks=True,
    ),
    Column(
        tr("No.", "of a virtual channel"),
        lambda d, row: d.channels[row].number,
        tone=RouterRows.tone,
        number=True,
        id="number",
        widest=lambda _: ("00",),
    ),
    Column(
        tr("Held by"),
        RouterRows.holder,
        job=RouterRows.holders_job,
        link=RouterRows.holder_link,
        widest=lambda d: (zeros(len(d.longest.packet), 4),),
        grows=True,
    ),
    Column(
        tr("Flits"),
        lambda d, row: d.channels[row].flits,
        cell=lambda d, row: TableCell(d.flits(row), tone=d.tone(row)),
        number=True,
        widest=lambda d: (f"{d.record.law.buffer}/{d.record.law.buffer}",),
    ),
    Column(
        tr("Credits"),
        lambda d, row: d.channels[row].room,
        tone=RouterRows.tone,
        number=True,
        id="credits",
        widest=lambda d: (str(d.record.law.buffer),),
    ),
    Column(
        tr("Waiting", "packets, at a channel"),
        lambda d, row: d.channels[row].waiting,
        cell=lambda d, row: TableCell(str(d.channels[row].waiting)) if d.channels[row].waiting else UNKNOWN,
        number=True,
        id="waiting",
        widest=lambda _: ("000",),
    ),
)
# The credits are what the flits leave of the buffer.
ROUTER_GIVE_WAY: Final = tuple(GiveWay((column,), hide=True) for column in ("waiting", "credits", "number"))
