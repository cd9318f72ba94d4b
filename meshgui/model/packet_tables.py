"""Packets and channels as tables in full precision: all, one's way and chain, a channel's passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meshgui.engine.arrays import Ints
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import describe_channel, describe_node
from meshgui.engine.network.wormhole import NOBODY
from meshgui.model.network_tables import ChannelFigures, ChannelNow, ChannelTraffic, way_of
from meshgui.model.packet_states import PacketStates, short_state
from meshgui.model.tables import LazyRows, PlainTable

__all__ = ["chain_table", "channel_table", "packet_table", "passage_table", "way_table"]


def packet_table(record: NetworkRecord, states: PacketStates, order: Ints) -> PlainTable:
    """Packets in the network, in an order of their rows."""

    def rows() -> Iterator[tuple[object, ...]]:
        for at in order.tolist():
            packet = int(states.packets[at])
            ends = (record.sources[packet], record.targets[packet])
            way = "→".join(describe_node(record.mesh, int(node)) for node in ends)
            yield packet, record.jobs[packet], way, short_state(record, states, at), states.ages[at]

    title = f"Packets at cycle {states.cycle}"
    return PlainTable(title, ("Packet", "Job", "From → to", "State", "Age"), LazyRows(len(order), rows))


def channel_table(record: NetworkRecord, figures: ChannelFigures, now: ChannelNow, order: Ints) -> PlainTable:
    """Channels in an order of their rows; their use is a share, 0 to 1."""

    def rows() -> Iterator[tuple[object, ...]]:
        for at in order.tolist():
            channel = int(figures.channels[at])
            holder = int(now.holders[channel])
            yield (
                describe_channel(record.mesh, channel),
                figures.use[at],
                figures.flits[at],
                figures.waited[at],
                None if holder == NOBODY else holder,
                now.waiting[channel],
            )

    title = f"Channels over cycles {figures.begin} to {figures.end}"
    names = ("Channel", "Use", "Flits", "Waited", "Held by", "Waiting")
    return PlainTable(title, names, LazyRows(len(order), rows))


def passage_table(record: NetworkRecord, traffic: ChannelTraffic) -> PlainTable:
    """Who passes a channel in the run, one after another."""

    def rows() -> Iterator[tuple[object, ...]]:
        parts = (traffic.packets.tolist(), traffic.granted.tolist(), traffic.left.tolist())
        for packet, granted, left in zip(*parts, strict=True):
            free = _known(left)
            yield packet, record.jobs[packet], granted, free, None if free is None else free - granted

    title = f"Packets through {describe_channel(record.mesh, traffic.channel)}"
    names = ("Packet", "Job", "Granted", "Free again", "Held")
    return PlainTable(title, names, LazyRows(len(traffic.packets), rows))


def way_table(record: NetworkRecord, packet: int) -> PlainTable:
    """A packet's way in the whole run: a row a channel, and one more for each further packet in its way.

    The times of the channel stand in each of its rows, so that rows may be sorted.
    """
    rows: list[tuple[object, ...]] = []
    for passage in way_of(record, packet):
        times = [_known(t) for t in (passage.asked, passage.granted, passage.entered, passage.left)]
        waited = None if times[0] is None or times[1] is None else times[1] - times[0]
        blockers: Sequence[int | None] = passage.blockers or (None,)
        name = describe_channel(record.mesh, passage.channel)
        rows += [
            (name, *times, waited, blocker, None if blocker is None else record.jobs[blocker])
            for blocker in blockers
        ]
    names = ("Channel", "Asked", "Granted", "Entered", "Left", "Waited", "By", "Job of that")
    return PlainTable(f"Way of packet {packet}", names, tuple(rows))


def chain_table(record: NetworkRecord, states: PacketStates, chain: Sequence[int]) -> PlainTable:
    """Who waits for whom, from a packet up to the one that waits for nobody."""
    rows: list[tuple[object, ...]] = []
    held: str | None = None
    for packet in chain:
        at = states.row(packet)
        if at is None:
            break
        rows.append((packet, record.jobs[packet], held, short_state(record, states, at)))
        channel = int(states.channels[at])
        held = describe_channel(record.mesh, channel) if channel >= 0 else None
    whose = f" of packet {chain[0]}" if len(chain) else ""
    title = f"Chain of blocking{whose} at cycle {states.cycle}"
    return PlainTable(title, ("Packet", "Job", "Holds", "Waits for, or does"), tuple(rows))


def _known(cycle: int) -> int | None:
    return None if cycle == NEVER_YET else int(cycle)
