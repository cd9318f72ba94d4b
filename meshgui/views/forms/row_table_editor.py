"""An editor of rows of numbers: a table with buttons to add, remove and paste."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from meshgui.engine.basics.translation import tr
from meshgui.model.fields.field_schema import Schema, in_words, start_value
from meshgui.model.tables.tables import PlainTable
from meshgui.views.forms.editors import Editor, PlacedFault
from meshgui.views.forms.row_table_model import Cells, RowFault, RowTableModel, rows_from_csv
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, scrolls_around, text_button
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.table_model import ModelIndex
from meshgui.views.widgets.wheel import wheel_needs_focus

_SHOWN: Final = 8  # rows before the table scrolls
_LEAST: Final = 3  # rows that are shown even where the form is low
_ERROR: Final = 44  # pixels kept free below the table for an error of two lines


class _CellDelegate(QStyledItemDelegate):
    """Edits cells; commits each letter, so that errors appear at once."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw the ground of an invalid cell, which the stylesheet would leave out."""
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(ground, QColor):
            painter.fillRect(option.rect, ground)
        super().paint(painter, option, index)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:  # noqa: N802
        """Create a line without a frame of its own."""
        del option, index
        line = QLineEdit(parent)
        line.setProperty("cell", True)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.textEdited.connect(lambda: self.commitData.emit(line))
        return line

    def setEditorData(self, editor: QWidget, index: ModelIndex) -> None:  # noqa: N802 - Qt's name
        """Change the line only if its text differs, else typing would move the cursor."""
        text = str(index.data(Qt.ItemDataRole.EditRole))
        if isinstance(editor, QLineEdit) and editor.text() != text:
            editor.setText(text)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: ModelIndex) -> None:  # noqa: N802
        """Take the text of the line."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text())


class RowsView(QTableView):
    """Goes with Tab from the cell that is edited to the next, and stops at the end."""

    past_end = Signal()  # Tab in the last cell

    def closeEditor(self, editor: QWidget, hint: QStyledItemDelegate.EndEditHint) -> None:  # noqa: N802 - Qt's name
        """Stop at both ends, where Qt would go on with the cell at the other end."""
        hints, here = QStyledItemDelegate.EndEditHint, self.currentIndex()
        shown = [i for i in range(self.model().columnCount()) if not self.isColumnHidden(i)]
        last = here.row() == self.model().rowCount() - 1 and here.column() == shown[-1]
        first = here.row() == 0 and here.column() == shown[0]
        at_end = (hint == hints.EditNextItem and last) or (hint == hints.EditPreviousItem and first)
        super().closeEditor(editor, hints.NoHint if at_end else hint)
        if at_end and last and hint == hints.EditNextItem:
            self.past_end.emit()

    def sizeHintForColumn(self, column: int) -> int:  # noqa: N802 - Qt's name
        """Leave room for the other columns where a wrong entry is long."""
        return min(super().sizeHintForColumn(column), self.viewport().width() // 2)


class RowTableEditor(Editor):
    """The table with its buttons: add, remove, paste."""

    wide = True

    def __init__(self, schema: Schema, name: str, themes: ThemeManager) -> None:
        self.table = RowsView()
        super().__init__(self.table)
        self._themes, self._name = themes, in_words(name)
        self.rows = RowTableModel(schema, name, themes, self)
        self._start = self._blank = self.rows.row_of(start_value(schema["items"]))
        self.error_line = ErrorLine(themes)  # why the last paste was refused
        self.table.setModel(self.rows)
        self.table.setItemDelegate(_CellDelegate(self.table))
        self.table.setProperty("field", True)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        wheel_needs_focus(self.table)
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().setVisible(self.rows.lists_jobs)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for place, column in enumerate(self.rows.columns):
            if column.is_list:  # 1024×1024×1024 needs more room than a time
                fitting = QHeaderView.ResizeMode.ResizeToContents
                self.table.horizontalHeader().setSectionResizeMode(place, fitting)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setSectionsClickable(False)
        self.table.installEventFilter(self)
        self.table.past_end.connect(self._add_below)
        self.add = text_button(tr("Add"), tr("Add a row like the one above it"), self._add)
        self.remove = text_button(tr("Remove"), tr("Remove the selected rows (Delete)"), self._remove)
        self.paste = text_button(tr("Paste"), "", self._paste)
        self._explain_paste()
        self._lay_out()
        self.rows.dataChanged.connect(self._cell_changed)
        self.table.selectionModel().selectionChanged.connect(self._enable)
        themes.changed.connect(self._fit)
        self._fit()

    def value(self) -> object:
        return self.rows.items()

    def set_value(self, value: object) -> None:
        items: Sequence[Any] = value if isinstance(value, (list, tuple)) else ()
        self.rows.set_items(items)
        if self.rows.holds_row(self._blank):
            self.rows.set_rows([self._start])
        self._fit()

    def tables(self) -> Sequence[PlainTable]:
        """The rows as they were typed."""
        titles = tuple(column.title for column in self.rows.columns)
        return (PlainTable(self._name, titles, tuple(self.rows.rows())),)

    def start_with(self, item: object) -> None:
        """Set the content of new rows; an untouched first row changes as well."""
        row = self.rows.row_of(item)
        if self.rows.holds_row(self._start):
            self.rows.set_rows([row])
            self._fit()
        self._start = row

    def show_columns(self, shown: Mapping[str, bool]) -> None:
        """Show or hide columns; a hidden one keeps its cells, and is not pasted into."""
        for name, show in shown.items():
            self.table.setColumnHidden(self.rows.place_of(name), not show)
        self._explain_paste()

    def number_rows(self, beside: str) -> None:
        """Show the row numbers where they leave the column that fills the table enough room."""
        column = self.rows.place_of(beside)
        self.table.setCornerButtonEnabled(False)

        def decide() -> None:
            across, down = self.table.horizontalHeader(), self.table.verticalHeader()
            room = self.table.columnWidth(column) + down.width() * down.isVisibleTo(self.table)
            needed = max(self.table.sizeHintForColumn(column), across.sectionSizeHint(column))
            down.setVisible(room - down.sizeHint().width() >= needed)

        deciding = QTimer(self, singleShot=True, interval=0)  # once all columns have their widths
        deciding.timeout.connect(decide)
        self.table.horizontalHeader().sectionResized.connect(deciding.start)

    def fit_all_but(self, name: str) -> None:
        """Give a column the rest of the width; the others are as wide as their numbers."""
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(1)
        for place, column in enumerate(self.rows.columns):
            if column.name != name:
                header.setSectionResizeMode(place, QHeaderView.ResizeMode.ResizeToContents)

    def mark_invalid(self, faults: Sequence[PlacedFault]) -> str:
        """Mark the invalid cells, and return the row of the first in words."""
        super().mark_invalid([fault._replace(place=()) for fault in faults[:1]])
        marked: dict[int, RowFault] = {}
        for place, words in faults:
            if place and place[0].isdigit() and int(place[0]) < self.rows.rowCount():
                column = self.rows.column_of(place[1]) if len(place) > 1 else None
                marked.setdefault(int(place[0]), RowFault(column, words[:1].upper() + words[1:]))
        self.rows.mark_invalid(marked)
        for row, (column, _) in marked.items():
            self.table.scrollTo(self.rows.index(row, column or 0))
            named = "" if column is None else tr(", ") + self.rows.columns[column].words
            return self.rows.name_of(row) + named
        return ""

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Follow the height of the form that the table lies in."""
        super().showEvent(event)
        if (around := self._around()) is not None:
            around.installEventFilter(self)
        self._fit()

    def focus_part(self, place: Sequence[str]) -> None:
        """A row is selected and scrolled to."""
        super().focus_part(())
        if place and place[0].isdigit() and int(place[0]) < self.rows.rowCount():
            column = self.rows.column_of(place[1]) if len(place) > 1 else None
            self.table.setCurrentIndex(self.rows.index(int(place[0]), column or 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Handle Delete, which removes rows, and paste, which inserts rows; follow the form's height."""
        if watched is not self.table and event.type() == QEvent.Type.Resize:
            self._fit()
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.matches(QKeySequence.StandardKey.Paste):
                self._paste()
                return True
            if event.key() == Qt.Key.Key_Delete:
                self._remove()
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        """The buttons stand above the rows, which do not push them away as they grow in number."""
        sizing = Sizing(self._themes, self)
        if self.rows.lists_jobs:
            self.table.setCornerButtonEnabled(False)
            self.corner, numbers = label(tr("Job"), "muted"), self.table.verticalHeader()
            corner = self.table.findChild(QAbstractButton)
            words = sizing.row(1, self.corner, on=corner, margins=(6, 0, 8, 0))
            sizing.rule(
                lambda: numbers.setMinimumWidth(max(self._themes.px(40), words.sizeHint().width())), numbers
            )
        for button in (self.add, self.remove, self.paste):
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        buttons = sizing.row(self.add, self.remove, self.paste, 1)
        sizing.column(buttons, self.table, self.error_line, on=self).setSpacing(2)

    def _explain_paste(self) -> None:
        headings = tr(", ").join(self.rows.columns[place].words for place in self._shown())
        self.paste.setToolTip(
            tr("Paste rows: {headings}, separated by commas, semicolons, tabs or spaces (Ctrl+V)").format(
                headings=headings
            )
        )

    def _shown(self) -> list[int]:
        """The visible columns."""
        return [i for i in range(len(self.rows.columns)) if not self.table.isColumnHidden(i)]

    def _pasted(self, text: str) -> list[Cells]:
        """Read rows from CSV text; hidden columns have the content of a new row."""
        shown = self._shown()
        rows = []
        for cells in rows_from_csv(text, [self.rows.columns[place] for place in shown]):
            row = list(self._start)
            for column, cell in zip(shown, cells, strict=True):
                row[column] = cell
            rows.append(row)
        return rows

    def _selected(self) -> list[int]:
        return sorted(index.row() for index in self.table.selectionModel().selectedRows())

    def _add(self) -> None:
        selected = self._selected()
        self._add_at(selected[-1] + 1 if selected else self.rows.rowCount())

    def _add_below(self) -> None:
        """Add a row after the last, and go on with its first cell."""
        self._add_at(self.rows.rowCount())
        self.table.edit(self.table.currentIndex())

    def _add_at(self, place: int) -> None:
        above = self.rows.cells(place - 1) if place else self._start
        self.rows.put(place, [above])
        self._changed(place)
        self.table.setCurrentIndex(self.rows.index(place, self._shown()[0]))
        self.table.setFocus()  # on the button, what is typed for the row would be commands of the window

    def _remove(self) -> None:
        selected = self._selected()
        if selected:
            self.rows.take(selected)
            self._changed(min(selected[0], self.rows.rowCount() - 1))

    def _paste(self) -> None:
        text = QGuiApplication.clipboard().text()
        try:
            pasted = self._pasted(text)
        except ValueError as error:
            self.error_line.say(tr("Nothing was pasted: {error}").format(error=error))
            self.refused.emit(self.error_line)
            return
        if self.rows.holds_row(self._start):
            self.rows.set_rows([])
        selected = self._selected()
        place = selected[-1] + 1 if selected else self.rows.rowCount()
        self.rows.put(place, pasted)
        self._changed(place)

    def _changed(self, current: int) -> None:
        self.error_line.say("")
        self._fit()
        if current >= 0:
            self.table.selectRow(current)
        self.edited.emit()

    def _cell_changed(self, _first: QModelIndex, _last: QModelIndex, roles: Sequence[int] = ()) -> None:
        if Qt.ItemDataRole.BackgroundRole not in roles:
            self.error_line.say("")
            self.edited.emit()

    def _enable(self) -> None:
        self.remove.setEnabled(bool(self._selected()))

    def _around(self) -> QWidget | None:
        """The viewport of the form, which the table does not outgrow.

        It is looked up each time: Qt made it, and what Python keeps of it may be gone before the table is.
        """
        around = scrolls_around(self)
        return None if around is None else around.viewport()

    def _fit(self) -> None:
        px = self._themes.px
        self.table.verticalHeader().setDefaultSectionSize(px(26))
        self.table.verticalHeader().setMinimumSectionSize(px(26))
        header = self.table.horizontalHeader().sizeHint().height()
        fixed = header + 2 * (px(2) + 1)
        most = _SHOWN
        if (around := self._around()) is not None:
            room = around.height() - fixed - self.add.sizeHint().height() - px(_ERROR)
            most = min(max(room // px(26), _LEAST), _SHOWN)
        shown = min(max(self.rows.rowCount(), 2), most)
        self.table.setFixedHeight(shown * px(26) + fixed)
        self._enable()
