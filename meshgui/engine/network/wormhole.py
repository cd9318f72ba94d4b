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

from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, places
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.limits import MAX_HOPS
from meshgui.engine.basics.memory import require
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import PIECE
from meshgui.engine.network.heap import pop, push
from meshgui.engine.network.patterns.base import NetworkError
from meshgui.engine.network.routing import WAYS, lay_route, route_length
from meshgui.engine.network.switching import Law

N = TypeVar("N", bound=np.generic)

HELD: Final = 1 << 62  # the cycle in which a channel comes free while that is not known yet
LONGEST_WAIT: Final = (1 << 31) - 2  # a header's times are kept as cycles since its packet was sent
_SENT_AT_ONCE: Final = 1 << 16  # packets between which Ctrl+C is noticed
_PACKET_BYTES: Final = 44  # of a packet in all arrays of the state
_HOP_BYTES: Final = 8
NO_PACKET: Final = -1
NO_CHANNEL: Final = -1
NO_END: Final = HELD >> 1  # a cycle later than any

# The clock's numbers; the last two are the room that was missing for packets and for hops
NOW, SCHEDULED, UNSENT, HOPS, DELIVERED, DONE, SENT, ROOM_FOR_PACKETS, ROOM_FOR_HOPS = range(9)


class Packets(NamedTuple):
    """Packets in order of number: the messages, and the progress of each header."""

    sent: Ints  # the cycle in which it asked for its first channel
    group: Ints32  # the group it belongs to, such as a job
    first: Ints  # [n + 1], where each route begins in the arrays below
    channels: Ints32  # the routes
    entered: Ints32  # cycles from `sent` until the header entered each channel's buffer; -1: not yet


class NetworkRules(NamedTuple):
    """What the kernels know of the mesh and the switching, in cycles where no other unit is named."""

    cycles: int  # that a flit takes for a channel
    spacing: int  # from a header's grant to its next request, at least
    trail: int  # by which the tail follows the header
    step: int  # in which a whole buffer of flits crosses a channel
    reach: int  # how many buffers behind that of its header a packet can hold
    ends: int  # how many channels of a route are processors' own
    strides: tuple[int, int, int]  # between the numbers of neighbours in x, y and z


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
    """Number packets, lay their routes and have them ask for their first channels in cycles not yet past.

    False, and nothing done, when there is no room for them: how much is wanted then stands in the clock.
    """
    clock, nodes = state.clock, state.nodes
    number = clock[SENT]
    at = state.first[number]
    wanted = at
    for i in range(count):
        wanted += route_length(sources[i], targets[i], nodes, rules.ends)
    if number + count > state.sent.size or wanted > state.channels.size:
        clock[ROOM_FOR_PACKETS], clock[ROOM_FOR_HOPS] = number + count, wanted
        return False
    for i in range(count):
        packet = number + i
        state.sent[packet] = asks[i]
        state.group[packet] = groups[i]
        state.pending[groups[i]] += 1
        state.hop[packet] = at
        at = lay_route(sources[i], targets[i], nodes, rules.strides, rules.ends, state.channels, at)
        state.first[packet + 1] = at
        push(state.unsent, clock[UNSENT] + i, state.sent, packet)
    state.entered[state.first[number] : at] = -1
    clock[UNSENT] += count
    clock[SENT] += count
    return True


