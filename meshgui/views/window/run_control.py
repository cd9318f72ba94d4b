"""Starts, follows and stops runs, one at a time, and shows how far the run is."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from meshgui.engine.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.tool_button import tool_button
from meshgui.views.window.run_thread import RunThread

__all__ = ["RunControl", "RunProgress"]


class RunControl(QObject):
    """The run in progress, if there is one. A new run stops the old one."""

    started = Signal()
    recorded = Signal(object)  # a Recording: longer from one to the next, and complete at the end
    progressed = Signal(int, int)
    ended = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: RunThread | None = None
        self._threads: list[RunThread] = []  # including those that have been stopped but have not ended

    @property
    def running(self) -> bool:
        """Whether a run is in progress."""
        return self._thread is not None

    def start(self, scenario: Scenario) -> None:
        """Run a scenario from its start."""
        self.cancel()
        thread = RunThread(scenario, self)
        thread.progressed.connect(self._progressed)
        thread.done.connect(self._done)
        thread.failed.connect(self._failed)
        thread.finished.connect(partial(self._forget_thread, thread))
        self._threads.append(thread)
        self._thread = thread
        self.started.emit()
        thread.start()

    def cancel(self) -> None:
        """Stop the run, keeping what has been recorded; its thread ends when what it compiles is done."""
        thread = self._thread
        if thread is None:
            return
        self._thread = None
        thread.requestInterruption()
        self.ended.emit()

    def wait(self) -> None:
        """Stop, and return when every thread has ended."""
        self.cancel()
        for thread in tuple(self._threads):
            thread.wait()

    def _forget_thread(self, thread: RunThread) -> None:
        if thread is self._thread:  # a fault of the program ended it: no run is in progress
            self._thread = None
            self.ended.emit()
        self._threads.remove(thread)
        thread.deleteLater()

    def _current(self) -> bool:
        return self._thread is not None and self.sender() is self._thread

    def _progressed(self, ended: int, jobs: int, recording: Recording) -> None:
        if self._current():
            self.recorded.emit(recording)
            self.progressed.emit(ended, jobs)

    def _done(self, recording: Recording) -> None:
        if self._current():
            self.recorded.emit(recording)
            self.cancel()

    def _failed(self, message: str) -> None:
        if self._current():
            self.cancel()
            self.failed.emit(message)


class RunProgress(QWidget):
    """A thin bar, a count and a button that stops the run; hidden while nothing runs."""

    def __init__(self, control: RunControl, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes = themes
        self._bar, self._count = ProgressBar(), QLabel()
        stop = tool_button(icons, "x", "Stop the run; what has been simulated stays", control.cancel)
        stop.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self._count, self._bar, stop):
            row.addWidget(widget)
        control.started.connect(self._begin)
        control.progressed.connect(self._go_on)
        control.ended.connect(self.hide)
        Sizing(themes, self).call(self._bar.setFixedSize, 120, 4)
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def _begin(self) -> None:
        self._bar.show_progress(0, 0)
        self._count.setText("Simulating")
        self.show()

    def _go_on(self, ended: int, jobs: int) -> None:
        self._bar.show_progress(ended, jobs)
        self._count.setText(f"{ended} of {jobs} jobs")

    def _dress(self) -> None:
        self._count.setFont(self._themes.text("caption"))
