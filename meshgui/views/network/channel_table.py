"""All channels: the use of each, how long headers waited for it, its holder and how many packets wait."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QTimer

from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import LINKS, WAYS
from meshgui.model.moment.moment_view import View
from meshgui.model.network.channel_tables import CHANNEL_COLUMNS, CHANNEL_GIVE_WAY, ChannelRows
from meshgui.model.network.network_tables import (
    ChannelFigures,
    ChannelNow,
    channel_figures,
    channel_now,
    channel_totals,
)
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.columns import SortOrder
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.segmented import Segmented
from meshgui.views.widgets.table_painting import RowLook

_KINDS: Final = (
    (tr("Links"), tr("The links between routers")),
    (tr("All"), tr("Also into and out of the processors")),
)
_MANY_HOPS: Final = 400_000  # from here on the figures follow when the cursor rests
_REST_MS: Final = 80


class ChannelTable(FollowingView):
    """A table of channels below the span of cycles that it covers."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.figures: ChannelFigures | None = None
        self._record: NetworkRecord | None = None
        self._shown_for: tuple[object, ...] = ()
        self._now: ChannelNow | None = None
        self._selected: int | None = None
        self.span = ElidedLabel(themes, "caption", "muted")
        self.kinds = Segmented(_KINDS, themes)
        self.kinds.chosen.connect(lambda _: self._count())
        self.table = DataTable(
            CHANNEL_COLUMNS, themes, order=SortOrder("use", descending=True), give_way=CHANNEL_GIVE_WAY
        )
        self.table.look_with(self._look)
        self.table.link_rows(Links(selection), ChannelRows.link)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._count)
        sizing = Sizing(themes, self)
        head = sizing.row((self.span, 1), self.kinds, margins=(12, 4, 12, 4), spacing=8)
        sizing.column(head, (self.table, 1), on=self)

    def show_view(self, view: View | None) -> None:
        """Show the channels as they are now."""
        now = view.network_now if view is not None else None
        if now is None:
            self._record = self._now = self.figures = None
            self.table.show_rows(None)
            return
        record = now[0]
        fresh = record is not self._record
        self._record, self._now = record, channel_now(*now)
        if len(record.raw.channels) < _MANY_HOPS:
            self._count()
        else:
            if fresh:
                self.figures = None
                self.span.setText(tr("Counting what every channel carried…"))
            self._rest.start(_REST_MS)
            self._fill()

    def show_selection(self) -> None:
        """Count over a new span, mark the selected channel, and scroll to it."""
        self._count()
        channel = self._selection.channel
        if channel is not None and channel != self._selected and not self.table.choosing:
            self._reveal(channel)
        self._selected = channel
        self.table.refresh()

    def _reveal(self, channel: int) -> None:
        """Scroll to a channel, and show all kinds of channels if that is necessary."""
        if self.figures is None:
            return
        if channel % WAYS >= LINKS and self.kinds.index == 0:
            self.kinds.choose(1)
            self._count()
        at = np.flatnonzero(self.figures.channels == channel)
        row = self.table.row_showing(int(at[0])) if len(at) else None
        if row is not None:
            self.table.reveal(row)

    def _count(self) -> None:
        """Count the figures over the present span, if they are not known."""
        record, view = self._record, self._cursor.view
        if record is None or view is None:
            return
        begin, end = self._selection.cycles(view.cycle)
        wanted = (record, begin, end, self.kinds.index)
        if wanted != self._shown_for or self.figures is None:
            if not channel_totals(record).come_nearer(end):
                self._rest.start(0)  # the rest in parts, so that the window answers meanwhile
                return
            self._shown_for = wanted
            self.figures = channel_figures(record, begin, end, links_only=self.kinds.index == 0)
            chosen = self._selection.span is not None
            whole = (
                tr("Cycles {first} to {last}, as chosen")
                if chosen
                else tr("Cycles {first} to {last}, the run so far")
            )
            wordings = whole, tr("Cycles {first} to {last}"), tr("{first} to {last}")
            self.span.say(*(words.format(first=begin, last=end) for words in wordings))
        self._fill()

    def _fill(self) -> None:
        figures, now, record = self.figures, self._now, self._record
        if figures is None or now is None or record is None:
            self.table.show_rows(None)
        else:
            self.table.show_rows(ChannelRows(record, figures, now))

    def _look(self, rows: ChannelRows, row: int) -> RowLook:
        """How a channel stands out: one that the selected packet holds does like a hovered one."""
        channel, selection, holder = int(rows.figures.channels[row]), self._selection, rows.holder(row)
        held = holder is not None and holder in {selection.packet, selection.hovered_packet}
        return RowLook(channel == selection.channel, held or channel == selection.hovered_channel)
