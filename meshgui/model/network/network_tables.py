"""The network in figures: channels over a span of cycles, one channel's traffic, a job's messages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.sentences import PacketLink
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NEVER_YET, NetworkMoment, NetworkRecord, Passage
from meshgui.engine.network.routing import EJECT, INJECT, LINKS, WAYS, describe_channel, describe_node, ends

_AT_ONCE: Final = 1 << 20  # hops looked at together: an eye does not see how long that takes
_MOST_KEPT: Final = 24


class ChannelFigures(NamedTuple):
    """Channels over the cycles from `begin` to `end`, both included, one row each."""

    begin: int
    end: int
    channels: Ints
    use: Floats  # the share of the cycles in which it carried a flit
    flits: Ints
    waited: Ints  # cycles that headers waited for it


class ChannelNow(NamedTuple):
    """Every channel at the end of a cycle, by number."""

    holders: Ints  # -1: it is free
    waiting: Ints  # how many packets wait for it


class ChannelTraffic(NamedTuple):
    """Who passes a channel, one after another; NEVER_YET stands for what has not happened."""

    channel: int
    crossings: Ints  # the cycles in which a flit has crossed it
    cycles: int  # that a flit takes for it
    packets: Ints
    granted: Ints
    left: Ints


class JobTraffic(NamedTuple):
    """The messages of a job by the end of a cycle; means are of those that have arrived."""

    sent: int
    arrived: int
    latency: float
    blocked: float


def moments_of(first: int, last: int) -> tuple[int, int]:
    """The cycles at whose ends to look, so that between them lie the cycles first to last, both included.

    Cycle 0 is the start, of which there is an end alone: nothing moves in it, and it counts for nothing.
    """
    return max(first - 1, 0), last


@lru_cache(maxsize=4)
def channels_of(mesh: Mesh, links_only: bool = True) -> Ints:
    """The channels a mesh has: those whose ends lie on it, and that are no processor's own if so asked."""
    every = np.arange(mesh.processors * WAYS, dtype=np.int64)
    _, beyond = ends(mesh, every)
    there = ((beyond >= 0) & (beyond < np.array(mesh.extents))).all(axis=1)
    if links_only:
        there &= every % WAYS < LINKS
    return every[there]


