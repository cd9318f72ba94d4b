"""The lesson that is open, the step that is shown, and what was answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from meshgui.engine.basics.translation import tr
from meshgui.model.base.signals import Signal
from meshgui.model.lessons.course import Course, LessonProgress, StepAnswer

if TYPE_CHECKING:
    from meshgui.model.lessons.lesson import Lesson, LessonStep


class LessonSession:
    """A lesson and a place in it. Emits `changed`, then `moved` where a step is to be shown."""

    def __init__(self, course: Course) -> None:
        self.changed: Signal[[]] = Signal()
        self.moved: Signal[[]] = Signal()
        self.course = course
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

    @property
    def progress(self) -> LessonProgress:
        """The progress in the lesson."""
        return LessonProgress() if self.lesson is None else self.course.progress(self.lesson.path)

    @property
    def given(self) -> str:
        """The last answer to the question of the step, as it was typed."""
        answer = self.progress.answers.get(self.place)
        return "" if answer is None else answer.text

    def open(self, path: Path) -> None:
        """Take up the lesson in a file where it was left; a bad one raises LessonError and changes nothing.

        A lesson that was read to its end begins again, with its answers.
        """
        from meshgui.model.lessons.lesson import load_lesson  # noqa: PLC0415 - not needed for the first paint

        self.lesson = load_lesson(path)
        left = self.course.progress(self.lesson.path).place
        self.place = left if left < self.last else 0
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

    def answer(self, text: str, *, right: bool) -> None:
        """Keep an answer to the question of the step."""
        if self.lesson is not None:
            kept = self.progress.at(self.place).answered(self.place, StepAnswer(text, right))
            self.course.keep(self.lesson.path, kept)

    @property
    def summary(self) -> str:
        """What was right in the lesson, and what to look at again; empty where nothing was answered."""
        if self.lesson is None:
            return ""
        asked = [place for place, step in enumerate(self.lesson.steps) if step.asks]
        answers = self.progress.answers
        if not any(place in answers for place in asked):
            return ""
        right = [place for place in asked if place in answers and answers[place].right]
        words = tr("{right} of {asked} questions right.").format(right=len(right), asked=len(asked))
        again = [f"{place + 1} ({self.lesson.steps[place].title})" for place in asked if place not in right]
        if not again:
            return words
        return f"{words} {tr('Look again at step {steps}.').format(steps=', '.join(again))}"

    def _go(self, place: int) -> None:
        if self.lesson is not None and 0 <= place <= self.last:
            self.place = place
            self._emit()

    def _emit(self) -> None:
        if self.lesson is not None:
            self.course.keep(self.lesson.path, self.progress.at(self.place))
        self.changed.emit()
        self.moved.emit()
