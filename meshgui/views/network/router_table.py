"""One router: its channels, who holds each, how full its buffer is, and how much room is left in it."""

from __future__ import annotations

from meshgui.engine.network.routing import WAYS
from meshgui.model.moment.moment_view import View
from meshgui.model.network.router_tables import ROUTER_COLUMNS, ROUTER_GIVE_WAY, RouterRows, router_of
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.table_painting import RowLook


class RouterTable(FollowingView):
    """The router of the selected channel or packet; without one, that at which a packet waits longest."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.rows: RouterRows | None = None
        self.title = ElidedLabel(themes, "caption", "muted").fill_width()
        self.table = DataTable(ROUTER_COLUMNS, themes, give_way=ROUTER_GIVE_WAY)
        self.table.look_with(self._look)
        self.table.link_rows(Links(selection), RouterRows.link)
        sizing = Sizing(themes, self)
        head = sizing.row((self.title, 1), margins=(12, 4, 12, 4))
        sizing.column(head, (self.table, 1), on=self)

    def show_view(self, view: View | None) -> None:
        """Show the router as it is now; a channel chosen in it leaves it where it is."""
        now = view.network_now if view is not None else None
        if now is None:
            self.rows = None
        else:
            record, moment = now
            channel, before = self._selection.channel, self.rows
            if channel is not None and channel >= record.mesh.processors * WAYS:  # of another mesh
                channel = None
            stays = before is not None and before.record is record and before.has(channel)
            packet = self._selection.packet
            if packet is not None and packet >= len(record):  # likewise
                packet = None
            here = before.node if stays and before is not None else None
            node = router_of(record, moment, channel, packet) if here is None else here
            self.rows = RouterRows(record, node, moment)
        self.title.setText("" if self.rows is None else self.rows.title)
        self.table.show_rows(self.rows)

    def show_selection(self) -> None:
        """Show the router of another channel, and mark what is selected."""
        self.show_view(self._cursor.view)
        self.table.refresh()

    def _look(self, rows: RouterRows, row: int) -> RowLook:
        """How a channel stands out: one that the selected packet holds does like a hovered one."""
        channel, selection, holder = rows.channels[row].channel, self._selection, rows.holder(row)
        held = holder is not None and holder in {selection.packet, selection.hovered_packet}
        return RowLook(channel == selection.channel, held or channel == selection.hovered_channel)
