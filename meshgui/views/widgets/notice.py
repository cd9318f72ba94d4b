"""A slim bar above the mesh for one sentence that the user must know."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager

__all__ = ["Notice"]


class Notice(QFrame):
    """Shows one sentence until it is dismissed or the next one comes."""

    closed = Signal()

    def __init__(self, themes: ThemeManager, icons: IconShelf, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self.setObjectName("notice")
        self._sign = QToolButton(self)
        self._sign.setAutoRaise(True)
        self._sign.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        icons.dress(self._sign, "triangle-alert")
        self._text = QLabel(self)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._close = QToolButton(self)
        self._close.setAutoRaise(True)
        self._close.setToolTip("Dismiss")
        icons.dress(self._close, "x")
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._close)
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
        px = self._themes.px
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(px(12), px(4), px(4), px(4))
            layout.setSpacing(px(8))
        theme = self._themes.theme
        self._text.setFont(self._themes.text("body"))
        edge = f"border: none; border-bottom: 1px solid {theme.blocked};"
        self.setStyleSheet(f"#notice {{ background: {theme.raised}; {edge} }}")
