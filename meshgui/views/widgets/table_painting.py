"""How the cells and captions of a data table are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from meshgui.model.columns import (
    Column,
    TableCell,
)
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.labels import SWATCH, paint_swatch
from meshgui.views.widgets.table_model import ModelIndex, TableModel

if TYPE_CHECKING:
    from meshgui.views.widgets.data_table import DataTable

__all__ = ["SIGN", "Captions", "CellDelegate", "fitting", "inside"]

SIGN: Final = 18
"""The width of a sign before a text, in the design's pixels."""


class CellDelegate(QStyledItemDelegate):
    """Paints a cell straight from the theme: the style sheet's way costs ten times as much."""

    def __init__(self, table: DataTable[Any], themes: ThemeManager) -> None:
        super().__init__(table)
        self._table, self._themes = table, themes

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Ground, bar, swatch, text."""
        theme, px = self._themes.theme, self._themes.px
        rect: QRect = option.rect
        look = self._table.look(index.row())
        if look.selected or look.hovered:
            painter.fillRect(rect, theme.colour("selection" if look.selected else "hover"))
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row():
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), px(1)), theme.accent)
            painter.fillRect(QRect(rect.left(), rect.bottom() - px(1) + 1, rect.width(), px(1)), theme.accent)
        if look.current and index.column() == 0:
            painter.fillRect(
                QRect(rect.topLeft(), rect.bottomLeft()).adjusted(0, 0, px(3) - 1, 0), theme.accent
            )
        cell = self._table.rows.cell(index.row(), index.column())
        column = self._table.rows.columns[index.column()]
        room = inside(rect, index.column(), len(self._table.rows.columns), self._themes)
        if cell.job is not None:
            paint_swatch(painter, self._themes, cell.job, room.left(), rect.center().y() + 0.5)
            room.setLeft(room.left() + px(SWATCH) + px(6))
        painter.setFont(self._table.font())
        if cell.sign:
            painter.setPen(theme.colour(cell.sign_tone))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), cell.sign)
            room.setLeft(room.left() + px(SIGN))
        painter.setPen(theme.colour(cell.tone))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(
            fitting(cell, metrics, room.width()), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(_side(column)) | Qt.AlignmentFlag.AlignVCenter, shown)

    def helpEvent(  # noqa: N802 - Qt's name
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: ModelIndex
    ) -> bool:
        """The whole text of a cell that is elided."""
        del option
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return False
        text = self.whole(index)
        QToolTip.showText(event.globalPos(), text, view) if text else QToolTip.hideText()
        return True

    def whole(self, index: ModelIndex) -> str:
        """The text of a cell if a part of it cannot be seen, else nothing."""
        text = self._table.rows.cell(index.row(), index.column()).text
        return text if self._table.shown(index.row(), index.column()) != text else ""


class Captions(QHeaderView):
    """The captions over the columns, standing as the cells below them do."""

    def __init__(self, rows: TableModel[Any], themes: ThemeManager, table: DataTable[Any]) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._rows, self._themes, self._table = rows, themes, table

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803 - Qt
        """Draw a caption over the hairline."""
        theme = self._themes.theme
        painter.fillRect(rect, theme.colour("panel"))
        painter.fillRect(QRect(rect.bottomLeft(), rect.bottomRight()), theme.colour("hairline"))
        column = self._rows.columns[logicalIndex]
        room = inside(rect, logicalIndex, len(self._rows.columns), self._themes)
        painter.setFont(self._themes.text("caption"))
        order = self._table.order
        sorts = order is not None and bool(column.key) and order.key == column.key
        painter.setPen(theme.colour("text" if sorts else "muted"))
        title = (
            f"{column.title} {'↓' if order is not None and order.descending else '↑'}"
            if sorts
            else column.title
        )
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(_side(column)) | Qt.AlignmentFlag.AlignVCenter, shown)


def fitting(cell: TableCell, metrics: QFontMetrics, room: int) -> str:
    """The longest wording that has room, or the shortest there is."""
    wordings = (cell.text, *cell.shorter)
    return next((words for words in wordings if metrics.horizontalAdvance(words) <= room), wordings[-1])


def inside(rect: QRect, column: int, columns: int, themes: ThemeManager) -> QRect:
    """Where a column's text stands: 8 from the next, the first on the panel's margin, 12.

    The last reaches its edge: right of it lies the margin that is kept for the scroll bar.
    """
    px = themes.px
    return rect.adjusted(px(12 if column == 0 else 4), 0, 0 if column == columns - 1 else -px(4), 0)


def _side(column: Column[Any]) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
