"""Draws how the work of strategies grows: over meshes, and over the jobs on one mesh, both logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.model.charts import ChartData
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

    def __init__(self, charts: tuple[ChartData, ChartData]) -> None:
        self._charts = charts

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


def write_growth(charts: tuple[ChartData, ChartData], strategies: Sequence[str], out: Path) -> None:
    """Write both charts side by side: PNG, SVG or PDF, by the ending of the name."""
    qt_application()
    picture = GrowthPicture(charts)
    write_picture(
        out,
        picture.paint,
        picture.picture_size(),
        title=picture.picture_title(),
        description=f"Strategies: {', '.join(strategies)}",
        without_ending=PictureFormat.PNG,
    )
