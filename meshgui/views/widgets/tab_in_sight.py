"""Takes Tab to what is in sight: past what Qt lays outside the window, and to where it was scrolled away."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QScrollArea, QWidget


def tab_in_sight(window: QWidget, step: Callable[[], bool]) -> bool:
    """Step to the next that takes the keys until it is in sight; whether there is one."""
    passed: set[QWidget] = set()  # the way need not lead back to the first of them
    while step():
        focused = window.focusWidget()
        _scroll_to(focused)
        place = QRect(focused.mapTo(window, QPoint()), focused.size())
        if window.rect().intersects(place) or focused in passed:
            return True
        passed.add(focused)
    return False


def _scroll_to(widget: QWidget) -> None:
    """Scroll to a widget of which nothing is seen: Qt does so only for a step inside of a scroll area."""
    area = widget.parentWidget()
    while area is not None and widget.visibleRegion().isEmpty():
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget)
        area = area.parentWidget()
