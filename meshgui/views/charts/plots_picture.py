"""Paints plots for a file: those in sight as charts, side by side under a head."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter

from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.charts.chart_style import COMPACT
from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import titled_picture
from meshgui.views.style.theme import Dress

COLUMNS: Final = 2
"""How many plots stand side by side."""


def plots_picture(title: str, head: str, plots: Sequence[LivePlot], size: QSize) -> Picture:
    """Make one picture of some plots under a head: the visible part of time and the ringed dots.

    The line of the present is not in it.
    """
    columns = min(len(plots), COLUMNS)
    rows = -(-len(plots) // columns)
    charts = [plot.chart(plot.kind.title if len(plots) > 1 else "") for plot in plots]

    def draw(painter: QPainter, room: QRectF, dress: Dress) -> None:
        wide, high = room.width() / columns, room.height() / rows
        for index, (chart, view) in enumerate(charts):
            row, column = divmod(index, columns)
            cell = QRectF(room.left() + column * wide, room.top() + row * high, wide, high)
            paint_chart(painter, cell, chart, dress.theme, view=view, style=COMPACT)

    return titled_picture(title, size, draw, head)
