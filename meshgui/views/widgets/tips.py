"""Tooltips that depend on the place under the pointer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect
from PySide6.QtGui import QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from meshgui.views.style.screens import screen_of

_GAP: Final = 4  # pixels between a tooltip and what it must not cover
_BELOW: Final = 22  # how far below the pointer a tooltip ends at most, without its own height


def show_tip(widget: QWidget, at: QPoint, words: str = "") -> None:
    """Show a tooltip of a widget at a point of the screen; without words, hide the one shown."""
    QToolTip.showText(at, words, widget)


class Tips(QObject):
    """Shows a widget's tooltip at a point of it; none where there are no words.

    What the step at hand is about, `stepped`, stays uncovered: the tooltip is placed below it, or above.
    """

    def __init__(
        self,
        widget: QWidget,
        words_at: Callable[[QPointF], str],
        stepped: Callable[[], QRect | None] = lambda: None,
    ) -> None:
        super().__init__(widget)
        self._widget, self._words_at, self._stepped = widget, words_at, stepped
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show the words at the pointer."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        words = self._words_at(QPointF(event.pos()))
        show_tip(self._widget, self._place(event.globalPos(), words), words)
        return True

    def _place(self, at: QPoint, words: str) -> QPoint:
        """The point for a tooltip near another that leaves what is stepped uncovered."""
        stepped = self._stepped()
        if stepped is None or not words:
            return at
        height = QFontMetrics(QToolTip.font()).height() * (words.count("\n") + 1) + 2 * _GAP
        keep = QRect(self._widget.mapToGlobal(stepped.topLeft()), stepped.size())
        top = at.y() + _GAP
        if top > keep.bottom() or top + height + _BELOW < keep.top():
            return at
        screen = screen_of(self._widget).availableGeometry()
        if keep.bottom() + height + _BELOW <= screen.bottom():
            return QPoint(at.x(), keep.bottom() + _GAP)
        return QPoint(at.x(), keep.top() - height - _BELOW)
