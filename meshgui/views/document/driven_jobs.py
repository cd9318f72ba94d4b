"""Drives the run by hand at the present moment: jobs are drawn, ended, and moved in the queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from PySide6.QtCore import QObject

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import counted
from meshgui.engine.runs.recording import Recording
from meshgui.model.document.job_edits import (
    JobEdit,
    JobEditError,
    draw_job,
    end_job,
    move_job,
    number_ahead,
    place_after,
    refusal_to_draw,
)
from meshgui.views.docks.host import HostWindow
from meshgui.views.document.done_toast import DoneToast
from meshgui.views.document.job_card import JobRequestCard
from meshgui.views.document.scenario_run import ScenarioRun
from meshgui.views.mesh.panel import MeshView
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.notice import Topic

_NOT_RUN = tr("The form has edits that have not been run: run them (Ctrl+Return) or undo them first.")
_NO_JOB = tr("Select a job first, in the mesh or in the queue.")


class DrivenJobs(QObject):
    """Makes each edit part of the scenario, runs it, and comes back to the moment with the job selected."""

    def __init__(self, host: HostWindow, scenario_run: ScenarioRun, mesh: MeshView, done: DoneToast) -> None:
        super().__init__(host)
        self._done = done
        self._host, context = host, host.context
        self._document, self._messages = context.document, context.messages
        self._cursor, self._selection, self._themes = context.views
        self._run, self._mesh = scenario_run, mesh
        self._as_before = ""  # that the jobs have become a list for this edit, where they have
        self._drawn: int | None = None  # the job that was asked for, until its run is there
        mesh.drawing.entered.connect(self._leave_if_refused)
        mesh.drawing.asked.connect(self.draw)
        mesh.drawing.end_asked.connect(self.end)
        scenario_run.begun.connect(self._forget)
        scenario_run.resumed.connect(self._offer_the_front)

    def commands(self) -> list[Command]:
        """Drawing, ending and moving jobs."""
        return commands_in(
            tr("Edit"),
            None,
            Command(
                "job.draw",
                tr("Draw jobs"),
                tr("Drag a box on the mesh to ask for a job of its size, click a running job to end it"),
                self._mesh.toggle_drawing,
                ("A",),
                "pencil",
                mark=lambda: self._mesh.drawing.active,
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("add new request pencil box rectangle interact drive mouse"),
            ),
            Command(
                "job.request",
                tr("Ask for a job of a size…"),
                tr("Type the size of a job that arrives now, and how long it runs"),
                lambda: self.request_card.toggle(),  # noqa: PLW0108 - made when first used
                ("Shift+A",),
                "plus",
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("add new draw submit insert keyboard drive"),
            ),
            Command(
                "job.end",
                tr("End the selected job"),
                tr("Let the selected job leave now, if it runs"),
                self.end_selected,
                ("X",),
                "x",
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("kill stop remove finish cancel drive"),
            ),
            Command(
                "job.ahead",
                tr("Move the job ahead in the queue"),
                tr("Let the selected job go before the one ahead of it, where the discipline allows it"),
                lambda: self.move_selected(-1),
                ("Alt+Up",),
                "chevron-up",
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("queue order priority up earlier drive"),
            ),
            Command(
                "job.back",
                tr("Move the job back in the queue"),
                tr("Let the selected job go behind the next one, where the discipline allows it"),
                lambda: self.move_selected(1),
                ("Alt+Down",),
                "chevron-down",
                enabled_when=self._host.context.has_scenario,
                synonyms=tr("queue order priority down later drive"),
            ),
        )

    @cached_property
    def request_card(self) -> JobRequestCard:
        """The card to type a size into, created at first use."""
        return JobRequestCard(self._host, self._cursor, self._ask_for, self._themes)

    def _leave_if_refused(self) -> None:
        """Say at once where no size could be drawn."""
        recording = self._cursor.recording
        if recording is not None and (refusal := refusal_to_draw(recording)):
            self._mesh.drawing.leave()
            self._messages.tell(refusal, topic=Topic.EDITS)

    def draw(self, size: Sequence[int], service: float | None = None) -> None:
        """Ask for a job that arrives now, or say why not."""
        self._unless_refused(lambda: self._ask_for(size, service))

    def _ask_for(self, size: Sequence[int], service: float | None) -> None:
        self._drawn = self._edit(lambda recording, time: draw_job(recording, time, size, service))

    def end(self, job: int) -> None:
        """End a running job."""
        self._unless_refused(lambda: self._edit(lambda recording, time: end_job(recording, time, job)))

    def end_selected(self) -> None:
        """End the selected job."""
        job = self._selection.job
        if job is None:
            self._messages.say(_NO_JOB)
        else:
            self.end(job)

    def move(self, job: int, place: int) -> None:
        """Put a waiting job at another place of the queue."""
        self._unless_refused(
            lambda: self._edit(lambda recording, time: move_job(recording, time, job, place))
        )

    def move_selected(self, by: int) -> None:
        """Move the selected job in the queue by some places."""
        job, recording = self._selection.job, self._cursor.recording
        if job is None or recording is None:
            self._messages.say(_NO_JOB)
            return
        place = place_after(recording, self._cursor.time, job, by)
        if place is None:
            self._messages.say(tr("Job {job} cannot be moved that way in the queue.").format(job=job))
        else:
            self.move(job, place)

    def _unless_refused(self, edit: Callable[[], object]) -> None:
        """Edit the run, or say why not."""
        try:
            edit()
        except JobEditError as refusal:
            self._messages.tell(str(refusal), topic=Topic.EDITS)

    def _edit(self, make: Callable[[Recording, float], JobEdit]) -> int | None:
        """Make an edit of the run, and run it; the job that it is about."""
        recording = self._cursor.recording
        if recording is None:
            return None
        if self._document.pending or recording.scenario != self._document.scenario:
            raise JobEditError(
                _NOT_RUN if self._document.pending else tr("The run is starting: wait a moment.")
            )
        edit = make(recording, self._cursor.time)
        jobs = len(recording.jobs)
        self._run.apply_at(edit.scenario, edit.words, edit.time, edit.job)
        said = edit.said
        if edit.listed:
            origin = (
                tr("of the trace") if recording.scenario.workload.kind == "swf" else tr("drawn at random")
            )
            self._as_before = tr("the {jobs} {origin} became a list, and run as before until now").format(
                jobs=counted(jobs, "job"), origin=origin
            )
            said = tr("{said} For this {as_before}.").format(said=said, as_before=self._as_before)
        self._done.show(said)
        return edit.job

    def _forget(self) -> None:
        """Forget the job that was asked for, once the run is another."""
        self._as_before, self._drawn = "", None

    def _offer_the_front(self) -> None:
        """Offer to have a job that was drawn served next where others have come before it."""
        job, recording = self._drawn, self._cursor.recording
        self._drawn = None
        if job is None or recording is None:
            return
        if ahead := number_ahead(recording, self._cursor.time, job):
            said = tr("Job {job} waits behind {jobs}.").format(job=job, jobs=counted(ahead, "job"))
            if self._as_before:
                said = tr("{said} For it {as_before}.").format(said=said, as_before=self._as_before)
            hint = tr("Let the job be the next to be served")
            self._done.show(said, (tr("To the front"), hint, partial(self.move, job, 0)))
