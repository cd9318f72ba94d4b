"""A grid of cards of one size that fills its width, in as many columns as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QGridLayout, QWidget


class CardGrid(QWidget):
    """Lays its cards out row by row, and again when its width changes."""

    def __init__(self, cards: Sequence[QWidget]) -> None:
        super().__init__()
        self._cards = tuple(cards)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(0)
        self._lay_out(1)

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
        """Lay the cards out; all get the height that the widest needs, which Qt's grid does not ask for."""
        width = max((card.sizeHint().width() for card in self._cards), default=1)
        columns = max(self.width() // width, 1)
        self._lay_out(columns)
        widest = -(-self.width() // columns)
        for card in self._cards:
            card.setFixedHeight(card.heightForWidth(widest))

    def _lay_out(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, int(column < columns))
        self._columns = columns
        for place, card in enumerate(self._cards):
            self._grid.addWidget(card, place // columns, place % columns)
