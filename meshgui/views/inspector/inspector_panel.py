"""The base of the inspector's tables, grids, trees and charts."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from meshgui.model.moment.clock_words import at_time
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import Dress


class InspectorPanel(QWidget):
    """The body of a section."""

    def __init__(self, selection: Selection, pin: Pin, themes: Dress) -> None:
        super().__init__()
        self._selection, self._pin, self._themes = selection, pin, themes
        self.time = 0.0  # of what is shown

    def named(self, title: str) -> str:
        """The title of what leaves the program, which shows one moment."""
        return at_time(title, self.time)

    @property
    def least(self) -> int:
        """The height that it needs where the inspector does not scroll."""
        return self.minimumHeight()

    def stepped_rect(self) -> QRect | None:
        """The rectangle of what the step is about, within the panel; None where that is not known."""
        return None

    def show_selection(self) -> None:
        """Mark the selected and the hovered job; a panel without jobs has nothing to mark."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The least height: open sections share what there is."""
        return QSize(self._themes.px(280), self.minimumHeight())
