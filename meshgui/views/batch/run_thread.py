"""Runs a scenario in a thread of its own that reports progress and can be stopped."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic

from PySide6.QtCore import Signal

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.guard import short_calls
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import duration
from meshgui.engine.basics.work import Progress, RunError
from meshgui.engine.network import record
from meshgui.engine.runs.expectation import LONG, Pace, expectation
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario import Scenario
from meshgui.model.moment.moment_view import View
from meshgui.model.moment.position import Position
from meshgui.model.timeline import packet_spans
from meshgui.model.timeline.run_curves import run_curves
from meshgui.views.widgets.work_thread import WorkThread

_BETWEEN_LOOKS = 0.12  # seconds; each look copies what has been recorded so far
_LOOKS_SHARE = 4  # at least this many times as long as a look took is simulated before the next


class RunThread(WorkThread):
    """One run. Emits longer and longer recordings, then `done` or `failed`, or nothing if it was stopped."""

    progressed = Signal(int, int, object)  # jobs ended, jobs in all, Recording so far
    compiling = Signal()
    done = Signal(object)  # the whole Recording
    failed = Signal(str)
    held = Signal(str)  # it would take long, or much: stopped with what it expects, in a sentence

    def __init__(self, scenario: Scenario, *, agreed: bool = False) -> None:
        super().__init__()
        self.scenario = scenario
        self._agreed = agreed  # that it may take long
        self._simulation: Simulation | None = None
        self._pace = Pace()
        self._next_look = 0.0
        self._compiles = False

    def run(self) -> None:
        """The thread's work."""
        try:
            with self.stoppable():
                self._run()
        except RunError as error:
            self.failed.emit(str(error))
        except MemoryError:
            self.failed.emit(tr("it needs more memory than is available"))

    def _run(self) -> None:
        simulation = Simulation(self.scenario)
        first = simulation.recording()
        self.progressed.emit(0, len(simulation.jobs), first)
        View(first, Position(0), 0.0).inspection  # noqa: B018 - what it compiles would halt the window
        self._next_look = monotonic() + _BETWEEN_LOOKS
        expected = expectation(self.scenario, simulation.jobs)
        if expected.large and not self._agreed:
            expected.require()
            self.held.emit(tr("This run may take up to {words}.").format(words=expected.words))
            return
        if self.scenario.network is not None:
            record.load_kernels()  # for drawing; in the window's own thread it would cause a delay
            packet_spans.load_kernels()
        self._simulation = simulation
        try:
            recording = simulation.run(self.work)
        finally:
            self._simulation = None
        self.done.emit(_ready_to_show(recording))
        self._follow_up(recording)

    def _hear(self, progress: Progress) -> None:
        if progress.compiling and not self._compiles:
            self.compiling.emit()
        self._compiles = progress.compiling
        simulation, ended, jobs = self._simulation, int(progress.done), int(progress.of)
        if simulation is None:
            return
        if (begun := monotonic()) >= self._next_look:
            self.progressed.emit(ended, jobs, _ready_to_show(simulation.recording()))
            took = monotonic() - begun
            self._next_look = begun + took + max(_BETWEEN_LOOKS - took, _LOOKS_SHARE * took)
        seconds = None if self._agreed else self._pace.seconds(ended, jobs)
        if seconds is not None and seconds > LONG:
            self.held.emit(tr("This run will take about {duration}.").format(duration=duration(seconds)))
            self.work.stop()

    def _follow_up(self, recording: Recording) -> None:
        """Do what is left, in the thread, once all who wait for the run have heard of it."""


class SteppedRunThread(RunThread):
    """A run that is to be stepped through."""

    def _follow_up(self, recording: Recording) -> None:
        """Compile what the first step needs: stepping takes another version of the kernels."""
        with suppress(Exception), short_calls():  # a fault here occurs again on stepping
            scratch = recording.new_strategy()
            scratch.trace(Request(0, (1, 1, 1)))
            if scratch.release_lines:
                scratch.trace_release(0)


def _ready_to_show(recording: Recording) -> Recording:
    """A recording whose curves are known: of a long run they would halt the window."""
    run_curves(recording).prepare()
    return recording
