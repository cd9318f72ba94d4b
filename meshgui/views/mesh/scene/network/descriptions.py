"""The texts of the hover card for a packet or a channel."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import describe_channel, describe_node
from meshgui.engine.words import plural, so_many
from meshgui.model.cursor import View
from meshgui.model.network_tables import flits_within
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
    mesh, law, cycle = record.mesh, record.law, moment.cycle
    stuck = np.flatnonzero(moment.blocked == packet)
    if len(stuck):
        at = int(stuck[0])
        holder, since = int(moment.blocked_by[at]), int(moment.blocked_since[at])
        where = describe_channel(mesh, int(moment.blocked_at[at]))
        whom = f"blocked by packet {holder}" if holder >= 0 else "about to be let through"
        return f"{whom} since cycle {since} at {where}"
    raw = record.raw
    first, last = int(raw.first[packet]), int(raw.first[packet + 1]) - 1
    entered = raw.entered[first : last + 1]
    times = np.where(entered >= 0, raw.sent[packet] + entered, cycle + 1)
    head = int((times <= cycle).sum()) - 1
    if record.delivered[packet] <= cycle:
        return f"arrived in cycle {int(record.delivered[packet])}"
    if record.injected[packet] > cycle:
        sent = int(raw.sent[packet])
        return f"waits for its injection since cycle {sent}" if sent <= cycle else f"sets out in cycle {sent}"
    if first + head == last:
        there = int(moment.flit_numbers[moment.flit_packets == packet].min(initial=law.flits))
        return f"arrives: {there} of {so_many(law.flits, 'flit')} there"
    onwards = int(raw.channels[first + head + 1])
    if head < 0 or (entered[head + 1] >= 0 and times[head + 1] == cycle + 1):
        return f"moves {describe_channel(mesh, onwards)}" if head >= 0 else "moves into the network"
    here = describe_node(mesh, onwards // 8)
    whole = law.whole and int(
        (moment.flit_channels[moment.flit_packets == packet] == raw.channels[first + head]).sum()
    )
    if law.whole and whole < law.flits:
        return f"gathers at {here}: {whole} of {so_many(law.flits, 'flit')} there"
    return f"being routed at {here}"


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
