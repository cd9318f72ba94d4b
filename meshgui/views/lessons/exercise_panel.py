"""The panel of exercises: what to practise, the question with its form, and what is right about an answer."""

from __future__ import annotations

import secrets
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QSizePolicy, QWidget

from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.exercises.exercise import KINDS, AnswerFormatError, ExerciseError, ExerciseKey, said
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercise_session import ExerciseSession
from meshgui.model.exercises.exercises import suited, title_of
from meshgui.model.fields.names import strategy_name
from meshgui.views.lessons.exercise_forms import AnswerForm, form_of
from meshgui.views.lessons.whole_form import WholeForm
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import (
    as_panel,
    hairline,
    label,
    push_button,
    restyle,
    scroll_area,
    scrolls_alone,
    widget_of,
)
from meshgui.views.widgets.elided_combo import ElidedCombo
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.labels import ElidedLabel, Heading
from meshgui.views.widgets.page_stack import PageStack
from meshgui.views.widgets.row_scroll import RowScroll
from meshgui.views.widgets.soon import soon
from meshgui.views.widgets.tool_button import tool_button

_SEEDS: Final = 10**6
_LEVELS: Final = {
    1: tr("1 · places"),
    2: tr("2 · lists after releases"),
    3: tr("3 · all lists"),
}


