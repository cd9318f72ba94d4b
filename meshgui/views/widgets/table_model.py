"""The Qt model of a data table: rows of a source that change in place, by its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

from meshgui.model.tables.columns import Column, TableCell, TableSource

D = TypeVar("D", bound=TableSource)
ModelIndex = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class TableModel(QAbstractTableModel, Generic[D]):
    """The rows of a source in some order, and its columns that are shown, each in one of its forms."""

    def __init__(self, columns: Sequence[Column[D]], parent: QWidget) -> None:
        super().__init__(parent)
        self.columns = tuple(column for column in columns if column.shown)
        self.forms = [0] * len(self.columns)
        self.in_full = True  # whether captions are
        self._source: D | None = None
        self._rows: Sequence[int] = ()

    def fill(self, source: D | None, rows: Sequence[int]) -> None:
        """Show other rows in place, keeping the scroll position."""
        before, count = len(self._rows), len(rows)
        if count > before:
            self.beginInsertRows(_TOP, before, count - 1)
        elif count < before:
            self.beginRemoveRows(_TOP, count, before - 1)
        self._source, self._rows = source, rows
        if count > before:
            self.endInsertRows()
        elif count < before:
            self.endRemoveRows()
        if count:
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(self.columns) - 1))

    def show_columns(self, columns: Sequence[Column[D]], *, fresh: bool) -> None:
        """Set other columns; fresh ones begin without rows."""
        if fresh:
            self.beginResetModel()
            self._source, self._rows, self.forms = None, (), []
        self.columns = tuple(column for column in columns if column.shown)
        if fresh:
            self.forms = [0] * len(self.columns)
            self.endResetModel()

    def cell(self, row: int, column: int) -> TableCell:
        """The cell at a row and column."""
        if self._source is None or not 0 <= row < len(self._rows):
            return TableCell("")
        return self.columns[column].cell_of(self._source, self._rows[row], brief=self.forms[column] > 0)

    def title(self, section: int) -> str:
        """The caption of a column."""
        column = self.columns[section]
        return (self.in_full and column.full_title) or column.title

    def source_row(self, row: int) -> int:
        """The row of the source that a row shows."""
        return self._rows[row]

    def place_of(self, source_row: int) -> int | None:
        """The row that shows a row of the source."""
        return self._rows.index(source_row) if source_row in self._rows else None

    def rowCount(self, parent: ModelIndex = _TOP) -> int:  # noqa: N802 - Qt's name
        """The number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = _TOP) -> int:  # noqa: N802 - Qt's name
        """The number of columns."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's type
        """The text, for the delegate, for tests and for screen readers."""
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell(index.row(), index.column()).text
        return None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's type
        """The captions, and where one is an id the name in full at the pointer."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return None if self.in_full else self.columns[section].full_title
        return self.title(section) if role == Qt.ItemDataRole.DisplayRole else None
