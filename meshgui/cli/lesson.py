"""`meshgui lesson`: check lessons by running every step, list those that come along, print their schema."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser, one_of
from meshgui.cli.faults import UsageError
from meshgui.engine.basics.words import so_many
from meshgui.model.lesson import lesson_schema
from meshgui.model.lesson_check import check_lesson
from meshgui.model.lesson_shelf import found_lessons

__all__ = ["declare", "execute"]


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("action", metavar="check|list|schema", type=one_of("check", "list", "schema"))
    parser.add_argument(
        "files", metavar="FILE", type=Path, nargs="*", help="a lesson, NAME.lesson.md, or its folder"
    )


def execute(options: Namespace) -> int:
    """Do it."""
    if (options.action == "check") != bool(options.files):
        wanted = "a FILE to check" if options.action == "check" else f"no FILE beside {options.action}"
        raise UsageError(f"meshgui lesson: expected {wanted}")
    if options.action == "schema":
        output.write_json(lesson_schema(), indent=2)
    elif options.action == "list":
        for lesson in found_lessons():
            output.write(f"{lesson.path}: {lesson.fault or lesson.title}")
    return max(map(_check, options.files), default=0)


def _check(path: Path) -> int:
    """Print the faults of a lesson, a line each."""
    lesson, faults = check_lesson(path)
    if not faults and lesson is not None:
        output.write(f"{path}: ok, {so_many(len(lesson.steps), 'step')}")
        return 0
    output.flush()  # so that the lines of both outputs come in order
    for fault in faults:
        output.complain(f"meshgui: {fault}")
    return 2