class ExercisePanel(PageStack):
    """Shows what can be practised, or the exercise that is asked."""

    key_chosen = Signal(object)  # an ExerciseKey to ask
    next_asked = Signal()
    steps_asked = Signal()
    set_asked = Signal()
    hand_in_asked = Signal()
    again_asked = Signal()
    form_changed = Signal()

    def __init__(self, session: ExerciseSession, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._session, self._themes, self._icons = session, themes, icons
        self._shown: object = None
        self.form: AnswerForm | None = None
        as_panel(self)
        self._sizing = Sizing(themes, self)
        self._choice_page = self._make_choice_page()
        self._question_page = self._make_question_page()
        self.addWidget(self._choice_page)
        self.addWidget(self._question_page)
        follow(self, session.changed, self._show)
        self._show()

    def show_choice(self) -> None:
        """Show what can be practised, and the score so far."""
        self._show_score()
        self.setCurrentWidget(self._choice_page)
        self.kind.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_question(self) -> None:
        """Show the question that is asked."""
        self.setCurrentWidget(self._question_page)

    def say(self, words: str) -> None:
        """Say what is done, or why it cannot be done."""
        self.note.setText(words)
        self.verdict.setText(words)

    @property
    def student(self) -> str:
        """The name for the hand-in."""
        return self.name.text().strip()[:200]

    # Building

    def _make_choice_page(self) -> QWidget:
        self.kind, self.strategy = ElidedCombo(), ElidedCombo()
        for combo in (self.kind, self.strategy):
            combo.currentTextChanged.connect(combo.setToolTip)  # all of a text that has no room
        for kind in KINDS:
            self.kind.addItem(title_of(kind), kind)
        self.kind.currentIndexChanged.connect(self._follow_kind)
        self.level = ElidedCombo()
        for level, words in _LEVELS.items():
            self.level.addItem(words, level)
        self.shape, self.seed, self.name = QLineEdit(), QLineEdit(), QLineEdit()
        self.shape.setPlaceholderText(tr("A small one, or for example 8×8"))
        self.seed.setPlaceholderText(tr("A new one each time, or a number"))
        self.name.setPlaceholderText(tr("Shown in the hand-in"))
        rows: list[QWidget] = []
        for words, field in (
            (tr("Question"), self.kind),
            (tr("Strategy"), self.strategy),
            (tr("Level"), self.level),
            (tr("Mesh"), self.shape),
            (tr("Seed"), self.seed),
        ):
            rows.append(self._row(words, field))
        self._level_row = rows[2]
        self._follow_kind()
        self.begin_button = push_button(
            tr("Ask"), tr("Draw an exercise and ask it"), self.begin, primary=True
        )
        for entry in (self.shape, self.seed):
            entry.returnPressed.connect(self.begin_button.click)
        self.set_button = push_button(
            tr("Open a set…"), tr("Answer the exercises of a course"), self.set_asked
        )
        self.note = label(wrap=True)
        self.score = label(kind="muted", wrap=True)
        hint = tr("Write a file with what was asked and answered")
        self.hand_in_button = push_button(tr("Write the hand-in…"), hint, self.hand_in_asked)
        again = tr("Ask the exercises again whose last answer was not right")
        self.again_button = push_button(tr("Again what went wrong"), again, self.again_asked)
        buttons = self._sizing.row(self.begin_button, self.set_button, 1, spacing=8)
        ends = self._sizing.row(self.hand_in_button, 1)
        body = self._sizing.column(
            *rows,
            buttons,
            self.note,
            hairline(),
            self.score,
            self._sizing.row(self.again_button, 1),
            self._row(tr("Your name"), self.name),
            ends,
            1,
            margins=(12, 8, 12, 8),
            spacing=8,
        )
        heading = Heading(tr("Exercises"), self._themes)
        return widget_of(self._sizing.column(heading, (scrolls_alone(RowScroll(widget_of(body))), 1)))

    def _follow_kind(self) -> None:
        """Offer the strategies of which the question can be asked; levels where there are some."""
        kind = str(self.kind.currentData())
        before = self.strategy.currentData() or "ff"  # untranslated: an id
        self.strategy.clear()
        for name in suited(kind):
            self.strategy.addItem(strategy_name(name), name)
        self.strategy.setCurrentIndex(max(self.strategy.findData(before), 0))
        self._level_row.setVisible(kind == "whole")

    def _row(self, words: str, field: QWidget) -> QWidget:
        name = label(words)
        name.setBuddy(field)
        field.setAccessibleName(words)
        field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._sizing.call(name.setFixedWidth, 76)
        return widget_of(self._sizing.row(name, (field, 1), spacing=8))

    def _make_question_page(self) -> QWidget:
        again = tr("Choose other exercises (Shift+X)")
        self.list_button = tool_button(self._icons, "list", again, self.show_choice)
        self.title = label(kind="muted", wrap=True)
        self.progress = ElidedLabel(self._themes, "caption", "muted")
        self.question = label(wrap=True)
        self.verdict = label(kind="lead", wrap=True)
        self.explanation = label(kind="muted", wrap=True)
        self._place = self._sizing.column(spacing=0)
        body = self._sizing.column(
            self.question,
            self._place,
            self.verdict,
            self.explanation,
            1,
            margins=(12, 4, 12, 8),
            spacing=10,
        )
        self.check_button = push_button(
            tr("Check"), tr("Compare your answer with the engine's"), self.check, primary=True
        )
        self.give_up_button = push_button(
            tr("Give up"), tr("Show the answer; the exercise counts as not solved"), self.give_up
        )
        steps = tr("Go to the first step of the search that answers the question")
        self.steps_button = push_button(tr("Show the steps"), steps, self.steps_asked)
        self.steps_button.hide()  # until there is an answer: beside the other buttons it has no room
        self.next_button = push_button(tr("Next"), tr("Ask another one (Ctrl+Shift+X)"), self.next_asked)
        head = self._sizing.row(
            self.list_button, (self.title, 1), self.progress, margins=(8, 6, 12, 4), spacing=8
        )
        foot = self._sizing.row(
            *(self.check_button, self.give_up_button, self.steps_button),
            1,
            self.next_button,
            margins=(12, 8, 12, 8),
            spacing=8,
        )
        self._middle = scrolls_alone(scroll_area(widget_of(body)))
        return widget_of(self._sizing.column(head, (self._middle, 1), hairline(), foot))

    # Asking and answering

    def begin(self) -> None:
        """Ask what was chosen."""
        name = str(self.strategy.currentData())
        sides = [
            int(part.strip()[:9])
            for part in self.shape.text().replace("×", "x").split("x")
            if part.strip().isdecimal()
        ]
        seed = self.seed.text().strip()
        try:
            shape = tuple(sides) or usual_shape(name)
            data = {
                "kind": self.kind.currentData(),
                "strategy": name,
                "shape": shape,
                "seed": int(seed[:18]) if seed.isdecimal() else secrets.randbelow(_SEEDS),
            }
            if data["kind"] == "whole":
                data["level"] = self.level.currentData()
            key = ExerciseKey.model_validate(data)
        except ExerciseError as error:
            self.say(f"{error}.")
            return
        except ValueError:
            self.say(tr("Type a mesh, for example 8×8 or 4×4×4, with at most 4096 processors."))
            return
        self._session.set = None
        self.key_chosen.emit(key)

    def check(self) -> None:
        """Judge the answer in the form."""
        if self.form is None or not self._session.open:
            return
        if not self.form.advance():
            return
        value = self.form.value()
        if value is None:
            self.verdict.setText(tr("Give an answer first."))
            return
        try:
            self._answer(value)
        except AnswerFormatError as error:
            self.verdict.setText(said(tr("This is not an answer yet: {fault}."), fault=error))

    def give_up(self) -> None:
        """Show the answer to the question that is open."""
        if self._session.open:
            self._answer(None if self.form is None else self.form.partial())

    def _answer(self, answer: object) -> None:
        """Have an answer judged; the keys go on to what takes them then, if form or buttons had them."""
        focused = QApplication.focusWidget()
        had_keys = focused is not None and self.isAncestorOf(focused)
        self._session.answer(answer)
        if had_keys:
            onward = self.next_button if self.next_button.isEnabled() else self.list_button
            onward.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show(self) -> None:
        exercise, judgement = self._session.exercise, self._session.judgement
        if exercise is None:
            self.show_choice()
            return
        if exercise is not self._shown:
            self._shown = exercise
            self.note.clear()
            self._show_question()
        self.check_button.setVisible(judgement is None)
        self.give_up_button.setVisible(judgement is None)
        self.steps_button.setVisible(judgement is not None and exercise.attempt is not None)
        restyle(self.next_button, "primary", judgement is not None)
        self.next_button.setEnabled(judgement is not None and self._session.next_key() is not None)
        if self.form is not None:
            self.form.setEnabled(judgement is None)
            self.form.setVisible(judgement is None or self._session.work is None)  # its verdict says it all
        self.verdict.setText("")
        self.explanation.setText("")
        if judgement is not None:
            sign = "✓" if judgement.right else "◐" if judgement.score else "✗"
            self.verdict.setText(f"{sign} {judgement.words}")
            self.explanation.setText(exercise.explanation)
            soon(self, self._show_verdict)
        self._show_score()

    def _show_verdict(self) -> None:
        """Scroll to what is said about the answer, once it is laid out."""
        self._middle.ensureWidgetVisible(self.explanation)
        self._middle.ensureWidgetVisible(self.verdict)

    def _show_question(self) -> None:
        exercise = self._session.exercise
        if exercise is None:
            return
        levels = exercise.kind == "whole"
        self.title.setText(
            said(
                tr("{strategy}, {mesh}, seed {seed}, level {level}")
                if levels
                else tr("{strategy}, {mesh}, seed {seed}"),
                strategy=exercise.recording.strategy.title,
                mesh=Mesh(exercise.key.shape).describe(),
                seed=exercise.key.seed,
                level=exercise.key.level,
            )
        )
        chosen = self._session.set
        at = (
            said(tr("{place} of {all}"), place=self._session.place + 1, all=len(chosen.asked))
            if chosen
            else ""
        )
        self.progress.setText(at)
        self.question.setText(exercise.question)
        if self.form is not None:
            self._place.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
        work = self._session.work
        self.form = (
            form_of(exercise.form, self._themes, self._icons)
            if work is None
            else WholeForm(work, self._themes)
        )
        before: QWidget = self.list_button
        self.form.changed.connect(self.form_changed)
        self.form.given.connect(self.check)
        self._place.addWidget(self.form)
        for stop in self.form.stops:  # it is made later than the buttons below it, and comes before them
            QWidget.setTabOrder(before, stop)
            before = stop
        QWidget.setTabOrder(before, self.check_button)
        self.show_question()
        soon(self, lambda: self._middle.verticalScrollBar().setValue(0))

    def _show_score(self) -> None:
        firsts = self._session.log.firsts()
        words = tr("Answered so far: {count}. Points for first answers: {score} of {count}.")
        self.score.setText(said(words, count=len(firsts), score=formatted(self._session.log.score, "g")))
        self.hand_in_button.setEnabled(bool(firsts) or self._session.set is not None)
        self.again_button.setEnabled(bool(self._session.wrong_ones()))
