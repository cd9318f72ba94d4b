"""Paints what surrounds the data of a chart: words, axes, grid and the names of the series."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from meshgui.engine.basics.translation import tr
from meshgui.model.charts.charts import ChartSeries
from meshgui.model.charts.label_places import elided
from meshgui.views.charts.chart_layout import LEADER, SWATCH, ChartLayout
from meshgui.views.charts.series_look import draw_published, draw_symbol, plain_pen, series_colour, series_pen
from meshgui.views.style.direction import write, write_named
from meshgui.views.style.theme_colours import Theme

_MANY: Final = 8  # series, from which on lines and bands are drawn more lightly
_NEAR: Final = 72  # pixels from the area's end; from farther off a leader would pass for a curve


class ChartFrame:
    """Draws the frame of one chart with one painter; holds the pens of its series."""

    def __init__(self, painter: QPainter, layout: ChartLayout, theme: Theme) -> None:
        self.painter, self.layout, self.theme = painter, layout, theme
        self.chart, self.px = layout.chart, layout.px
        self.ground = theme.colour("panel")
        self.many = len(self.chart.series) > _MANY
        self.line_width = self.px(1.6 if self.many else 2.0)
        self.radius = self.px(3.4 if self.many else 4.0)

    # Words and axes

    def draw_head(self) -> None:
        """Draw the title, the name of the upright axis, and the sign of published values."""
        layout, chart = self.layout, self.chart
        left, top = layout.inner.left(), layout.inner.top()
        if chart.title:
            metrics = QFontMetricsF(layout.fonts.title)
            self.words(QPointF(left, top + metrics.ascent()), layout.title, layout.fonts.title, "text")
            top += metrics.height() + self.px(2)
        if not chart.series and not chart.marks:
            return
        metrics = QFontMetricsF(layout.fonts.label)
        baseline = top + metrics.ascent()
        self.words(QPointF(left, baseline), layout.y_label, layout.fonts.label, "muted")
        labels = {mark.label for mark in chart.marks}
        if len(labels) == 1:
            room = layout.rect.width() * 0.28 - self.px(32)
            words = elided(next(iter(labels)), room, metrics.horizontalAdvance)
            at = layout.inner.right() - metrics.horizontalAdvance(words)
            self.words(QPointF(at, baseline), words, layout.fonts.label, "text")
            self.mark_pen(self.theme.colour("text"))
            middle = baseline - metrics.capHeight() / 2
            ranges = all(mark.low < mark.high for mark in chart.marks)
            reach = QPointF(0, self.px(6) if ranges else 0.0)
            place = QPointF(at - self.px(14), middle)
            draw_published(self.painter, place + reach, place - reach, self.px(6))

    def draw_sentence(self, room: QRectF) -> None:
        """Write the sentence of an empty chart: in the middle, or at the top of a compact one."""
        self.painter.setFont(self.layout.fonts.sentence)
        self.painter.setPen(self.theme.colour("muted"))
        across, up = (self.px(margin) for margin in self.layout.style.margins)
        place = Qt.AlignmentFlag.AlignCenter
        if not self.layout.style.coloured:
            place, room = Qt.AlignmentFlag.AlignLeft, room.adjusted(0, up, 0, 0)
        around = room.adjusted(across, 0, -across, 0)
        write(self.painter, around, self.chart.empty, int(place) | int(Qt.TextFlag.TextWordWrap))

    def draw_grid(self) -> None:
        """Draw a line at every tick."""
        painter, layout, area = self.painter, self.layout, self.layout.area
        painter.setPen(QPen(self.theme.colour("plot_grid"), max(1.0, self.px(1))))
        for tick in layout.y_ticks:
            y = crisp(float(layout.ys(tick.value)))
            painter.drawLine(QLineF(area.left(), y, area.right(), y))
        for tick in layout.x_ticks:
            x = crisp(float(layout.xs(tick.value)))
            painter.drawLine(QLineF(x, area.top(), x, area.bottom()))

    def draw_numbers(self) -> None:
        """Draw the axes with numbers or categories, the name of the lower one, and the note below it."""
        painter, layout, area = self.painter, self.layout, self.layout.area
        small = QFontMetricsF(layout.fonts.small)
        painter.setPen(QPen(self.theme.colour("outline"), max(1.0, self.px(1))))
        foot = crisp(layout.foot() if self.chart.kind == "bars" else area.bottom())
        painter.drawLine(QLineF(area.left(), foot, area.right(), foot))
        for tick in layout.y_ticks:
            y = float(layout.ys(tick.value)) + small.capHeight() / 2
            x = area.left() - self.px(8) - small.horizontalAdvance(tick.words)
            self.words(QPointF(x, y), tick.words, layout.fonts.small, "muted")
        top = area.bottom() + layout.gap(4)
        for tick in layout.x_ticks:
            x = float(layout.xs(tick.value))
            painter.setPen(QPen(self.theme.colour("outline"), max(1.0, self.px(1))))
            painter.drawLine(QLineF(crisp(x), area.bottom(), crisp(x), top))
            half = small.horizontalAdvance(tick.words) / 2
            x = min(max(x, layout.rect.left() + half), layout.rect.right() - half - self.px(2))
            at = QPointF(x - half, top + layout.gap(2) + small.ascent())
            self.words(at, tick.words, layout.fonts.small, "muted")
        rows = small.height()
        if layout.categories is not None:
            rows = layout.categories.height
            self._draw_categories(top + layout.gap(2))
        label = QFontMetricsF(layout.fonts.label)
        words = elided(self.chart.x_label, area.width(), label.horizontalAdvance)
        x = area.center().x() - label.horizontalAdvance(words) / 2
        baseline = top + rows + layout.gap(4) + label.ascent()
        self.words(QPointF(x, baseline), words, layout.fonts.label, "muted")
        baseline = layout.inner.bottom() - small.descent()
        for line in reversed(layout.note):
            self.words(QPointF(layout.inner.left(), baseline), line, layout.fonts.small, "muted")
            baseline -= small.height()

    def _draw_categories(self, top: float) -> None:
        layout, painter = self.layout, self.painter
        rows, small = layout.categories, QFontMetricsF(layout.fonts.small)
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
                self.words(at, lines[0], layout.fonts.small, "text")
                painter.restore()
                continue
            for row, line in enumerate(lines):
                at = QPointF(
                    x - small.horizontalAdvance(line) / 2, top + small.ascent() + row * small.height()
                )
                self.words(at, line, layout.fonts.small, "text")

    def draw_names(self) -> None:
        """Write the names of the series: at the ends of their lines, or in a legend."""
        layout, painter = self.layout, self.painter
        metrics = QFontMetricsF(layout.fonts.label)
        lift = metrics.capHeight() / 2
        for end in layout.ends:
            one = self.chart.series[end.series]
            left = layout.area.right() + self.px(LEADER)
            if end.end is not None and layout.area.right() - end.end.x() < self.px(_NEAR):
                leader = QPen(self.colour(one), self.px(1))
                leader.setColor(faint(leader.color(), 0.6))
                painter.setPen(leader)
                start = QPointF(max(end.end.x() + self.radius, 0), end.end.y())
                painter.drawLine(QLineF(start, QPointF(left - self.px(2), end.middle)))
            self._draw_sample(one, left, end.middle)
            at = QPointF(left + self.px(layout.style.sample + 6), end.middle + lift)
            self.words(at, end.words, layout.fonts.label, "text" if one.known.any() else "muted")
        sample = self.px(SWATCH if self.chart.kind == "bars" else layout.style.sample) + self.px(6)
        for name in layout.legend:
            one = self.chart.series[name.series]
            if self.chart.kind == "bars":
                side = self.px(SWATCH)
                swatch = QRectF(name.left, name.middle - side / 2, side, side)
                painter.fillRect(swatch, self.colour(one))
                self.symbol_on_bar(one, swatch.center(), self.px(3.2))
            else:
                self._draw_sample(one, name.left, name.middle)
            at = QPointF(name.left + sample, name.middle + lift)
            self.words(at, name.words, layout.fonts.label, "text" if one.known.any() else "muted")
        if layout.unnamed:
            self._draw_unnamed(lift)

    def _draw_unnamed(self, lift: float) -> None:
        layout = self.layout
        metrics = QFontMetricsF(layout.fonts.label)
        words = tr("and {unnamed} more").format(unnamed=layout.unnamed)
        last = layout.legend[-1] if layout.legend else None
        right = layout.inner.right() - metrics.horizontalAdvance(words)
        middle = last.middle if last else layout.area.top() - metrics.height()
        self.words(QPointF(right, middle + lift), words, layout.fonts.label, "muted")

    def _draw_sample(self, one: ChartSeries, left: float, middle: float) -> None:
        sample = self.px(self.layout.style.sample)
        if one.shape == "dots":
            self.draw_dot(one, QPointF(left + sample / 2, middle))
            return
        if one.shape == "area":
            self.painter.fillRect(QRectF(left, middle - self.px(3), sample, self.px(6)), self.area_colour)
            return
        self.painter.setPen(self.line_pen(one))
        self.painter.drawLine(QLineF(left, middle, left + sample, middle))
        if self.layout.style.coloured:
            self.symbol_pen(one)
            draw_symbol(self.painter, QPointF(left + sample / 2, middle), one.place, self.radius)

    def draw_dot(self, one: ChartSeries, at: QPointF) -> None:
        """Draw a dot of many, which may lie on each other; one that is pointed out is ringed."""
        if one.current:
            self.painter.setPen(QPen(self.theme.colour("accent"), self.px(2)))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawEllipse(at, self.px(5.5), self.px(5.5))
            return
        usual = one.place == 0  # the others stand out
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.theme.colour("muted", 0.5) if usual else self.theme.colour("blocked"))
        draw_symbol(self.painter, at, one.place, self.px(2.0 if usual else 3.5))

    # Pens and words

    @property
    def area_colour(self) -> QColor:
        """The colour of the area under a curve."""
        return self.theme.colour("muted", 0.65)

    def colour(self, one: ChartSeries) -> QColor:
        """The colour of a series."""
        return series_colour(one.place, self.theme.name)

    def line_pen(self, one: ChartSeries) -> QPen:
        """The pen of a series' line."""
        if one.current:
            return QPen(self.theme.colour("accent"), self.px(2.5))
        if self.layout.style.coloured:
            return series_pen(one.place, self.theme.name, self.line_width)
        return plain_pen(one.place, self.theme, self.px(1.5))

    def symbol_on_bar(self, one: ChartSeries, at: QPointF, radius: float) -> None:
        """Draw the symbol of a series on its bar, where there is another to tell it from."""
        if len(self.chart.series) == 1:
            return
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(self.ground)
        draw_symbol(self.painter, at, one.place, radius)

    def mark_pen(self, colour: QColor, width: float = 2.0) -> None:
        """Set the pen and brush of published values."""
        self.painter.setPen(QPen(colour, self.px(width)))
        self.painter.setBrush(self.ground)

    def symbol_pen(self, one: ChartSeries) -> None:
        """Set pen and brush of symbols: an outline in the ground's colour separates them from lines."""
        self.painter.setPen(QPen(self.ground, self.px(1)))
        self.painter.setBrush(self.colour(one))

    def words(self, at: QPointF, words: str, face: QFont, token: str) -> None:
        """Write words from a position on, in a colour of the theme."""
        self.painter.setFont(face)
        self.painter.setPen(self.theme.colour(token))
        write_named(self.painter, at, words, self.theme.colour("muted"))


def crisp(place: float) -> float:
    """Round to the middle of a pixel, so that a thin line fills one pixel and not two halves."""
    return float(np.floor(place)) + 0.5


def faint(colour: QColor, opacity: float) -> QColor:
    """Make a colour translucent."""
    thin = QColor(colour)
    thin.setAlphaF(opacity)
    return thin
