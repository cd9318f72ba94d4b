"""The texts of the hover card for a packet or a channel."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import describe_channel, describe_node
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.packet_states import describe_state, states_at
from meshgui.model.network.network_tables import flits_within


def describe_packet(view: View, packet: int) -> tuple[str, ...]:
    """Describe a packet in short lines: its job, source, target and present state."""
    if view.network_now is None:
        return ()
    record, moment = view.network_now
    mesh = record.mesh
    source, target = (describe_node(mesh, int(nodes[packet])) for nodes in (record.sources, record.targets))
    return (
        tr("Packet {packet}   job {jobs}").format(packet=packet, jobs=int(record.jobs[packet])),
        f"{source} → {target}   {count_of(record.law.flits, 'flit')}",
        describe_state(record, states_at(record, moment, np.array([packet])), 0),
    )


def describe_use(view: View, channel: int, cycles: tuple[int, int]) -> tuple[str, ...]:
    """Describe a channel in short lines: its holder, the packets that wait for it, its use in some cycles."""
    if view.network_now is None:
        return ()
    record, moment = view.network_now
    holders = moment.held_by[moment.held_channels == channel].tolist()
    waiting = moment.blocked[moment.blocked_at == channel].tolist()
    held = (
        tr("held by packet {holders} of job {jobs}").format(
            holders=holders[0], jobs=int(record.jobs[holders[0]])
        )
        if holders
        else tr("free")
    )
    lines = [
        tr("Channel {describe_channel}").format(describe_channel=describe_channel(record.mesh, channel)),
        held,
    ]
    if waiting:
        lines.append(
            tr_n(
                "packet {packets} waiting for it",
                "packets {packets} waiting for it",
                len(waiting),
                packets=tr(", ").join(map(str, waiting)),
            )
        )
    _, share = flits_within(_crossings(record, channel), *cycles, record.law.cycles)
    lines.append(
        tr("in use {share:.1f} % of cycles {begin}–{end}").format(
            share=100 * share, begin=cycles[0], end=cycles[1]
        )
    )
    return tuple(lines)


@lru_cache(maxsize=1)  # of the hovered channel: not every frame computes them
def _crossings(record: NetworkRecord, channel: int) -> NDArray[np.int64]:
    return record.crossings(channel)
