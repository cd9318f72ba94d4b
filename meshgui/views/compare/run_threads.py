"""Makes the runs that are compared in threads, a few at a time, each with its measures at the end."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.model.comparison.comparison import ComparedRun
from meshgui.model.comparison.comparison_tables import RunMeasures
from meshgui.views.batch.run_thread import RunThread
from meshgui.views.widgets.tasks import Tasks

_AT_ONCE: Final = 2  # more would only slow each other


class MeasuredRunThread(RunThread):
    """A run, and after it its measures."""

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
        self._tasks = Tasks[ComparedRun, MeasuredRunThread](self, at_once=_AT_ONCE)

    def make(self, runs: Collection[ComparedRun]) -> None:
        """Make these runs, unless they are over or being made; stop all others."""
        for run in self._tasks.purposes:
            if run not in runs:
                self._tasks.end(run)
        for run in runs:
            if not run.over and self._tasks.get(run) is None and run.scenario is not None:
                self._start(run, run.scenario)

    def stop(self) -> None:
        """Stop all runs."""
        self._tasks.end_all()

    def _start(self, run: ComparedRun, scenario: Scenario) -> None:
        run.held = ""
        thread = MeasuredRunThread(scenario, agreed=run.agreed)
        record = partial(self.recorded.emit, run)
        self._tasks.start(
            run,
            thread,
            (thread.progressed, lambda _ended, _jobs, recording: record(recording)),
            (thread.done, record),
            (thread.measured, partial(self.measured.emit, run)),
            (thread.failed, partial(self.failed.emit, run)),
            (thread.held, partial(self.held.emit, run)),
            (thread.finished, partial(self._end, run)),
        )

    def _end(self, run: ComparedRun) -> None:
        if not run.over and not run.held:
            self.failed.emit(run, tr("an internal error ended it"))
