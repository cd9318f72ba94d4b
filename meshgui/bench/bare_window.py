"""A script: a bare window with an empty OpenGL view, which ends after its first paint."""

from __future__ import annotations

import sys

import pyqtgraph.opengl
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow


class BareView(pyqtgraph.opengl.GLViewWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """The view; it ends the program once it has painted."""

    def paintGL(self) -> None:  # noqa: N802 - Qt's name
        """See GLViewWidget."""
        super().paintGL()
        QTimer.singleShot(0, QApplication.quit)


if __name__ == "__main__":
    application = QApplication([])
    window = QMainWindow()
    window.setCentralWidget(BareView())
    window.resize(1280, 800)
    window.show()
    sys.exit(application.exec())
