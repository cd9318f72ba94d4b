"""Keeps choices in the settings, as JSON, and where a window is and how it is divided; never Qt's own states.

What the settings hold is taken up within reason: a window is on a screen and fits there.
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple, TypeVar

from PySide6.QtCore import QRect, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSplitter, QWidget

from meshgui.model.document.arrangement_reader import read_lengths, read_rect
from meshgui.views.style.screens import FRAME

V = TypeVar("V", str, bool, int, float)

_MOST: Final = 2**31  # no number of ours is as large, and Qt takes none


def keep(settings: QSettings, key: str, data: object) -> None:
    """Write values of JSON."""
    settings.setValue(key, json.dumps(data))


def kept(settings: QSettings, key: str) -> object:
    """The values of JSON that were written; None where there are none."""
    try:
        return json.loads(str(settings.value(key)))
    except (ValueError, RecursionError):
        return None


def kept_or(settings: QSettings, key: str, otherwise: V) -> V:
    """The value that was written, if it is of the same kind as another, else that; also a plain text."""
    value = settings.value(key)
    try:
        found = json.loads(str(value))
    except (ValueError, RecursionError):
        found = value  # as older versions wrote it
    if isinstance(otherwise, str) or not isinstance(found, int | float):
        return found if isinstance(found, type(otherwise)) else otherwise
    return type(otherwise)(found) if abs(found) < _MOST else otherwise


class WindowPlace(NamedTuple):
    """Where a window is, or was before it was maximized."""

    rect: QRect
    maximized: bool

    @classmethod
    def of(cls, window: QWidget) -> WindowPlace:
        """The place of a window."""
        spread = window.isMaximized() or window.isFullScreen()
        return cls(window.normalGeometry() if spread else window.geometry(), window.isMaximized())

    def keep(self, settings: QSettings, key: str) -> None:
        """Write the place."""
        left, top = self.rect.left(), self.rect.top()
        keep(settings, key, {"place": [left, top, *self.rect.size().toTuple()], "maximized": self.maximized})


def place_as_kept(window: QWidget, settings: QSettings, key: str) -> None:
    """Put a window where it was; leave it where nothing is kept.

    Where no screen has that place it is moved and shrunk onto one, with its title in reach.
    """
    data = kept(settings, key)
    numbers = read_rect(data.get("place")) if isinstance(data, dict) else None
    if not isinstance(data, dict) or numbers is None:
        return
    rect = QRect(*numbers)
    screen = QGuiApplication.screenAt(rect.center()) or QGuiApplication.primaryScreen()
    room = screen.availableGeometry()
    if not room.contains(rect):
        room = room.marginsRemoved(FRAME)
    rect.setSize(rect.size().boundedTo(room.size()))
    rect.moveLeft(min(max(rect.left(), room.left()), room.right() + 1 - rect.width()))
    rect.moveTop(min(max(rect.top(), room.top()), room.bottom() + 1 - rect.height()))
    window.setGeometry(rect)
    if data.get("maximized") is True:
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)


def keep_division(settings: QSettings, key: str, splitter: QSplitter) -> None:
    """Write the sizes of the parts, unless one of them is hidden."""
    if all(splitter.sizes()):
        keep(settings, key, splitter.sizes())


def divide_as_kept(splitter: QSplitter, settings: QSettings, key: str) -> bool:
    """Divide as it was; whether that is kept."""
    sizes = read_lengths(kept(settings, key), splitter.count())
    if sizes is None or not any(sizes):
        return False
    splitter.setSizes(sizes)
    return True
