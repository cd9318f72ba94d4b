"""The packets in the network at a cycle, and the chain of those that wait for each other, by columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.routing import describe_node
from meshgui.model.moment.packet_states import PacketState, PacketStates, short_channel_name, state_wordings
from meshgui.model.network.network_tables import PacketSource, longest_life, zeros
from meshgui.model.tables.columns import Column, GiveWay, TableCell


@dataclass(frozen=True, eq=False)
class PacketRows(PacketSource):
    """Packets in the network at a cycle."""

    states: PacketStates

    @property
    def packets(self) -> Ints:
        """The packet of each row."""
        return self.states.packets

    @property
    def title(self) -> str:
        return tr("Packets at cycle {cycle}").format(cycle=self.states.cycle)

    def route(self, row: int) -> str:
        """Where it comes from and goes to."""
        nodes = (self.record.sources[self.packet(row)], self.record.targets[self.packet(row)])
        return "→".join(describe_node(self.record.mesh, int(node)) for node in nodes)

    def state(self, row: int) -> TableCell:
        """What the packet does, in as many words as have room."""
        queued = self.states.kinds[row] == PacketState.QUEUED
        whole, *shorter = state_wordings(self.record, self.states, row)
        return TableCell(whole, tone="muted" if queued else "text", shorter=tuple(shorter))

    def says(self, row: int) -> str:
        """What the packet does."""
        return state_wordings(self.record, self.states, row)[0]


PACKET_COLUMNS: Final[tuple[Column[PacketRows], ...]] = (
    Column(
        tr("Packet"),
        PacketRows.packet,
        job=PacketRows.job,
        key="packet",
        order=lambda d: d.packets,
        widest=lambda d: (zeros(len(d.longest.packet), 3),),
    ),
    Column(tr("Job"), PacketRows.job, id="job", number=True, widest=lambda d: (d.longest.job,)),
    Column(tr("From → to"), PacketRows.route, id="route", widest=lambda d: (d.longest.link,)),
    Column(
        tr("State"),
        PacketRows.says,
        cell=PacketRows.state,
        id="state",
        key="trouble",
        order=lambda d: d.states.trouble,
        widest=lambda d: (
            tr("blocked by {packet} at {place}").format(packet=d.longest.packet, place=d.longest.node),
        ),
        shorter=(lambda d: (tr("blocked by {packet}").format(packet=d.longest.packet),),),
        grows=True,
        shrinks=True,
    ),
    Column(
        tr("Age"),
        lambda d, row: d.states.ages[row],
        number=True,
        key="age",
        order=lambda d: d.states.ages,
        widest=lambda d: (zeros(len(str(longest_life(d.record))), 5),),
    ),
)
# The number of the job has its colour.
PACKET_GIVE_WAY: Final = (
    GiveWay(("route",), hide=True),
    GiveWay(("state",)),
    GiveWay(("job",), hide=True),
)


@dataclass(frozen=True, eq=False)
class ChainRows(PacketSource):
    """Packets of which each waits for the next, up to the one that waits for no other."""

    states: PacketStates
    chain: Sequence[int]  # what is not among the states is left out, and all after it

    @cached_property
    def places(self) -> list[int]:
        """The place of each in the states."""
        places: list[int] = []
        for packet in self.chain:
            at = self.states.row(packet)
            if at is None:
                break
            places.append(at)
        return places

    @property
    def packets(self) -> Sequence[int]:
        """The packet of each row."""
        return self.chain[: len(self.places)]

    @property
    def title(self) -> str:
        if not self.chain:
            return tr("Chain of blocking at cycle {cycle}").format(cycle=self.states.cycle)
        return tr("Chain of blocking of packet {packet} at cycle {cycle}").format(
            packet=self.chain[0], cycle=self.states.cycle
        )

    def held(self, row: int) -> int | None:
        """The channel that it holds and the one before waits for."""
        channel = int(self.states.channels[self.places[row - 1]]) if row else NO_PACKET
        return channel if channel >= 0 else None

    def says(self, row: int) -> str:
        """What it does."""
        return state_wordings(self.record, self.states, self.places[row])[0]

    def channel_cell(self, channel: int | None) -> TableCell:
        """A channel, or where there is little room only where it leads to."""
        if channel is None:
            return TableCell("")
        return TableCell(self.name_of(channel), shorter=(short_channel_name(self.record, channel),))

    def wish_cell(self, row: int) -> TableCell:
        """What it waits for, or else what it does."""
        at = self.places[row]
        kind, waits = self.states.kinds[at], self.states.blockers[at] != NO_PACKET
        if kind == PacketState.BLOCKED and waits:
            return self.channel_cell(int(self.states.channels[at]))
        if kind == PacketState.QUEUED and waits:
            return TableCell(tr("its injection"))
        whole, *shorter = state_wordings(self.record, self.states, at)
        return TableCell(whole, shorter=tuple(shorter))

    def held_name(self, row: int) -> str | None:
        """The name of the channel that it holds."""
        held = self.held(row)
        return None if held is None else self.name_of(held)


CHAIN_COLUMNS: Final[tuple[Column[ChainRows], ...]] = (
    Column(
        tr("Packet"),
        ChainRows.packet,
        job=ChainRows.job,
        widest=lambda d: (zeros(len(d.longest.packet), 3),),
        link=ChainRows.link,
    ),
    Column(tr("Job"), ChainRows.job, shown=False),
    Column(
        tr("Holds"),
        ChainRows.held_name,
        cell=lambda d, row: d.channel_cell(d.held(row)),
        widest=lambda d: (d.longest.link,),
        shrinks=True,
        link=ChainRows.link,
    ),
    Column(
        tr("Waits for, or does"),
        ChainRows.says,
        cell=ChainRows.wish_cell,
        widest=lambda d: (d.longest.link,),
        grows=True,
        shrinks=True,
        link=ChainRows.link,
    ),
)
