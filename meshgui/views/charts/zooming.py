"""Zooms and moves the visible part of a chart, within the whole chart."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF

from meshgui.model.charts.chart_axis import ChartAxis
from meshgui.views.charts.chart_layout import ChartLayout, VisibleAxes

_LEAST_PART: Final = 1e-4  # of an axis


def zoomed(layout: ChartLayout, factor: float, at: QPointF) -> VisibleAxes:
    """Scale the visible part by a factor; what is at a position stays there."""
    area = layout.area
    x = min(max((at.x() - area.left()) / area.width(), 0.0), 1.0)
    y = min(max((area.bottom() - at.y()) / area.height(), 0.0), 1.0)
    across = layout.across.part(x * (1 - factor), x + (1 - x) * factor)
    return VisibleAxes(across, layout.up.part(y * (1 - factor), y + (1 - y) * factor))


def moved(view: VisibleAxes, area: QRectF, way: QPointF) -> VisibleAxes:
    """Move a part as far as the pointer moved."""
    x, y = way.x() / area.width(), way.y() / area.height()
    return VisibleAxes(view.across.part(-x, 1 - x), view.up.part(y, 1 + y))


def held_inside(view: VisibleAxes, whole: VisibleAxes) -> VisibleAxes | None:
    """Hold a part within the whole chart; None where it is too small to show."""
    across, up = _inside(view.across, whole.across), _inside(view.up, whole.up)
    return None if across is None or up is None else VisibleAxes(across, up)


def _inside(part: ChartAxis, whole: ChartAxis) -> ChartAxis | None:
    low, high = (float(share) for share in whole.share([part.low, part.high]))
    length = high - low
    if length < _LEAST_PART:
        return None
    if length >= 1 - 1e-9:
        return whole
    low = min(max(low, 0.0), 1.0 - length)
    return whole.part(low, low + length)
