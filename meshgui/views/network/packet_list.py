"""The packets under way at this cycle, the ones in trouble first; choosing one selects it everywhere."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStackedLayout, QWidget

from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import describe_node
from meshgui.model.cursor import Cursor, View
from meshgui.model.network_tables import longest_life
from meshgui.model.packet_states import PacketState, PacketStates, short_state, shorter_states, states_at
from meshgui.model.packet_tables import packet_table
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, SortOrder, TableCell, TableRows
from meshgui.views.widgets.empty_state import EmptyState
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH

__all__ = ["PacketList"]

_COLUMNS = (
    Column("Packet", key="packet"),
    Column("Job", number=True),
    Column("From → to"),
    Column("State", key="trouble"),
    Column("Age", number=True, key="age"),
)
_JOB, _WAY, _STATE = 1, 2, 3


class PacketList(FollowingView):
    """A table of packets; while there is none it says so and offers to go to the next one."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(cursor, selection, themes, parent)
        self.states: PacketStates | None = None
        self._record: NetworkRecord | None = None
        self._rows = np.zeros(0, dtype=np.int64)
        self._chosen_here = False
        self.table = DataTable(TableRows(_COLUMNS, self), themes)
        self.table.sort_by(SortOrder("trouble", descending=True))
        self.table.sorted_by.connect(lambda *_: self._fill())
        self.table.answer_to(self._look, self._pointed, self._chosen, self._fit_columns)
        self.table.tell_figures(self._figures)
        self.empty = EmptyState(themes)
        self.empty.button.clicked.connect(self._step)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.table)
        self._pages.addWidget(self.empty)
        themes.changed.connect(self._fit_columns)

    @property
    def count(self) -> str:
        """How many there are, for a heading."""
        if self.states is None or not len(self.states.packets):
            return ""
        blocked = int(np.count_nonzero(self.states.kinds == PacketState.BLOCKED))
        queued = int(np.count_nonzero(self.states.kinds == PacketState.QUEUED))
        parts = [f"{len(self.states.packets) - queued} under way"]
        parts += [f"{blocked} blocked"] if blocked else []
        parts += [f"{queued} queued"] if queued else []
        return " · ".join(parts)

    def show_view(self, view: View | None) -> None:
        """Show who is in the network now."""
        record = view.recording.network if view is not None else None
        moment = view.network if view is not None else None
        if view is None or record is None or moment is None:
            self.states = self._record = None
            self.table.rows.fill(0, lambda _row, _column: TableCell(""))
            return
        if record is not self._record:
            self._record = record
            self._fit_columns()
        self.states = states_at(record, moment)
        self._fill()
        if not len(self.states.packets):
            self._invite(view, record)
        self._pages.setCurrentIndex(0 if len(self.states.packets) else 1)

    def show_selection(self) -> None:
        """Mark what is selected and pointed at; scroll to a packet selected elsewhere."""
        packet = self._selection.packet
        if packet is not None and self.states is not None and not self._chosen_here:
            at = np.flatnonzero(self.states.packets[self._rows] == packet)
            if len(at):
                self.table.reveal(int(at[0]))
        self.table.viewport().update()

    def packet_at(self, row: int) -> int:
        """The packet of a row of the table."""
        if self.states is None:
            raise IndexError(f"there is no row {row}")
        return int(self.states.packets[self._rows[row]])

    def _invite(self, view: View, record: NetworkRecord) -> None:
        coming = bool((record.packet_times > view.time).any())
        words = f"No packet is in the network at cycle {view.cycle}"
        if coming:
            self.empty.invite(f"{words}: step to the next one.", "To the next packet")
        elif len(record.packet_times):
            self.empty.invite(
                f"{words}, and none is to come: step back to the last one.", "To the last packet"
            )
        else:
            self.empty.invite(f"{words}: none was sent yet.", "")

    def _step(self) -> None:
        record = self._record
        if record is not None and (record.packet_times > self._cursor.time).any():
            self._cursor.next_packet()
        elif record is not None and len(record.packet_times):
            self._cursor.go_to_time(float(record.packet_times[-1] - 1))

    def _fill(self) -> None:
        states, order = self.states, self.table.order
        if states is not None and order is not None:
            self._rows = states.in_order(order.key, descending=order.descending)
            self.table.rows.fill(len(self._rows), self._cell)

    def _cell(self, row: int, column: int) -> TableCell:
        states, record = self.states, self._record
        if states is None or record is None or row >= len(self._rows):
            return TableCell("")
        at = int(self._rows[row])
        packet = int(states.packets[at])
        if column == 0:
            return TableCell(str(packet), int(record.jobs[packet]))
        if column == 1:
            return TableCell(str(int(record.jobs[packet])))
        if column == _WAY:
            ends = (record.sources[packet], record.targets[packet])
            return TableCell("→".join(describe_node(record.mesh, int(node)) for node in ends))
        if column == _STATE:
            waits = states.kinds[at] == PacketState.BLOCKED
            quiet = states.kinds[at] == PacketState.QUEUED
            text = short_state(record, states, at)
            tone = "text" if waits else "muted" if quiet else "text"
            return TableCell(text, None, tone, shorter_states(record, states, at))
        return TableCell(str(int(states.ages[at])))

    def _figures(self) -> PlainTable | None:
        if self.states is None or self._record is None:
            return None
        return packet_table(self._record, self.states, self._rows)

    def _look(self, row: int) -> RowLook:
        if self._record is None or row >= len(self._rows):
            return RowLook()
        packet, selection = self.packet_at(row), self._selection
        job = int(self._record.jobs[packet])
        selected = packet == selection.packet if selection.packet is not None else job == selection.job
        hovered = packet == selection.hovered_packet
        hovered |= selection.hovered_packet is None and job == selection.hovered
        return RowLook(selected, hovered)

    def _pointed(self, row: int, _column: int) -> None:
        if row < 0 or self._record is None:
            self._selection.hover(None)
        else:
            packet = self.packet_at(row)
            self._selection.hover(int(self._record.jobs[packet]), packet)

    def _chosen(self, row: int, _column: int) -> None:
        if self._record is not None:
            packet = self.packet_at(row)
            self._chosen_here = True
            self._selection.select_packet(packet, int(self._record.jobs[packet]))
            self._chosen_here = False

    def _fit_columns(self) -> None:
        record = self._record
        if record is None:
            return
        px, wide = self._themes.px, QFontMetrics(self._themes.text()).horizontalAdvance
        corner = describe_node(record.mesh, record.mesh.processors - 1)
        number = px(12 + SWATCH + 6 + 8) + wide("0" * max(len(str(len(record))), 3)) + 2
        job = px(8) + wide("0" * max(len(str(int(record.jobs.max(initial=0)))), 3)) + 2
        way = px(8) + wide(f"{corner}→{corner}") + 2
        age = px(4) + wide("0" * max(len(str(longest_life(record))), 5)) + 2
        left = self.table.room - number - job - age
        with_way = left - way >= px(8) + wide(f"blocked by {len(record)} at {corner}")
        with_job = left >= px(8) + wide(f"blocked by {len(record)}")  # the number of the job has its colour
        left += 0 if with_job else job
        self.table.setColumnHidden(_JOB, not with_job)
        self.table.setColumnHidden(_WAY, not with_way)
        state = max(left - way if with_way else left, 1)
        self.table.set_widths((number, job, way, state, age))
