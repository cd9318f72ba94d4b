"""The card of a sheet: words for the last row, with the colour of their job, and a button that closes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel

from meshgui.engine.basics.translation import tr
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.labels import Swatch
from meshgui.views.widgets.tool_button import tool_button

_ONE_LINE: Final = 100_000  # pixels: a width in which any words are one line


class SheetCard(QFrame):
    """Floats over the mesh's ground."""

    def __init__(
        self, words: QLabel, themes: ThemeManager, icons: IconShelf, dismiss: Callable[[], object]
    ) -> None:
        super().__init__()
        self.setProperty("floating", True)
        self._words, self._swatch = words, Swatch(themes)
        close = tool_button(icons, "x", tr("Dismiss"), dismiss)
        close.setAutoRaise(True)
        sizing = Sizing(themes, self)
        row = sizing.row(self._swatch, (words, 1), close, on=self, margins=(16, 8, 8, 8), spacing=12)
        for part in (self._swatch, close):
            row.setAlignment(part, Qt.AlignmentFlag.AlignTop)

    def show_job(self, job: int | None) -> None:
        """Show the colour of a job, or of none."""
        self._swatch.show_job(job)

    def fit(self) -> None:
        """Put the colour beside the first line, however large its letters are."""
        self._swatch.setFixedHeight(self._words.heightForWidth(_ONE_LINE))
