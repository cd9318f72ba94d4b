"""A card with one line, in which a time, a job, a cycle or an event is typed to go to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from meshgui.model.cursor import Cursor
from meshgui.model.place_words import PLACE_HINT, read_place
from meshgui.model.selection import Selection
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.error_line import ErrorLine
from meshgui.views.widgets.overlay_card import OverlayCard

__all__ = ["PlaceCard"]

_WIDTH, _TOP = 460, 96


class PlaceCard(OverlayCard):
    """Enter goes to the place that is typed and closes the card; what is wrong is said below the line."""

    def __init__(self, host: QWidget, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(host, themes)
        self._cursor, self._selection = cursor, selection
        self.fault = ErrorLine(themes)
        self.line = QLineEdit(self.card)
        self.line.setPlaceholderText(PLACE_HINT)
        self.line.setAccessibleName("Go to a time, job, cycle or event")
        self.line.returnPressed.connect(self._go)
        self.line.textEdited.connect(lambda: self.fault.say(""))
        title = label("Go to a time, a job, a cycle or an event", "lead")
        sizing = Sizing(themes, self)
        self._column = sizing.column(
            title, self.line, self.fault, on=self.card, margins=(16, 12, 16, 16), spacing=8
        )

    def place(self) -> None:
        """Place the card near the top of the window."""
        width = min(self.themes.px(_WIDTH), self.width() - self.themes.px(24))
        self.card.resize(width, max(self._column.heightForWidth(width), self.card.sizeHint().height()))
        self.card.move((self.width() - width) // 2, min(self.themes.px(_TOP), self.height() // 6))

    def open(self) -> None:
        """Show the card with what was typed last, chosen."""
        self.fault.say("")
        super().open()
        self.line.selectAll()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go(self) -> None:
        recording = self._cursor.recording
        if recording is None:
            return
        typed = read_place(self.line.text(), recording)
        if typed.instant is None:
            self.fault.say(typed.fault)
            self.place()
            return
        self.dismiss()
        if typed.job is not None:
            self._selection.select(typed.job)
        self._cursor.go_to_instant(typed.instant)
