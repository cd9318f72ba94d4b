"""Keeps the keys of a widget from the commands of its window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent


def keeps_key(event: QEvent, is_own: Callable[[QKeyEvent], bool] = lambda _event: True) -> bool:
    """Whether an event asks for a key that is the widget's own; it is then accepted, as no shortcut."""
    own = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_own(event)
    if own:
        event.accept()
    return own
