"""A card with one line, in which a time, a job, a cycle or an event is typed to go to."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.place_words import PLACE_HINT, read_place
from meshgui.model.stepping.selection import Selection
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.line_card import LineCard


class PlaceCard(LineCard):
    """Goes to the place that is typed."""

    closing_key = "Ctrl+G"

    def __init__(self, host: QWidget, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        title = tr("Go to a time, a job, a cycle or an event")
        super().__init__(host, themes, title, tr("Go to a time, job, cycle or event"))
        self._cursor, self._selection = cursor, selection
        self.line.setPlaceholderText(PLACE_HINT)

    def take(self) -> None:
        """Go to the place, and select its job."""
        recording = self._cursor.recording
        if recording is None:
            return
        typed = read_place(self.line.text(), recording)
        if typed.instant is None:
            self.refuse(typed.fault)
            return
        self.dismiss()
        if typed.job is not None:
            self._selection.select(typed.job)
        self._cursor.go_to_instant(typed.instant)
