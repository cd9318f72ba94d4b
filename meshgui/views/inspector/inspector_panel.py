"""The base of the inspector's tables, grids, trees and charts: each draws one kind of data."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Generic, TypeVar

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from meshgui.engine.allocation.inspection import Tree
from meshgui.engine.basics.geometry import Mesh
from meshgui.model.moment.clock_words import at_time
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import Dress

Data = TypeVar("Data")


class InspectorPanel(QWidget, Generic[Data]):
    """The body of a section."""

    share: ClassVar = 3
    """Its part of the height: by its kind, not by its present content, so that nothing jumps."""

    def __init__(self, selection: Selection, pin: Pin, themes: Dress) -> None:
        super().__init__()
        self._selection, self._pin, self._themes = selection, pin, themes
        self.time = 0.0  # of what is shown

    @abstractmethod
    def show_data(self, data: Data, mesh: Mesh, last: Tree | None = None, *, fresh: bool = False) -> None:
        """Show other data in place; `fresh` when they belong to another run than before.

        `last` is a tree where it has the most nodes of its attempt or release.
        """

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
