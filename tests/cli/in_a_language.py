"""Goes through every lesson and example, forwards and back, and answers exercises, in a language.

A process of its own, started by test_language: the language is chosen when the program is imported, from the
environment.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from meshgui.engine.allocation.registry import strategies
from meshgui.engine.runs.simulation import simulate
from meshgui.engine.scenario import load_scenario
from meshgui.model.document.document import Document
from meshgui.model.document.examples import examples, outline
from meshgui.model.exercises.exercise import KINDS, ExerciseError, ExerciseKey
from meshgui.model.exercises.exercise_runs import usual_shape
from meshgui.model.exercises.exercises import exercise
from meshgui.model.lessons.lesson import Lesson
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_shelf import shipped_lessons
from meshgui.model.moment.position import Position
from meshgui.model.stepping.bookmarks import instant_from, settled
from meshgui.model.stepping.cursor import Cursor

PLACES = 12  # of each run
STRATEGIES = ("tbl", "gabl", "mbs", "ta")


def shown(cursor: Cursor) -> list[str]:
    """The sentence, and the inspectors' titles."""
    return [cursor.view.sentence, *(panel.title for panel in cursor.view.inspection.panels)]


def there_and_back(show: Callable[[int], list[str]], places: Sequence[int]) -> int:
    """Show places from the first to the last and back; how many sentences there were."""
    on = {place: show(place) for place in places}
    assert on == {place: show(place) for place in reversed(places)}
    return sum(map(len, on.values()))


def through_lesson(lesson: Lesson) -> int:
    """Show each of its steps."""
    cursors: dict[str, Cursor] = {}

    def show(place: int) -> list[str]:
        scenario, moment = lesson.scenario(place), lesson.moment(place)
        key = scenario.model_dump_json()
        if key not in cursors:
            cursors[key] = Cursor()
            cursors[key].show(simulate(scenario))
        cursor = cursors[key]
        cursor.go_to_instant(settled(instant_from(moment.view()), cursor.recording))
        return [lesson.steps[place].title, *shown(cursor)]

    return there_and_back(show, range(len(lesson.steps)))


def through_example(path: Path) -> int:
    """Show some of its events, and the steps that follow each."""
    document, cursor, recording = Document(), Cursor(), simulate(load_scenario(path))
    document.open(path, as_example=True)
    assert document.title == outline(path).title, path  # the same on the welcome page and once opened
    cursor.show(recording)

    def show(place: int) -> list[str]:
        cursor.go_to(Position(place))
        said = []
        for _ in range(3):
            cursor.next_step()
            said += shown(cursor)
        return said

    return there_and_back(show, [*range(0, len(recording), max(len(recording) // PLACES, 1)), len(recording)])


def main() -> None:
    """Print how many sentences there were."""
    count, refusals = 0, []
    for path in shipped_lessons():
        lesson, faults = check_lesson(path)
        assert faults == [], faults
        count += through_lesson(lesson)
    count += sum(map(through_example, examples()))
    for seed, strategy in enumerate(STRATEGIES):
        for kind in KINDS:
            key = ExerciseKey(kind=kind, strategy=strategy, shape=usual_shape(strategy), seed=seed)
            try:
                asked = exercise(key)
            except ExerciseError as error:  # a strategy has not every kind, and says so
                refusals.append((strategies()[strategy].title, str(error)))
                continue
            judged, given_up = asked.judge(asked.right), asked.verdict(None)
            assert judged.right, key
            assert asked.solution in given_up.words, key
            count += len([asked.question, judged.words, asked.explanation])
    assert all(title in said for title, said in refusals)
    sys.stdout.write(f"{count}\n")


if __name__ == "__main__":
    main()
