"""A grid of cards of one width that fills its own, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QGridLayout, QWidget

from meshgui.views.window.scenario_entry import ScenarioEntry


class CardGrid(QWidget):
    """Lays its cards out row by row, and again when its width changes."""

    def __init__(self, cards: Sequence[ScenarioEntry]) -> None:
        super().__init__()
        self._cards = tuple(cards)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._lay_out(1)

    def offer(self, cards: Sequence[ScenarioEntry]) -> None:
        """Show other cards."""
        for card in self._cards:
            card.hide()
            card.deleteLater()
        self._cards = tuple(cards)
        columns, self._columns = max(self._columns, 1), 0
        self._lay_out(columns)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the width of one column: the others come back with the room for them."""
        width = max((card.sizeHint().width() for card in self._cards), default=0)
        return QSize(width, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Use the width there is, and fit the cards again when their letters have another size."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._fit()
        return done

    def _fit(self) -> None:
        """Lay the cards out; a row is as high as its longest title needs, for which no grid of Qt asks."""
        width = max((card.sizeHint().width() for card in self._cards), default=1)
        columns = max(self.width() // width, 1)
        self._lay_out(columns)
        widest = -(-self.width() // columns)
        for place in range(0, len(self._cards), columns):
            row = self._cards[place : place + columns]
            height = max(card.heightForWidth(widest) for card in row)
            for card in row:
                card.fit(widest, height)

    def _lay_out(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, int(column < columns))
        self._columns = columns
        for place, card in enumerate(self._cards):
            self._grid.addWidget(card, place // columns, place % columns)
