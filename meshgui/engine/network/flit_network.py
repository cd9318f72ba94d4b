"""A network that is simulated flit by flit: its arrays, and the packets as others see them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.memory import require
from meshgui.engine.network.flits import (
    CHANNEL_BYTES,
    CROSSED_NOW,
    LINK,
    FlitState,
    advance_flits,
    send_flits,
)
from meshgui.engine.network.packets import (
    NO_PACKET,
    SENT,
    NetworkKernels,
    NetworkRules,
    PacketNetwork,
    Packets,
)
from meshgui.engine.network.routing import LINKS, WAYS, neighbour
from meshgui.engine.network.switching import FIXED_ROUTINGS, Law
from meshgui.engine.network.turn_models import permitted


@kernel
def lay_ahead(state: FlitState, rules: NetworkRules, channels: Ints32) -> None:
    """Write for headers that have a choice the route of their first choices, from where they are on."""
    for packet in range(state.clock[SENT]):
        row, end = state.hop[packet], state.first[packet + 1]
        source, target, node = state.sources[packet], state.targets[packet], state.sources[packet]
        if state.head[packet] >= 0:
            link = state.held[state.head[packet], LINK]
            node = link // WAYS
            if link % WAYS < LINKS:
                node = neighbour(node, link % WAYS, rules.roads, state.nodes)
        elif rules.ends:
            row += 1
        while row < end:
            permitted(rules.routing, node, source, target, state.nodes, rules.roads, state.ways)
            way = state.ways[0]
            channels[row] = node * WAYS + way
            if way < LINKS:
                node = neighbour(node, way, rules.roads, state.nodes)
            row += 1


class FlitNetwork(PacketNetwork[FlitState]):
    """A network in which every flit is moved."""

    kernels = NetworkKernels(send_flits, advance_flits)
    by_packet: ClassVar = {
        **dict.fromkeys(("sent", "asked", "hop"), np.int64),
        **dict.fromkeys(("head", "beside", "group", "unsent", "sources", "targets"), np.int32),
    }
    by_row: ClassVar = {"channels": np.int32, "virtual": np.int8, "granted": np.int32, "moves": np.int32}

    def __init__(self, mesh: Mesh, law: Law, groups: int = 1) -> None:
        super().__init__(mesh, law, clock=13)
        nodes, links = mesh.processors, mesh.processors * WAYS
        n = links * law.channels
        require(n * CHANNEL_BYTES)
        held = np.full((n, 8), -1, dtype=np.int32)
        held[:, CROSSED_NOW] = 0
        held[:, LINK] = np.arange(n) // law.channels
        self.state = FlitState(
            **self.arrays(groups),
            held=held,
            used=np.zeros(n, dtype=np.int64),
            crossing=np.empty(n, dtype=np.int32),
            arrives=np.empty(n, dtype=np.int64),
            changed=np.empty(links, dtype=np.int32),
            left_over=np.empty(links, dtype=np.int32),
            link_seen=np.zeros(links, dtype=np.int64),
            injecting=np.full(nodes, NO_PACKET, dtype=np.int32),
            last_injecting=np.full(nodes, NO_PACKET, dtype=np.int32),
            waiting=np.full(nodes, NO_PACKET, dtype=np.int32),
            last_waiting=np.full(nodes, NO_PACKET, dtype=np.int32),
            disturbed=np.empty(nodes, dtype=np.int32),
            node_seen=np.zeros(nodes, dtype=np.int64),
            asking=np.full(1 << (law.delay + 1).bit_length(), NO_PACKET, dtype=np.int32),
            ways=np.zeros(3, dtype=np.int32),
        )

    def packets_now(self) -> Packets:
        state, n, hops = self.state, self.count, self.routed
        moves = state.moves[: hops * self.law.flits]
        return Packets(
            state.sent[:n],
            state.group[:n],
            state.first[: n + 1],
            state.channels[:hops],
            moves[:: self.law.flits],
            state.sources[:n],
            state.targets[:n],
            state.virtual[:hops],
            state.granted[:hops],
            moves,
        )

    def packets(self) -> Packets:
        copy = super().packets()
        if self.law.routing not in FIXED_ROUTINGS and self.delivered < self.count:
            lay_ahead(self.state, self.rules, copy.channels)
        return copy
