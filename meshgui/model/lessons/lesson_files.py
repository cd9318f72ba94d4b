"""Which files are lessons, and what is said of one that cannot be shown; light enough for the first paint."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from meshgui.engine.basics.files import is_plain_file
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.words import legible

LESSON_SUFFIX: Final = ".lesson.md"
IN_FOLDER: Final = "lesson.md"
"""The file of a lesson that is a folder."""


class LessonFault(NamedTuple):
    """What is wrong with a lesson, and where."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{legible(printable(str(self.path)))}:{self.line}: {legible(printable(self.message))}"


class LessonError(Exception):
    """A lesson that cannot be shown; its first fault in one line."""

    def __init__(self, fault: LessonFault) -> None:
        self.fault = fault
        super().__init__(str(fault))


def is_lesson(path: Path) -> bool:
    """Whether a path can only be meant as a lesson: `NAME.lesson.md`, or a folder with `lesson.md`."""
    return path.name.endswith(LESSON_SUFFIX) or path.name == IN_FOLDER or is_plain_file(path / IN_FOLDER)
