"""Floats notices low over the middle of a window, where they move nothing and cover little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QWidget

from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.overlay_card import OverlayCard

_GAP: Final = 8  # the design's pixels around it
_LEAST: Final = 420  # where the middle is narrower, it covers the panels beside it
_MOST: Final = 760


class NoticePlace(QObject):
    """Keeps the notice in its place over the middle of a window, above what is read at its foot."""

    covered = Signal(int)  # pixels of the middle, from its lower edge

    def __init__(
        self,
        notice: Notice,
        window: QWidget,
        middle: QWidget,
        themes: ThemeManager,
        foot: Callable[[], QWidget | None] = lambda: None,
    ) -> None:
        super().__init__(window)
        self._foot = foot
        self._notice, self._window, self._middle, self._themes = notice, window, middle, themes
        notice.setParent(window)
        self._ground = middle  # what lies beside the notice in the window
        while (parent := self._ground.parentWidget()) not in {None, window}:
            self._ground = parent
        for watched in (window, middle, notice, self._ground):
            watched.installEventFilter(self)
        themes.changed.connect(self.settle)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the middle, and come before what was laid over the window since."""
        if watched is self._notice:
            if event.type() in {QEvent.Type.Show, QEvent.Type.Resize}:
                self.settle()
            if event.type() == QEvent.Type.Show:
                self._notice.raise_()  # what is said now is seen over a card, too
            if event.type() in {QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize}:
                below = self._notice.height() + 2 * self._themes.px(_GAP)
                self.covered.emit(0 if self._notice.isHidden() else below)
        elif event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self.settle()
        elif event.type() == QEvent.Type.ZOrderChange and watched is self._ground:
            self._rise()  # Qt lays the middle over all else as it shows or hides a panel
        return super().eventFilter(watched, event)

    def settle(self) -> None:
        """Lie where there is room now: also to be asked for as another page, with another foot, is shown."""
        gap, least, most = map(self._themes.px, (_GAP, _LEAST, _MOST))
        room = self._window.width() - 2 * gap
        width = min(max(self._middle.width() - 2 * gap, least), most, room)
        corner = self._middle.mapTo(self._window, QPoint(0, self._height_above_foot()))
        left = corner.x() + (self._middle.width() - width) // 2
        self._notice.setFixedWidth(max(width, 1))
        above = corner.y() - gap - self._notice.height()
        self._notice.move(min(max(left, gap), gap + room - width), max(above, gap))
        self._rise()

    def _height_above_foot(self) -> int:
        """How much of the middle a notice may cover."""
        foot = self._foot()
        height = self._middle.height()
        if foot is None:
            return height
        foot.installEventFilter(self)  # Qt keeps a filter once, however often it is installed
        return min(height, foot.mapTo(self._middle, QPoint()).y()) if foot.isVisible() else height

    def _rise(self) -> None:
        """Lie over the middle and the panels, but under a card that dims them."""
        self._notice.raise_()
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        for card in self._window.findChildren(OverlayCard, options=directly):
            if card.isVisible():
                self._notice.stackUnder(card)
