"""The points of an experiment as a table: values, means with half widths, errors, runs, and their state."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from meshgui.engine.figures import FIGURES
from meshgui.experiment.fields import label_of
from meshgui.experiment.results import PointResult
from meshgui.model.experiment_charts import Comparison, Results, estimate_of, figures_there
from meshgui.model.experiment_words import estimate_words, relative_words, state_words
from meshgui.model.tables import ExportTable, PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, SortOrder, TableCell, TableRows

__all__ = ["ResultTable"]

_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ERROR, _RATIO, _RUNS, _STATE = "error", "ratio", "runs", "state"
_GAP: Final = 20


class _PointColumn(NamedTuple):
    """A column: by what it is sorted, what it says, how wide it is, and its columns in a file."""

    column: Column
    cell: Callable[[PointResult], TableCell]
    order: Callable[[PointResult], tuple[object, ...]]
    width: str  # of the longest text expected
    names: tuple[str, ...]
    values: Callable[[PointResult], tuple[object, ...]]  # in full precision, shares as shares


class ResultTable(QWidget):
    """A row a point. Rows keep their order while results come in, unless they are sorted by one of those."""

    pointed = Signal(object)  # the point under the pointer, or None
    opened = Signal(int)  # a point whose run is to be seen

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._kinds: list[_PointColumn] = []
        self._rows: list[PointResult] = []
        self._title = ""
        self._hovered: int | None = None
        self._selected: int | None = None
        self._order = SortOrder("", descending=False)
        self.table = _Table(TableRows(()), themes)
        self.table.placeholder = "The points appear here, a row each, once there is something to run."
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.table.setAccessibleName("Points")
        self.table.look_with(self._look)
        self.table.tell_figures(self._figures)
        self.table.pointed.connect(self._pointed)
        self.table.walked.connect(self._walked)
        self.table.chosen.connect(self._chosen)
        self.table.opened.connect(self._opened)
        self.table.sorted_by.connect(self._sort)
        self.table.sort_by(self._order)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        themes.changed.connect(self._fit)

    def show_results(
        self,
        results: Results | None,
        figure: str,
        words: Mapping[str, str],
        *,
        running: bool = False,
        beside: Comparison | None = None,
    ) -> None:
        """Show other points, or the same ones as they now stand."""
        kinds = [] if results is None else _kinds(results, figure, words, running, beside)
        columns = tuple(kind.column for kind in kinds)
        changed = columns != self.table.rows.columns
        self._kinds = kinds
        self._title = "" if results is None else results.experiment.title or "Untitled"
        self._rows = [] if results is None else list(results.points)
        if changed:
            self.table.show_columns(columns)
        if self._order.key not in {column.key for column in columns}:
            self._order = SortOrder("", descending=False)
            self.table.sort_by(self._order)
        self._fill()
        if changed:
            self._fit()

    def point_to(self, point: int | None) -> None:
        """Light up the row of a point."""
        if point != self._hovered:
            self._hovered = point
            row = self._row_of(point)
            if row is not None:
                self.table.reveal(row)
            self.table.viewport().update()

    @property
    def selected(self) -> int | None:
        """The point whose row is selected."""
        return self._selected

    def select(self, point: int | None) -> None:
        """Select the row of a point."""
        self._selected = point
        row = self._row_of(point)
        if row is not None:
            self.table.reveal(row)
        self.table.viewport().update()

    def order_of_rows(self) -> list[int]:
        """The points, as their rows stand."""
        return [result.point.index for result in self._rows]

    def _figures(self) -> ExportTable | None:
        """The table as it is shown, for a file."""
        if not self._kinds:
            return None
        names = tuple(name for kind in self._kinds for name in kind.names)
        rows = [[value for kind in self._kinds for value in kind.values(result)] for result in self._rows]
        return PlainTable(f"{self._title}, points", names, rows)

    def _fill(self) -> None:
        kind = next((kind for kind in self._kinds if kind.column.key == self._order.key), None)
        if kind is not None:
            self._rows.sort(key=lambda result: result.point.index)
            known = [r for r in self._rows if kind.order(r)[0] == 0]
            unknown = [r for r in self._rows if kind.order(r)[0] != 0]
            known.sort(key=kind.order, reverse=self._order.descending)
            self._rows = known + unknown
        rows, kinds = self._rows, self._kinds
        self.table.rows.fill(len(rows), lambda row, column: kinds[column].cell(rows[row]))

    def _sort(self, key: str, descending: bool) -> None:
        self._order = SortOrder(key, descending)
        self._fill()

    def _row_of(self, point: int | None) -> int | None:
        if point is None:
            return None
        return next((row for row, result in enumerate(self._rows) if result.point.index == point), None)

    def _look(self, row: int) -> RowLook:
        index = self._rows[row].point.index
        return RowLook(index == self._selected, index == self._hovered)

    def _pointed(self, row: int, _column: int) -> None:
        point = self._rows[row].point.index if 0 <= row < len(self._rows) else None
        if point != self._hovered:
            self._hovered = point
            self.table.viewport().update()
            self.pointed.emit(point)

    def _walked(self, row: int) -> None:
        self._selected = self._rows[row].point.index
        self._pointed(row, 0)
        self.table.viewport().update()

    def _chosen(self, row: int, _column: int) -> None:
        self._selected = self._rows[row].point.index
        self.table.viewport().update()

    def _opened(self, row: int) -> None:
        self._chosen(row, 0)
        self.opened.emit(self._rows[row].point.index)

    def _fit(self) -> None:
        px = self._themes.px
        text, caption = QFontMetrics(self._themes.text()), QFontMetrics(self._themes.text("caption"))
        widths = []
        for kind in self._kinds:
            longest = max(
                text.horizontalAdvance(kind.width), caption.horizontalAdvance(f"{kind.column.title} ↓")
            )
            widths.append(longest + px(_GAP))
        self.table.set_widths(tuple(widths))


class _Table(DataTable):
    """A click selects; Enter and a double click open."""

    opened = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        if event.key() in _ENTER and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """See the class."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit(index.row())


