"""The files that commands write: seen to be writable before the work, whole afterwards or not there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from meshgui.cli.faults import WorkFailed
from meshgui.engine.basics.files import os_fault, whole_file
from meshgui.engine.basics.translation import tr


@contextmanager
def ready_file(path: Path, holds: str) -> Iterator[BinaryIO]:
    """A file to be written at the end of the work; that it can be written is seen before."""
    with writing(path, holds), whole_file(path) as file:
        yield file


@contextmanager
def wanted_file(path: Path | None, holds: str) -> Iterator[BinaryIO | None]:
    """The same where it is wanted."""
    if path is None:
        yield None
        return
    with ready_file(path, holds) as file:
        yield file


@contextmanager
def writing(path: Path, holds: str) -> Iterator[None]:
    """A block that writes a file, with its faults in the command line's terms."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WorkFailed(
            tr("{path}: {holds} could not be written: {fault}").format(
                path=path, holds=holds, fault=os_fault(error)
            )
        ) from None
