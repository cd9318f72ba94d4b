"""Tells which screen shows a widget, and what room a window has there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMargins, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

FRAME: Final = QMargins(8, 40, 8, 8)
"""What a window manager may put around a window."""


def screen_of(widget: QWidget) -> QScreen:
    """The screen that shows the middle of a widget.

    `widget.screen()` would make the screen a part of the widget for PySide, which sooner or later deletes it
    with the widget; the next change of a font then crashes.
    """
    middle = widget.mapToGlobal(widget.rect().center())
    return QGuiApplication.screenAt(middle) or QGuiApplication.primaryScreen()


def room_for_window(widget: QWidget) -> QSize:
    """The largest size of a window that its screen shows whole, with a frame around it."""
    return screen_of(widget).availableSize().shrunkBy(FRAME)
