"""Why a job waits: in sentences, the jobs in its way, and the boxes that were tried for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent, QPaintEvent
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
from meshgui.views.widgets.building import push_button
from meshgui.views.widgets.data_table import DataTable
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import Heading
from meshgui.views.widgets.linked_label import LinkedLabel
from meshgui.views.widgets.soon import soon

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
        self._resting = QTimer(self, singleShot=True)
        self._resting.timeout.connect(self._answer)
        self._links = Links(selection)
        self.words = LinkedLabel(letters or themes, self._links)

    def show_view(self, view: View | None) -> None:
        """Show the reason at another place; a slow one when the cursor rests."""
        if view is None or view.position.inside:
            self._unmark()
        if self._slow and not self._cursor.withheld:
            self._resting.start(_REST)
        else:
            self._answer()

    def show_selection(self) -> None:
        """Show another job's reason."""
        job = self._job_to_show(self._cursor.view)
        if job != (self.reason.job if self.reason is not None else None):
            self._answer()

    @property
    def watched(self) -> bool:
        """Whether it is in sight: neither scrolled away nor behind a tab."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Come up to date where it has come into sight."""
        super().paintEvent(event)
        if self._moved or self._reselected:
            soon(self, self._catch_up)

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        """Take the marks off the mesh, until it is shown again."""
        super().hideEvent(event)
        self._moved = True
        self._resting.stop()
        self._cursor.searches.drop(Purpose.REASON)
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
        if view is None or job is None or self._cursor.withheld:
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
        self.reason = None if found is None else found.reason
        self._name(job)
        if view is None or found is None:
            told = self._cursor.withheld or tr("Every job that has arrived was placed.")
            self._show_nothing(tr("Open a scenario to see its jobs.") if view is None else told)
        else:
            self._show_reason(view, found)

    def _show_searching(self, job: int, words: str) -> None:
        """Say that the reason is yet to be found."""
        self.reason = None
        self._name(job)
        self._show_nothing(words)

    def _name(self, job: int | None) -> None:
        """Say whose reason is shown; a subclass that stands alone does."""

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
        self._selection.point_out(*marks, job=None if self.reason is None else self.reason.subject)

    def _unmark(self) -> None:
        if self._marked:
            self._show_marks(())


class WaitSection(WaitWords):
    """The words on the card of a job, with the jobs in the way and the boxes that were tried below them."""

    def __init__(
        self,
        cursor: Cursor,
        selection: Selection,
        themes: ThemeManager,
        job_to_show: Callable[[View | None], int | None],
    ) -> None:
        super().__init__(cursor, selection, themes)
        self._job_of_card = job_to_show
        self._was_chosen = False  # the job whose reason is shown
        self.blockers = DataTable(BLOCKER_COLUMNS, themes)
        self.blockers.link_rows(self._links, BlockerRows.link)
        self.tried = DataTable(TRIED_COLUMNS, themes)
        self.tried.pointed.connect(lambda row, _column: self._point_at(row))
        self.tried.chosen.connect(lambda row, _column: self._step_to(row))
        self.tried.walked.connect(self._point_at)
        for table in (self.blockers, self.tried):
            table.show_all_rows(True)
        self._heading = Heading(tr("Why it waits"), themes)
        self._in_the_way = Heading(tr("In the way"), themes)
        self._tried_heading = Heading(tr("Tried without success"), themes)
        self.chance = push_button(tr("When it could start"), tr("Go to that time"), self._go_to_chance)
        self._arrange()

    def tables(self) -> Sequence[PlainTable]:
        """The jobs in the way and the boxes tried."""
        return (*self.blockers.tables(), *self.tried.tables())

    def show_selection(self) -> None:
        """Show another job's reason, and in the mesh that of a job that is selected."""
        super().show_selection()
        view = self._cursor.view
        if view is not None and self.reason is not None and self._is_chosen != self._was_chosen:
            self._mark(view)

    def _job_to_show(self, view: View | None) -> int | None:
        return self._job_of_card(view)

    @property
    def _is_chosen(self) -> bool:
        return self.reason is not None and self.reason.job == self._selection.job

    def _show_nothing(self, told: str) -> None:
        super()._show_nothing(told)
        for table in (self.blockers, self.tried):
            table.placeholder = ""
            table.show_rows(None)
        for part in (self._in_the_way, self.blockers, self._tried_heading, self.tried, self.chance):
            part.hide()

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
        for part in (self._in_the_way, self.blockers, self._tried_heading, self.tried, self.chance):
            part.show()
        self.chance.setEnabled(reason.opening is not None and reason.opening.time > view.time)

    def _mark(self, view: View) -> None:
        """Show the first chance of a job that is selected: others come and go with the events."""
        self._was_chosen = self._is_chosen
        if self._was_chosen:
            super()._mark(view)
        else:
            self._unmark()

    def _point_at(self, row: int) -> None:
        """Show a box that was tried and who was met; off the rows the first chance again."""
        view, rows = self._cursor.view, self._tried
        if rows is not None and 0 <= row < len(rows):
            self._show_marks(rows.candidate(row).marks)
        elif view is not None and self.reason is not None:
            self._mark(view)

    def _step_to(self, row: int) -> None:
        rows = self._tried
        if rows is not None and row < len(rows):
            self._cursor.go_to(Position(rows.position, rows.attempt, rows.candidate(row).step))

    def _go_to_chance(self) -> None:
        if self.reason is not None and self.reason.opening is not None:
            self._cursor.go_to_time(self.reason.opening.time)

    def _arrange(self) -> None:
        sizing = Sizing(self._themes, self)
        words = QWidget()
        sizing.column(self.words, self.chance, on=words, margins=(12, 0, 12, 4), spacing=8)
        self.chance.setProperty("compact", True)
        sizing.column(
            self._heading,
            words,
            self._in_the_way,
            self.blockers,
            self._tried_heading,
            self.tried,
            1,
            on=self,
        )
