"""Tooltips that depend on the place under the pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

__all__ = ["Tips"]


class Tips(QObject):
    """Shows a widget's tooltip at a point of it; none where there are no words."""

    def __init__(self, widget: QWidget, words_at: Callable[[QPointF], str]) -> None:
        super().__init__(widget)
        self._widget, self._words_at = widget, words_at
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show the words at the pointer."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return False
        words = self._words_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), words, self._widget) if words else QToolTip.hideText()
        return True
