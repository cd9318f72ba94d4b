"""The chain of blocking: a packet, who holds what it waits for … up to the one that is not blocked."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from meshgui.engine.network.record import NetworkRecord
from meshgui.model.packet_states import PacketStates
from meshgui.model.packet_tables import CHAIN_COLUMNS, ChainRows
from meshgui.model.selection import Selection
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.links import Links

__all__ = ["ChainTable"]


class ChainTable(DataTable[ChainRows]):
    """One row a packet; each is a link."""

    def __init__(self, selection: Selection, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(CHAIN_COLUMNS, themes, parent=parent)
        self.placeholder = "It waits for no other packet."
        self.link_rows(Links(selection), ChainRows.link)

    @property
    def chain(self) -> tuple[int, ...]:
        """The packets shown."""
        return self.source.chain if self.source is not None else ()

    def show_chain(self, record: NetworkRecord, states: PacketStates, packet: int) -> None:
        """Show what a packet waits for; nothing if it does not wait."""
        self.show_rows(ChainRows.of(record, states, packet))
