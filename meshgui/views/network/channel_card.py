"""One channel: its figures, its use over time, and who passes it in turn."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from meshgui.engine.allocation.base import counted
from meshgui.engine.network.record import NEVER_YET, NetworkRecord
from meshgui.engine.network.routing import WAYS, describe_channel
from meshgui.engine.network.wormhole import NOBODY
from meshgui.model.cursor import Cursor, View
from meshgui.model.network_tables import ChannelTraffic, channel_now, channel_traffic, flits_within
from meshgui.model.packet_tables import passage_table
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.network.channel_table import span_of
from meshgui.views.network.use_curve import UseCurve
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, TableCell, TableRows
from meshgui.views.widgets.fitting_label import FittingLabel
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH, ElidedLabel

__all__ = ["ChannelCard"]

_COLUMNS: Final = (
    Column("Packet"),
    Column("Job", number=True),
    Column("Granted", number=True),
    Column("Free again", number=True),
    Column("Held", number=True),
)


class ChannelCard(FollowingView):
    """The selected channel."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(cursor, selection, themes, parent)
        self.channel: int | None = None
        self._record: NetworkRecord | None = None
        self._traffic: ChannelTraffic | None = None
        self._cycle = 0
        self._shelf = IconShelf(themes)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold)
        self.now = FittingLabel(themes)
        self.figures = FittingLabel(themes, colour="muted")
        self.curve = UseCurve(themes)
        self.curve.picked.connect(lambda cycle: cursor.go_to_time(float(cycle)))
        self.table = DataTable(TableRows(_COLUMNS, self), themes)
        self.table.placeholder = "No packet passes it."
        self.table.tell_figures(self._figures)
        self.table.answer_to(self._look, self._pointed, self._chosen, self._fit_columns)
        self.back = QToolButton()
        self.back.setToolTip("Show all channels")
        self.back.setAccessibleName("Show all channels")
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back.clicked.connect(lambda: selection.select_channel(None))
        self._shelf.dress(self.back, "list")
        self._head = QHBoxLayout()
        self._head.addWidget(self.back)
        self._head.addWidget(self.title, 1)
        self._words = QVBoxLayout()
        self._words.addWidget(self.now)
        self._words.addWidget(self.figures)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addLayout(self._words)
        column.addWidget(self.curve)
        column.addWidget(self.table, 1)
        themes.changed.connect(self._wear)
        self._wear()

    def show_view(self, view: View | None) -> None:
        """Show the channel as it is now."""
        record = view.recording.network if view is not None else None
        moment = view.network if view is not None else None
        channel = self._selection.channel
        if view is None or record is None or moment is None or channel is None:
            self.channel = None
            return
        if channel >= record.mesh.processors * WAYS:  # selected on another mesh
            self.channel = None
            return
        fresh = channel != self.channel or record is not self._record
        moved = view.cycle != self._cycle
        self.channel, self._record, self._cycle = channel, record, view.cycle
        traffic = self._traffic = channel_traffic(record, channel)
        begin, end = span_of(self._selection, view)
        flits, share = flits_within(traffic.crossings, begin, end)
        self.title.setText(describe_channel(record.mesh, channel))
        self.curve.name(self.title.text())
        now = channel_now(record, moment)
        holder, waiting = int(now.holders[channel]), int(now.waiting[channel])
        brief = "Free" if holder == NOBODY else f"Held by packet {holder}"
        held = brief if holder == NOBODY else f"{brief} of job {int(record.jobs[holder])}"
        wait = f"{waiting or 'none'} {'waits' if waiting < 2 else 'wait'}"
        self.now.say(f"{held} · {wait} for it", f"{brief} · {wait}", brief)
        carried = f"{counted(flits, 'flit')}, in use {100 * share:.1f} %"
        self.figures.say(f"Cycles {begin} to {end}: {carried}", carried, f"in use {100 * share:.1f} %")
        self.curve.show_traffic(
            traffic, self._selection.span or (0, int(view.recording.end_time)), view.cycle
        )
        self.table.rows.fill(len(traffic.packets), self._cell)
        if fresh:
            self._fit_columns()
        if fresh or moved:
            self._reveal_now()

    def show_selection(self) -> None:
        """Show another channel or span."""
        self.show_view(self._cursor.view)
        self.table.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Backspace and Escape go back to all channels, from wherever in the card."""
        if event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Escape}:
            self.back.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another height shows other rows."""
        super().resizeEvent(event)
        self._reveal_now()

    def _reveal_now(self) -> None:
        """Bring the packet into sight that was granted the channel last."""
        if self._traffic is not None and self.channel is not None:
            at = int(np.searchsorted(self._traffic.granted, self._cycle, side="right")) - 1
            if 0 <= at < self.table.rows.rowCount():
                self.table.reveal(at)

    def _cell(self, row: int, column: int) -> TableCell:
        traffic, record = self._traffic, self._record
        if traffic is None or record is None or row >= len(traffic.packets):
            return TableCell("")
        packet, granted, left = (int(part[row]) for part in (traffic.packets, traffic.granted, traffic.left))
        tone = "text" if granted <= self._cycle else "muted"
        if column == 0:
            return TableCell(str(packet), int(record.jobs[packet]), tone)
        if column == 1:
            return TableCell(str(int(record.jobs[packet])), tone=tone)
        if column == 2:
            return TableCell(str(granted), tone=tone)
        if left == NEVER_YET:
            return TableCell("–")
        known = "text" if left <= self._cycle else "muted"
        return TableCell(str(left if column == 3 else left - granted), tone=known)

    def _figures(self) -> PlainTable | None:
        traffic, record = self._traffic, self._record
        if traffic is None or record is None or self.channel is None:
            return None
        return passage_table(record, traffic)

    def _look(self, row: int) -> RowLook:
        traffic, selection = self._traffic, self._selection
        if traffic is None or row >= len(traffic.packets):
            return RowLook()
        packet = int(traffic.packets[row])
        holds = bool(traffic.granted[row] <= self._cycle < traffic.left[row])
        return RowLook(packet == selection.packet, packet == selection.hovered_packet, holds)

    def _pointed(self, row: int, _column: int) -> None:
        traffic, record = self._traffic, self._record
        if row < 0 or traffic is None or record is None:
            self._selection.hover(None)
        else:
            packet = int(traffic.packets[row])
            self._selection.hover(int(record.jobs[packet]), packet)

    def _chosen(self, row: int, column: int) -> None:
        traffic, record = self._traffic, self._record
        if traffic is None or record is None:
            return
        packet = int(traffic.packets[row])
        self._selection.select_packet(packet, int(record.jobs[packet]))
        time = int((traffic.granted, traffic.left)[column == 3][row])
        if column in {2, 3} and time != NEVER_YET:
            self._cursor.go_to_time(float(time))

    def _longest_hold(self) -> int:
        traffic = self._traffic
        if traffic is None:
            return 0
        over = traffic.left != NEVER_YET
        return int((traffic.left - traffic.granted)[over].max(initial=0))

    def _fit_columns(self) -> None:
        record = self._record
        if record is None:
            return
        px, wide = self._themes.px, QFontMetrics(self._themes.text()).horizontalAdvance
        caption = QFontMetrics(self._themes.text("caption")).horizontalAdvance
        latest = int(record.packet_times[-1]) if len(record.packet_times) else 0
        digits = "0" * len(str(latest))
        packet = px(12 + SWATCH + 6 + 8) + wide("0" * max(len(str(len(record))), 3)) + 2
        job = px(8) + wide("0" * max(len(str(int(record.jobs.max(initial=0)))), 3)) + 2
        granted = px(12) + max(wide(digits), caption("Granted")) + 2
        left = px(12) + max(wide(digits), caption("Free again")) + 2
        held = px(4) + max(wide("0" * max(len(str(self._longest_hold())), 4)), caption("Held")) + 2
        rest = packet + granted + left + held
        with_job = self.table.room >= rest + job  # the number of the job has its colour
        with_left = self.table.room >= rest  # holding tells it, too
        self.table.setColumnHidden(1, not with_job)
        self.table.setColumnHidden(3, not with_left)
        rest += (job if with_job else 0) - (0 if with_left else left)
        spare = max(self.table.room - rest, 0)
        half = spare // 2 if with_left else spare
        self.table.set_widths((packet, job, granted + half, left + spare - half, held))

    def _wear(self) -> None:
        px = self._themes.px
        self._head.setContentsMargins(px(6), px(4), px(8), px(4))
        self._head.setSpacing(px(4))
        self._words.setContentsMargins(px(12), 0, px(12), px(4))
        self._words.setSpacing(px(4))
        self.table.setMinimumHeight(px(24) + 2 * self.table.verticalHeader().defaultSectionSize())
