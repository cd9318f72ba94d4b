"""Paints a chart with any painter: the same for the window, for pictures and for pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from meshgui.engine.basics.arrays import Floats
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine
from meshgui.model.charts.clipping import Edges, clipped_area, clipped_line
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_frame import ChartFrame, crisp, faint
from meshgui.views.charts.chart_layout import ChartLayout, VisibleAxes, bar_words, below_axis
from meshgui.views.charts.chart_points import ChartPoint
from meshgui.views.charts.chart_style import RESULT, ChartStyle
from meshgui.views.charts.series_look import draw_published, draw_symbol, series_pen
from meshgui.views.style.direction import is_rtl, mirror, write
from meshgui.views.style.theme import Dress
from meshgui.views.style.theme_colours import EXPORT, Theme

_DENSE: Final = 100  # points of a curve that is a line over time: few symbols suffice to tell it
_APART_WHERE_DENSE: Final = 90
_APART: Final = 7  # pixels between two symbols of a curve; where points are denser, some go without


def paint_chart(
    painter: QPainter,
    rect: QRectF,
    chart: ChartData,
    theme: Theme = EXPORT,
    scale: float = 1.0,
    view: VisibleAxes | None = None,
    style: ChartStyle = RESULT,
) -> None:
    """Paint a chart into a rectangle: all of it, or the part of a view; mirrored as the window is."""
    painter.save()
    if is_rtl():
        mirror(painter, rect)
    draw_layout(painter, arrange(chart, rect, scale, view, style), theme)
    painter.restore()


def draw_layout(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """Paint a chart that has been laid out."""
    _Drawing(painter, layout, theme).draw()


def draw_cursors(painter: QPainter, layout: ChartLayout, theme: Theme, cursors: Sequence[CursorLine]) -> None:
    """Paint upright lines over a chart that has been painted."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _Drawing(painter, layout, theme).draw_cursors(cursors)
    painter.restore()


def draw_pointed(painter: QPainter, layout: ChartLayout, theme: Theme, spot: ChartPoint) -> None:
    """Paint the curve of a point once more, over the others, and ring the point."""
    _Drawing(painter, layout, theme).draw_pointed(spot)


def draw_pointed_words(painter: QPainter, layout: ChartLayout, dress: Dress, words: str, at: QPointF) -> None:
    """Write one line over a place, inside the chart."""
    theme, px, room = dress.theme, dress.px, layout.rect
    metrics = QFontMetricsF(dress.text())
    width, height = metrics.horizontalAdvance(words) + px(20), metrics.height() + px(10)
    area = layout.area
    end = area.right() if width <= area.width() else room.width() - px(4)  # names beside it stay in sight
    left = max(min(at.x() - width / 2, end - width), px(4))
    top = at.y() - px(18) - height
    if top < px(4):
        top = at.y() + px(18)
    box = QRectF(left, top, min(width, room.width() - px(8)), height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("outline"), 1.0))
    painter.setBrush(theme.colour("raised"))
    painter.drawRoundedRect(box, px(4), px(4))
    painter.setPen(theme.colour("text"))
    painter.setFont(dress.text())
    inside = box.adjusted(px(10), 0, -px(10), 0)
    shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, inside.width() + 1)
    write(painter, inside, shown, int(Qt.AlignmentFlag.AlignVCenter))


