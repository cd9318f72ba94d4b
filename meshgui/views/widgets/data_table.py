"""A table of a source by its columns: rows change in place, columns share the width, cells are links.

Cells are made only when they are drawn, so ten thousand rows cost what the visible ones cost.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QItemSelectionModel, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QScrollArea, QTableView

from meshgui.engine.basics.sentences import CycleLink, Link
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import UNKNOWN
from meshgui.model.stepping.links import Links
from meshgui.model.tables.columns import Column, GiveWay, SortOrder, TableSource, export, rows_in_order
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, EnlargedDress
from meshgui.views.widgets.building import scrolls_around
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.labels import SWATCH, placeholder_height, write_placeholder
from meshgui.views.widgets.table_model import TableModel
from meshgui.views.widgets.table_painting import SIGN, Captions, CellDelegate, RowLook

D = TypeVar("D", bound=TableSource)
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_HEAD = 24  # the height of the captions
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_COMMANDING = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class DataTable(QTableView, Generic[D]):
    """Shows a source by its columns; emits signals for hovered and chosen rows.

    The columns share the width there is. Where it is too little, `give_way` says in which order they shorten
    or disappear.
    """

    pointed = Signal(int, int)  # row and column under the pointer; -1 where there is none
    chosen = Signal(int, int)  # by a click or Enter
    walked = Signal(int)  # the row reached with the keys

    def __init__(
        self,
        columns: Sequence[Column[D]],
        themes: Dress,
        *,
        order: SortOrder | None = None,
        give_way: Sequence[GiveWay] = (),
    ) -> None:
        super().__init__()
        self.setAccessibleName(tr("Table"))  # until it has rows, which have a title
        self._letters = EnlargedDress(themes, self)
        FocusRing(self, themes)
        self.rows: TableModel[D] = TableModel(columns, self)
        self.source: D | None = None
        self.placeholder = ""  # the text of an empty table
        self.order = order  # by which the rows are sorted, if they can be
        self.choosing = False  # whether a selection comes from here
        self._columns, self._give_way = tuple(columns), tuple(give_way)
        self._part: Sequence[int] | None = None  # the rows of the source that are shown, where not all are
        self._look: Callable[[D, int], RowLook] | None = None
        self._links: Links | None = None
        self._row_link: Callable[[D, int], Link | None] = lambda _source, _row: None
        self._scope: Hashable = None
        self._shows_all = False
        self._around: QScrollArea | None = None  # what scrolls around the table
        self._longest: list[list[str]] = []  # the widest text of each form of each column in this scope
        self.setModel(self.rows)
        self._cells = CellDelegate(self, self.rows, self.look, self._letters)
        self.setItemDelegate(self._cells)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.viewport().setMouseTracking(True)
        captions = Captions(self, self.rows, lambda: self.order, self._letters, self.cut_column)
        self.setHorizontalHeader(captions)
        captions.sectionResized.disconnect()  # see set_widths
        for part in (self.viewport(), captions.viewport()):
            self.horizontalScrollBar().valueChanged.connect(part.update)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        head = self.horizontalHeader()
        head.setMinimumSectionSize(1)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        if order is not None:
            head.setSectionsClickable(True)
            head.sectionClicked.connect(self._caption_clicked)
        self._letters.changed.connect(self.viewport().update)
        Sizing(self._letters, self).call(head.setFixedHeight, _HEAD).rule(self._fit_rows)

    def set_zoom(self, zoom: float) -> None:
        """Write everything this much larger than other text."""
        self._letters.set_zoom(zoom)

    def show_columns(self, columns: Sequence[Column[D]], *, fresh: bool = True) -> None:
        """Change the columns; those that are not fresh keep their widths and show other texts."""
        self._columns = tuple(columns)
        if fresh:
            self.source, self._scope, self._longest = None, None, []
        self.rows.show_columns(columns, fresh=fresh)
        self.viewport().update()

    def show_rows(self, source: D | None, part: Sequence[int] | None = None) -> None:
        """Show another source, or only a part of its rows, in the order there is."""
        self.source, self._part = source, part
        if source is None:
            self.rows.fill(None, ())
            self._fit_height()
            return
        if self.accessibleName() == tr("Table"):
            self.setAccessibleName(source.title)
        self.rows.fill(source, self._shown_rows(source))
        self._fit_height()
        self.refresh()
        if self._measure(source):
            self.fit()
        if self.isVisible():
            self.executeDelayedItemsLayout()  # else its scroll bar comes with a second paint of the window

    def show_all_rows(self, on: bool) -> None:
        """Be as high as all rows, in a panel that scrolls around the table, or leave the height to it."""
        if on != self._shows_all:
            self._shows_all = on
            self.setMinimumHeight(0)
            self._fit_height()

    def _fit_height(self) -> None:
        if not self._shows_all:
            return
        below = max(self.rows.rowCount(), 1) * self.verticalHeader().defaultSectionSize()
        if not self.rows.rowCount() and self.placeholder:
            below = max(below, placeholder_height(self.placeholder, self.viewport().width(), self._letters))
        if self.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAsNeeded:
            below += self.horizontalScrollBar().sizeHint().height()
        self.setMinimumHeight(self._letters.px(_HEAD) + below)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as all rows, if they are shown."""
        usual = super().sizeHint()
        return QSize(usual.width(), self.minimumHeight()) if self._shows_all else usual

    def sort_by(self, order: SortOrder) -> None:
        """Sort by another column."""
        self.order = order
        self.horizontalHeader().viewport().update()
        if self.source is not None:
            self.rows.fill(self.source, self._shown_rows(self.source))

    def _shown_rows(self, source: D) -> Sequence[int]:
        return rows_in_order(self._columns, source, self.order) if self._part is None else self._part

    def _caption_clicked(self, section: int) -> None:
        column, order = self.rows.columns[section], self.order
        if not column.key or order is None:
            return
        descending = not order.descending if order.key == column.key else column.number
        self.sort_by(SortOrder(column.key, descending))

    def tables(self) -> Sequence[PlainTable]:
        """The whole table in full precision, in the order it is shown in."""
        source = self.source
        if source is None:
            return ()
        rows = self._shown_rows(source) if self._part is None else None
        return (export(self._columns, source, rows),)

    def row_of(self, row: int) -> int:
        """The row of the source that a row shows."""
        return self.rows.source_row(row)

    def row_showing(self, source_row: int) -> int | None:
        """The row that shows a row of the source."""
        return self.rows.place_of(source_row)

    # Links of rows and cells

    def look_with(self, look: Callable[[D, int], RowLook]) -> None:
        """Set the function that says how each row of the source is highlighted."""
        self._look = look

    def look(self, row: int) -> RowLook:
        """How a row is highlighted; by default as its link is."""
        if self.source is None or row >= self.rows.rowCount():
            return RowLook()
        if self._look is not None:
            return self._look(self.source, self.row_of(row))
        link = self._row_link(self.source, self.row_of(row))
        if self._links is None or link is None:
            return RowLook()
        return RowLook(self._links.selected(link), self._links.hovered(link))

    def link_rows(
        self, links: Links, link: Callable[[D, int], Link | None], *, walking_chooses: bool = False
    ) -> None:
        """Hover and select the links of rows; columns may link their cells to something else."""
        self._links, self._row_link = links, link
        self.pointed.connect(self._point_at)
        self.chosen.connect(self._choose)
        self.walked.connect(lambda row: (self._choose if walking_chooses else self._point_at)(row, 0))

    def _cell_link(self, row: int, column: int) -> Link | None:
        say = self.rows.columns[column].link
        return say(self.source, self.row_of(row)) if say is not None and self.source is not None else None

    def _point_at(self, row: int, column: int) -> None:
        links, source = self._links, self.source
        if links is None:
            return
        if row < 0 or source is None:
            links.hover(None)
            shape = Qt.CursorShape.ArrowCursor
        else:
            link = self._cell_link(row, column)
            whole = self._row_link(source, self.row_of(row))
            links.hover(whole if link is None or isinstance(link, CycleLink) else link)
            shape = Qt.CursorShape.ArrowCursor if link is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(shape)

    def _choose(self, row: int, column: int) -> None:
        if self._links is None or self.source is None:
            return
        linked = self.rows.columns[column].link is not None
        link = self._cell_link(row, column) if linked else self._row_link(self.source, self.row_of(row))
        if link is not None:
            self.choosing = True
            self._links.choose(link)
            self.choosing = False

    # Widths

    def fit(self) -> None:
        """Share the width among the columns; if it is too small, they shrink in turn."""
        columns = self.rows.columns
        forms, hidden = [0] * len(columns), set[int]()

        def needs() -> list[int]:
            return [0 if i in hidden else self.needed(i, forms[i]) for i in range(len(columns))]

        before, self.rows.in_full = self.rows.in_full, True
        for concession in self._give_way:
            if sum(needs()) <= self.room:
                break
            self.rows.in_full &= bool(concession.columns)
            for i, column in enumerate(columns):
                if column.id in concession.columns and concession.hide:
                    hidden |= {i} if not concession.if_empty or self._is_empty(i) else set()
                elif column.id in concession.columns:
                    forms[i] += 1
        if self.rows.in_full != before:
            self.horizontalHeader().viewport().update()
        if forms != self.rows.forms:
            self.rows.forms = forms
            self.viewport().update()
        for i in range(len(columns)):
            self.setColumnHidden(i, i in hidden)
        self.set_widths(shared_widths(needs(), columns, self.room, hidden))

    def _is_empty(self, column: int) -> bool:
        """Whether a column says nothing yet, in its shortest form."""
        return not self._longest or self._longest[column][-1] in {"", UNKNOWN}

    def needed(self, column: int, form: int = 0, *, brief: bool = False) -> int:
        """The width of a column for its caption, perhaps its brief one, and the longest text of a form."""
        px, here = self._letters.px, self.rows.columns[column]
        caption = QFontMetrics(self._letters.text("caption")).horizontalAdvance
        words = here.title if brief else self.rows.title(column)
        title = caption(f"{words} ↓") + px(2) if here.key else caption(words)
        texts = self._longest[column] if self._longest else []  # there is no data yet
        longest = texts[form] if form < len(texts) else ""
        text = QFontMetrics(self._letters.text()).horizontalAdvance(longest)
        first, last = column == 0, column == len(self.rows.columns) - 1
        text += px(SWATCH + (10 if first else 6)) if here.job is not None else 0
        text += px(SIGN) if here.sign else 0
        return max(text, title) + px(16 if first else 4 if last else 8) + 2

    def _measure(self, source: D) -> bool:
        """Measure the longest texts; True if a column needs more room than before."""
        fresh = source.scope != self._scope or not self._longest
        if fresh:
            self._scope = source.scope
            self._longest = [[""] * (1 + len(column.shorter)) for column in self.rows.columns]
        width = QFontMetrics(self._letters.text()).horizontalAdvance
        grown = fresh
        for column, longest in zip(self.rows.columns, self._longest, strict=True):
            for form, texts in enumerate((column.widest, *column.shorter)):
                for text in texts(source):
                    if text != longest[form] and width(text) > width(longest[form]):
                        longest[form] = text
                        grown = True
        return grown

    @property
    def room(self) -> int:
        """The width for all columns, without the room kept for the scroll bar."""
        return self.width() - self._letters.px(12)

    def set_needed_widths(self, air: int) -> None:
        """Give each column what it needs, and so much room between them."""
        if self.source is not None:
            widths = (self.needed(i) + self._letters.px(air) for i in range(len(self.rows.columns)))
            self.set_widths(tuple(widths))

    def set_widths(self, widths: tuple[int, ...]) -> None:
        """Fix the columns' widths in screen pixels, to be seen with the next paint.

        QTableView would have another one after it: each column that changes starts a timer.
        """
        head = self.horizontalHeader()
        for column, width in enumerate(widths):
            if head.sectionSize(column) != width:
                head.resizeSection(column, width)
        self.updateGeometries()
        self.viewport().update()

    def shown(self, row: int, column: int) -> str:
        """The text drawn in a cell: the whole one, a shorter one, or the shortest, elided."""
        return self._cells.shown(row, column)

    def reveal(self, row: int) -> None:
        """Scroll as little as possible until the row is visible."""
        self.updateGeometries()  # including new rows
        self.scrollTo(self.rows.index(row, 0), QAbstractItemView.ScrollHint.EnsureVisible)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the visible cells, or the text of an empty table; at rest no row that is cut at the bottom."""
        super().paintEvent(event)
        room, cut, beside = self.viewport().rect(), self._cut_row(), self.cut_column()
        with QPainter(self.viewport()) as painter:
            if not self.rows.rowCount() and self.placeholder:
                write_placeholder(painter, room, self.placeholder, self._letters)
                return
            if cut is not None:
                painter.fillRect(room.adjusted(0, cut, 0, 0), self.palette().base())
            if beside is not None:
                left, width = self.columnViewportPosition(beside), self.columnWidth(beside)
                painter.fillRect(QRect(left, 0, width, room.height()), self.palette().base())

    def cut_column(self) -> int | None:
        """The column that the edge cuts, before the table is scrolled; the first column is shown."""
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        if bar.value() > bar.minimum() or bar.maximum() == bar.minimum():
            return None
        last = self.columnAt(0 if is_rtl(self) else width - 1)
        if last < 1:
            return None
        left, wide = self.columnViewportPosition(last), self.columnWidth(last)
        return last if left < 0 or left + wide > width else None

    def _cut_row(self) -> int | None:
        """Where the row begins that the bottom cuts, before anything is scrolled; the first row is shown."""
        seen = self.viewport().visibleRegion().boundingRect().bottom()
        last = self.rowAt(seen)
        bars = (
            [self.verticalScrollBar()]
            if self._around is None
            else [self.verticalScrollBar(), self._around.verticalScrollBar()]
        )
        if last < 1 or any(bar.value() > bar.minimum() for bar in bars):
            return None
        top, height = self.rowViewportPosition(last), self.rowHeight(last)
        return top if top + height > seen + 1 else None

    def refresh(self) -> None:
        """Draw the rows as they are highlighted now."""
        self.viewport().update()
        if QAccessible.isActive():
            self._tell_selection()

    def _tell_selection(self) -> None:
        """Select for screen readers, who ask Qt, the rows that are drawn as selected."""
        model = self.selectionModel()
        shown = {row for row in range(self.rows.rowCount()) if self.look(row).selected}
        if shown != {index.row() for index in model.selectedRows()}:
            model.clearSelection()
            flags = QItemSelectionModel.SelectionFlag
            for row in shown:
                model.select(self.rows.index(row, 0), flags.Select | flags.Rows)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Emit the row and column under the pointer."""
        index = self.indexAt(event.position().toPoint())
        self.pointed.emit(index.row(), index.column())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Emit that no row is hovered."""
        super().leaveEvent(event)
        self.pointed.emit(-1, -1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the row that was clicked."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(index.row(), index.column())

    def at_end(self, way: int) -> bool:
        """Whether no row comes after the one of the keyboard, or before it."""
        row, last = self.currentIndex().row(), self.rows.rowCount() - 1
        return row >= last if way > 0 else row <= 0

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Move with the vertical keys or by typing how a row begins, choose with Enter; leave all others."""
        searches = event.text().isprintable() and not event.modifiers() & _COMMANDING and event.text().strip()
        if event.key() in _KEYS or searches:
            before = self.currentIndex()
            super().keyPressEvent(event)
            if self.currentIndex().isValid() and (event.key() in _KEYS or self.currentIndex() != before):
                self._scroll_around()
                self.walked.emit(self.currentIndex().row())
        elif event.key() in _ENTER and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row(), 0)
        else:
            event.ignore()

    def _scroll_around(self) -> None:
        """Bring the row of the keyboard into sight where a panel scrolls around all rows."""
        around = self._around if self._shows_all else None
        if around is not None and (content := around.widget()) is not None:
            row = self.visualRect(self.currentIndex())
            middle = self.viewport().mapTo(content, row.center())
            around.ensureVisible(0, middle.y(), 0, row.height())

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Follow what scrolls around the table: the row that is cut at its bottom is drawn once it moves."""
        super().showEvent(event)
        around = scrolls_around(self)
        if around is not None and around is not self._around:
            around.verticalScrollBar().valueChanged.connect(self.viewport().update)
        self._around = around

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Go to no row yet: Qt would go to the first, and the first key to the second."""
        untouched = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if untouched and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectionModel().clearCurrentIndex()
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering the row of the keyboard."""
        super().focusOutEvent(event)
        self.pointed.emit(-1, -1)
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the new width among the columns."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()
            self._fit_height()  # the text of an empty one may take another line

    def _fit_rows(self) -> None:
        height = QFontMetrics(self._letters.text()).height() + self._letters.px(8)
        self.verticalHeader().setDefaultSectionSize(height)
        self._fit_height()
        self.fit()


def shared_widths(
    needs: Sequence[int], columns: Sequence[Column[D]], room: int, hidden: set[int]
) -> tuple[int, ...]:
    """The width of each column: what it needs and a share of the rest, or a share of too small a width.

    Of columns that shrink, narrow ones get what they need, and the others equal parts of the rest.
    """
    widths, spare = list(needs), room - sum(needs)
    for_all = [i for i in range(len(columns)) if i not in hidden]
    if spare >= 0:
        growing = [i for i in for_all if columns[i].grows]
        for place, i in enumerate(growing):
            share = spare // (len(growing) - place)
            widths[i] += share
            spare -= share
    else:
        shrinking = sorted((i for i in for_all if columns[i].shrinks), key=needs.__getitem__)
        left = max(spare + sum(needs[i] for i in shrinking), len(shrinking))
        for place, i in enumerate(shrinking):
            widths[i] = min(needs[i], left // (len(shrinking) - place))
            left -= widths[i]
    return tuple(widths)
