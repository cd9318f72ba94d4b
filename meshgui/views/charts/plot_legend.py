"""The row above a live plot: the unit of its amounts, and what its dots and lines are."""

from __future__ import annotations

from typing import Final, NamedTuple

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent

from meshgui.model.base.flow import in_rows
from meshgui.model.charts.label_places import elided
from meshgui.views.style.direction import is_rtl, mirror, write

_SAMPLE: Final = 18  # the length of a line's sample
_GAP: Final = 6  # between a sample and its words
_APART: Final = 18  # between two entries


class PlotLegendEntry(NamedTuple):
    """Words, and before them a sample of what is drawn, if any."""

    words: str
    item: pg.ScatterPlotItem | pg.PlotCurveItem | None = None


class PlotLegend(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """Lines above the axes, so that they cover no data: as many as the entries need."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: tuple[PlotLegendEntry, ...] = ()
        self._font, self._colour = QFont(), QColor()
        self._scale = 1.0

    def show_entries(self, *entries: PlotLegendEntry) -> None:
        """Show other entries."""
        self.entries = entries
        self._refresh()

    def set_look(self, font: QFont, colour: QColor, scale: float) -> None:
        """Apply a theme."""
        self._font, self._colour, self._scale = font, colour, scale
        self._refresh()

    @property
    def placed(self) -> list[tuple[QPointF, PlotLegendEntry]]:
        """The entries as there is room for them, each with its place from where one begins to read."""
        advance = QFontMetricsF(self._font).horizontalAdvance
        samples = [self._sample_of(entry) for entry in self.entries]
        shown = [
            elided(entry.words, self.width() - s, advance)
            for s, entry in zip(samples, self.entries, strict=True)
        ]
        widths = [sample + advance(words) for sample, words in zip(samples, shown, strict=True)]
        return [
            (QPointF(left, row * self._line), entry._replace(words=words))
            for (row, left), entry, words in zip(
                in_rows(widths, self.width(), _APART * self._scale), self.entries, shown, strict=True
            )
        ]

    @property
    def _line(self) -> float:
        """The height of one line."""
        return QFontMetricsF(self._font).height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Take the lines that are needed, and say in a tip what has no room in one."""
        super().resizeEvent(event)
        self._refresh()

    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw each sample before its words."""
        painter.save()
        if is_rtl():
            mirror(painter, QRectF(0, 0, self.width(), self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self._font)
        middle = QPointF(0, self._line / 2)
        base = middle + QPointF(0, (metrics.ascent() - metrics.descent()) / 2)
        for corner, entry in self.placed:
            if entry.item is not None:
                self._draw_sample(painter, entry.item, corner + middle)
            painter.setFont(self._font)
            painter.setPen(self._colour)
            write(painter, corner + base + QPointF(self._sample_of(entry), 0), entry.words)
        painter.restore()

    def _sample_of(self, entry: PlotLegendEntry) -> float:
        """The room of its sample."""
        return 0.0 if entry.item is None else (_SAMPLE + _GAP) * self._scale

    def _draw_sample(
        self, painter: QPainter, item: pg.ScatterPlotItem | pg.PlotCurveItem, left: QPointF
    ) -> None:
        look, length = item.opts, _SAMPLE * self._scale
        if isinstance(item, pg.ScatterPlotItem):
            painter.save()
            painter.translate(left + QPointF(length / 2, 0))
            drawSymbol(painter, look["symbol"], look["size"], look["pen"], look["brush"])
            painter.restore()
            return
        if look["fillLevel"] is not None:
            painter.fillRect(QRectF(left, left + QPointF(length, 5 * self._scale)), look["brush"])
        painter.setPen(look["pen"])
        painter.drawLine(QLineF(left, left + QPointF(length, 0)))

    def _refresh(self) -> None:
        placed = self.placed
        lines = 1 + max((corner.y() for corner, _ in placed), default=-self._line) / self._line
        self.setFixedHeight(lines * self._line)
        shown, whole = [entry.words for _, entry in placed], [entry.words for entry in self.entries]
        self.setToolTip("" if shown == whole else "\n".join(whole))
        self.update()
