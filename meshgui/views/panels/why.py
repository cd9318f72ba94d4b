"""Why a job waits: in sentences, the jobs in its way, and the boxes that were tried for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFont, QHideEvent
from PySide6.QtWidgets import QWidget

from meshgui.engine.allocation.steps import Mark
from meshgui.engine.basics.translation import tr
from meshgui.model.jobs.waiting import WaitReason
from meshgui.model.jobs.waiting_tables import (
    BLOCKER_COLUMNS,
    TRIED_COLUMNS,
    BlockerRows,
    FoundReason,
    TriedRows,
    find_reason,
)
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.links import Links
from meshgui.model.stepping.search import Purpose, Search
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, ThemeManager
from meshgui.views.widgets.building import push_button, scroll_area, scrolls_alone
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel, Heading, Swatch
from meshgui.views.widgets.linked_label import LinkedLabel

_QUICK: Final = 0.01  # seconds: what takes longer is computed when the cursor rests
_REST: Final = 120  # milliseconds


class WaitWords(FollowingView):
    """Says why the selected job waits, or else the head of the queue, and shows its first chance in the mesh.

    A subclass lays the words out.
    """

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, letters: Dress | None = None
    ) -> None:
        super().__init__(cursor, selection, themes)
        self.reason: WaitReason | None = None
        self._tried: TriedRows | None = None
        self._found: tuple[Search, FoundReason | None] | None = None  # the latest reason
        self._marks: tuple[Mark, ...] = ()  # for the mesh
        self._marked = False  # whether the mesh shows this panel's marks
        self._slow = False
        self._in_front = True  # not behind another tab
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.timeout.connect(self._answer)
        self._links = Links(selection)
        self._swatch = Swatch(themes)
        self.words = LinkedLabel(letters or themes, self._links)

    def set_in_front(self, on: bool) -> None:
        """Stop answering while another tab covers the panel."""
        self._in_front = on
        if on:
            self._answer()
        else:
            self._unmark()
            self._cursor.searches.drop(Purpose.REASON)

    def show_view(self, view: View | None) -> None:
        """Show the reason at another place; a slow one when the cursor rests."""
        if not self._in_front:
            return
        if view is None or view.position.inside:
            self._unmark()
        if self._slow:
            self._resting.start(_REST)
        else:
            self._answer()

    def show_selection(self) -> None:
        """Show another job's reason."""
        job = self._job_to_show(self._cursor.view)
        if self._in_front and job != (self.reason.job if self.reason is not None else None):
            self._answer()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Take the marks off the mesh."""
        super().hideEvent(event)
        self._unmark()

    def _job_to_show(self, view: View | None) -> int | None:
        if view is None:
            return None
        chosen, snapshot = self._selection.job, view.snapshot
        if chosen is not None and chosen in snapshot.queue:
            return chosen
        return int(snapshot.queue[0]) if len(snapshot.queue) else None

    def _answer(self) -> None:
        view, begun = self._cursor.view, perf_counter()
        job = self._job_to_show(view)
        if view is None or job is None:
            self._cursor.searches.drop(Purpose.REASON)
            self._show(view, job, None)
            return
        key = (view.position.events, job)
        words = tr("Searching why job {job} waits …").format(job=job)
        search = Search(view.recording, key, partial(find_reason, view, job, self._tried), words)
        known = self._found
        if known is not None and known[0].recording is view.recording and known[0].key == key:
            self._show(view, job, known[1])
        elif self._cursor.searches.look_up(
            search,
            partial(self._arrive, search, view, job),
            Purpose.REASON,
            lambda: self.words.say((tr("The search was stopped. The next move starts it again."),)),
        ):
            self._slow = perf_counter() - begun > _QUICK
        else:
            self._slow = True
            self._show_searching(job, words)

    def _arrive(self, search: Search, view: View, job: int, found: FoundReason | None) -> None:
        self._found = search, found
        self._show(view, job, found)

    def _show(self, view: View | None, job: int | None, found: FoundReason | None) -> None:
        self.reason = reason = None if found is None else found.reason
        self._swatch.show_job(job)
        self._name(None if reason is None else reason.job)
        if view is None or found is None:
            told = tr("Every job that has arrived was placed.")
            self._show_nothing(tr("Open a scenario to see its jobs.") if view is None else told)
        else:
            self._show_reason(view, found)

    def _show_searching(self, job: int, words: str) -> None:
        """Say that the reason is yet to be found."""
        self.reason = None
        self._swatch.show_job(job)
        self._name(job)
        self._show_nothing(words)

    def _name(self, job: int | None) -> None:
        """Say whose reason is shown; a subclass with a title does."""

    def _show_nothing(self, told: str) -> None:
        """Say this in place of a reason."""
        self.words.say((told,))
        self._tried = None
        self._unmark()

    def _show_reason(self, view: View, found: FoundReason) -> None:
        """Say a reason, and show it in the mesh."""
        reason, self._tried, self._marks = found
        self.words.say(reason.sentences)
        self._mark(view)

    # In the mesh

    def _mark(self, view: View) -> None:
        """Show the first chance and who holds it, unless steps are shown, which have marks of their own."""
        if not view.position.inside and self.isVisible():
            self._show_marks(self._marks)
        else:
            self._unmark()

    def _show_marks(self, marks: Sequence[Mark]) -> None:
        self._marked = bool(marks)
        self._selection.point_out(*marks)

    def _unmark(self) -> None:
        if self._marked:
            self._show_marks(())


class WhyPanel(WaitWords):
    """The words, with the jobs in the way and the boxes that were tried below them."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold).fill_width()
        self.blockers = DataTable(BLOCKER_COLUMNS, themes)
        self.blockers.placeholder = tr("No running job is in its way.")
        self.blockers.link_rows(self._links, BlockerRows.link)
        self.tried = DataTable(TRIED_COLUMNS, themes)
        self.tried.pointed.connect(lambda row, _column: self._point_at(row))
        self.tried.chosen.connect(lambda row, _column: self._step_to(row))
        self.tried.walked.connect(self._point_at)
        self._in_the_way = Heading(tr("In the way"), themes)
        self._tried_heading = Heading(tr("Tried without success"), themes)
        hint = tr("Go to the first step of the last failed attempt")
        self.step = push_button(tr("Step through it"), hint, lambda: self._step_to(None))
        self.chance = push_button(tr("When it could start"), tr("Go to that time"), self._go_to_chance)
        self._arrange()

    def tables(self) -> Sequence[PlainTable]:
        """The jobs in the way and the boxes tried."""
        return (*self.blockers.tables(), *self.tried.tables())

    def _name(self, job: int | None) -> None:
        self.title.setText(tr("No job waits") if job is None else tr("Why job {job} waits").format(job=job))

    def _show_nothing(self, told: str) -> None:
        super()._show_nothing(told)
        self.blockers.show_rows(None)
        self.tried.show_rows(None)
        self.blockers.placeholder = self.tried.placeholder = ""
        for part in (self.step, self.chance):
            part.setEnabled(False)
        self._in_the_way.show_count("")
        self._tried_heading.show_count("")

    def _show_reason(self, view: View, found: FoundReason) -> None:
        super()._show_reason(view, found)
        reason, rows = found.reason, self._tried
        self.blockers.placeholder = tr("No running job is in its way.")
        self.blockers.show_rows(BlockerRows(view, reason))
        self._in_the_way.show_count(f"{len(reason.blockers)}")
        self.tried.placeholder = (
            tr("Job {job} has not been tried yet.").format(job=reason.subject)
            if rows is None
            else tr("It looked at no box.")
        )
        self.tried.show_rows(rows)
        count = (
            ""
            if rows is None
            else tr("job {job} at {time:.2f} · {rows}").format(
                job=reason.subject, time=rows.time, rows=len(rows)
            )
        )
        self._tried_heading.show_count(count)
        self.step.setEnabled(rows is not None)
        self.chance.setEnabled(reason.opening is not None and reason.opening.time > view.time)

    def _point_at(self, row: int) -> None:
        """Show a box that was tried and who was met; off the rows the first chance again."""
        view, rows = self._cursor.view, self._tried
        if rows is not None and 0 <= row < len(rows):
            self._show_marks(rows.candidate(row).marks)
        elif view is not None and self.reason is not None:
            self._mark(view)

    def _step_to(self, row: int | None) -> None:
        rows = self._tried
        if rows is not None and (row is None or row < len(rows)):
            step = 0 if row is None else rows.candidate(row).step
            self._cursor.go_to(Position(rows.position, rows.attempt, step))

    def _go_to_chance(self) -> None:
        if self.reason is not None and self.reason.opening is not None:
            self._cursor.go_to_time(self.reason.opening.time)

    def _arrange(self) -> None:
        sizing = Sizing(self._themes, self)
        inner = QWidget()
        sizing.column(
            sizing.row(self._swatch, (self.title, 1), spacing=8),
            self.words,
            on=inner,
            margins=(12, 8, 12, 4),
            spacing=8,
        )
        for button in (self.step, self.chance):
            button.setProperty("compact", True)
        sizing.call(self.blockers.setMinimumHeight, 76).call(self.tried.setMinimumHeight, 76)
        content = QWidget()
        sizing.column(
            inner,
            self._in_the_way,
            (self.blockers, 2),
            self._tried_heading,
            (self.tried, 3),
            sizing.row((self.step, 1), (self.chance, 1), margins=(12, 8, 12, 8), spacing=4),
            on=content,
        )
        sizing.column(scrolls_alone(scroll_area(content)), on=self)
