"""The chain of blocking: a packet, who holds what it waits for … up to the one that is not blocked."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.network.routing import describe_channel
from meshgui.engine.network.wormhole import NOBODY
from meshgui.model.packet_states import PacketState, PacketStates, chain_of, short_state, shorter_states
from meshgui.model.packet_tables import chain_table
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, TableCell, TableRows
from meshgui.views.widgets.labels import SWATCH

__all__ = ["ChainTable"]

_COLUMNS = (Column("Packet"), Column("Holds"), Column("Waits for, or does"))


class ChainTable(DataTable):
    """One row a packet; each is a link."""

    def __init__(self, selection: Selection, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(TableRows(_COLUMNS), themes, parent)
        self.rows.setParent(self)
        self._selection = selection
        self._record: NetworkRecord | None = None
        self._states: PacketStates | None = None
        self.chain: list[int] = []
        self._at: list[int] = []  # where each stands in the states
        self.placeholder = "It waits for nobody."
        self.look_with(self._seen)
        self.tell_figures(self._all_links)
        self.pointed.connect(self._pointed)
        self.chosen.connect(self._chosen)
        self.walked.connect(lambda row: self._pointed(row, 0))
        self.widened.connect(self._fit)
        themes.changed.connect(self._fit)

    def show_chain(self, record: NetworkRecord, states: PacketStates, packet: int) -> None:
        """Show what a packet waits for; nothing if it does not wait."""
        fresh = record is not self._record
        self._record, self._states = record, states
        row = states.row(packet)
        waits = row is not None and states.kinds[row] in {PacketState.BLOCKED, PacketState.QUEUED}
        self.chain = chain_of(states, packet) if waits else []
        self._at = [at for link in self.chain if (at := states.row(link)) is not None]
        self.rows.fill(len(self._at), self._cell)
        if fresh:
            self._fit()

    def _cell(self, row: int, column: int) -> TableCell:
        record, states = self._record, self._states
        if record is None or states is None or row >= len(self._at):
            return TableCell("")
        packet, at = self.chain[row], self._at[row]
        if column == 0:
            return TableCell(str(packet), int(record.jobs[packet]))
        if column == 1:
            return _channel(record, int(states.channels[self._at[row - 1]])) if row else TableCell("")
        if states.kinds[at] == PacketState.BLOCKED and states.blockers[at] != NOBODY:
            return _channel(record, int(states.channels[at]))
        if states.kinds[at] == PacketState.QUEUED and states.blockers[at] != NOBODY:
            return TableCell("its injection")
        return TableCell(short_state(record, states, at), shorter=shorter_states(record, states, at))

    def _all_links(self) -> PlainTable | None:
        if self._record is None or self._states is None:
            return None
        return chain_table(self._record, self._states, tuple(self.chain))

    def _seen(self, row: int) -> RowLook:
        packet = self.chain[row]
        return RowLook(packet == self._selection.packet, packet == self._selection.hovered_packet)

    def _pointed(self, row: int, _column: int) -> None:
        record = self._record
        if row < 0 or record is None:
            self._selection.hover(None)
        else:
            self._selection.hover(int(record.jobs[self.chain[row]]), self.chain[row])
        shape = Qt.CursorShape.PointingHandCursor if row > 0 else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def _chosen(self, row: int, _column: int) -> None:
        if self._record is not None:
            self._selection.select_packet(self.chain[row], int(self._record.jobs[self.chain[row]]))

    def _fit(self) -> None:
        record = self._record
        if record is None:
            return
        px, wide = self._themes.px, QFontMetrics(self._themes.text()).horizontalAdvance
        number = px(12 + SWATCH + 6 + 8) + wide("0" * max(len(str(len(record))), 3)) + 2
        left = max(self.room - number, 2)
        held = min(
            px(8) + wide(describe_channel(record.mesh, (record.mesh.processors - 1) * 8 + 1)) + 2, left // 2
        )
        self.set_widths((number, held, left - held))


def _channel(record: NetworkRecord, channel: int) -> TableCell:
    """A channel, or where there is little room only where it leads to."""
    name = describe_channel(record.mesh, channel)
    ahead = name.find("→")
    return TableCell(name, shorter=(name[ahead:],) if ahead > 0 else (name.partition(" (")[0],))
