"""The students of a course: their names from a file, a set of exercises for each, and whose set it is."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from meshgui.engine.basics.files import InputFileError, os_fault, read_input
from meshgui.engine.basics.translation import tr
from meshgui.model.base.limits import MAX_EXERCISES, MAX_HAND_IN
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.hand_in import SET_SUFFIX, read_set

MOST_STUDENTS: Final = 10_000
_HEADINGS: Final = {"name", "student", "names", "students"}
_NO_FILE_NAME: Final = re.compile(r"[^\w.-]+")


class StudentSet(NamedTuple):
    """The set of one student, as it lies in a folder of sets."""

    path: Path
    asked: tuple[ExerciseKey, ...]

    @property
    def student(self) -> str:
        """The student as the name of the file has it."""
        return self.path.name.removesuffix(SET_SUFFIX)


def read_roster(path: Path) -> tuple[str, ...]:
    """The names in the first column of a file, each once; an InputFileError where there are none."""
    try:
        content = read_input(path, MAX_HAND_IN)
    except OSError as error:
        raise InputFileError(path, os_fault(error)) from None
    if content is None:
        raise InputFileError(path, tr("expected a file of at most {size} MiB").format(size=MAX_HAND_IN >> 20))
    try:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    except (UnicodeDecodeError, csv.Error):
        raise InputFileError(path, tr("expected names in UTF-8, one in each line")) from None
    names = [row[0].strip() for row in rows if row and row[0].strip()]
    names = names[1:] if names and names[0].lower() in _HEADINGS else names
    if not 0 < len(names) <= MOST_STUDENTS:
        raise InputFileError(path, tr("expected 1 to {most} names").format(most=MOST_STUDENTS))
    files = [file_name(name).casefold() for name in names]
    for place, file in enumerate(files):
        if (first := files.index(file)) < place:
            raise InputFileError(
                path,
                tr("expected different names, got {one} and {other}").format(
                    one=names[first], other=names[place]
                ),
            )
    return tuple(names)


def seed_of(first: int, place: int) -> int:
    """The first seed of a student's exercises: those of no other student overlap."""
    return (first + place * MAX_EXERCISES) % 2**63


def file_name(student: str) -> str:
    """A student's name as a file may have it."""
    return _NO_FILE_NAME.sub("-", student).strip("-.")[:80] or "student"


def read_sets(folder: Path) -> dict[tuple[ExerciseKey, ...], StudentSet]:
    """The sets in a folder, by what they ask; an InputFileError for a folder without any."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(SET_SUFFIX))
    except OSError as error:
        raise InputFileError(folder, os_fault(error)) from None
    sets = {found.asked: found for found in _sets_in(paths)}
    if not sets:
        raise InputFileError(folder, tr("expected files NAME{suffix} in it").format(suffix=SET_SUFFIX))
    return sets


def _sets_in(paths: Sequence[Path]) -> Iterator[StudentSet]:
    for path in paths:
        yield StudentSet(path, read_set(path).asked)
