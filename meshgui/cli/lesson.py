"""`meshgui lesson`: check lessons by running every step, list those that come along, print their schema."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.faults import UsageError
from meshgui.engine.basics.translation import settings_folder, tr
from meshgui.engine.basics.words import count_of
from meshgui.model.exercises.hand_in import SET_SUFFIX
from meshgui.model.lessons.course import Course, key_of
from meshgui.model.lessons.lesson_check import check_lesson
from meshgui.model.lessons.lesson_moment import lesson_schema
from meshgui.model.lessons.lesson_shelf import (
    OWN_LESSONS,
    found_lessons,
    needs_words,
    progress_words,
    shelved,
    shipped_lessons,
)


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument(
        "action", metavar="check|list|course|schema", type=one_of("check", "list", "course", "schema")
    )
    parser.add_argument(
        "files", metavar="FILE", type=Path, nargs="*", help=tr("a lesson, NAME.lesson.md, or its folder")
    )


def execute(options: Namespace) -> int:
    """Do it."""
    if (options.action == "check") != bool(options.files):
        wanted = (
            tr("a FILE to check")
            if options.action == "check"
            else tr("no FILE with {action}").format(action=options.action)
        )
        raise UsageError(tr("meshgui lesson: expected {wanted}").format(wanted=wanted))
    if options.action == "schema":
        output.write_json(lesson_schema(), indent=2)
    elif options.action == "list":
        for lesson in found_lessons(settings_folder() / OWN_LESSONS):
            output.write(f"{lesson.path}: {lesson.fault or lesson.title}")
    elif options.action == "course":
        output.write("\n".join(_course()))
    return max(map(_check, options.files), default=0)


def _course() -> Iterator[str]:
    """The lessons that come with the program, with what each needs, how far one is, and what to practise."""
    course = Course(settings_folder())
    lessons = [shelved(path) for path in shipped_lessons()]
    for number, lesson in enumerate(lessons, 1):
        words = tr("{number}. {title} · {minutes} min").format(
            number=number, title=lesson.title, minutes=lesson.minutes
        )
        said = words, needs_words(lesson, lessons), progress_words(lesson, course.progress(lesson.path))
        yield " · ".join(filter(None, said))
        if lesson.exercises:
            names, _, kinds = lesson.exercises.partition(" ")
            file = f"{key_of(lesson.path)}{SET_SUFFIX}"
            options = f"--strategy {names} --kind {kinds}"  # untranslated: as it is typed
            yield f"   meshgui exercise set {file} {options}"  # untranslated: as it is typed


def _check(path: Path) -> int:
    """Print the faults of a lesson, a line each."""
    lesson, faults = check_lesson(path)
    if not faults and lesson is not None:
        output.write(tr("{path}: ok, {steps}").format(path=path, steps=count_of(len(lesson.steps), "step")))
        return 0
    output.flush()  # so that the lines of both outputs come in order
    for fault in faults:
        output.complain(tr("meshgui: {fault}").format(fault=fault))
    return 2
