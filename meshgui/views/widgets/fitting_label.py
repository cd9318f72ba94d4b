"""One line of text with shorter wordings: where the whole one has no room, the longest that has is shown."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics

from meshgui.views.widgets.labels import ElidedLabel

__all__ = ["FittingLabel"]


class FittingLabel(ElidedLabel):
    """A number cut short is another number, so whole words are left out instead; the tooltip has them all."""

    _shorter: tuple[str, ...] = ()

    def say(self, *wordings: str) -> None:
        """Show the first of these that fits, the whole one first; without any, that nothing is known."""
        if wordings:
            self.setText(wordings[0])
            self._shorter = wordings[1:]
        else:
            self.show_unknown()
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
