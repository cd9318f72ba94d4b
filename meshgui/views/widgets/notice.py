"""A slim bar above the mesh for one sentence that the user must know, perhaps with what to do about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import push_button
from meshgui.views.widgets.tool_button import tool_button

__all__ = ["Notice", "NoticeAction"]


NoticeAction = tuple[str, str, Callable[[], object]]
"""The title of a button, its hint, and what it does."""


class Notice(QFrame):
    """Shows one sentence, and buttons if it is a question, until it is dismissed or replaced."""

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
        close = tool_button(icons, "x", tr("Dismiss"), self.dismiss)
        for button in (sign, close):
            button.setAutoRaise(True)
        self._actions = QHBoxLayout()
        row = (sign, (self._text, 1), self._actions, close)
        Sizing(themes, self).spacing(self._actions, 8).row(*row, on=self, margins=(12, 4, 4, 4), spacing=8)
        self._dress()
        themes.changed.connect(self._dress)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown, or an empty one."""
        return self._text.text() if not self.isHidden() else ""

    @property
    def asks(self) -> bool:
        """Whether a question is shown."""
        return not self.isHidden() and self._actions.count() > 0

    def tell(self, text: str, *actions: NoticeAction) -> None:
        """Show a sentence, with a button for each answer if it is a question."""
        while (old := self._actions.takeAt(0)) is not None:
            if (button := old.widget()) is not None:
                button.deleteLater()
        for title, hint, act in actions:
            self._actions.addWidget(push_button(title, hint, act))
        self._text.setText(legible(text))
        self.show()

    def clear(self) -> None:
        """Dismiss a sentence; a question stays until it is answered."""
        if not self.asks:
            self.dismiss()

    def dismiss(self) -> None:
        """Hide the bar."""
        self.hide()
        self.closed.emit()

    def _dress(self) -> None:
        theme = self._themes.theme
        self._text.setFont(self._themes.text("body"))
        edge = f"border: none; border-bottom: 1px solid {theme.blocked};"
        self.setStyleSheet(f"#notice {{ background: {theme.raised}; {edge} }}")
