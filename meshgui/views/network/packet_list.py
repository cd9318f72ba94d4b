"""The packets under way at this cycle, blocked ones first; choosing one selects it everywhere."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedLayout

from meshgui.engine.basics.translation import tr
from meshgui.engine.network.record import NetworkRecord
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.packet_states import PacketStates, states_at
from meshgui.model.network.packet_tables import PACKET_COLUMNS, PACKET_GIVE_WAY, PacketRows
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.columns import SortOrder
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.empty_state import EmptyState
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.table_painting import RowLook


class PacketList(FollowingView):
    """A table of packets; an empty one offers to go to the next packet."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.states: PacketStates | None = None
        self._record: NetworkRecord | None = None
        self._selected: int | None = None
        self.table = DataTable(
            PACKET_COLUMNS, themes, order=SortOrder("trouble", descending=True), give_way=PACKET_GIVE_WAY
        )
        self.table.look_with(self._look)
        self.table.tint_jobs(cursor.tint)
        self.table.link_rows(Links(selection), PacketRows.link)
        self.empty = EmptyState(themes)
        self.empty.button.clicked.connect(self._step)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.table)
        self._pages.addWidget(self.empty)

    def show_view(self, view: View | None) -> None:
        """Show the packets that are in the network now."""
        self._record = self.states = None
        if view is None or (now := view.network_now) is None:
            self.table.show_rows(None)
            return
        record = self._record = now[0]
        self.states = states_at(*now)
        self.table.show_rows(PacketRows(record, self.states))
        if not len(self.states.packets):
            self._invite(view, record)
        self._pages.setCurrentIndex(0 if len(self.states.packets) else 1)

    def show_selection(self) -> None:
        """Mark the selected and the hovered packet; scroll to one newly selected elsewhere."""
        packet = self._selection.packet
        if packet is not None and packet != self._selected and not self.table.choosing:
            at = None if self.states is None else self.states.row(packet)
            row = None if at is None else self.table.row_showing(at)
            if row is not None:
                self.table.reveal(row)
        self._selected = packet
        self.table.refresh()

    def _invite(self, view: View, record: NetworkRecord) -> None:
        coming = bool((record.packet_times > view.time).any())
        if coming:
            self.empty.invite(
                tr("No packet is in the network at cycle {cycle}: step to the next one.").format(
                    cycle=view.cycle
                ),
                tr("To the next packet"),
            )
        elif len(record.packet_times):
            self.empty.invite(
                tr(
                    "No packet is in the network at cycle {cycle}, and none follows: step back to the last "
                    "one."
                ).format(cycle=view.cycle),
                tr("To the last packet"),
            )
        else:
            self.empty.invite(
                tr("No packet is in the network at cycle {cycle}: none was sent yet.").format(
                    cycle=view.cycle
                ),
                "",
            )

    def _step(self) -> None:
        record = self._record
        if record is not None and (record.packet_times > self._cursor.time).any():
            self._cursor.next_packet()
        elif record is not None and len(record.packet_times):
            self._cursor.go_to_time(float(record.packet_times[-1] - 1))

    def _look(self, rows: PacketRows, row: int) -> RowLook:
        """How a packet stands out; without a selected or hovered packet, all those of the job do."""
        packet, job, selection = rows.packet(row), rows.job(row), self._selection
        selected = packet == selection.packet if selection.packet is not None else job == selection.job
        hovered = packet == selection.hovered_packet
        hovered |= selection.hovered_packet is None and job == selection.hovered
        return RowLook(selected, hovered)
