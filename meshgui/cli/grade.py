"""`meshgui grade`: ask the exercises of hand-ins again, and print a line, or a row of CSV, for each."""

from __future__ import annotations

import csv
import io
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.basics.files import InputFileError, os_fault, whole_file
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.model.exercises.exercise import ExerciseKey
from meshgui.model.exercises.hand_in import (
    HAND_IN_SUFFIX,
    ExerciseSet,
    Grade,
    grade_hand_in,
    read_set,
    student_in,
)
from meshgui.model.exercises.hand_in_remarks import moment_in, remarks_on
from meshgui.model.exercises.roster import StudentSet, file_name, read_sets

_HERE = "-"
Sets = dict[tuple[ExerciseKey, ...], StudentSet]
_COLUMNS = ("file", "student", "title", "asked", "answered", "score", "hash", "scores", "remark")


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.epilog = tr(
        "Anyone who runs this program can have the answers: the score says what was handed in, not how it "
        "was found. What helps: a set with seeds of its own for each student (exercise set --roster), kept "
        "by the teacher and shown once, in the room; and questions asked orally, which exercise solutions "
        "draws from the same seeds."
    )
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help=tr("a hand-in"))
    sets = parser.add_mutually_exclusive_group()
    sets.add_argument("--set", metavar="FILE", type=Path, help=tr("the set that was assigned"))
    sets.add_argument(
        "--sets",
        metavar="DIR",
        type=Path,
        help=tr("a folder with a set for each student, as exercise set --roster writes it"),
    )
    parser.add_argument(
        "--due",
        metavar="TIME",
        help=tr("remark on later answers: a day, 2026-11-30, or a time, 2026-11-30T18:00+01:00"),
    )
    parser.add_argument(
        "--csv",
        metavar="OUT.csv",
        nargs="?",
        const=_HERE,
        help=tr("write a header and one row per file to OUT.csv, or print them"),
    )


def execute(options: Namespace) -> int:
    """Do it."""
    try:
        wanted = read_set(options.set) if options.set is not None else None
        sets = read_sets(options.sets) if options.sets is not None else None
    except InputFileError as error:
        raise UsageError(tr("meshgui grade: {error}").format(error=error)) from None
    out = options.csv
    if out not in {None, _HERE} and not out.lower().endswith(".csv"):
        raise UsageError(
            tr("meshgui grade: --csv: expected OUT.csv or no value, got {out}").format(out=legible(out))
        )
    due = None if options.due is None else moment_in(options.due)
    if due is None and options.due is not None:
        expected = tr("meshgui grade: --due: expected a day, for example 2026-11-30, or a time, got {due}")
        raise UsageError(expected.format(due=legible(options.due)))
    graded = _graded(options.files, wanted, sets)
    held = [grade for grade in graded if isinstance(grade, Grade)]
    lacking = [] if sets is None else _without_hand_in(options.files, held, sets)
    remarks = dict(zip(map(id, held), remarks_on(held, due), strict=True))
    rows = [_row(_COLUMNS)]
    for path, grade in zip(options.files, graded, strict=True):
        if isinstance(grade, InputFileError):
            output.flush()  # so that the lines of both outputs come in order
            output.complain(tr("meshgui: {error}").format(error=grade))
            student = student_in(path) or _named(path, sets)
            rows.append(_row((str(path), student, *[""] * (len(_COLUMNS) - 3), grade.message)))
            continue
        remarked = grade._replace(remark="; ".join(filter(None, (grade.remark, *remarks[id(grade)]))))
        rows.append(_csv(remarked))
        if out is None:
            output.write(_line(remarked))
    for student in lacking:
        rows.append(_row(("", student, *[""] * (len(_COLUMNS) - 3), tr("no hand-in"))))
        if out is None:
            output.write(printable(tr("{student}: no hand-in").format(student=student)))
    _write_rows(rows, out)
    return 2 if len(held) < len(graded) else 0


def _graded(
    files: Sequence[Path], wanted: ExerciseSet | None, sets: Sets | None
) -> list[Grade | InputFileError]:
    """The grade of each file, or why there is none."""
    graded: list[Grade | InputFileError] = []
    with output.ProgressLine(tr("Grading"), "hand-in") as progress:
        for path in files:
            try:
                grade = grade_hand_in(path, wanted)
                graded.append(grade if sets is None else _of_set(grade, sets))
            except InputFileError as error:
                graded.append(error)
            progress.report(len(graded), len(files))
    return graded


def _of_set(grade: Grade, sets: Sets) -> Grade:
    """The grade with a remark where its set is that of another student; an InputFileError for no set."""
    found = sets.get(grade.hand_in.asked)
    if found is None:
        raise InputFileError(grade.path, tr("asked: these are not the questions of any set"))
    if file_name(grade.student).casefold() == found.student.casefold():
        return grade
    other = tr("answers the set of {student}").format(student=found.student)
    return grade._replace(remark="; ".join(filter(None, (grade.remark, other))))


def _without_hand_in(files: Sequence[Path], held: Sequence[Grade], sets: Sets) -> list[str]:
    """The students with a set of whom there is no file, not even one that is refused or has no name."""
    graded = {grade.path: grade.student or sets[grade.hand_in.asked].student for grade in held}
    names = {
        file_name(graded.get(path) or student_in(path) or _named(path, sets)).casefold() for path in files
    }
    return [found.student for found in sets.values() if found.student.casefold() not in names]


def _named(path: Path, sets: Sets | None) -> str:
    """The student after whom a file is named, if one with a set is; else empty."""
    name = path.name.removesuffix(HAND_IN_SUFFIX).casefold()
    students = () if sets is None else (found.student for found in sets.values())
    return next((student for student in students if student.casefold() == name), "")


def _write_rows(rows: Sequence[str], out: str | None) -> None:
    if out == _HERE:
        output.write("\n".join(rows))
    elif out is not None:
        try:
            with whole_file(Path(out)) as file:
                file.write("".join(f"{row}\n" for row in rows).encode())
        except OSError as error:
            raise WorkFailed(
                tr("{out}: could not be written: {fault}").format(out=out, fault=os_fault(error))
            ) from None


def _line(grade: Grade) -> str:
    who = f" {printable(grade.student)}:" if grade.student else ""
    remark = f"; {grade.remark}" if grade.remark else ""
    of = tr("{score:g} of {scores}, {answered} answered, hash {asked_hash}").format(
        score=grade.score, scores=len(grade.scores), answered=grade.answered, asked_hash=grade.asked_hash[:12]
    )
    return legible(printable(f"{grade.path}:{who} {of}{remark}"))


def _csv(grade: Grade) -> str:
    scores = " ".join("-" if score is None else f"{score:g}" for score in grade.scores)
    cells = (grade.student, grade.title, len(grade.scores), grade.answered, f"{grade.score:g}")
    return _row((str(grade.path), *cells, grade.asked_hash[:12], scores, grade.remark))


def _row(cells: tuple[object, ...]) -> str:
    made = io.StringIO()
    csv.writer(made, lineterminator="").writerow(harmless(printable(str(cell))) for cell in cells)
    return made.getvalue()
