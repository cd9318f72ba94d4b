"""The queue: the jobs that wait, the next to be served first, and below them the jobs that run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.jobs.job_tables import RUNNING_COLUMNS, WAITING_COLUMNS, JobRows
from meshgui.model.moment.moment_view import View
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.columns import Column, GiveWay
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import Heading, placeholder_height
from meshgui.views.widgets.row_dragger import RowDragger
from meshgui.views.widgets.soon import soon

_ROW: Final = 24  # pixels of a row, or of the captions


class QueuePanel(FollowingView):
    """Which jobs wait, for what and since when; which run, where and for how much longer."""

    move_asked = Signal(int, int)  # a waiting job and the place it was dragged to

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        waiting, running = tr("Waiting", "jobs"), tr("Running", "jobs")
        self.waiting = _JobList(waiting, WAITING_COLUMNS, tr("No job waits."), selection, themes)
        self.running = _JobList(running, RUNNING_COLUMNS, tr("No job runs."), selection, themes)
        self.dragger = RowDragger(self.waiting.table, themes)
        self.dragger.dropped.connect(self._ask_to_move)
        split = self._split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        for part in (self.waiting, self.running):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, 1)
        self._is_drawn = False  # the edge between them, by the user
        split.splitterMoved.connect(self._leave_edge)
        sizing = Sizing(themes, self).rule(self._fit)
        sizing.column(split, on=self)

    def show_view(self, view: View | None) -> None:
        """Show which jobs wait and run."""
        if view is None:
            self.waiting.show_jobs(None, ("",), tr("Open a scenario to see its jobs."))
            self.running.show_jobs(None, ("",), "")
            return
        snapshot = view.snapshot
        use = tr("{running} · {busy} of {processors} in use").format(
            running=len(snapshot.running), busy=snapshot.busy, processors=snapshot.mesh.processors
        )
        self.waiting.show_jobs(JobRows.waiting(view), (str(len(snapshot.queue)),), self.waiting.nothing)
        uses = use, f"{len(snapshot.running)}"
        self.running.show_jobs(JobRows.running(view), uses, self.running.nothing)
        self._share_room()

    def _leave_edge(self) -> None:
        self._is_drawn = True

    def _share_room(self) -> None:
        """Give one list what the other leaves, where only one of them would be cut."""
        room, wanted = sum(self._split.sizes()), (self.waiting.wanted, self.running.wanted)
        if self._is_drawn or not room:
            return
        usual = room // 2
        upper = usual
        if wanted[1] > room - usual:
            upper = max(min(usual, wanted[0]), room - wanted[1])
        elif wanted[0] > usual:
            upper = min(wanted[0], room - wanted[1])
        if self._split.sizes()[0] != upper:
            self._split.setSizes([upper, room - upper])

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the captions out of a low panel, and the bars of lists in one that scrolls itself."""
        super().resizeEvent(event)
        self._fit()
        soon(self, self._share_room)

    def _fit(self) -> None:
        parts = self.waiting, self.running
        whole = sum(part.heading.sizeHint().height() + self._least(part, low=False) for part in parts)
        low = self.height() <= whole + self._split.handleWidth()
        cut = self.height() <= self.minimumSizeHint().height()  # the panel scrolls
        once = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if cut else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        for part in parts:
            part.table.horizontalHeader().setVisible(not low)
            part.table.setVerticalScrollBarPolicy(once)
            # So low that both lists fit: the panel would else scroll around two lists that scroll.
            part.table.setMinimumHeight(self._least(part, low=low))

    def _least(self, part: _JobList, *, low: bool) -> int:
        """The least height of a table, with its captions where there are two rows below them."""
        head = 0 if low else part.table.horizontalHeader().maximumHeight()
        said = placeholder_height(part.nothing, self.width(), self._themes) - self._themes.px(6)
        return max(self._themes.px(_ROW if low else 3 * _ROW), head + said)

    def _ask_to_move(self, row: int, place: int) -> None:
        jobs = self.waiting.table.source
        if jobs is not None and row < len(jobs.jobs):
            self.move_asked.emit(jobs.job(row), place)

    def show_selection(self) -> None:
        """Mark the selected and the hovered job; scroll to one that was selected elsewhere."""
        parts = self.waiting, self.running
        for part in parts:
            part.follow(self._selection.job, scroll=not any(part.table.choosing for part in parts))


class _JobList(QWidget):
    """A heading and a table of jobs."""

    def __init__(
        self,
        title: str,
        columns: Sequence[Column[JobRows]],
        nothing: str,
        selection: Selection,
        themes: ThemeManager,
    ) -> None:
        super().__init__()
        self.nothing = nothing  # what it says in a run while it is empty
        self._selected: int | None = None
        self.heading = Heading(title, themes)
        self.table = DataTable(columns, themes, give_way=(GiveWay(("length",)),))
        self.table.setAccessibleName(title)
        self.table.link_rows(Links(selection), JobRows.link, walking_chooses=True)
        Sizing(themes, self).column(self.heading, self.table, on=self)

    @property
    def wanted(self) -> int:
        """The height at which all rows are in sight."""
        around = self.height() - self.table.viewport().height()
        rows = 0 if self.table.source is None else len(self.table.source.jobs)
        return around + max(rows, 1) * self.table.verticalHeader().defaultSectionSize()

    def show_jobs(self, jobs: JobRows | None, counts: tuple[str, ...], placeholder: str) -> None:
        """Show other jobs in place, and the first of some wordings of how many that fits."""
        self.table.placeholder = placeholder
        self.heading.show_count(*counts)
        self.table.show_rows(jobs)

    def follow(self, job: int | None, *, scroll: bool) -> None:
        """Draw the selection again, and bring a newly selected job into sight."""
        jobs = self.table.source
        if scroll and job is not None and job != self._selected and jobs is not None:
            row = next((row for row, other in enumerate(jobs.jobs.tolist()) if other == job), None)
            if row is not None:
                self.table.reveal(row)
        self._selected = job
        self.table.refresh()
