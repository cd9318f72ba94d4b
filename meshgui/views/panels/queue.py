"""The queue: the jobs that wait, the next to be served first, and below them the jobs that run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from meshgui.engine.geometry import Box, describe_size
from meshgui.engine.recording import Recording
from meshgui.model.cursor import Cursor, View
from meshgui.model.job_tables import running_jobs, time_left, waiting_jobs
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import Column, DataTable, RowLook, TableCell, TableRows
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import SWATCH, Heading

__all__ = ["QueueView"]

Jobs = NDArray[np.int32]
_NOBODY: Jobs = np.zeros(0, dtype=np.int32)


class _Longest(NamedTuple):
    """The longest texts of a run, column by column."""

    number: str
    time: str
    between: str


class QueueView(FollowingView):
    """Who waits, for what and since when; who runs, where and for how much longer."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(cursor, selection, themes, parent)
        self.waiting = _JobList("Waiting", (Column("Job"), Column("Size"), Column("Waited", number=True)))
        self.running = _JobList("Running", (Column("Job"), Column("Box"), Column("Left", number=True)))
        self._chosen_here = False
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        for part, share, table in ((self.waiting, 3, waiting_jobs), (self.running, 2, running_jobs)):
            part.build(themes)
            part.table.look_with(partial(self._look, part))
            part.table.tell_figures(partial(self._figures, table))
            part.table.pointed.connect(partial(self._pointed, part))
            part.table.chosen.connect(partial(self._chosen, part))
            part.table.walked.connect(partial(self._chosen, part, _column=0))
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)

    def show_view(self, view: View | None) -> None:
        """Show who waits and who runs."""
        if view is None:
            self.waiting.table.placeholder = "Open a scenario to see its jobs."
            self.running.table.placeholder = ""
            for part in (self.waiting, self.running):
                part.show_jobs(_NOBODY, "", lambda _job, _column, _time: TableCell(""))
            return
        self.waiting.table.placeholder, self.running.table.placeholder = "No job waits.", "No job runs."
        for part, longest in zip((self.waiting, self.running), _longest(view.recording), strict=True):
            part.make_room(longest)
        snapshot = view.snapshot
        use = f"{len(snapshot.running)} · {snapshot.busy} of {snapshot.mesh.processors} in use"
        self.waiting.show_jobs(snapshot.queue, str(len(snapshot.queue)), partial(_waiting_cell, view))
        self.running.show_jobs(snapshot.running, use, partial(_running_cell, view))

    def show_selection(self) -> None:
        """Mark the selected and the hovered job; scroll to one that was selected elsewhere."""
        for part in (self.waiting, self.running):
            part.follow(self._selection.job, scroll=not self._chosen_here)

    def _figures(self, table: Callable[[View], PlainTable]) -> PlainTable | None:
        view = self._cursor.view
        return table(view) if view is not None else None

    def _look(self, part: _JobList, row: int) -> RowLook:
        job = int(part.jobs[row])
        return RowLook(selected=job == self._selection.job, hovered=job == self._selection.hovered)

    def _pointed(self, part: _JobList, row: int, _column: int) -> None:
        self._selection.hover(int(part.jobs[row]) if row >= 0 else None)

    def _chosen(self, part: _JobList, row: int, _column: int) -> None:
        self._chosen_here = True
        self._selection.select(int(part.jobs[row]))
        self._chosen_here = False


class _JobList(QWidget):
    """A heading and a table of jobs."""

    def __init__(self, title: str, columns: tuple[Column, ...]) -> None:
        super().__init__()
        self.jobs = _NOBODY
        self._title, self._columns = title, columns
        self._selected: int | None = None
        self._longest = _Longest("000", "00.00", "")
        self._decimals = 2

    def build(self, themes: ThemeManager) -> None:
        """Put the parts together."""
        self._themes = themes
        self.heading = Heading(self._title, themes)
        self.table = DataTable(TableRows(self._columns, self), themes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.table)
        themes.changed.connect(self._fit_columns)

    def make_room(self, longest: _Longest) -> None:
        """Fix the columns for the longest texts of a run."""
        if longest != self._longest:
            self._longest = longest
            self._fit_columns()

    def show_jobs(
        self, jobs: Jobs, count: str, cell: Callable[[int, int, Callable[[float], str]], TableCell]
    ) -> None:
        """Show other jobs in place."""
        self.jobs = jobs
        self.heading.show_count(count)
        self.table.rows.fill(len(jobs), lambda row, column: cell(int(jobs[row]), column, self._time))

    def _time(self, length: float) -> str:
        """A length of time; where boxes would have no room beside it, in whole units."""
        return f"{length:.{self._decimals}f}"

    def follow(self, job: int | None, *, scroll: bool) -> None:
        """Draw the selection anew, and bring a newly selected job into sight."""
        if scroll and job is not None and job != self._selected:
            rows = np.flatnonzero(self.jobs == job)
            if len(rows):
                self.table.reveal(int(rows[0]))
        self._selected = job
        self.table.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Give the middle column what the fixed ones leave."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        px = self._themes.px
        wide = QFontMetrics(self._themes.text()).horizontalAdvance
        number, time, between = self._longest
        first = px(12 + SWATCH + 6 + 8) + wide(number) + 2
        last = px(4) + max(wide(time), wide("Waited")) + 2
        self._decimals = 2 if self.table.room - first - px(8) - wide(between) >= last else 0
        if not self._decimals:
            last = px(4) + max(wide(time.partition(".")[0]), wide("Waited")) + 2
        self.table.set_widths((first, max(self.table.room - first - last, 1), last))


def _longest(recording: Recording) -> tuple[_Longest, _Longest]:
    """What has to find room in a run, however far it has come: among those that wait, and that run."""
    mesh = recording.mesh
    latest = recording.end_time + float(np.fmax.reduce(recording.jobs.service, initial=0.0))
    number, time = "0" * len(str(len(recording.jobs) - 1)), f"{'0' * len(str(int(latest)))}.00"
    corner = (mesh.extents[0] - 1, mesh.extents[1] - 1, mesh.extents[2] - 1)
    box = Box.from_corners(corner, corner).describe(flat=mesh.dims == 2)
    size = describe_size(mesh.extents, mesh.dims)
    return _Longest(number, time, size), _Longest(number, time, box)


def _waiting_cell(view: View, job: int, column: int, time: Callable[[float], str]) -> TableCell:
    recording, jobs = view.recording, view.recording.jobs
    if column == 0:
        return TableCell(str(job), job)
    if column == 1:
        size = describe_size(jobs.size(job), recording.mesh.dims)
        reserved = " · reserved" if recording.reserved[job] < view.position.events else ""
        return TableCell(f"{size}{reserved}", shorter=(size,))
    return TableCell(time(view.time - float(jobs.arrival[job])))


def _running_cell(view: View, job: int, column: int, time: Callable[[float], str]) -> TableCell:
    recording = view.recording
    if column == 0:
        return TableCell(str(job), job)
    if column == 1:
        boxes = recording.boxes_of(job)
        flat = recording.mesh.dims == 2
        if len(boxes) > 1:
            return TableCell(f"{len(boxes)} boxes")
        place = boxes[0].describe(flat=flat)
        return TableCell(place, shorter=(f"at {place.partition('–')[0]}",))
    left = time_left(view, job)
    return TableCell("–" if left is None else time(left))
