"""A script: a bare window with an empty OpenGL view, which ends after its first paint.

That is when Qt has painted the window and put it on the screen, as it is for ours. The view alone draws
once before, as the window gets its size and nothing is to be seen yet.
"""

from __future__ import annotations

import os
import sys

import pyqtgraph.opengl
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow


def report_and_leave() -> None:
    """Report the first paint to the process that measures the start."""
    os.write(1, b"painted\n")
    os._exit(0)


class BareWindow(QMainWindow):
    """The window; it ends the program once it has been painted."""

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        QTimer.singleShot(0, report_and_leave)


if __name__ == "__main__":
    application = QApplication([])
    window = BareWindow()
    window.setCentralWidget(pyqtgraph.opengl.GLViewWidget())
    window.resize(1600, 1000)  # as large as ours
    window.show()
    sys.exit(application.exec())
