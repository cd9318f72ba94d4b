"""How much memory a run may take: a bound, and what this process holds already."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Final

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.work import RunError

VARIABLE: Final = "MESHGUI_MEMORY_GB"
_GIGABYTE: Final = 1 << 30
_UNKNOWN: Final = 4 * _GIGABYTE  # taken for the machine's where the system does not say
_CONTAINER_LIMITS: Final = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_BETWEEN_LOOKS: Final = 0.2  # seconds


class MemoryBoundError(RunError):
    """A run takes more memory than it may, in one line."""


def memory_bound() -> int:
    """The bytes that this process may hold: those of MESHGUI_MEMORY_GB, or half of the machine's."""
    given = os.environ.get(VARIABLE, "").strip()
    if not given:
        return _machine_memory() // 2
    try:
        bound = float(given)
    except ValueError:
        bound = 0.0
    if not 0 < bound < sys.maxsize / _GIGABYTE:
        said = tr("{VARIABLE}: expected a number of gigabytes above 0, got {given}")
        raise MemoryBoundError(said.format(VARIABLE=VARIABLE, given=given[:40]))
    return int(bound * _GIGABYTE)


def share_among(processes: int) -> None:
    """Leave this process, one of this many that run beside each other, its part of the bound."""
    if processes > 1:
        os.environ[VARIABLE] = str(memory_bound() / processes / _GIGABYTE)


def require(more: int) -> None:
    """Raise an error if this process, with this many bytes more, would hold more than it may."""
    bound = memory_bound()
    if _resident() + more > bound:
        said = tr(
            "the run needs more than the {in_gigabytes} of memory that it may use ({VARIABLE} "
            "changes the limit)"
        )
        raise MemoryBoundError(said.format(in_gigabytes=in_gigabytes(bound), VARIABLE=VARIABLE))


def in_gigabytes(bytes_: float) -> str:
    """An amount of memory in words."""
    return f"{formatted(max(bytes_ / _GIGABYTE, 0.01), '.2g')} GB"


class MemoryWatch:
    """Looks now and then at what this process holds; for long work to call."""

    def __init__(self) -> None:
        self._next = monotonic()

    def look(self) -> None:
        """Raise an error if the process holds more than it may."""
        now = monotonic()
        if now >= self._next:
            require(0)
            self._next = now + _BETWEEN_LOOKS


@cache
def _machine_memory() -> int:
    """The memory of the machine, or of the container that this process runs in."""
    known = [_UNKNOWN]
    with contextlib.suppress(AttributeError, ValueError, OSError):
        known = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for limit in _CONTAINER_LIMITS:
        with contextlib.suppress(OSError, ValueError):  # "max" is no limit
            known.append(int(Path(limit).read_text("ascii")))
    return min(known)


def _resident() -> int:
    """The bytes that this process holds; 0 on systems that do not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
