"""Writes docs/questions.md: the questions of the lessons, what answers follow from, and what hides them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from generated import write_page

from meshgui.engine.runs.simulation import simulate
from meshgui.model.lessons.lesson import Lesson, load_lesson
from meshgui.model.lessons.lesson_answers import cut_of
from meshgui.model.lessons.lesson_prediction import ORIGINS
from meshgui.model.lessons.lesson_shelf import shipped_lessons

PAGE: Final = Path(__file__).parent.parent / "docs" / "questions.md"
_HEAD: Final = """# Questions of the lessons

Every question, what its answer follows from, and what would show it before it is given: the run after a \
moment, and panels. `tools/write_questions_page.py` writes this page; a test compares the two.

| lesson | question | follows | the run shows it | panels that show it |
|---|---|---|---|---|
"""


def page() -> str:
    """The page."""
    rows = [row for path in shipped_lessons() for row in rows_of(load_lesson(path))]
    return f"{_HEAD}{''.join(rows)}\n{len(rows)} questions.\n"


def rows_of(lesson: Lesson) -> Iterator[str]:
    """A row for each question of a lesson."""
    number = lesson.path.name.partition("-")[0].lstrip("0")
    for place, step in enumerate(lesson.steps):
        predict = step.moment.predict if step.moment is not None else None
        scenario = lesson.scenario(place)
        if step.moment is None or predict is None or scenario is None:
            continue
        recording = simulate(scenario)
        cut = cut_of(predict, step.moment, recording)
        future = "no" if cut is None else f"after event {cut.position} of {len(recording)}"
        if predict.strategy is not None or predict.fields:
            future = "another run has the answer"
        others = ", ".join(name for name in predict.hidden if name != "future")
        cells = (f"{number}/{place + 1}", predict.asked, ORIGINS[predict.follows_from], future, others or "–")
        yield f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    write_page(PAGE, page())
