"""Floats notices low over what is drawn in the middle of a window, where they move and cover nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.notice import Notice
from meshgui.views.widgets.overlay_card import OverlayCard

_GAP: Final = 8  # the design's pixels beside it,
_BELOW: Final = 2  # and below it: a row with figures has room for one of a line
_MOST: Final = 760
_SHARE: Final = 0.25  # of the height of what is drawn: so low it lies, and so high it is unless for a line


@runtime_checkable
class Inscribed(Protocol):
    """A picture with something to be read in it."""

    @property
    def written(self) -> Sequence[QRectF]:
        """Where it is written, on the widget."""


class NoticePlace(QObject):
    """Keeps the notice in its place over the middle of a window: as low as it covers nothing to be read."""

    covered = Signal(int)  # pixels of the middle, from its lower edge

    def __init__(
        self,
        notice: Notice,
        window: QWidget,
        middle: QWidget,
        themes: ThemeManager,
        drawn: Callable[[], Sequence[QWidget]] | None = None,
    ) -> None:
        super().__init__(window)
        self._drawn = drawn or (lambda: (middle,))
        self._notice, self._window, self._themes = notice, window, themes
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
        """Lie where there is room now: also to be asked for as something else is drawn in the middle."""
        if self._notice.isHidden():  # it settles as it is shown
            return
        gap, most = self._themes.px(_GAP), self._themes.px(_MOST)
        notice, room, drawn = self._notice, QRect(), self._drawn()
        written: list[QRectF] = []
        for picture in drawn:
            picture.installEventFilter(self)  # Qt keeps a filter once, however often it is installed
            room |= QRect(picture.mapTo(self._window, QPoint()), picture.size())
            if isinstance(picture, Inscribed):
                corner = QPointF(picture.mapTo(self._window, QPoint()))
                written += [place.translated(corner) for place in picture.written]
        notice.float_in(QSize(max(min(room.width() - 2 * gap, most), 1), round(_SHARE * drawn[-1].height())))
        last = max(room.bottom() + 1 - self._themes.px(_BELOW) - notice.height(), gap)
        first = max(last - round(_SHARE * room.height()), min(room.y(), last))
        beside = room.width() - notice.width()
        places = [
            QRect(QPoint(room.x() + left, top), notice.size())
            for top in range(last, first - 1, -gap)
            for left in (beside // 2, beside - gap, gap)
        ]
        notice.move(_best_of(places, written).topLeft())
        self._rise()

    def _rise(self) -> None:
        """Lie over the middle and the panels, but under a card that dims them."""
        if self._notice.isHidden():
            return
        self._notice.raise_()
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        for card in self._window.findChildren(OverlayCard, options=directly):
            if card.isVisible():
                self._notice.stackUnder(card)


def _best_of(places: Sequence[QRect], written: Sequence[QRectF]) -> QRect:
    """The lowest place that covers nothing that is written, or else not the lowest line of it.

    That is the line of figures; above it are the numbers of an axis, which can be told from one another's.
    """
    lowest = max(written, key=QRectF.bottom, default=QRectF())
    line = [words for words in written if words.bottom() > lowest.top()]

    def free_of(words: Sequence[QRectF]) -> QRect | None:
        return next((place for place in places if not any(map(QRectF(place).intersects, words))), None)

    return free_of(written) or free_of(line) or places[0]
