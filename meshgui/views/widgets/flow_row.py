"""A row of parts that breaks into lines where its width has no room for all of them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QStyle, QWidget, QWidgetItem

from meshgui.model.base.flow import in_rows
from meshgui.views.style.direction import is_rtl


class FlowRow(QLayout):
    """Parts that stretch share what a line has left; a line without any stands at its end."""

    def __init__(self) -> None:
        super().__init__()
        self._items: list[tuple[QLayoutItem, int]] = []  # each with its stretch
        self._high = 0  # of the lines at the width that it has

    def add(self, part: QWidget, stretch: int = 0) -> None:
        """Add a part; one that stretches may be as narrow as its minimum."""
        self.addChildWidget(part)
        self._items.append((QWidgetItem(part), stretch))
        self.invalidate()

    def addItem(self, item: QLayoutItem, /) -> None:  # noqa: N802 - Qt's name
        """Add an item that does not stretch."""
        self._items.append((item, 0))

    def count(self) -> int:
        """How many parts there are."""
        return len(self._items)

    def itemAt(self, index: int, /) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """A part; Qt asks until there is none."""
        return self._items[index][0] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int, /) -> QLayoutItem | None:  # noqa: N802 - Qt's name
        """Take a part out."""
        return self._items.pop(index)[0] if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802 - Qt's name
        """It takes what it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        """Its lines depend on its width."""
        return True

    def heightForWidth(self, width: int, /) -> int:  # noqa: N802 - Qt's name
        """The height of its lines at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """All in one line."""
        widths = [_least(item, stretch) for item, stretch in self._shown()]
        wide = sum(widths) + self.spacing() * max(len(widths) - 1, 0)
        return QSize(wide, self._line()).grownBy(self.contentsMargins())

    def minimumSize(self) -> QSize:  # noqa: N802 - Qt's name
        """As narrow as its widest part can be, and as high as its lines: a splitter asks for no more."""
        wide = max((item.minimumSize().width() for item, _ in self._shown()), default=0)
        least = QSize(wide, self._line()).grownBy(self.contentsMargins())
        return least.expandedTo(QSize(0, self._high))

    def setGeometry(self, place: QRect, /) -> None:  # noqa: N802 - Qt's name
        """Put every part where it belongs."""
        super().setGeometry(place)
        high = self._place(place, move=True)
        if high != self._high:
            self._high = high
            self.update()

    def _shown(self) -> list[tuple[QLayoutItem, int]]:
        return [(item, stretch) for item, stretch in self._items if not item.isEmpty()]

    def _line(self) -> int:
        return max((item.sizeHint().height() for item, _ in self._shown()), default=0)

    def _place(self, place: QRect, *, move: bool) -> int:
        """Find the lines of a place, and the height that they need with what is around them."""
        inner, gap = place.marginsRemoved(self.contentsMargins()), self.spacing()
        shown = [(item, share, min(_least(item, share), inner.width())) for item, share in self._shown()]
        rows = [row for row, _ in in_rows([width for *_, width in shown], inner.width(), gap)]
        top = inner.top()
        for number in range(rows[-1] + 1 if rows else 0):
            line = [part for part, row in zip(shown, rows, strict=True) if row == number]
            high = max(item.sizeHint().height() for item, *_ in line)
            left = inner.width() - sum(width for *_, width in line) - gap * (len(line) - 1)
            shares = sum(stretch for _, stretch, _ in line)
            x = inner.left() + (0 if shares or not number else max(left, 0))
            for item, stretch, least in line:
                wide = least + (max(left, 0) * stretch // shares if shares else 0)
                if move:
                    tall = min(item.sizeHint().height(), item.maximumSize().height())
                    wide = min(wide, item.maximumSize().width())
                    spot = QRect(QPoint(x, top + (high - tall) // 2), QSize(wide, tall))
                    way = Qt.LayoutDirection.RightToLeft if is_rtl() else Qt.LayoutDirection.LeftToRight
                    item.setGeometry(QStyle.visualRect(way, inner, spot))
                x += wide + gap
            top += high + gap
        return max(top - gap, inner.top()) - inner.top() + place.height() - inner.height()


def _least(item: QLayoutItem, stretch: int) -> int:
    return item.minimumSize().width() if stretch else item.sizeHint().width()
