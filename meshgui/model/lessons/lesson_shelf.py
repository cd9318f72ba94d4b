"""Finds lessons: those that come with the program, the user's own, and those of installed packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from meshgui.engine.basics.sentences import listed
from meshgui.engine.basics.translation import tr
from meshgui.itself import resource
from meshgui.model.lessons.course import LessonProgress, key_of
from meshgui.model.lessons.lesson_files import IN_FOLDER, LESSON_SUFFIX, LessonError

LESSONS_GROUP: Final = "meshgui.lessons"
"""Entry points of this group name packages with lessons in their folders."""
OWN_LESSONS: Final = "lessons"
"""The user's folder of lessons, beside the settings."""


class ShelvedLesson(NamedTuple):
    """A lesson to choose, or why it cannot be shown."""

    path: Path
    title: str
    minutes: int | None = None
    source: str = ""
    fault: str = ""
    steps: int = 0
    questions: int = 0
    needs: tuple[str, ...] = ()
    exercises: str = ""


def shipped_lessons() -> list[Path]:
    """The files of the lessons that come with the program, in the order of a course."""
    return list(_in_folder(resource("lessons")))


def found_lessons(own: Path | None = None) -> list[ShelvedLesson]:
    """All lessons: those that come with the program, those in the user's folder, those of packages."""
    paths = [*shipped_lessons(), *(_in_folder(own) if own is not None else ()), *_in_packages()]
    return [shelved(path) for path in paths]


def progress_words(lesson: ShelvedLesson, progress: LessonProgress) -> str:
    """How far a student has come in a lesson, in a few words; empty where it was never gone through."""
    if not progress.last and not progress.answers:
        return ""
    if progress.last + 1 >= lesson.steps and progress.right >= lesson.questions:
        return "✓"
    words = tr("{right} of {asked}").format(right=progress.right, asked=lesson.questions)
    if progress.last + 1 >= lesson.steps:
        return f"✓ {words}"
    return tr("{right}, continue at step {step}").format(right=words, step=progress.place + 1)


def needs_words(lesson: ShelvedLesson, lessons: Sequence[ShelvedLesson]) -> str:
    """The lessons to go through before, by their numbers; empty where there are none."""
    numbers = {key_of(each.path): number for number, each in enumerate(lessons, 1)}
    needs = [f"{numbers[name]}" for name in lesson.needs if name in numbers]
    return tr("after {lessons}").format(lessons=listed(needs)) if needs else ""


def after(path: Path) -> Path | None:
    """The lesson that follows in the course; None for one that is not part of it, or is its last."""
    course = shipped_lessons()
    place = course.index(path) + 1 if path in course else len(course)
    return course[place] if place < len(course) else None


def _in_folder(folder: Path) -> Iterator[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:  # there is none, or it cannot be read
        return
    for path in inside:
        if path.name.endswith(LESSON_SUFFIX) or (path / IN_FOLDER).is_file():
            yield path


def _in_packages() -> Iterator[Path]:
    points = sorted(entry_points(group=LESSONS_GROUP), key=lambda point: (point.name, point.value))
    for point in points:
        try:
            spec = find_spec(point.value)
        except (ImportError, ValueError):  # it is gone, or it is no package
            continue
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from _in_folder(Path(folder))


def shelved(path: Path) -> ShelvedLesson:
    """A lesson to choose, or why it cannot be shown."""
    from meshgui.model.lessons.lesson import load_lesson  # noqa: PLC0415 - not needed for the first paint

    try:
        lesson = load_lesson(path)
    except LessonError as error:
        return ShelvedLesson(path, path.name, fault=str(error))
    questions = sum(step.asks for step in lesson.steps)
    return ShelvedLesson(
        path,
        lesson.title,
        lesson.minutes,
        lesson.source,
        steps=len(lesson.steps),
        questions=questions,
        needs=lesson.needs,
        exercises=lesson.exercises,
    )
