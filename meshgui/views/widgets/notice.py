"""A slim bar above the mesh for one sentence that the user must know, perhaps with what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import legible
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import push_button
from meshgui.views.widgets.tool_button import tool_button

__all__ = ["Notice", "NoticeAction"]


_LINES: Final = 2  # beside the buttons; a longer sentence has them below it

NoticeAction = tuple[str, str, Callable[[], object]]
"""The title of a button, its hint, and what it does."""


class Notice(QFrame):
    """Shows one sentence, and buttons if it is a question, until it is dismissed or replaced.

    The buttons stand beside the sentence, or below it where it would be narrow and of many lines.
    """

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
        self._buttons: list[QPushButton] = []
        self._actions.addStretch(0)
        sizing = Sizing(themes, self).spacing(self._actions, 8).icons(16, sign, close)
        self._said: QBoxLayout = sizing.row((self._text, 1), self._actions, spacing=8)
        self._row = sizing.row(sign, (self._said, 1), close, on=self, margins=(12, 4, 4, 4), spacing=8)
        for button in (sign, close):
            self._row.setAlignment(button, Qt.AlignmentFlag.AlignTop)
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
        return not self.isHidden() and bool(self._buttons)

    def tell(self, text: str, *actions: NoticeAction) -> None:
        """Show a sentence, with a button for each answer if it is a question."""
        for old in self._buttons:
            self._actions.removeWidget(old)
            old.deleteLater()
        self._buttons = [push_button(title, hint, act) for title, hint, act in actions]
        for place, button in enumerate(self._buttons):
            self._actions.insertWidget(place, button)
        self._text.setText(legible(text))
        self.show()
        self._place_buttons()

    def clear(self) -> None:
        """Dismiss a sentence; a question stays until it is answered."""
        if not self.asks:
            self.dismiss()

    def dismiss(self) -> None:
        """Hide the bar."""
        self.hide()
        self.closed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Give the sentence the width that it needs."""
        super().resizeEvent(event)
        self._place_buttons()

    def _place_buttons(self) -> None:
        """Put the buttons beside the sentence, or below it if it would have too many lines beside them."""
        space = self._said.spacing()
        room = self._said.geometry().width() - sum(b.sizeHint().width() + space for b in self._buttons)
        flags = int(Qt.TextFlag.TextWordWrap)
        metrics = QFontMetrics(self._text.font())
        needed = metrics.boundingRect(0, 0, max(room, 1), 0, flags, self._text.text()).height()
        below = bool(self._buttons) and needed > _LINES * metrics.lineSpacing()
        way = QBoxLayout.Direction.TopToBottom if below else QBoxLayout.Direction.LeftToRight
        if way != self._said.direction():
            self._said.setDirection(way)
            self._actions.setStretch(
                self._actions.count() - 1, int(below)
            )  # they begin where the sentence does

    def _dress(self) -> None:
        theme = self._themes.theme
        self._text.setFont(self._themes.text("body"))
        edge = f"border: none; border-bottom: 1px solid {theme.blocked};"
        self.setStyleSheet(f"#notice {{ background: {theme.raised}; {edge} }}")
