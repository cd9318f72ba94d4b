"""The states of packets at the end of a cycle (moving, routed, waiting, arriving), and words for them."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import node_number
from meshgui.engine.basics.sentences import Sentence, compose, packet_name
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import counted
from meshgui.engine.network.packets import NO_PACKET
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
    granted = raw.entered[following].astype(np.int64) - law.cycles
    now = cycle - raw.sent[packets]
    arriving = here == last
    moving = ~arriving & (raw.entered[following] >= 0) & (granted <= now)
    gathering = now < raw.entered[np.maximum(here, first)] + law.flits - 1
    kinds = np.full(len(packets), PacketState.ROUTING, dtype=np.int8)
    kinds[gathering & law.whole] = PacketState.GATHERING
    kinds[moving] = PacketState.MOVING
    kinds[arriving] = PacketState.ARRIVING
    return kinds, raw.channels[np.where(moving, following, np.maximum(here, first))].astype(np.int64)


def chain_at(record: NetworkRecord, moment: NetworkMoment, packet: int) -> list[int]:
    """A packet that waits, the one that holds what it waits for, and so on; empty if it does not wait."""
    if packet in moment.blocked:
        return moment.chain(packet)
    if packet not in moment.queued:
        return []
    first = record.raw.channels[record.raw.first[[packet]]].astype(np.int64)
    holder = int(_holders(moment, first)[0])
    return [packet] if holder == NO_PACKET else [packet, *moment.chain(holder)]


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
    elapsed, moves = cycle - int(record.sent[packet]), record.raw.moves
    if len(moves):  # where flits share links, each has times of its own
        entries = moves.reshape(-1, record.law.flits)[last]
        return int(np.count_nonzero((entries >= 0) & (entries <= elapsed)))
    entered = int(record.raw.entered[last])
    if entered < 0:
        return 0
    since = elapsed - entered
    return int(np.clip(since // record.law.cycles + 1, 0, record.law.flits))


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
        here = describe_node(record.mesh, channel // WAYS)
        if not held:
            at = tr("next in line at {place}")
            return at.format(place=name), at.format(place=here), tr("next in line"), tr("next")
        at = tr("blocked by {packet} at {place}")
        return (
            at.format(packet=blocker, place=name),
            at.format(packet=blocker, place=here),
            tr("blocked by {packet}").format(packet=blocker),
            tr("blocked"),
        )
    if kind == PacketState.QUEUED:
        behind = tr("queued behind {packet}").format(packet=blocker)
        return behind if held else tr("waits for injection"), tr("queued")
    if kind == PacketState.ROUTING:
        return tr("routing at {node}").format(node=far_end(record, channel)), tr("routing")
    if kind == PacketState.GATHERING:
        return tr("stored at {node}").format(node=far_end(record, channel)), tr("stored")
    if kind == PacketState.MOVING:
        return (
            tr("moving {channel}").format(channel=name),
            tr("moving to {node}").format(node=far_end(record, channel)),
            tr("moving"),
        )
    if kind == PacketState.ARRIVING:
        there, flits = reached(record, int(states.packets[row]), states.cycle), record.law.flits
        return (
            tr("arriving, {arrived} of {flits} flits").format(arrived=there, flits=flits),
            tr("arriving, {arrived} of {flits}").format(arrived=there, flits=flits),
            tr("arriving"),
        )
    return (tr("arrived") if kind == PacketState.ARRIVED else tr("to come"),)


def say_state(record: NetworkRecord, states: PacketStates, row: int) -> Sentence:
    """A packet's name and what it does: a sentence without its full stop."""
    name = name_of(record, int(states.packets[row]))
    return compose(
        tr("{packet} {waits_or_moves}"),
        {"packet": name, "waits_or_moves": describe_state(record, states, row)},
    )


