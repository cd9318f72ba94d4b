"""Hints: each question has one, they lead towards the answer, and none of them states it."""

import re

import pytest

from meshgui.engine.runs.simulation import simulate
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_answers import answer_of, answer_scenario
from meshgui.model.lessons.lesson_hints import hints_of
from meshgui.model.lessons.lesson_shelf import shipped_lessons


def hints_in(path):
    """The answer to each question of a lesson, with its hints."""
    lesson = load_lesson(path)
    for place, step in enumerate(lesson.steps):
        if step.asks:
            predict = step.moment.predict
            run = simulate(answer_scenario(lesson, place, predict))
            answer = answer_of(predict, step.moment, run)
            yield predict, answer, hints_of(predict, step.moment, answer, run)


@pytest.mark.parametrize("path", shipped_lessons(), ids=lambda path: path.name[:2])
def test_every_question_has_hints_that_do_not_state_the_answer(path):
    """At most three; of a time the jobs that leave before, of a place the places with room."""
    for predict, answer, hints in hints_in(path):
        assert 2 <= len(hints) <= 3, predict.question
        assert all(hint and "{" not in hint for hint in hints)
        lies = re.search(r"It lies between .* and (.*)\.", " ".join(hints))
        if "percent" in predict.question and lies:
            assert float(lies[1]) <= 100
        if predict.of.endswith("turnaround"):
            assert answer.words not in " ".join(hints)


def test_the_candidates_hold_the_answer():
    """Of the three holes of Best Fit all are named; the step before the last leads to the right one."""
    path = next(path for path in shipped_lessons() if "best-fit" in path.name)
    found = {predict.question: hints for predict, _, hints in hints_in(path)}
    first = found["First Fit scans from the left. At which x does job 4 begin?"]
    assert first[0].startswith("Go through the places in the order of the strategy")
    assert first[1] == "A box of 1×2 is free at x = 0, 1, 2, 4, 5 and 7."
    path = next(path for path in shipped_lessons() if "reading" in path.name)
    guessed = [(answer, hints[1]) for predict, answer, hints in hints_in(path) if predict.classes]
    assert [hint for _, hint in guessed] == [
        "It is not E: 10 and more.",
        "It is not E: 6 and more.",
        "It is not E: 40 and more.",
    ]
    waits = found["At which time does job 6 start?"]
    assert waits[1] == "Since it arrives, jobs leave at 6."  # two of them at once
    assert waits[2] == "It can start once job 5 has left."
