"""The question of a step: a field for the answer, and whether it is right, by a run of its own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import ScenarioError
from meshgui.model.lessons.lesson import Lesson
from meshgui.model.lessons.lesson_check import AnswerError, RightAnswer, answer_of, answer_scenario, number_in
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

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._lesson: Lesson | None = None
        self._place = 0
        self._answer: RightAnswer | None = None
        self._given = 0.0
        self._tasks = Tasks[None, AnswerThread](self)
        self.question = label(wrap=True)
        self.field = QLineEdit()
        self.field.setAccessibleName(tr("Your answer"))
        self.field.setPlaceholderText(tr("Your answer, a number"))
        self.field.returnPressed.connect(self.check)
        self.button = push_button(tr("Check"), tr("Compare your answer with the run's (Enter)"), self.check)
        self.verdict = label(kind="lead", wrap=True)
        sizing = Sizing(themes, self)
        row = sizing.row((self.field, 1), self.button, spacing=8)
        parts = self.question, row, self.verdict
        sizing.column(*parts, on=self, margins=(12, 4, 12, 6), spacing=4)

    def show_step(self, lesson: Lesson | None, place: int) -> None:
        """Ask the question of a step; hidden where it has none."""
        self.end()
        self._lesson, self._place, self._answer = lesson, place, None
        step = None if lesson is None else lesson.steps[place]
        predict = None if step is None or step.moment is None else step.moment.predict
        self.setVisible(predict is not None)
        self.question.setText("" if predict is None else predict.question)
        self.field.clear()
        self._say("")

    def check(self) -> None:
        """Compare the answer with that of the run, which is made at the first try."""
        given = number_in(self.field.text())
        if given is None:
            self._say(tr("Type a number, for example 12 or 3.5."))
            return
        self._given = given
        if self._answer is not None:
            self._judge(self._answer)
        elif self._tasks.latest is None and self._lesson is not None:
            self._compute(self._lesson)

    def end(self) -> None:
        """Stop the run."""
        self._tasks.end_all()

    def _compute(self, lesson: Lesson) -> None:
        moment = lesson.steps[self._place].moment
        if moment is None or moment.predict is None:
            return
        try:
            scenario = answer_scenario(lesson, self._place, moment.predict)
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
            self._answer = answer_of(moment.predict, moment, recording)
        except AnswerError as error:
            self._say(tr("There is no answer: {error}.").format(error=error))
            return
        self._judge(self._answer)

    def _fail(self, message: str) -> None:
        self._say(tr("There is no answer: {error}.").format(error=message.rstrip(".")))

    def _judge(self, answer: RightAnswer) -> None:
        moment = self._lesson.steps[self._place].moment if self._lesson is not None else None
        explain = moment.predict.explain if moment is not None and moment.predict is not None else ""
        if answer.right(self._given):
            exact = abs(self._given - answer.value) < 1e-9
            right = tr("✓ Right.") if exact else tr("✓ Right. It is {answer}.")
            self._say(right.format(answer=answer.words))
        else:
            self._say(tr("✗ Not quite: it is {answer}.").format(answer=answer.words))
        self.explained.emit(explain)

    def _say(self, verdict: str) -> None:
        self.verdict.setText(verdict)
        self.verdict.setVisible(bool(verdict))
