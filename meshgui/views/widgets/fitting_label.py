"""One line of text with shorter wordings: where the whole one has no room, the longest that has is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent

from meshgui.views.widgets.labels import ElidedLabel

__all__ = ["FittingLabel"]


class FittingLabel(ElidedLabel):
    """A number cut short is another number, so whole words are left out instead; the tooltip has them all."""

    _shorter: tuple[str, ...] = ()

    def say(self, *wordings: str) -> None:
        """Show the first of these that fits, the whole one first."""
        self.setText(wordings[0])
        self._shorter = wordings[1:]
        self.update()

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Show one text; there is no shorter way to say it."""
        self._shorter = ()
        super().setText(text)

    @property
    def shown(self) -> str:
        """The wording that there is room for; the shortest, elided, where there is none."""
        metrics, room = QFontMetrics(self.face()), self.contentsRect().width()
        wordings = (self.text(), *self._shorter)
        return next((words for words in wordings if metrics.horizontalAdvance(words) <= room), wordings[-1])

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw what there is room for."""
        if self.shown == self.text():
            super().paintEvent(event)
            return
        painter, room = QPainter(self), self.contentsRect()
        painter.setFont(self.face())
        painter.setPen(self._themes.theme.colour(self._colour))
        shown = painter.fontMetrics().elidedText(self.shown, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(self.alignment()) | Qt.TextFlag.TextSingleLine, shown)
        painter.end()
