"""The use of one channel over time as a small curve, with the present moment marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.model.network_tables import ChannelTraffic, bins
from meshgui.model.tables import PlainTable
from meshgui.views.exporting.off_screen_copy import paint_twin, picture_size
from meshgui.views.style.theme import Dress, Theme

__all__ = ["UseCurve"]

_HEIGHT = 72
_PICTURE = QSize(640, 220)  # in a panel it is but a strip
_BIN = 3  # the design's pixels of a column


class UseCurve(QWidget):
    """Columns from 0 to 100 percent; a click goes to its cycle."""

    picked = Signal(int)

    def __init__(self, themes: Dress, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._traffic: ChannelTraffic | None = None
        self._span = (0, 1)
        self._cycle = 0
        self._drawn: tuple[object, ...] = ()
        self._channel = "the channel"
        self._heights = self._edges = np.zeros(0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Use over time; click to go there")
        themes.changed.connect(self._wear)
        self._wear()

    def show_traffic(self, traffic: ChannelTraffic, span: tuple[int, int], cycle: int) -> None:
        """Show a channel over some cycles, and where we are."""
        self._traffic, self._span, self._cycle = traffic, (span[0], max(span)), cycle
        self.update()

    @property
    def heights(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """What is drawn: the share of its cycles in which the channel carried a flit, column by column."""
        self._count()
        return self._heights

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """See `draw`."""
        super().paintEvent(event)
        painter = QPainter(self)
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draw columns, their frame, and the line that says now."""
        if self._traffic is None:
            return
        self._count()
        theme, px = self._themes.theme, self._themes.px
        room = self._room()
        painter.setFont(self._themes.text("caption"))
        painter.setPen(theme.colour("hairline"))
        painter.drawLine(room.topLeft(), room.topRight())
        outline = QPolygonF([room.bottomLeft()])
        for height, left, right in zip(self._heights, self._edges[:-1], self._edges[1:], strict=True):
            y = room.bottom() - room.height() * float(height)
            outline.append(QPointF(self._x(left), y))
            outline.append(QPointF(self._x(right), y))
        outline.append(room.bottomRight())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("muted", 0.65))
        painter.drawPolygon(outline)
        painter.setPen(theme.colour("outline"))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.setPen(theme.colour("muted"))
        below = QRectF(room.left(), room.bottom() + px(2), room.width(), px(16))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, str(self._span[0]))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, str(self._span[1]))
        painter.drawText(QRectF(room.left(), 0, room.width(), px(16)), Qt.AlignmentFlag.AlignLeft, "100 %")
        if self._span[0] <= self._cycle <= self._span[1]:
            painter.fillRect(
                QRectF(self._x(self._cycle) - px(1), room.top(), px(2), room.height()), theme.colour("accent")
            )

    # What is exported

    def name(self, channel: str) -> None:
        """Say what the channel is called, for the title of a picture."""
        self._channel = channel

    def picture_title(self) -> str:
        """See Picture."""
        return f"Use of {self._channel}, cycles {self._span[0]} to {self._span[1]}"

    def picture_size(self) -> QSize:
        """See Picture."""
        return picture_size(self, self._themes).expandedTo(_PICTURE)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        paint_twin(painter, rect, theme, self.picture_title(), self._twin)

    def tables(self) -> Sequence[PlainTable]:
        """The columns drawn: the cycles of each, and the share of them in which a flit crossed."""
        heights = self.heights
        edges: list[int] = self._edges.astype(np.int64).tolist()
        rows = tuple(
            (begin, end - 1, share) for (begin, end), share in zip(pairwise(edges), heights, strict=True)
        )
        return (PlainTable(self.picture_title(), ("First cycle", "Last cycle", "Use"), rows),)

    def _twin(self, dress: Dress, size: QSize) -> UseCurve:
        twin = UseCurve(dress)
        if self._traffic is not None:
            twin.show_traffic(self._traffic, self._span, self._cycle)
        twin.setFixedSize(size)
        return twin

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Go to the cycle that was clicked."""
        room = self._room()
        if self._traffic is not None and event.button() == Qt.MouseButton.LeftButton:
            share = (event.position().x() - room.left()) / max(room.width(), 1.0)
            begin, end = self._span
            self.picked.emit(min(int(begin + max(share, 0.0) * (end + 1 - begin)), end))

    def _room(self) -> QRectF:
        px = self._themes.px
        return QRectF(px(12), px(18), max(self.width() - px(24), 1), max(self.height() - px(36), 1))

    def _x(self, cycle: float) -> float:
        begin, end = self._span
        room = self._room()
        return float(room.left() + (cycle - begin) / (end + 1 - begin) * room.width())

    def _count(self) -> None:
        columns = max(int(self._room().width()) // max(self._themes.px(_BIN), 1), 1)
        wanted = (self._traffic, self._span, columns)
        if self._traffic is not None and not _same(wanted, self._drawn):
            self._drawn = wanted
            self._heights, self._edges = bins(self._traffic, *self._span, columns)

    def _wear(self) -> None:
        self.setFixedHeight(self._themes.px(_HEIGHT))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as it is, and as wide as there is room."""
        return QSize(self._themes.px(200), self._themes.px(_HEIGHT))


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Whether two askings are for the same; traffic holds arrays and is told apart by what it is."""
    return bool(other) and one[0] is other[0] and one[1:] == other[1:]
