"""The row above a live plot: the unit of its amounts, and what its dots and lines are."""

from __future__ import annotations

from typing import Final, NamedTuple

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QResizeEvent

from meshgui.model.charts.label_places import elided, fair_width
from meshgui.views.style.direction import is_rtl, mirror, write

_SAMPLE: Final = 18  # the length of a line's sample
_GAP: Final = 6  # between a sample and its words
_APART: Final = 18  # between two entries


class PlotLegendEntry(NamedTuple):
    """Words, and before them a sample of what is drawn, if any."""

    words: str
    item: pg.ScatterPlotItem | pg.PlotCurveItem | None = None


class PlotLegend(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """One line above the axes, so that it covers no data; the longest words give way where it is narrow."""

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
        self.setFixedHeight(QFontMetricsF(font).height())
        self._refresh()

    @property
    def placed(self) -> list[tuple[float, PlotLegendEntry]]:
        """The entries as there is room for them, each with its place from where one begins to read."""
        advance = QFontMetricsF(self._font).horizontalAdvance
        apart, lengths = _APART * self._scale, [self._sample_of(entry) for entry in self.entries]
        room = self.width() - sum(lengths) - apart * (len(self.entries) - 1)
        most = fair_width([advance(entry.words) for entry in self.entries], room)
        left, found = 0.0, []
        for entry, length in zip(self.entries, lengths, strict=True):
            shown = elided(entry.words, most, advance)
            found.append((left, entry._replace(words=shown)))
            left += length + advance(shown) + apart
        return found

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say in a tip what has no room."""
        super().resizeEvent(event)
        self._refresh()

    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw each sample before its words."""
        painter.save()
        if is_rtl():
            mirror(painter, QRectF(0, 0, self.width(), self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self._font)
        middle = self.height() / 2
        base = middle + (metrics.ascent() - metrics.descent()) / 2
        for left, entry in self.placed:
            if entry.item is not None:
                self._draw_sample(painter, entry.item, QPointF(left, middle))
            painter.setFont(self._font)
            painter.setPen(self._colour)
            write(painter, QPointF(left + self._sample_of(entry), base), entry.words)
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
        shown, whole = [entry.words for _, entry in self.placed], [entry.words for entry in self.entries]
        self.setToolTip("" if shown == whole else "\n".join(whole))
        self.update()
