"""The doctor's look at plug-ins: each is loaded in a process of its own first, as it may take one with it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from meshgui import itself
from meshgui.engine.basics import plugins
from meshgui.engine.basics.memory import memory_bound
from meshgui.engine.basics.translation import tr

KINDS: Final = {
    "meshgui.allocators": "strategy",
    "meshgui.disciplines": "scheduler",
    "meshgui.patterns": "pattern",
}
_LONGEST: Final = 20  # seconds that loading may take
_LEAST_ROOM: Final = 4 << 30  # bytes of addresses, of which the program alone takes more than of memory
_LOADED: Final = 42  # the exit status of a process in which nothing has ended it, not even with 0
_TOO_LARGE: Final = 43


def deadly_plugins() -> Iterator[tuple[EntryPoint, str]]:
    """The plug-ins that end a process that loads them, or do not come back, and how; no other loads them."""
    points = [point for group in KINDS for point in entry_points(group=group)]
    if not points or not _ending(points):
        return
    for point in points:
        if ending := _ending([point]):
            plugins.skipped.add(point)
            yield point, ending


def load(words: Sequence[str]) -> int:
    """Load plug-ins in this process, within the bound of memory; the exit status."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        most = max(memory_bound(), _LEAST_ROOM)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for point in (point for group in KINDS for point in entry_points(group=group)):
        if _word(point) in words:
            try:
                point.load()
            except MemoryError:
                return _TOO_LARGE
            except (Exception, SystemExit):  # noqa: BLE001, S112 - said with its reason where it is used
                continue
    return _LOADED


def _word(point: EntryPoint) -> str:
    return f"{point.group}:{point.name}={point.value}"


def _ending(points: Sequence[EntryPoint]) -> str:
    """How a process ends that loads plug-ins, in words; empty where it does not end."""
    words = itself.command("doctor", "--load", *map(_word, points))
    nothing = subprocess.DEVNULL
    try:
        done = subprocess.run(  # noqa: S603 - ourselves
            words, stdin=nothing, stdout=nothing, stderr=nothing, timeout=_LONGEST, check=False
        )
    except subprocess.TimeoutExpired:
        return tr("loading it takes more than {LONGEST} s").format(LONGEST=_LONGEST)
    status = done.returncode
    if status == _LOADED:
        return ""
    if status == _TOO_LARGE:
        return tr("loading it needs more memory than is available")
    ended = (
        tr("signal {signal}").format(signal=-status)
        if status < 0
        else tr("exit status {returncode}").format(returncode=status)
    )
    return tr("loading it ends the process ({ended})").format(ended=ended)
