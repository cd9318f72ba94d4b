"""The row above a live plot: the unit of its amounts, and what its dots and lines are."""

from __future__ import annotations

from collections.abc import Sequence
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
    """A sample of what is drawn, and its words."""

    item: pg.ScatterPlotItem | pg.PlotCurveItem
    words: str


class _Placed(NamedTuple):
    entry: PlotLegendEntry
    left: float
    words: str


class PlotLegend(pg.GraphicsWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """One line above the axes, so that it covers no data; the longest words give way where it is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.unit = ""
        self.entries: tuple[PlotLegendEntry, ...] = ()
        self._font, self._colour = QFont(), QColor()
        self._scale = 1.0

    def name(self, unit: str, entries: Sequence[PlotLegendEntry]) -> None:
        """Show another unit and other entries."""
        self.unit, self.entries = unit, tuple(entries)
        self._refresh()

    def set_look(self, font: QFont, colour: QColor, scale: float) -> None:
        """Apply a theme."""
        self._font, self._colour, self._scale = font, colour, scale
        self.setFixedHeight(QFontMetricsF(font).height())
        self._refresh()

    @property
    def placed(self) -> tuple[str, tuple[_Placed, ...]]:
        """The unit and the entries as there is room for them, from where one begins to read."""
        advance = QFontMetricsF(self._font).horizontalAdvance
        sample, apart = (_SAMPLE + _GAP) * self._scale, _APART * self._scale
        words = [self.unit, *(entry.words for entry in self.entries)]
        room = self.width() - len(self.entries) * (sample + apart)
        most = fair_width(list(map(advance, words)), room)
        unit, *shown = (elided(each, most, advance) for each in words)
        left, found = advance(unit), []
        for entry, text in zip(self.entries, shown, strict=True):
            left += apart
            found.append(_Placed(entry, left, text))
            left += sample + advance(text)
        return unit, tuple(found)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Say in a tip what has no room."""
        super().resizeEvent(event)
        self._refresh()

    def paint(self, painter: QPainter, *_: object) -> None:
        """Draw the unit, and each sample before its words."""
        painter.save()
        if is_rtl():
            mirror(painter, QRectF(0, 0, self.width(), self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetricsF(self._font)
        middle = self.height() / 2
        base = middle + (metrics.ascent() - metrics.descent()) / 2
        unit, placed = self.placed
        self._write(painter, QPointF(0, base), unit)
        for one in placed:
            self._draw_sample(painter, one.entry.item, QPointF(one.left, middle))
            self._write(painter, QPointF(one.left + (_SAMPLE + _GAP) * self._scale, base), one.words)
        painter.restore()

    def _write(self, painter: QPainter, at: QPointF, words: str) -> None:
        painter.setFont(self._font)
        painter.setPen(self._colour)
        write(painter, at, words)

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
        unit, placed = self.placed
        whole = unit == self.unit and all(one.words == one.entry.words for one in placed)
        self.setToolTip("" if whole else "\n".join((self.unit, *(entry.words for entry in self.entries))))
        self.update()
