"""A table in a window of its own: what a picture shows, for keys and for screen readers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from operator import length_hint
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QDialog, QTableView, QWidget

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import plural
from meshgui.model.tables.tables import MOST_COPIED, PlainTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import as_panel, hairline, label, push_button
from meshgui.views.widgets.focus_ring import FocusRing

_SIZE: Final = QSize(640, 560)
_ModelIndex = QModelIndex | QPersistentModelIndex


class PlainTableModel(QAbstractTableModel):
    """The rows of a plain table, at most as many as can be copied."""

    def __init__(self, table: PlainTable) -> None:
        super().__init__()
        self._columns = table.columns
        self._rows = [tuple(row) for row in islice(table.rows, MOST_COPIED)]

    def rowCount(self, _parent: _ModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        """How many rows there are."""
        return len(self._rows)

    def columnCount(self, _parent: _ModelIndex | None = None) -> int:  # noqa: N802 - Qt's name
        """How many columns there are."""
        return len(self._columns)

    def data(self, index: _ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's type
        """The text of a cell; a table without rows is asked, too, for one that is not there."""
        if not index.isValid():
            return None
        value = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(value)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return "" if value is None else formatted(value, "g" if isinstance(value, float) else "")

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's type
        """The names of the columns, on the side of their numbers, and the numbers of the rows."""
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return _side(self._rows[0][section] if self._rows else None)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._columns[section] if orientation == Qt.Orientation.Horizontal else str(section + 1)


def _side(value: object) -> Qt.AlignmentFlag | None:
    """Where a value is set in its column: numbers end below each other."""
    if not isinstance(value, int | float):
        return None
    return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TableSheet(QDialog):
    """Shows the rows as they were when it was opened."""

    def __init__(
        self, table: PlainTable, window: QWidget, themes: ThemeManager, export: Callable[[], object]
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("{table} – MeshGUI").format(table=table.title))
        self.table = QTableView()
        self.rows = PlainTableModel(table)
        self.rows.setParent(self)
        self.table.setModel(self.rows)
        self.table.setAccessibleName(table.title)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        FocusRing(self.table, themes)
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setStretchLastSection(True)
        count, all_rows = self.rows.rowCount(), length_hint(table.rows)
        rows = f"{formatted(count, ',')} {plural('row', count)}"
        shown = (
            tr("the first {count:,} of {all_rows:,} rows").format(count=count, all_rows=all_rows)
            if all_rows > count
            else rows
        )
        sizing = Sizing(themes, self)
        head = sizing.column(label(table.title, "lead"), label(shown, "muted"), margins=(16, 12, 16, 8))
        self.export_button = push_button(tr("Export as CSV…"), tr("Write all rows into a file"), export)
        self.close_button = push_button(tr("Close"), tr("Close this table (Esc)"), self.close)
        for button in (self.export_button, self.close_button):
            button.setAutoDefault(False)
        foot = sizing.row(self.export_button, 1, self.close_button, spacing=8, margins=(12, 8, 12, 8))
        sizing.column(head, (self.table, 1), hairline(), foot, on=self)
        as_panel(self)
        self.resize(QSize(themes.px(_SIZE.width()), themes.px(_SIZE.height())).boundedTo(window.size()))
        self.table.setFocus()
        self.table.selectRow(0)
