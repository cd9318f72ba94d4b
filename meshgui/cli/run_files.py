"""The files that a run is written to, each another one than the others and than the scenario."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from meshgui.cli.faults import UsageError
from meshgui.cli.output import ProgressLine
from meshgui.cli.scenarios import recorded
from meshgui.cli.written_files import ready_file, writing
from meshgui.engine.basics.files import same_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation
from meshgui.engine.scenario.files import files_named

_NOT_THE_SCENARIO: Final = tr("expected another file than the scenario itself")


class RunFile(NamedTuple):
    """A file that is wanted of a run."""

    option: str
    path: Path
    holds: str
    parts: Callable[[Recording], Iterator[bytes]]


def wanted_files(
    scenario: Path, known: Iterable[tuple[str, Path | None, str, Callable[[Recording], Iterator[bytes]]]]
) -> list[RunFile]:
    """Those of the known ones that have a path, each another one than the others and than the scenario."""
    wanted: list[RunFile] = []
    asked = [(option, path, holds, parts) for option, path, holds, parts in known if path is not None]
    named = files_named(scenario) if asked else []
    for option, path, holds, parts in asked:
        another_file(path, option, scenario)
        for read in named:
            another_file(path, option, read, tr("expected another file than one that the scenario names"))
        for other in wanted:
            if same_file(path, other.path) or os.path.realpath(path) == os.path.realpath(other.path):
                raise UsageError(
                    tr("{path}: {option}: expected another file than that of {other}").format(
                        path=path, option=option, other=other.option
                    )
                )
        wanted.append(RunFile(option, path, holds, parts))
    return wanted


def another_file(path: Path, option: str, source: Path, expected: str = _NOT_THE_SCENARIO) -> None:
    """Refuse a file that is read from as the one to be written."""
    if same_file(path, source):
        raise UsageError(
            tr("{path}: {option}: {expected}").format(path=path, option=option, expected=expected)
        )


def run_to_files(simulation: Simulation, wanted: list[RunFile]) -> Recording:
    """Run, and write the files that are wanted; that they can be written is seen before the work."""
    with ExitStack() as stack:
        files = [stack.enter_context(ready_file(of.path, of.holds)) for of in wanted]
        recording = recorded(simulation)
        # What is too long is refused here, before any file is written to.
        contents = [of.parts(recording) for of in wanted]
        for of, file, parts in zip(wanted, files, contents, strict=True):
            write_parts(of.path, of.holds, file, parts)
    return recording


def write_parts(path: Path, holds: str, file: BinaryIO, parts: Iterator[bytes]) -> None:
    """Write them as they are made, with a line that tells how far that is.

    The work is under way here and not where they are made: what makes them may be left before its end.
    """
    with writing(path, holds), ProgressLine(tr("Writing"), "event") as line, line.under_way():
        file.writelines(parts)
        file.flush()
