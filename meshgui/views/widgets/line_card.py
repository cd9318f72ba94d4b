"""A card with one line to type into; Enter takes what is typed, and what is wrong is said below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.overlay_card import OverlayCard

_WIDTH, _TOP = 460, 96


class LineCard(OverlayCard):
    """Stands near the top of the window; a subclass takes what is typed."""

    def __init__(self, host: QWidget, themes: ThemeManager, title: str, name: str, hint: str = "") -> None:
        super().__init__(host, themes)
        self.fault = ErrorLine(themes)
        self.line = QLineEdit(self.card)
        for named in (self, self.line):
            named.setAccessibleName(name)
        self.line.returnPressed.connect(self.take)
        self.line.textEdited.connect(lambda: self.fault.say(""))
        hints = [label(hint, "caption", wrap=True)] if hint else []
        self._column = Sizing(themes, self).column(
            *(label(title, "lead"), self.line, self.fault, *hints),
            on=self.card,
            margins=(16, 12, 16, 16),
            spacing=8,
        )

    def take(self) -> None:
        """Take what is typed, and dismiss the card, or refuse it."""
        raise NotImplementedError

    def refuse(self, fault: str) -> None:
        """Say what is wrong with what is typed."""
        self.fault.say(fault)
        self.place()

    def place(self) -> None:
        """Place the card near the top of the window."""
        width = min(self.themes.px(_WIDTH), self.width() - self.themes.px(24))
        wraps = self._column.hasHeightForWidth()
        self.card.resize(
            width, self._column.heightForWidth(width) if wraps else self.card.sizeHint().height()
        )
        self.card.move((self.width() - width) // 2, min(self.themes.px(_TOP), self.height() // 6))

    def open(self) -> None:
        """Show the card with what was typed last, chosen."""
        self.fault.say("")
        super().open()
        self.line.selectAll()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)
