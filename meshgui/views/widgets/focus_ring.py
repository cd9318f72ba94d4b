"""A frame over a canvas that says that the keys go there; only where they are used, not after a click."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from meshgui.views.style.theme import Dress

_BY_KEY: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


def focus_by_key(canvas: QWidget) -> None:
    """Give a canvas the focus, and show its frame also where Qt gave it the focus with its page."""
    canvas.clearFocus()
    canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)


class FocusRing(QWidget):
    """Shown over its canvas while that has the focus of the keys."""

    def __init__(self, canvas: QWidget, themes: Dress) -> None:
        super().__init__(canvas)
        self._canvas, self._themes = canvas, themes
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()
        canvas.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the focus and the size of the canvas."""
        if watched is self._canvas:
            if isinstance(event, QFocusEvent):
                self.setGeometry(self._canvas.rect())
                self.setVisible(event.gotFocus() and event.reason() in _BY_KEY)
                self.raise_()
            elif event.type() == QEvent.Type.Resize:  # also before the canvas is first seen
                self.setGeometry(self._canvas.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Draw the frame in the accent's colour."""
        width = self._themes.px(2)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._themes.theme.colour("accent"), width))
            inset = width / 2
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 4, 4)
