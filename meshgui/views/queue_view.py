"""The queue: the jobs that wait, the next to be served first, and below them the jobs that run."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from meshgui.engine.geometry import describe_size
from meshgui.engine.recording import NEVER
from meshgui.model.cursor import Cursor, View
from meshgui.model.selection import Selection
from meshgui.views.flat_table import Cell, Column, FlatTable, RowLook, Rows
from meshgui.views.following import FollowingView
from meshgui.views.parts import SWATCH, Heading
from meshgui.views.theme import ThemeManager

__all__ = ["QueueView"]

Jobs = NDArray[np.int32]
_NOBODY: Jobs = np.zeros(0, dtype=np.int32)


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
        for part, share in ((self.waiting, 3), (self.running, 2)):
            part.build(themes)
            part.table.look_with(partial(self._look, part))
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
                part.show_jobs(_NOBODY, "", lambda _job, _column: Cell(""))
            return
        self.waiting.table.placeholder, self.running.table.placeholder = "No job waits.", "No job runs."
        for part in (self.waiting, self.running):
            part.make_room(str(len(view.recording.jobs) - 1), f"{view.recording.end_time:.2f}")
        snapshot = view.snapshot
        use = f"{len(snapshot.running)} · {snapshot.busy} of {snapshot.mesh.processors} in use"
        self.waiting.show_jobs(snapshot.queue, str(len(snapshot.queue)), partial(_waiting_cell, view))
        self.running.show_jobs(snapshot.running, use, partial(_running_cell, view))

    def show_selection(self) -> None:
        """Mark the selected and the hovered job; scroll to one that was selected elsewhere."""
        for part in (self.waiting, self.running):
            part.follow(self._selection.job, scroll=not self._chosen_here)

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
        self._longest = ("000", "00.00")

    def build(self, themes: ThemeManager) -> None:
        """Put the parts together."""
        self._themes = themes
        self.heading = Heading(self._title, themes)
        self.table = FlatTable(Rows(self._columns, self), themes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.table)
        themes.changed.connect(self._fit_columns)

    def make_room(self, number: str, time: str) -> None:
        """Fix the columns for the longest number and the longest time of a run."""
        if (number, time) != self._longest:
            self._longest = (number, time)
            self._fit_columns()

    def show_jobs(self, jobs: Jobs, count: str, cell: Callable[[int, int], Cell]) -> None:
        """Show other jobs in place."""
        self.jobs = jobs
        self.heading.show_count(count)
        self.table.rows.fill(len(jobs), lambda row, column: cell(int(jobs[row]), column))

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
        number, time = self._longest
        first = px(12 + SWATCH + 6 + 8) + wide(number)
        last = px(4) + max(wide(time), wide("Waited"))
        self.table.set_widths((first, max(self.table.room - first - last, 1), last))


def _waiting_cell(view: View, job: int, column: int) -> Cell:
    recording, jobs = view.recording, view.recording.jobs
    if column == 0:
        return Cell(str(job), job)
    if column == 1:
        reserved = " · reserved" if recording.reserved[job] < view.place.position else ""
        return Cell(describe_size(jobs.size(job), recording.mesh.dims) + reserved)
    return Cell(f"{view.time - float(jobs.arrival[job]):.2f}")


def _running_cell(view: View, job: int, column: int) -> Cell:
    recording = view.recording
    if column == 0:
        return Cell(str(job), job)
    if column == 1:
        boxes = recording.boxes_of(job)
        flat = recording.mesh.dims == 2
        return Cell(boxes[0].describe(flat=flat) if len(boxes) == 1 else f"{len(boxes)} boxes")
    ended, service = int(recording.ended[job]), recording.stated_service(job)
    if ended != NEVER:
        end = float(recording.times[ended])
    elif service is None or recording.network is not None:
        return Cell("–")  # it ends when its messages have arrived, and nobody knows yet when that is
    else:  # the run itself has not come so far
        end = float(recording.times[recording.started[job]]) + service
    return Cell(f"{max(end - view.time, 0.0):.2f}")
