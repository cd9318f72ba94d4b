"""Drags a row of a table to another place with the mouse; who owns the table decides what that means."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QTableView

from meshgui.views.style.theme import ThemeManager

_LINE = 2  # pixels of the line that shows the place


class RowDragger(QObject):
    """Shows a line between the rows where a dragged one would go; a click stays a click."""

    dropped = Signal(int, int)  # a row, and its place among the others

    def __init__(self, table: QTableView, themes: ThemeManager) -> None:
        super().__init__(table)
        self._table, self._themes = table, themes
        self._pressed: QPoint | None = None
        self._row = self._gap = -1  # what is dragged, and the row before which it would go
        self._line = QFrame(table.viewport())
        self._line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._line.hide()
        table.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Follow the mouse; a release after a drag is not for the table."""
        if not isinstance(event, QMouseEvent):
            return False
        at = event.position().toPoint()
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._row, self._gap = at, self._table.rowAt(at.y()), -1
        elif event.type() == QEvent.Type.MouseMove and self._pressed is not None:
            far = abs(at.y() - self._pressed.y()) >= QApplication.startDragDistance()
            if self._row >= 0 and event.buttons() & Qt.MouseButton.LeftButton and (far or self._gap >= 0):
                self._show_gap(at.y())
                return True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            row, gap = self._row, self._gap
            self._end()
            if gap >= 0:
                place = gap - (gap > row)
                if place != row:
                    self.dropped.emit(row, place)
                return True
        return False

    def _show_gap(self, y: int) -> None:
        """Show before which row the dragged one would go."""
        table, model = self._table, self._table.model()
        rows = 0 if model is None else model.rowCount()
        row = table.rowAt(min(max(y, 0), table.viewport().height() - 1))
        self._gap = rows if row < 0 else row
        if row >= 0 and y > table.rowViewportPosition(row) + table.rowHeight(row) / 2:
            self._gap = row + 1
        last = self._gap - 1
        top = (
            table.rowViewportPosition(self._gap)
            if self._gap < rows
            else table.rowViewportPosition(last) + table.rowHeight(last)
        )
        thick = self._themes.px(_LINE)
        self._line.setStyleSheet(f"background: {self._themes.theme.accent}; border: none;")
        self._line.setGeometry(0, max(top - thick // 2, 0), table.viewport().width(), thick)
        self._line.show()
        self._line.raise_()
        table.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def _end(self) -> None:
        self._pressed, self._row, self._gap = None, -1, -1
        self._line.hide()
        self._table.viewport().unsetCursor()
