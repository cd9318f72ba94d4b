"""The positions of all parts of a chart: its area, axes, names and bars, in a painter's units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QPointF, QRectF

from meshgui.engine.basics.arrays import Floats
from meshgui.model.charts.chart_axis import AxisTick, ChartAxis, number_words
from meshgui.model.charts.charts import ChartData, ChartSeries, PublishedMark
from meshgui.model.charts.label_places import CategoryRows
from meshgui.views.charts.chart_style import ChartFonts, ChartStyle

LEADER: Final = 18  # from the area to the names at the lines' ends
SWATCH: Final = 14  # the side of a bar's sample in the legend
BARS: Final = 0.82  # of a group's room is for its bars
WIDEST_BAR: Final = 72  # and no bar is wider


class VisibleAxes(NamedTuple):
    """The visible part after zooming."""

    across: ChartAxis
    up: ChartAxis


class LegendName(NamedTuple):
    """A name above the chart, after its sample."""

    series: int
    left: float
    middle: float
    words: str


class EndName(NamedTuple):
    """A name beside the end of its line."""

    series: int
    middle: float
    words: str
    end: QPointF | None  # None: it has no point in sight


@dataclass(frozen=True, eq=False)
class ChartLayout:
    """A chart laid out in a rectangle."""

    chart: ChartData
    rect: QRectF
    inner: QRectF  # without the margins
    scale: float
    style: ChartStyle
    fonts: ChartFonts
    area: QRectF
    across: ChartAxis
    up: ChartAxis
    title: str
    y_label: str
    x_ticks: tuple[AxisTick, ...]
    y_ticks: tuple[AxisTick, ...]
    categories: CategoryRows | None
    legend: tuple[LegendName, ...]
    unnamed: int  # series for whose names there is no room
    ends: tuple[EndName, ...]
    note: tuple[str, ...]
    values_turned: bool | None  # None: the bars' values have no room
    whole: bool  # whether all bars' values are whole numbers

    def px(self, pixels: float) -> float:
        """A length of the design."""
        return pixels * self.scale

    def gap(self, pixels: float) -> float:
        """A length between two parts, less where the style is compact."""
        return pixels * self.scale * self.style.gaps

    def xs(self, values: ArrayLike) -> Floats:
        """The horizontal positions of values."""
        places: Floats = self.area.left() + self.across.share(values) * self.area.width()
        return places

    def ys(self, values: ArrayLike) -> Floats:
        """The vertical positions of values, held within what painters can draw; NaN where there is none."""
        shares = np.clip(self.up.share(values), -50.0, 50.0)
        places: Floats = self.area.bottom() - shares * self.area.height()
        return places

    def places(self, series: ChartSeries) -> tuple[Floats, Floats]:
        """The positions of a curve's points; on a logarithmic axis, 0 and less lie on the lower edge."""
        ys = self.ys(series.y)
        return self.xs(series.x), np.where(below_axis(self.chart, series), self.area.bottom(), ys)

    def line(self, series: ChartSeries) -> tuple[Floats, Floats]:
        """The corners of a curve: its points, and the corners between those of steps."""
        xs, ys = self.places(series)
        ys = np.where(below_axis(self.chart, series), np.nan, ys)
        if series.shape == "straight":
            return xs, ys
        return np.append(np.repeat(xs, 2)[1:], self.area.right()), np.repeat(ys, 2)

    def pitch(self) -> float:
        """The distance from one bar of a group to the next."""
        count = max(len(self.chart.series), 1)
        slot = self.area.width() / max(len(self.chart.categories), 1)
        return min(BARS * slot / count, self.px(WIDEST_BAR))

    def bar_middle(self, series: int, x: float) -> float:
        """The middle of a series' bar in the group at x."""
        return float(self.xs(x)) + (series - (len(self.chart.series) - 1) / 2) * self.pitch()

    def bar(self, series: int, point: int) -> QRectF | None:
        """The bar of a value; None where it has none."""
        one = self.chart.series[series]
        top = float(self.ys(one.y[point]))
        if not (np.isfinite(top) and np.isfinite(one.x[point])):
            return None
        foot = self.foot()
        pitch = self.pitch()
        width = pitch - min(self.px(3), 0.15 * pitch)
        middle = self.bar_middle(series, float(one.x[point]))
        return QRectF(middle - width / 2, min(top, foot), width, abs(foot - top))

    def foot(self) -> float:
        """The vertical position on which bars stand."""
        if self.up.scale == "log":
            return self.area.bottom()
        return min(max(float(self.ys(0.0)), self.area.top()), self.area.bottom())

    def mark_ends(self, mark: PublishedMark) -> tuple[QPointF, QPointF] | None:
        """The lower and upper end of a published value; None where it is not visible."""
        x = self.mark_x(mark)
        low, high = (float(self.ys(value)) for value in (mark.low, mark.high))
        area = self.area
        seen = (
            area.left() - 1 <= x <= area.right() + 1 and high <= area.bottom() + 1 and low >= area.top() - 1
        )
        return (QPointF(x, low), QPointF(x, high)) if seen else None

    def mark_x(self, mark: PublishedMark) -> float:
        """The horizontal position of a published value: over the bar it belongs to."""
        x = self.chart.at(mark)
        found = self.chart.of_key(mark.key)
        if self.chart.kind == "bars" and found is not None:
            place = self.bar_middle(self.chart.series.index(found), x)
            return place + 0.28 * self.pitch()  # beside the interval of the measured mean
        return float(self.xs(x))


def below_axis(chart: ChartData, series: ChartSeries) -> NDArray[np.bool_]:
    """Which values are too small for a logarithmic axis: zero, or less."""
    if chart.y_scale != "log":
        return np.zeros(len(series), dtype=bool)
    return series.known & (series.y <= 0)


def bar_words(value: float, *, whole: bool) -> str:
    """Format a bar's value in three figures unless all values of the chart are whole numbers."""
    if whole or not 0.001 <= abs(value) < 999.5:
        return number_words(value if whole else float(f"{value:.3g}"))
    return f"{value:#.3g}".rstrip(".").replace("-", "−")
