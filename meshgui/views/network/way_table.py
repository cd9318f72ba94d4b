"""A packet's way, channel by channel: when it asked, was granted, entered and left, and what blocked it."""

from __future__ import annotations

from collections.abc import Callable

from meshgui.engine.network.record import NetworkRecord
from meshgui.model.packet_way import WAY_COLUMNS, WAY_GIVE_WAY, WayRows
from meshgui.model.selection import Selection
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable, RowLook
from meshgui.views.widgets.links import Links

__all__ = ["WayTable"]


class WayTable(DataTable[WayRows]):
    """One row a channel, and one more for each further packet that blocked there.

    A click on a time goes there, one on a packet or a channel selects it.
    """

    def __init__(self, selection: Selection, themes: ThemeManager, go_to: Callable[[int], None]) -> None:
        super().__init__(WAY_COLUMNS, themes, give_way=WAY_GIVE_WAY)
        self._selection = selection
        self._current = -1
        self.look_with(self._row_look)
        self.link_rows(Links(selection, go_to), WayRows.row_link)

    def show_way(self, record: NetworkRecord, packet: int, cycle: int, channel: int) -> None:
        """Show a packet's way; `channel` is the one it is at in this cycle."""
        self._current = channel
        way = WayRows(record, packet, cycle)
        self.show_rows(way, way.shown)
        at = next((i for i, row in enumerate(way.shown) if way.rows[row].passage.channel == channel), None)
        if at is not None:
            self.reveal(at)

    def _row_look(self, way: WayRows, row: int) -> RowLook:
        channel, blocker, selection = way.rows[row].passage.channel, way.rows[row].blocker, self._selection
        blocks = blocker is not None and blocker == selection.hovered_packet
        hovered = blocks or channel == selection.hovered_channel
        return RowLook(channel == selection.channel, hovered, channel == self._current)
