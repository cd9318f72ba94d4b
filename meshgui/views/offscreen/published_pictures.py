"""Draws the charts of published results into SVG files, on white, each with its setting in its title."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.catalogue.results_page import EntryResult
from meshgui.model.charts.charts import ChartData
from meshgui.model.studies.published_charts import charts_of, file_names
from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.theme_colours import Theme

_HEIGHT: Final = 400
_BAR: Final = 110  # of the width for each bar
_LEAST: Final = 800
_MOST: Final = 1200


def write_charts(standings: Iterable[EntryResult], folder: Path) -> None:
    """Write every chart that is not empty, except those of measured times, which differ in every run."""
    qt_application()
    for standing in standings:
        charts = charts_of(standing.entry, standing.judged)
        for name, published in zip(file_names(standing.entry, charts), charts, strict=True):
            if not (published.chart.is_empty or published.shows_times_alone):
                size = QSize(min(max(_LEAST, _BAR * len(published.bars)), _MOST), _HEIGHT)
                title = f"{standing.entry.id}: {published.chart.title}"
                write_picture(folder / name, partial(_draw, published.chart), size, title=title)


def _draw(chart: ChartData, painter: QPainter, rect: QRectF, theme: Theme) -> None:
    paint_chart(painter, rect, chart, theme)
