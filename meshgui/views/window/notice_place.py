"""Has notices where they take little from the mesh: above it, or where it is narrow above the sentence."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QVBoxLayout, QWidget

from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.notice import Notice

_NARROW: Final = 320
"""Pixels of the design: a sentence of a hundred letters then has more than three lines."""


class NoticePlace(QObject):
    """Moves the notice between the middle of a window and its foot, which is as wide as the window."""

    def __init__(
        self, notice: Notice, middle: QWidget, column: QVBoxLayout, foot: QVBoxLayout, themes: ThemeManager
    ) -> None:
        """The column of the middle has what the notice stands above as its last part."""
        super().__init__(middle)
        self._notice, self._middle, self._themes = notice, middle, themes
        self._column, self._foot = column, foot
        middle.installEventFilter(self)
        themes.changed.connect(self._settle)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the width of the middle."""
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return super().eventFilter(watched, event)

    def _settle(self) -> None:
        narrow = self._middle.width() < self._themes.px(_NARROW)
        if narrow == (self._foot.indexOf(self._notice) >= 0):
            return
        if narrow:
            self._foot.insertWidget(0, self._notice)
        else:
            self._column.insertWidget(self._column.count() - 1, self._notice)
