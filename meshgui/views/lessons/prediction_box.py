"""The question of a step: a field for the answer, and whether it is right, by a run of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import ScenarioError
from meshgui.model.lessons.course import StepAnswer
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


class PredictionBox(QWidget):
    """Takes an answer, has the engine compute the right one, helps to find it, and says how they differ.

    A guess closes the question; what follows from a rule may be tried again, and be shown after all hints.
    """

    explained = Signal(str)
    answered = Signal(object)  # a StepAnswer
    asked_again = Signal()
    finished_by_keys = Signal()  # what had the keys is hidden now

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._lesson: Lesson | None = None
        self._place = 0
        self._answer: RightAnswer | None = None
        self._rivals: list[tuple[Rival, float]] = []  # the wrong answers that are foreseen, and their numbers
        self._then: Callable[[], object] = self.check  # what waits for the answer
        self._hints: tuple[str, ...] = ()
        self._hints_shown = 0
        self._tasks = Tasks[None, RunThread](self)
        self.question = label(wrap=True)
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Your answer"))
        self.field.returnPressed.connect(self.check)
        self.button = push_button(tr("Check"), tr("Compare your answer with the run's (Enter)"), self.check)
        self.hint_button = push_button("", "", self.show_hint)
        hint = tr("Forget the answer, and hide again what shows it")
        self.again_button = push_button(tr("Ask again"), hint, self.asked_again)
        self.hint = label(kind="muted", wrap=True)
        self.verdict = label(kind="lead", wrap=True)
        sizing = Sizing(themes, self)
        row = sizing.row((self.field, 1), self.button, self.hint_button, self.again_button, spacing=8)
        parts = self.question, row, self.hint, self.verdict
        sizing.column(*parts, on=self, margins=(12, 4, 12, 6), spacing=4)

    def show_step(self, lesson: Lesson | None, place: int, given: StepAnswer | None = None) -> None:
        """Ask the question of a step, with the answer that was given before; hidden where it has none."""
        self.end()
        self._lesson, self._place, self._answer, self._rivals = lesson, place, None, []
        predict = self._predict
        self.setVisible(predict is not None)
        self.question.setText("" if predict is None else predict.asked)
        self._hints, self._hints_shown = (), 0
        self.hint.setVisible(False)
        self.field.setText("" if given is None else given.text)
        closed = given is not None and given.closed
        self._offer(closed=closed)
        if given is None:
            self._say("")
        elif given.right:
            self._say(tr("✓ Right."))
        else:
            self._say(tr("✗ Not quite.") if given.text else tr("The answer was shown."))
        if closed and predict is not None:
            self.explained.emit(predict.explain)

    def check(self) -> None:
        """Compare the answer with that of the run, which is made at the first try."""
        predict = self._predict
        if predict is None or self.field.isReadOnly():
            return
        given = answer_in(predict, self.field.text())
        if given is None:
            self._say(
                tr("Type a letter, for example A.")
                if predict.classes
                else tr("Type a number, for example 12 or 3.5.")
            )
        elif self._answer is None:
            self._compute(self.check)
        else:
            self._judge(predict, self._answer, given)

    def show_hint(self) -> None:
        """Show one hint more, which the run gives that has the answer; after the last, the answer."""
        predict = self._predict
        if predict is None:
            return
        if self._answer is None:
            self._compute(self.show_hint)
        elif self._hints_shown < len(self._hints):
            self._hints_shown += 1
            self.hint.setText("\n".join(self._hints[: self._hints_shown]))
            self.hint.setVisible(True)
            self._say("")
            self._offer(closed=False)
        else:
            self._close(predict, StepAnswer("", right=False), tr("It is {answer}."), self._answer)

    @property
    def _predict(self) -> Prediction | None:
        moment = self._lesson.steps[self._place].moment if self._lesson is not None else None
        return None if moment is None else moment.predict

    def end(self) -> None:
        """Stop the run."""
        self._tasks.end_all()

    def _offer(self, *, closed: bool) -> None:
        """Offer what can be done now with the question."""
        self.field.setReadOnly(closed)
        by_letter = self._predict is not None and self._predict.classes
        self.field.setPlaceholderText(
            tr("Your answer, a letter") if by_letter else tr("Your answer, a number")
        )
        last = self._answer is not None and self._hints_shown >= len(self._hints)
        self.hint_button.setText(tr("Show the answer") if last else tr("Hint"))
        self.hint_button.setToolTip(
            tr("Show what the run has; the question counts as not answered")
            if last
            else tr("Help with the question, a little more each time")
        )
        self.button.setVisible(not closed)
        self.hint_button.setVisible(not closed)
        self.again_button.setVisible(closed)

    def _compute(self, then: Callable[[], object]) -> None:
        """Run what has the answer, then what has each wrong answer that is foreseen; then go on."""
        self._then = then
        if self._tasks.latest is None:
            self._run_next()

    def _run_next(self) -> None:
        predict = self._predict
        if predict is None or self._lesson is None:
            return
        wanted = predict if self._answer is None else predict.rivals[len(self._rivals)]
        try:
            scenario = answer_scenario(self._lesson, self._place, wanted)
        except ScenarioError as error:
            self._say(tr("There is no answer: {error}.").format(error=error))
            return
        self._say(tr("Computing the answer …"))
        thread = RunThread(scenario)
        faults = (thread.failed, self._fail), (thread.held, self._fail)
        self._tasks.start(None, thread, (thread.done, self._take), *faults)

    def _take(self, recording: Recording) -> None:
        predict = self._predict
        moment = self._lesson.steps[self._place].moment if self._lesson is not None else None
        if predict is None or moment is None:
            return
        try:
            if self._answer is None:
                self._answer = answer_of(predict, moment, recording)
                self._hints = hints_of(predict, moment, self._answer, recording)
            else:
                rival = predict.rivals[len(self._rivals)]
                self._rivals.append((rival, number_of(rival, moment, recording)))
        except AnswerError as error:
            self._answer = None
            self._say(tr("There is no answer: {error}.").format(error=error))
            return
        if len(self._rivals) < len(predict.rivals):
            self._run_next()
        else:
            self._say("")
            self._then()

    def _fail(self, message: str) -> None:
        self._say(tr("There is no answer: {error}.").format(error=message.rstrip(".")))

    def _judge(self, predict: Prediction, answer: RightAnswer, given: float) -> None:
        typed = self.field.text().strip()
        if answer.right(given):
            exact = abs(given - answer.value) < 1e-9
            words = tr("✓ Right.") if exact else tr("✓ Right. It is {answer}.")
            self._close(predict, StepAnswer(typed, right=True), words, answer)
            return
        rival = rival_of(given, self._rivals, answer)
        why = "" if rival is None else said_of(rival, predict)
        if predict.follows_from == "estimate":
            words = f"{tr('✗ Not quite: it is {answer}.')} {why}".strip()
            self._close(predict, StepAnswer(typed, right=False), words, answer)
            return
        again = tr("Try again, or take a hint.")
        self._say(" ".join(filter(None, (tr("✗ Not quite."), why, again))))
        self.answered.emit(StepAnswer(typed, right=False, closed=False))
        self._offer(closed=False)

    def _close(self, predict: Prediction, given: StepAnswer, words: str, answer: RightAnswer) -> None:
        """Let nothing more be answered, and explain."""
        focused = QApplication.focusWidget()
        had_keys = focused is not None and self.isAncestorOf(focused)
        self._offer(closed=True)
        self._say(words.replace("{answer}", answer.words))
        self.answered.emit(given)
        self.explained.emit(predict.explain)
        if had_keys:
            self.finished_by_keys.emit()

    def _say(self, verdict: str) -> None:
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))
