"""The question of a step: a field for the answer, and whether it is right, by a run of its own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import ScenarioError
from meshgui.model.lessons.lesson import Lesson
from meshgui.model.lessons.lesson_answers import (
    AnswerError,
    RightAnswer,
    answer_in,
    answer_of,
    answer_scenario,
    number_of,
    rival_of,
    said_of,
)
from meshgui.model.lessons.lesson_hints import hints_of
from meshgui.model.lessons.lesson_prediction import Prediction, Rival
from meshgui.views.batch.run_thread import RunThread
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, push_button
from meshgui.views.widgets.tasks import Tasks


class AnswerThread(RunThread):
    """A run that is made for its figures alone."""

    def _follow_up(self, recording: Recording) -> None:
        """Compile nothing for steps, as none are shown."""


class PredictionBox(QWidget):
    """Takes an answer, has the engine compute the right one, and says how they differ."""

    explained = Signal(str)
    answered = Signal(str, bool)  # what was typed, and whether it is right

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._lesson: Lesson | None = None
        self._place = 0
        self._answer: RightAnswer | None = None
        self._rivals: list[tuple[Rival, float]] = []  # the wrong answers that are foreseen, and their numbers
        self._given: float | None = None  # none: hints are asked for
        self._hints: tuple[str, ...] = ()
        self._hints_shown = 0
        self._tasks = Tasks[None, AnswerThread](self)
        self.question = label(wrap=True)
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Your answer"))
        self.field.setPlaceholderText(tr("Your answer, a number"))
        self.field.returnPressed.connect(self.check)
        self.button = push_button(tr("Check"), tr("Compare your answer with the run's (Enter)"), self.check)
        hint = tr("Help with the question, a little more each time")
        self.hint_button = push_button(tr("Hint"), hint, self.show_hint)
        self.hint = label(kind="muted", wrap=True)
        self.verdict = label(kind="lead", wrap=True)
        sizing = Sizing(themes, self)
        row = sizing.row((self.field, 1), self.button, self.hint_button, spacing=8)
        parts = self.question, row, self.hint, self.verdict
        sizing.column(*parts, on=self, margins=(12, 4, 12, 6), spacing=4)

    def show_step(self, lesson: Lesson | None, place: int, given: str = "") -> None:
        """Ask the question of a step, with the answer that was given before; hidden where it has none."""
        self.end()
        self._lesson, self._place, self._answer, self._rivals = lesson, place, None, []
        predict = self._predict
        self.setVisible(predict is not None)
        self.question.setText("" if predict is None else predict.asked)
        self._hints, self._hints_shown = (), 0
        self.field.setText(given)
        self.hint.setVisible(False)
        self.hint_button.setEnabled(True)
        self._say("")

    def check(self) -> None:
        """Compare the answer with that of the run, which is made at the first try."""
        given = None if self._predict is None else answer_in(self._predict, self.field.text())
        if given is None:
            by_class = self._predict is not None and self._predict.classes
            self._say(
                tr("Type a letter, for example A.")
                if by_class
                else tr("Type a number, for example 12 or 3.5.")
            )
            return
        self._given = given
        if self._answer is not None and self._tasks.latest is None:
            self._judge(self._answer, given)
        elif self._tasks.latest is None and self._lesson is not None:
            self._compute(self._lesson)

    def show_hint(self) -> None:
        """Show one hint more: the run that has the answer gives them."""
        if self._answer is None:
            if self._tasks.latest is None and self._lesson is not None:
                self._given = None
                self._compute(self._lesson)
            return
        self._hints_shown = min(self._hints_shown + 1, len(self._hints))
        self.hint.setText("\n".join(self._hints[: self._hints_shown]))
        self.hint.setVisible(bool(self._hints))
        self.hint_button.setEnabled(self._hints_shown < len(self._hints))

    @property
    def _predict(self) -> Prediction | None:
        moment = self._lesson.steps[self._place].moment if self._lesson is not None else None
        return None if moment is None else moment.predict

    def end(self) -> None:
        """Stop the run."""
        self._tasks.end_all()

    def _compute(self, lesson: Lesson) -> None:
        """Run what has the answer, then what has each wrong answer that is foreseen."""
        predict = self._predict
        if predict is None:
            return
        wanted = predict if self._answer is None else predict.rivals[len(self._rivals)]
        try:
            scenario = answer_scenario(lesson, self._place, wanted)
        except ScenarioError as error:
            self._say(tr("There is no answer: {error}.").format(error=error))
            return
        self._say(tr("Computing the answer …"))
        thread = AnswerThread(scenario)
        faults = (thread.failed, self._fail), (thread.held, self._fail)
        self._tasks.start(None, thread, (thread.done, self._take), *faults)

    def _take(self, recording: Recording) -> None:
        if self._lesson is None:
            return
        moment = self._lesson.steps[self._place].moment
        if moment is None or moment.predict is None:
            return
        try:
            if self._answer is None:
                self._answer = answer_of(moment.predict, moment, recording)
                self._hints = hints_of(moment.predict, self._answer, recording)
            else:
                rival = moment.predict.rivals[len(self._rivals)]
                self._rivals.append((rival, number_of(rival, moment, recording)))
        except AnswerError as error:
            self._say(tr("There is no answer: {error}.").format(error=error))
            return
        if len(self._rivals) < len(moment.predict.rivals):
            self._compute(self._lesson)
        elif self._given is not None:
            self._judge(self._answer, self._given)
        else:
            self._say("")
            self.show_hint()

    def _fail(self, message: str) -> None:
        self._say(tr("There is no answer: {error}.").format(error=message.rstrip(".")))

    def _judge(self, answer: RightAnswer, given: float) -> None:
        explain = self._predict.explain if self._predict is not None else ""
        if answer.right(given):
            exact = abs(given - answer.value) < 1e-9
            right = tr("✓ Right.") if exact else tr("✓ Right. It is {answer}.")
            self._say(right.format(answer=answer.words))
        else:
            wrong = tr("✗ Not quite: it is {answer}.").format(answer=answer.words)
            rival = rival_of(given, self._rivals, answer)
            self._say(wrong if rival is None else f"{wrong} {said_of(rival)}")
        self.answered.emit(self.field.text(), answer.right(given))
        self.explained.emit(explain)

    def _say(self, verdict: str) -> None:
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))
