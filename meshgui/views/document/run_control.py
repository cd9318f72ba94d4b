"""Starts, follows and stops runs, of which one is shown, and shows how far it is."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontMetrics

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.views.batch.run_thread import RunThread
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.progress_strip import COMPILING, ProgressStrip

_MOST: Final = 100_000  # jobs that have their room


class Run:
    """A run as far as it has come; it continues while another scenario is shown."""

    def __init__(self, thread: RunThread) -> None:
        self.thread = thread
        self.going = True
        self.recording: Recording | None = None
        self.progress = (0, 0)  # jobs ended, jobs in all
        self.fault = ""
        self.held = ""  # its expected cost, if it was stopped for that


class RunControl(QObject):
    """The run that is shown, if it is in progress. A new run stops it."""

    started = Signal()
    recorded = Signal(object)  # a Recording: longer from one to the next, and complete at the end
    progressed = Signal(int, int)
    compiling = Signal()  # a kernel, which is not on the disk
    ended = Signal()
    failed = Signal(str)
    held = Signal(
        str
    )  # the run that is shown would take long: it was stopped, to be started again by `go_on`

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._threads: dict[QObject, Run] = {}  # including those that have been stopped but have not ended

    @property
    def running(self) -> bool:
        """Whether the run that is shown is in progress."""
        return self._run is not None

    def start(self, scenario: Scenario, *, agreed: bool = False) -> None:
        """Run a scenario from its start; it is agreed on if it may take long."""
        self.cancel()
        thread = RunThread(scenario, agreed=agreed)
        thread.progressed.connect(self._progressed)
        thread.compiling.connect(self._compiling)
        thread.done.connect(self._done)
        thread.failed.connect(self._failed)
        thread.held.connect(self._held)
        thread.finished.connect(self._forget_thread)
        self._run = self._threads[thread] = Run(thread)
        self.started.emit()
        thread.start()

    def cancel(self) -> None:
        """Stop the run, keeping what has been recorded; its thread ends when what it compiles is done."""
        if self._run is not None:
            self.stop(self._run)

    def stop(self, run: Run) -> None:
        """Stop this run, shown or not."""
        if not run.going:
            return
        run.going = False
        run.thread.end()
        if run is self._run:
            self._run = None
            self.ended.emit()

    def put_aside(self) -> Run | None:
        """Let the run go on without being shown; returns it."""
        run, self._run = self._run, None
        if run is not None:
            self.ended.emit()
        return run

    def bring_back(self, run: Run) -> None:
        """Show a run that was put aside as far as it has come by now."""
        self.cancel()
        if run.going:
            self._run = run
            self.started.emit()
            self.progressed.emit(*run.progress)
        if run.recording is not None:
            self.recorded.emit(run.recording)
        if run.fault:
            self.failed.emit(run.fault)
        if run.held:
            self.held.emit(run.held)

    def end(self) -> None:
        """Stop all runs, shown or not."""
        for run in tuple(self._threads.values()):
            self.stop(run)

    def _forget_thread(self) -> None:
        self.stop(self._threads.pop(self.sender()))  # if it still goes, a fault of the program ended it

    def _sending(self) -> Run | None:
        """The run that sends a signal, unless it has been stopped."""
        run = self._threads.get(self.sender())
        return run if run is not None and run.going else None

    def _progressed(self, ended: int, jobs: int, recording: Recording) -> None:
        if (run := self._sending()) is not None:
            run.recording, run.progress = recording, (ended, jobs)
            if run is self._run:
                self.recorded.emit(recording)
                self.progressed.emit(ended, jobs)

    def _compiling(self) -> None:
        run = self._sending()
        if run is not None and run is self._run:
            self.compiling.emit()

    def _done(self, recording: Recording) -> None:
        if (run := self._sending()) is not None:
            run.recording = recording
            if run is self._run:
                self.recorded.emit(recording)
            self.stop(run)

    def _failed(self, message: str) -> None:
        if (run := self._sending()) is not None:
            run.fault, shown = message, run is self._run
            self.stop(run)
            if shown:
                self.failed.emit(message)

    def _held(self, message: str) -> None:
        if (run := self._sending()) is not None:
            run.held, shown = message, run is self._run
            self.stop(run)
            if shown:
                self.held.emit(message)


class RunProgress(ProgressStrip):
    """Counts the jobs of the run that is shown; hidden while nothing runs."""

    def __init__(self, control: RunControl, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__(themes, icons, tr("Stop the run; what has been simulated stays"), control.cancel)
        control.started.connect(self._begin)
        control.progressed.connect(self._go_on)
        control.compiling.connect(self._say_compiling)
        control.ended.connect(self.hide)

    def _begin(self) -> None:
        self._bar.show_progress(0, 0)
        self._words.setText(tr("Simulating"))
        self.show()

    def _say_compiling(self) -> None:
        """Say why the first run of a strategy takes seconds longer."""
        self._words.setText(COMPILING)

    def _go_on(self, ended: int, jobs: int) -> None:
        self._bar.show_progress(ended, jobs)
        self._words.setText(_counted(ended, jobs))

    def _dress(self) -> None:
        """Keep room for all that is said: the layout would follow only once the window is idle."""
        super()._dress()
        width = QFontMetrics(self._words.font()).horizontalAdvance
        said = (tr("Simulating"), COMPILING, _counted(_MOST, _MOST))
        self._words.setMinimumWidth(max(map(width, said)) + 1)


def _counted(ended: int, jobs: int) -> str:
    return tr("{ended} of {jobs} jobs").format(ended=ended, jobs=jobs)
