"""The content of an empty panel: why it is empty, and a button that fills it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label, left


class EmptyState(QWidget):
    """A text, and below it a button."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self.words = label(kind="muted", wrap=True)
        self.button = QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        parts = self.words, left(self.button), 1
        Sizing(themes, self).column(*parts, on=self, margins=(12, 8, 12, 8), spacing=8)

    def invite(self, words: str, button: str) -> None:
        """Set the text and the button; an empty label hides the button."""
        self.words.setText(words)
        self.button.setText(button)
        self.button.setVisible(bool(button))
