"""Draws an exercise in a thread: its run may compile kernels the first time."""

from __future__ import annotations

from PySide6.QtCore import Signal

from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.model.exercises.exercise import ExerciseError, ExerciseKey
from meshgui.model.exercises.exercises import exercise
from meshgui.views.widgets.work_thread import WorkThread


class ExerciseMaker(WorkThread):
    """Makes the exercise of one key."""

    made = Signal(object)  # an Exercise
    failed = Signal(str)

    def __init__(self, key: ExerciseKey) -> None:
        super().__init__()
        self._key = key

    def run(self) -> None:
        """The thread's work."""
        try:
            with self.stoppable():
                self.made.emit(exercise(self._key))
        except (ExerciseError, MemoryBoundError) as error:
            self.failed.emit(str(error))
