"""Draws how the work of strategies grows: over meshes, and over the jobs on one mesh, both logarithmic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.engine.growth import Growth, GrowthPoint, GrowthSeries
from meshgui.model.charts import ChartData, ChartSeries
from meshgui.model.picture_formats import PictureFormat
from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme import Theme

__all__ = ["GrowthPicture", "write_growth"]

_SIZE: Final = QSize(1600, 900)
_SCALE: Final = 1.2  # so that it is read from a slide


class GrowthPicture:
    """Both charts side by side."""

    def __init__(self, measured: Sequence[Growth]) -> None:
        self._charts = (
            _chart(
                "Larger meshes, a dozen jobs on each",
                "processors of the mesh",
                [growth.meshes for growth in measured],
                lambda point: point.processors,
            ),
            _chart(
                "More jobs on one mesh",
                "jobs on the mesh",
                [growth.jobs for growth in measured],
                lambda point: point.jobs,
            ),
        )

    def picture_title(self) -> str:
        """See Picture."""
        return "How the operations of strategies grow"

    def picture_size(self) -> QSize:
        """See Picture."""
        return _SIZE

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        half = QRectF(rect.left(), rect.top(), rect.width() / 2, rect.height())
        for side, chart in enumerate(self._charts):
            paint_chart(painter, half.translated(side * half.width(), 0), chart, theme, _SCALE)


def write_growth(measured: Sequence[Growth], out: Path) -> None:
    """Write both charts side by side: PNG, SVG or PDF, by the ending of the name."""
    qt_application()
    picture = GrowthPicture(measured)
    words = f"Strategies: {', '.join(growth.cls.id for growth in measured)}"
    write_picture(
        out,
        picture.paint,
        picture.picture_size(),
        title=picture.picture_title(),
        description=words,
        without_ending=PictureFormat.PNG,
    )


def _chart(
    title: str, across: str, grown: Sequence[GrowthSeries], amount: Callable[[GrowthPoint], float]
) -> ChartData:
    """Operations over an amount, a curve for each strategy that was measured."""
    series = tuple(
        ChartSeries.of(
            one.name,
            one.name,
            place,
            [amount(point) for point in one.points],
            [max(point.allocation, 1.0) for point in one.points],
        )
        for place, one in enumerate(grown)
        if one.points
    )
    return ChartData(
        title, across, "operations per allocation", series, x_scale="log", y_scale="log", empty="No points."
    )
