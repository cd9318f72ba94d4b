"""Divides a rectangle among the parts of a chart: words, legend, axes, and the area that is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from meshgui.model.charts.chart_axis import AxisTick, ChartAxis, axis_ticks, raw_axis, round_axis
from meshgui.model.charts.charts import ChartData
from meshgui.model.charts.label_places import CategoryRows, category_rows, elided, flow, spread, wrapped
from meshgui.views.charts.chart_layout import (
    BARS,
    LEADER,
    SWATCH,
    WIDEST_BAR,
    ChartLayout,
    EndName,
    LegendName,
    VisibleAxes,
    bar_words,
    below_axis,
)
from meshgui.views.charts.chart_style import RESULT, ChartFonts, ChartStyle

_WIDEST_NAME: Final = 0.28  # of the width may go to names at the lines' ends
_WIDEST_WANTED: Final = 0.5  # the same where they are wanted there
_HIGHEST_LEGEND: Final = 0.34  # of the height
_LEAST_AREA: Final = 0.36  # of the height stays for the data, however many names there are
_LOW: Final = 180  # pixels, from which up there is room for a note
_LONGEST_CATEGORY: Final = 130  # pixels of a slanted name
_FEWEST: Final = 3  # numbers along an axis, if they fit
_ENOUGH: Final = 8  # the most that are tried for that


def arrange(
    chart: ChartData,
    rect: QRectF,
    scale: float = 1.0,
    view: VisibleAxes | None = None,
    style: ChartStyle = RESULT,
) -> ChartLayout:
    """Divide a rectangle among the parts of a chart."""
    return _Arranging(chart, rect, scale, view, style).layout()


class _Arranging:
    """The state of one call of `arrange`."""

    def __init__(
        self, chart: ChartData, rect: QRectF, scale: float, view: VisibleAxes | None, style: ChartStyle
    ) -> None:
        self.chart, self.rect, self.scale, self.view, self.style = chart, rect, scale, view, style
        self.fonts = ChartFonts.of(style, scale)
        self.title = QFontMetricsF(self.fonts.title)
        self.label, self.small = QFontMetricsF(self.fonts.label), QFontMetricsF(self.fonts.small)
        beside, above = map(self.px, style.margins)
        self.full = True  # whether names are written in full
        self.inner = rect.adjusted(beside, above, -beside, -above)

    def px(self, pixels: float) -> float:
        return pixels * self.scale

    def gap(self, pixels: float) -> float:
        return pixels * self.scale * self.style.gaps

    def layout(self) -> ChartLayout:
        """The parts with full names, or where these have no room with ids, and the names in lines below."""
        made = self._layout()
        named = self.chart.full_categories or any(one.full for one in self.chart.series)
        if not named or self._in_full(made):
            return made
        self.full = False
        return self._layout()

    def _in_full(self, made: ChartLayout) -> bool:
        """Whether no name is cut or left out."""
        names = {one.words for one in self.chart.series}
        there = all(name.words in names for name in made.legend) and not made.unnamed
        if made.categories is not None:
            there &= all(lines and "…" not in lines[0] for lines in made.categories.lines)
        beside = self.style.legend == "beside" and self.chart.kind == "curves"
        return there and (bool(made.ends) or not beside)

    def _label(self, series: int) -> str:
        one = self.chart.series[series]
        return one.words if self.full else one.label

    @property
    def _categories(self) -> tuple[str, ...]:
        return (self.full and self.chart.full_categories) or self.chart.categories

    def _layout(self) -> ChartLayout:
        chart, inner = self.chart, self.inner
        top = inner.top() + (self.title.height() + self.px(2) if chart.title else 0.0)
        top += self.label.height() + self.gap(6)  # the upright axis' name
        direct = self._names_at_ends(inner.bottom() - top - self.px(70))
        unnamed = direct or self.style.legend == "none"
        legend, left_out, below = ((), 0, top) if unnamed else self._legend(top)
        top = below + self.style.gaps * self.small.height() / 2
        note = self._note()
        bottom = inner.bottom() - len(note) * self.small.height() - (self.px(4) if note else 0.0)
        if chart.x_label or self.style.coloured:
            bottom -= self.label.height() + self.gap(4)
        area, categories, y_ticks, up, turned = self._area(
            top, bottom, self._room_for_ends() if direct else self.px(8)
        )
        across = self._across()
        x_ticks = chart.x_ticks or (() if chart.categories else tuple(self._x_ticks(across, area.width())))
        layout = ChartLayout(
            chart,
            self.rect,
            inner,
            self.scale,
            self.style,
            self.fonts,
            area,
            across,
            up,
            elided(chart.title, inner.width(), self.title.horizontalAdvance),
            elided(chart.y_label, inner.width() * 0.7, self.label.horizontalAdvance),
            x_ticks,
            () if chart.is_empty else tuple(y_ticks),
            categories,
            legend,
            left_out,
            (),
            note,
            turned,
            self._whole(),
        )
        return self._with_ends(layout) if direct else layout

    def _area(
        self, top: float, bottom: float, right: float
    ) -> tuple[QRectF, CategoryRows | None, Sequence[AxisTick], ChartAxis, bool | None]:
        """Compute the area, the rows of categories below it, and the upright axis beside it."""
        chart, inner, small = self.chart, self.inner, self.small
        left, numbers = 0.0, small.horizontalAdvance(self.style.number_room)
        area, categories, turned = QRectF(), None, None
        y_ticks: Sequence[AxisTick] = ()
        across, up = self._across(), ChartAxis(0, 1)
        for _ in range(2):  # the numbers' width depends on the area's height, which depends on their width
            left = max(left, numbers + self.px(8) if numbers else 0.0)
            width = max(inner.width() - left - right, 1.0)
            rows = small.height()
            if chart.categories:
                slot = width / (across.high - across.low)
                longest = min(self.px(_LONGEST_CATEGORY), 0.3 * inner.height())
                categories = category_rows(
                    self._categories, slot, small.height(), longest, small.horizontalAdvance
                )
                rows = categories.height
                left = max(left, categories.overhang - slot / 2)
                width = max(inner.width() - left - right, 1.0)
            height = max(bottom - rows - self.gap(8) - top, 1.0)
            area = QRectF(inner.left() + left, top, width, height)
            turned = self._values_turned(width)
            up, y_ticks = self._up(height, turned)
            numbers = max([numbers, *(small.horizontalAdvance(tick.words) for tick in y_ticks)])
        return area, categories, y_ticks, up, turned

    def _across(self) -> ChartAxis:
        if self.view:
            return self.view.across
        if self.chart.categories:
            return ChartAxis(-0.5, len(self.chart.categories) - 0.5)
        marked = [self.chart.at(mark) for mark in self.chart.marks]
        marked += [*self.chart.x_reach, *(cursor.x for cursor in self.chart.cursors)]
        # Points without a value count too, so that the axis stands while results come in.
        return raw_axis(
            np.concatenate([np.array(marked), *(one.x for one in self.chart.series)]),
            self.chart.x_scale,
            self.style.pad,
        )

    def _up(self, height: float, turned: bool | None) -> tuple[ChartAxis, Sequence[AxisTick]]:
        chart = self.chart
        style = self.style
        few = min(int(height / self.px(style.least_y_tick)), 5)
        at_most = max(int(height / self.px(style.y_tick)), few, 2)
        if self.view:
            return self.view.up, axis_ticks(self.view.up, at_most)
        ends = [end for mark in chart.marks for end in (mark.low, mark.high)]
        parts = [np.array([*ends, *chart.y_reach])]
        for one in chart.series:
            parts += [one.y, one.low[one.known], one.high[one.known]]
        if any(below_axis(chart, one).any() for one in chart.series):  # they lie below all others
            known = np.concatenate(parts)
            parts.append(known[known > 0].min(initial=np.inf, keepdims=True) / 2)
        bars = chart.kind == "bars"
        if bars and chart.y_scale == "linear":
            parts.append(np.zeros(1))
        headroom = 0.0
        if bars and turned is not None:
            room = self._widest_value() if turned else self.small.height()
            headroom = min((room + self.px(6)) / height, 0.5)
        axis = round_axis(np.concatenate(parts), chart.y_scale, max(at_most, style.steps), headroom)
        return axis, chart.y_ticks or axis_ticks(axis, at_most)

    def _x_ticks(self, axis: ChartAxis, width: float) -> list[AxisTick]:
        """Choose as many round numbers as fit without touching: some apart, but three where that is all."""
        gap = self.px(16)
        ticks: list[AxisTick] = []
        most = max(int(width / self.px(self.style.x_tick)), 2)
        while most < _ENOUGH and len(axis_ticks(axis, most)) < _FEWEST:
            most += 1
        for at_most in range(most, 0, -1):
            ticks = axis_ticks(axis, at_most)
            if len(_apart(ticks, axis, width, gap, self.small)) == len(ticks):
                return ticks
        return _apart(ticks, axis, width, gap, self.small)

    def _names_at_ends(self, height: float) -> bool:
        """Whether the names are beside the ends of the lines: where they fit, or have to be."""
        chart, place = self.chart, self.style.legend
        if (
            not self.style.coloured
            or chart.kind != "curves"
            or not chart.series
            or place in {"above", "none"}
        ):
            return False
        widest = _WIDEST_NAME if place == "auto" else _WIDEST_WANTED
        lines = len(chart.series) * self.label.height()
        return lines <= height and self._room_for_ends() <= widest * self.inner.width()

    def _room_for_ends(self) -> float:
        names = (self.label.horizontalAdvance(self._label(i)) for i in range(len(self.chart.series)))
        return max(names, default=0.0) + self.px(LEADER + self.style.sample + 8)

    def _legend(self, top: float) -> tuple[tuple[LegendName, ...], int, float]:
        """Lay out the names in rows; return them, how many have no room, and the lower end of the rows."""
        line, inner = self.label.height() + self.gap(3), self.inner
        sample = self.px(SWATCH if self.chart.kind == "bars" else self.style.sample) + self.px(6)
        advance = self.label.horizontalAdvance
        named = [i for i, one in enumerate(self.chart.series) if one.label]
        words = [elided(self._label(i), inner.width() - sample, advance) for i in named]
        places = flow([sample + advance(name) for name in words], inner.width() + 0.5, self.px(18))
        # Below stand the numbers or the categories, and the lower axis' name.
        below = self.label.height() + self.gap(12) + (3 if self.chart.categories else 1) * self.small.height()
        free = inner.bottom() - below - top - _LEAST_AREA * inner.height()
        rows = max(int(min(_HIGHEST_LEGEND * inner.height(), free) / line), 0)
        names = [
            LegendName(i, inner.left() + x, top + (row + 0.5) * line, name)
            for i, name, (row, x) in zip(named, words, places, strict=True)
            if row < rows
        ]
        cut = len(words) > len(names)
        if cut:  # the last one gives way to the number of those left out
            names = names[:-1]
        used = min(places[-1][0] + 1, rows) if places else 0
        return tuple(names), len(words) - len(names), top + used * line + (self.gap(6) if used else 0.0)

    def _note(self) -> tuple[str, ...]:
        if self.inner.height() < self.px(_LOW):
            return ()
        width, advance = self.inner.width(), self.small.horizontalAdvance
        names = " · ".join(() if self.full else self.chart.names)
        lines = wrapped(self.chart.note, width, advance) if self.chart.note else []
        if len(lines) > 2:
            lines = [lines[0], " ".join(lines[1:])]
        lines = [*(wrapped(names, width, advance) if names else ()), *lines]
        return tuple(elided(line, width, advance) for line in lines)

    def _values_turned(self, width: float) -> bool | None:
        """Whether the values over the bars are level, turned, or omitted."""
        chart = self.chart
        if chart.kind != "bars" or not chart.series:
            return None
        slot = width / len(chart.categories)
        pitch = min(BARS * slot / len(chart.series), self.px(WIDEST_BAR))
        if self._widest_value() + self.px(4) <= pitch:
            return False
        return True if self.small.height() * 0.9 <= pitch else None

    def _widest_value(self) -> float:
        whole = self._whole()
        words = [bar_words(value, whole=whole) for value in self._values()]
        return max(map(self.small.horizontalAdvance, words), default=0.0)

    def _whole(self) -> bool:
        return all(value.is_integer() for value in self._values())

    def _values(self) -> list[float]:
        return [float(y) for one in self.chart.series for y in one.y[one.known]]

    def _with_ends(self, layout: ChartLayout) -> ChartLayout:
        """Add a name at the end of each line, moved apart; names of series without a point stand lowest."""
        area, chart, metrics = layout.area, layout.chart, self.label
        found: list[QPointF | None] = []
        for one in chart.series:
            xs, ys = layout.places(one)
            seen = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys) & (xs <= area.right() + 1))
            last = seen[np.argmax(xs[seen])] if len(seen) else None
            shown = last is not None and xs[last] >= area.left()
            found.append(QPointF(float(xs[last]), float(ys[last])) if shown and last is not None else None)
        wanted = [min(max(end.y(), area.top()), area.bottom()) if end else area.bottom() for end in found]
        half = metrics.height() / 2
        middles = spread(wanted, metrics.height(), area.top() + half / 2, area.bottom() - half / 2)
        names = tuple(
            EndName(
                i, middle, self._label(i), end if end and area.top() <= end.y() <= area.bottom() else None
            )
            for i, (middle, end) in enumerate(zip(middles, found, strict=True))
        )
        return replace(layout, ends=names)


def _apart(
    ticks: list[AxisTick], axis: ChartAxis, width: float, gap: float, metrics: QFontMetricsF
) -> list[AxisTick]:
    """Drop the ticks whose words touch those before them."""
    kept: list[AxisTick] = []
    end = -np.inf
    for tick in ticks:
        place, half = float(axis.share(tick.value)) * width, metrics.horizontalAdvance(tick.words) / 2
        if place - half >= end + gap:
            kept.append(tick)
            end = place + half
    return kept
