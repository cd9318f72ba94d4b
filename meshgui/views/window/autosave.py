"""Keeps copies of unsaved scenarios while a window is open, and offers those of a program that was killed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple
from uuid import uuid4

from PySide6.QtCore import QLockFile, QObject, QTimer

from meshgui.engine.scenario import ScenarioError
from meshgui.model.document import DocumentState
from meshgui.model.recovery import RecoveryFolder, read_copy
from meshgui.views.window.main_window import MainWindow

__all__ = ["Autosave"]

_DELAY: Final = 0.3  # seconds from an edit to its copy; more where writing takes long
_SHARE: Final = 20  # of the time, writing may take one part
_LOCK: Final = "lock"


class _Session(NamedTuple):
    """The folder of a program that was killed, locked so that no second program offers it."""

    folder: Path
    lock: QLockFile

    def end(self) -> None:
        """Remove it if nothing is left to recover, else leave it for the next start."""
        if RecoveryFolder(self.folder).files():
            self.lock.unlock()
        else:
            self.remove()

    def remove(self) -> None:
        self.lock.unlock()
        shutil.rmtree(self.folder, ignore_errors=True)


class Autosave(QObject):
    """Writes the copies of a window's unsaved scenarios, each program in a folder of its own.

    A lock in the folder says whether the program still runs. Closing the window removes the folder.
    """

    def __init__(self, folder: Path, window: MainWindow) -> None:
        super().__init__(window)
        self._folder, self._window = folder, window
        self._own: _Session | None = None
        self._copies = RecoveryFolder(folder / uuid4().hex)
        self._left: list[_Session] = []
        self._fault = ""  # why the last copies could not be written
        self._timer = QTimer(self, singleShot=True, interval=round(_DELAY * 1000))
        self._timer.timeout.connect(self.write)
        window.document.changed.connect(self._begin)
        window.document.draft_changed.connect(self._begin)
        window.scenarios.changed.connect(self._begin)
        window.painted.connect(lambda: QTimer.singleShot(0, self, self.offer))  # once the first run has begun
        window.closed.connect(self.end)

    def write(self) -> None:
        """Write what is not written yet; say so when that begins to fail."""
        begun = perf_counter()
        fault = self._write()
        if fault and not self._fault:
            self._window.notice.tell(f"No copy of unsaved changes can be kept: {fault}")
        self._fault = fault
        took = perf_counter() - begun
        self._timer.setInterval(round(max(_DELAY, took * _SHARE) * 1000))

    def _write(self) -> str:
        if self._own is None:
            if not any(state.modified for state in self._states):
                return ""
            self._own = _locked(self._copies.folder, new=True)
            if self._own is None:
                return f"{self._copies.folder} cannot be written."
        self._copies.keep(self._states)
        return str(self._copies.fault or "")

    def offer(self) -> None:
        """Offer what a killed program left."""
        self._left += _left_over(self._folder)
        files = [file for session in self._left for file in RecoveryFolder(session.folder).files()]
        if not files:
            return
        titles = [f"“{_title(file)}”" for file in files]
        words = titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
        self._window.notice.tell(
            f"The program ended before changes were saved: {words}.",
            ("Open", "Open it with its changes, as it was left", lambda: self._recover(files)),
            ("Discard", "Remove the changes for good", self._discard),
        )

    def end(self) -> None:
        """Remove the copies: the user has saved or discarded everything. What was not answered stays."""
        self._timer.stop()
        if self._own is not None:
            self._own.remove()
            self._own = None
        for session in self._left:
            session.lock.unlock()

    @property
    def _states(self) -> list[DocumentState]:
        return self._window.scenarios.states

    def _begin(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _recover(self, files: list[Path]) -> None:
        self._window.notice.dismiss()
        for file in files:
            try:
                state = read_copy(file)
            except ScenarioError as error:
                self._window.notice.tell(f"It cannot be opened: {error}")
                return
            self._window.scenarios.open_beside(state)
            self.write()  # before the old copy goes
            if self._copies.holds(state):
                file.unlink()
        for session in self._left:
            session.end()
        self._left = []

    def _discard(self) -> None:
        self._window.notice.dismiss()
        for session in self._left:
            session.remove()
        self._left = []


def _left_over(folder: Path) -> Iterator[_Session]:
    """The folders of programs that no longer run; empty ones are removed."""
    for one in sorted(folder.glob("*")):
        files = RecoveryFolder(one).files()
        if not files and not (one / _LOCK).exists():
            continue  # its program is just beginning
        session = _locked(one)
        if session is not None and files:
            yield session
        elif session is not None:
            session.remove()


def _locked(folder: Path, *, new: bool = False) -> _Session | None:
    """The folder, locked; None if its program runs, or nothing can be written there."""
    if new:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return None
    lock = QLockFile(str(folder / _LOCK))
    lock.setStaleLockTime(0)  # however long a program runs
    return _Session(folder, lock) if lock.tryLock(0) else None


def _title(file: Path) -> str:
    try:
        return read_copy(file).title
    except ScenarioError:
        return file.name
