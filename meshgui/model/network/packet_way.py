"""A packet's way, channel by channel, with the packets that blocked it, by columns."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.sentences import ChannelLink, CycleLink, Link, PacketLink
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NEVER_YET, Passage
from meshgui.engine.network.routing import EJECT, INJECT, LINKS, WAYS
from meshgui.model.moment.packet_states import short_channel_name
from meshgui.model.network.network_tables import NetworkRows, known_cycle, way_of, zeros
from meshgui.model.tables.columns import UNKNOWN, Column, GiveWay, TableCell


class WayRow(NamedTuple):
    """A channel of a way, and one of the packets that blocked there, if any did."""

    passage: Passage
    nth: int

    @property
    def blocker(self) -> int | None:
        """The packet that blocked there."""
        return self.passage.blockers[self.nth] if self.passage.blockers else None

    @property
    def times(self) -> tuple[int, int, int, int]:
        """When the header asked, was granted and entered the channel, and when the tail left it."""
        return self.passage[1:5]

    @property
    def leads(self) -> bool:
        """Whether it is the first row of its channel that is shown."""
        return self.nth == self.passage_shown[0]

    @property
    def passage_shown(self) -> range:
        """Which of those that blocked there have a row: all, but of a queue at an injection the last only."""
        count = len(self.passage.blockers)
        if self.passage.channel % WAYS == INJECT and count:
            return range(count - 1, count)
        return range(max(count, 1))

    @property
    def blocker_words(self) -> str:
        """Who blocked there; of a queue at an injection the last, and how many came before it."""
        before = f" +{self.nth}" if self.nth and self.passage.channel % WAYS == INJECT else ""
        return f"{self.blocker}{before}"

    @property
    def waited(self) -> int | None:
        """How long the header waited for the channel, if that is known."""
        passage = self.passage
        return None if NEVER_YET in (passage.asked, passage.granted) else passage.waited

    def waited_by(self, cycle: int) -> int:
        """How long the header has waited by the end of a cycle."""
        passage = self.passage
        return min(passage.granted, cycle) - passage.asked if passage.asked <= cycle else 0


@dataclass(frozen=True, eq=False)
class WayRows(NetworkRows):
    """A packet's way in the whole run, seen at a cycle: a row a channel, and one for each further blocker.

    In files the times of the channel are in each of its rows, so that rows may be sorted.
    """

    packet: int
    cycle: int

    @cached_property
    def rows(self) -> tuple[WayRow, ...]:
        """All rows, those for files alone too."""
        passages = way_of(self.record, self.packet)
        return tuple(WayRow(p, nth) for p in passages for nth in range(max(len(p.blockers), 1)))

    @property
    def shown(self) -> list[int]:
        """The rows that a view shows."""
        return [at for at, row in enumerate(self.rows) if row.nth in row.passage_shown]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def title(self) -> str:
        return tr("Way of packet {packet}").format(packet=self.packet)

    @property
    def scope(self) -> Hashable:
        return id(self.record), self.packet

    def name(self, row: int) -> str:
        """The channel."""
        return self.name_of(self.rows[row].passage.channel)

    def job(self, row: int) -> int | None:
        """The job whose packet blocked there."""
        blocker = self.rows[row].blocker
        return None if blocker is None else self.job_of(blocker)

    def row_link(self, row: int) -> ChannelLink:
        """What a row stands for."""
        return ChannelLink(self.rows[row].passage.channel)

    def blocker_link(self, row: int) -> PacketLink | None:
        """The packet that blocked there."""
        blocker = self.rows[row].blocker
        return None if blocker is None else PacketLink(blocker, self.job_of(blocker))

    # Cells

    def _tone(self, row: int) -> str:
        """What is still to come stands back."""
        return "text" if self.rows[row].passage.asked <= self.cycle else "muted"

    def channel_cell(self, row: int, *, brief: bool = False) -> TableCell:
        """The whole name, or where there is little room only where it leads to."""
        if not self.rows[row].leads:
            return TableCell("")
        channel, name = self.rows[row].passage.channel, self.name(row)
        short = short_channel_name(self.record, channel)
        link = channel % WAYS < LINKS
        return TableCell(
            short if brief and link else name, tone=self._tone(row), shorter=() if link else (short,)
        )

    def waited_cell(self, row: int) -> TableCell:
        """How long it has waited so far."""
        if not self.rows[row].leads:
            return TableCell("")
        waited = self.rows[row].waited_by(self.cycle)
        return TableCell(str(waited), tone=self._tone(row)) if waited else UNKNOWN

    def blocker_cell(self, row: int) -> TableCell:
        """Who blocked it, in its job's colour."""
        blocker = self.rows[row].blocker
        if blocker is None:
            return UNKNOWN if self.rows[row].passage.asked <= self.cycle else TableCell("")
        return TableCell(self.rows[row].blocker_words, self.job(row), self._tone(row))

    # Room

    def names(self) -> tuple[str, ...]:
        """The longest names of channels there can be."""
        return self.longest.link, *self._doors()

    def brief_names(self) -> tuple[str, ...]:
        """The same of their shorter forms."""
        return f"→{self.longest.node}", *self._doors()

    def _doors(self) -> tuple[str, ...]:
        corner = self.record.mesh.processors - 1
        return tuple(self.name_of(corner * WAYS + way) for way in (INJECT, EJECT))

    @cached_property
    def longest_wait(self) -> str:
        """The longest wait of the way; one that has not ended lasts to the end of the run."""
        end = int(self.record.packet_times[-1]) if len(self.record.packet_times) else 0
        return str(max((row.waited_by(end) for row in self.rows), default=0))

    @cached_property
    def longest_since(self) -> str:
        """The longest time since the packet was sent."""
        sent = int(self.record.sent[self.packet])
        times = [time for row in self.rows for time in row.times if time != NEVER_YET]
        return "+" + "0" * len(str(max(max(times, default=0) - sent, 100)))


