"""A line of text with shorter wordings: shows the longest that fits."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics

from meshgui.views.widgets.labels import ElidedLabel

__all__ = ["FittingLabel"]


class FittingLabel(ElidedLabel):
    """Shows the longest wording that fits, as a number cut short is another number; the tooltip has all."""

    _shorter: tuple[str, ...] = ()

    def say(self, *wordings: str) -> None:
        """Show the first of these texts that fits, longest first; without any, a dash for unknown."""
        if wordings:
            self.setText(wordings[0])
            self._shorter = wordings[1:]
        else:
            self.show_unknown()
        self.update()

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        """Show one text, without shorter wordings."""
        self._shorter = ()
        super().setText(text)

    @property
    def shown(self) -> str:
        """The wording that fits; if none does, the shortest, elided."""
        metrics, room = QFontMetrics(self.face()), self.contentsRect().width()
        wordings = (self.text(), *self._shorter)
        return next((words for words in wordings if metrics.horizontalAdvance(words) <= room), wordings[-1])
