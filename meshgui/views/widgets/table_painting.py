"""Draws the cells and captions of a data table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from meshgui.model.base.named import ids_in
from meshgui.model.tables.columns import Column, SortOrder, TableCell
from meshgui.views.style.direction import is_rtl, mirror, write, write_named
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.labels import SWATCH, paint_swatch
from meshgui.views.widgets.name_lines import fitted
from meshgui.views.widgets.table_model import ModelIndex, TableModel
from meshgui.views.widgets.tips import show_tip

SIGN: Final = 18
"""The width of a sign before a text, in the design's pixels."""


class RowLook(NamedTuple):
    """The highlights of a row of a table, or of a node of a tree."""

    selected: bool = False
    hovered: bool = False
    current: bool = False


class CellDelegate(QStyledItemDelegate):
    """Paints a cell straight from the theme: the style sheet's way costs ten times as much."""

    def __init__(
        self, table: QTableView, rows: TableModel[Any], look: Callable[[int], RowLook], themes: Dress
    ) -> None:
        super().__init__(table)
        self._table, self._rows, self._look, self._themes = table, rows, look, themes

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw background, bar, swatch and text."""
        theme, px = self._themes.theme, self._themes.px
        rect: QRect = option.rect
        painter.save()
        if is_rtl(self._table):
            mirror(painter, rect)
        look = self._look(index.row())
        if look.selected or look.hovered:
            painter.fillRect(rect, theme.colour("selection" if look.selected else "hover"))
        if look.selected:  # its tint is faint on a poor projector
            for edge in (rect.top(), rect.bottom() - px(1) + 1):
                painter.fillRect(QRect(rect.left(), edge, rect.width(), px(1)), theme.colour("outline"))
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row():
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), px(1)), theme.accent)
            painter.fillRect(QRect(rect.left(), rect.bottom() - px(1) + 1, rect.width(), px(1)), theme.accent)
        if look.current and index.column() == 0:
            painter.fillRect(
                QRect(rect.topLeft(), rect.bottomLeft()).adjusted(0, 0, px(3) - 1, 0), theme.accent
            )
        cell = self._rows.cell(index.row(), index.column())
        column = self._rows.columns[index.column()]
        room = self._text_room(cell, rect, index.column())
        if cell.job is not None:
            left = _inside(rect, index.column(), self._rows, self._themes).left()
            paint_swatch(painter, self._themes, cell.job, left, rect.center().y() + 0.5)
        painter.setFont(self._themes.text())
        if cell.sign:
            painter.setPen(theme.colour(cell.sign_tone))
            before = room.adjusted(-px(SIGN), 0, 0, 0)
            write(painter, before, cell.sign, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter))
        painter.setPen(theme.colour(cell.tone))
        shown = _fitting(cell, painter.fontMetrics(), room.width())
        write_named(painter, room, shown, theme.colour("muted"), _side(column, self._table))
        painter.restore()

    def shown(self, row: int, column: int) -> str:
        """The text drawn in a cell: the whole one, a shorter one, or the shortest, elided."""
        cell, rect = self._rows.cell(row, column), self._table.visualRect(self._rows.index(row, column))
        return _fitting(cell, QFontMetrics(self._themes.text()), self._text_room(cell, rect, column).width())

    def _text_room(self, cell: TableCell, rect: QRect, column: int) -> QRect:
        """The room for the text of a cell, after its job's colour and its sign."""
        px = self._themes.px
        before = px(SWATCH) + px(6) if cell.job is not None else 0
        before += px(SIGN) if cell.sign else 0
        return _inside(rect, column, self._rows, self._themes).adjusted(before, 0, 0, 0)

    def helpEvent(  # noqa: N802 - Qt's name
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: ModelIndex
    ) -> bool:
        """Show the whole text of an elided cell as a tooltip."""
        del option
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return False
        show_tip(view, event.globalPos(), self.whole(index))
        return True

    def whole(self, index: ModelIndex) -> str:
        """The text of a cell if a part of it cannot be seen, else nothing."""
        text = self._rows.cell(index.row(), index.column()).text
        return text if self.shown(index.row(), index.column()) != text else ""


class Captions(QHeaderView):
    """The captions over the columns, aligned like the cells below them."""

    def __init__(
        self,
        table: QTableView,
        rows: TableModel[Any],
        order: Callable[[], SortOrder | None],
        themes: Dress,
        cut: Callable[[], int | None],
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._rows, self._order, self._themes, self._cut = rows, order, themes, cut

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803 - Qt
        """Draw a caption over the hairline; of a column that the edge cuts none."""
        theme = self._themes.theme
        painter.save()
        if is_rtl(self):
            mirror(painter, rect)
        painter.fillRect(rect, theme.colour("panel"))
        painter.fillRect(QRect(rect.bottomLeft(), rect.bottomRight()), theme.colour("hairline"))
        column = self._rows.columns[logicalIndex]
        if logicalIndex == self._cut():
            painter.restore()
            return
        room = _inside(rect, logicalIndex, self._rows, self._themes)
        painter.setFont(self._themes.text("caption"))
        title, order = self._rows.title(logicalIndex), self._order()
        sorts = order is not None and bool(column.key) and order.key == column.key
        painter.setPen(theme.colour("text" if sorts or ids_in(title) else "muted"))
        if order is not None and sorts:
            title += " ↓" if order.descending else " ↑"
        shown = fitted(title, room.width(), painter.fontMetrics())
        write_named(painter, room, shown, theme.colour("muted"), _side(column, self))
        painter.restore()


def _fitting(cell: TableCell, metrics: QFontMetrics, room: int) -> str:
    """The longest wording that has room, or what is left of the shortest there is."""
    for words in (cell.text, *cell.shorter):
        shown = fitted(words, room, metrics)
        if shown == words:
            break
    return shown


def _inside(rect: QRect, column: int, rows: TableModel[Any], themes: Dress) -> QRect:
    """The room for a column's text: 8 from the next column, the first at the panel's margin, 12.

    The last reaches its edge: right of it lies the margin that is kept for the scroll bar.
    """
    px = themes.px
    return rect.adjusted(px(12 if column == 0 else 4), 0, 0 if column == len(rows.columns) - 1 else -px(4), 0)


def _side(column: Column[Any], table: QWidget) -> int:
    """Numbers end on the right, mirrored or not, so that their digits stand under one another."""
    at_end = column.number and not is_rtl(table)
    side = Qt.AlignmentFlag.AlignRight if at_end else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
