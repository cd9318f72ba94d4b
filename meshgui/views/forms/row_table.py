"""An editable table of rows of numbers: jobs of a list, intervals of a distribution, explicit packets."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from meshgui.model.tables import PlainTable
from meshgui.views.forms.field_schema import Schema, entries, in_words, start_value, without_null
from meshgui.views.forms.fields import Editor, number_text, read_number
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.table_model import ModelIndex

__all__ = ["RowTableEditor", "RowTableModel", "rows_from_csv"]

_SHOWN: Final = 8  # rows before the table scrolls
_TIMES: Final = "×"

Cells = list[str]


def rows_from_csv(text: str, columns: Sequence[str], spread: int | None = None) -> list[Cells]:
    """Rows from CSV text: commas, semicolons or tabs; a line of headings is passed over.

    The parts of the column `spread` may stand in cells of their own, as in 0,2,4,4,6.
    """
    text = text.strip("\n\r")
    mark = next((mark for mark in "\t;" if mark in text), ",")
    rows: list[Cells] = []
    for number, line in enumerate(csv.reader(text.splitlines(), delimiter=mark, skipinitialspace=True), 1):
        cells = [cell.strip() for cell in line]
        if not any(cells):
            continue
        if mark == ";":
            cells = [cell.replace(",", ".") for cell in cells]
        extra = len(cells) - len(columns)
        if spread is not None and extra > 0:
            cells[spread : spread + extra + 1] = [_TIMES.join(cells[spread : spread + extra + 1])]
        if not rows and number == 1 and not isinstance(read_number(cells[0], whole=False), float):
            continue
        if len(cells) != len(columns):
            raise ValueError(f"line {number}: expected {', '.join(columns)}, got {mark.join(line)[:40]}")
        rows.append([_tidy(cell) if i == spread else cell for i, cell in enumerate(cells)])
    if not rows:
        raise ValueError(f"expected rows of {', '.join(columns)} to paste")
    return rows


def _tidy(size: str) -> str:
    """A size with the sign it is shown with."""
    return _TIMES.join(re.split(r"\s*[xX*×]\s*|\s+", size.strip()))


class RowTableModel(QAbstractTableModel):
    """Rows of cells as they were typed, and the cell that is wrong."""

    def __init__(
        self, schema: Schema, name: str, themes: ThemeManager, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        items: Schema = schema["items"]
        self.parts = entries(items, name)
        self.columns = list(self.parts)
        self.spread = next((i for i, p in enumerate(self.parts.values()) if p.get("type") == "array"), None)
        self._named = "properties" in items
        self._themes = themes
        self._rows: list[Cells] = []
        self._fault: tuple[int, int | None] | None = None

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """How many rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """How many columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Every cell can be edited."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The names of the columns, and the rows' numbers, as complaints count them."""
        if role == Qt.ItemDataRole.DisplayRole:
            across = orientation == Qt.Orientation.Horizontal
            return in_words(self.columns[section]) if across else section + 1
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell's text; the wrong one stands on a ground of its own."""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.BackgroundRole and self._fault is not None:
            row, column = self._fault
            if index.row() == row and column in {None, index.column()}:
                return self._themes.theme.colour("prohibited", 0.28)
        return None

    def setData(self, index: ModelIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Take what was typed into a cell."""
        if role != Qt.ItemDataRole.EditRole or value == self._rows[index.row()][index.column()]:
            return False
        self._rows[index.row()][index.column()] = str(value)
        self.dataChanged.emit(index, index)
        return True

    def rows(self) -> list[Cells]:
        """A copy of all cells."""
        return [list(row) for row in self._rows]

    def set_rows(self, rows: Sequence[Cells]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = [list(row) for row in rows]
        self._fault = None
        self.endResetModel()

    def put(self, place: int, rows: Sequence[Cells]) -> None:
        """Put rows before a place."""
        self.beginInsertRows(QModelIndex(), place, place + len(rows) - 1)
        self._rows[place:place] = [list(row) for row in rows]
        self.endInsertRows()

    def take(self, places: Sequence[int]) -> None:
        """Take rows away."""
        for place in sorted(places, reverse=True):
            self.beginRemoveRows(QModelIndex(), place, place)
            del self._rows[place]
            self.endRemoveRows()

    def mark_invalid(self, fault: tuple[int, int | None] | None) -> None:
        """Mark a cell, or a whole row, as wrong; or nothing."""
        if fault != self._fault:
            self._fault = fault
            if not self._rows:
                return
            corners = self.index(0, 0), self.index(len(self._rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(*corners, [Qt.ItemDataRole.BackgroundRole])

    def row_of(self, value: object) -> Cells:
        """The cells of an item of the file."""
        if isinstance(value, Mapping):
            return [_cell(value.get(column)) for column in self.columns]
        cells = [_cell(part) for part in value] if isinstance(value, (list, tuple)) else []
        return cells + [""] * (len(self.columns) - len(cells)) if cells else []

    def items(self) -> list[object]:
        """The rows as the file has them."""
        schemas = list(self.parts.values())
        found: list[object] = []
        for row in self._rows:
            values = [_read(cell, schema) for cell, schema in zip(row, schemas, strict=True)]
            if not self._named and values[-1] is None:
                values.pop()
            found.append(dict(zip(self.columns, values, strict=True)) if self._named else values)
        return found

    def holds_only(self, column: int, text: str) -> bool:
        """Whether all cells of a column say the same."""
        return all(row[column] == text for row in self._rows)

    def column_of(self, part: str) -> int | None:
        """The column an error's place names."""
        if part in self.columns:
            return self.columns.index(part)
        return int(part) if part.isdigit() and int(part) < len(self.columns) else None


def _cell(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return _TIMES.join(number_text(part) for part in value)
    return number_text(value)


def _read(cell: str, schema: Schema) -> object:
    if schema.get("type") == "array":
        parts = _tidy(cell).split(_TIMES) if cell.strip() else []
        return [read_number(part, whole=True) or part for part in parts]
    schema, optional = without_null(schema)
    value = read_number(cell, whole=schema.get("type") == "integer")
    return "" if value is None and not optional else value


class _CellDelegate(QStyledItemDelegate):
    """Cells whose text counts while it is typed, so that what is wrong shows at once."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """The stylesheet's items have no ground of their own; the wrong one has."""
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if isinstance(ground, QColor):
            painter.fillRect(option.rect, ground)
        super().paint(painter, option, index)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: ModelIndex) -> QWidget:  # noqa: N802
        """A line without a frame of its own."""
        del option, index
        line = QLineEdit(parent)
        line.setProperty("cell", True)
        line.setAlignment(Qt.AlignmentFlag.AlignRight)
        line.textEdited.connect(lambda: self.commitData.emit(line))
        return line

    def setEditorData(self, editor: QWidget, index: ModelIndex) -> None:  # noqa: N802 - Qt's name
        """Leave the line alone when it says the same, else typing would move the cursor."""
        text = str(index.data(Qt.ItemDataRole.EditRole))
        if isinstance(editor, QLineEdit) and editor.text() != text:
            editor.setText(text)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: ModelIndex) -> None:  # noqa: N802
        """Take what the line says."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text())


class RowTableEditor(Editor):
    """The table with its buttons: add, remove, paste."""

    wide = True
    refused = Signal(QWidget)  # a paste came to nothing: where it says why

    def __init__(self, schema: Schema, name: str, themes: ThemeManager) -> None:
        self.table = QTableView()
        super().__init__(self.table)
        self._themes, self._name = themes, in_words(name)
        self.rows = RowTableModel(schema, name, themes, self)
        self._start = self._blank = self.rows.row_of(start_value(schema["items"]))
        self.complaint = ErrorLine(themes)  # why the last paste came to nothing
        self.table.setModel(self.rows)
        self.table.setItemDelegate(_CellDelegate(self.table))
        self.table.setProperty("field", True)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setTabKeyNavigation(False)
        self.table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        if self.rows.spread is not None:
            fitting = QHeaderView.ResizeMode.ResizeToContents  # 1024×1024×1024 needs more room than a time
            self.table.horizontalHeader().setSectionResizeMode(self.rows.spread, fitting)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setSectionsClickable(False)
        self.table.installEventFilter(self)
        self.add = self._button("Add", "Add a row like the one above it", self._add)
        self.remove = self._button("Remove", "Remove the selected rows (Delete)", self._remove)
        self.paste = self._button("Paste", "", self._paste)
        self._say_what_to_paste()
        self._lay_out()
        self.rows.dataChanged.connect(self._cell_changed)
        self.table.selectionModel().selectionChanged.connect(self._enable)
        themes.changed.connect(self._fit)
        self._fit()

    def value(self) -> object:
        """See Editor."""
        return self.rows.items()

    def set_value(self, value: object) -> None:
        """See Editor."""
        items: Sequence[Any] = value if isinstance(value, (list, tuple)) else ()
        rows = [self.rows.row_of(item) for item in items]
        self.rows.set_rows([self._start] if rows == [self._blank] else rows)
        self._fit()

    def tables(self) -> Sequence[PlainTable]:
        """The rows as they were typed."""
        titles = tuple(in_words(name) for name in self.rows.columns)
        return (PlainTable(self._name, titles, tuple(self.rows.rows())),)

    def start_with(self, item: object) -> None:
        """What a new row says in place of what the schema alone would; so does a first row as it began."""
        row = self.rows.row_of(item)
        if self.rows.rows() == [self._start]:
            self.rows.set_rows([row])
            self._fit()
        self._start = row

    def show_columns(self, shown: Mapping[str, bool]) -> None:
        """Show or hide columns; a hidden one keeps its cells, and is not pasted into."""
        for name, show in shown.items():
            self.table.setColumnHidden(self.rows.columns.index(name), not show)
        self._say_what_to_paste()

    def number_rows(self, beside: str) -> None:
        """Show the rows' numbers where they leave a column, the one that fills the table, room enough."""
        column = self.rows.columns.index(beside)
        self.table.setCornerButtonEnabled(False)

        def decide() -> None:
            across, down = self.table.horizontalHeader(), self.table.verticalHeader()
            room = self.table.columnWidth(column) + down.width() * down.isVisibleTo(self.table)
            needed = max(self.table.sizeHintForColumn(column), across.sectionSizeHint(column))
            down.setVisible(room - down.sizeHint().width() >= needed)

        deciding = QTimer(self, singleShot=True, interval=0)  # once all columns have come to rest
        deciding.timeout.connect(decide)
        self.table.horizontalHeader().sectionResized.connect(deciding.start)

    def fit_all_but(self, name: str) -> None:
        """Give a column what the others leave, which are no wider than their numbers."""
        header = self.table.horizontalHeader()
        header.setMinimumSectionSize(1)
        for column, other in enumerate(self.rows.columns):
            if other != name:
                header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)

    def mark_invalid(self, place: Sequence[str] | None) -> str:
        """Mark the cell, and say in which row it stands."""
        super().mark_invalid(None if place is None else ())
        if not place or not place[0].isdigit() or int(place[0]) >= self.rows.rowCount():
            self.rows.mark_invalid(None)
            return ""
        column = self.rows.column_of(place[1]) if len(place) > 1 else None
        row = int(place[0])
        self.rows.mark_invalid((row, column))
        self.table.scrollTo(self.rows.index(row, column or 0))
        return f"row {row + 1}" + (f", {self.rows.columns[column]}" if column is not None else "")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Delete removes rows, and paste puts rows in."""
        if watched is self.table and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.matches(QKeySequence.StandardKey.Paste):
                self._paste()
                return True
            if event.key() == Qt.Key.Key_Delete:
                self._remove()
                return True
        return super().eventFilter(watched, event)

    def _button(self, text: str, hint: str, does: Callable[[], None]) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(hint)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.clicked.connect(does)
        return button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        for button in (self.add, self.remove, self.paste):
            buttons.addWidget(button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.table)
        column.addLayout(buttons)
        column.addWidget(self.complaint)

    def _say_what_to_paste(self) -> None:
        headings = ", ".join(self.rows.columns[column] for column in self._shown())
        self.paste.setToolTip(f"Paste CSV rows: {headings} (Ctrl+V)")

    def _shown(self) -> list[int]:
        """The columns in sight."""
        return [i for i in range(len(self.rows.columns)) if not self.table.isColumnHidden(i)]

    def _pasted(self, text: str) -> list[Cells]:
        """Rows from CSV text; what it has no column for begins as in a new row."""
        shown = self._shown()
        names = [self.rows.columns[column] for column in shown]
        spread = shown.index(self.rows.spread) if self.rows.spread in shown else None
        rows = []
        for cells in rows_from_csv(text, names, spread):
            row = list(self._start)
            for column, cell in zip(shown, cells, strict=True):
                row[column] = cell
            rows.append(row)
        return rows

    def _selected(self) -> list[int]:
        return sorted(index.row() for index in self.table.selectionModel().selectedRows())

    def _add(self) -> None:
        selected = self._selected()
        place = selected[-1] + 1 if selected else self.rows.rowCount()
        above = self.rows.rows()[place - 1] if place else self._start
        self.rows.put(place, [above])
        self._changed(place)

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
            self.complaint.say(f"Nothing was pasted: {error}")
            self.refused.emit(self.complaint)
            return
        if self.rows.rows() == [self._start]:
            self.rows.set_rows([])
        selected = self._selected()
        place = selected[-1] + 1 if selected else self.rows.rowCount()
        self.rows.put(place, pasted)
        self._changed(place)

    def _changed(self, current: int) -> None:
        self.complaint.say("")
        self._fit()
        if current >= 0:
            self.table.selectRow(current)
        self.edited.emit()

    def _cell_changed(self, _first: QModelIndex, _last: QModelIndex, roles: Sequence[int] = ()) -> None:
        if Qt.ItemDataRole.BackgroundRole not in roles:
            self.complaint.say("")
            self.edited.emit()

    def _enable(self) -> None:
        self.remove.setEnabled(bool(self._selected()))

    def _fit(self) -> None:
        px = self._themes.px
        self.table.verticalHeader().setDefaultSectionSize(px(26))
        self.table.verticalHeader().setMinimumSectionSize(px(26))
        header = self.table.horizontalHeader().sizeHint().height()
        shown = min(max(self.rows.rowCount(), 2), _SHOWN)
        self.table.setFixedHeight(shown * px(26) + header + 2 * (px(2) + 1))
        self._enable()
