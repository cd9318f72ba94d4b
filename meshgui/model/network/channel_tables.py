"""All channels over a span of cycles, and the packets that pass one of them, by columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.sentences import ChannelLink
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import percent
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NEVER_YET
from meshgui.model.network.network_tables import (
    ChannelFigures,
    ChannelNow,
    ChannelTraffic,
    NetworkRows,
    PacketSource,
    known_cycle,
    zeros,
)
from meshgui.model.tables.columns import UNKNOWN, Column, GiveWay, TableCell


@dataclass(frozen=True, eq=False)
class ChannelRows(NetworkRows):
    """Channels over a span of cycles, with the packets that hold and wait for them now."""

    figures: ChannelFigures
    now: ChannelNow

    def __len__(self) -> int:
        return len(self.figures.channels)

    @property
    def title(self) -> str:
        return tr("Channels over cycles {begin} to {end}").format(
            begin=self.figures.begin, end=self.figures.end
        )

    def name(self, row: int) -> str:
        """The two ends of a channel."""
        return self.name_of(int(self.figures.channels[row]))

    def holder(self, row: int) -> int | None:
        """The packet that holds a channel."""
        holder = int(self.now.holders[self.figures.channels[row]])
        return None if holder == NO_PACKET else holder

    def waiting(self, row: int) -> int:
        """How many packets wait for a channel."""
        return int(self.now.waiting[self.figures.channels[row]])

    def link(self, row: int) -> ChannelLink:
        """What a row stands for."""
        return ChannelLink(int(self.figures.channels[row]))

    def tone(self, row: int) -> str:
        """Figures stand back where nothing went over the channel."""
        idle = not self.figures.flits[row] and not self.figures.waited[row]
        return "muted" if idle else "text"

    def holders_job(self, row: int) -> int | None:
        """The job whose packet holds it."""
        holder = self.holder(row)
        return None if holder is None else self.job_of(holder)

    def most_flits(self) -> str:
        """The greatest number of flits that a channel can carry in the run."""
        return "0" * min(len(str(len(self.record) * self.record.law.flits)), len(self.longest.cycle))


CHANNEL_COLUMNS: Final[tuple[Column[ChannelRows], ...]] = (
    Column(
        tr("Channel"),
        ChannelRows.name,
        tone=ChannelRows.tone,
        key="channel",
        order=lambda d: d.figures.channels,
        widest=ChannelRows.longest_channels,
        shrinks=True,
    ),
    Column(
        tr("Use"),
        lambda d, row: d.figures.use[row],
        cell=lambda d, row: TableCell(percent(float(d.figures.use[row]), ".1f"), tone=d.tone(row)),
        number=True,
        key="use",
        order=lambda d: d.figures.use,
        widest=lambda _: ("100.0 %",),
    ),
    Column(
        tr("Flits"),
        lambda d, row: d.figures.flits[row],
        tone=ChannelRows.tone,
        number=True,
        key="flits",
        id="flits",
        order=lambda d: d.figures.flits,
        widest=lambda d: (d.most_flits(),),
    ),
    Column(
        tr("Waited"),
        lambda d, row: d.figures.waited[row],
        tone=ChannelRows.tone,
        number=True,
        key="waited",
        order=lambda d: d.figures.waited,
        widest=lambda d: (zeros(len(str(int(d.figures.waited.max(initial=0)))), 5),),
    ),
    Column(
        tr("Held by"),
        ChannelRows.holder,
        job=ChannelRows.holders_job,
        key="held",
        id="held",
        order=lambda d: d.now.holders[d.figures.channels],
        widest=lambda d: (zeros(len(d.longest.packet), 4),),
        grows=True,
    ),
    Column(
        tr("Waiting", "packets, at a channel"),
        ChannelRows.waiting,
        cell=lambda d, row: TableCell(str(d.waiting(row))) if d.waiting(row) else UNKNOWN,
        number=True,
        key="waiting",
        id="waiting",
        order=lambda d: d.now.waiting[d.figures.channels],
        widest=lambda _: ("000000",),
    ),
)
# Use says what flits say, and the channel's card who holds it and who waits.
CHANNEL_GIVE_WAY: Final = tuple(GiveWay((column,), hide=True) for column in ("flits", "waiting", "held"))


@dataclass(frozen=True, eq=False)
class PassageRows(PacketSource):
    """The packets that pass a channel in the run, seen at a cycle."""

    traffic: ChannelTraffic
    cycle: int

    @property
    def packets(self) -> Ints:
        """The packet of each row."""
        return self.traffic.packets

    @property
    def title(self) -> str:
        return tr("Packets through {channel}").format(channel=self.name_of(self.traffic.channel))

    @property
    def scope(self) -> Hashable:
        return id(self.record), self.traffic.channel

    def granted(self, row: int) -> int:
        """The cycle in which it was granted the channel."""
        return int(self.traffic.granted[row])

    def left(self, row: int) -> int | None:
        """The cycle in which the channel was free again."""
        return known_cycle(int(self.traffic.left[row]))

    def held(self, row: int) -> int | None:
        """For how long it held the channel."""
        left = self.left(row)
        return None if left is None else left - self.granted(row)

    def begun(self, row: int) -> str:
        """A passage that is still to come stands back."""
        return "text" if self.granted(row) <= self.cycle else "muted"

    def over(self, row: int) -> str:
        """The end of a passage stands back until the channel is free again."""
        return "text" if self.traffic.left[row] <= self.cycle else "muted"

    @cached_property
    def longest_hold(self) -> str:
        """The longest time for which a packet held it."""
        over = self.traffic.left != NEVER_YET
        return str(int((self.traffic.left - self.traffic.granted)[over].max(initial=0)))


PASSAGE_COLUMNS: Final[tuple[Column[PassageRows], ...]] = (
    Column(
        tr("Packet"),
        PassageRows.packet,
        job=PassageRows.job,
        tone=PassageRows.begun,
        widest=lambda d: (zeros(len(d.longest.packet), 3),),
    ),
    Column(
        tr("Job"),
        PassageRows.job,
        tone=PassageRows.begun,
        id="job",
        number=True,
        widest=lambda d: (d.longest.job,),
    ),
    Column(
        tr("Granted"),
        PassageRows.granted,
        tone=PassageRows.begun,
        number=True,
        widest=lambda d: (d.longest.cycle,),
        grows=True,
    ),
    Column(
        tr("Free again"),
        PassageRows.left,
        tone=PassageRows.over,
        id="left",
        number=True,
        widest=lambda d: (d.longest.cycle,),
        grows=True,
    ),
    Column(
        tr("Held"),
        PassageRows.held,
        tone=PassageRows.over,
        number=True,
        widest=lambda d: (zeros(len(d.longest_hold), 4),),
    ),
)
# The number of the job has its colour; for how long the channel is held says when it is free again.
PASSAGE_GIVE_WAY: Final = (GiveWay(("job",), hide=True), GiveWay(("left",), hide=True))
