"""A lesson reopens where it was left, with its answers; what was right is said at its end."""

import json

import pytest

from meshgui.model.lessons.course import Course, LessonProgress, StepAnswer, key_of
from meshgui.model.lessons.lesson_files import LessonError
from meshgui.model.lessons.lesson_session import LessonSession
from meshgui.model.lessons.lesson_shelf import (
    ShelvedLesson,
    needs_words,
    progress_words,
    shelved,
    shipped_lessons,
)
from meshgui.model.lessons.practice import Practice

PREDICT = '"predict": {"question": "?", "of": "now free"}'
ASKS = f'\n```moment\n{{"scenario": "three-jobs-4x4x4", "time": 2, {PREDICT}}}\n```\n'


@pytest.fixture
def path(tmp_path):
    """A lesson of four steps, of which the first two ask."""
    path = tmp_path / "07-own.lesson.md"
    path.write_text(f"# Own\n\n## One\n{ASKS}\n## Two\n{ASKS}\n## Three\n\n## Four\n", encoding="utf-8")
    return path


@pytest.fixture
def session(tmp_path):
    """Opens lessons of a student."""
    return LessonSession(Course(tmp_path / "settings"))


def again(session, tmp_path):
    """The program after a restart."""
    del session
    return LessonSession(Course(tmp_path / "settings"))


def test_a_lesson_reopens_where_it_was_left_with_its_answers(session, path, tmp_path):
    """Also in another window, and under another number; Back keeps what was answered."""
    session.open(path)
    assert (session.place, session.given, session.summary) == (0, None, "")
    session.answer(StepAnswer("26", right=True))
    session.next()
    session.answer(StepAnswer("3", right=False))
    session.back()
    assert session.given.text == "26"
    session.next()
    session.next()
    session = again(session, tmp_path)
    renamed = path.rename(tmp_path / "12-own.lesson.md")
    session.open(renamed)
    assert session.place == 2
    session.back()
    assert session.given.text == "3"
    assert session.summary == "1 of 2 questions right. Look again at step 2 (Two)."
    session.answer(StepAnswer("26", right=True))
    assert session.summary == "2 of 2 questions right."


def test_a_lesson_that_was_read_to_its_end_begins_again_and_keeps_its_answers(session, path):
    """One that cannot be read changes nothing."""
    session.open(path)
    session.answer(StepAnswer("26", right=True))
    for _ in range(5):
        session.next()
    assert session.place == 3
    session.open(path)
    assert (session.place, session.given.text, session.progress.last) == (0, "26", 3)
    with pytest.raises(LessonError):
        session.open(path.parent / "none.lesson.md")
    assert session.lesson.title == "Own"


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (LessonProgress(), ""),
        (LessonProgress(1, 1, {0: StepAnswer("26", right=True)}), "1 of 2, continue at step 2"),
        (LessonProgress(0, 3, {0: StepAnswer("26", right=True)}), "✓ 1 of 2"),
        (LessonProgress(0, 3, {place: StepAnswer("26", right=True) for place in (0, 1)}), "✓"),
    ],
)
def test_the_list_says_how_far_a_student_has_come(path, progress, words):
    """Nothing of a lesson that was never gone through; a tick for one that was read to its end."""
    assert progress_words(ShelvedLesson(path, "Own", steps=4, questions=2), progress) == words


def test_two_windows_keep_the_progress_of_both_and_damage_costs_what_is_damaged(tmp_path, path):
    """What is no progress is left out, and so is a path that is not a file."""
    one, other = Course(tmp_path), Course(tmp_path)
    one.keep(path, LessonProgress(1, 1))
    other.keep(tmp_path / "b" / "lesson.md", LessonProgress(2, 2))
    assert key_of(tmp_path / "b" / "lesson.md") == "b"
    kept = Course(tmp_path)
    assert kept.progress(path).place == 1
    assert kept.progress(tmp_path / "b" / "lesson.md").place == 2
    file = tmp_path / "lessons.json"
    data = json.loads(file.read_text())
    data["lessons"]["own"] = {
        "place": 1,
        "last": 1,
        "answers": {"x": ["1", True], "0": ["26", True], "1": 3, "2": ["7", False, False]},
    }
    data["lessons"]["b"]["place"] = True
    file.write_text(json.dumps(data))
    kept = Course(tmp_path)
    assert kept.progress(path).answers == {
        0: StepAnswer("26", right=True),
        2: StepAnswer("7", right=False, closed=False),
    }
    assert [kept.progress(path).waits(place) for place in range(3)] == [False, True, True]
    assert kept.progress(tmp_path / "b" / "lesson.md") == LessonProgress()
    file.write_text("{")
    assert Course(tmp_path).progress(path) == LessonProgress()


def test_a_place_that_cannot_be_kept_is_said_and_stays(tmp_path, path):
    """For as long as the program runs."""
    (tmp_path / "settings").write_text("in the way")
    course, said = Course(tmp_path / "settings"), []
    course.unkept.connect(said.append)
    course.keep(path, LessonProgress(1, 1))
    assert course.progress(path).place == 1
    assert said[0].startswith("Your place in the lesson cannot be kept: ")


def test_the_last_step_leads_to_the_next_lesson_of_the_course(session, path):
    """Not of a lesson of one's own, and not from the last one."""
    first, second, *_, last = shipped_lessons()
    session.open(first)
    for _ in range(session.last):
        session.next()
    assert session.following == second
    session.next()
    assert (session.lesson.path, session.place) == (second, 0)
    for end in (last, path):
        session.open(end)
        for _ in range(session.last + 1):
            session.next()
        assert (session.lesson.path, session.place, session.following) == (end, session.last, None)


def test_each_lesson_says_what_it_needs_and_has_exercises_that_are_kept(tmp_path):
    """What it needs comes before it; its exercises are the same on every machine, and counted."""
    lessons = [shelved(path) for path in shipped_lessons()]
    names = [key_of(lesson.path) for lesson in lessons]
    for number, lesson in enumerate(lessons):
        assert lesson.exercises, lesson.path
        assert {*lesson.needs} <= {*names[:number]}
    assert needs_words(lessons[0], lessons) == ""
    assert needs_words(lessons[9], lessons) == "after 8 and 9"
    practice, lesson = Practice(tmp_path), lessons[2]
    assert practice.words(lesson, ()) == "Exercises"
    drawn = practice.drawn(lesson)
    assert len(drawn.asked) == 6
    assert {key.strategy for key in drawn.asked} == {"ff", "tff"}
    assert Practice(tmp_path).kept(lesson) == Practice(tmp_path / "other").drawn(lesson) == drawn
    assert practice.words(lesson, drawn.asked[:2]) == "Exercises · 2 of 6"
    assert practice.words(lesson, drawn.asked) == "Exercises · ✓"
