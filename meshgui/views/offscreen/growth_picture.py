"""Draws the growth of strategies' operations over meshes and over jobs, with logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import PictureFormat
from meshgui.model.charts.charts import ChartData
from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme_colours import Theme

_SIZE: Final = QSize(1600, 900)
_SCALE: Final = 1.2  # so that it is read from a slide


def write_growth(charts: tuple[ChartData, ChartData], strategies: Sequence[str], out: Path) -> None:
    """Write both charts side by side: PNG, SVG or PDF, by the ending of the name."""

    def paint(painter: QPainter, rect: QRectF, theme: Theme) -> None:
        half = QRectF(rect.left(), rect.top(), rect.width() / 2, rect.height())
        for side, chart in enumerate(charts):
            paint_chart(painter, half.translated(side * half.width(), 0), chart, theme, _SCALE)

    qt_application()
    write_picture(
        out,
        paint,
        _SIZE,
        title=tr("How the operations of strategies grow"),
        description=tr("Strategies: {strategies}").format(strategies=", ".join(strategies)),
        without_ending=PictureFormat.PNG,
    )
