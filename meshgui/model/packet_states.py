"""The states of packets at the end of a cycle (moving, routed, waiting, arriving), and words for them."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import node_number
from meshgui.engine.basics.sentences import Sentence, packet_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are, counted
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import (
    EJECT,
    INJECT,
    LINKS,
    WAYS,
    describe_channel,
    describe_node,
    ends,
    spans,
)
from meshgui.engine.network.wormhole import NO_PACKET

__all__ = [
    "PacketState",
    "PacketStates",
    "describe_state",
    "far_end",
    "name_of",
    "reached",
    "short_channel_name",
    "state_wordings",
    "states_at",
]

_NOWHERE = -1


class PacketState(IntEnum):
    """The state of a packet, the most severe last."""

    ARRIVED = 0
    TO_COME = 1
    QUEUED = 2  # it waits for its injection
    ARRIVING = 3  # the header is there, and the flits behind it follow
    MOVING = 4  # the header crosses a channel
    GATHERING = 5  # store and forward: the flits behind the header come in first
    ROUTING = 6
    BLOCKED = 7


class PacketStates(NamedTuple):
    """Some packets at the end of a cycle, one row each."""

    cycle: int
    packets: Ints
    kinds: NDArray[np.int8]
    channels: Ints  # the one waited for or crossed, else the one the header is in; -1 outside the network
    blockers: Ints  # the packet that holds what is waited for; -1: none
    waited: Ints  # cycles waited for it so far
    ages: Ints  # cycles since it was sent

    def row(self, packet: int) -> int | None:
        """Where a packet stands."""
        at = np.flatnonzero(self.packets == packet)
        return int(at[0]) if len(at) else None

    @property
    def trouble(self) -> Ints:
        """The severity of each state: highest for blocked packets, by the time they have waited."""
        return (self.kinds.astype(np.int64) << 40) + self.waited


def states_at(record: NetworkRecord, moment: NetworkMoment, packets: Ints | None = None) -> PacketStates:
    """What packets do at a moment; all those in the network or before its doors if none are named."""
    if packets is None:
        packets = np.union1d(moment.packets, moment.queued)
    raw, cycle = record.raw, moment.cycle
    count = len(packets)
    kinds = np.full(count, PacketState.TO_COME, dtype=np.int8)
    channels = np.full(count, _NOWHERE, dtype=np.int64)
    blockers = np.full(count, NO_PACKET, dtype=np.int64)
    waited = np.zeros(count, dtype=np.int64)
    kinds[record.delivered[packets] <= cycle] = PacketState.ARRIVED

    queued = np.isin(packets, moment.queued)
    kinds[queued] = PacketState.QUEUED
    channels[queued] = raw.channels[raw.first[packets[queued]]]
    waited[queued] = cycle - record.sent[packets[queued]]
    blockers[queued] = _holders(moment, channels[queued])

    inside = np.flatnonzero(np.isin(packets, moment.packets))
    if len(inside):
        kinds[inside], channels[inside] = _under_way(record, packets[inside], cycle)
    blocked = np.searchsorted(moment.blocked, packets)
    hit = blocked < len(moment.blocked)
    hit[hit] = moment.blocked[blocked[hit]] == packets[hit]
    at = blocked[hit]
    kinds[hit] = PacketState.BLOCKED
    channels[hit] = moment.blocked_at[at]
    blockers[hit] = moment.blocked_by[at]
    waited[hit] = cycle - moment.blocked_since[at]
    ages = np.maximum(np.minimum(cycle, record.delivered[packets]) - record.sent[packets], 0)
    return PacketStates(cycle, packets, kinds, channels, blockers, waited, ages)


def _under_way(record: NetworkRecord, packets: Ints, cycle: int) -> tuple[NDArray[np.int8], Ints]:
    """What headers in the network do, blocked ones taken for routed, and at which channel."""
    raw, law = record.raw, record.law
    first, last = raw.first[packets], raw.first[packets + 1] - 1
    rows, _ = spans(raw.first, packets)
    entered = raw.entered[rows]
    starts = np.concatenate(([0], np.cumsum(last - first + 1)[:-1]))
    since = np.repeat(cycle - raw.sent[packets], last - first + 1)
    passed = np.add.reduceat(((entered >= 0) & (entered <= since)).astype(np.int64), starts)
    here = first + passed - 1  # the row of the buffer the header is in; before the first while it is injected
    following = np.minimum(here + 1, last)
    granted = raw.entered[following].astype(np.int64) - 1
    now = cycle - raw.sent[packets]
    arriving = here == last
    moving = ~arriving & (granted >= 0) & (granted <= now)
    gathering = now < raw.entered[np.maximum(here, first)] + law.flits - 1
    kinds = np.full(len(packets), PacketState.ROUTING, dtype=np.int8)
    kinds[gathering & law.whole] = PacketState.GATHERING
    kinds[moving] = PacketState.MOVING
    kinds[arriving] = PacketState.ARRIVING
    return kinds, raw.channels[np.where(moving, following, np.maximum(here, first))].astype(np.int64)


def _holders(moment: NetworkMoment, channels: Ints) -> Ints:
    """The packet that holds each of some channels, or none."""
    order = np.argsort(moment.held_channels, kind="stable")
    held = moment.held_channels[order]
    at = np.searchsorted(held, channels)
    found = at < len(held)
    found[found] = held[at[found]] == channels[found]
    holders = np.full(len(channels), NO_PACKET, dtype=np.int64)
    holders[found] = moment.held_by[order[at[found]]]
    return holders


def reached(record: NetworkRecord, packet: int, cycle: int, channel: int | None = None) -> int:
    """How many of a packet's flits are at its target, or over a channel, by the end of a cycle."""
    first, last = int(record.raw.first[packet]), int(record.raw.first[packet + 1]) - 1
    if channel is not None:
        last = first + record.raw.channels[first : last + 1].tolist().index(channel)
    entered = int(record.raw.entered[last])
    if entered < 0:
        return 0
    return int(np.clip(cycle - int(record.sent[packet]) - entered + 1, 0, record.law.flits))


