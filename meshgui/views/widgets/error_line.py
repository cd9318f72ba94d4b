"""An error message in one line, below the field concerned."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from meshgui.engine.basics.words import legible
from meshgui.views.style.direction import isolated
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.tinting import tinted


class ErrorLine(QWidget):
    """One line with an error and its icon; hidden while there is none."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes, self.said = themes, ""
        self._sign = QLabel()
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        sizing = Sizing(themes, self).margins(self._sign, 0, 1, 0, 0)
        sizing.row((self._sign, 0, Qt.AlignmentFlag.AlignTop), (self.words, 1), on=self, spacing=6)
        themes.changed.connect(self._dress)
        self._dress()
        self.hide()

    def say(self, words: str, *, capital: bool = True) -> None:
        """Show an error, or none; without a capital where the sentence begins with what was typed."""
        if capital:
            words = words[:1].upper() + words[1:]
        words = legible(words)
        if words != self.said:
            self.said = words
            self.words.setText(isolated(words))
            self.setVisible(bool(words))

    def _dress(self) -> None:
        self.words.setFont(self._themes.text("caption"))
        sign, side = QIcon(tinted("triangle-alert", self._themes.theme.prohibited)), self._themes.px(14)
        self._sign.setPixmap(sign.pixmap(side, side))
