"""A thin progress bar that repaints together with its window, not immediately."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """A bar without text.

    Qt repaints a progress bar as soon as its value is set, and beside an OpenGL widget every repaint composes
    the whole window again, which was a third of the time of a step.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)

    def show_progress(self, done: int, of: int) -> None:
        """Show how much is done; without a total, that work is in progress."""
        self.setUpdatesEnabled(False)
        self.setRange(0, of)
        self.setValue(done)
        self.setUpdatesEnabled(True)
