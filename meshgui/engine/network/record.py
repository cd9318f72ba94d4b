"""Computes every packet's route and the place of every flit in any cycle from header times alone.

At the end of cycle t, flit j lies in buffer i of its packet's route if A(i, j) <= t < A(i+1, j); `wormhole`
says what A is. A header that has asked for a channel by t and is granted it after t is blocked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.polling import PIECE
from meshgui.engine.network.routing import WAYS, spans
from meshgui.engine.network.switching import Law
from meshgui.engine.network.wormhole import HELD, NO_PACKET, Network, Packets, tail_leaves

__all__ = ["NEVER_YET", "Headers", "NetworkMoment", "NetworkRecord", "Passage", "chain_of", "load_kernels"]

NEVER_YET: Final = HELD  # the cycle of what has not happened


class Passage(NamedTuple):
    """A packet at one channel of its route; NEVER_YET stands for what has not happened."""

    channel: int
    asked: int
    granted: int
    entered: int  # the header is in the channel's buffer
    left: int  # the tail has left it, and the channel is free again
    blockers: tuple[int, ...]  # the packets that held the channel while the header waited, in order

    @property
    def waited(self) -> int:
        """How long the header was blocked here; for the injection, how long it queued."""
        return self.granted - self.asked


class Headers(NamedTuple):
    """Headers at each channel of some packets' routes, packet by packet; NEVER_YET: it has not happened."""

    packets: Ints
    steps: Ints  # the channel's place along the route; 0 is the injection
    channels: NDArray[np.int32]
    asked: Ints  # NEVER_YET at an injection: that is when the packet was sent
    granted: Ints  # a cycle later the header is in the channel's buffer


class NetworkMoment(NamedTuple):
    """The network at the end of a cycle."""

    cycle: int
    packets: Ints  # those with a flit in the network
    queued: Ints  # those that wait for their injection
    # flits in buffers, packet by packet, each packet's first flit first
    flit_packets: Ints
    flit_numbers: Ints
    flit_channels: Ints
    # the channels held, packet by packet, in order of route
    held_channels: Ints
    held_by: Ints
    # headers that wait for a link or an ejection
    blocked: Ints
    blocked_at: Ints  # the channel each waits for
    blocked_since: Ints
    blocked_by: Ints  # the packet that holds it; -1: another that waits for it gets it first

    def chain(self, packet: int) -> list[int]:
        """A packet, the one that blocks it, and so on, up to one that is not blocked."""
        return chain_of(packet, self.blocked, self.blocked_by)


def chain_of(packet: int, waiting: Ints, holders: Ints) -> list[int]:
    """A packet, the holder of what it waits for, and so on, up to one that waits for no other."""
    held_by = dict(zip(waiting.tolist(), holders.tolist(), strict=True))
    chain = [packet]
    while (holder := held_by.get(chain[-1], NO_PACKET)) != NO_PACKET and holder not in chain:
        chain.append(holder)
    return chain


