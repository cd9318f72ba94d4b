"""`meshgui grade`: ask the exercises of hand-ins again, and print a line, or a row of CSV, for each."""

from __future__ import annotations

import csv
import io
from argparse import Namespace
from pathlib import Path

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.basics.files import InputFileError, os_fault, whole_file
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.model.exercises.hand_in import Grade, grade_hand_in, read_set

_HERE = "-"
_COLUMNS = ("file", "student", "title", "asked", "answered", "score", "hash", "scores", "remark")


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+", help=tr("a hand-in"))
    parser.add_argument("--set", metavar="FILE", type=Path, help=tr("the set that was assigned"))
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
    except InputFileError as error:
        raise UsageError(tr("meshgui grade: {error}").format(error=error)) from None
    out = options.csv
    if out not in {None, _HERE} and not out.lower().endswith(".csv"):
        raise UsageError(
            tr("meshgui grade: --csv: expected OUT.csv or no value, got {out}").format(out=legible(out))
        )
    rows = [_row(_COLUMNS)]
    status = 0
    with output.ProgressLine(tr("Grading"), tr("hand-ins")) as progress:
        for number, path in enumerate(options.files):
            try:
                graded = grade_hand_in(path, wanted)
            except InputFileError as error:
                status = 2
                output.flush()  # so that the lines of both outputs come in order
                output.complain(tr("meshgui: {error}").format(error=error))
                rows.append(_row((str(path), *[""] * (len(_COLUMNS) - 2), error.message)))
            else:
                rows.append(_csv(graded))
                if out is None:
                    output.write(_line(graded))
            progress.report(number + 1, len(options.files))
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
    return status


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
