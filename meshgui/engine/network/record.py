"""Says every packet's route and the place of every flit in any cycle.

At the end of cycle t, flit j lies in buffer i of its packet's route if A(i, j) <= t < A(i+1, j); `wormhole`
says what A is where the times of headers decide everything, else it was recorded. A header that has asked for
a channel by t and is granted it after t is blocked.

Channels are known by the numbers of their links; where a link has several, their own number is beside.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Mesh, node_numbers, places
from meshgui.engine.basics.work import PIECE
from meshgui.engine.network.flit_places import busy_cycles, entries, locate, tails
from meshgui.engine.network.packets import HELD, NO_PACKET, Packets
from meshgui.engine.network.routing import LINKS, WAYS, ends, roads_of, spans
from meshgui.engine.network.switching import ROUTINGS, Law
from meshgui.engine.network.turn_models import list_wants
from meshgui.engine.network.wormhole import Network

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
        """How long the header was blocked here; at an injection, how long it queued."""
        return self.granted - self.asked


class Headers(NamedTuple):
    """Headers at each channel of some packets' routes, packet by packet; NEVER_YET: it has not happened."""

    packets: Ints
    steps: Ints  # the channel's place along the route
    channels: Ints32
    asked: Ints
    granted: Ints
    entered: Ints  # when the header is in the channel's buffer


class NetworkMoment(NamedTuple):
    """The network at the end of a cycle."""

    cycle: int
    packets: Ints  # those that are injected and have not arrived
    queued: Ints  # those that wait for their injection
    # flits in buffers, packet by packet, each packet's first flit first
    flit_packets: Ints
    flit_numbers: Ints
    flit_channels: Ints
    # the channels held, packet by packet, in order of route
    held_channels: Ints
    held_by: Ints
    # headers that wait for a link or an ejection; where ports are free, also before their first link
    blocked: Ints
    blocked_at: Ints  # the channel each waits for
    blocked_since: Ints
    blocked_by: Ints  # the packet that holds it; -1: another that waits for it gets it first
    # where links have several channels: the numbers of those above
    flit_virtual: Ints
    held_virtual: Ints
    # all channels that blocked headers wait for, header by header, the first choice first (`blocked_at`)
    wanting: Ints
    wanted_channels: Ints
    wanted_virtual: Ints
    wanted_of: Ints  # the packet that holds each, or -1

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


