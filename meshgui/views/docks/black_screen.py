"""A black screen over a window, until the next key or click."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.widgets.own_keys import keeps_key


class BlackScreen(QWidget):
    """Covers a window in black until the next key or click."""

    accessible_role = QAccessible.Role.Dialog

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self._focus_before: QWidget | None = None
        self.setAccessibleName(tr("Black screen"))
        self.setAccessibleDescription(tr("Show nothing but black until the next key or click"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()
        host.installEventFilter(self)

    def toggle(self) -> None:
        """Cover the window, or show it again."""
        if self.isVisible():
            self.clearFocus()  # or Qt hands it on, and a button has a frame
            self.hide()
            if self._focus_before is not None and shiboken6.isValid(self._focus_before):  # it may be gone
                self._focus_before.setFocus()
            return
        self._focus_before = self._host.focusWidget()
        self.setGeometry(self._host.rect())
        self.raise_()
        self.show()
        self.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Keep covering the window."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.setGeometry(self._host.rect())
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Take every key before it is a shortcut of the window."""
        return keeps_key(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Show the window again."""
        event.accept()
        self.toggle()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Likewise."""
        event.accept()
        self.toggle()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint it black."""
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), Qt.GlobalColor.black)
