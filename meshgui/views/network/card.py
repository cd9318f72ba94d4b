"""The base of the cards of a packet and a channel: a title, and a button and keys back to the table."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeyEvent

from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.following import FollowingView
from meshgui.views.widgets.labels import ElidedLabel
from meshgui.views.widgets.tool_button import tool_button


class NetworkCard(FollowingView):
    """A selected packet or channel."""

    def __init__(
        self,
        cursor: Cursor,
        selection: Selection,
        themes: ThemeManager,
        back: str,
        leave: Callable[[], None],
    ) -> None:
        super().__init__(cursor, selection, themes)
        self._shelf = IconShelf(themes)
        self.title = ElidedLabel(themes, "lead", weight=QFont.Weight.DemiBold).fill_width()
        self.back = tool_button(self._shelf, "list", back, leave)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Go back on Backspace and Escape, wherever in the card the focus is."""
        if event.key() in {Qt.Key.Key_Backspace, Qt.Key.Key_Escape}:
            self.back.click()
        else:
            super().keyPressEvent(event)
