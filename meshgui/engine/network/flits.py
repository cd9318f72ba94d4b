"""The network, simulated flit by flit: where channels share links, and where headers have a choice.

A channel is one of the virtual channels of a link, numbered `link * channels + number`, or a processor's own,
of which only the first is in use. All that decides about its flits is kept by channel, in one line of a
table: the packet that holds it, how many of its flits have entered the buffer at its far end, and its
channels before and after.

In a cycle flits enter buffers and tails free the channels behind them; then headers that ask are granted
channels, node by node, as headers at different nodes never want the same; then links carry flits. Only what
has changed is looked at: links at whose channels a flit has come in or gone, and nodes one of whose channels
came free or was asked for. A cycle may be gone through again with packets sent for it since, as by the other
kernel.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.entry_points import borrowed
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
    NetworkRules,
    number_packets,
)
from meshgui.engine.network.routing import INJECT, LINKS, WAYS, neighbour
from meshgui.engine.network.turn_models import permitted, virtual_channels

CHANNEL_BYTES: Final = 72  # of a channel in all arrays, and of its link
# Further numbers of the clock
CROSSING, CROSSED, LEFT_OVER, PASSES = range(9, 13)
# The columns of the table of channels
OWNER: Final = 0
ROW: Final = 1  # its place in the owner's route
ENTERED: Final = 2  # how many of the owner's flits have entered its buffer
BEFORE: Final = 3  # the owner's channel before it; -1 once the tail has left that, and at the source
AFTER: Final = 4  # and the one after it; -1: not granted yet, or there is none
FINAL: Final = 5  # whether its far end is the processor, which takes in every flit at once
CROSSED_NOW: Final = 6  # whether a flit is crossing it
LINK: Final = 7


class FlitState(NamedTuple):
    """The state of the kernels."""

    # packets
    sent: Ints
    asked: Ints  # when the header requested its next channel
    hop: Ints  # that channel's place among all routes
    head: Ints32  # the channel whose buffer the header is in, or on its way to; -1: it is at its source
    beside: Ints32  # the next packet in the same list: of a cycle, or of those that wait at a node
    group: Ints32
    unsent: Ints32  # a heap by cycle, then number
    sources: Ints32
    targets: Ints32
    first: Ints
    # routes
    channels: Ints32
    virtual: NDArray[np.int8]
    granted: Ints32
    moves: Ints32
    # channels
    held: Ints32  # [channels, 8], the table
    used: Ints  # 1 + the cycle in which a flit last set off
    # flits crossing channels, in order of their arrival: a ring of as many as there are channels
    crossing: Ints32
    arrives: Ints
    # links
    changed: Ints32  # those to be looked at in the pass at hand
    left_over: Ints32  # those to be looked at in the next cycle, as several of their flits could go
    link_seen: Ints  # the last pass in which each was listed
    # nodes: the packets that wait to be injected, and those whose headers have come there, oldest first
    injecting: Ints32
    last_injecting: Ints32
    waiting: Ints32
    last_waiting: Ints32
    disturbed: Ints32  # those to be looked at in the pass at hand
    node_seen: Ints
    # cycles
    asking: Ints32  # the packets that ask in it, of which the last is kept
    ways: Ints32  # those that a header may take
    # groups
    pending: Ints
    ends: Ints
    done: Ints32
    clock: Ints
    nodes: Ints32


@kernel
def can_send(held: Ints32, rules: NetworkRules, channel: int) -> bool:
    """Whether a flit of its owner can set off over a channel now."""
    entered, before = held[channel, ENTERED], held[channel, BEFORE]
    if held[channel, CROSSED_NOW]:
        return False
    if entered >= (held[before, ENTERED] if before >= 0 else rules.flits):
        return False
    if held[channel, FINAL]:
        return True
    after, lying = held[channel, AFTER], entered
    if after >= 0:
        lying -= held[after, ENTERED]
        if not rules.credit and held[after, CROSSED_NOW]:
            lying -= 1  # what leaves in the same cycle makes room
    return bool(lying < rules.buffer)


@kernel
def set_off(state: FlitState, channel: int, at: int, arrives: int) -> int:
    """Let a flit set off over a channel, at a place in the row of those that do: the next place."""
    state.held[channel, CROSSED_NOW] = 1
    state.crossing[at] = channel
    state.arrives[at] = arrives
    at += 1
    return at if at < state.crossing.size else 0


@kernel
def list_link(state: FlitState, channel: int, count: int, seen: int) -> int:
    """List the link of a channel for this pass, behind others: how many are listed then."""
    link = state.held[channel, LINK]
    if state.link_seen[link] != seen:
        state.link_seen[link] = seen
        state.changed[count] = link
        count += 1
    return count


@kernel
def list_node(state: FlitState, node: int, count: int, seen: int) -> int:
    """List a node for this pass, behind others: how many are listed then."""
    if state.node_seen[node] != seen:
        state.node_seen[node] = seen
        state.disturbed[count] = node
        count += 1
    return count


@kernel
def schedule(state: FlitState, packet: int, cycle: int) -> None:
    """Have a header ask in a cycle: the list of a cycle is a ring, of which the last is known."""
    slot = cycle & (state.asking.size - 1)
    tail = state.asking[slot]
    if tail < 0:
        state.beside[packet] = packet
    else:
        state.beside[packet] = state.beside[tail]
        state.beside[tail] = packet
    state.asking[slot] = packet
    state.clock[SCHEDULED] += 1


@kernel
def wait_at(state: FlitState, waiting: Ints32, last: Ints32, node: int, packet: int) -> None:
    """Have a packet wait at a node: behind all that asked before, or now with lower numbers."""
    now = state.asked[packet]
    state.beside[packet] = NO_PACKET
    end = last[node]
    if waiting[node] < 0:
        waiting[node] = packet
        last[node] = packet
    elif state.asked[end] < now or end < packet:
        state.beside[end] = packet
        last[node] = packet
    else:
        ahead, other = NO_PACKET, waiting[node]
        while state.asked[other] < now or other < packet:
            ahead, other = other, state.beside[other]
        state.beside[packet] = other
        if ahead < 0:
            waiting[node] = packet
        else:
            state.beside[ahead] = packet


@kernel
def grant(state: FlitState, rules: NetworkRules, packet: int, channel: int, now: int) -> None:
    """Give a header a free channel."""
    row, head = state.hop[packet], state.head[packet]
    link = state.held[channel, LINK]
    state.channels[row] = link
    state.virtual[row] = channel - link * rules.channels
    state.granted[row] = now - state.sent[packet]
    held = state.held
    held[channel, OWNER], held[channel, ROW], held[channel, ENTERED] = packet, row, 0
    held[channel, BEFORE], held[channel, AFTER] = head, NO_CHANNEL
    held[channel, FINAL] = row == state.first[packet + 1] - 1
    if head >= 0:
        held[head, AFTER] = channel
    state.head[packet] = channel
    state.hop[packet] = row + 1


@kernel
def free_channel(state: FlitState, rules: NetworkRules, packet: int, node: int) -> int:
    """The free channel that a header takes at a node, or -1: the first in the stated order."""
    before, virtual = INJECT, 0
    if state.head[packet] >= 0:
        link = state.held[state.head[packet], LINK]
        virtual = state.head[packet] - link * rules.channels
        before = link % WAYS
    source, target = state.sources[packet], state.targets[packet]
    count = permitted(rules.routing, node, source, target, state.nodes, rules.roads, state.ways)
    for i in range(count):
        way = state.ways[i]
        first, end = virtual_channels(way, node, before, virtual, rules.channels, state.nodes, rules.roads)
        link = node * WAYS + way
        for channel in range(link * rules.channels + first, link * rules.channels + end):
            if state.held[channel, OWNER] < 0:
                return channel
    return NO_CHANNEL


@kernel
def next_cycle(state: FlitState, now: int) -> int:
    """The next cycle in which anything can happen; the one at hand if packets were sent for it."""
    clock, mask = state.clock, state.asking.size - 1
    cycle = state.sent[state.unsent[0]] if clock[UNSENT] else HELD
    if cycle <= now:
        return now
    if clock[LEFT_OVER]:
        return now + 1
    if clock[CROSSING]:
        cycle = min(cycle, state.arrives[clock[CROSSED]])
    if clock[SCHEDULED]:
        ahead = now + 1
        while ahead < cycle and state.asking[ahead & mask] < 0:
            ahead += 1
        cycle = ahead
    return cycle


@kernel
def _list_left_over(state: FlitState, seen: int) -> int:
    """List the links several of whose flits could go in the cycle before: how many."""
    links = int(state.clock[LEFT_OVER])
    for i in range(links):
        link = state.left_over[i]
        state.link_seen[link] = seen
        state.changed[i] = link
    state.clock[LEFT_OVER] = 0
    return links


@kernel
def _enter_buffers(state: FlitState, rules: NetworkRules, links: int, seen: int) -> tuple[int, int, int]:
    """Flits enter buffers, and tails free the channels behind them.

    How many links and nodes are listed then, and how many groups are complete; -1 for the first when a packet
    has waited too long.
    """
    clock, held, flits, now = state.clock, state.held, rules.flits, state.clock[NOW]
    crossing, crossed = clock[CROSSING], clock[CROSSED]
    arriving, disturbed, done = 0, 0, 0
    while arriving < crossing and state.arrives[crossed] == now:
        channel = state.crossing[crossed]
        crossed += 1
        if crossed == state.crossing.size:
            crossed = 0
        arriving += 1
        packet, flit, behind = held[channel, OWNER], held[channel, ENTERED], held[channel, BEFORE]
        since = now - state.sent[packet]
        if since > LONGEST_WAIT:
            return -1, disturbed, done
        state.moves[held[channel, ROW] * flits + flit] = since
        held[channel, ENTERED] = flit + 1
        held[channel, CROSSED_NOW] = 0
        links = list_link(state, channel, links, seen)
        if behind >= 0:
            links = list_link(state, behind, links, seen)
        if held[channel, AFTER] >= 0:
            links = list_link(state, held[channel, AFTER], links, seen)
        final = held[channel, FINAL]
        if flit == rules.asks and not final:
            schedule(state, packet, now + rules.delay)
        if flit == flits - 1:
            if behind >= 0:
                held[behind, OWNER], held[channel, BEFORE] = NO_PACKET, NO_CHANNEL
                disturbed = list_node(state, held[behind, LINK] // WAYS, disturbed, seen)
            if final:
                held[channel, OWNER] = NO_PACKET
                disturbed = list_node(state, held[channel, LINK] // WAYS, disturbed, seen)
                clock[DELIVERED] += 1
                group = state.group[packet]
                state.ends[group] = now
                state.pending[group] -= 1
                if state.pending[group] == 0:
                    state.done[done] = group
                    done += 1
    clock[CROSSING], clock[CROSSED] = crossing - arriving, crossed
    clock[HOPS] += arriving
    return links, disturbed, done


@kernel
def _ask(state: FlitState, rules: NetworkRules, disturbed: int, seen: int) -> int:
    """Headers ask for channels at nodes: how many are listed then."""
    clock, now = state.clock, state.clock[NOW]
    slot = now & (state.asking.size - 1)
    last = state.asking[slot]
    state.asking[slot] = NO_PACKET
    following = state.beside[last] if last >= 0 else NO_PACKET
    while last >= 0:
        packet = following
        following = state.beside[packet]
        clock[SCHEDULED] -= 1
        if packet == last:
            last = NO_PACKET
        state.asked[packet] = now
        link = state.held[state.head[packet], LINK]
        node = link // WAYS
        if link % WAYS < LINKS:
            node = neighbour(node, link % WAYS, rules.roads, state.nodes)
        wait_at(state, state.waiting, state.last_waiting, node, packet)
        disturbed = list_node(state, node, disturbed, seen)
    while clock[UNSENT] and state.sent[state.unsent[0]] == now:
        packet = pop(state.unsent, clock[UNSENT], state.sent)
        clock[UNSENT] -= 1
        state.asked[packet] = now
        node = state.sources[packet]
        if rules.ends:
            wait_at(state, state.injecting, state.last_injecting, node, packet)
        else:
            wait_at(state, state.waiting, state.last_waiting, node, packet)
        disturbed = list_node(state, node, disturbed, seen)
    return disturbed


@kernel
def _grant_channels(state: FlitState, rules: NetworkRules, disturbed: int, links: int, seen: int) -> int:
    """Headers are granted channels, node by node: how many links are listed then; -1 as above."""
    held, now = state.held, state.clock[NOW]
    for i in range(disturbed):
        node = state.disturbed[i]
        channel = (node * WAYS + INJECT) * rules.channels
        packet = state.injecting[node]
        if packet >= 0 and held[channel, OWNER] < 0:
            if now - state.sent[packet] > LONGEST_WAIT:
                return -1
            state.injecting[node] = state.beside[packet]
            grant(state, rules, packet, channel, now)
            links = list_link(state, channel, links, seen)
        ahead, packet = NO_PACKET, state.waiting[node]
        while packet >= 0:
            behind = state.beside[packet]
            channel = free_channel(state, rules, packet, node)
            if channel < 0:
                ahead = packet
            else:
                if now - state.sent[packet] > LONGEST_WAIT:
                    return -1
                if ahead < 0:
                    state.waiting[node] = behind
                else:
                    state.beside[ahead] = behind
                if behind < 0:
                    state.last_waiting[node] = ahead
                grant(state, rules, packet, channel, now)
                links = list_link(state, channel, links, seen)
            packet = behind
    return links


@kernel
def _carry(state: FlitState, rules: NetworkRules, links: int) -> None:
    """Links carry flits: each that can go, or one over each link that channels share."""
    clock, held, channels, now = state.clock, state.held, rules.channels, state.clock[NOW]
    crossing, crossed = clock[CROSSING], clock[CROSSED]
    place = crossed + crossing  # of the next flit that sets off
    if crossing == 0:
        crossed = place = 0
    elif place >= state.crossing.size:
        place -= state.crossing.size
    for i in range(links):
        link = state.changed[i]
        if rules.credit == 0:
            channel = link
            while channel >= 0 and held[channel, OWNER] >= 0 and can_send(held, rules, channel):
                place = set_off(state, channel, place, now + rules.cycles)
                crossing += 1
                channel = held[channel, BEFORE]
            continue
        best, able = NO_CHANNEL, 0
        for channel in range(link * channels, link * channels + channels):
            if held[channel, OWNER] >= 0 and can_send(held, rules, channel):
                able += 1
                if best < 0 or state.used[channel] < state.used[best]:
                    best = channel
        if best >= 0:
            place = set_off(state, best, place, now + 1)
            state.used[best] = now + 1
            crossing += 1
        if able > 1:
            state.left_over[clock[LEFT_OVER]] = link
            clock[LEFT_OVER] += 1
    clock[CROSSING], clock[CROSSED] = crossing, crossed


@kernel
def advance_flits(state: FlitState, rules: NetworkRules, until: int, most_moves: int) -> bool:
    """Go on to the end of cycle `until`, or of the first cycle that completes a group or `most_moves` moves.

    A packet that first asks counts as a move there. False when a packet has waited longer than can be kept.
    """
    state = borrowed(state)
    clock = state.clock
    stop = clock[HOPS] + most_moves
    while True:
        now = clock[NOW]
        cycle = next_cycle(state, now)
        if cycle > until:
            clock[NOW] = max(now, until)
            clock[DONE] = 0
            return True
        clock[PASSES] += 1
        seen = clock[PASSES]
        links = _list_left_over(state, seen) if cycle > now else 0
        clock[NOW] = cycle
        links, disturbed, done = _enter_buffers(state, rules, links, seen)
        if links < 0:
            return False
        unsent = clock[UNSENT]
        disturbed = _ask(state, rules, disturbed, seen)
        stop -= unsent - clock[UNSENT]  # to ask first takes as long as a move
        links = _grant_channels(state, rules, disturbed, links, seen)
        if links < 0:
            return False
        _carry(state, rules, links)
        if done or clock[HOPS] >= stop:
            clock[DONE] = done
            return True


@kernel
def send_flits(
    state: FlitState,
    rules: NetworkRules,
    count: int,
    asks: Ints,
    sources: Ints,
    targets: Ints,
    groups: Ints,
) -> bool:
    """Send packets; False, and nothing done, when there is no room for them."""
    state = borrowed(state)
    number = state.clock[SENT]
    begin = number_packets(state, rules, count, asks, sources, targets, groups)
    if begin < 0:
        return False
    for i in range(count):
        state.sources[number + i], state.targets[number + i] = sources[i], targets[i]
        state.head[number + i] = NO_CHANNEL
    end = state.first[number + count]
    state.virtual[begin:end] = -1
    state.granted[begin:end] = -1
    state.moves[begin * rules.flits : end * rules.flits] = -1
    return True
