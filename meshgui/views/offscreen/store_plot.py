"""Draws the chart of an experiment for print, without a window."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.model.charts.charts import ChartData
from meshgui.model.charts.lettering import MILLIMETRE, Lettering
from meshgui.views.charts.printed_chart import paint_printed, require_family
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme_colours import Theme

_FINE: Final = 4  # a PNG has 384 dots an inch


def write_plot(chart: ChartData, lettering: Lettering, millimetres: tuple[float, float], out: Path) -> None:
    """Write a chart as PDF, SVG or PNG, by the ending of the name, so wide and high."""
    qt_application()
    require_family(lettering.family)
    size = QSize(*(round(side * MILLIMETRE) for side in millimetres))
    title = lettering.title or chart.title
    write_picture(out, partial(_paint, chart, lettering), size, scale=_FINE, title=title)


def _paint(chart: ChartData, lettering: Lettering, painter: QPainter, rect: QRectF, theme: Theme) -> None:
    paint_printed(painter, rect, chart, theme, lettering)
