"""A button with an icon, if any, and its words in the tooltip."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QToolButton

from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing

_ICON: Final = 16  # pixels of an icon's side


def tool_button(
    shelf: IconShelf, icon: str, words: str, does: Callable[..., object] | SignalInstance | None = None
) -> QToolButton:
    """A button with an icon; as Qt has it, Tab reaches it, and a click leaves Space and the arrows alone."""
    button = QToolButton()
    button.setToolTip(words)
    button.setAccessibleName(words)
    if does is not None:
        button.clicked.connect(does)
    Sizing(shelf.themes, button).icons(_ICON, button)
    if icon:
        shelf.dress(button, icon)
    return button
