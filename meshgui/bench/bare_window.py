"""A script: a bare window with an empty OpenGL view, which ends after its first paint."""

from __future__ import annotations

import os
import sys

import pyqtgraph.opengl
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow


def report_and_leave() -> None:
    """Report the first paint to the process that measures the start."""
    os.write(1, b"painted\n")
    os._exit(0)


class BareView(pyqtgraph.opengl.GLViewWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """The view; it ends the program once it has painted."""

    def paintGL(self) -> None:  # noqa: N802 - Qt's name
        """See GLViewWidget."""
        super().paintGL()
        QTimer.singleShot(0, report_and_leave)


if __name__ == "__main__":
    application = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(BareView())
    window.resize(1600, 1000)  # as large as ours
    window.show()
    sys.exit(application.exec())