def name_of(record: NetworkRecord, packet: int, *, owned: bool = True) -> Sentence:
    """A packet and whose it is, e.g. packet 17 of job 3, or only the packet."""
    return packet_name(packet, int(record.jobs[packet]), owned=owned)


def state_wordings(record: NetworkRecord, states: PacketStates, row: int) -> tuple[str, ...]:
    """What a packet does, for a cell of a table, in full and then shorter and shorter.

    The shorter forms leave out the channel's target, then the place; the last is one word.
    """
    kind, channel = PacketState(int(states.kinds[row])), int(states.channels[row])
    blocker = int(states.blockers[row])
    held = blocker != NO_PACKET
    name = describe_channel(record.mesh, channel) if channel >= 0 else ""
    if kind == PacketState.BLOCKED:
        whom = tr("blocked by {blocker}").format(blocker=blocker) if held else tr("next in line")
        here = describe_node(record.mesh, channel // WAYS)
        return (
            tr("{whom} at {name}").format(whom=whom, name=name),
            tr("{whom} at {here}").format(whom=whom, here=here),
            whom,
            "blocked" if held else "next",
        )
    if kind == PacketState.QUEUED:
        return tr("queued behind {blocker}").format(blocker=blocker) if held else tr(
            "waits for injection"
        ), "queued"
    if kind == PacketState.ROUTING:
        return tr("routing at {far_end}").format(far_end=far_end(record, channel)), "routing"
    if kind == PacketState.GATHERING:
        return tr("stored at {far_end}").format(far_end=far_end(record, channel)), "stored"
    if kind == PacketState.MOVING:
        return (
            tr("moving {name}").format(name=name),
            tr("moving to {far_end}").format(far_end=far_end(record, channel)),
            "moving",
        )
    if kind == PacketState.ARRIVING:
        brief = tr("arriving, {reached} of {flits}").format(
            reached=reached(record, int(states.packets[row]), states.cycle), flits=record.law.flits
        )
        return tr("{brief} flits").format(brief=brief), brief, "arriving"
    return ("arrived" if kind == PacketState.ARRIVED else tr("to come"),)


def describe_state(record: NetworkRecord, states: PacketStates, row: int) -> Sentence:
    """What a packet does, as the rest of a sentence that begins with its name."""
    kind, channel = PacketState(int(states.kinds[row])), int(states.channels[row])
    blocker, waited = int(states.blockers[row]), int(states.waited[row])
    holder = name_of(record, blocker, owned=False) if blocker != NO_PACKET else Sentence()
    if kind == PacketState.BLOCKED:
        held = Sentence(", held by ", holder) if holder else tr(", which comes free to another before it")
        return Sentence(f"waits {_place_words(record, channel)}", held, _so_far(waited))
    if kind == PacketState.QUEUED:
        source = describe_node(record.mesh, channel // WAYS)
        behind = Sentence(", behind ", holder) if holder else ""
        return Sentence(f"waits at {source} for its injection", behind, _so_far(waited))
    return Sentence(_undisturbed(record, states, row, kind))


def _undisturbed(record: NetworkRecord, states: PacketStates, row: int, kind: PacketState) -> str:
    """The same of a packet that waits for no other."""
    packet, channel = int(states.packets[row]), int(states.channels[row])
    mesh, law = record.mesh, record.law
    if kind == PacketState.ROUTING:
        return tr("is being routed at {far_end}").format(far_end=far_end(record, channel))
    if kind == PacketState.GATHERING:
        count = reached(record, packet, states.cycle, channel)
        there = tr("{count} of its {flits} flits {are} there").format(
            count=count, flits=law.flits, are=are(count)
        )
        return tr("is being stored at {far_end}: {there}").format(
            far_end=far_end(record, channel), there=there
        )
    if kind == PacketState.MOVING:
        way = channel % WAYS
        if way == INJECT:
            return tr("sets out at {describe_node}").format(
                describe_node=describe_node(mesh, channel // WAYS)
            )
        if way == EJECT:
            return tr("moves into its target {describe_node}").format(
                describe_node=describe_node(mesh, channel // WAYS)
            )
        return tr("moves over {describe_channel}").format(describe_channel=describe_channel(mesh, channel))
    target = describe_node(mesh, int(record.targets[packet]))
    if kind == PacketState.ARRIVING:
        count = reached(record, packet, states.cycle)
        return tr("arrives at {target}: {count} of its {flits} flits {are} there").format(
            target=target, count=count, flits=law.flits, are=are(count)
        )
    if kind == PacketState.ARRIVED:
        at = record.arrived
        row_of = int(np.searchsorted(at, packet))
        blocked = int(record.blocked[row_of])
        took = counted(int(record.latency[row_of]), "cycle")
        lost = (
            tr(", blocked for {blocked} of them").format(blocked=blocked)
            if blocked
            else tr(", never blocked")
        )
        return tr("arrived at {target} in cycle {delivered}, after {took}{lost}").format(
            target=target, delivered=int(record.delivered[packet]), took=took, lost=lost
        )
    return tr("sets out from {describe_node} later").format(
        describe_node=describe_node(mesh, int(record.sources[packet]))
    )


def _place_words(record: NetworkRecord, channel: int) -> str:
    here = describe_node(record.mesh, channel // WAYS)
    if channel % WAYS == EJECT:
        return tr("at {here} to leave the network").format(here=here)
    return tr("at {here} for {describe_channel}").format(
        here=here, describe_channel=describe_channel(record.mesh, channel)
    )


def _so_far(waited: int) -> str:
    return tr(", for {cycles} so far").format(cycles=counted(waited, "cycle")) if waited else ""


def far_end(record: NetworkRecord, channel: int) -> str:
    """The node whose buffer a channel leads into."""
    _, beyond = ends(record.mesh, np.array([channel]))
    x, y, z = beyond[0].tolist()
    return describe_node(record.mesh, node_number(record.mesh, (x, y, z)))


def short_channel_name(record: NetworkRecord, channel: int) -> str:
    """Where a link leads to; of a processor's own channel only which of the two it is."""
    way = channel % WAYS
    return f"→{far_end(record, channel)}" if way < LINKS else "into" if way == INJECT else tr("out of")
