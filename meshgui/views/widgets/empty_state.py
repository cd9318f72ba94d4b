"""What an empty panel says: why it is empty, and a button that does something about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from meshgui.views.style.theme import ThemeManager

__all__ = ["EmptyState"]


class EmptyState(QWidget):
    """Words, and below them a button."""

    def __init__(self, themes: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("type", "muted")
        self.button = QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.words)
        self._column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addStretch(1)
        themes.changed.connect(self._wear)
        self._wear()

    def invite(self, words: str, button: str) -> None:
        """Say something else; without words for the button there is none."""
        self.words.setText(words)
        self.button.setText(button)
        self.button.setVisible(bool(button))

    def _wear(self) -> None:
        px = self._themes.px
        self._column.setContentsMargins(px(12), px(8), px(12), px(8))
        self._column.setSpacing(px(8))