class NetworkRecord:
    """All packets of a run. Figures of every packet are arrays by number, computed at their first use."""

    def __init__(self, mesh: Mesh, law: Law, packets: Packets) -> None:
        self.mesh, self.law, self.raw = mesh, law, packets

    def __len__(self) -> int:
        """How many packets there are."""
        return len(self.raw.sent)

    @property
    def jobs(self) -> Ints32:
        """The job of each packet."""
        return self.raw.group

    @property
    def sent(self) -> Ints:
        """The cycle in which each requested its injection, or its first link where ports are free."""
        return self.raw.sent

    @cached_property
    def sources(self) -> Ints:
        """The source node of each."""
        if len(self.raw.sources):
            return self.raw.sources.astype(np.int64)
        return (self.raw.channels[self.raw.first[:-1]] // WAYS).astype(np.int64)

    @cached_property
    def targets(self) -> Ints:
        """The target node of each."""
        if len(self.raw.targets):
            return self.raw.targets.astype(np.int64)
        last = self.raw.channels[self.raw.first[1:] - 1]
        if self.law.has_ports:  # an ejection
            return (last // WAYS).astype(np.int64)
        return node_numbers(self.mesh, ends(self.mesh, last)[1])

    @cached_property
    def distances(self) -> Ints:
        """The hops of each packet's way."""
        return np.diff(self.raw.first) - self.law.ends

    @cached_property
    def injected(self) -> Ints:
        """The cycle in which each was granted its injection; where ports are free, was sent."""
        if not self.law.has_ports:
            return self.sent
        first = self.raw.first[:-1]
        if len(self.raw.granted):
            return self._since(self.raw.granted[first])
        return self._since(self.raw.entered[first], -self.law.cycles)

    @cached_property
    def delivered(self) -> Ints:
        """The cycle in which the tail of each arrived."""
        flits, last = self.law.flits, self.raw.first[1:] - 1
        if len(self.raw.moves):
            return self._since(self.raw.moves[last * flits + flits - 1])
        return self._since(self.raw.entered[last], (flits - 1) * self.law.cycles)

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
        if not len(self.raw.granted):
            return self.latency - self.law.unblocked(self.distances[self.arrived])
        _, steps, _, asked, granted, _ = self.headers(np.arange(len(self)))
        waits = np.where(self.blocks(steps) & (granted != NEVER_YET), granted - asked, 0)
        sums: Ints = np.add.reduceat(waits, self.raw.first[:-1])[self.arrived] if len(self) else waits
        return sums

    @cached_property
    def hop_times(self) -> Ints:
        """The cycles in which some header enters a buffer."""
        moved = self.raw.entered >= 0
        times: Ints = np.repeat(self.raw.sent, np.diff(self.raw.first)) + self.raw.entered
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
        owners, steps, channels, asked, granted, _ = self.headers(packets)

        where = self._places(first, last, sent, cycle)
        inside = (where >= 0) & (where < (last - first)[:, None])
        whose, numbers = np.nonzero(inside)
        leaves = self._left(packets)
        held = (granted <= cycle) & (leaves > cycle)
        waits = (asked <= cycle) & (granted > cycle) & self.blocks(steps)
        virtual = self._virtual(spans(raw.first, packets)[0])
        holders = np.full((self.mesh.processors * WAYS, self.law.channels), NO_PACKET, dtype=np.int64)
        holders[channels[held], virtual[held]] = owners[held]
        waiting = owners[waits]
        wanting, wanted, numbers_wanted = self.wants(waiting, raw.first[waiting] + steps[waits])
        wanted_of = holders[wanted, numbers_wanted]
        firsts = np.flatnonzero(np.diff(wanting, prepend=-1))
        flits = first[whose] + where[whose, numbers]
        return NetworkMoment(
            cycle,
            packets,
            np.flatnonzero(queued),
            packets[whose],
            numbers.astype(np.int64),
            raw.channels[flits].astype(np.int64),
            channels[held].astype(np.int64),
            owners[held],
            waiting,
            wanted[firsts],
            asked[waits],
            wanted_of[firsts],
            self._virtual(flits),
            virtual[held],
            waiting[wanting],
            wanted,
            numbers_wanted,
            wanted_of,
        )

    def virtual_channels(self, packet: int) -> Ints:
        """The numbers of the virtual channels of a packet's route; -1 for those not granted yet."""
        return self._virtual(np.arange(self.raw.first[packet], self.raw.first[packet + 1]))

    def _virtual(self, rows: Ints) -> Ints:
        """The number of the virtual channel at some places of routes; 0 where links have one."""
        if not len(self.raw.virtual):
            return np.zeros(len(rows), dtype=np.int64)
        return self.raw.virtual[rows].astype(np.int64)

    def wants(self, packets: Ints, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """The channels that headers want at places of their routes: whose, its link and its number."""
        raw, law = self.raw, self.law
        if law.headers_decide or not len(packets):
            return np.arange(len(packets)), raw.channels[rows].astype(np.int64), np.zeros_like(rows)
        wants = np.empty((len(packets) * 3 * law.channels, 3), dtype=np.int64)
        count = list_wants(
            packets, rows, raw.first, raw.channels, raw.virtual, raw.sources, raw.targets,
            ROUTINGS.index(law.routing), law.channels, self._nodes, roads_of(self.mesh),
            np.zeros(3, dtype=np.int32), wants,
        )  # fmt: skip
        whose, links, numbers = wants[:count].T.copy()
        return whose, links, numbers

    @cached_property
    def _nodes(self) -> Ints32:
        """The coordinates of all nodes."""
        return places(self.mesh, np.arange(self.mesh.processors)).astype(np.int32)

    def headers(self, packets: Ints) -> Headers:
        """When headers of some packets requested, and were granted, each channel of their routes."""
        raw = self.raw
        rows, steps = spans(raw.first, packets)
        owners = np.repeat(packets, raw.first[packets + 1] - raw.first[packets])
        since = raw.entered[rows]
        entered = np.where(since >= 0, raw.sent[owners] + since, NEVER_YET)
        if len(raw.granted):
            granted = self._after(raw.sent[owners], raw.granted[rows])
            asks = raw.moves[rows * self.law.flits + self.law.asking_flit]
            asked = self._asked(self._after(raw.sent[owners], asks), steps, raw.sent[owners], self.law.delay)
        else:
            granted = np.where(entered == NEVER_YET, NEVER_YET, entered - self.law.cycles)
            asked = self._asked(entered, steps, raw.sent[owners], self.law.pause)
        return Headers(owners, steps, raw.channels[rows], asked, granted, entered)

    @cached_property
    def detours(self) -> tuple[Ints, Ints]:
        """When headers are granted a link in another direction than xy routes take, and whose they are."""
        headers = self.headers(np.arange(len(self)))
        granted = np.flatnonzero((headers.granted != NEVER_YET) & (headers.channels % WAYS < LINKS))
        links, packets = headers.channels[granted].astype(np.int64), headers.packets[granted]
        here, there = places(self.mesh, links // WAYS), places(self.mesh, self.targets[packets])
        gaps, sides = there - here, np.array(self.mesh.extents)
        around = gaps % sides
        gaps = np.where(self.mesh.rings, np.where(2 * around > sides, around - sides, around), gaps)
        axes = (gaps != 0).argmax(axis=1)
        ways = 2 * axes + (np.take_along_axis(gaps, axes[:, None], axis=1)[:, 0] < 0)
        other = links % WAYS != ways
        return headers.granted[granted][other], packets[other]

    def blocks(self, steps: Ints) -> NDArray[np.bool_]:
        """Whether waits for the channels at some places along routes are blocking: all but for injections."""
        there: NDArray[np.bool_] = steps >= int(self.law.has_ports)
        return there

    def carried(self, cycle: int, *, apart: bool = False) -> Ints:
        """How many flits have entered each channel's buffer by the end of a cycle.

        If wanted, the virtual channels of links `apart`: `[channels, virtual channels]`.
        """
        raw, total = self.raw, self._carried_by_arrived(cycle, apart=apart)
        packets = self._under_way(cycle)
        first, last = raw.first[packets], raw.first[packets + 1] - 1
        where = self._places(first, last, raw.sent[packets], cycle)
        rows, steps = spans(raw.first, packets)
        of = np.repeat(np.arange(len(packets)), last - first + 1)
        passed = (where[of] >= steps[:, None]).sum(axis=1)
        if apart:
            np.add.at(total, (raw.channels[rows], np.maximum(self._virtual(rows), 0)), passed)
        else:
            np.add.at(total, raw.channels[rows], passed)
        return total

    def busy(self, cycle: int) -> Ints:
        """For how many cycles each channel has carried flits by the end of a cycle."""
        raw, law = self.raw, self.law
        if law.cycles == 1:
            return self.carried(cycle)
        total = self._carried_by_arrived(cycle) * law.cycles
        packets = self._under_way(cycle)
        first, last, sent = raw.first[packets], raw.first[packets + 1] - 1, raw.sent[packets]
        rows, _ = spans(raw.first, packets)
        busy = np.empty(len(rows), dtype=np.int64)
        busy_cycles(first, last, sent, raw.entered, raw.moves, cycle, law.flits, law.buffer, law.cycles, busy)
        np.add.at(total, raw.channels[rows], busy)
        return total

    def _under_way(self, cycle: int) -> Ints:
        """The packets under way at the end of a cycle."""
        return np.flatnonzero((self.injected <= cycle) & (self.delivered > cycle))

    def _carried_by_arrived(self, cycle: int, *, apart: bool = False) -> Ints:
        """How many flits each channel carried of packets that have arrived by the end of a cycle."""
        raw, of = self.raw, self.law.channels if apart else 1
        channels = self.mesh.processors * WAYS * of
        total = np.zeros(channels, dtype=np.int64)
        for begin in range(0, len(self), PIECE):  # all in one go would let a signal wait
            part = slice(begin, min(begin + PIECE, len(self)))
            lengths = self.distances[part] + self.law.ends
            done = np.repeat(self.delivered[part] <= cycle, lengths)
            rows = np.arange(raw.first[part.start], raw.first[part.stop])[done]
            lanes = raw.channels[rows].astype(np.int64)
            if of > 1:
                lanes = lanes * of + self._virtual(rows)
            total += np.bincount(lanes, minlength=channels) * self.law.flits
        return total.reshape(-1, of) if apart else total

    def use(self, begin: int, end: int) -> Floats:
        """The share of the cycles after `begin` up to `end` in which each channel carried a flit."""
        return (self.busy(end) - self.busy(begin)) / max(end - begin, 1)

    def during(self, begin: int, end: int) -> NetworkRecord:
        """A record of the packets that may move after one cycle up to another: of a long run, often few."""
        packets = np.flatnonzero((self.raw.sent < end) & (self.delivered > begin))
        return NetworkRecord(self.mesh, self.law, self.raw.chosen(packets))

    def crossings(self, channel: int) -> Ints:
        """The cycles in which a flit entered a channel's buffer, in order."""
        raw = self.raw
        rows = np.flatnonzero(raw.channels == channel)
        owners = np.searchsorted(raw.first, rows, side="right") - 1
        since = np.empty((len(rows), self.law.flits), dtype=np.int64)
        if len(rows):  # as in `_places`
            last, buffer, cycles = raw.first[owners + 1] - 1, self.law.buffer, self.law.cycles
            entries(rows, last, raw.entered, raw.moves, buffer, cycles, since)
        times: Ints = np.sort((raw.sent[owners][:, None] + since)[since != HELD])
        return times

    def passages(self, packet: int) -> list[Passage]:
        """A packet's way, channel by channel."""
        _, _, channels, *times = self.headers(np.array([packet]))
        left = self._left(np.array([packet]))
        way = []
        for channel, asked, granted, entered, leaves in zip(
            channels.tolist(), *(column.tolist() for column in (*times, left)), strict=True
        ):
            waited = asked != NEVER_YET and granted > asked
            blockers = self._holders(channel, asked, granted) if waited else ()
            way.append(Passage(channel, asked, granted, entered, leaves, blockers))
        return way

    def passers(self, channel: int) -> tuple[Ints, Ints, Ints]:
        """The packets that were granted a channel, in order, and when each grant began and ended."""
        first, (rows, packets, granted) = self.raw.first, self._grants(channel)
        starts = np.cumsum(np.concatenate(([0], np.diff(first)[packets])))[:-1]
        left = self._left(packets)[starts + rows - first[packets]]
        order = np.argsort(granted, kind="stable")
        return packets[order], granted[order], left[order]

    def _holders(self, channel: int, begin: int, end: int) -> tuple[int, ...]:
        """The packets that held a channel from one cycle until before another, in order."""
        rows, owners, granted = self._grants(channel)
        near = (granted >= begin - self._longest) & (granted < end)
        rows, owners, granted = rows[near], owners[near], granted[near]
        left = np.array(
            [self._left(np.array([p]))[r - self.raw.first[p]] for p, r in zip(owners, rows, strict=True)]
        )
        holds = left > begin if len(left) else np.zeros(0, dtype=bool)
        order = np.argsort(granted[holds], kind="stable")
        return tuple(owners[holds][order].tolist())

    def _grants(self, channel: int) -> tuple[Ints, Ints, Ints]:
        """Where routes pass a channel that was granted there, of which packets, and when it was."""
        raw = self.raw
        known = raw.granted if len(raw.granted) else raw.entered
        rows = np.flatnonzero((raw.channels == channel) & (known >= 0))
        packets = np.searchsorted(raw.first, rows, side="right") - 1
        if len(raw.granted):
            return rows, packets, raw.sent[packets] + raw.granted[rows]
        return rows, packets, raw.sent[packets] + raw.entered[rows] - self.law.cycles

    @cached_property
    def _longest(self) -> int:
        """The longest time that any packet is under way."""
        done = self.delivered[self.arrived] - self.injected[self.arrived]
        return NEVER_YET if len(done) < len(self) else int(done.max(initial=0))

    def _asked(self, entered: Ints, steps: Ints, sent: Ints, pause: int) -> Ints:
        """The cycles of requests for the channels of whole routes, from the times of flits in buffers."""
        asked = sent.copy()
        before = entered[:-1]
        asked[1:] = np.where(before == NEVER_YET, NEVER_YET, before + pause)
        return np.where(steps == 0, sent, asked)

    def _since(self, times: Ints32, later: int = 0) -> Ints:
        """Cycles of all packets, from those since each was sent."""
        return self._after(self.raw.sent, times, later)

    def _after(self, sent: Ints, times: Ints32, later: int = 0) -> Ints:
        return np.where(times >= 0, sent + times + later, NEVER_YET)

    def _left(self, packets: Ints) -> Ints:
        raw, first, last = self.raw, self.raw.first[packets], self.raw.first[packets + 1] - 1
        leaves = np.empty(int((last - first + 1).sum()), dtype=np.int64)
        if len(packets):
            flits, buffer, cycles = self.law.flits, self.law.buffer, self.law.cycles
            tails(first, last, raw.sent[packets], raw.entered, raw.moves, flits, buffer, cycles, leaves)
        return leaves

    def _places(self, first: Ints, last: Ints, sent: Ints, cycle: int) -> Ints32:
        where = np.empty((len(first), self.law.flits), dtype=np.int32)
        if len(first):  # without packets no kernel need be compiled
            flits, buffer, cycles = self.law.flits, self.law.buffer, self.law.cycles
            locate(first, last, sent, self.raw.entered, self.raw.moves, cycle, flits, buffer, cycles, where)
        return where


def _each_once(times: Ints) -> Ints:
    """Times in order without repeats; for a million, np.unique takes most of a second, a sort a hundredth."""
    ordered = np.sort(times)
    once: Ints = ordered[np.append([True], ordered[1:] != ordered[:-1])[: len(ordered)]]
    return once


def load_kernels() -> None:
    """Compile all kernels that a moment of the network needs, by computing one of a small network."""
    mesh, law = Mesh((2, 1)), Law(per_hop="flit")
    network = Network(mesh, law)
    network.send(0, np.array([0]), np.array([1]))
    network.advance(law.flits)
    record = NetworkRecord(mesh, law, network.packets())
    record.at(law.flits)
    record.busy(law.flits)
    record.crossings(int(record.raw.channels[0]))
