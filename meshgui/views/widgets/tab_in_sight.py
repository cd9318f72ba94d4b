"""Takes Tab past what lies outside its window: Qt lays panels behind others, and stray tab bars, there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

__all__ = ["tab_in_sight"]


def tab_in_sight(window: QWidget, step: Callable[[], bool]) -> bool:
    """Step to the next that takes the keys until it is in sight; whether there is one."""
    first = None
    while step():
        focused = window.focusWidget()
        place = QRect(focused.mapTo(window, QPoint()), focused.size())
        if window.rect().intersects(place) or focused is first:
            return True
        first = first or focused
    return False
