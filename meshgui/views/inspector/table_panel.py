"""A table of the inspector: its rows light up boxes in the mesh, its words for jobs the jobs."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from meshgui.engine.allocation.inspection import JobCell, Table, TableRow
from meshgui.engine.allocation.steps import Mark
from meshgui.engine.geometry import Box, Mesh
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.inspector.pin import Pin
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, TableCell, TableRows
from meshgui.views.widgets.labels import SWATCH

__all__ = ["TablePanel"]

_NOTHING = Table("", (), (), "")
_BLANK = "–"  # what stands in a cell until the strategy has come to it


class TablePanel(QWidget):
    """Shows one `Table`; it stays the same widget from step to step."""

    def __init__(
        self, selection: Selection, pin: Pin, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._selection, self._pin, self._themes = selection, pin, themes
        self._shown = _NOTHING
        self._widest: list[str] = []  # the widest text each column has had: columns never shrink in a run
        self._pointed_row = -1
        self.table = DataTable(TableRows((), self), themes)
        self.table.look_with(self._look)
        self.table.tell_figures(self._figures)
        self.table.pointed.connect(self._pointed)
        self.table.chosen.connect(self._chosen)
        self.table.walked.connect(lambda row: self._chosen(row, 0))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        themes.changed.connect(self._wear)
        self._wear()

    def show_table(self, table: Table, mesh: Mesh, *, fresh: bool) -> None:
        """Show other rows in place."""
        self._shown = table
        columns = tuple(Column(title) for title in table.columns)
        if columns != self.table.rows.columns:
            self.table.show_columns(columns)
            fresh = True
        if fresh:
            self._widest = list(table.columns)
        self.table.placeholder = table.empty
        self.table.rows.fill(len(table.rows), self._cell)
        if self._measure(mesh) or fresh:
            self._fit_columns()
        if 0 <= self._pointed_row < len(table.rows):
            self._pin.point_out(table.rows[self._pointed_row].mark)

    def show_selection(self) -> None:
        """Draw what is selected and hovered."""
        self.table.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Share the width anew."""
        super().resizeEvent(event)
        self._fit_columns()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Another face needs other widths."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_columns()

    def _cell(self, row: int, column: int) -> TableCell:
        word = self._shown.rows[row].cells[column]
        return TableCell(word.text, word.job) if isinstance(word, JobCell) else TableCell(word)

    def _figures(self) -> PlainTable | None:
        """The strategy's own words, which are all there is: it shows them as it writes them."""
        shown = self._shown
        if not shown.columns:
            return None
        rows = ([w.text if isinstance(w, JobCell) else w for w in row.cells] for row in shown.rows)
        known = tuple([None if text == _BLANK else text for text in row] for row in rows)
        return PlainTable(shown.title, shown.columns, known)

    def _look(self, row: int) -> RowLook:
        shown, selection = self._shown.rows[row], self._selection
        jobs = [word.job for word in shown.cells if isinstance(word, JobCell) and word.job is not None]
        pinned = self._pin.holds(self, _key(shown, row))
        hovered = row == self._pointed_row or selection.hovered in jobs
        return RowLook(pinned or selection.job in jobs, hovered, shown.current)

    def _pointed(self, row: int, column: int) -> None:
        left = self._pointed_row
        self._pointed_row = row
        self._selection.hover(self._cell(row, column).job if row >= 0 else None)
        if row >= 0:
            self._pin.point_out(self._shown.rows[row].mark)
        elif left >= 0:
            self._pin.fall_back()
        self.table.viewport().update()

    def _chosen(self, row: int, column: int) -> None:
        shown = self._shown.rows[row]
        key = _key(shown, row)
        if self._pin.holds(self, key):
            self._pin.take()
        else:
            self._pin.put(self, key, self._mark_of)
        if self._pointed_row >= 0:
            self._pin.point_out(shown.mark)
        else:  # chosen with the keyboard
            self._pin.fall_back()
        job = self._cell(row, column).job
        if job is not None:
            self._selection.select(job)
        self.table.viewport().update()

    def _mark_of(self, key: Hashable) -> Mark | None:
        """The box of a row, if the row is there."""
        return next((row.mark for i, row in enumerate(self._shown.rows) if _key(row, i) == key), None)

    def _measure(self, mesh: Mesh) -> bool:
        """Whether a text is wider than any its column has had."""
        width = QFontMetrics(self._themes.text()).horizontalAdvance
        w, d, h = mesh.extents
        # A blank will be a box before long: its room is kept, so that the columns do not move then.
        box = Box.from_corners((w - 1, d - 1, h - 1), (w - 1, d - 1, h - 1)).describe(flat=mesh.dims == 2)
        grown = False
        for row in self._shown.rows:
            for column, word in enumerate(row.cells):
                text = word.text if isinstance(word, JobCell) else word
                text = box if text == _BLANK else text
                widest = self._widest[column]
                # Figures have one width, so that only what has as many letters needs to be measured.
                if text != widest and len(text) >= len(widest) and width(text) > width(widest):
                    self._widest[column] = text
                    grown = True
        return grown

    def _fit_columns(self) -> None:
        """Each column as wide as its texts; where that is too much, the widest ones give way."""
        if not self._widest:
            return
        px, metrics = self._themes.px, QFontMetrics(self._themes.text())
        wanted = [metrics.horizontalAdvance(text) + px(8) + 2 for text in self._widest]
        wanted[0] += px(8)
        for row in self._shown.rows[:1]:
            for column, word in enumerate(row.cells):
                if isinstance(word, JobCell):
                    wanted[column] += px(SWATCH + 6)
        self.table.set_widths(_shares(wanted, self.table.room))

    def _wear(self) -> None:
        row = self.table.verticalHeader().defaultSectionSize()
        self.setMinimumHeight(self._themes.px(24) + 3 * row)
        self._fit_columns()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No more than the least: open sections share what there is evenly."""
        return QSize(self._themes.px(280), self.minimumHeight())


def _key(row: TableRow, place: int) -> Hashable:
    """What makes a row the same row a step later: the job it is about, or else its place."""
    job = next((word.job for word in row.cells if isinstance(word, JobCell)), None)
    return ("job", job) if job is not None else ("row", place)


def _shares(wanted: list[int], room: int) -> tuple[int, ...]:
    """What each column gets: the narrow ones all they want, the others an equal part of what is left."""
    shares = [0] * len(wanted)
    left = max(room, len(wanted))
    for done, column in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        shares[column] = min(wanted[column], left // (len(wanted) - done))
        left -= shares[column]
    shares[-1] += left
    return tuple(shares)
