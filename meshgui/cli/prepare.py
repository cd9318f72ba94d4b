"""`meshgui prepare`: compiles all kernels now, so that no run waits for it."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from argparse import SUPPRESS, Namespace
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.cli.faults import WorkFailed
from meshgui.engine.basics.files import os_fault
from meshgui.engine.basics.kernel_cache import cache_fault, kernel_folder, make_kernel_folder
from meshgui.engine.basics.kernel_counts import counts
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Work

_NICENESS = 15
_ROOM: Final = 1 << 20  # bytes that there is room for before the next part: the kernels of one need less


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.json()
    parser.add_argument("--quietly", action="store_true", help=SUPPRESS)  # how the window starts it


def execute(options: Namespace) -> int:
    """Do it."""
    if options.quietly:
        return _execute_quietly()
    if fault := cache_fault():
        raise WorkFailed(fault)
    with output.ProgressLine(tr("Compiling"), "part") as line:

        def hear(progress: Progress) -> None:
            if counts.compiled and progress.done < progress.of:
                _check_room()
            line.hear(progress)

        _prepare(Work(hear))
    _mark()
    if options.json:
        data = {"folder": str(kernel_folder()), "shipped": counts.shipped, "kept": counts.kept}
        output.write_json(data | {"compiled": counts.compiled})
    else:
        output.write(
            tr("Kernels: {counts}. New ones are in {kernel_folder}").format(
                counts=counts, kernel_folder=kernel_folder()
            )
        )
    return 0


def _check_room() -> None:
    """Refuse to compile on for minutes where nothing more can be kept."""
    try:
        make_kernel_folder()
        with TemporaryFile(dir=kernel_folder(), buffering=0) as trial:
            trial.write(bytes(_ROOM))
    except OSError as error:
        raise WorkFailed(
            tr("{folder}: could not be written: {fault}").format(
                folder=kernel_folder(), fault=os_fault(error)
            )
        ) from None


def _execute_quietly() -> int:
    """Write `DONE OF` after each part, at low priority; end with the program that has started this one."""
    if _is_marked():
        return 0
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)

    def hear(progress: Progress) -> None:
        output.write(f"{progress.done} {progress.of}")
        output.flush()

    _prepare(Work(hear))
    _mark()
    return 0


def _prepare(work: Work) -> None:
    from meshgui.cli.kernel_preparation import preparations  # noqa: PLC0415 - the engine, only for the work

    parts = list(preparations())
    for done, part in enumerate(parts):
        work.report(done, len(parts))
        part.run()
    work.report(len(parts), len(parts))


def _end_with_standard_input() -> None:
    """The window holds its other end, and closes it, however it ends."""
    with suppress(OSError):
        while os.read(0, 64):
            pass
    os._exit(0)


def _marker() -> Path:
    """A file that stands for kernels which are all there: for this program, on this Python and this Numba."""
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {os.environ.get('NUMBA_CPU_NAME')}".encode())
    sources = Path(__file__).parent.parent
    for file in sorted(sources.rglob("*.py")):
        known = file.stat()
        digest.update(f"{file.relative_to(sources)} {known.st_size} {known.st_mtime_ns}".encode())
    return kernel_folder() / f"prepared-{digest.hexdigest()[:16]}"


def _is_marked() -> bool:
    with suppress(OSError):
        return _marker().exists()
    return False


def _mark() -> None:
    with suppress(OSError):
        make_kernel_folder()
        _marker().touch()
