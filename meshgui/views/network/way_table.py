"""A packet's way, channel by channel: when it asked, was granted, entered and left, who was in its way."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from meshgui.engine.network.record import NEVER_YET, NetworkRecord, Passage
from meshgui.engine.network.routing import EJECT, INJECT, WAYS, describe_channel, describe_node
from meshgui.model.network_tables import way_of
from meshgui.model.packet_tables import way_table
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, TableCell, TableRows
from meshgui.views.widgets.labels import SWATCH

__all__ = ["WayTable"]

_COLUMNS: Final = (
    Column("Channel"),
    Column("Asked", number=True),
    Column("Granted", number=True),
    Column("Entered", number=True),
    Column("Left", number=True),
    Column("Waited", number=True),
    Column("By"),
)
_TIMES: Final = range(1, 5)
_ASKED, _GRANTED, _ENTERED, _LEFT, _WAITED, _BY = range(1, 7)


class WayTable(DataTable):
    """One row a channel, and one more for each further packet that blocked there.

    A click on a time goes there, one on a packet or a channel selects it.
    """

    asked_time = Signal(int)

    def __init__(self, selection: Selection, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(TableRows(_COLUMNS), themes, parent)
        self.rows.setParent(self)
        self._selection = selection
        self._record: NetworkRecord | None = None
        self._way: list[tuple[Passage, int]] = []  # a passage, and which of its blockers
        self._packet, self._cycle, self._current = 0, 0, -1
        self._short = False
        self._since: int | None = None  # times are counted from here where whole ones have no room
        self._sent = 0
        self.look_with(self._seen)
        self.tell_figures(self._all_times)
        self.pointed.connect(self._pointed)
        self.chosen.connect(self._chosen)
        self.walked.connect(lambda row: self._pointed(row, 0))
        self.widened.connect(self._fit)
        themes.changed.connect(self._fit)

    def show_way(self, record: NetworkRecord, packet: int, cycle: int, channel: int) -> None:
        """Show a packet's way; `channel` is the one it is at in this cycle."""
        fresh = record is not self._record
        self._record, self._cycle, self._current = record, cycle, channel
        self._packet, self._sent = packet, int(record.sent[packet])
        way = [
            (passage, blocker) for passage in way_of(record, packet) for blocker in _shown_blockers(passage)
        ]
        moved = way != self._way
        self._way = way
        self.rows.fill(len(way), self._cell)
        if fresh or moved:
            self._fit()
        at = next((i for i, (passage, _) in enumerate(way) if passage.channel == channel), None)
        if at is not None:
            self.reveal(at)

    def _cell(self, row: int, column: int) -> TableCell:
        record = self._record
        if record is None or row >= len(self._way):
            return TableCell("")
        passage, nth = self._way[row]
        ahead = "text" if passage.asked <= self._cycle else "muted"
        if nth != _shown_blockers(passage)[0] and column < _BY:
            return TableCell("")
        if column == 0:
            name = self._channel_name(record, passage.channel)
            return TableCell(name, tone=ahead, shorter=(name.partition(" (")[0],))
        if column in _TIMES:
            return self._time(_cycle_of(passage, column))
        waited = min(passage.granted, self._cycle) - passage.asked if passage.asked <= self._cycle else 0
        if column == _WAITED:
            return TableCell(str(waited) if waited else "–", tone=ahead)
        if not passage.blockers:
            return TableCell("–" if passage.asked <= self._cycle else "")
        blocker = passage.blockers[nth]
        return TableCell(_names(passage, nth), int(record.jobs[blocker]), tone=ahead)

    def _time(self, cycle: int) -> TableCell:
        if cycle == NEVER_YET:
            return TableCell("–")
        text = str(cycle) if self._since is None else f"+{cycle - self._since}"
        return TableCell(text, tone="text" if cycle <= self._cycle else "muted")

    def _channel_name(self, record: NetworkRecord, channel: int) -> str:
        """The whole name, or where there is little room only where it leads to."""
        name = describe_channel(record.mesh, channel)
        return f"→{name.split('→')[1]}" if self._short and "→" in name else name

    def _all_times(self) -> PlainTable | None:
        return way_table(self._record, self._packet) if self._record is not None else None

    def _seen(self, row: int) -> RowLook:
        passage, nth = self._way[row]
        channel, selection = passage.channel, self._selection
        blocker = passage.blockers[nth] if passage.blockers else None
        return RowLook(
            channel == selection.channel,
            channel == selection.hovered_channel
            or (blocker is not None and blocker == selection.hovered_packet),
            channel == self._current,
        )

    def _pointed(self, row: int, column: int) -> None:
        record = self._record
        link = False
        if row < 0 or record is None:
            self._selection.hover(None)
        else:
            passage, nth = self._way[row]
            if column == _BY and passage.blockers:
                blocker = passage.blockers[nth]
                self._selection.hover(int(record.jobs[blocker]), blocker)
                link = True
            else:
                self._selection.hover(None, None, passage.channel)
                link = column == 0 or (column in _TIMES and _cycle_of(passage, column) != NEVER_YET)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.ArrowCursor)

    def _chosen(self, row: int, column: int) -> None:
        record = self._record
        passage, nth = self._way[row]
        if record is None:
            return
        if column == _BY and passage.blockers:
            blocker = passage.blockers[nth]
            self._selection.select_packet(blocker, int(record.jobs[blocker]))
        elif column in _TIMES:
            if _cycle_of(passage, column) != NEVER_YET:
                self.asked_time.emit(_cycle_of(passage, column))
        elif column == 0:
            self._selection.select_channel(passage.channel)

    def _fit(self) -> None:
        """Where room is short, leave granting out (a cycle before entering), shorten names and times."""
        record = self._record
        if record is None:
            return
        px, metrics = self._themes.px, QFontMetrics(self._themes.text())
        caption = QFontMetrics(self._themes.text("caption")).horizontalAdvance
        wide = metrics.horizontalAdvance
        latest = int(record.packet_times[-1]) if len(record.packet_times) else 0
        number = wide("0" * max(len(str(latest)), 3))
        times = [max(number, caption(_COLUMNS[i].title)) + px(8) + 2 for i in _TIMES]
        longest = max((_waited(passage, latest) for passage, _ in self._way), default=0)
        waited = max(wide("0" * max(len(str(longest)), 3)), caption("Waited")) + px(8) + 2
        names = [wide(_names(passage, nth)) for passage, nth in self._way if passage.blockers]
        by = px(SWATCH + 6 + 8) + max(wide("0" * max(len(str(len(record))), 2)), *names, 0) + 2
        corner = record.mesh.processors - 1
        link = describe_channel(record.mesh, corner * WAYS + 1) if record.mesh.extents[0] > 1 else ""
        ends = max(wide(describe_channel(record.mesh, corner * WAYS + way)) for way in (INJECT, EJECT))
        named = px(16) + max(wide(link), ends) + 2
        ahead = wide(f"→{describe_node(record.mesh, corner)}")
        brief, briefest = px(16) + max(ahead, ends) + 2, px(16) + max(ahead, wide("out of")) + 2
        rest = sum(times) + waited + by
        self._short = self.room < rest + named
        aside = [_GRANTED] if self.room < rest + brief else []
        self._since = self._sent if self.room < rest + brief - sum(times[i - 1] for i in aside) else None
        if self._since is not None:
            times_of = (_cycle_of(passage, i) for passage, _ in self._way for i in _TIMES)
            last = max((time for time in times_of if time != NEVER_YET), default=0)
            length = wide(f"+{'0' * len(str(max(last - self._sent, 100)))}")
            times = [max(length, caption(_COLUMNS[i].title)) + px(8) + 2 for i in _TIMES]
        first = brief if self._short else named

        def spare() -> int:
            return self.room - first - waited - by - sum(times[i - 1] for i in _TIMES if i not in aside)

        if spare() < 0:
            first = briefest  # whose processor it is, the route above says
        for column in (_LEFT, _ENTERED, _ASKED):  # what the next channels' times tell, more or less
            aside += [column] if spare() < 0 else []
        for column in _TIMES:
            self.setColumnHidden(column, column in aside)
        left = spare()
        self.set_widths((max(first + min(left, 0), 1), *times, waited, by + max(left, 0)))


def _cycle_of(passage: Passage, column: int) -> int:
    return (passage.asked, passage.granted, passage.entered, passage.left)[column - 1]


def _waited(passage: Passage, end: int) -> int:
    """How long a header waits there in the run, which ends at some cycle."""
    if passage.asked == NEVER_YET:
        return 0
    return (end if passage.granted == NEVER_YET else passage.granted) - passage.asked


def _names(passage: Passage, nth: int) -> str:
    """Who blocked there; of a queue at an injection the last, and how many came before it."""
    before = f" +{nth}" if nth and passage.channel % WAYS == INJECT else ""
    return f"{passage.blockers[nth]}{before}"


def _shown_blockers(passage: Passage) -> range:
    """Which of those that blocked there have a row: all, but of a queue at an injection the last only."""
    if passage.channel % WAYS == INJECT and passage.blockers:
        return range(len(passage.blockers) - 1, len(passage.blockers))
    return range(max(len(passage.blockers), 1))
