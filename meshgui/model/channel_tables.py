"""All channels over a span of cycles, and the packets that pass one of them, by columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import INJECT, WAYS, describe_channel
from meshgui.engine.network.wormhole import NO_PACKET
from meshgui.engine.sentences import ChannelLink, PacketLink
from meshgui.model.columns import UNKNOWN, Column, GiveWay, TableCell
from meshgui.model.network_tables import (
    ChannelFigures,
    ChannelNow,
    ChannelTraffic,
    known_cycle,
    longest_texts_of,
    zeros,
)

__all__ = [
    "CHANNEL_COLUMNS",
    "CHANNEL_GIVE_WAY",
    "PASSAGE_COLUMNS",
    "PASSAGE_GIVE_WAY",
    "ChannelRows",
    "PassageRows",
]


@dataclass(frozen=True, eq=False)
class ChannelRows:
    """Channels over a span of cycles, and who holds and wants them now."""

    record: NetworkRecord
    figures: ChannelFigures
    now: ChannelNow

    def __len__(self) -> int:
        return len(self.figures.channels)

    @property
    def title(self) -> str:
        """See TableSource."""
        return f"Channels over cycles {self.figures.begin} to {self.figures.end}"

    @property
    def scope(self) -> Hashable:
        """See TableSource."""
        return id(self.record)

    def name(self, row: int) -> str:
        """Its two ends."""
        return describe_channel(self.record.mesh, int(self.figures.channels[row]))

    def holder(self, row: int) -> int | None:
        """The packet that holds it."""
        holder = int(self.now.holders[self.figures.channels[row]])
        return None if holder == NO_PACKET else holder

    def waiting(self, row: int) -> int:
        """How many packets wait for it."""
        return int(self.now.waiting[self.figures.channels[row]])

    def link(self, row: int) -> ChannelLink:
        """What a row stands for."""
        return ChannelLink(int(self.figures.channels[row]))

    def cell(self, text: str, row: int) -> TableCell:
        """A figure, which stands back where nothing went over the channel."""
        idle = not self.figures.flits[row] and not self.figures.waited[row]
        return TableCell(text, tone="muted" if idle else "text")

    def holder_cell(self, row: int) -> TableCell:
        """Who holds it, in its job's colour."""
        holder = self.holder(row)
        return UNKNOWN if holder is None else TableCell(str(holder), int(self.record.jobs[holder]))

    def names(self) -> tuple[str, ...]:
        """The longest names there can be."""
        door = describe_channel(self.record.mesh, (self.record.mesh.processors - 1) * WAYS + INJECT)
        return longest_texts_of(self.record).link, door

    def most_flits(self) -> str:
        """The greatest number of flits that a channel can carry in the run."""
        cycles = len(longest_texts_of(self.record).cycle)
        return "0" * min(len(str(len(self.record) * self.record.law.flits)), cycles)


CHANNEL_COLUMNS: Final[tuple[Column[ChannelRows], ...]] = (
    Column(
        "Channel",
        lambda d, row: d.cell(d.name(row), row),
        lambda d, row: d.name(row),
        key="channel",
        order=lambda d: d.figures.channels,
        widest=lambda d: d.names(),
        shrinks=True,
    ),
    Column(
        "Use",
        lambda d, row: d.cell(f"{100 * float(d.figures.use[row]):.1f} %", row),
        lambda d, row: d.figures.use[row],
        number=True,
        key="use",
        order=lambda d: d.figures.flits,
        widest=lambda _: ("100.0 %",),
    ),
    Column(
        "Flits",
        lambda d, row: d.cell(str(int(d.figures.flits[row])), row),
        lambda d, row: d.figures.flits[row],
        number=True,
        key="flits",
        order=lambda d: d.figures.flits,
        widest=lambda d: (d.most_flits(),),
    ),
    Column(
        "Waited",
        lambda d, row: d.cell(str(int(d.figures.waited[row])), row),
        lambda d, row: d.figures.waited[row],
        number=True,
        key="waited",
        order=lambda d: d.figures.waited,
        widest=lambda d: (zeros(len(str(int(d.figures.waited.max(initial=0)))), 5),),
    ),
    Column(
        "Held by",
        lambda d, row: d.holder_cell(row),
        lambda d, row: d.holder(row),
        key="held",
        order=lambda d: d.now.holders[d.figures.channels],
        widest=lambda d: (zeros(len(longest_texts_of(d.record).packet), 4),),
        swatch=True,
        grows=True,
    ),
    Column(
        "Waiting",
        lambda d, row: TableCell(str(d.waiting(row))) if d.waiting(row) else UNKNOWN,
        lambda d, row: d.waiting(row),
        number=True,
        key="waiting",
        order=lambda d: d.now.waiting[d.figures.channels],
        widest=lambda _: ("000000",),
    ),
)
# Use says what flits say, and the channel's card who holds it and who waits.
CHANNEL_GIVE_WAY: Final = tuple(GiveWay((title,), hide=True) for title in ("Flits", "Waiting", "Held by"))


