"""The texts of the hover card for a packet or a channel."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import INJECT, WAYS, describe_channel, describe_node
from meshgui.engine.network.wormhole import NO_PACKET
from meshgui.engine.words import plural, so_many
from meshgui.model.cursor import View
from meshgui.model.network_tables import flits_within
from meshgui.model.packet_states import PacketState, far_end, reached, states_at
from meshgui.views.mesh.scene.network.builder import use_of

__all__ = ["describe_packet", "describe_use", "doing"]


def describe_packet(view: View, packet: int) -> tuple[str, ...]:
    """Describe a packet in short lines: its job, source, target and present state."""
    record, moment = view.recording.network, view.network
    if record is None or moment is None:
        return ()
    mesh = record.mesh
    source, target = (describe_node(mesh, int(nodes[packet])) for nodes in (record.sources, record.targets))
    return (
        f"Packet {packet}   job {int(record.jobs[packet])}",
        f"{source} → {target}   {so_many(record.law.flits, 'flit')}",
        doing(record, moment, packet),
    )


def doing(record: NetworkRecord, moment: NetworkMoment, packet: int) -> str:
    """What a packet does at the end of a cycle."""
    states = states_at(record, moment, np.array([packet]))
    kind, channel = PacketState(int(states.kinds[0])), int(states.channels[0])
    if kind == PacketState.BLOCKED:
        holder, since = int(states.blockers[0]), moment.cycle - int(states.waited[0])
        whom = f"blocked by packet {holder}" if holder != NO_PACKET else "about to be let through"
        return f"{whom} since cycle {since} at {describe_channel(record.mesh, channel)}"
    if kind == PacketState.QUEUED:
        return f"waits for its injection since cycle {int(record.sent[packet])}"
    if kind == PacketState.ROUTING:
        return f"being routed at {far_end(record, channel)}"
    flits = so_many(record.law.flits, "flit")
    if kind == PacketState.GATHERING:
        here = (moment.flit_packets == packet) & (moment.flit_channels == channel)
        return f"gathers at {far_end(record, channel)}: {int(here.sum())} of {flits} there"
    if kind == PacketState.MOVING:
        into = channel % WAYS == INJECT
        return "moves into the network" if into else f"moves {describe_channel(record.mesh, channel)}"
    if kind == PacketState.ARRIVING:
        return f"arrives: {reached(record, packet, moment.cycle)} of {flits} there"
    if kind == PacketState.ARRIVED:
        return f"arrived in cycle {int(record.delivered[packet])}"
    return f"sets out in cycle {int(record.sent[packet])}"


def describe_use(view: View, channel: int, span: tuple[int, int] | None) -> tuple[str, ...]:
    """Describe a channel in short lines: its holder, the packets that wait for it, its use."""
    record, moment = view.recording.network, view.network
    if record is None or moment is None:
        return ()
    holders = moment.held_by[moment.held_channels == channel].tolist()
    waiting = moment.blocked[moment.blocked_at == channel].tolist()
    held = f"held by packet {holders[0]} of job {int(record.jobs[holders[0]])}" if holders else "free"
    lines = [f"Channel {describe_channel(record.mesh, channel)}", held]
    if waiting:
        lines.append(f"{plural('packet', len(waiting))} {', '.join(map(str, waiting))} waiting for it")
    begin, end = use_of(moment.cycle, span)
    _, share = flits_within(_crossings(record, channel), begin, end)
    lines.append(f"in use {100 * share:.1f} % of cycles {begin}–{end}")
    return tuple(lines)


_last: WeakKeyDictionary[NetworkRecord, tuple[int, NDArray[np.int64]]] = WeakKeyDictionary()


def _crossings(record: NetworkRecord, channel: int) -> NDArray[np.int64]:
    """The crossings of the hovered channel, cached so that not every frame computes them."""
    known = _last.get(record)
    if known is None or known[0] != channel:
        known = _last[record] = (channel, record.crossings(channel))
    return known[1]
