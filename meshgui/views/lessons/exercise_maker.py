"""Draws exercises in a thread: their runs may compile kernels the first time."""

from __future__ import annotations

from PySide6.QtCore import Signal

from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.model.exercises.exercise import ExerciseError, ExerciseKey
from meshgui.model.exercises.exercises import exercise
from meshgui.model.lessons.lesson_shelf import ShelvedLesson
from meshgui.model.lessons.practice import Practice
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


class PracticeMaker(WorkThread):
    """Draws the exercises to a lesson, if they were not drawn before."""

    made = Signal(object)  # an ExerciseSet
    failed = Signal(str)

    def __init__(self, practice: Practice, lesson: ShelvedLesson) -> None:
        super().__init__()
        self._practice, self._lesson = practice, lesson

    def run(self) -> None:
        """The thread's work."""
        try:
            with self.stoppable():
                self.made.emit(self._practice.drawn(self._lesson))
        except (ExerciseError, MemoryBoundError) as error:
            self.failed.emit(str(error))
        except OSError as error:
            self.failed.emit(os_fault(error))
