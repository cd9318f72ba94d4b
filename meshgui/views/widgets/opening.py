"""Opens a file or a folder with the program that the system has for it, and notices where it has none."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtGui import QDesktopServices

_BETWEEN: Final = 50  # milliseconds from one look at a program to the next
_LOOKS: Final = 100  # after which it counts as started


def open_place(place: Path, owner: QObject, failed: Callable[[], object]) -> None:
    """Open a file or a folder; call back where there is no program for it."""
    if (opener := _opener()) is not None:
        OpenerProcess(opener, place, owner, failed)
    elif not QDesktopServices.openUrl(QUrl.fromLocalFile(str(place))):
        failed()


def _opener() -> str | None:
    """The command that opens files on Linux: Qt starts it too, but does not wait for what comes of it."""
    return shutil.which("xdg-open") if sys.platform == "linux" else None


class OpenerProcess(QObject):
    """Watches the command until it ends, or has had long enough: some end only with what they have opened."""

    def __init__(self, opener: str, place: Path, owner: QObject, failed: Callable[[], object]) -> None:
        super().__init__(owner)
        self._failed, self._looks = failed, 0
        self._process = subprocess.Popen(  # noqa: S603 - a path of this program, no shell
            [opener, str(place)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what it opens stays open when the window is closed
        )
        self._timer = QTimer(self, interval=_BETWEEN)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        code = self._process.poll()
        self._looks += 1
        if code is None and self._looks < _LOOKS:
            return
        self._timer.stop()
        self.deleteLater()
        if code:
            self._failed()