class _Drawing(ChartFrame):
    """One chart on one painter."""

    def draw(self) -> None:
        painter, layout, chart = self.painter, self.layout, self.chart
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(layout.rect, self.ground)
        self.draw_head()
        if not chart.series and not chart.marks:
            self.draw_sentence(layout.rect)
            painter.restore()
            return
        self.draw_grid()
        if chart.kind == "bars":
            self._draw_bars()
        else:
            self._draw_curves()
        self._draw_marks()
        self.draw_cursors(chart.cursors)
        self.draw_numbers()
        self.draw_names()
        if chart.is_empty:
            self.draw_sentence(layout.area)
        painter.restore()

    def draw_pointed(self, spot: ChartPoint) -> None:
        painter, layout = self.painter, self.layout
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.chart.kind == "curves":
            one = self.chart.series[spot.series]
            self._draw_band(one, 0.22)
            self._draw_line(one, QPen(self.ground, self.line_width + self.px(4)))
            self._draw_line(one, series_pen(one.place, self.theme.name, self.line_width + self.px(1)))
            self._draw_symbols(one)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.theme.colour("accent"), self.px(2)))
            painter.drawEllipse(spot.at, self.px(9), self.px(9))
        else:
            bar = layout.bar(spot.series, spot.point)
            if bar is not None:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(self.theme.colour("accent"), self.px(2)))
                reach = self.px(2)
                painter.drawRect(bar.adjusted(-reach, -reach, reach, reach))
        painter.restore()

    # Curves

    def _draw_curves(self) -> None:
        ordered = sorted(self.chart.series, key=lambda one: one.current)
        for one in ordered:
            self._draw_band(one, 0.09 if self.many else 0.16)
        for one in ordered:
            if one.shape == "area":
                self._draw_area(one)
            elif one.shape == "dots":
                self._draw_dots(one)
            else:
                self._draw_line(one, self.line_pen(one))
        if self.layout.style.coloured:
            for one in ordered:
                self._draw_symbols(one)

    def _draw_area(self, one: ChartSeries) -> None:
        """Fill the area under a curve of steps."""
        foot, edges = self.layout.foot(), _edges(self.layout.area)
        xs, ys = self.layout.line(one)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.area_colour)
        for part in _runs(xs, ys):
            ends = xs[part[[-1, 0]]]
            corners = np.column_stack([np.append(xs[part], ends), np.append(ys[part], [foot, foot])])
            self.painter.drawPolygon(_polygon(clipped_area(corners, edges)))

    def _draw_dots(self, one: ChartSeries) -> None:
        """Draw each point in sight by itself."""
        xs, ys = self.layout.places(one)
        area = self.layout.area.adjusted(-1, -1, 1, 1)
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            if area.contains(x, y):
                self.draw_dot(one, QPointF(x, y))

    def _draw_band(self, one: ChartSeries, opacity: float) -> None:
        """Draw the intervals of neighbouring points as one band, of a single point as a whisker."""
        painter, layout = self.painter, self.layout
        xs, ys = layout.places(one)
        lows, highs = self._interval(one)
        colour = self.colour(one)
        for part in _runs(xs, ys + lows + highs):
            if len(part) == 1:
                self._draw_whisker(xs[part[0]], lows[part[0]], highs[part[0]], colour)
                continue
            back = part[::-1]
            corners = np.column_stack([xs[np.append(part, back)], np.append(highs[part], lows[back])])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(colour, opacity))
            painter.drawPolygon(_polygon(clipped_area(corners, _edges(layout.area))))

    def _interval(self, one: ChartSeries) -> tuple[Floats, Floats]:
        """The ends of the intervals; a lower end of 0 or less stands at the edge of a logarithmic axis."""
        layout = self.layout
        lows, highs = layout.ys(one.low), layout.ys(one.high)
        if self.chart.y_scale == "log":
            lows = np.where(np.isfinite(one.low) & (one.low <= 0), layout.area.bottom(), lows)
        return lows, highs

    def _draw_line(self, one: ChartSeries, pen: QPen) -> None:
        xs, ys = self.layout.line(one)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for part in _runs(xs, ys):
            for line in clipped_line(np.column_stack([xs[part], ys[part]]), _edges(self.layout.area)):
                self.painter.drawPolyline(_polygon(line))

    def _draw_symbols(self, one: ChartSeries) -> None:
        """Draw a symbol on each point; an open triangle is a value below a logarithmic axis."""
        painter, layout = self.painter, self.layout
        xs, ys = layout.places(one)
        down, area = below_axis(self.chart, one), layout.area.adjusted(-1, -1, 1, 1)
        self.symbol_pen(one)
        least = _APART * (3 if self.many else 1) if len(one) <= _DENSE else _APART_WHERE_DENSE
        last, apart = -np.inf, self.px(least)
        for k in np.argsort(xs, kind="stable"):
            if not np.isfinite(xs[k] + ys[k]) or down[k] or xs[k] - last < apart:
                continue
            if not area.contains(xs[k], ys[k]):
                continue
            last = xs[k]
            draw_symbol(painter, QPointF(xs[k], ys[k]), one.place, self.radius)
        painter.setBrush(self.ground)
        painter.setPen(QPen(self.colour(one), self.px(1.5)))
        r = self.px(5)
        for k in np.flatnonzero(down & (xs >= area.left()) & (xs <= area.right())):
            tip = QPointF(xs[k], ys[k] - self.px(1))
            painter.drawPolygon(QPolygonF([tip, tip + QPointF(-r, -1.4 * r), tip + QPointF(r, -1.4 * r)]))

    # Bars

    def _draw_bars(self) -> None:
        painter, layout, chart = self.painter, self.layout, self.chart
        small = QFontMetricsF(layout.fonts.small)
        for i, one in enumerate(chart.series):
            colour = self.colour(one)
            lows, highs = self._interval(one)
            for k in range(len(one)):
                bar = layout.bar(i, k)
                if bar is None:
                    continue
                painter.fillRect(bar, colour)
                if bar.width() >= self.px(9) and bar.height() >= self.px(18):
                    foot = bar.bottom() if one.y[k] >= 0 else bar.top()
                    at = QPointF(bar.center().x(), foot + self.px(-9 if one.y[k] >= 0 else 9))
                    self.symbol_on_bar(one, at, min(self.px(3.6), bar.width() * 0.3))
                self._draw_whisker(bar.center().x(), lows[k], highs[k], self.theme.colour("text"))
                if layout.values_turned is not None:
                    published = self._highest_mark(one.key, float(one.x[k]))
                    self._draw_value(bar, float(one.y[k]), (lows[k], highs[k]), published, small)

    def _draw_value(
        self,
        bar: QRectF,
        value: float,
        interval: tuple[float, float],
        published: float,
        small: QFontMetricsF,
    ) -> None:
        """Write a bar's number beyond its end, its interval and its published values."""
        painter, words = self.painter, bar_words(value, whole=self.layout.whole)
        reach = [bar.top(), *(end for end in (*interval, published) if np.isfinite(end))]
        width = small.horizontalAdvance(words)
        gap = self.px(4)
        if value >= 0:
            tip, below = max(min(reach), self.layout.area.top()), False
        else:
            tip, below = max(bar.bottom(), *reach), True
        if self.layout.values_turned:
            painter.save()
            painter.translate(bar.center().x() + small.capHeight() / 2, tip - gap)
            painter.rotate(-90)
            self.words(
                QPointF(-width - 2 * gap if below else 0.0, 0.0), words, self.layout.fonts.small, "text"
            )
            painter.restore()
            return
        baseline = tip + gap + small.capHeight() if below else tip - gap
        self.words(QPointF(bar.center().x() - width / 2, baseline), words, self.layout.fonts.small, "text")

    def _highest_mark(self, key: str, x: float) -> float:
        """The top of the published values of a bar; NaN where there are none."""
        marks = [mark for mark in self.chart.marks if mark.key == key and self.chart.at(mark) == x]
        ends = [found for mark in marks if (found := self.layout.mark_ends(mark))]
        return min((high.y() for _, high in ends), default=float("nan")) - self.px(4)

    def _draw_whisker(self, x: float, low: float, high: float, colour: QColor) -> None:
        area = self.layout.area
        if not (np.isfinite(low) and np.isfinite(high) and area.left() <= x <= area.right()):
            return
        if low < area.top() or high > area.bottom():
            return
        low, high = (min(max(end, area.top()), area.bottom()) for end in (low, high))
        cap, rim = self.px(4), self.px(1)
        around = ((self.ground, self.px(3.5), rim), (colour, self.px(1.5), 0.0))  # on its bar it needs a rim
        for tone, width, more in around:
            self.painter.setPen(QPen(tone, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            self.painter.drawLine(QLineF(x, low, x, high))
            for end in (low, high):
                self.painter.drawLine(QLineF(x - cap - more, end, x + cap + more, end))

    # Cursor lines

    def draw_cursors(self, cursors: Sequence[CursorLine]) -> None:
        """Draw each line and its label."""
        layout, area, accent = self.layout, self.layout.area, self.theme.colour("accent")
        small = QFontMetricsF(layout.fonts.small)
        for row, cursor in enumerate(cursors):
            x = float(layout.xs(cursor.x))
            if not area.left() - 1 <= x <= area.right() + 1:
                continue
            dashed = QPen(accent, self.px(1), Qt.PenStyle.DashLine)
            self.painter.setPen(dashed if cursor.label else QPen(accent, self.px(2)))
            self.painter.drawLine(QLineF(crisp(x), area.top(), crisp(x), area.bottom()))
            if cursor.label:
                box = self._label_box(x, small.horizontalAdvance(cursor.label), row, small.height())
                self.painter.fillRect(box.adjusted(-2, 0, 2, 0), self.theme.colour("panel", 0.85))
                at = box.topLeft() + QPointF(0, small.ascent())
                self.words(at, cursor.label, layout.fonts.small, "text")

    def _label_box(self, x: float, width: float, row: int, height: float) -> QRectF:
        """Find room for a label that no curve crosses: beside its line if possible, else at an edge."""
        area, gap = self.layout.area, self.px(4)
        beside = [at for at in (x + gap, x - gap - width) if area.left() <= at <= area.right() - width]
        rows = range(row, max(int(area.height() / height), row + 1))
        boxes = [
            QRectF(at, area.top() + k * height, width, height)
            for lefts in (beside, (area.right() - width, area.left() + gap))
            for k in rows
            for at in lefts
        ]
        return next(filter(self._is_clear, boxes), boxes[0])

    def _is_clear(self, box: QRectF) -> bool:
        """Whether no curve crosses a box."""
        layout = self.layout
        shares = (np.linspace(box.left(), box.right(), 16) - layout.area.left()) / layout.area.width()
        for one in filter(len, self.chart.series):
            ys = layout.ys([one.value_at(float(layout.across.value(share))) for share in shares])
            if ys.min() < box.bottom() and ys.max() > box.top():
                return False
        return True

    # Published values

    def _draw_marks(self) -> None:
        layout, chart = self.layout, self.chart
        named = len({mark.label for mark in chart.marks}) > 1
        small = QFontMetricsF(layout.fonts.small)
        for mark in chart.marks:
            ends = layout.mark_ends(mark)
            if ends is None:
                continue
            found = chart.of_key(mark.key)
            bars = chart.kind == "bars" or found is None
            colour = self.theme.colour("text") if bars or not found else self.colour(found)
            low, high = ends
            radius = self.px(6)
            self.mark_pen(self.ground, 5.0)
            draw_published(self.painter, low, high, radius)
            self.mark_pen(colour)
            draw_published(self.painter, low, high, radius)
            if named:
                width = small.horizontalAdvance(mark.label)
                x = high.x() + self.px(9)
                if x + width > layout.area.right():
                    x = high.x() - self.px(9) - width
                y = (low.y() + high.y()) / 2 + small.capHeight() / 2
                self.words(QPointF(x, y), mark.label, layout.fonts.small, "muted")


def _runs(xs: Floats, ys: Floats) -> Iterator[NDArray[np.intp]]:
    """Yield the points from left to right, in parts between missing ones."""
    order = np.argsort(xs, kind="stable")
    order = order[np.isfinite(xs[order])]
    there = np.isfinite(ys[order])
    edges = np.flatnonzero(np.diff(np.concatenate(([False], there, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        yield order[begin:end]


def _edges(rect: QRectF) -> Edges:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _polygon(points: Floats) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])
