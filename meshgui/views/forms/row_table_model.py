"""The rows of an editable table: jobs of a list, intervals of a distribution, explicit packets."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, cast

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import within
from meshgui.model.fields.field_schema import Schema, entries, in_words, without_null
from meshgui.views.forms.number_box import number_text, read_number
from meshgui.views.style.direction import is_rtl, isolated_whole
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.table_model import ModelIndex

_TIMES: Final = "×"

Cells = list[str]


class RowFault(NamedTuple):
    """What is wrong with a row: with one of its cells, or with the whole of it."""

    column: int | None
    words: str


class CellColumn(NamedTuple):
    """A column: its name in the file, its title, and how its cells are written and read."""

    name: str
    schema: Schema

    @property
    def title(self) -> str:
        """The title above it."""
        return in_words(self.name)

    @property
    def words(self) -> str:
        """What a sentence calls it."""
        return within(self.title)

    @property
    def is_list(self) -> bool:
        """Whether a cell has several numbers: the sides of a request."""
        return self.schema.get("type") == "array"

    def text_of(self, value: object) -> str:
        """Write a value as a cell."""
        if isinstance(value, (list, tuple)):
            return _TIMES.join(number_text(part) for part in value)
        return number_text(value)

    def value_of(self, cell: str) -> object:
        """Read the value of a cell, or return its text if it has none."""
        if self.is_list:
            parts = self.tidied(cell).split(_TIMES) if cell.strip() else []
            return [read_number(part, whole=True) for part in parts]
        schema, optional = without_null(self.schema)
        value = read_number(cell, whole=schema.get("type") == "integer")
        return "" if value is None and not optional else value

    def shown(self, cell: str) -> str:
        """A cell as the table shows it: a size that is understood with the sign of sizes, as in 4×3."""
        numbers = self.value_of(cell) if self.is_list else None
        sound = isinstance(numbers, list) and all(isinstance(number, int) for number in numbers)
        return self.text_of(numbers) if sound else cell

    def pasted(self, cell: str) -> str:
        """Write a pasted cell as this table does; a comma in a number is a decimal one."""
        return self.tidied(cell) if self.is_list else number_text(cell.replace(",", "."))

    def tidied(self, cell: str) -> str:
        """Write a pasted cell with the signs of this table."""
        if not self.is_list:
            return cell
        return _TIMES.join(part for part in re.split(r"[xX*×,;()\[\]\s]+", cell) if part)


def rows_from_csv(text: str, columns: Sequence[CellColumn]) -> list[Cells]:
    """Read rows from text with tabs, semicolons, commas or spaces between cells; headings are skipped.

    The parts of a column of lists may be in one cell, as in 2x4x4, or in cells of their own, as in
    0,2,4,4,6. Each line has its own mark, and where that is no comma, a comma is a decimal one.
    """
    names = tr(", ").join(column.words for column in columns)
    spread = next((place for place, column in enumerate(columns) if column.is_list), None)
    text = text.strip("\n\r")
    rows: list[Cells] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = _cells_of(line, len(columns))
        if not any(cells):
            continue
        extra = len(cells) - len(columns)
        if spread is not None and extra > 0:
            cells[spread : spread + extra + 1] = [_TIMES.join(cells[spread : spread + extra + 1])]
        if (
            not rows
            and number == 1
            and not isinstance(read_number(cells[0].replace(",", "."), whole=False), float)
        ):
            continue
        if len(cells) != len(columns):
            raise ValueError(
                tr("line {number}: expected {names}, got {strip}").format(
                    number=number, names=names, strip=line.strip()[:40]
                )
            )
        rows.append([column.pasted(cell) for column, cell in zip(columns, cells, strict=True)])
    if not rows:
        raise ValueError(tr("expected rows of {names} to paste").format(names=names))
    return rows


def _cells_of(line: str, enough: int) -> Cells:
    """Split a line at its tabs, semicolons, spaces or commas: the first of these that stand between cells.

    Spaces around the sign of a size do not, nor those beside a comma.
    """
    spaced = re.sub(r"\s*[xX*×]\s*(?=\d)", _TIMES, line).split()
    if not re.search(r"[\t;]|,\s|\s,", line) and len(spaced) >= enough:
        return spaced
    mark = next((mark for mark in "\t;" if mark in line), ",")
    return [cell.strip() for cell in next(csv.reader([line], delimiter=mark, skipinitialspace=True), [])]


class RowTableModel(QAbstractTableModel):
    """Holds rows of cells as they were typed, and the place of the error.

    A row is an item of the file, the cells that show it, or both: a long list comes as items, and only those
    that are looked at are written as cells, and only cells that were typed are read again.
    """

    def __init__(
        self, schema: Schema, name: str, themes: ThemeManager, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        items: Schema = schema["items"]
        self.columns = [CellColumn(*part) for part in entries(items, name).items()]
        self._named = "properties" in items
        self._themes = themes
        self._cells: list[Cells | None] = []  # of each row; None until they are looked at
        self._items: list[object | None] = []  # of each row; None until it is read from its cells
        self._jobs: list[int | None] | None = None  # the number of each row's job, once it is worked out
        self._faults: dict[int, RowFault] = {}

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """How many rows."""
        return 0 if parent.isValid() else len(self._items)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: N802, B008 - Qt's name and default
        """How many columns."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Every cell can be edited."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The names of the columns, and the numbers of the rows' jobs, or of the rows if not jobs."""
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title if across else self.number_of(section)
        if role == Qt.ItemDataRole.ToolTipRole and not across:
            return in_words(self.name_of(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: ModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell's text; a wrong one stands on a ground of its own, and says why at the pointer."""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            cell = self.cells(index.row())[index.column()]
            if role == Qt.ItemDataRole.EditRole:
                return cell
            shown = self.columns[index.column()].shown(cell)
            return isolated_whole(shown) if is_rtl() else shown
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        fault = self._faults.get(index.row())
        if fault is not None and fault.column in {None, index.column()}:
            if role == Qt.ItemDataRole.BackgroundRole:
                return self._themes.theme.colour("prohibited", 0.28)
            if role == Qt.ItemDataRole.ToolTipRole:
                return fault.words
        return None

    def setData(self, index: ModelIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Take the text typed into a cell."""
        cells = self.cells(index.row())
        if role != Qt.ItemDataRole.EditRole or value == cells[index.column()]:
            return False
        cells[index.column()] = str(value)
        self._items[index.row()] = None
        self._renumber()
        self.dataChanged.emit(index, index)
        return True

    @property
    def lists_jobs(self) -> bool:
        """Whether each row is a job, which has a number by its arrival."""
        return self._named and any(column.name == "arrival" for column in self.columns)

    def number_of(self, row: int) -> str:
        """The number of a row: of its job as the run counts them, by arrival; empty while it has none."""
        if not self.lists_jobs:
            return str(row + 1)
        if self._jobs is None:
            self._jobs = self._job_numbers()
        number = self._jobs[row]
        return "" if number is None else str(number)

    def name_of(self, row: int) -> str:
        """What a row is called in messages."""
        number = self.number_of(row)
        return (
            tr("job {number}").format(number=number)
            if self.lists_jobs and number
            else tr("row {row}").format(row=row + 1)
        )

    def _job_numbers(self) -> list[int | None]:
        times = list(self._values("arrival"))
        sound = [row for row, time in enumerate(times) if isinstance(time, (int, float))]
        numbers: list[int | None] = [None] * len(times)
        for number, row in enumerate(sorted(sound, key=lambda row: cast("float", times[row]))):
            numbers[row] = number
        return numbers

    def _renumber(self) -> None:
        if self.lists_jobs:
            self._jobs = None
            if self._items:
                self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self._items) - 1)

    def cells(self, row: int) -> Cells:
        """The cells of a row."""
        written = self._cells[row]
        if written is None:
            written = self._cells[row] = self.row_of(self._items[row])
        return written

    def rows(self) -> list[Cells]:
        """A copy of all cells."""
        return [list(self.cells(row)) for row in range(len(self._items))]

    def holds_row(self, cells: Cells) -> bool:
        """Whether there is one row, of these cells."""
        return len(self._items) == 1 and self.cells(0) == cells

    def set_rows(self, rows: Sequence[Cells]) -> None:
        """Show other rows."""
        self._show([None] * len(rows), [list(row) for row in rows])

    def set_items(self, items: Sequence[object]) -> None:
        """Show items of the file; those that are shown already, the same objects, keep their cells."""
        known = {id(item): cells for item, cells in zip(self._items, self._cells, strict=True)}
        self._show(list(items), [known.get(id(item)) for item in items])

    def _show(self, items: list[object | None], cells: list[Cells | None]) -> None:
        self.beginResetModel()
        self._items, self._cells = items, cells
        self._faults, self._jobs = {}, None
        self.endResetModel()

    def put(self, place: int, rows: Sequence[Cells]) -> None:
        """Put rows before a place."""
        self.beginInsertRows(QModelIndex(), place, place + len(rows) - 1)
        self._cells[place:place] = [list(row) for row in rows]
        self._items[place:place] = [None] * len(rows)
        self._jobs = None
        self.endInsertRows()
        self._renumber()

    def take(self, places: Sequence[int]) -> None:
        """Take rows away."""
        for place in sorted(places, reverse=True):
            self.beginRemoveRows(QModelIndex(), place, place)
            del self._cells[place], self._items[place]
            self._jobs = None
            self.endRemoveRows()
        self._renumber()

    def mark_invalid(self, faults: Mapping[int, RowFault]) -> None:
        """Mark the wrong rows, or cells of them, and no others."""
        if faults != self._faults:
            self._faults = dict(faults)
            if not self._items:
                return
            corners = self.index(0, 0), self.index(len(self._items) - 1, len(self.columns) - 1)
            self.dataChanged.emit(*corners, [Qt.ItemDataRole.BackgroundRole])

    def row_of(self, value: object) -> Cells:
        """Write an item of the file as cells."""
        if isinstance(value, Mapping):
            return [column.text_of(value.get(column.name)) for column in self.columns]
        if not isinstance(value, (list, tuple)) or not value:
            return []
        padded = [*value, *[None] * (len(self.columns) - len(value))]
        return [column.text_of(part) for column, part in zip(self.columns, padded, strict=True)]

    def items(self) -> list[object]:
        """The rows as the file has them; none of these is changed."""
        for row, cells in enumerate(self._cells):
            if self._items[row] is None and cells is not None:
                self._items[row] = self._item(cells)
        return list(self._items)

    def _values(self, name: str) -> Iterator[object]:
        """The values of a column, for which no cells are written."""
        place = self.place_of(name)
        for item, cells in zip(self._items, self._cells, strict=True):
            if isinstance(item, dict) or isinstance(item, Mapping):  # noqa: SIM101 - the first is much quicker
                yield item.get(name)
            elif isinstance(item, (list, tuple)):
                yield item[place] if place < len(item) else None
            else:
                yield self.columns[place].value_of((cells or self.row_of(item))[place])

    def _item(self, row: Cells) -> object:
        values = [column.value_of(cell) for column, cell in zip(self.columns, row, strict=True)]
        if not self._named and values[-1] is None:
            values.pop()
        names = (column.name for column in self.columns)
        return dict(zip(names, values, strict=True)) if self._named else values

    def place_of(self, name: str) -> int:
        """Return the place of a column by its name."""
        return next(place for place, column in enumerate(self.columns) if column.name == name)

    def holds_only(self, name: str, value: object) -> bool:
        """Whether all rows have the same value in a column."""
        return all(held == value for held in self._values(name))

    def column_of(self, part: str) -> int | None:
        """Return the column that the path of an error names, or counts."""
        if part.isdigit():
            return int(part) if int(part) < len(self.columns) else None
        return next((place for place, column in enumerate(self.columns) if column.name == part), None)
