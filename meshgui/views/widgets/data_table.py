"""A flat table whose rows change in place: no grid, fixed columns, job swatches, and nothing that jumps.

Cells are asked for only when they are drawn, so ten thousand rows cost what the visible ones cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from meshgui.model.tables import ExportTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.labels import SWATCH, paint_swatch

__all__ = ["Column", "DataTable", "ModelIndex", "RowLook", "SortOrder", "TableCell", "TableRows"]

ModelIndex = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIGN = 18  # the width of a sign before a text


class TableCell(NamedTuple):
    """What one place of a table says, the job it stands for, and in which of the theme's colours.

    A sign before the text has a colour of its own. Where the text has no room, the first of the shorter ones
    that has is drawn: a number cut short is another number.
    """

    text: str
    job: int | None = None
    tone: str = "text"
    shorter: tuple[str, ...] = ()
    sign: str = ""
    sign_tone: str = "text"


class Column(NamedTuple):
    """A column's caption, whether it holds numbers, which stand right, and by what it can be sorted."""

    title: str
    number: bool = False
    key: str = ""


class SortOrder(NamedTuple):
    """The column by which rows are sorted, named by its key."""

    key: str
    descending: bool


class RowLook(NamedTuple):
    """How a row stands out."""

    selected: bool = False
    hovered: bool = False
    current: bool = False


