"""Says on the progress line that kernels are compiled, and above it why they cannot be kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from meshgui.cli.output import ProgressLine
from meshgui.engine.basics.kernel_cache import COMPILES, cache_fault, heard_compiling, shipped_folder
from meshgui.engine.basics.translation import tr

__all__ = ["compiling_shown"]


@contextmanager
def compiling_shown(line: ProgressLine) -> Iterator[None]:
    """A block of work on kernels."""
    if shipped_folder() is None and (fault := cache_fault()):
        line.complain(tr("meshgui: {fault}").format(fault=fault))
    with heard_compiling(lambda: line.say(COMPILES)):
        yield
