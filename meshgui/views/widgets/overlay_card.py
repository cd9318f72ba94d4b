"""A card that floats over a window and dims it; Escape or a click beside it dismisses it."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QAccessible, QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.own_keys import keeps_key

_SHADOW_WIDTH = 16


class OverlayCard(QWidget):
    """Covers its host window and places one card on it; a subclass fills and places the card."""

    accessible_role = QAccessible.Role.Dialog
    closing_key = ""
    """The key of the command that opens the card, which dismisses it, too."""
    dismissed = Signal()

    def __init__(self, host: QWidget, themes: ThemeManager) -> None:
        super().__init__(host)
        self._host = host
        self.themes = themes
        self._focus_before: QWidget | None = None
        self.card = QFrame(self)
        self.card.setProperty("floating", True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.hide()
        host.installEventFilter(self)
        themes.changed.connect(self._redress)

    def place(self) -> None:
        """Place the card; called whenever the host changes its size."""
        raise NotImplementedError

    def open(self) -> None:
        """Show the card above everything else in the window."""
        if not self.isVisible():
            self._focus_before = QApplication.focusWidget()
        self.setGeometry(self._host.rect())
        self.place()
        self.raise_()
        self.show()
        self.setFocus()

    def dismiss(self) -> None:
        """Hide the card and return the focus to the widget that had it, or to none; it keeps no keys."""
        if not self.isVisible():
            return
        self.hide()
        if (focused := self.focusWidget()) is not None:
            focused.clearFocus()
        if self._focus_before is not None and shiboken6.isValid(self._focus_before):
            self._focus_before.setFocus()
        self._focus_before = None
        self.dismissed.emit()

    def toggle(self) -> None:
        """Open the card, or dismiss it if it is open."""
        if self.isVisible():
            self.dismiss()
        else:
            self.open()

    def _redress(self) -> None:
        if self.isVisible():
            self.place()
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent, /) -> bool:  # noqa: N802 - Qt's name
        """Keep covering the host."""
        if watched is self._host and event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._host.rect())
            self.place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent, /) -> bool:
        """Keep keys from the commands of the window while the card covers it."""
        return keeps_key(event, self._covers) or super().event(event)

    def _covers(self, event: QKeyEvent) -> bool:
        return QKeySequence(event.keyCombination()) != QKeySequence(self.closing_key)

    def focusNextPrevChild(self, onward: bool, /) -> bool:  # noqa: N802 - Qt's
        """Keep Tab on the card: what lies below it is covered."""
        stops = [
            widget
            for widget in self.findChildren(QWidget)
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        focused = self.focusWidget()
        if stops:
            place = stops.index(focused) if focused in stops else -1 if onward else 0
            reason = Qt.FocusReason.TabFocusReason if onward else Qt.FocusReason.BacktabFocusReason
            stops[(place + (1 if onward else -1)) % len(stops)].setFocus(reason)
        return True

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Dismiss the card on a click beside it."""
        if not self.card.geometry().contains(event.position().toPoint()):
            self.dismiss()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Dismiss the card on Escape; keep all other keys from the window below."""
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        event.accept()

    def paintEvent(self, _event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Dim the window and draw the card's shadow."""
        dark = self.themes.theme.name == "dark"
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(0, 0, 0, 110 if dark else 50))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(0, 0, 0, 7 if dark else 3))
            card = QRectF(self.card.geometry())
            width = self.themes.px(_SHADOW_WIDTH)
            for spread in range(width, 0, -1):
                radius = self.themes.px(12) + spread
                painter.drawRoundedRect(
                    card.adjusted(-spread, width / 4 - spread, spread, width / 4 + spread), radius, radius
                )
