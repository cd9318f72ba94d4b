"""A chart of the inspector: a few curves over one axis, the one that counts now in the accent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolTip, QWidget

from meshgui.engine.allocation.inspection import Chart, Curve
from meshgui.model.curves import ticks
from meshgui.model.selection import Selection
from meshgui.model.tables import PlainTable
from meshgui.views.exporting.off_screen_copy import paint_twin, picture_size
from meshgui.views.inspector.pin import Pin
from meshgui.views.style.theme import Dress, Theme

__all__ = ["ChartPanel", "curve_value"]

_NOTHING: Final = Chart("", "", "", ())
_DASHES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_TONES: Final = ("text", "outline")
_ROOM_X, _ROOM_Y = 64, 34  # pixels a mark of an axis has to itself
_SAMPLE: Final = 20  # the length of a line in the legend


class _Span(NamedTuple):
    """The part of an axis that is shown."""

    low: float
    high: float

    def share(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far along it values lie, 0 to 1."""
        return (value - self.low) / (self.high - self.low)


class ChartPanel(QWidget):
    """Shows one `Chart`."""

    def __init__(self, selection: Selection, pin: Pin, themes: Dress, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection, self._pin = selection, pin  # for its twin: a chart shows neither jobs nor boxes
        self._themes = themes
        self.chart = _NOTHING
        themes.changed.connect(self._wear)
        self._wear()

    def show_chart(self, chart: Chart) -> None:
        """Show other curves in place."""
        self.chart = chart
        self.setAccessibleName(chart.title)
        self.update()

    def show_selection(self) -> None:
        """A chart shows no jobs: there is nothing to mark."""

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """No more than the least: open sections share what there is."""
        return QSize(self._themes.px(280), self.minimumHeight())

    def point(self, x: float, y: float) -> QPointF:
        """Where a value is drawn."""
        area, across, up = self._area(), *self._spans()
        at = area.left() + float(across.share(np.array(x))) * area.width()
        return QPointF(at, area.bottom() - float(up.share(np.array(y))) * area.height())

    def words(self, position: QPointF) -> str:
        """What the curves say at a place of the x axis."""
        if not self._curves() or not self._area().contains(position):
            return ""
        area = self._area()
        across = self._spans()[0]
        x = across.low + (position.x() - area.left()) / area.width() * (across.high - across.low)
        lines = [f"{self.chart.x_label} {x:.3g}"]
        lines += [f"{curve.label}: {curve_value(curve, x):.3g}" for curve in self._curves()]
        return "\n".join(lines)

    def event(self, event: QEvent) -> bool:
        """Say what the curves are worth where the pointer is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self.words(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), words, self) if words else QToolTip.hideText()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """See `draw`."""
        del event
        painter = QPainter(self)
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter) -> None:
        """Draw axes, curves, signs and what the lines mean, or what an empty chart says."""
        px, theme = self._themes.px, self._themes.theme
        if not self._curves():
            painter.setFont(self._themes.text())
            painter.setPen(theme.colour("muted"))
            room = self.rect().adjusted(px(12), px(6), -px(12), 0)
            painter.drawText(room, int(Qt.TextFlag.TextWordWrap), self.chart.empty)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._themes.text("caption"))
        self._paint_axes(painter)
        for curve, pen in self._pens():
            painter.setPen(pen)
            painter.drawPolyline(self._polyline(curve))
        self._paint_signs(painter)
        self._paint_legend(painter)

    # What is exported

    def picture_title(self) -> str:
        """See Picture."""
        return self.chart.title

    def picture_size(self) -> QSize:
        """See Picture."""
        return picture_size(self, self._themes)

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        paint_twin(painter, rect, theme, self.chart.title, self._twin)

    def tables(self) -> Sequence[PlainTable]:
        """The points of all curves."""
        chart = self.chart
        names = ("Curve", chart.x_label or "x", chart.y_label or "y")
        rows = [(curve.label, x, y) for curve in chart.curves for x, y in zip(curve.x, curve.y, strict=True)]
        return (PlainTable(chart.title, names, tuple(rows)),)

    def _twin(self, dress: Dress, size: QSize) -> ChartPanel:
        twin = ChartPanel(self._selection, self._pin, dress)
        twin.show_chart(self.chart)
        twin.setFixedSize(size)
        return twin

    # What is shown where

    def _curves(self) -> list[Curve]:
        """Those that have a point."""
        return [curve for curve in self.chart.curves if len(curve.x)]

    def _spans(self) -> tuple[_Span, _Span]:
        curves = self._curves()
        signs = np.array([sign.x for sign in self.chart.signs])
        x = np.concatenate([signs, *(curve.x for curve in curves)])
        y = np.concatenate([np.zeros(1), *(curve.y for curve in curves)])
        return _span(x), _round(_span(y), self.height() / self._themes.px(_ROOM_Y))

    def _area(self) -> QRectF:
        """Where curves are drawn: the axes' numbers stand at the left and below."""
        px, line = self._themes.px, self._line()
        metrics = QFontMetrics(self._themes.text("caption"))
        numbers, decimals = self._marks_up()
        wide = max((metrics.horizontalAdvance(_number(n, decimals)) for n in numbers.tolist()), default=0)
        left, top = px(12) + wide + px(6), px(4) + line * (1 + len(self._legend_rows())) + px(4)
        below = 2 * line + px(10)
        return QRectF(left, top, max(self.width() - left - px(16), 1), max(self.height() - top - below, 1))

    def _line(self) -> int:
        return QFontMetrics(self._themes.text("caption")).height()

    def _marks_up(self) -> tuple[NDArray[np.float64], int]:
        up = self._spans()[1]
        return ticks(up.low, up.high, max(2, self.height() // self._themes.px(_ROOM_Y)))

    def _polyline(self, curve: Curve) -> QPolygonF:
        x, y = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
        area, across, up = self._area(), *self._spans()
        if curve.steps:
            x, y = np.append(np.repeat(x, 2)[1:], across.high), np.repeat(y, 2)
        left = area.left() + across.share(x) * area.width()
        top = area.bottom() - up.share(y) * area.height()
        return QPolygonF([QPointF(a, b) for a, b in zip(left.tolist(), top.tolist(), strict=True)])

    def _pens(self) -> list[tuple[Curve, QPen]]:
        """Each curve with its line, the current one last, over the others."""
        theme, scale = self._themes.theme, self._themes.scale
        pens: list[tuple[Curve, QPen]] = []
        for i, curve in enumerate(curve for curve in self.chart.curves if not curve.current):
            tone = theme.colour(_TONES[i // len(_DASHES) % len(_TONES)])
            pens.append((curve, QPen(tone, 1.5 * scale, _DASHES[i % len(_DASHES)])))
        pens += [
            (curve, QPen(theme.colour("accent"), 2.5 * scale)) for curve in self.chart.curves if curve.current
        ]
        return [(curve, pen) for curve, pen in pens if len(curve.x)]

    # Drawing

    def _paint_axes(self, painter: QPainter) -> None:
        px, theme, area = self._themes.px, self._themes.theme, self._area()
        metrics, (across, up) = painter.fontMetrics(), self._spans()
        numbers, decimals = self._marks_up()
        for number in numbers.tolist():
            at = self.point(across.low, number)
            painter.setPen(QPen(theme.colour("plot_grid"), 1.0))
            painter.drawLine(at, QPointF(area.right(), at.y()))
            painter.setPen(theme.colour("muted"))
            words = _number(number, decimals)
            left = area.left() - px(6) - metrics.horizontalAdvance(words)
            painter.drawText(QPointF(left, at.y() + metrics.capHeight() / 2), words)
        marks, decimals = ticks(across.low, across.high, max(2, int(area.width() / px(_ROOM_X))))
        for number in marks.tolist():
            at = self.point(number, up.low)
            painter.setPen(QPen(theme.colour("plot_grid"), 1.0))
            painter.drawLine(at, QPointF(at.x(), area.top()))
            painter.setPen(theme.colour("muted"))
            words = _number(number, decimals)
            half = metrics.horizontalAdvance(words) / 2
            left = min(max(at.x() - half, 0.0), self.width() - 2 * half)
            painter.drawText(QPointF(left, area.bottom() + px(2) + metrics.ascent()), words)
        painter.setPen(QPen(theme.colour("outline"), 1.0))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        painter.drawLine(area.bottomLeft(), area.topLeft())
        painter.setPen(theme.colour("muted"))
        painter.drawText(QPointF(px(12), px(4) + metrics.ascent()), self.chart.y_label)
        below = QRectF(area.left(), area.bottom() + self._line() + px(4), area.width(), self._line())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignRight), self.chart.x_label)

    def _paint_signs(self, painter: QPainter) -> None:
        """A line for each value pointed out, its words beside it, on the side where there is room."""
        px, theme, area, metrics = self._themes.px, self._themes.theme, self._area(), painter.fontMetrics()
        low = self._spans()[1].low
        for i, sign in enumerate(self.chart.signs):
            at = self.point(sign.x, low).x()
            painter.setPen(QPen(theme.colour("accent"), 1.0 * self._themes.scale, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
            width = metrics.horizontalAdvance(sign.label)
            left = at + px(4) if at + px(4) + width <= area.right() else at - px(4) - width
            rect = QRectF(left, area.top() + i * self._line(), width + 1, self._line())
            painter.fillRect(rect.adjusted(-2, 0, 2, 0), theme.colour("panel", 0.85))
            painter.setPen(theme.colour("text"))
            painter.drawText(rect, int(Qt.AlignmentFlag.AlignLeft), sign.label)

    def _legend_rows(self) -> list[list[tuple[str, int]]]:
        """The curves' names with their widths, in as many lines as they need."""
        px, metrics = self._themes.px, QFontMetrics(self._themes.text("caption"))
        rows: list[list[tuple[str, int]]] = []
        x = self.width()
        for curve in self.chart.curves:
            if not curve.label:
                continue
            width = px(_SAMPLE) + px(6) + metrics.horizontalAdvance(curve.label) + px(14)
            if not rows or x + width > self.width() - px(12):
                rows.append([])
                x = px(12)
            rows[-1].append((curve.label, width))
            x += width
        return rows

    def _paint_legend(self, painter: QPainter) -> None:
        px, theme, line = self._themes.px, self._themes.theme, self._line()
        pens = {curve.label: pen for curve, pen in self._pens()}
        for number, row in enumerate(self._legend_rows(), 1):
            x, top = px(12), px(4) + number * line
            for label, width in row:
                middle = top + line / 2
                if label in pens:  # a curve without points has a name, but no line yet
                    painter.setPen(pens[label])
                    painter.drawLine(QPointF(x, middle), QPointF(x + px(_SAMPLE), middle))
                painter.setPen(theme.colour("text" if label in pens else "muted"))
                painter.drawText(
                    QPointF(x + px(_SAMPLE) + px(6), top + painter.fontMetrics().ascent()), label
                )
                x += width

    def _wear(self) -> None:
        self.setMinimumHeight(self._themes.px(150))
        self.update()


def curve_value(curve: Curve, x: float) -> float:
    """What a curve is worth at a place, its ends holding beyond it."""
    if curve.steps:
        at = int(np.searchsorted(curve.x, x, side="right")) - 1
        return float(curve.y[max(at, 0)])
    return float(np.interp(x, curve.x, curve.y))


def _span(values: NDArray[np.float64]) -> _Span:
    low, high = float(values.min()), float(values.max())
    return _Span(low, high) if high > low else _Span(low, low + 1.0)


def _round(span: _Span, marks: float) -> _Span:
    """As far as the next round numbers, so that the axis keeps still while a curve grows a little."""
    found, _ = ticks(span.low, span.high, max(2, int(marks)))
    if len(found) < 2:
        return span
    step = found[1] - found[0]
    low, high = np.floor(span.low / step + 1e-9) * step, np.ceil(span.high / step - 1e-9) * step
    return _Span(float(low), float(high))


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"
