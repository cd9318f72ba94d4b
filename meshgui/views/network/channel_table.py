"""All channels: how much each is used, how long headers waited for it, who holds it now and how many wait."""

from __future__ import annotations

from typing import Final, get_args

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import INJECT, LINKS, WAYS, describe_channel
from meshgui.engine.network.wormhole import NOBODY
from meshgui.model.cursor import Cursor, View
from meshgui.model.network_tables import (
    ChannelFigures,
    ChannelNow,
    ChannelOrder,
    channel_figures,
    channel_now,
    channel_totals,
    order_of,
)
from meshgui.model.packet_tables import channel_table
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, SortOrder, TableCell, TableRows
from meshgui.views.widgets.fitting_label import FittingLabel
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH
from meshgui.views.widgets.segmented import Segmented

__all__ = ["ChannelTable", "span_of"]

_COLUMNS: Final = (
    Column("Channel", key="channel"),
    Column("Use", number=True, key="use"),
    Column("Flits", number=True, key="flits"),
    Column("Waited", number=True, key="waited"),
    Column("Held by", key="held"),
    Column("Waiting", number=True, key="waiting"),
)
_FLITS, _HELD, _WAITING = 2, 4, 5
_KINDS: Final = (("Links", "The links between routers"), ("All", "Also into and out of the processors"))
_MANY_HOPS: Final = 400_000  # from here on the figures follow when the cursor rests
_REST_MS: Final = 80


