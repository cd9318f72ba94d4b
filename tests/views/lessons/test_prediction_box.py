"""The question of a step: asked where there is one, and judged by a run of its own."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from meshgui.model.lessons.course import StepAnswer
from meshgui.model.lessons.lesson import Lesson, parse_lesson
from meshgui.views.lessons.prediction_box import PredictionBox
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.work_thread import WorkThread

MEAN = {"question": "How long?", "of": "utilization", "within": 10, "explain": "So it is."}


def lesson(*predictions: object) -> Lesson:
    """A lesson with a question in each step, None for none."""
    steps = [
        f"## S\n\n```moment\n{json.dumps({'scenario': 'three-jobs-4x4x4', 'predict': each})}\n```\n"
        for each in predictions
    ]
    made, faults = parse_lesson("# T\n\n" + "".join(steps), Path("t.lesson.md"))
    assert faults == []
    return made


@pytest.fixture
def box(qtbot: QtBot, themes: ThemeManager) -> Iterator[PredictionBox]:
    """A box that is shown; what it computes is ended."""
    box = PredictionBox(themes)
    qtbot.addWidget(box)
    yield box
    box.end()
    WorkThread.end_all()


def test_an_answer_that_is_near_enough_is_right_and_hears_the_number(box: PredictionBox, qtbot: QtBot):
    """The run is made once, and the explanation follows."""
    box.show_step(lesson(MEAN), 0)
    assert box.question.text() == "How long? (An answer counts as right within ±\N{NO-BREAK SPACE}10.)"
    box.field.setText("40")
    with qtbot.waitSignal(box.explained) as explained:
        box.check()
    assert explained.args == ["So it is."]
    assert box.verdict.text() == "✓ Right. It is 44.53 %."
    assert box.field.isReadOnly()
    box.show_step(lesson(MEAN), 0)
    box.field.setText("90 %")
    with qtbot.waitSignal(box.answered) as answered:
        box.check()
    assert answered.args == [StepAnswer("90 %", right=False)]  # a guess is made once
    assert box.verdict.text() == "✗ Not quite: it is 44.53 %."


def test_a_foreseen_wrong_answer_is_answered_by_what_led_to_it(box: PredictionBox, qtbot: QtBot):
    """Their runs are made with that of the answer; a class is typed as its letter."""
    rivals = [{"of": "16/2", "says": "A half."}, {"of": "4*4*4", "says": "All of them."}]
    box.show_step(lesson({"question": "How many?", "of": "job 0 processors", "rivals": rivals}), 0)
    box.field.setText("64")
    with qtbot.waitSignal(box.answered) as answered:
        box.check()
    assert answered.args == [StepAnswer("64", right=False, closed=False)]
    assert box.verdict.text() == "✗ Not quite. All of them. Try again, or take a hint."
    rival = {"of": "job 1 box 0 x", "strategy": "bf"}
    box.show_step(lesson({"question": "Where?", "of": "job 1 box 0 z", "rivals": [rival]}), 0)
    box.field.setText("2")
    with qtbot.waitSignal(box.answered):
        box.check()
    assert "That is where Best Fit would place it." in box.verdict.text()
    box.show_step(lesson({"question": "How many?", "of": "job 0 processors", "classes": [20, 40]}), 0)
    box.field.setText("many")
    box.check()
    assert box.verdict.text() == "Type a letter, for example A."
    box.field.setText("b")
    with qtbot.waitSignal(box.explained):
        box.check()
    assert box.verdict.text() == "✓ Right. It is 32 processors."


def test_hints_come_one_after_the_other_before_any_answer(box: PredictionBox, qtbot: QtBot):
    """The run that gives them is made once, and then judges the answer, too."""
    box.show_step(lesson({"question": "?", "of": "job 1 start", "hints": ["The rule.", "The step."]}), 0)
    for shown in ("The rule.", "The rule.\nThe step."):
        box.hint_button.click()
        qtbot.waitUntil(lambda shown=shown: box.hint.text() == shown)
        assert box.verdict.text() == ""
    assert box.hint_button.text() == "Show the answer"
    with qtbot.waitSignal(box.answered) as answered:
        box.hint_button.click()
    assert box.verdict.text() == "It is 1."
    assert answered.args == [StepAnswer("", right=False)]
    assert box.hint_button.isHidden()


def test_a_step_without_a_question_has_no_box(box: PredictionBox):
    """And another step ends what was computed for the one before."""
    box.show_step(lesson(MEAN, None), 0)
    box.show()
    box.field.setText("1")
    box.check()
    box.show_step(lesson(MEAN, None), 1)
    assert not box.isVisible()
    assert box.verdict.text() == ""


@pytest.mark.parametrize("of", ["moon", "latency"])
def test_a_question_without_an_answer_says_so(box: PredictionBox, qtbot: QtBot, of: str):
    """The check of lessons finds it before."""
    for change, said in (
        ({"of": of}, "There is no answer: "),
        ({"strategy": "moon"}, "no strategy is called"),
    ):
        box.show_step(lesson(MEAN | change), 0)
        box.field.setText("1")
        box.check()
        qtbot.waitUntil(lambda said=said: said in box.verdict.text())