class TableRows(QAbstractTableModel):
    """A number of rows, and a function that says what is in them."""

    def __init__(self, columns: tuple[Column, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = columns
        self._count = 0
        self._cell: Callable[[int, int], TableCell] = lambda _row, _column: TableCell("")

    def fill(self, count: int, cell: Callable[[int, int], TableCell]) -> None:
        """Show other rows in place: what was scrolled to, or stood in a row, stays where it is."""
        self._cell = cell
        if count > self._count:
            self.beginInsertRows(_TOP, self._count, count - 1)
            self._count = count
            self.endInsertRows()
        elif count < self._count:
            self.beginRemoveRows(_TOP, count, self._count - 1)
            self._count = count
            self.endRemoveRows()
        if count:
            self.dataChanged.emit(self.index(0, 0), self.index(count - 1, len(self.columns) - 1))

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Begin anew with other columns and no rows."""
        self.beginResetModel()
        self.columns, self._count = columns, 0
        self.endResetModel()

    def cell(self, row: int, column: int) -> TableCell:
        """What stands there."""
        return self._cell(row, column)

    def rowCount(self, parent: ModelIndex = _TOP) -> int:  # noqa: N802 - Qt's name
        """How many rows there are."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: ModelIndex = _TOP) -> int:  # noqa: N802 - Qt's name
        """How many columns there are."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's type
        """The text, for the delegate, for tests and for screen readers."""
        if role == Qt.ItemDataRole.DisplayRole and index.row() < self._count:
            return self._cell(index.row(), index.column()).text
        return None

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's type
        """The captions."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.columns[section]
        return column.title if role == Qt.ItemDataRole.DisplayRole else None


class DataTable(QTableView):
    """Draws `Rows`; says where the pointer is and what was chosen with the mouse or the keyboard."""

    pointed = Signal(int, int)  # row and column under the pointer; -1 where there is none
    chosen = Signal(int, int)  # by a click or Enter
    walked = Signal(int)  # the row that the keys have gone to
    widened = Signal()  # there is another width to share among the columns
    sorted_by = Signal(str, bool)  # the key of the column whose caption was clicked, and whether downwards

    def __init__(self, rows: TableRows, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = rows
        self._themes = themes
        self.placeholder = ""  # what an empty table says
        self.order: SortOrder | None = None  # what the rows are sorted by, if they can be
        self._look: Callable[[int], RowLook] = lambda _row: RowLook()
        self._figures: Callable[[], ExportTable | None] = lambda: None
        self.setModel(rows)
        self.setItemDelegate(_Delegate(self, themes))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.viewport().setMouseTracking(True)
        self.setHorizontalHeader(_Captions(rows, themes, self))
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        head = self.horizontalHeader()
        head.setMinimumSectionSize(1)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        themes.changed.connect(self._wear)
        self._wear()

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Change which columns there are."""
        self.rows.show_columns(columns)
        self.viewport().update()

    def look_with(self, look: Callable[[int], RowLook]) -> None:
        """Ask `look` how each row stands out."""
        self._look = look

    def answer_to(
        self,
        look: Callable[[int], RowLook],
        pointed: Callable[[int, int], None],
        chosen: Callable[[int, int], None],
        widened: Callable[[], None],
    ) -> None:
        """Ask and tell whoever shows the table; a row that the keys have gone to is pointed at."""
        self.look_with(look)
        self.pointed.connect(pointed)
        self.walked.connect(lambda row: pointed(row, 0))
        self.chosen.connect(chosen)
        self.widened.connect(widened)

    def sort_by(self, order: SortOrder) -> None:
        """Say by what the rows are sorted; clicks on the captions of columns with a key ask for another."""
        if self.order is None:
            self.horizontalHeader().setSectionsClickable(True)
            self.horizontalHeader().sectionClicked.connect(self._asked_order)
        self.order = order
        self.horizontalHeader().viewport().update()

    def _asked_order(self, section: int) -> None:
        column, order = self.rows.columns[section], self.order
        if not column.key or order is None:
            return
        descending = not order.descending if order.key == column.key else column.number
        self.sort_by(SortOrder(column.key, descending))
        self.sorted_by.emit(column.key, descending)

    def tell_figures(self, figures: Callable[[], ExportTable | None]) -> None:
        """Ask `figures` for the whole table in full precision, where it is to be exported."""
        self._figures = figures

    def tables(self) -> Sequence[ExportTable]:
        """The whole table, in the order it is shown in."""
        table = self._figures()
        return () if table is None else (table,)

    def look(self, row: int) -> RowLook:
        """How a row stands out."""
        return self._look(row)

    @property
    def room(self) -> int:
        """The width for all columns; the scroll bar finds its own kept free and moves nothing."""
        return self.width() - self._themes.px(12)

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Fix the columns' widths in screen pixels."""
        head = self.horizontalHeader()
        for column, width in enumerate(widths):
            if head.sectionSize(column) != width:
                head.resizeSection(column, width)

    def shown(self, row: int, column: int) -> str:
        """What is drawn of a cell: its text, a shorter one, or what is left of the shortest."""
        cell = self.rows.cell(row, column)
        rect = self.visualRect(self.rows.index(row, column))
        room = _inside(rect, column, len(self.rows.columns), self._themes).width()
        if cell.job is not None:
            room -= self._themes.px(SWATCH) + self._themes.px(6)
        if cell.sign:
            room -= self._themes.px(_SIGN)
        metrics = QFontMetrics(self.font())
        return metrics.elidedText(_fitting(cell, metrics, room), Qt.TextElideMode.ElideRight, room)

    def reveal(self, row: int) -> None:
        """Scroll, as little as can be, until the row is seen."""
        self.updateGeometries()  # rows that have just come count, too
        self.scrollTo(self.rows.index(row, 0), QAbstractItemView.ScrollHint.EnsureVisible)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the visible cells, or what an empty table says."""
        super().paintEvent(event)
        if not self.rows.rowCount() and self.placeholder:
            px, painter = self._themes.px, QPainter(self.viewport())
            painter.setFont(self.font())
            painter.setPen(self._themes.theme.colour("muted"))
            room = self.viewport().rect().adjusted(px(12), px(6), -px(12), 0)
            painter.drawText(room, int(Qt.TextFlag.TextWordWrap), self.placeholder)
            painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Say what the pointer is on."""
        index = self.indexAt(event.position().toPoint())
        self.pointed.emit(index.row(), index.column())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Say that the pointer is on nothing."""
        super().leaveEvent(event)
        self.pointed.emit(-1, -1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the row that was clicked."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(index.row(), index.column())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Walk with the keys that go up and down, choose with Enter; leave all others to the window."""
        if event.key() in _KEYS:
            super().keyPressEvent(event)
            if self.currentIndex().isValid():
                self.walked.emit(self.currentIndex().row())
        elif event.key() in _ENTER and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row(), 0)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Qt would go to the first row at once, and the first key to the second."""
        untouched = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if untouched and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectionModel().clearCurrentIndex()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Where the keys are is no longer of interest."""
        super().focusOutEvent(event)
        self.pointed.emit(-1, -1)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say so here: a panel's own resizing comes before that of a table it does not show."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.widened.emit()

    def _wear(self) -> None:
        self.setFont(self._themes.text())
        height = QFontMetrics(self._themes.text()).height() + self._themes.px(8)
        self.verticalHeader().setDefaultSectionSize(height)
        self.horizontalHeader().setFixedHeight(self._themes.px(24))
        self.viewport().update()


class _Delegate(QStyledItemDelegate):
    """Paints a cell straight from the theme: the style sheet's way costs ten times as much."""

    def __init__(self, table: DataTable, themes: ThemeManager) -> None:
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
        inside = _inside(rect, index.column(), len(self._table.rows.columns), self._themes)
        if cell.job is not None:
            paint_swatch(painter, self._themes, cell.job, inside.left(), rect.center().y() + 0.5)
            inside.setLeft(inside.left() + px(SWATCH) + px(6))
        painter.setFont(self._table.font())
        if cell.sign:
            painter.setPen(theme.colour(cell.sign_tone))
            painter.drawText(
                inside, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), cell.sign
            )
            inside.setLeft(inside.left() + px(_SIGN))
        painter.setPen(theme.colour("muted" if cell.text == "–" else cell.tone))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(
            _fitting(cell, metrics, inside.width()), Qt.TextElideMode.ElideRight, inside.width()
        )
        painter.drawText(inside, int(_side(column)) | Qt.AlignmentFlag.AlignVCenter, shown)

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


class _Captions(QHeaderView):
    """The captions over the columns, standing as the cells below them do."""

    def __init__(self, rows: TableRows, themes: ThemeManager, table: DataTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._rows, self._themes, self._table = rows, themes, table

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803 - Qt
        """Draw a caption over the hairline."""
        theme = self._themes.theme
        painter.fillRect(rect, theme.colour("panel"))
        painter.fillRect(QRect(rect.bottomLeft(), rect.bottomRight()), theme.colour("hairline"))
        column = self._rows.columns[logicalIndex]
        inside = _inside(rect, logicalIndex, len(self._rows.columns), self._themes)
        painter.setFont(self._themes.text("caption"))
        order = self._table.order
        sorts = order is not None and bool(column.key) and order.key == column.key
        painter.setPen(theme.colour("text" if sorts else "muted"))
        title = (
            f"{column.title} {'↓' if order is not None and order.descending else '↑'}"
            if sorts
            else column.title
        )
        shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, int(_side(column)) | Qt.AlignmentFlag.AlignVCenter, shown)


def _fitting(cell: TableCell, metrics: QFontMetrics, room: int) -> str:
    """The longest wording that has room, or the shortest there is."""
    wordings = (cell.text, *cell.shorter)
    return next((words for words in wordings if metrics.horizontalAdvance(words) <= room), wordings[-1])


def _inside(rect: QRect, column: int, columns: int, themes: ThemeManager) -> QRect:
    """Where a column's text stands: 8 from the next, the first on the panel's margin, 12.

    The last reaches its edge: right of it lies the margin that is kept for the scroll bar.
    """
    px = themes.px
    return rect.adjusted(px(12 if column == 0 else 4), 0, 0 if column == columns - 1 else -px(4), 0)


def _side(column: Column) -> Qt.AlignmentFlag:
    return Qt.AlignmentFlag.AlignRight if column.number else Qt.AlignmentFlag.AlignLeft
