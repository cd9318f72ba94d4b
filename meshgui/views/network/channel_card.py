"""One channel: its figures, its use over time, and the packets that pass it."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtGui import QResizeEvent

from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import counted
from meshgui.engine.network.packets import NO_PACKET
from meshgui.engine.network.record import NetworkMoment, NetworkRecord
from meshgui.engine.network.routing import LINKS, WAYS, describe_channel
from meshgui.model.moment.moment_view import View
from meshgui.model.network.channel_tables import PASSAGE_COLUMNS, PASSAGE_GIVE_WAY, PassageRows
from meshgui.model.network.network_tables import ChannelTraffic, channel_now, channel_traffic, flits_within
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.network.card import NetworkCard
from meshgui.views.network.use_curve import UseCurve
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.table_painting import RowLook

_GRANTED: Final = 2
_FREE: Final = 3


class ChannelCard(NetworkCard):
    """The selected channel."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(
            cursor, selection, themes, tr("Show all channels"), lambda: selection.select_channel(None)
        )
        self.channel: int | None = None
        self._record: NetworkRecord | None = None
        self._traffic: ChannelTraffic | None = None
        self._cycle = 0
        self.now = ElidedLabel(themes).fill_width()
        self.figures = ElidedLabel(themes, colour="muted").fill_width()
        self.curve = UseCurve(themes)
        self.curve.picked.connect(lambda cycle: cursor.go_to_time(float(cycle)))
        self.table = DataTable(PASSAGE_COLUMNS, themes, give_way=PASSAGE_GIVE_WAY)
        self.table.placeholder = tr("No packet passes it.")
        self.table.look_with(self._look)
        self.table.link_rows(Links(selection), PassageRows.link)
        self.table.chosen.connect(self._go_to_time)
        sizing = Sizing(themes, self).rule(self._keep_two_rows)
        head = sizing.row(self.back, (self.title, 1), margins=(6, 4, 8, 4), spacing=4)
        words = sizing.column(self.now, self.figures, margins=(12, 0, 12, 4), spacing=4)
        sizing.column(head, words, self.curve, (self.table, 1), on=self)

    def show_view(self, view: View | None) -> None:
        """Show the channel as it is now."""
        shown, channel, self.channel = self.channel, self._selection.channel, None
        if view is None or (now := view.network_now) is None or channel is None:
            return
        record, moment = now
        if channel >= record.mesh.processors * WAYS:  # selected on another mesh
            return
        fresh = channel != shown or record is not self._record
        moved = view.cycle != self._cycle
        self.channel, self._record, self._cycle = channel, record, view.cycle
        traffic = self._traffic = channel_traffic(record, channel)
        begin, end = self._selection.cycles(view.cycle)
        flits, share = flits_within(traffic.crossings, begin, end, traffic.cycles)
        title = describe_channel(record.mesh, channel)
        self.title.setText(title)
        known = channel_now(record, moment)
        holder, waiting = int(known.holders[channel]), int(known.waiting[channel])
        if record.law.channels > 1 and channel % WAYS < LINKS:
            brief = held = self._holders(record, moment, channel)
        elif holder == NO_PACKET:
            held = brief = tr("Free", "a channel")
        else:
            brief = tr("Held by packet {packet}").format(packet=holder)
            held = tr("Held by packet {packet} of job {job}").format(
                packet=holder, job=int(record.jobs[holder])
            )
        wait = tr_n("{number} waits", "{number} wait", waiting) if waiting else tr("none waits")
        wait_for_it = (
            tr_n("{number} waits for it", "{number} wait for it", waiting)
            if waiting
            else tr("none waits for it")
        )
        self.now.say(f"{held} · {wait_for_it}", f"{brief} · {wait}", brief)
        carried = tr("{flits}, in use {share:.1f} %").format(flits=counted(flits, "flit"), share=100 * share)
        self.figures.say(
            tr("Cycles {begin} to {end}: {carried}").format(begin=begin, end=end, carried=carried),
            carried,
            tr("in use {share:.1f} %").format(share=100 * share),
        )
        span = self._selection.span or (0, int(view.recording.end_time))
        self.curve.show_traffic(title, traffic, span, view.cycle)
        self.table.show_rows(PassageRows(record, traffic, view.cycle))
        if fresh or moved:
            self._reveal_now()

    @staticmethod
    def _holders(record: NetworkRecord, moment: NetworkMoment, channel: int) -> str:
        """The packet that holds each virtual channel of a link."""
        here = moment.held_channels == channel
        held = dict(zip(moment.held_virtual[here].tolist(), moment.held_by[here].tolist(), strict=True))
        return " · ".join(
            tr("{number}: packet {packet}").format(number=number, packet=held[number])
            if number in held
            else tr("{number}: free").format(number=number)
            for number in range(record.law.channels)
        )

    def show_selection(self) -> None:
        """Show another channel or span."""
        self.show_view(self._cursor.view)
        self.table.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Show the present row at the new height."""
        super().resizeEvent(event)
        self._reveal_now()

    def _reveal_now(self) -> None:
        """Scroll to the packet that was granted the channel last."""
        if self._traffic is not None and self.channel is not None:
            at = int(np.searchsorted(self._traffic.granted, self._cycle, side="right")) - 1
            if 0 <= at < self.table.rows.rowCount():
                self.table.reveal(at)

    def _look(self, rows: PassageRows, row: int) -> RowLook:
        packet, selection, left = rows.packet(row), self._selection, rows.left(row)
        holds = rows.granted(row) <= rows.cycle and (left is None or rows.cycle < left)
        return RowLook(packet == selection.packet, packet == selection.hovered_packet, holds)

    def _go_to_time(self, row: int, column: int) -> None:
        """Go to a time that is clicked."""
        rows = self.table.source
        if rows is None or column not in {_GRANTED, _FREE}:
            return
        time = rows.granted(row) if column == _GRANTED else rows.left(row)
        if time is not None:
            self._cursor.go_to_time(float(time))

    def _keep_two_rows(self) -> None:
        row = self.table.verticalHeader().defaultSectionSize()
        self.table.setMinimumHeight(self._themes.px(24) + 2 * row)