def _kinds(
    results: Results, figure: str, words: Mapping[str, str], running: bool, beside: Comparison | None
) -> list[_PointColumn]:
    """The fields varied, the figure looked at with its error, runs, state, and then every other figure."""
    kinds = [
        _varied(place, words.get(axis.key, axis.key), results)
        for place, axis in enumerate(results.experiment.axes)
    ]
    kinds += [_mean(figure), _error(figure)]
    if beside is not None:
        kinds.append(_ratio(figure, beside))
    kinds.append(
        _PointColumn(
            Column("Runs", number=True, key=_RUNS),
            lambda r: TableCell(str(r.runs) if r.runs else "–"),
            lambda r: (0, r.runs),
            "1000",
            ("Runs",),
            lambda r: (r.runs,),
        )
    )
    kinds.append(
        _PointColumn(
            Column("State", number=True, key=_STATE),
            lambda r: TableCell(
                state_words(r, running=running),
                tone="prohibited" if r.fault else "text" if r.precise else "muted",
            ),
            lambda r: (0, state_words(r, running=running)),
            "most runs made",
            ("State",),
            lambda r: (state_words(r, running=running),),
        )
    )
    others = [name for name in figures_there(results.points) if name != figure]
    return kinds + [_mean(name) for name in others]


def _varied(place: int, title: str, results: Results) -> _PointColumn:
    values = results.experiment.axes[place].values
    order = {label_of(value): i for i, value in enumerate(values)}
    numeric = all(isinstance(value, int | float) for value in values)
    longest = max(order, key=len, default="")
    return _PointColumn(
        Column(title, key=f"axis {place}"),
        lambda r: TableCell(r.point.labels[place]),
        lambda r: (0, r.point.values[place] if numeric else order[r.point.labels[place]]),
        longest[:28],
        (title,),
        lambda r: (r.point.values[place] if numeric else r.point.labels[place],),
    )


def _mean(name: str) -> _PointColumn:
    def order(result: PointResult) -> tuple[object, ...]:
        found = estimate_of(result, name)
        return (1, 0.0) if found is None else (0, found.mean)

    def values(result: PointResult) -> tuple[object, ...]:
        found = estimate_of(result, name)
        return (None, None) if found is None else (found.mean, _finite(found.half_width))

    title = FIGURES[name].title
    return _PointColumn(
        Column(title, number=True, key=name),
        lambda r: TableCell(estimate_words(name, estimate_of(r, name))),
        order,
        "1234.56 ± 12.34 %",
        (title, f"{title}, half width"),
        values,
    )


def _error(name: str) -> _PointColumn:
    def order(result: PointResult) -> tuple[object, ...]:
        found = estimate_of(result, name)
        there = found is not None and math.isfinite(found.relative_error)
        return (0, found.relative_error) if there and found is not None else (1, 0.0)

    def values(result: PointResult) -> tuple[object, ...]:
        found = estimate_of(result, name)
        return (None if found is None else _finite(found.relative_error),)

    return _PointColumn(
        Column("Error", number=True, key=_ERROR),
        lambda r: TableCell(relative_words(estimate_of(r, name))),
        order,
        "100.0 %",
        (f"{FIGURES[name].title}, relative error",),
        values,
    )


def _ratio(name: str, beside: Comparison) -> _PointColumn:
    """The mean over the one it is compared to."""

    def ratio(result: PointResult) -> float:
        other = beside.by_point.get(result.point.index)
        mine, theirs = estimate_of(result, name), None if other is None else estimate_of(other, name)
        return math.nan if mine is None or theirs is None or theirs.mean == 0 else mine.mean / theirs.mean

    title = f"Over {beside.results.name}"
    return _PointColumn(
        Column(title[:24], number=True, key=_RATIO),
        lambda r: TableCell(f"{ratio(r):.3f}" if math.isfinite(ratio(r)) else "–"),
        lambda r: (0, ratio(r)) if math.isfinite(ratio(r)) else (1, 0.0),
        "10.000",
        (title,),
        lambda r: (_finite(ratio(r)),),
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
