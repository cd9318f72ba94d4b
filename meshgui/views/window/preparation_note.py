"""Compiles the kernels in the background where that has not been done, with a note beside the sentence."""

from __future__ import annotations

import os
import re
from typing import Final

from PySide6.QtCore import QProcess, QTimer
from PySide6.QtWidgets import QLabel

from meshgui import itself
from meshgui.engine.basics.kernel_cache import cache_fault, shipped_folder
from meshgui.engine.basics.translation import tr

_AFTER: Final = 2000  # milliseconds after the first paint; opening a scenario goes before
_TO_END: Final = 2000  # milliseconds


def wants_preparation() -> bool:
    """Whether kernels are compiled on this machine, and may be compiled ahead of their use."""
    switched_off = os.environ.get("MESHGUI_PREPARE") == "0" or os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
    return not switched_off and shipped_folder() is None and not cache_fault()


class PreparationNote(QLabel):
    """A process of low priority that compiles, and how far it is; hidden where all is compiled already."""

    def __init__(self) -> None:
        super().__init__()
        self.setToolTip(
            tr(
                "The strategies are compiled once for this machine, so that no run has to wait.\nYou can "
                "go on working; what is not compiled yet takes a few seconds the first time."
            )
        )
        self.hide()
        self._presenting = False
        self._process = QProcess(self)
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.finished.connect(self.hide)
        self._wait = QTimer(self, singleShot=True)
        self._wait.timeout.connect(self._start)

    def present(self, *, on: bool) -> None:
        """Leave the sentence all of its line during a lecture."""
        self._presenting = on
        self._show()

    def begin(self, after: int = _AFTER) -> None:
        """Start once the window has had time to open what it was opened with."""
        self._wait.start(after)

    def end(self) -> None:
        """Stop compiling; what has been compiled is kept."""
        self._wait.stop()
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.kill()
            self._process.waitForFinished(_TO_END)

    @property
    def active(self) -> bool:
        """Whether the process runs."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    @property
    def pending(self) -> bool:
        """Whether it has begun, and it is not known yet that all is compiled."""
        return self._wait.isActive() or self.active

    def _start(self) -> None:
        program, *words = itself.command("prepare", "--quietly")
        self._process.start(program, words)

    def _read(self) -> None:
        lines = bytes(self._process.readAllStandardOutput().data()).decode(errors="replace").splitlines()
        progress = re.fullmatch(r"(\d+) (\d+)", lines[-1]) if lines else None
        if progress is not None:
            done, of = map(int, progress.groups())
            self.setText(
                tr("Preparing the algorithms for this machine, {done} %").format(
                    done=100 * done // max(of, 1)
                )
            )
            self._show()

    def _show(self) -> None:
        self.setVisible(self.active and bool(self.text()) and not self._presenting)
