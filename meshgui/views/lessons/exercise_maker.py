"""Draws an exercise in a thread: its run may compile kernels the first time."""

from __future__ import annotations

from PySide6.QtCore import QObject, QThread, Signal

from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.model.exercise import ExerciseError, ExerciseKey
from meshgui.model.exercises import exercise

__all__ = ["ExerciseMaker"]


class ExerciseMaker(QThread):
    """Makes the exercise of one key."""

    made = Signal(object)  # an Exercise
    failed = Signal(str)

    def __init__(self, key: ExerciseKey, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key = key

    def run(self) -> None:
        """The thread's work."""
        try:
            self.made.emit(exercise(self._key))
        except (ExerciseError, MemoryBoundError) as error:
            self.failed.emit(str(error))
