"""Makes the runs that are compared in threads, a few at a time, each with its measures at the end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.comparison.comparison import ComparedRun
from meshgui.model.comparison.comparison_tables import RunMeasures
from meshgui.views.batch.run_thread import RunThread

_AT_ONCE: Final = 2  # more would only slow each other


class MeasuredRunThread(RunThread):
    """A run, and after it its measures; it compiles nothing for steps, as no lines are stepped here."""

    measured = Signal(object)  # RunMeasures

    def _follow_up(self, recording: Recording) -> None:
        self.measured.emit(RunMeasures(recording))


class ComparedRunThreads(QObject):
    """The threads of runs that are not over."""

    recorded = Signal(object, object)  # a ComparedRun, and its Recording so far
    measured = Signal(object, object)  # a ComparedRun, and its RunMeasures
    failed = Signal(object, str)
    held = Signal(object, str)  # a ComparedRun that was stopped, and its expected cost

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[ComparedRun] = []
        self._threads: dict[QObject, ComparedRun] = {}  # including those that have been stopped
        self._stopped: set[QObject] = set()  # of these; one that has ended no longer says so itself

    def make(self, runs: Collection[ComparedRun]) -> None:
        """Make these runs, unless they are over or being made; stop all others."""
        for thread, run in self._threads.items():
            if run not in runs:
                self._stop(thread)
        going = [run for thread, run in self._threads.items() if thread not in self._stopped]
        self._waiting = [run for run in runs if not run.over and run not in going]
        self._start_some()

    def stop(self) -> None:
        """Stop all runs."""
        self.make(())

    def _start_some(self) -> None:
        while self._waiting and len(self._threads) < _AT_ONCE:
            run = self._waiting.pop(0)
            if run.scenario is None:
                continue
            run.held = ""
            thread = MeasuredRunThread(run.scenario, agreed=run.agreed)
            thread.progressed.connect(self._progressed)
            thread.done.connect(self._done)
            thread.measured.connect(self._measured)
            thread.failed.connect(self._failed)
            thread.held.connect(self._hold)
            thread.finished.connect(self._forget)
            self._threads[thread] = run
            thread.start()

    # Slots of this object: a signal of another thread would call a plain function in that thread.

    def _sending(self) -> ComparedRun | None:
        """The run whose thread sends a signal, unless it has been stopped."""
        thread = self.sender()
        return None if thread in self._stopped else self._threads.get(thread)

    def _progressed(self, _ended: int, _jobs: int, recording: Recording) -> None:
        self._done(recording)

    def _done(self, recording: Recording) -> None:
        if (run := self._sending()) is not None:
            self.recorded.emit(run, recording)

    def _measured(self, measures: RunMeasures) -> None:
        if (run := self._sending()) is not None:
            self.measured.emit(run, measures)

    def _failed(self, message: str) -> None:
        if (run := self._sending()) is not None:
            self.failed.emit(run, message)

    def _hold(self, expected: str) -> None:
        if (run := self._sending()) is not None:
            self.held.emit(run, expected)

    def _forget(self) -> None:
        thread = self.sender()
        run = self._threads.pop(thread)
        if not run.over and not run.held and thread not in self._stopped:
            self.failed.emit(run, tr("an internal error ended it"))
        self._stopped.discard(thread)
        self._start_some()

    def _stop(self, thread: QObject) -> None:
        self._stopped.add(thread)
        if isinstance(thread, RunThread):
            thread.end()