def _time_column(title: str, name: str, time: int) -> Column[WayRows]:
    """When the packet did something at a channel; in short from when it was sent."""

    def cycle(d: WayRows, row: int) -> int | None:
        return known_cycle(d.rows[row].times[time])

    def cell(d: WayRows, row: int, since: int = 0, sign: str = "") -> TableCell:
        found = cycle(d, row)
        if not d.rows[row].leads:
            return TableCell("")
        if found is None:
            return UNKNOWN
        return TableCell(f"{sign}{found - since}", tone="text" if found <= d.cycle else "muted")

    def link(d: WayRows, row: int) -> Link | None:
        found = cycle(d, row)
        return None if found is None else CycleLink(found)

    return Column(
        title,
        cycle,
        cell=cell,
        id=name,
        number=True,
        widest=lambda d: (zeros(len(d.longest.cycle), 3),),
        shorter=(lambda d: (d.longest_since,),),
        brief=lambda d, row: cell(d, row, int(d.record.sent[d.packet]), "+"),
        link=link,
    )


WAY_COLUMNS: Final[tuple[Column[WayRows], ...]] = (
    Column(
        tr("Channel"),
        WayRows.name,
        cell=WayRows.channel_cell,
        id="channel",
        widest=WayRows.names,
        # The shortest leaves out the processor, which the route above says.
        shorter=(WayRows.brief_names, lambda d: (f"→{d.longest.node}", tr("out of"))),
        brief=lambda d, row: d.channel_cell(row, brief=True),
        shrinks=True,
        link=WayRows.row_link,
    ),
    _time_column(tr("Asked"), "asked", 0),
    _time_column(tr("Granted"), "granted", 1),
    _time_column(tr("Entered"), "entered", 2),
    _time_column(tr("Left", "the channel"), "left", 3),
    Column(
        tr("Waited"),
        lambda d, row: d.rows[row].waited,
        cell=WayRows.waited_cell,
        number=True,
        widest=lambda d: (zeros(len(d.longest_wait), 3),),
        link=lambda _d, _row: None,
    ),
    Column(
        tr("By"),
        lambda d, row: d.rows[row].blocker,
        job=WayRows.job,
        cell=WayRows.blocker_cell,
        widest=lambda d: (
            zeros(len(d.longest.packet), 2),
            *(row.blocker_words for row in d.rows if row.passage.blockers and row.nth in row.passage_shown),
        ),
        grows=True,
        link=WayRows.blocker_link,
    ),
    Column(tr("Job of that"), WayRows.job, shown=False),
)
# Granting is a cycle before entering; the next channels' times say, more or less, what the last ones do.
WAY_GIVE_WAY: Final = (
    GiveWay(("channel",)),
    GiveWay(("granted",), hide=True),
    GiveWay(("asked", "granted", "entered", "left")),
    GiveWay(("channel",)),
    GiveWay(("left",), hide=True),
    GiveWay(("entered",), hide=True),
    GiveWay(("asked",), hide=True),
)