@kernel
def locate(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: NDArray[np.int32],
    cycle: int,
    flits: int,
    buffer: int,
    where: NDArray[np.int32],
) -> None:
    """Where each flit of some packets is at the end of a cycle: its place along the route, -1 before it.

    A flit is never ahead of the one before it, so each search continues where the last one ended.
    """
    for p in range(first.size):
        begin, end = first[p], last[p]
        since = cycle - sent[p]
        at = end
        for j in range(flits):
            while at >= begin:
                latest = 0  # A(at, j)
                for ahead in range(at, min(at + j // buffer, end) + 1):
                    if entered[ahead] < 0:
                        latest = HELD
                    else:
                        latest = max(latest, entered[ahead] + j - (ahead - at) * buffer)
                if latest <= since:
                    break
                at -= 1
            where[p, j] = at - begin if at >= begin else -1


@kernel
def tails(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: NDArray[np.int32],
    flits: int,
    buffer: int,
    leaves: Ints,
) -> None:
    """When the tail leaves each buffer of some packets' routes, one packet after another."""
    row = 0
    reach = (flits - 1) // buffer
    for p in range(first.size):
        end = last[p]
        for hop in range(first[p], end + 1):
            begin = min(hop + 1, end)
            farthest = min(begin + reach, end)
            if entered[farthest] < 0:
                leaves[row] = HELD
            else:
                leaves[row] = sent[p] + tail_leaves(entered, begin, farthest, flits, buffer, 1)
            row += 1


class NetworkRecord:
    """All packets of a run. Figures of every packet are arrays by number, computed at their first use."""

    def __init__(self, mesh: Mesh, law: Law, packets: Packets) -> None:
        self.mesh, self.law, self.raw = mesh, law, packets

    def __len__(self) -> int:
        """How many packets there are."""
        return len(self.raw.sent)

    @property
    def jobs(self) -> NDArray[np.int32]:
        """The job of each packet."""
        return self.raw.group

    @property
    def sent(self) -> Ints:
        """The cycle in which each requested its injection."""
        return self.raw.sent

    @cached_property
    def sources(self) -> Ints:
        """The source node of each."""
        return (self.raw.channels[self.raw.first[:-1]] // WAYS).astype(np.int64)

    @cached_property
    def targets(self) -> Ints:
        """The target node of each."""
        return (self.raw.channels[self.raw.first[1:] - 1] // WAYS).astype(np.int64)

    @cached_property
    def distances(self) -> Ints:
        """The hops of each packet's way."""
        return np.diff(self.raw.first) - 2

    @cached_property
    def injected(self) -> Ints:
        """The cycle in which each was granted its injection."""
        return self._at(self.raw.first[:-1], -1)

    @cached_property
    def delivered(self) -> Ints:
        """The cycle in which the tail of each arrived."""
        return self._at(self.raw.first[1:] - 1, self.law.flits - 1)

    @cached_property
    def arrived(self) -> Ints:
        """The packets that have arrived, in order of number."""
        return np.flatnonzero(self.delivered != NEVER_YET)

    @cached_property
    def latency(self) -> Ints:
        """From injection to the tail's arrival; for those that have `arrived`, in their order."""
        return (self.delivered - self.injected)[self.arrived]

    @cached_property
    def blocked(self) -> Ints:
        """How long headers waited for links and ejections; for those that have `arrived`, in order."""
        return self.latency - self.law.flits - (self.distances[self.arrived] + 1) * (self.law.pause + 1)

    @cached_property
    def hop_times(self) -> Ints:
        """The cycles in which some header enters a buffer."""
        moved = self.raw.entered >= 0
        times: Ints = np.repeat(self.raw.sent, self.distances + 2) + self.raw.entered
        return _each_once(times[moved])

    @cached_property
    def packet_times(self) -> Ints:
        """The cycles in which some packet is injected or arrives."""
        times = _each_once(np.concatenate((self.injected, self.delivered)))
        known: Ints = times[times != NEVER_YET]
        return known

    def hop_times_of(self, packet: int) -> Ints:
        """The cycles in which a packet's header enters buffers."""
        entered = self.raw.entered[self.raw.first[packet] : self.raw.first[packet + 1]]
        times: Ints = self.raw.sent[packet] + entered[entered >= 0]
        return times

    def at(self, cycle: int, shown: NDArray[np.bool_] | None = None) -> NetworkMoment:
        """The network at the end of a cycle; `shown` may leave packets out."""
        raw = self.raw
        under_way = (self.injected <= cycle) & (self.delivered > cycle)
        queued = (raw.sent <= cycle) & (self.injected > cycle)
        if shown is not None:
            under_way &= shown
            queued &= shown
        packets = np.flatnonzero(under_way)
        first, last, sent = raw.first[packets], raw.first[packets + 1] - 1, raw.sent[packets]
        owners, steps, channels, asked, granted = self.headers(packets)

        where = self._places(first, last, sent, cycle)
        inside = (where >= 0) & (where < (last - first)[:, None])
        whose, numbers = np.nonzero(inside)
        leaves = self._left(packets)
        held = (granted <= cycle) & (leaves > cycle)
        waits = (asked <= cycle) & (granted > cycle) & (steps > 0)
        holders = np.full(self.mesh.processors * WAYS, NO_PACKET, dtype=np.int64)
        holders[channels[held]] = owners[held]
        wanted = channels[waits].astype(np.int64)
        return NetworkMoment(
            cycle,
            packets,
            np.flatnonzero(queued),
            packets[whose],
            numbers.astype(np.int64),
            raw.channels[first[whose] + where[whose, numbers]].astype(np.int64),
            channels[held].astype(np.int64),
            owners[held],
            owners[waits],
            wanted,
            asked[waits],
            holders[wanted],
        )

    def headers(self, packets: Ints) -> Headers:
        """When headers of some packets requested, and were granted, each channel of their routes."""
        raw = self.raw
        rows, steps = spans(raw.first, packets)
        owners = np.repeat(packets, raw.first[packets + 1] - raw.first[packets])
        entered = raw.entered[rows]
        granted = np.where(entered >= 0, raw.sent[owners] + entered - 1, NEVER_YET)
        return Headers(owners, steps, raw.channels[rows], self._asked(granted, steps), granted)

    def carried(self, cycle: int) -> Ints:
        """How many flits have entered each channel's buffer by the end of a cycle."""
        raw = self.raw
        channels = self.mesh.processors * WAYS
        total = np.zeros(channels, dtype=np.int64)
        for begin in range(0, len(self), PIECE):  # all in one go would let a signal wait
            part = slice(begin, min(begin + PIECE, len(self)))
            done = np.repeat(self.delivered[part] <= cycle, self.distances[part] + 2)
            whole = raw.channels[raw.first[part.start] : raw.first[part.stop]][done]
            total += np.bincount(whole, minlength=channels) * self.law.flits
        packets = np.flatnonzero((self.injected <= cycle) & (self.delivered > cycle))
        first, last = raw.first[packets], raw.first[packets + 1] - 1
        where = self._places(first, last, raw.sent[packets], cycle)
        rows, steps = spans(raw.first, packets)
        of = np.repeat(np.arange(len(packets)), last - first + 1)
        passed = (where[of] >= steps[:, None]).sum(axis=1)
        np.add.at(total, raw.channels[rows], passed)
        return np.asarray(total, dtype=np.int64)

    def use(self, begin: int, end: int) -> Floats:
        """The share of the cycles after `begin` up to `end` in which each channel carried a flit."""
        return (self.carried(end) - self.carried(begin)) / max(end - begin, 1)

    def during(self, begin: int, end: int) -> NetworkRecord:
        """A record of the packets that may move after one cycle up to another: of a long run, often few."""
        raw = self.raw
        packets = np.flatnonzero((raw.sent < end) & (self.delivered > begin))
        rows, _ = spans(raw.first, packets)
        first = np.concatenate(([0], np.cumsum(raw.first[packets + 1] - raw.first[packets])))
        then = Packets(raw.sent[packets], raw.group[packets], first, raw.channels[rows], raw.entered[rows])
        return NetworkRecord(self.mesh, self.law, then)

    def crossings(self, channel: int) -> Ints:
        """The cycles in which a channel carried a flit, in order."""
        raw = self.raw
        rows = np.flatnonzero(raw.channels == channel)
        owners = np.searchsorted(raw.first, rows, side="right") - 1
        end = raw.first[owners + 1] - 1
        number = np.arange(self.law.flits)
        times = np.zeros((len(rows), self.law.flits), dtype=np.int64)
        farthest = int((end - rows).max(initial=0))
        for m in range(min(self.law.reach, farthest) + 1):
            ahead = rows + m
            counts = (ahead <= end)[:, None] & (number >= m * self.law.buffer)[None]
            entered = raw.entered[np.minimum(ahead, end)]
            at = np.where(entered >= 0, raw.sent[owners] + entered, NEVER_YET)[:, None]
            at = np.where(at == NEVER_YET, NEVER_YET, at + number[None] - m * self.law.buffer)
            times = np.where(counts, np.maximum(times, at), times)
        known = times[times < NEVER_YET]
        return np.sort(known)

    def passages(self, packet: int) -> list[Passage]:
        """A packet's way, channel by channel."""
        raw = self.raw
        first, end = int(raw.first[packet]), int(raw.first[packet + 1])
        rows = np.arange(first, end)
        granted = np.where(raw.entered[rows] >= 0, raw.sent[packet] + raw.entered[rows] - 1, NEVER_YET)
        asked = self._asked(granted, rows - first)
        asked[0] = raw.sent[packet]
        left = self._left(np.array([packet]))
        way = []
        for i, channel in enumerate(raw.channels[rows].tolist()):
            entered = NEVER_YET if granted[i] == NEVER_YET else int(granted[i]) + 1
            waited = asked[i] != NEVER_YET and granted[i] > asked[i]
            blockers = self._holders(channel, int(asked[i]), int(granted[i])) if waited else ()
            way.append(Passage(channel, int(asked[i]), int(granted[i]), entered, int(left[i]), blockers))
        return way

    def passers(self, channel: int) -> tuple[Ints, Ints, Ints]:
        """The packets that were granted a channel, in order, and when each grant began and ended."""
        raw = self.raw
        rows = np.flatnonzero((raw.channels == channel) & (raw.entered >= 0))
        packets = np.searchsorted(raw.first, rows, side="right") - 1
        granted = raw.sent[packets] + raw.entered[rows] - 1
        starts = np.cumsum(np.concatenate(([0], np.diff(raw.first)[packets])))[:-1]
        left = self._left(packets)[starts + rows - raw.first[packets]]
        order = np.argsort(granted, kind="stable")
        return packets[order], granted[order], left[order]

    def _holders(self, channel: int, begin: int, end: int) -> tuple[int, ...]:
        """The packets that held a channel from one cycle until before another, in order."""
        raw = self.raw
        rows = np.flatnonzero((raw.channels == channel) & (raw.entered >= 0))
        owners = np.searchsorted(raw.first, rows, side="right") - 1
        granted = raw.sent[owners] + raw.entered[rows] - 1
        near = (granted >= begin - self._longest) & (granted < end)
        rows, owners, granted = rows[near], owners[near], granted[near]
        left = np.array(
            [self._left(np.array([p]))[r - raw.first[p]] for p, r in zip(owners, rows, strict=True)]
        )
        holds = left > begin if len(left) else np.zeros(0, dtype=bool)
        order = np.argsort(granted[holds], kind="stable")
        return tuple(owners[holds][order].tolist())

    @cached_property
    def _longest(self) -> int:
        """The longest time that any packet is under way."""
        done = self.delivered[self.arrived] - self.injected[self.arrived]
        return NEVER_YET if len(done) < len(self) else int(done.max(initial=0))

    def _asked(self, granted: Ints, steps: Ints) -> Ints:
        """The cycles of requests for the channels of whole routes, from those of the grants."""
        asked = np.full(len(granted), NEVER_YET, dtype=np.int64)
        if len(granted) > 1:
            before = granted[:-1]
            asked[1:] = np.where(before == NEVER_YET, NEVER_YET, before + 1 + self.law.pause)
        asked[steps == 0] = NEVER_YET
        return asked

    def _at(self, rows: Ints, later: int) -> Ints:
        entered = self.raw.entered[rows]
        return np.where(entered >= 0, self.raw.sent + entered + later, NEVER_YET)

    def _left(self, packets: Ints) -> Ints:
        first, last = self.raw.first[packets], self.raw.first[packets + 1] - 1
        leaves = np.empty(int((last - first + 1).sum()), dtype=np.int64)
        if len(packets):
            tails(
                first, last, self.raw.sent[packets], self.raw.entered, self.law.flits, self.law.buffer, leaves
            )
        return leaves

    def _places(self, first: Ints, last: Ints, sent: Ints, cycle: int) -> NDArray[np.int32]:
        where = np.empty((len(first), self.law.flits), dtype=np.int32)
        if len(first):  # without packets no kernel need be compiled
            locate(first, last, sent, self.raw.entered, cycle, self.law.flits, self.law.buffer, where)
        return where


def _each_once(times: Ints) -> Ints:
    """Times in order without repeats; for a million, np.unique takes most of a second, a sort a hundredth."""
    ordered = np.sort(times)
    once: Ints = ordered[np.append([True], ordered[1:] != ordered[:-1])[: len(ordered)]]
    return once


def load_kernels() -> None:
    """Compile all kernels that a moment of the network needs, by computing one of a small network."""
    mesh, law = Mesh((2, 1)), Law()
    network = Network(mesh, law)
    network.send(0, np.array([0]), np.array([1]))
    network.advance(law.flits)
    NetworkRecord(mesh, law, network.packets()).at(law.flits)