@dataclass(frozen=True, eq=False)
class PassageRows:
    """The packets that pass a channel in the run, seen at a cycle."""

    record: NetworkRecord
    traffic: ChannelTraffic
    cycle: int

    def __len__(self) -> int:
        return len(self.traffic.packets)

    @property
    def title(self) -> str:
        """See TableSource."""
        return f"Packets through {describe_channel(self.record.mesh, self.traffic.channel)}"

    @property
    def scope(self) -> Hashable:
        """See TableSource."""
        return id(self.record), self.traffic.channel

    def packet(self, row: int) -> int:
        """The packet of a row."""
        return int(self.traffic.packets[row])

    def job(self, row: int) -> int:
        """The job whose packet it is."""
        return int(self.record.jobs[self.traffic.packets[row]])

    def granted(self, row: int) -> int:
        """When it was granted the channel."""
        return int(self.traffic.granted[row])

    def left(self, row: int) -> int | None:
        """When the channel was free again."""
        return known_cycle(int(self.traffic.left[row]))

    def held(self, row: int) -> int | None:
        """For how long it held the channel."""
        left = self.left(row)
        return None if left is None else left - self.granted(row)

    def link(self, row: int) -> PacketLink:
        """What a row stands for."""
        return PacketLink(self.packet(row), self.job(row))

    def begun(self, text: str, row: int, job: int | None = None) -> TableCell:
        """What is still to come stands back."""
        return TableCell(text, job, "text" if self.granted(row) <= self.cycle else "muted")

    def over(self, number: int | None, row: int) -> TableCell:
        """A number that is known once the channel is free again."""
        left = self.left(row)
        if number is None or left is None:
            return UNKNOWN
        return TableCell(str(number), tone="text" if left <= self.cycle else "muted")

    @cached_property
    def longest_hold(self) -> str:
        """The longest time for which a packet held it."""
        over = self.traffic.left != NEVER_YET
        return str(int((self.traffic.left - self.traffic.granted)[over].max(initial=0)))


PASSAGE_COLUMNS: Final[tuple[Column[PassageRows], ...]] = (
    Column(
        "Packet",
        lambda d, row: d.begun(str(d.packet(row)), row, d.job(row)),
        lambda d, row: d.packet(row),
        widest=lambda d: (zeros(len(longest_texts_of(d.record).packet), 3),),
        swatch=True,
    ),
    Column(
        "Job",
        lambda d, row: d.begun(str(d.job(row)), row),
        lambda d, row: d.job(row),
        number=True,
        widest=lambda d: (longest_texts_of(d.record).job,),
    ),
    Column(
        "Granted",
        lambda d, row: d.begun(str(d.granted(row)), row),
        lambda d, row: d.granted(row),
        number=True,
        widest=lambda d: (longest_texts_of(d.record).cycle,),
        grows=True,
    ),
    Column(
        "Free again",
        lambda d, row: d.over(d.left(row), row),
        lambda d, row: d.left(row),
        number=True,
        widest=lambda d: (longest_texts_of(d.record).cycle,),
        grows=True,
    ),
    Column(
        "Held",
        lambda d, row: d.over(d.held(row), row),
        lambda d, row: d.held(row),
        number=True,
        widest=lambda d: (zeros(len(d.longest_hold), 4),),
    ),
)
# The number of the job has its colour; for how long the channel is held says when it is free again.
PASSAGE_GIVE_WAY: Final = (GiveWay(("Job",), hide=True), GiveWay(("Free again",), hide=True))
