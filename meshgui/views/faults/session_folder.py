"""The folder of one running program: from it the next start knows how that ended, and what it left."""

from __future__ import annotations

import faulthandler
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final, TextIO
from uuid import uuid4

from PySide6.QtCore import QLockFile

from meshgui.engine.basics.files import PRIVATE, private_folder

_LOCK: Final = "lock"
_CRASH: Final = "crash.txt"
_ASKED: Final = "asked-to-end.txt"
_ENDING_SIGNALS: Final = ("SIGTERM", "SIGHUP", "SIGINT")


class Ending(Enum):
    """How a program ended that did not end by itself."""

    CRASHED = "crashed"
    KILLED = "killed"
    ASKED = "asked"  # as when the user leaves the desktop


class SessionFolder:
    """A folder that is locked by this process: its own, or that of a program that has gone."""

    def __init__(self, path: Path, lock: QLockFile) -> None:
        self.path, self._lock = path, lock
        self._watching: list[TextIO] = []

    @classmethod
    def begin(cls, parent: Path) -> SessionFolder | None:
        """A new one; None where nothing can be written."""
        path = parent / uuid4().hex
        with suppress(OSError):
            private_folder(parent)  # also what earlier versions left there
            private_folder(path)
            if (session := cls._locked(path)) is not None:
                return session
            shutil.rmtree(path)  # on a full disk, there would be one for each attempt
        return None

    @classmethod
    def left_over(cls, parent: Path) -> Iterator[SessionFolder]:
        """Those of programs that no longer run."""
        for path in sorted(parent.glob("*")):
            begun = (path / _LOCK).exists() or any(path.glob("*"))
            if begun and (session := cls._locked(path)) is not None:
                yield session

    @classmethod
    def _locked(cls, path: Path) -> SessionFolder | None:
        lock = QLockFile(str(path / _LOCK))
        lock.setStaleLockTime(0)  # however long a program runs
        return cls(path, lock) if lock.tryLock(0) else None

    def watch(self) -> None:
        """From now on, a crash of this process leaves its trace here."""
        with suppress(OSError):
            crash, asked = (_private_text(self.path / name) for name in (_CRASH, _ASKED))
            self._watching = [crash, asked]
            faulthandler.enable(crash)
            for name in _ENDING_SIGNALS:
                if hasattr(faulthandler, "register") and hasattr(signal, name):
                    faulthandler.register(getattr(signal, name), asked, all_threads=False, chain=True)

    @property
    def crash(self) -> str:
        """The trace of a crash, or nothing."""
        return _text_of(self.path / _CRASH)

    @property
    def ending(self) -> Ending | None:
        """How a program that has gone ended; None where it did not watch."""
        if not (self.path / _CRASH).exists():
            return None
        if self.crash:
            return Ending.CRASHED
        return Ending.ASKED if _text_of(self.path / _ASKED) else Ending.KILLED

    def forget_ending(self) -> None:
        """Remove what tells of the end, so that it is said once."""
        for name in (_CRASH, _ASKED):
            (self.path / name).unlink(missing_ok=True)

    def unlock(self) -> None:
        """Leave the folder to the next start."""
        self._lock.unlock()

    def remove(self) -> None:
        """Remove it, as after an orderly end."""
        if self._watching:
            faulthandler.disable()
            for name in _ENDING_SIGNALS:
                if hasattr(faulthandler, "unregister") and hasattr(signal, name):
                    faulthandler.unregister(getattr(signal, name))
        while self._watching:
            self._watching.pop().close()
        self._lock.unlock()
        shutil.rmtree(self.path, ignore_errors=True)


def _private_text(path: Path) -> TextIO:
    path.touch(PRIVATE)
    return path.open("w", encoding="utf-8")


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