def describe_state(record: NetworkRecord, states: PacketStates, row: int) -> Sentence:
    """What a packet does, as the rest of a sentence that begins with its name."""
    kind, channel = PacketState(int(states.kinds[row])), int(states.channels[row])
    blocker, waited = int(states.blockers[row]), int(states.waited[row])
    words: dict[str, object] = {"cycles": counted(waited, "cycle")}
    held = blocker != NO_PACKET
    if held:
        words["packet"] = name_of(record, blocker, owned=False)
    if kind == PacketState.BLOCKED:
        words["at_a_channel"] = _place_words(record, channel)
        return compose(_blocked(held=held, waited=waited > 0), words)
    if kind == PacketState.QUEUED:
        words["node"] = describe_node(record.mesh, channel // WAYS)
        return compose(_queued(held=held, waited=waited > 0), words)
    return Sentence(_undisturbed(record, states, row, kind))


def _blocked(*, held: bool, waited: bool) -> str:
    if held and waited:
        return tr("waits {at_a_channel}, held by {packet}, for {cycles} so far")
    if held:
        return tr("waits {at_a_channel}, held by {packet}")
    if waited:
        return tr("waits {at_a_channel}, which goes to another packet first, for {cycles} so far")
    return tr("waits {at_a_channel}, which goes to another packet first")


def _queued(*, held: bool, waited: bool) -> str:
    if held and waited:
        return tr("waits at {node} for its injection, behind {packet}, for {cycles} so far")
    if held:
        return tr("waits at {node} for its injection, behind {packet}")
    if waited:
        return tr("waits at {node} for its injection, for {cycles} so far")
    return tr("waits at {node} for its injection")


def _undisturbed(record: NetworkRecord, states: PacketStates, row: int, kind: PacketState) -> str:
    """The same of a packet that waits for no other."""
    packet, channel = int(states.packets[row]), int(states.channels[row])
    mesh, flits = record.mesh, record.law.flits
    if kind == PacketState.ROUTING:
        return tr("is being routed at {node}").format(node=far_end(record, channel))
    if kind == PacketState.GATHERING:
        return tr_n(
            "is being stored at {node}: {number} of its {flits} flits is there",
            "is being stored at {node}: {number} of its {flits} flits are there",
            reached(record, packet, states.cycle, channel),
            node=far_end(record, channel),
            flits=flits,
        )
    if kind == PacketState.MOVING:
        way, node = channel % WAYS, describe_node(mesh, channel // WAYS)
        if way == INJECT:
            return tr("sets out at {node}").format(node=node)
        if way == EJECT:
            return tr("moves into its target {node}").format(node=node)
        return tr("moves over {channel}").format(channel=describe_channel(mesh, channel))
    target = describe_node(mesh, int(record.targets[packet]))
    if kind == PacketState.ARRIVING:
        return tr_n(
            "arrives at {node}: {number} of its {flits} flits is there",
            "arrives at {node}: {number} of its {flits} flits are there",
            reached(record, packet, states.cycle),
            node=target,
            flits=flits,
        )
    if kind == PacketState.ARRIVED:
        row_of = int(np.searchsorted(record.arrived, packet))
        blocked = int(record.blocked[row_of])
        arrived = (
            tr("arrived at {node} in cycle {cycle}, after {cycles}, blocked for {blocked} of them")
            if blocked
            else tr("arrived at {node} in cycle {cycle}, after {cycles}, never blocked")
        )
        cycles = counted(int(record.latency[row_of]), "cycle")
        return arrived.format(
            node=target, cycle=int(record.delivered[packet]), cycles=cycles, blocked=blocked
        )
    source = describe_node(mesh, int(record.sources[packet]))
    return tr("sets out from {node} later").format(node=source)


def _place_words(record: NetworkRecord, channel: int) -> str:
    here = describe_node(record.mesh, channel // WAYS)
    if channel % WAYS == EJECT:
        return tr("at {node} to leave the network").format(node=here)
    return tr("at {node} for {channel}").format(node=here, channel=describe_channel(record.mesh, channel))


def far_end(record: NetworkRecord, channel: int) -> str:
    """The node whose buffer a channel leads into."""
    _, beyond = ends(record.mesh, np.array([channel]))
    x, y, z = beyond[0].tolist()
    return describe_node(record.mesh, node_number(record.mesh, (x, y, z)))


def short_channel_name(record: NetworkRecord, channel: int) -> str:
    """Where a link leads to; of a processor's own channel only which of the two it is."""
    way = channel % WAYS
    return f"→{far_end(record, channel)}" if way < LINKS else tr("into") if way == INJECT else tr("out of")
