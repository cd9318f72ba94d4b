"""What the questions of the lessons show and hide: no answer is in sight."""

import numpy as np
import pytest

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import NEVER
from meshgui.engine.runs.simulation import simulate
from meshgui.model.exercises.exercise_cut import cut_off
from meshgui.model.lessons.lesson import load_lesson
from meshgui.model.lessons.lesson_answers import cut_of
from meshgui.model.lessons.lesson_prediction import ORIGINS
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from tests.tools import tool

questions = tool("write_questions_page")


def asked_in(path):
    """The steps of a lesson that ask, with their moments and questions."""
    lesson = load_lesson(path)
    for place, step in enumerate(lesson.steps):
        if step.moment is not None and step.moment.predict is not None:
            yield lesson.scenario(place), step.moment, step.moment.predict


def test_the_page_of_questions_is_that_of_the_lessons():
    """`tools/write_questions_page.py` writes it."""
    assert questions.PAGE.read_text(encoding="utf-8") == questions.page()


@pytest.mark.parametrize("path", shipped_lessons(), ids=lambda path: path.name[:2])
def test_the_run_that_is_shown_ends_before_what_is_asked_about(path):
    """A job that is asked about has not been tried, or not since it was hit; a run with a mean continues."""
    for scenario, moment, predict in asked_in(path):
        run = simulate(scenario)
        cut = cut_of(predict, moment, run)
        shown = run if cut is None else cut_off(run, *cut)
        if cut is None:
            assert predict.of.startswith("now ") or predict.fields or predict.strategy
        elif predict.of.startswith("job "):
            job = int(predict.of.split()[1])
            hits = np.flatnonzero((run.kinds == EventKind.KILL) & (run.event_jobs == job))
            assert run.started[job] >= len(shown)  # the latest start, of a job that was hit
            assert all(attempt.job != job or (hits > attempt.position).any() for attempt in shown.attempts)
            assert shown.started[job] == NEVER or len(hits)
        elif predict.of.startswith("packet "):
            assert len(shown) < len(run)
        else:
            assert not shown.complete


def test_a_guess_says_how_near_it_has_to_be():
    """What cannot be computed is asked for in classes, or with a tolerance that the question states."""
    for path in shipped_lessons():
        for _, _, predict in asked_in(path):
            guess = predict.follows_from == "estimate"
            assert predict.origin or guess == bool(predict.classes or predict.within), predict.question
            assert not guess or predict.asked != predict.question
            assert predict.follows_from in ORIGINS
