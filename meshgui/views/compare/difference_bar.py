"""Goes from one difference of the compared runs to the next, and says what each is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.translation import tr
from meshgui.model.stepping.links import Links
from meshgui.views.style.icons import IconShelf
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import LETTERS, ThemeManager
from meshgui.views.widgets.building import label
from meshgui.views.widgets.linked_label import LinkedLabel
from meshgui.views.widgets.tool_button import tool_button

_ROOM: Final = 320  # the width below which a sentence needs the place of what stands beside it
_SIDE: Final = 12  # beside its parts


class DifferenceBar(QWidget):
    """Two buttons and a sentence of two lines, for which room is kept, so that no mesh moves.

    `first` stands before them. Where the sentence has too little room the word at the buttons goes, then it.
    """

    asked = Signal(int)  # the next difference (1) or the previous one (-1)

    def __init__(self, first: QWidget, links: Links, themes: ThemeManager, icons: IconShelf) -> None:
        super().__init__()
        self._first, self._themes, self._sizes = first, themes, LETTERS[False]
        earlier = tr("Go to the previous job that the runs treat differently (Shift+D)")
        later = tr("Go to the next job that the runs treat differently (D)")
        self.earlier = tool_button(icons, "chevron-left", earlier, partial(self.asked.emit, -1))
        self.later = tool_button(icons, "chevron-right", later, partial(self.asked.emit, 1))
        self._word = label(tr("Difference"))
        self.sentence = LinkedLabel(themes, links)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        sizing = Sizing(themes, self)
        moves = sizing.row(self.earlier, self._word, self.later, spacing=4)
        self._row = sizing.row(
            first, moves, (self.sentence, 1), on=self, margins=(_SIDE, 2, _SIDE, 6), spacing=_SIDE
        )
        sizing.rule(self._fit)

    def say(self, sentences: Sequence[str]) -> None:
        """Say what a difference is, or what has been done."""
        self.sentence.say(sentences)
        self._fit_letters()

    def present(self, *, on: bool) -> None:
        """Write the sentence for the last row, or as at the desk."""
        self._sizes = LETTERS[on]
        self._fit_letters()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Leave the room to the sentence where there is little."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        px, moves = self._themes.px, (self.earlier, self.later)
        room = (
            self.width() - px(_ROOM) - 3 * px(_SIDE) - sum(part.sizeHint().width() + px(4) for part in moves)
        )
        room -= self._first.sizeHint().width() + px(_SIDE)
        self._first.setVisible(room >= 0)
        self._word.setVisible(room >= self._word.sizeHint().width())
        self._row.activate()
        self._fit_letters()

    def _fit_letters(self) -> None:
        """Use the largest letters in which the sentence takes the room that is kept for it."""
        for size in self._sizes:
            self.sentence.setFont(self._themes.text(size))
            if size == self._sizes[0]:
                self.sentence.setMinimumHeight(2 * self.sentence.fontMetrics().lineSpacing())
            if self.sentence.heightForWidth(self.sentence.width()) <= self.sentence.minimumHeight():
                break
