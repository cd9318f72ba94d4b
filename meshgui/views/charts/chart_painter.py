"""Paints a chart of results with any painter: the same for the window, for pictures and for pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from meshgui.engine.arrays import Floats
from meshgui.model.charts import ChartData, ChartSeries
from meshgui.views.charts.chart_layout import (
    LEADER,
    SAMPLE,
    SWATCH,
    ChartLayout,
    VisibleAxes,
    arrange,
    bar_words,
    fallen,
)
from meshgui.views.charts.chart_points import ChartPoint
from meshgui.views.charts.clipping import Edges, clipped_area, clipped_line
from meshgui.views.charts.label_places import elided
from meshgui.views.charts.series_look import draw_published, draw_symbol, series_colour, series_pen
from meshgui.views.style.theme import EXPORT, Theme

__all__ = ["draw_layout", "draw_pointed", "paint_chart"]

_MANY: Final = 8  # series, from which on lines and bands are drawn more lightly
_APART: Final = 7  # pixels between two symbols of a curve; where points are denser, some go without
_NEAR: Final = 72  # pixels from the area's end; from farther off a leader would pass for a curve


def paint_chart(
    painter: QPainter,
    rect: QRectF,
    chart: ChartData,
    theme: Theme = EXPORT,
    scale: float = 1.0,
    view: VisibleAxes | None = None,
) -> None:
    """Paint a chart into a rectangle, all of it unless a part is asked for."""
    draw_layout(painter, arrange(chart, rect, scale, view), theme)


def draw_layout(painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
    """Paint a chart that has been laid out."""
    _Drawing(painter, layout, theme).draw()


def draw_pointed(painter: QPainter, layout: ChartLayout, theme: Theme, spot: ChartPoint) -> None:
    """Paint the curve of a point once more, over the others, and ring the point."""
    _Drawing(painter, layout, theme).draw_pointed(spot)


class _Drawing:
    """One chart on one painter."""

    def __init__(self, painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
        self.painter, self.layout, self.theme = painter, layout, theme
        self.chart, self.px = layout.chart, layout.px
        self.ground = theme.colour("panel")
        self.many = len(self.chart.series) > _MANY
        self.line_width = self.px(1.6 if self.many else 2.0)
        self.radius = self.px(3.4 if self.many else 4.0)

    def draw(self) -> None:
        painter, layout, chart = self.painter, self.layout, self.chart
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(layout.rect, self.ground)
        self._draw_head()
        if not chart.series and not chart.marks:
            self._draw_sentence(layout.rect)
            painter.restore()
            return
        self._draw_grid()
        if chart.kind == "bars":
            self._draw_bars()
        else:
            self._draw_curves()
        self._draw_marks()
        self._draw_numbers()
        self._draw_names()
        if chart.is_empty:
            self._draw_sentence(layout.area)
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

    # Words and axes

    def _draw_head(self) -> None:
        layout, chart = self.layout, self.chart
        left = layout.rect.left() + self.px(16)
        top = layout.rect.top() + self.px(12)
        if chart.title:
            metrics = QFontMetricsF(layout.faces.title)
            self._words(QPointF(left, top + metrics.ascent()), layout.title, layout.faces.title, "text")
            top += metrics.height() + self.px(2)
        if not chart.series and not chart.marks:
            return
        metrics = QFontMetricsF(layout.faces.label)
        baseline = top + metrics.ascent()
        self._words(QPointF(left, baseline), layout.y_label, layout.faces.label, "muted")
        labels = {mark.label for mark in chart.marks}
        if len(labels) == 1:
            room = layout.rect.width() * 0.28 - self.px(32)
            words = elided(next(iter(labels)), room, metrics.horizontalAdvance)
            at = layout.rect.right() - self.px(16) - metrics.horizontalAdvance(words)
            self._words(QPointF(at, baseline), words, layout.faces.label, "text")
            self._sign_pen(self.theme.colour("text"))
            middle = baseline - metrics.capHeight() / 2
            ranges = all(mark.low < mark.high for mark in chart.marks)
            reach = QPointF(0, self.px(6) if ranges else 0.0)
            place = QPointF(at - self.px(14), middle)
            draw_published(self.painter, place + reach, place - reach, self.px(6))

    def _draw_sentence(self, room: QRectF) -> None:
        self.painter.setFont(self.layout.faces.label)
        self.painter.setPen(self.theme.colour("muted"))
        around = room.adjusted(self.px(16), 0, -self.px(16), 0)
        self.painter.drawText(
            around, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), self.chart.empty
        )

    def _draw_grid(self) -> None:
        painter, layout, area = self.painter, self.layout, self.layout.area
        painter.setPen(QPen(self.theme.colour("plot_grid"), max(1.0, self.px(1))))
        for mark in layout.y_marks:
            y = _crisp(float(layout.ys(mark.value)))
            painter.drawLine(QLineF(area.left(), y, area.right(), y))
        for mark in layout.x_marks:
            x = _crisp(float(layout.xs(mark.value)))
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))

    def _draw_numbers(self) -> None:
        painter, layout, area = self.painter, self.layout, self.layout.area
        small = QFontMetricsF(layout.faces.small)
        painter.setPen(QPen(self.theme.colour("outline"), max(1.0, self.px(1))))
        foot = _crisp(layout.foot() if self.chart.kind == "bars" else area.bottom())
        painter.drawLine(QLineF(area.left(), foot, area.right(), foot))
        for mark in layout.y_marks:
            y = float(layout.ys(mark.value)) + small.capHeight() / 2
            x = area.left() - self.px(8) - small.horizontalAdvance(mark.words)
            self._words(QPointF(x, y), mark.words, layout.faces.small, "muted")
        top = area.bottom() + self.px(4)
        for mark in layout.x_marks:
            x = float(layout.xs(mark.value))
            painter.setPen(QPen(self.theme.colour("outline"), max(1.0, self.px(1))))
            painter.drawLine(QLineF(_crisp(x), area.bottom(), _crisp(x), area.bottom() + self.px(4)))
            half = small.horizontalAdvance(mark.words) / 2
            x = min(x, layout.rect.right() - half - self.px(2))
            at = QPointF(x - half, top + self.px(2) + small.ascent())
            self._words(at, mark.words, layout.faces.small, "muted")
        rows = small.height()
        if layout.categories is not None:
            rows = layout.categories.height
            self._draw_categories(top + self.px(2))
        label = QFontMetricsF(layout.faces.label)
        words = elided(self.chart.x_label, area.width(), label.horizontalAdvance)
        x = area.center().x() - label.horizontalAdvance(words) / 2
        baseline = top + rows + self.px(4) + label.ascent()
        self._words(QPointF(x, baseline), words, layout.faces.label, "muted")
        baseline = layout.rect.bottom() - self.px(12) - small.descent()
        for line in reversed(layout.note):
            self._words(
                QPointF(layout.rect.left() + self.px(16), baseline), line, layout.faces.small, "muted"
            )
            baseline -= small.height()

    def _draw_categories(self, top: float) -> None:
        layout, painter = self.layout, self.painter
        rows, small = layout.categories, QFontMetricsF(layout.faces.small)
        if rows is None:
            return
        for k, lines in enumerate(rows.lines):
            x = float(layout.xs(float(k)))
            if not lines or not layout.area.left() - 1 <= x <= layout.area.right() + 1:
                continue
            if rows.slant:
                painter.save()
                painter.translate(x, top + small.capHeight() * 0.6)
                painter.rotate(-rows.slant)
                at = QPointF(-small.horizontalAdvance(lines[0]), small.capHeight() / 2)
                self._words(at, lines[0], layout.faces.small, "text")
                painter.restore()
                continue
            for row, line in enumerate(lines):
                at = QPointF(
                    x - small.horizontalAdvance(line) / 2, top + small.ascent() + row * small.height()
                )
                self._words(at, line, layout.faces.small, "text")

    def _draw_names(self) -> None:
        layout, painter = self.layout, self.painter
        metrics = QFontMetricsF(layout.faces.label)
        lift = metrics.capHeight() / 2
        for end in layout.ends:
            one = self.chart.series[end.series]
            left = layout.area.right() + self.px(LEADER)
            if end.end is not None and layout.area.right() - end.end.x() < self.px(_NEAR):
                leader = QPen(series_colour(one.place, self.theme.name), self.px(1))
                leader.setColor(_faint(leader.color(), 0.6))
                painter.setPen(leader)
                start = QPointF(max(end.end.x() + self.radius, 0), end.end.y())
                painter.drawLine(QLineF(start, QPointF(left - self.px(2), end.middle)))
            self._draw_sample(one, left, end.middle)
            at = QPointF(left + self.px(SAMPLE + 6), end.middle + lift)
            self._words(at, end.words, layout.faces.label, "text" if one.there.any() else "muted")
        sample = self.px(SWATCH if self.chart.kind == "bars" else SAMPLE) + self.px(6)
        for name in layout.legend:
            one = self.chart.series[name.series]
            if self.chart.kind == "bars":
                side = self.px(SWATCH)
                swatch = QRectF(name.left, name.middle - side / 2, side, side)
                painter.fillRect(swatch, series_colour(one.place, self.theme.name))
                self._symbol_on_bar(one, swatch.center(), self.px(3.2))
            else:
                self._draw_sample(one, name.left, name.middle)
            at = QPointF(name.left + sample, name.middle + lift)
            self._words(at, name.words, layout.faces.label, "text" if one.there.any() else "muted")
        if layout.unnamed:
            self._draw_unnamed(lift)

    def _draw_unnamed(self, lift: float) -> None:
        layout = self.layout
        metrics = QFontMetricsF(layout.faces.label)
        count = layout.unnamed
        words = f"and {count} more"
        last = layout.legend[-1] if layout.legend else None
        right = layout.rect.right() - self.px(16) - metrics.horizontalAdvance(words)
        middle = last.middle if last else layout.area.top() - metrics.height()
        self._words(QPointF(right, middle + lift), words, layout.faces.label, "muted")

    def _draw_sample(self, one: ChartSeries, left: float, middle: float) -> None:
        self.painter.setPen(series_pen(one.place, self.theme.name, self.line_width))
        self.painter.drawLine(QLineF(left, middle, left + self.px(SAMPLE), middle))
        self._symbol_pen(one)
        draw_symbol(self.painter, QPointF(left + self.px(SAMPLE / 2), middle), one.place, self.radius)

    # Curves

    def _draw_curves(self) -> None:
        for one in self.chart.series:
            self._draw_band(one, 0.09 if self.many else 0.16)
        for one in self.chart.series:
            self._draw_line(one, series_pen(one.place, self.theme.name, self.line_width))
        for one in self.chart.series:
            self._draw_symbols(one)

    def _draw_band(self, one: ChartSeries, opacity: float) -> None:
        """The intervals of neighbouring points as one band; of a point alone as a whisker."""
        painter, layout = self.painter, self.layout
        xs, ys = layout.places(one)
        lows, highs = self._interval(one)
        colour = series_colour(one.place, self.theme.name)
        for part in _runs(xs, ys + lows + highs):
            if len(part) == 1:
                self._draw_whisker(xs[part[0]], lows[part[0]], highs[part[0]], colour)
                continue
            back = part[::-1]
            corners = np.column_stack([xs[np.append(part, back)], np.append(highs[part], lows[back])])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_faint(colour, opacity))
            painter.drawPolygon(_polygon(clipped_area(corners, _edges(layout.area))))

    def _interval(self, one: ChartSeries) -> tuple[Floats, Floats]:
        """The ends of the intervals; a lower one that a logarithmic axis has no place for is its edge."""
        layout = self.layout
        lows, highs = layout.ys(one.low), layout.ys(one.high)
        if self.chart.y_scale == "log":
            lows = np.where(np.isfinite(one.low) & (one.low <= 0), layout.area.bottom(), lows)
        return lows, highs

    def _draw_line(self, one: ChartSeries, pen: QPen) -> None:
        xs, ys = self.layout.places(one)
        ys = np.where(fallen(self.chart, one), np.nan, ys)
        self.painter.setPen(pen)
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        for part in _runs(xs, ys):
            for line in clipped_line(np.column_stack([xs[part], ys[part]]), _edges(self.layout.area)):
                self.painter.drawPolyline(_polygon(line))

    def _draw_symbols(self, one: ChartSeries) -> None:
        """A symbol on each point; an open triangle on the lower edge is a value below a logarithmic axis."""
        painter, layout = self.painter, self.layout
        xs, ys = layout.places(one)
        down, area = fallen(self.chart, one), layout.area.adjusted(-1, -1, 1, 1)
        self._symbol_pen(one)
        last, apart = -np.inf, self.px(_APART * (3 if self.many else 1))
        for k in np.argsort(xs, kind="stable"):
            if not np.isfinite(xs[k] + ys[k]) or down[k] or xs[k] - last < apart:
                continue
            if not area.contains(xs[k], ys[k]):
                continue
            last = xs[k]
            draw_symbol(painter, QPointF(xs[k], ys[k]), one.place, self.radius)
        painter.setBrush(self.ground)
        painter.setPen(QPen(series_colour(one.place, self.theme.name), self.px(1.5)))
        r = self.px(5)
        for k in np.flatnonzero(down & (xs >= area.left()) & (xs <= area.right())):
            tip = QPointF(xs[k], ys[k] - self.px(1))
            painter.drawPolygon(QPolygonF([tip, tip + QPointF(-r, -1.4 * r), tip + QPointF(r, -1.4 * r)]))

    # Bars

    def _draw_bars(self) -> None:
        painter, layout, chart = self.painter, self.layout, self.chart
        small = QFontMetricsF(layout.faces.small)
        for i, one in enumerate(chart.series):
            colour = series_colour(one.place, self.theme.name)
            lows, highs = self._interval(one)
            for k in range(len(one)):
                bar = layout.bar(i, k)
                if bar is None:
                    continue
                painter.fillRect(bar, colour)
                if bar.width() >= self.px(9) and bar.height() >= self.px(18):
                    foot = bar.bottom() if one.y[k] >= 0 else bar.top()
                    at = QPointF(bar.center().x(), foot + self.px(-9 if one.y[k] >= 0 else 9))
                    self._symbol_on_bar(one, at, min(self.px(3.6), bar.width() * 0.3))
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
        """A bar's number beyond its end, its interval's and what was published of it."""
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
            self._words(
                QPointF(-width - 2 * gap if below else 0.0, 0.0), words, self.layout.faces.small, "text"
            )
            painter.restore()
            return
        baseline = tip + gap + small.capHeight() if below else tip - gap
        self._words(QPointF(bar.center().x() - width / 2, baseline), words, self.layout.faces.small, "text")

    def _highest_mark(self, key: str, x: float) -> float:
        """The top of what was published of a bar; NaN: nothing was."""
        marks = [mark for mark in self.chart.marks if mark.key == key and self.chart.at(mark) == x]
        ends = [found for mark in marks if (found := self.layout.mark_ends(mark))]
        return min((high.y() for _, high in ends), default=float("nan")) - self.px(4)

    def _symbol_on_bar(self, one: ChartSeries, at: QPointF, radius: float) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.ground)
        draw_symbol(self.painter, at, one.place, radius)

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

    # Published values

    def _draw_marks(self) -> None:
        layout, chart = self.layout, self.chart
        named = len({mark.label for mark in chart.marks}) > 1
        small = QFontMetricsF(layout.faces.small)
        for mark in chart.marks:
            ends = layout.mark_ends(mark)
            if ends is None:
                continue
            found = chart.of_key(mark.key)
            bars = chart.kind == "bars" or found is None
            colour = self.theme.colour("text") if bars or not found else self._colour(found)
            low, high = ends
            radius = self.px(6)
            self._sign_pen(self.ground, 5.0)
            draw_published(self.painter, low, high, radius)
            self._sign_pen(colour)
            draw_published(self.painter, low, high, radius)
            if named:
                width = small.horizontalAdvance(mark.label)
                x = high.x() + self.px(9)
                if x + width > layout.area.right():
                    x = high.x() - self.px(9) - width
                y = (low.y() + high.y()) / 2 + small.capHeight() / 2
                self._words(QPointF(x, y), mark.label, layout.faces.small, "muted")

    # Pens and words

    def _colour(self, one: ChartSeries) -> QColor:
        return series_colour(one.place, self.theme.name)

    def _sign_pen(self, colour: QColor, width: float = 2.0) -> None:
        self.painter.setPen(QPen(colour, self.px(width)))
        self.painter.setBrush(self.ground)

    def _symbol_pen(self, one: ChartSeries) -> None:
        """A thin line of the ground holds symbols apart from the lines under them."""
        self.painter.setPen(QPen(self.ground, self.px(1)))
        self.painter.setBrush(self._colour(one))

    def _words(self, at: QPointF, words: str, face: QFont, token: str) -> None:
        self.painter.setFont(face)
        self.painter.setPen(self.theme.colour(token))
        self.painter.drawText(at, words)


def _runs(xs: Floats, ys: Floats) -> Iterator[NDArray[np.intp]]:
    """The points from left to right, in parts between those that are missing."""
    order = np.argsort(xs, kind="stable")
    order = order[np.isfinite(xs[order])]
    there = np.isfinite(ys[order])
    edges = np.flatnonzero(np.diff(np.concatenate(([False], there, [False])).astype(np.int8)))
    for begin, end in zip(edges[::2], edges[1::2], strict=True):
        yield order[begin:end]


def _crisp(place: float) -> float:
    """The middle of a pixel, so that a thin line fills one and not two halves."""
    return float(np.floor(place)) + 0.5


def _edges(rect: QRectF) -> Edges:
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def _polygon(points: Floats) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _faint(colour: QColor, opacity: float) -> QColor:
    faint = QColor(colour)
    faint.setAlphaF(opacity)
    return faint
