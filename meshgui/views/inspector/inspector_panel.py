"""The base of the inspector's tables, grids, trees and charts."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import Dress


class InspectorPanel(QWidget):
    """The body of a section."""

    def __init__(self, selection: Selection, pin: Pin, themes: Dress) -> None:
        super().__init__()
        self._selection, self._pin, self._themes = selection, pin, themes
        self._tint: Callable[[int], int] = int  # of a job

    def tint_jobs(self, tint: Callable[[int], int]) -> None:
        """Draw jobs in these tints."""
        self._tint = tint

    def stepped_rect(self) -> QRect | None:
        """The rectangle of what the step is about, within the panel; None where that is not known."""
        return None

    def show_selection(self) -> None:
        """Mark the selected and the hovered job; a panel without jobs has nothing to mark."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The least height: open sections share what there is."""
        return QSize(self._themes.px(280), self.minimumHeight())
