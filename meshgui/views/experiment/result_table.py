"""The points of an experiment as a table: values, means with half widths, errors, runs, and their state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from meshgui.experiment.differences import PairedDifferences
from meshgui.model.columns import SortOrder
from meshgui.model.experiment_charts import Comparison, Results
from meshgui.model.result_columns import ResultRows, result_columns
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable, RowLook

__all__ = ["ResultTable"]

_AIR: Final = 10  # more than a column needs elsewhere: here they do not share the width
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ResultTable(QWidget):
    """A row a point. Rows keep their order while results come in, unless they are sorted by one of those."""

    pointed = Signal(object)  # the point under the pointer, or None
    opened = Signal(int)  # a point whose run is to be seen

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._heads: list[tuple[str, str]] = []
        self._hovered: int | None = None
        self._selected: int | None = None
        self.table = _Table((), themes, order=SortOrder("", descending=False))
        self.table.placeholder = "The points appear here, a row each, once there is something to run."
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.setAccessibleName("Points")
        self.table.look_with(self._look)
        self.table.pointed.connect(self._pointed)
        self.table.walked.connect(self._walked)
        self.table.chosen.connect(self._chosen)
        self.table.opened.connect(self._opened)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)

    def show_results(
        self,
        results: Results | None,
        figure: str,
        words: Mapping[str, str],
        *,
        running: bool = False,
        beside: Comparison | None = None,
        differences: PairedDifferences | None = None,
    ) -> None:
        """Show other points, or the same ones as they now stand."""
        columns = (
            ()
            if results is None
            else result_columns(results, figure, words, beside, differences, running=running)
        )
        heads = [(column.title, column.key) for column in columns]
        self.table.show_columns(columns, fresh=heads != self._heads)
        self._heads = heads
        if self.table.order is not None and self.table.order.key not in {column.key for column in columns}:
            self.table.sort_by(SortOrder("", descending=False))
        self.table.show_rows(None if results is None else ResultRows(results))

    def point_to(self, point: int | None) -> None:
        """Light up the row of a point."""
        if point != self._hovered:
            self._hovered = point
            row = self._row_of(point)
            if row is not None:
                self.table.reveal(row)
            self.table.viewport().update()

    @property
    def selected(self) -> int | None:
        """The point whose row is selected."""
        return self._selected

    def select(self, point: int | None) -> None:
        """Select the row of a point."""
        self._selected = point
        row = self._row_of(point)
        if row is not None:
            self.table.reveal(row)
        self.table.viewport().update()

    def order_of_rows(self) -> list[int]:
        """The points, as their rows stand."""
        rows = self.table.source
        count = self.table.rows.rowCount()
        return [] if rows is None else [rows.point(self.table.row_of(row)) for row in range(count)]

    def _row_of(self, point: int | None) -> int | None:
        order = self.order_of_rows()
        return order.index(point) if point in order else None

    def _point_at(self, row: int) -> int | None:
        rows = self.table.source
        there = rows is not None and 0 <= row < self.table.rows.rowCount()
        return rows.point(self.table.row_of(row)) if rows is not None and there else None

    def _look(self, rows: ResultRows, row: int) -> RowLook:
        index = rows.point(row)
        return RowLook(index == self._selected, index == self._hovered)

    def _pointed(self, row: int, _column: int) -> None:
        point = self._point_at(row)
        if point != self._hovered:
            self._hovered = point
            self.table.viewport().update()
            self.pointed.emit(point)

    def _walked(self, row: int) -> None:
        self._selected = self._point_at(row)
        self._pointed(row, 0)
        self.table.viewport().update()

    def _chosen(self, row: int, _column: int) -> None:
        self._selected = self._point_at(row)
        self.table.viewport().update()

    def _opened(self, row: int) -> None:
        self._chosen(row, 0)
        self.opened.emit(self._selected)


class _Table(DataTable[ResultRows]):
    """A click selects; Enter and a double click open. Columns keep their width, and the table scrolls."""

    opened = Signal(int)

    def fit(self) -> None:
        """Give each column what it needs."""
        if self.source is not None:
            air = self._themes.px(_AIR)
            self.set_widths(tuple(self.needed(i) + air for i in range(len(self.rows.columns))))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        if event.key() in _ENTER and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(index.row())
