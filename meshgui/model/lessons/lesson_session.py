"""The lesson that is open, and the step that is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from meshgui.model.base.signals import Signal

if TYPE_CHECKING:
    from meshgui.model.lessons.lesson import Lesson, LessonStep


class LessonSession:
    """A lesson and a place in it. Emits `changed`, then `moved` where a step is to be shown."""

    def __init__(self) -> None:
        self.changed: Signal[[]] = Signal()
        self.moved: Signal[[]] = Signal()
        self.lesson: Lesson | None = None
        self.place = 0

    @property
    def step(self) -> LessonStep | None:
        """The step that is shown."""
        return None if self.lesson is None else self.lesson.steps[self.place]

    @property
    def last(self) -> int:
        """The place of the last step."""
        return 0 if self.lesson is None else len(self.lesson.steps) - 1

    def open(self, path: Path) -> None:
        """Begin the lesson in a file; a bad one raises LessonError and leaves all as it was."""
        from meshgui.model.lessons.lesson import load_lesson  # noqa: PLC0415 - not needed for the first paint

        self.lesson, self.place = load_lesson(path), 0
        self._emit()

    def close(self) -> None:
        """Leave the lesson."""
        self.lesson, self.place = None, 0
        self.changed.emit()

    def next(self) -> None:
        """Go on to the next step."""
        self._go(self.place + 1)

    def back(self) -> None:
        """Go back to the step before."""
        self._go(self.place - 1)

    def show_again(self) -> None:
        """Show the moment of the step again."""
        if self.lesson is not None:
            self.moved.emit()

    def _go(self, place: int) -> None:
        if self.lesson is not None and 0 <= place <= self.last:
            self.place = place
            self._emit()

    def _emit(self) -> None:
        self.changed.emit()
        self.moved.emit()
