"""The lesson that is open, the step that is shown, and what was answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from meshgui.engine.basics.translation import tr
from meshgui.engine.scenario import ScenarioError
from meshgui.model.base.signals import Signal
from meshgui.model.lessons.course import Course, LessonProgress, StepAnswer
from meshgui.model.lessons.lesson_shelf import after

if TYPE_CHECKING:
    from meshgui.engine.runs.recording import Recording
    from meshgui.engine.scenario import Scenario
    from meshgui.model.exercises.exercise_cut import RunCut
    from meshgui.model.lessons.lesson import Lesson, LessonStep
    from meshgui.model.lessons.lesson_moment import LessonMoment
    from meshgui.model.lessons.lesson_prediction import Prediction


class LessonSession:
    """A lesson and a place in it. Emits `changed`, then `moved` where a step is to be shown.

    `judged` says that a question was closed or opened again.
    """

    def __init__(self, course: Course) -> None:
        self.changed: Signal[[]] = Signal()
        self.moved: Signal[[]] = Signal()
        self.judged: Signal[[]] = Signal()
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
    def given(self) -> StepAnswer | None:
        """The last answer to the question of the step."""
        return self.progress.answers.get(self.place)

    @property
    def asked(self) -> Prediction | None:
        """The question of the step, while it waits for its answer."""
        step = self.step
        if step is None or step.moment is None or not self.progress.waits(self.place):
            return None
        return step.moment.predict

    def hides(self, scenario: Scenario | None) -> bool:
        """Whether a question about a scenario is open; another title or other notes make no other run."""
        if self.asked is None or self.lesson is None or scenario is None:
            return False
        try:
            shown = self.lesson.scenario(self.place)
        except ScenarioError:  # the window says so as it shows the step
            return False
        return shown is not None and shown == scenario.model_copy(
            update={"title": shown.title, "notes": shown.notes}
        )

    def view(self, moment: LessonMoment) -> dict[str, Any]:
        """What is shown of a moment, as a file has it under `view`; its step only once it is not hidden."""
        view, asked = moment.view(), self.asked
        inside = {"events", "attempt", "release", "step"} if asked is not None and asked.of_future else set()
        return {key: value for key, value in view.items() if key not in inside}

    def cut(self, whole: Recording) -> RunCut | None:
        """Where a run is cut off now."""
        step, asked = self.step, self.asked
        if step is None or step.moment is None or asked is None or not self.hides(whole.scenario):
            return None
        from meshgui.model.lessons.lesson_answers import cut_of  # noqa: PLC0415 - not needed for the first paint

        return cut_of(asked, step.moment, whole)

    def open(self, path: Path) -> None:
        """Take up the lesson in a file where it was left; a bad one raises LessonError and changes nothing.

        A lesson that was read to its end begins again, with its answers.
        """
        from meshgui.model.lessons.lesson import load_lesson  # noqa: PLC0415 - not needed for the first paint

        self.lesson = load_lesson(path)
        left = self.course.progress(self.lesson.path).place
        self.place = left if left < self.last else 0
        self._emit()

    def next(self) -> None:
        """Go on to the next step; from the last one to the next lesson of the course."""
        if self.place < self.last:
            self._go(self.place + 1)
        elif (following := self.following) is not None:
            self.open(following)

    @property
    def following(self) -> Path | None:
        """The lesson that comes next in the course."""
        return None if self.lesson is None else after(self.lesson.path)

    def back(self) -> None:
        """Go back to the step before."""
        self._go(self.place - 1)

    def show_again(self) -> None:
        """Show the moment of the step again."""
        if self.lesson is not None:
            self.moved.emit()

    def answer(self, answer: StepAnswer) -> None:
        """Keep an answer to the question of the step."""
        if self.lesson is not None:
            self._keep(self.progress.at(self.place).answered(self.place, answer))
            if answer.closed:
                self.judged.emit()

    def ask_again(self) -> None:
        """Open the question of the step again."""
        if self.lesson is not None:
            self._keep(self.progress.asked_again(self.place))
            self.judged.emit()

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

    def _keep(self, progress: LessonProgress) -> None:
        if self.lesson is not None:
            self.course.keep(self.lesson.path, progress)

    def _emit(self) -> None:
        self._keep(self.progress.at(self.place))
        self.changed.emit()
        self.moved.emit()
