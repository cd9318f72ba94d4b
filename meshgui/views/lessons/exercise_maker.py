"""Draws exercises in a thread: their runs may compile kernels the first time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.memory import MemoryBoundError
from meshgui.model.exercises.exercise import ExerciseError
from meshgui.views.widgets.work_thread import WorkThread


class ExerciseMaker(WorkThread):
    """Makes an exercise, or a set of them."""

    made = Signal(object)  # it
    failed = Signal(str)

    def __init__(self, make: Callable[[], object]) -> None:
        super().__init__()
        self._make = make

    def run(self) -> None:
        """The thread's work."""
        try:
            with self.stoppable():
                self.made.emit(self._make())
        except (ExerciseError, MemoryBoundError) as error:
            self.failed.emit(str(error))
        except OSError as error:
            self.failed.emit(os_fault(error))
