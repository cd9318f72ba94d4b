"""The points of an experiment as a table: values, means with half widths, errors, runs, and their state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from meshgui.engine.basics.translation import tr
from meshgui.experiment.differences import PairedDifferences
from meshgui.model.studies.experiment_charts import Comparison, Results
from meshgui.model.studies.result_columns import ResultRows, result_columns
from meshgui.model.tables.columns import SortOrder
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.table_painting import RowLook

_AIR: Final = 10  # more than a column needs elsewhere: here they do not share the width
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_UNSORTED: Final = SortOrder("", descending=False)


class ResultTable(DataTable[ResultRows]):
    """A row a point. Rows keep their order while results come in, unless they are sorted by one of those.

    A click selects; Enter and a double click open. Columns keep their width, and the table scrolls.
    """

    point_hovered = Signal(object)  # the point under the pointer, or None
    opened = Signal(int)  # a point whose run is to be seen

    def __init__(self, themes: ThemeManager) -> None:
        self.selected: int | None = None  # the point whose row is selected
        self._hovered: int | None = None
        super().__init__((), themes, order=_UNSORTED)
        self.placeholder = tr("The points appear here, one row each, once there is something to run.")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(tr("Points"))
        self.look_with(self._look_of)
        self.pointed.connect(self._hover_row)
        self.walked.connect(self._walk_to)
        self.chosen.connect(self._select_row)

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
        self.show_columns(columns, fresh=heads != [(column.title, column.key) for column in self._columns])
        if self.order is not None and self.order.key not in {column.key for column in columns}:
            self.sort_by(_UNSORTED)
        self.show_rows(None if results is None else ResultRows(results))

    def point_to(self, point: int | None) -> None:
        """Light up the row of a point."""
        if point != self._hovered:
            self._hovered = point
            self._show_row(point)

    def select(self, point: int | None) -> None:
        """Select the row of a point."""
        self.selected = point
        self._show_row(point)

    def order_of_rows(self) -> list[int]:
        """The points, as their rows stand."""
        rows, count = self.source, self.rows.rowCount()
        return [] if rows is None else [rows.point(self.row_of(row)) for row in range(count)]

    def _show_row(self, point: int | None) -> None:
        order = self.order_of_rows()
        if point in order:
            self.reveal(order.index(point))
        self.refresh()

    def _point_in(self, row: int) -> int | None:
        order = self.order_of_rows()
        return order[row] if 0 <= row < len(order) else None

    def _look_of(self, rows: ResultRows, row: int) -> RowLook:
        index = rows.point(row)
        return RowLook(index == self.selected, index == self._hovered)

    def _hover_row(self, row: int) -> None:
        point = self._point_in(row)
        if point != self._hovered:
            self._hovered = point
            self.refresh()
            self.point_hovered.emit(point)

    def _walk_to(self, row: int) -> None:
        self._select_row(row)
        self._hover_row(row)

    def _select_row(self, row: int) -> None:
        self.selected = self._point_in(row)
        self.refresh()

    def _open_row(self, row: int) -> None:
        self._select_row(row)
        self.opened.emit(self.selected)

    def fit(self) -> None:
        """Give each column what it needs."""
        self.set_needed_widths(_AIR)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Open with Enter."""
        if event.key() in _ENTER and self.currentIndex().isValid():
            self._open_row(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Open the row that was clicked."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self._open_row(index.row())
