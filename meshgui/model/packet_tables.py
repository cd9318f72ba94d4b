"""The packets in the network at a cycle, and the chain of those that wait for each other, by columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import describe_channel, describe_node
from meshgui.engine.network.wormhole import NO_PACKET
from meshgui.engine.sentences import PacketLink
from meshgui.model.columns import Column, GiveWay, TableCell
from meshgui.model.network_tables import (
    longest_life,
    longest_texts_of,
    zeros,
)
from meshgui.model.packet_states import (
    PacketState,
    PacketStates,
    chain_of,
    short_channel_name,
    short_state,
    shorter_states,
)

__all__ = ["CHAIN_COLUMNS", "PACKET_COLUMNS", "PACKET_GIVE_WAY", "ChainRows", "PacketRows"]


@dataclass(frozen=True, eq=False)
class PacketRows:
    """Packets in the network at a cycle."""

    record: NetworkRecord
    states: PacketStates

    def __len__(self) -> int:
        return len(self.states.packets)

    @property
    def title(self) -> str:
        """See TableSource."""
        return f"Packets at cycle {self.states.cycle}"

    @property
    def scope(self) -> Hashable:
        """See TableSource."""
        return id(self.record)

    def packet(self, row: int) -> int:
        """The packet of a row."""
        return int(self.states.packets[row])

    def job(self, row: int) -> int:
        """The job whose packet it is."""
        return int(self.record.jobs[self.states.packets[row]])

    def route(self, row: int) -> str:
        """Where it comes from and goes to."""
        nodes = (self.record.sources[self.packet(row)], self.record.targets[self.packet(row)])
        return "→".join(describe_node(self.record.mesh, int(node)) for node in nodes)

    def link(self, row: int) -> PacketLink:
        """What a row stands for."""
        return PacketLink(self.packet(row), self.job(row))

    def state(self, row: int) -> TableCell:
        """What the packet does, in as many words as have room."""
        queued = self.states.kinds[row] == PacketState.QUEUED
        shorter = shorter_states(self.record, self.states, row)
        return TableCell(self.says(row), tone="muted" if queued else "text", shorter=shorter)

    def says(self, row: int) -> str:
        """What the packet does."""
        return short_state(self.record, self.states, row)


PACKET_COLUMNS: Final[tuple[Column[PacketRows], ...]] = (
    Column(
        "Packet",
        lambda d, row: TableCell(str(d.packet(row)), d.job(row)),
        lambda d, row: d.packet(row),
        key="packet",
        order=lambda d: d.states.packets,
        widest=lambda d: (zeros(len(longest_texts_of(d.record).packet), 3),),
        swatch=True,
    ),
    Column(
        "Job",
        lambda d, row: TableCell(str(d.job(row))),
        lambda d, row: d.job(row),
        number=True,
        widest=lambda d: (longest_texts_of(d.record).job,),
    ),
    Column(
        "From → to",
        lambda d, row: TableCell(d.route(row)),
        lambda d, row: d.route(row),
        widest=lambda d: (longest_texts_of(d.record).link,),
    ),
    Column(
        "State",
        lambda d, row: d.state(row),
        lambda d, row: d.says(row),
        key="trouble",
        order=lambda d: d.states.trouble,
        widest=lambda d: (
            f"blocked by {longest_texts_of(d.record).packet} at {longest_texts_of(d.record).node}",
        ),
        shorter=(lambda d: (f"blocked by {longest_texts_of(d.record).packet}",),),
        grows=True,
        shrinks=True,
    ),
    Column(
        "Age",
        lambda d, row: TableCell(str(int(d.states.ages[row]))),
        lambda d, row: d.states.ages[row],
        number=True,
        key="age",
        order=lambda d: d.states.ages,
        widest=lambda d: (zeros(len(str(longest_life(d.record))), 5),),
    ),
)
# The number of the job has its colour.
PACKET_GIVE_WAY: Final = (
    GiveWay(("From → to",), hide=True),
    GiveWay(("State",)),
    GiveWay(("Job",), hide=True),
)


@dataclass(frozen=True, eq=False)
class ChainRows:
    """Packets of which each waits for the next, up to the one that waits for no other."""

    record: NetworkRecord
    states: PacketStates
    chain: tuple[int, ...]  # what is not among the states is left out, and all after it

    @classmethod
    def of(cls, record: NetworkRecord, states: PacketStates, packet: int) -> ChainRows:
        """What a packet waits for; nothing if it does not wait."""
        row = states.row(packet)
        waits = row is not None and states.kinds[row] in {PacketState.BLOCKED, PacketState.QUEUED}
        return cls(record, states, tuple(chain_of(states, packet)) if waits else ())

    @cached_property
    def places(self) -> list[int]:
        """Where each stands in the states."""
        places: list[int] = []
        for packet in self.chain:
            at = self.states.row(packet)
            if at is None:
                break
            places.append(at)
        return places

    def __len__(self) -> int:
        return len(self.places)

    @property
    def title(self) -> str:
        """See TableSource."""
        whose = f" of packet {self.chain[0]}" if self.chain else ""
        return f"Chain of blocking{whose} at cycle {self.states.cycle}"

    @property
    def scope(self) -> Hashable:
        """See TableSource."""
        return id(self.record)

    def job(self, row: int) -> int:
        """The job whose packet it is."""
        return int(self.record.jobs[self.chain[row]])

    def link(self, row: int) -> PacketLink:
        """What a row stands for."""
        return PacketLink(self.chain[row], self.job(row))

    def held(self, row: int) -> int | None:
        """The channel that it holds and the one before waits for."""
        channel = int(self.states.channels[self.places[row - 1]]) if row else NO_PACKET
        return channel if channel >= 0 else None

    def says(self, row: int) -> str:
        """What it does."""
        return short_state(self.record, self.states, self.places[row])

    def channel_cell(self, channel: int | None) -> TableCell:
        """A channel, or where there is little room only where it leads to."""
        if channel is None:
            return TableCell("")
        return TableCell(
            describe_channel(self.record.mesh, channel), shorter=(short_channel_name(self.record, channel),)
        )

    def wish_cell(self, row: int) -> TableCell:
        """What it waits for, or else what it does."""
        at = self.places[row]
        kind, waits = self.states.kinds[at], self.states.blockers[at] != NO_PACKET
        if kind == PacketState.BLOCKED and waits:
            return self.channel_cell(int(self.states.channels[at]))
        if kind == PacketState.QUEUED and waits:
            return TableCell("its injection")
        return TableCell(self.says(row), shorter=shorter_states(self.record, self.states, at))

    def held_name(self, row: int) -> str | None:
        """The name of the channel that it holds."""
        held = self.held(row)
        return None if held is None else describe_channel(self.record.mesh, held)


CHAIN_COLUMNS: Final[tuple[Column[ChainRows], ...]] = (
    Column(
        "Packet",
        lambda d, row: TableCell(str(d.chain[row]), d.job(row)),
        lambda d, row: d.chain[row],
        widest=lambda d: (zeros(len(longest_texts_of(d.record).packet), 3),),
        swatch=True,
        link=lambda d, row: d.link(row) if row else None,
    ),
    Column("Job", value=lambda d, row: d.record.jobs[d.chain[row]]),
    Column(
        "Holds",
        lambda d, row: d.channel_cell(d.held(row)),
        lambda d, row: d.held_name(row),
        widest=lambda d: (longest_texts_of(d.record).link,),
        shrinks=True,
        link=lambda d, row: d.link(row) if row else None,
    ),
    Column(
        "Waits for, or does",
        lambda d, row: d.wish_cell(row),
        lambda d, row: d.says(row),
        widest=lambda d: (longest_texts_of(d.record).link,),
        grows=True,
        shrinks=True,
        link=lambda d, row: d.link(row) if row else None,
    ),
)
