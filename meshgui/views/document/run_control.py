"""Starts, follows and stops runs, of which one is shown, and shows how far it is."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFontMetrics

from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.views.batch.run_thread import SteppedRunThread
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.progress_strip import COMPILING, ProgressStrip
from meshgui.views.widgets.tasks import Tasks

_MOST: Final = 100_000  # jobs that have their room


class Run:
    """A run as far as it has come; it continues while another scenario is shown."""

    def __init__(self) -> None:
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
        self.tasks = Tasks[Run, SteppedRunThread](self)

    @property
    def running(self) -> bool:
        """Whether the run that is shown is in progress."""
        return self._run is not None

    def start(self, scenario: Scenario, *, agreed: bool = False) -> None:
        """Run a scenario from its start; it is agreed on if it may take long."""
        self.cancel()
        run = self._run = Run()
        self.started.emit()
        thread = SteppedRunThread(scenario, agreed=agreed)
        self.tasks.start(
            run,
            thread,
            (thread.progressed, partial(self._progressed, run)),
            (thread.compiling, partial(self._compiling, run)),
            (thread.done, partial(self._done, run)),
            (thread.failed, partial(self._failed, run)),
            (thread.held, partial(self._held, run)),
            (thread.finished, partial(self.stop, run)),  # if it still goes, a fault of the program ended it
        )

    def cancel(self) -> None:
        """Stop the run, keeping what has been recorded; its thread ends when what it compiles is done."""
        if self._run is not None:
            self.stop(self._run)

    def stop(self, run: Run) -> None:
        """Stop this run, shown or not."""
        if not run.going:
            return
        run.going = False
        self.tasks.end(run)
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
        for run in self.tasks.purposes:
            self.stop(run)

    def _progressed(self, run: Run, ended: int, jobs: int, recording: Recording) -> None:
        run.recording, run.progress = recording, (ended, jobs)
        if run is self._run:
            self.recorded.emit(recording)
            self.progressed.emit(ended, jobs)

    def _compiling(self, run: Run) -> None:
        if run is self._run:
            self.compiling.emit()

    def _done(self, run: Run, recording: Recording) -> None:
        run.recording = recording
        if run is self._run:
            self.recorded.emit(recording)
        self.stop(run)

    def _failed(self, run: Run, message: str) -> None:
        run.fault, shown = message, run is self._run
        self.stop(run)
        if shown:
            self.failed.emit(message)

    def _held(self, run: Run, message: str) -> None:
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
    return tr_n("{ended} of {number} job", "{ended} of {number} jobs", jobs, ended=ended)
