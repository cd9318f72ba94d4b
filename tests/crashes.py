"""Disks that fail: the program ends at a chosen step of what it writes, as by a kill, or there is no room.

After a crash nothing more reaches the disk, as nothing of the program would be left; what Python does to
clean up goes nowhere.
"""

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["CrashError", "crashing", "each_crash", "full_disk"]

_RENAMES = ("replace", "rename", "unlink", "remove", "chmod", "fsync", "mkdir", "link")  # of the module os


class CrashError(BaseException):
    """The program is gone; nothing catches this to go on."""


class _Disk:
    """Counts the steps, and ends the program in one of them."""

    def __init__(self, at: int | None) -> None:
        self.steps, self.at, self.gone = 0, at, False

    def step(self) -> bool:
        """Whether the program ends in this step; where it is gone already, nothing is to be done."""
        self.steps += 1
        self.gone = self.gone or self.steps - 1 == self.at
        return self.gone


class _File(io.FileIO):
    """A file of which the write that crashes brings half of its bytes to the disk."""

    disk: _Disk

    def write(self, data: Any) -> int:
        """Write all, half or nothing."""
        if self.disk.gone:
            return len(data)
        if self.disk.step():
            super().write(memoryview(data)[: len(data) // 2])
            raise CrashError
        return super().write(data) or 0


@contextmanager
def crashing(at: int | None) -> Iterator[_Disk]:
    """A block in which the program ends at this step of its writing, from 0; at no step without one."""
    disk = _Disk(at)
    real_open = builtins.open
    real = {name: getattr(os, name) for name in _RENAMES}

    def opened(file: Any, mode: str = "r", buffering: int = -1, *rest: Any, **named: Any) -> Any:
        if not set(mode) & set("wax+") or isinstance(file, int):
            return real_open(file, mode, buffering, *rest, **named)
        opener = named.pop("opener", None)
        binary = mode.replace("b", "").replace("t", "")
        raw = _File(file, binary, opener=opener)
        raw.disk = disk
        whole: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return whole if "b" in mode else io.TextIOWrapper(whole, *rest, **named)

    def stepping(name: str) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            if disk.gone or disk.step():
                raise CrashError
            return real[name](*args, **named)

        return call

    builtins.open = io.open = opened  # type: ignore[assignment]
    for name in real:
        setattr(os, name, stepping(name))
    try:
        yield disk
    finally:
        builtins.open = io.open = real_open
        for name, function in real.items():
            setattr(os, name, function)


def _steps_of(work: Callable[[], object]) -> int:
    """How many steps the writing of it has."""
    with crashing(None) as disk:
        work()
    return disk.steps


def each_crash(work: Callable[[], object], reset: Callable[[], object]) -> Iterator[int]:
    """Do the work once for each step of its writing, ended there; what it leaves is looked at in between."""
    for step in range(_steps_of(work)):
        reset()
        with crashing(step), suppress(CrashError):
            work()
        yield step


@contextmanager
def full_disk(fault: int = errno.ENOSPC) -> Iterator[None]:
    """A disk on which what was written finds no room in the end; the program hears of it, and continues."""
    real = os.fsync

    def refuse(_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    os.fsync = refuse
    try:
        yield
    finally:
        os.fsync = real
