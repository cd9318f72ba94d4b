"""Runs the open scenario and shows the run as it grows; what was shown is shown again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.guard import short_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario
from meshgui.model.document.window_moment import WindowMoment, select_again, selection_data
from meshgui.model.exercises.exercise_cut import CutRule, RunCuts
from meshgui.model.moment.instant import Instant
from meshgui.views.document.run_control import Run, RunControl
from meshgui.views.widgets.command import Command, commands_in
from meshgui.views.widgets.context import Context
from meshgui.views.widgets.notice import Topic

_DRAWN_AT_ONCE = 20_000  # jobs whose empty machine is shown before the run's thread has begun


class ScenarioRun(QObject):
    """The run of the open scenario. Runs wait for the first paint of the window."""

    begun = Signal()  # also for a run that waits
    unsound = Signal()  # the edits are wrong, so that nothing was run
    resumed = Signal()  # a new run shows the moment that was kept

    def __init__(self, context: Context, runs: RunControl, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._messages, self._runs = context, context.messages, runs
        self._document, self._cursor, self._selection = context.document, context.cursor, context.selection
        self._painted = False
        self._waiting: Scenario | None = None
        self._kept: WindowMoment | None = None  # what is to be shown of the run that has begun
        self._left = Instant(0)  # where the cursor was when it began
        self._sought: tuple[Instant, Instant] | None = None  # where the cursor waits, and for which step
        self._cuts = RunCuts()
        self._closed: Callable[[], str] = str  # why edits may not be run; empty where they may
        self._latest: Recording | None = None
        runs.recorded.connect(self._show_recording)
        runs.failed.connect(self._say_failed)
        runs.held.connect(self._ask_to_run)
        runs.started.connect(self.withdraw_question)
        self._document.moment = lambda: self.moment

    def cut_by(self, rule: CutRule) -> None:
        """Show of each run only what a rule leaves of it."""
        self._cuts.rules.append(rule)

    def close_edits(self, closed: Callable[[], str]) -> None:
        """Run no edits while `closed` says why."""
        self._closed = closed

    def whole(self, recording: Recording) -> Recording:
        """All that is known of a run of which less may be shown."""
        return self._cuts.whole(recording)

    def show_again(self) -> None:
        """Show the run again, as more or less of it may be seen now, also one that was put aside before."""
        shown = self._cursor.recording
        if shown is not None:
            latest = self._latest
            wanted = self._cuts.shown(latest if latest is not None and shown.is_of_run(latest) else shown)
            if wanted is not shown:
                self._cursor.extend(wanted)

    def commands(self) -> list[Command]:
        """Running and stopping."""
        return commands_in(
            tr("Run"),
            Command(
                "run.start",
                tr("Run again"),
                tr("Simulate the scenario with its edits from its start"),
                self.run_again,
                ("Ctrl+R",),
                "rotate-ccw",
                enabled_when=self._context.has_scenario,
                synonyms=tr("restart simulate rerun repeat reload"),
            ),
            Command(
                "run.stop",
                tr("Stop the run"),
                tr("Stop simulating; what has been recorded stays"),
                self._runs.cancel,
                ("Ctrl+.",),
                "square",
                enabled_when=self._context.has_scenario,
                synonyms=tr("cancel abort halt"),
            ),
        )

    @property
    def moment(self) -> WindowMoment:
        """What is shown, or will be once the run in progress is there, unless the cursor moves first."""
        now = self._cursor.instant
        if self._kept is not None and self._runs.running and now in {self._left, Instant(0)}:
            return self._kept
        if self._sought is not None and now == self._sought[0]:
            now = self._sought[1]
        return WindowMoment(now, selection_data(self._selection))

    def run(self, at: WindowMoment | None = None) -> None:
        """Run the scenario from its start, and show what was shown, or another moment."""
        scenario = self._document.scenario
        if scenario is None:
            return
        kept = self.moment if at is None else at
        self._kept, self._left = None if kept == WindowMoment(Instant(0)) else kept, self._cursor.instant
        self._sought = None
        self._messages.clear()
        self.begun.emit()
        if self._painted:
            self._runs.start(scenario)
        else:
            self._waiting = scenario

    def run_again(self) -> None:
        """Run the scenario with its edits from its start."""
        edited = self._document.edited
        if edited is not None:
            self.apply(edited)
        elif self._document.fault is not None:
            self.unsound.emit()

    def run_edits(self) -> None:
        """Run the edits that have not been run, if there are any."""
        if self._document.pending:
            self.run_again()

    def run_opened(self) -> None:
        """Run a scenario that has just been opened, from the start."""
        self._kept = None
        scenario = self._document.scenario
        self._runs.cancel()
        self._selection.clear()
        self._cursor.show(None)
        if scenario is not None and not self._painted and scenario.job_count <= _DRAWN_AT_ONCE:
            with suppress(RunError), short_calls():  # the run will say what is wrong
                self._cursor.show(Simulation(scenario).recording())
        self.run()

    def apply(self, scenario: Scenario, words: str = "", at: WindowMoment | None = None) -> bool:
        """Take an edited scenario and run it, if it may be edited; with words for undo, outside the form.

        It is shown at a moment, or else at the same time, as what happens then may be something else.
        """
        if why := self._closed():
            self._messages.tell(why, topic=Topic.EDITS)
            return False
        if at is None:
            at = self.moment if scenario == self._document.scenario else self.moment.time_alone
        self._document.edit(scenario, words)
        self.run(at)
        return True

    def apply_at(self, scenario: Scenario, words: str, time: float, job: int) -> None:
        """Take a scenario that differs from a time on, run it, and go to that time with a job selected."""
        self.apply(scenario, words, WindowMoment(Instant.of_time(time), {"job": job}))

    @property
    def resuming(self) -> bool:
        """Whether the run that has begun has yet to reach the moment that was shown before."""
        return self._kept is not None

    def _say_failed(self, message: str) -> None:
        said = tr("The run stopped: {message}.").format(message=message)
        self._messages.tell(said, topic=Topic.RUN)

    def _ask_to_run(self, expects: str) -> None:
        """Say what a run would take, and have the user decide."""
        hint = tr("Run it all the same; it can be stopped at any time")
        self._messages.tell(expects, (tr("Run it"), hint, self._go_on), topic=Topic.HELD)

    def withdraw_question(self) -> None:
        """Another run begins, or another scenario is shown."""
        self._messages.withdraw(Topic.HELD)

    def _go_on(self) -> None:
        if self._document.scenario is not None:
            self._runs.start(self._document.scenario, agreed=True)

    @property
    def running(self) -> bool:
        """Whether the run that is shown is in progress."""
        return self._runs.running

    def stop(self) -> None:
        """Stop the run, if it is in progress."""
        self._runs.cancel()

    def put_aside(self) -> tuple[Run | None, WindowMoment | None]:
        """Let the run go on without being shown; returns it, and the moment to show once it is there."""
        return self._runs.put_aside(), self._kept

    def bring_back(self, run: Run | None, kept: WindowMoment | None) -> None:
        """Show a run again that was put aside."""
        self._kept, self._left, self._sought = kept, self._cursor.instant, None
        if run is not None:
            self._runs.bring_back(run)

    def start_waiting(self, *, visible: bool) -> None:
        """Start the run that waits for the first paint, if the window is still open."""
        self._painted = True
        if self._waiting is not None and visible:
            self._waiting = None
            self.run()

    def _show_recording(self, recording: Recording) -> None:
        self._latest = recording
        recording = self._cuts.shown(recording)
        shown = self._cursor.recording
        if not recording.is_of_run(shown):
            self._selection.clear()
        self._cursor.extend(recording)
        if self._kept is not None and self._kept.instant is not None:
            self._show_kept(recording, self._kept.instant, self._kept.selection)

    def _arrive(self, _found: Instant) -> None:
        self._sought = None

    def _show_kept(self, recording: Recording, instant: Instant, selected: Mapping[str, Any]) -> None:
        """Show the moment that was kept, if the run has come so far."""
        whole = self._cuts.whole(recording)
        if whole.over or instant.is_reached(recording):
            select_again(self._selection, selected, recording)
            if self._cursor.searches.searches_beside(recording):
                self._cursor.go_to_time(instant.time)  # until its step has been found
            self._sought = self._cursor.instant, instant
            self._cursor.go_to_kept(instant, self._arrive)
            self._kept = None
            self.resumed.emit()
