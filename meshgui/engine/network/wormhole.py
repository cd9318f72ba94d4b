"""The network, simulated by its header hops alone; that is exact to the flit.

A channel belongs to a packet from its grant until the packet's tail leaves the channel's buffer. Let H(k) be
the cycle in which the header enters buffer k of its route, whose last, `e`, is the processor at the far end.
Flit j enters buffer i in the cycle

    A(i, j) = max over m from 0 to min(j // B, e - i) of  H(i + m) + (j - m * B) * c,

the longest way through the rule A(i,j) = max(A(i-1,j)+c, A(i,j-1)+c, A(i+1,j-B)): a flit takes c cycles for a
channel, follows the one before it that much later, and finds room once the flit B places before it has gone
on; c is 1, or where every flit takes the routing delay, that much more. So the tail, flit L-1,
leaves buffer i at A(i+1, L-1), which is known as soon as the header has entered buffer i + 1 + (L-1) // B:
with buffers of one flit, the buffer L hops ahead.

Time is a wheel of cycles. In each, releases come first, then requests: earlier ones before later ones, and in
one cycle the lower packet number first. What a cycle decides takes effect in the next one at the earliest, so
channels and packets of one cycle may be looked at in any order; only a channel's queue must be in order.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.heap import pop
from meshgui.engine.network.packets import (
    DELIVERED,
    DONE,
    HELD,
    HOPS,
    LONGEST_WAIT,
    NO_CHANNEL,
    NO_PACKET,
    NOW,
    SCHEDULED,
    SENT,
    UNSENT,
    NetworkKernels,
    NetworkRules,
    PacketNetwork,
    Packets,
    number_packets,
)
from meshgui.engine.network.routing import WAYS
from meshgui.engine.network.switching import Law


class NetworkState(NamedTuple):
    """The state of the kernels."""

    # packets
    sent: Ints
    asked: Ints  # when the header requested its next channel
    hop: Ints  # that channel's place among all routes
    beside: Ints32  # the next packet in the same list: of a cycle, or of those that wait for a channel
    group: Ints32
    unsent: Ints32  # a heap by cycle, then number
    first: Ints
    # routes
    channels: Ints32
    entered: Ints32
    # channels
    free_at: Ints
    waiting: Ints32  # the first packet that waits
    last: Ints32  # and the last
    later: Ints32  # the next channel that comes free in the same cycle
    # cycles
    asking: Ints32  # the packets that ask in it, of which the last is kept
    coming_free: Ints32  # the channels that come free in it and are waited for
    ready: Ints32  # the channels to be granted in the cycle at hand
    # groups
    pending: Ints  # packets on the way
    ends: Ints  # when the latest tail arrives
    done: Ints32  # groups all of whose packets' arrivals are known by now
    clock: Ints
    nodes: Ints32  # [n, 3], the coordinates of every node


@kernel
def tail_leaves(entered: Ints32, hop: int, end: int, trail: int, step: int, spacing: int) -> int:
    """When the tail leaves the buffer before that of `hop`, the header having come as far as `end`.

    Headers enter buffers `spacing` cycles apart or more. Where the buffers are no deeper than that, the
    buffer farthest ahead decides; in deeper ones flits may bunch, and any may.
    """
    first = end if step <= spacing else hop
    latest = 0
    for ahead in range(first, end + 1):
        latest = max(latest, entered[ahead] - (ahead - hop) * step)
    return latest + trail


@kernel
def advance(state: NetworkState, rules: NetworkRules, until: int, most_hops: int) -> bool:
    """Go on to the end of cycle `until`, or of the first cycle that completes a group or `most_hops` hops.

    A packet that first asks counts as a hop there.
    False when a packet has waited longer than can be kept. A cycle may be gone through again with what was
    sent for it since: such packets have higher numbers than all that asked in it before, so they come after
    them as they should. The body is one piece: handing the whole state on costs more than what is done.
    """
    sent, asked, hop_of, beside, group_of, unsent, first_of, channels, entered = state[:9]
    free_at, waiting, last_waiting, later, asking, coming_free, ready, pending, ends, done, clock = state[
        9:20
    ]
    cycles, spacing, trail, step, reach = rules[:5]
    mask = asking.size - 1
    through = cycles + trail
    now, scheduled, hops, done_count = clock[NOW], clock[SCHEDULED], clock[HOPS], 0
    stop = hops + most_hops
    sound = True
    while sound:
        next_sent = sent[unsent[0]] if clock[UNSENT] else HELD
        cycle = now
        if next_sent > now:
            if scheduled:
                cycle += 1
                while cycle < next_sent and asking[cycle & mask] < 0 and coming_free[cycle & mask] < 0:
                    cycle += 1
            else:
                cycle = next_sent
        if cycle > until:
            now = max(now, until)
            break
        now = cycle
        slot = now & mask

        granted = 0  # releases: who waited for them has them
        channel = coming_free[slot]
        coming_free[slot] = NO_CHANNEL
        while channel >= 0:
            ready[granted] = channel
            granted += 1
            scheduled -= 1
            channel = later[channel]

        packet = asking[slot]  # requests: the list is a ring, of which the last is known
        last = packet
        asking[slot] = NO_PACKET
        following = beside[packet] if packet >= 0 else NO_PACKET
        while True:
            if last >= 0:
                packet = following
                following = beside[packet]
                scheduled -= 1
                if packet == last:
                    last = NO_PACKET
            elif clock[UNSENT] and sent[unsent[0]] == now:
                packet = pop(unsent, clock[UNSENT], sent)
                clock[UNSENT] -= 1
                stop -= 1  # it takes as long as a hop
            else:
                break
            channel = channels[hop_of[packet]]
            asked[packet] = now
            beside[packet] = NO_PACKET
            end = last_waiting[channel]
            if waiting[channel] < 0:
                waiting[channel] = packet
                last_waiting[channel] = packet
                if free_at[channel] <= now:
                    ready[granted] = channel
                    granted += 1
                elif free_at[channel] < HELD:
                    freed = free_at[channel] & mask
                    later[channel] = coming_free[freed]
                    coming_free[freed] = channel
                    scheduled += 1
            elif asked[end] < now or end < packet:
                beside[end] = packet
                last_waiting[channel] = packet
            else:  # others asked in this cycle, but have a higher number
                before, other = NO_PACKET, waiting[channel]
                while asked[other] < now or other < packet:
                    before, other = other, beside[other]
                beside[packet] = other
                if before < 0:
                    waiting[channel] = packet
                else:
                    beside[before] = packet

        for i in range(granted):
            channel = ready[i]
            packet = waiting[channel]
            waiting[channel] = beside[packet]
            free_at[channel] = HELD
            hop = hop_of[packet]
            base = sent[packet]
            since = now + cycles - base
            if since > LONGEST_WAIT:
                sound = False
                break
            entered[hop] = since
            hops += 1
            first, end_hop = first_of[packet], first_of[packet + 1] - 1
            if hop < end_hop:
                begin, end = hop - 1 - reach, hop - reach
                hop_of[packet] = hop + 1
                asks = (now + spacing) & mask
                tail = asking[asks]
                if tail < 0:
                    beside[packet] = packet
                else:
                    beside[packet] = beside[tail]
                    beside[tail] = packet
                asking[asks] = packet
                scheduled += 1
            else:
                begin, end = hop - 1 - reach, hop
                free_at[channel] = now + through
                if waiting[channel] >= 0:
                    freed = (now + through) & mask
                    later[channel] = coming_free[freed]
                    coming_free[freed] = channel
                    scheduled += 1
                clock[DELIVERED] += 1
                group = group_of[packet]
                ends[group] = max(ends[group], now + through)
                pending[group] -= 1
                if pending[group] == 0:
                    done[done_count] = group
                    done_count += 1
            for behind in range(max(begin, first), end):
                leaves = base + tail_leaves(entered, behind + 1, hop, trail, step, spacing)
                left = channels[behind]
                free_at[left] = leaves
                if waiting[left] >= 0:
                    later[left] = coming_free[leaves & mask]
                    coming_free[leaves & mask] = left
                    scheduled += 1
        if done_count or hops >= stop:
            break
    clock[NOW], clock[SCHEDULED], clock[HOPS], clock[DONE] = now, scheduled, hops, done_count
    return sound


@kernel
def send(
    state: NetworkState,
    rules: NetworkRules,
    count: int,
    asks: Ints,
    sources: Ints,
    targets: Ints,
    groups: Ints,
) -> bool:
    """Send packets; False, and nothing done, when there is no room for them."""
    begin = number_packets(state, rules, count, asks, sources, targets, groups)
    if begin < 0:
        return False
    state.entered[begin : state.first[state.clock[SENT]]] = -1
    return True


class Network(PacketNetwork[NetworkState]):
    """A network in which the times of headers decide everything."""

    kernels = NetworkKernels(send, advance)
    by_packet: ClassVar = {
        **dict.fromkeys(("sent", "asked", "hop"), np.int64),
        **dict.fromkeys(("beside", "group", "unsent"), np.int32),
    }
    by_row: ClassVar = {"channels": np.int32, "entered": np.int32}

    def __init__(self, mesh: Mesh, law: Law, groups: int = 1) -> None:
        super().__init__(mesh, law)
        rules = self.rules
        n = mesh.processors * WAYS
        wheel = 1 << max(rules.spacing, rules.cycles + rules.trail).bit_length()  # nothing lies further ahead
        self.state = NetworkState(
            **self.arrays(groups),
            free_at=np.zeros(n, dtype=np.int64),
            waiting=np.full(n, NO_PACKET, dtype=np.int32),
            last=np.full(n, NO_PACKET, dtype=np.int32),
            later=np.full(n, NO_CHANNEL, dtype=np.int32),
            asking=np.full(wheel, NO_PACKET, dtype=np.int32),
            coming_free=np.full(wheel, NO_CHANNEL, dtype=np.int32),
            ready=np.empty(n, dtype=np.int32),
        )

    def packets_now(self) -> Packets:
        state, n, hops = self.state, self.count, self.routed
        return Packets(
            state.sent[:n], state.group[:n], state.first[: n + 1], state.channels[:hops], state.entered[:hops]
        )
