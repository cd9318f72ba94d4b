"""The strip in the status bar that says how far work beside the window is, with a button that stops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.progress_bar import ProgressBar
from meshgui.views.widgets.tool_button import tool_button

COMPILING: Final = tr("Compiling, the first time only")


class ProgressStrip(QWidget):
    """Words, a thin bar and a button; hidden while there is no work."""

    def __init__(self, themes: ThemeManager, icons: IconShelf, hint: str, stop: Callable[[], object]) -> None:
        super().__init__()
        self._themes = themes
        self._bar, self._words = ProgressBar(), QLabel()
        self._words.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        button = tool_button(icons, "x", hint, stop)
        button.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self._words, self._bar, button):
            row.addWidget(widget)
        Sizing(themes, self).call(self._bar.setFixedSize, 120, 4)
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def _dress(self) -> None:
        self._words.setFont(self._themes.text("caption"))
