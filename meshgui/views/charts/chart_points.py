"""Finds the point or published value under the pointer, and the next point for a key."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF

from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.charts.charts import PublishedMark, point_words
from meshgui.views.charts.chart_layout import ChartLayout

Way = Literal["left", "right", "up", "down", "first", "last"]


class ChartPoint(NamedTuple):
    """A visible point: its series and number, and its position in the layout."""

    series: int
    point: int
    x: float
    y: float

    @property
    def at(self) -> QPointF:
        """Its position."""
        return QPointF(self.x, self.y)


def points_in_sight(layout: ChartLayout) -> list[ChartPoint]:
    """Return every visible point, or the top of every bar."""
    found: list[ChartPoint] = []
    area = layout.area.adjusted(-1, -1, 1, 1)
    for i, one in enumerate(layout.chart.series):
        if layout.chart.kind == "bars":
            bars = ((k, layout.bar(i, k)) for k in range(len(one)))
            feet = layout.foot()
            found += [
                ChartPoint(i, k, bar.center().x(), bar.top() if bar.top() < feet - 1e-6 else bar.bottom())
                for k, bar in bars
                if bar
            ]
            continue
        xs, ys = layout.places(one)
        seen = np.flatnonzero(np.isfinite(xs) & np.isfinite(ys))
        places = ((int(k), float(xs[k]), float(ys[k])) for k in seen)
        found += [ChartPoint(i, k, x, y) for k, x, y in places if area.contains(QPointF(x, y))]
    return found


def point_under(layout: ChartLayout, among: list[ChartPoint], at: QPointF, reach: float) -> ChartPoint | None:
    """Return the bar at a position, or the nearest point within `reach`."""
    if not among:
        return None
    if layout.chart.kind == "bars":
        if not layout.area.contains(at):
            return None
        half = layout.pitch() / 2
        inside = [spot for spot in among if abs(spot.x - at.x()) <= half]
        return min(inside, key=lambda spot: abs(spot.x - at.x()), default=None)
    places = np.array([(spot.x, spot.y) for spot in among])
    far = np.hypot(places[:, 0] - at.x(), places[:, 1] - at.y())
    nearest = int(np.argmin(far))
    return among[nearest] if far[nearest] <= reach else None


def mark_under(layout: ChartLayout, at: QPointF, reach: float) -> PublishedMark | None:
    """Return the published value at a position."""
    for mark in layout.chart.marks:
        ends = layout.mark_ends(mark)
        if ends is None:
            continue
        low, high = ends
        if abs(low.x() - at.x()) <= reach and high.y() - reach <= at.y() <= low.y() + reach:
            return mark
    return None


def describe_mark(layout: ChartLayout, mark: PublishedMark) -> str:
    """Describe a published value in one line."""
    found = layout.chart.of_key(mark.key)
    amount = (
        formatted(mark.low, ".4g")
        if mark.low == mark.high
        else tr("{low:.4g} to {high:.4g}").format(low=mark.low, high=mark.high)
    )
    place = f"{layout.chart.x_label} {layout.chart.x_words(layout.chart.at(mark))}".strip()
    return " · ".join([*([found.words] if found else []), place, f"{mark.label} {amount}"])


def describe_point(layout: ChartLayout, spot: ChartPoint) -> str:
    """Describe a point in one line."""
    return point_words(layout.chart, layout.chart.series[spot.series], spot.point)


def neighbour(
    layout: ChartLayout, among: list[ChartPoint], spot: ChartPoint | None, way: Way
) -> ChartPoint | None:
    """Return the next point from another: along its curve, or on the next curve above or below.

    Of bars: to the next bar, or to the same series' bar in the next group.
    """
    if not among:
        return None
    across = sorted(among, key=lambda each: (each.x, each.series))
    if spot is None:
        return across[-1] if way == "last" else across[0]
    bars = layout.chart.kind == "bars"
    if way in {"up", "down"}:
        return _other(among, spot, way, bars=bars)
    line = across if bars else [each for each in across if each.series == spot.series]
    at = next((k for k, each in enumerate(line) if each[:2] == spot[:2]), 0)
    step = {"left": at - 1, "right": at + 1, "first": 0, "last": len(line) - 1}[way]
    return line[min(max(step, 0), len(line) - 1)]


def _other(among: list[ChartPoint], spot: ChartPoint, way: Way, *, bars: bool) -> ChartPoint:
    if bars:
        own = sorted((each for each in among if each.series == spot.series), key=lambda each: each.x)
        beyond = [each for each in own if (each.x > spot.x) == (way == "up") and each.x != spot.x]
        return spot if not beyond else beyond[0] if way == "up" else beyond[-1]
    # The point of each curve nearest across; equally high ones follow one another in order of series.
    columns: dict[int, ChartPoint] = {}
    for each in among:
        best = columns.get(each.series)
        if best is None or abs(each.x - spot.x) < abs(best.x - spot.x):
            columns[each.series] = each
    columns[spot.series] = spot
    ranked = sorted(columns.values(), key=lambda each: (-each.y, each.series))
    at = ranked.index(spot) + (1 if way == "up" else -1)
    return ranked[min(max(at, 0), len(ranked) - 1)]
