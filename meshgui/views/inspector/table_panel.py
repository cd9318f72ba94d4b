"""A table of the inspector: hovering a row marks its box in the mesh, and hovering a job's cell the job."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QRect

from meshgui.engine.allocation.inspection import JobCell, Table, TableRow, Tree
from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.columns import UNKNOWN, Column, TableCell, longest_texts
from meshgui.views.inspector.inspector_panel import InspectorPanel
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.table_painting import RowLook

_LISTED = 8  # boxes in a cell before the others are counted
_NOTHING = Table("", (), (), "")


@dataclass(frozen=True, eq=False)
class _InspectedRows:
    """The rows of a strategy's table at a step."""

    table: Table
    named: str  # with the moment
    longest_box: str  # of the mesh
    run: int  # changes with the run

    def __len__(self) -> int:
        return len(self.table.rows)

    @property
    def title(self) -> str:
        return self.named

    @property
    def scope(self) -> Hashable:
        return self.run

    def cell(self, row: int, column: int) -> TableCell:
        """A cell as the strategy writes it."""
        word = self.table.rows[row].cells[column]
        if word is None:
            return UNKNOWN
        return TableCell(word.text, word.job) if isinstance(word, JobCell) else _cell_of(word)

    def job(self, row: int, column: int) -> int | None:
        """The job that a cell stands for."""
        word = self.table.rows[row].cells[column]
        return word.job if isinstance(word, JobCell) else None

    def value(self, row: int, column: int) -> str | None:
        """The text of a cell."""
        word = self.table.rows[row].cells[column]
        return word.text if isinstance(word, JobCell) else word

    def texts(self, column: int) -> list[str]:
        """The texts a column needs room for; an unknown value may become a box, which must not move it."""
        values = (self.value(row, column) for row in self.table.widest)
        return longest_texts(self.longest_box if text is None else text for text in values)


def _cell_of(text: str) -> TableCell:
    """A cell; of a list of boxes or blocks those that have no room are counted."""
    parts = text.split(" ")
    if len(parts) < 2 or not all(part.startswith(("(", "⟨")) for part in parts):
        return TableCell(text)
    most = min(len(parts) - 1, _LISTED)
    some = (f"{' '.join(parts[:count])} + {len(parts) - count}" for count in range(most, 0, -1))
    return TableCell(text, shorter=tuple(some))


def _columns(table: Table) -> tuple[Column[_InspectedRows], ...]:
    """The columns of a strategy's table."""

    def column(at: int, title: str) -> Column[_InspectedRows]:
        return Column(
            title,
            lambda d, row: d.value(row, at),
            job=(lambda d, row: d.job(row, at)) if title in table.jobs else None,
            cell=lambda d, row: d.cell(row, at),
            widest=lambda d: d.texts(at),
            grows=at == len(table.columns) - 1,
            shrinks=True,
        )

    return tuple(column(at, title) for at, title in enumerate(table.columns))


class TablePanel(InspectorPanel[Table]):
    """Shows one `Table`; it stays the same widget from step to step."""

    share = 2

    def __init__(self, selection: Selection, pin: Pin, themes: ThemeManager) -> None:
        super().__init__(selection, pin, themes)
        self._shown = _NOTHING
        self._run = 0
        self._pointed_row = -1
        self._shows_all = False
        self.table: DataTable[_InspectedRows] = DataTable((), themes)
        self.table.look_with(lambda _rows, row: self._look(row))
        self.table.pointed.connect(self._pointed)
        self.table.chosen.connect(self._chosen)
        self.table.walked.connect(lambda row: self._chosen(row, 0))
        Sizing(themes, self).rule(self._fit).column(self.table, on=self)

    def show_data(self, data: Table, mesh: Mesh, last: Tree | None = None, *, fresh: bool = False) -> None:
        """Show other rows in place."""
        del last
        table, was = data, self.current_row
        before, self._shown = self._shown, table
        if (table.columns, table.jobs) != (before.columns, before.jobs):
            self.table.show_columns(_columns(table))
            fresh = True
        self._run += fresh
        w, d, h = mesh.extents
        corner = (w - 1, d - 1, h - 1)
        box = Box.from_corners(corner, corner).describe(flat=mesh.dims == 2)
        self.table.placeholder = table.empty
        self.table.show_rows(
            _InspectedRows(table, self.named(table.title), box, self._run) if table.columns else None
        )
        current = self.current_row
        if current is not None and current != was:
            self.table.reveal(current)
        if 0 <= self._pointed_row < len(table.rows):
            self._pin.point_out(table.rows[self._pointed_row].mark)

    @property
    def current_row(self) -> int | None:
        """The row that the step is about."""
        return self._shown.current

    def stepped_rect(self) -> QRect | None:
        """The rectangle of that row."""
        row = self.current_row
        if row is None:
            return None
        rect = self.table.visualRect(self.table.rows.index(row, 0))
        top = self.table.viewport().mapTo(self, rect.topLeft())
        return QRect(0, top.y(), self.width(), rect.height())

    def show_selection(self) -> None:
        """Mark the selected and the hovered job."""
        self.table.refresh()

    def _look(self, row: int) -> RowLook:
        shown, selection = self._shown.rows[row], self._selection
        jobs = [word.job for word in shown.cells if isinstance(word, JobCell) and word.job is not None]
        pinned = self._pin.holds(self, _key(shown, row))
        hovered = row == self._pointed_row or selection.hovered in jobs
        return RowLook(pinned or selection.job in jobs, hovered, shown.current)

    def _pointed(self, row: int, column: int) -> None:
        left = self._pointed_row
        self._pointed_row = row
        self._selection.hover(self.table.rows.cell(row, column).job if row >= 0 else None)
        if row >= 0:
            self._pin.point_out(self._shown.rows[row].mark)
        elif left >= 0:
            self._pin.fall_back()
        self.table.refresh()

    def _chosen(self, row: int, column: int) -> None:
        shown = self._shown.rows[row]
        self._pin.toggle(self, _key(shown, row), self._mark_of, pointed=self._pointed_row >= 0)
        job = self.table.rows.cell(row, column).job
        if job is not None:
            self._selection.select(job)
        self.table.refresh()

    def _mark_of(self, key: Hashable) -> Mark | None:
        """The box of a row, if the row is there."""
        return next((row.mark for i, row in enumerate(self._shown.rows) if _key(row, i) == key), None)

    @property
    def least(self) -> int:
        """The height of three rows."""
        return self._themes.px(24) + 3 * self.table.verticalHeader().defaultSectionSize()

    def show_all_rows(self, on: bool) -> None:
        """Show all rows, in an inspector that scrolls around them, or have its share of the height."""
        self._shows_all = on
        self.table.show_all_rows(on)
        self._fit()

    def _fit(self) -> None:
        self.setMinimumHeight(0 if self._shows_all else self.least)


def _key(row: TableRow, place: int) -> Hashable:
    """The identity of a row from step to step: its job, or else its place."""
    job = next((word.job for word in row.cells if isinstance(word, JobCell)), None)
    return ("job", job) if job is not None else ("row", place)