class ChannelTotals:
    """What each channel carried, for how long, and how long headers waited for it, up to any cycle.

    Totals are kept at some cycles, so that only the packets since the last of them need be looked at: a run
    may have tens of millions of hops.
    """

    def __init__(self, record: NetworkRecord) -> None:
        self._record = record
        hops = np.diff(record.raw.first)
        order = np.argsort(record.sent, kind="stable")
        so_far = np.cumsum(hops[order])
        total = int(so_far[-1]) if len(so_far) else 0
        step = max(_AT_ONCE, total // _MOST_KEPT)
        at = np.searchsorted(so_far, np.arange(step, total, step))
        self._marks = np.unique(record.sent[order][at])
        nothing = np.zeros((3, record.mesh.processors * WAYS), dtype=np.int64)
        self._kept: list[tuple[int, Ints]] = [(0, nothing)]

    def come_nearer(self, cycle: int) -> bool:
        """Do a part of the work for a cycle; whether little is left of it now."""
        last, totals = self._kept[-1]
        ahead = self._marks[(self._marks > last) & (self._marks <= cycle)]
        if len(ahead):
            mark = int(ahead[0])
            self._kept.append((mark, totals + self._between(last, mark)))
        return len(ahead) < 2

    def at(self, cycle: int) -> Ints:
        """Flits carried, cycles busy and cycles waited by the end of a cycle, `[3, channels]`."""
        while not self.come_nearer(cycle):
            pass
        near, totals = max((kept for kept in self._kept if kept[0] <= cycle), key=lambda kept: kept[0])
        return totals + self._between(near, cycle)

    def _between(self, begin: int, end: int) -> Ints:
        """The same after one cycle up to another, from the packets that were about then."""
        part = self._record.during(begin, end)
        flits = part.carried(end) - part.carried(begin)
        busy = flits if part.law.cycles == 1 else part.busy(end) - part.busy(begin)
        return np.stack((flits, busy, _waits(part, begin, end)))


@lru_cache(maxsize=1)
def channel_totals(record: NetworkRecord) -> ChannelTotals:
    """The totals of a recording; the last one's are kept, so that they need not be counted again."""
    return ChannelTotals(record)


def channel_figures(
    record: NetworkRecord, begin: int, end: int, *, links_only: bool = True
) -> ChannelFigures:
    """What every channel carried from one cycle to another, both included, and how long headers waited."""
    channels = channels_of(record.mesh, links_only or not record.law.has_ports)
    totals = channel_totals(record)
    before, last = moments_of(begin, end)
    flits, busy, waited = (totals.at(last) - totals.at(before))[:, channels]
    return ChannelFigures(begin, end, channels, busy / max(last - before, 1), flits, waited)


def _waits(record: NetworkRecord, begin: int, end: int) -> Ints:
    """How long headers waited for each channel between two cycles, injections included."""
    headers = record.headers(np.arange(len(record)))
    waited = np.clip(headers.granted, begin, end) - np.clip(headers.asked, begin, end)
    total = np.bincount(headers.channels, weights=waited, minlength=record.mesh.processors * WAYS)
    return np.rint(total).astype(np.int64)


def channel_now(record: NetworkRecord, moment: NetworkMoment) -> ChannelNow:
    """Who holds each channel at a moment, and how many wait for it."""
    count = record.mesh.processors * WAYS
    holders = np.full(count, NO_PACKET, dtype=np.int64)
    holders[moment.held_channels] = moment.held_by
    doors = record.raw.channels[record.raw.first[moment.queued]].astype(np.int64)
    waiting = np.bincount(np.concatenate((moment.blocked_at, doors)), minlength=count)
    return ChannelNow(holders, waiting.astype(np.int64))


@lru_cache(maxsize=2)
def channel_traffic(record: NetworkRecord, channel: int) -> ChannelTraffic:
    """All that goes through a channel in the whole run."""
    packets, granted, left = record.passers(channel)
    return ChannelTraffic(channel, record.crossings(channel), record.law.cycles, packets, granted, left)


def flits_within(crossings: Ints, first: int, last: int, cycles: int = 1) -> tuple[int, float]:
    """The flits that crossed a channel in the cycles first to last, both included, and its share of these.

    A flit has crossed in the last of the `cycles` that it takes.
    """
    before, end = moments_of(first, last)
    flits = int(np.searchsorted(crossings, end, "right") - np.searchsorted(crossings, before, "right"))
    busy = np.diff(_busy_by(crossings, cycles, np.array([before, end])))
    return flits, float(busy[0]) / max(end - before, 1)


def _busy_by(crossings: Ints, cycles: int, times: Ints) -> Ints:
    """For how many cycles a channel has carried flits by the ends of some cycles."""
    crossed = np.searchsorted(crossings, times, "right")
    following = np.append(crossings, NEVER_YET)[crossed]
    busy: Ints = crossed * cycles + np.clip(times - (following - cycles), 0, cycles)
    return busy


def bins(traffic: ChannelTraffic, begin: int, end: int, most: int) -> tuple[Floats, Floats]:
    """The share of cycles in which a channel carried a flit, and the edges between which it is taken.

    Edges are whole cycles: a bin holds those from its first edge until before its second, and together they
    hold the cycles from `begin` to `end`, both included.
    """
    count = max(min(most, end + 1 - begin), 1)
    edges = np.unique(np.linspace(begin, max(end, begin) + 1, count + 1).astype(np.int64))
    busy = _busy_by(traffic.crossings, traffic.cycles, edges - 1)
    return np.diff(busy) / np.diff(edges), edges.astype(np.float64)


@lru_cache(maxsize=2)
def way_of(record: NetworkRecord, packet: int) -> tuple[Passage, ...]:
    """A packet's way, channel by channel; the last ones are kept."""
    return tuple(record.passages(packet))


@lru_cache(maxsize=2)
def packets_of(record: NetworkRecord, job: int) -> Ints:
    """The packets of a job in the order in which they are sent."""
    mine = np.flatnonzero(record.jobs == job)
    return mine[np.argsort(record.sent[mine], kind="stable")]


@lru_cache(maxsize=2)
def longest_life(record: NetworkRecord) -> int:
    """The greatest age that a packet reaches; of one that never arrives, at the last thing that happens."""
    last = int(record.packet_times[-1]) if len(record.packet_times) else 0
    return int((np.minimum(record.delivered, last) - record.sent).max(initial=0))


class LongestTexts(NamedTuple):
    """The longest numbers and names of a run with a network."""

    packet: str
    job: str
    cycle: str
    node: str
    link: str


@lru_cache(maxsize=2)
def longest_texts_of(record: NetworkRecord) -> LongestTexts:
    """The longest texts of a run, which columns must have room for; the last ones are kept."""
    latest = int(record.packet_times[-1]) if len(record.packet_times) else 0
    node = describe_node(record.mesh, record.mesh.processors - 1)
    return LongestTexts(
        str(len(record)),
        zeros(len(str(int(record.jobs.max(initial=0)))), 3),
        "0" * len(str(latest)),
        node,
        f"{node}→{node}",
    )


@dataclass(frozen=True, eq=False)
class NetworkRows:
    """Rows of a table of a run with a network."""

    record: NetworkRecord

    @property
    def scope(self) -> Hashable:
        return id(self.record)

    @property
    def longest(self) -> LongestTexts:
        """The longest texts of the run."""
        return longest_texts_of(self.record)

    def longest_channels(self) -> tuple[str, ...]:
        """The longest names of a link and of the two channels of a processor."""
        own = (self.record.mesh.processors - 1) * WAYS
        return self.longest.link, self.name_of(own + INJECT), self.name_of(own + EJECT)

    def job_of(self, packet: int) -> int:
        """The job that sends a packet."""
        return int(self.record.jobs[packet])

    def name_of(self, channel: int) -> str:
        """A channel by its two ends."""
        return describe_channel(self.record.mesh, channel)


class PacketSource(NetworkRows):
    """Rows of which each stands for a packet."""

    @property
    def packets(self) -> Sequence[int] | Ints:
        """The packet of each row."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.packets)

    def packet(self, row: int) -> int:
        """The packet of a row."""
        return int(self.packets[row])

    def job(self, row: int) -> int:
        """The job whose packet it is."""
        return self.job_of(self.packet(row))

    def link(self, row: int) -> PacketLink:
        """What a row stands for."""
        return PacketLink(self.packet(row), self.job(row))


def zeros(count: int, least: int) -> str:
    """Room for a number: all figures have one width."""
    return "0" * max(count, least)


def known_cycle(cycle: int) -> int | None:
    """A cycle, or None for what has not happened."""
    return None if cycle == NEVER_YET else int(cycle)


def job_traffic(record: NetworkRecord, job: int, cycle: int) -> JobTraffic:
    """How far a job has come with its messages."""
    mine = packets_of(record, job)
    there = mine[record.delivered[mine] <= cycle]
    at = np.searchsorted(record.arrived, there)
    none = float("nan")
    return JobTraffic(
        int(np.count_nonzero(record.sent[mine] <= cycle)),
        len(there),
        float(record.latency[at].mean()) if len(at) else none,
        float(record.blocked[at].mean()) if len(at) else none,
    )
