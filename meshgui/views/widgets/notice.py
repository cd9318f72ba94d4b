"""A slim bar above the mesh for one sentence that the user must know."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel

from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.tool_button import tool_button

__all__ = ["Notice"]


class Notice(QFrame):
    """Shows one sentence until it is dismissed or replaced."""

    closed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._themes = themes
        self.setObjectName("notice")
        sign = tool_button(icons, "triangle-alert", "")
        sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = tool_button(icons, "x", "Dismiss", self.dismiss)
        for button in (sign, close):
            button.setAutoRaise(True)
        Sizing(themes, self).row(sign, (self._text, 1), close, on=self, margins=(12, 4, 4, 4), spacing=8)
        self._dress()
        themes.changed.connect(self._dress)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown, or an empty one."""
        return self._text.text() if not self.isHidden() else ""

    def tell(self, text: str) -> None:
        """Show a sentence."""
        self._text.setText(text)
        self.show()

    def dismiss(self) -> None:
        """Hide the bar."""
        self.hide()
        self.closed.emit()

    def _dress(self) -> None:
        theme = self._themes.theme
        self._text.setFont(self._themes.text("body"))
        edge = f"border: none; border-bottom: 1px solid {theme.blocked};"
        self.setStyleSheet(f"#notice {{ background: {theme.raised}; {edge} }}")