class ChannelTable(FollowingView):
    """A table of channels under the span of cycles that it is about."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(cursor, selection, themes, parent)
        self.figures: ChannelFigures | None = None
        self._record: NetworkRecord | None = None
        self._shown_for: tuple[object, ...] = ()
        self._now: ChannelNow | None = None
        self._order = np.zeros(0, dtype=np.int64)
        self._selected: int | None = None
        self._waits = 5  # digits of the longest wait seen in this run
        self._chosen_here = False
        self.span = FittingLabel(themes, "caption", "muted")
        self.kinds = Segmented(_KINDS, themes)
        self.kinds.chosen.connect(lambda _: self._count())
        self.table = DataTable(TableRows(_COLUMNS, self), themes)
        self.table.sort_by(SortOrder("use", descending=True))
        self.table.sorted_by.connect(lambda *_: self._fill())
        self.table.answer_to(self._look, self._pointed, self._chosen, self._fit_columns)
        self.table.tell_figures(self._all_figures)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._count)
        self._head = QHBoxLayout()
        self._head.addWidget(self.span, 1)
        self._head.addWidget(self.kinds)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addWidget(self.table, 1)
        themes.changed.connect(self._wear)
        self._wear()

    def show_view(self, view: View | None) -> None:
        """Show the channels as they are now."""
        record = view.recording.network if view is not None else None
        moment = view.network if view is not None else None
        if record is None or moment is None:
            self._record = self._now = self.figures = None
            self.table.rows.fill(0, lambda _row, _column: TableCell(""))
            return
        fresh = record is not self._record
        self._record = record
        self._now = channel_now(record, moment)
        if fresh:
            self._waits = 5
            self._fit_columns()
        if len(record.raw.channels) < _MANY_HOPS:
            self._count()
        else:
            if fresh:
                self.figures = None
                self.span.setText("Counting what every channel carried…")
            self._rest.start(_REST_MS)
            self._fill()

    def show_selection(self) -> None:
        """Count over another span if it is another; mark what is selected; scroll to it."""
        self._count()
        channel = self._selection.channel
        figures = self.figures
        if (
            channel != self._selected
            and channel is not None
            and figures is not None
            and not self._chosen_here
        ):
            if channel % WAYS >= LINKS and self.kinds.index == 0:
                self.kinds.choose(1)
                self._count()
            at = np.flatnonzero(self._channels() == channel)
            if len(at):
                self.table.reveal(int(at[0]))
        self._selected = channel
        self.table.viewport().update()

    def channel_at(self, row: int) -> int:
        """The channel of a row of the table."""
        return int(self._channels()[row])

    def _count(self) -> None:
        """Take the figures up over the span there is now, if they are not known."""
        record, view = self._record, self._cursor.view
        if record is None or view is None:
            return
        begin, end = span_of(self._selection, view)
        wanted = (record, begin, end, self.kinds.index)
        if wanted != self._shown_for or self.figures is None:
            if not channel_totals(record).come_nearer(end):
                self._rest.start(0)  # the rest in parts, so that the window answers meanwhile
                return
            self._shown_for = wanted
            self.figures = channel_figures(record, begin, end, links_only=self.kinds.index == 0)
            chosen = self._selection.span is not None
            cycles = f"{begin} to {end}"
            whose = "as chosen" if chosen else "the run so far"
            self.span.say(f"Cycles {cycles}, {whose}", f"Cycles {cycles}", cycles)
            self._keep_room()
        self._fill()

    def _fill(self) -> None:
        figures, now, order = self.figures, self._now, self.table.order
        if figures is None or now is None or order is None:
            self.table.rows.fill(0, lambda _row, _column: TableCell(""))
            return
        key = next(key for key in get_args(ChannelOrder) if key == order.key)
        self._order = order_of(figures, now, key, descending=order.descending)
        self.table.rows.fill(len(self._order), self._cell)

    def _channels(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        if self.figures is None:
            return np.zeros(0, dtype=np.int64)
        return self.figures.channels[self._order]

    def _cell(self, row: int, column: int) -> TableCell:
        figures, now, record = self.figures, self._now, self._record
        if figures is None or now is None or record is None or row >= len(self._order):
            return TableCell("")
        at = int(self._order[row])
        channel = int(figures.channels[at])
        idle = not figures.flits[at] and not figures.waited[at]
        tone = "muted" if idle else "text"
        if column == 0:
            return TableCell(describe_channel(record.mesh, channel), tone=tone)
        if column == 1:
            return TableCell(f"{100 * float(figures.use[at]):.1f} %", tone=tone)
        if column == _FLITS:
            return TableCell(str(int(figures.flits[at])), tone=tone)
        if column == 3:
            return TableCell(str(int(figures.waited[at])), tone=tone)
        if column == 4:
            holder = int(now.holders[channel])
            return TableCell("–") if holder == NOBODY else TableCell(str(holder), int(record.jobs[holder]))
        waiting = int(now.waiting[channel])
        return TableCell(str(waiting) if waiting else "–")

    def _all_figures(self) -> PlainTable | None:
        if self._record is None or self.figures is None or self._now is None:
            return None
        return channel_table(self._record, self.figures, self._now, self._order)

    def _look(self, row: int) -> RowLook:
        if row >= len(self._order):
            return RowLook()
        channel, selection, now = self.channel_at(row), self._selection, self._now
        holder = int(now.holders[channel]) if now is not None else NOBODY
        held = holder != NOBODY and holder in {selection.packet, selection.hovered_packet}
        return RowLook(channel == selection.channel, held or channel == selection.hovered_channel)

    def _pointed(self, row: int, _column: int) -> None:
        self._selection.hover(None, None, self.channel_at(row) if row >= 0 else None)

    def _chosen(self, row: int, _column: int) -> None:
        self._chosen_here = True
        self._selection.select_channel(self.channel_at(row))
        self._chosen_here = False

    def _keep_room(self) -> None:
        """A column once wide stays so for the run: what all headers have waited is known only by counting."""
        figures = self.figures
        longest = len(str(int(figures.waited.max(initial=0)))) if figures is not None else 0
        if longest > self._waits:
            self._waits = longest
            self._fit_columns()

    def _fit_columns(self) -> None:
        """Columns for the longest there can be; flits, which use says too, only where there is room."""
        record = self._record
        if record is None:
            return
        px, wide = self._themes.px, QFontMetrics(self._themes.text()).horizontalAdvance
        caption = QFontMetrics(self._themes.text("caption")).horizontalAdvance
        corner = (record.mesh.processors - 1) * WAYS
        names = [describe_channel(record.mesh, corner + way) for way in (1, INJECT)]
        name = px(16) + max(wide(name) for name in names[record.mesh.extents[0] < 2 :]) + 2

        def number(digits: int, title: str) -> int:
            return px(8) + max(wide("0" * digits), caption(f"{title} ↓") + px(2)) + 2

        latest = int(record.packet_times[-1]) if len(record.packet_times) else 0
        flits = number(len(str(min(len(record) * record.law.flits, latest))), "Flits")
        use, waited = px(8) + wide("100.0 %") + 2, number(self._waits, "Waited")
        waiting = number(6, "Waiting")
        held = px(SWATCH + 6 + 8) + wide("0" * max(len(str(len(record))), 4)) + 2
        rest = name + use + waited + held + waiting
        widths = {_FLITS: flits, _WAITING: waiting, _HELD: held}
        aside = [_FLITS] if self.table.room < rest + flits else []
        for column in (_WAITING, _HELD):  # the channel's card tells of both
            if self.table.room < rest:
                aside.append(column)
                rest -= widths[column]
        for column in widths:
            self.table.setColumnHidden(column, column in aside)
        spare = self.table.room - rest - (0 if _FLITS in aside else flits)
        name = max(name + min(spare, 0), 1)
        self.table.set_widths((name, use, flits, waited, held + max(spare, 0), waiting))

    def _wear(self) -> None:
        px = self._themes.px
        self._head.setContentsMargins(px(12), px(4), px(12), px(4))
        self._head.setSpacing(px(8))
        self._fit_columns()


def span_of(selection: Selection, view: View) -> tuple[int, int]:
    """The cycles over which the use of channels is looked at: those chosen, or the run so far."""
    return selection.span if selection.span is not None else (0, view.cycle)
