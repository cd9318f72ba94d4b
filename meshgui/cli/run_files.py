"""The files that a run is written to: seen to be writable before the work, whole afterwards or not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.cli.scenarios import recorded
from meshgui.engine.basics.files import os_fault, same_file, whole_file
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.simulation import Simulation

__all__ = ["RunFile", "run_to_files", "wanted_files"]


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
    for option, path, holds, parts in known:
        if path is None:
            continue
        if same_file(path, scenario):
            raise UsageError(
                tr("{path}: {option}: expected another file than the scenario itself").format(
                    path=path, option=option
                )
            )
        for other in wanted:
            if same_file(path, other.path) or os.path.realpath(path) == os.path.realpath(other.path):
                raise UsageError(
                    tr("{path}: {option}: expected another file than that of {other}").format(
                        path=path, option=option, other=other.option
                    )
                )
        wanted.append(RunFile(option, path, holds, parts))
    return wanted


def run_to_files(simulation: Simulation, wanted: list[RunFile]) -> Recording:
    """Run, and write the files that are wanted; that they can be written is seen before the work."""
    with ExitStack() as stack:
        files = [stack.enter_context(_file(of)) for of in wanted]
        recording = recorded(simulation)
        # What is too long is refused here, before any file is written to.
        contents = [of.parts(recording) for of in wanted]
        for of, file, parts in zip(wanted, files, contents, strict=True):
            with _faults(of):
                file.writelines(parts)
                file.flush()
    return recording


@contextmanager
def _file(of: RunFile) -> Iterator[BinaryIO]:
    with _faults(of), whole_file(of.path) as file:
        yield file


@contextmanager
def _faults(of: RunFile) -> Iterator[None]:
    """A block that writes a file, with its faults in the command line's terms."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkFailed(
            tr("{path}: {holds} could not be written: {fault}").format(
                path=of.path, holds=of.holds, fault=os_fault(error)
            )
        ) from None