class Network:
    """The network of a mesh, and all packets ever sent through it, numbered from 0."""

    def __init__(self, mesh: Mesh, law: Law, groups: int = 1) -> None:
        self.mesh, self.law = mesh, law
        width, depth, _ = mesh.extents
        strides = (1, width, width * depth)
        self.rules = rules = NetworkRules(
            law.cycles,
            law.cycles + law.pause,
            (law.flits - 1) * law.cycles,
            law.buffer * law.cycles,
            law.reach,
            law.ends,
            strides,
        )
        n = mesh.processors * WAYS
        wheel = 1 << max(rules.spacing, rules.cycles + rules.trail).bit_length()  # nothing lies further ahead
        self.state = NetworkState(
            sent=np.empty(0, dtype=np.int64),
            asked=np.empty(0, dtype=np.int64),
            hop=np.empty(0, dtype=np.int64),
            beside=np.empty(0, dtype=np.int32),
            group=np.empty(0, dtype=np.int32),
            unsent=np.empty(0, dtype=np.int32),
            first=np.zeros(1, dtype=np.int64),
            channels=np.empty(0, dtype=np.int32),
            entered=np.empty(0, dtype=np.int32),
            free_at=np.zeros(n, dtype=np.int64),
            waiting=np.full(n, NO_PACKET, dtype=np.int32),
            last=np.full(n, NO_PACKET, dtype=np.int32),
            later=np.full(n, NO_CHANNEL, dtype=np.int32),
            asking=np.full(wheel, NO_PACKET, dtype=np.int32),
            coming_free=np.full(wheel, NO_CHANNEL, dtype=np.int32),
            ready=np.empty(n, dtype=np.int32),
            pending=np.zeros(groups, dtype=np.int64),
            ends=np.zeros(groups, dtype=np.int64),
            done=np.empty(groups, dtype=np.int32),
            clock=np.zeros(9, dtype=np.int64),
            nodes=places(mesh, np.arange(mesh.processors)).astype(np.int32),
        )

    @property
    def now(self) -> int:
        """The last cycle simulated."""
        return int(self.state.clock[NOW])

    @property
    def count(self) -> int:
        """How many packets have been sent."""
        return int(self.state.clock[SENT])

    @property
    def hops(self) -> int:
        """How many channels have been granted."""
        return int(self.state.clock[HOPS])

    @property
    def delivered(self) -> int:
        """How many packets' arrivals are known."""
        return int(self.state.clock[DELIVERED])

    def send(
        self,
        times: NDArray[np.integer] | int,
        sources: NDArray[np.integer],
        targets: NDArray[np.integer],
        group: NDArray[np.integer] | int = 0,
    ) -> None:
        """Have packets ask for their first channels, in cycles not yet past, from nodes to others."""
        n = len(sources)
        columns = [np.empty(n, dtype=np.int64) for _ in range(4)]
        for column, values in zip(columns, (times, sources, targets, group), strict=True):
            column[:] = values
        if n > _SENT_AT_ONCE:  # room for all, so that it is not copied again and again as it grows
            nodes, known = self.state.nodes, self.count
            hops = int(np.abs(nodes[columns[1]] - nodes[columns[2]]).sum()) + self.law.ends * n
            self.reserve(known + n, int(self.state.first[known]) + hops)
        for start in range(0, n, _SENT_AT_ONCE):
            part = [column[start : start + _SENT_AT_ONCE] for column in columns]
            while not send(self.state, self.rules, len(part[0]), *part):
                self.make_room()

    def advance(self, until: int, most_hops: int = NO_END) -> list[tuple[int, int]]:
        """Advance to a cycle or less far, as the kernel does; the groups completed, and when."""
        if not advance(self.state, self.rules, until, most_hops):
            raise waited_too_long()
        state = self.state
        done = state.done[: int(state.clock[DONE])].tolist()
        return [(group, int(state.ends[group])) for group in done]

    def packets(self) -> Packets:
        """A copy of all packets as they are now."""
        state, n = self.state, self.count
        hops = int(state.first[n])
        return Packets(
            _copied(state.sent[:n]),
            _copied(state.group[:n]),
            _copied(state.first[: n + 1]),
            _copied(state.channels[:hops]),
            _copied(state.entered[:hops]),
        )

    def make_room(self) -> None:
        """Make the room that a kernel has found missing; the arrays of the state are then others."""
        clock = self.state.clock
        self.reserve(int(clock[ROOM_FOR_PACKETS]), int(clock[ROOM_FOR_HOPS]))

    def reserve(self, packets: int, hops: int) -> None:
        """Have room for this many packets, and channels on their routes."""
        state = self.state
        if hops > MAX_HOPS:
            said = tr("its packets pass more than {MAX_HOPS} channels in all, the most that can be recorded")
            raise NetworkError(said.format(MAX_HOPS=MAX_HOPS))
        if packets > len(state.sent):
            room = max(packets, 2 * len(state.sent), 1024)
            require(room * _PACKET_BYTES)
            names = ("sent", "asked", "hop", "beside", "group", "unsent")
            longer = {name: _longer(getattr(state, name), room) for name in names}
            state = state._replace(**longer, first=_longer(state.first, room + 1))
        if hops > len(state.channels):
            room = max(hops, 3 * len(state.channels) // 2, 8192)
            require(room * _HOP_BYTES)
            state = state._replace(
                channels=_longer(state.channels, room), entered=_longer(state.entered, room)
            )
        self.state = state


def _copied(array: NDArray[N]) -> NDArray[N]:
    """A copy, which is made in parts: of hundreds of millions of hops it takes tenths of a second.

    A signal is noticed between them. Who polls the run is not called: it may be who asks for the copy.
    """
    copy = np.empty_like(array)
    for begin in range(0, len(array), PIECE):
        copy[begin : begin + PIECE] = array[begin : begin + PIECE]
    return copy


def waited_too_long() -> NetworkError:
    """The fault of a packet whose waiting time cannot be kept."""
    said = tr("a packet waited for more than {LONGEST_WAIT} cycles, the longest wait that can be recorded")
    return NetworkError(said.format(LONGEST_WAIT=LONGEST_WAIT))


def _longer(array: NDArray[N], length: int) -> NDArray[N]:
    longer = np.empty(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer
