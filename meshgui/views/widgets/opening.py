"""Opens a file or a folder with the program that the system has for it, and notices where it has none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QElapsedTimer, QObject, QSocketNotifier, QUrl
from PySide6.QtGui import QDesktopServices

_STARTED: Final = 5000  # milliseconds after which a program has found what it opens


def open_place(place: Path, owner: QObject, failed: Callable[[], object]) -> None:
    """Open a file or a folder; call back where there is no program for it."""
    if (opener := _opener()) is not None:
        OpenerWatch(opener, place, owner, failed)
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
        failed()


def _opener() -> str | None:
    """The command that opens files on Linux: Qt starts it too, but does not wait for what comes of it."""
    return shutil.which("xdg-open") if sys.platform == "linux" else None


class OpenerWatch(QObject):
    """Hears when the command ends; one that ends late has opened something, and its status is about that."""

    def __init__(self, opener: str, place: Path, owner: QObject, failed: Callable[[], object]) -> None:
        super().__init__(owner)
        self._failed = failed
        self._process = subprocess.Popen(  # noqa: S603 - a path of this program, no shell
            [opener, str(place)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what it opens stays open when the window is closed
        )
        self._since = QElapsedTimer()
        self._since.start()
        # Not a QProcess: it would end with this program, and what it has opened with it.
        try:
            self._end = os.pidfd_open(self._process.pid)
        except OSError:  # a kernel before 5.3, on which its end is not heard
            return
        self._heard = QSocketNotifier(self._end, QSocketNotifier.Type.Read, self)
        self._heard.activated.connect(self._ended)

    def _ended(self) -> None:
        self._heard.setEnabled(False)
        os.close(self._end)
        self.deleteLater()
        if self._process.wait() and self._since.elapsed() < _STARTED:
            self._failed()
