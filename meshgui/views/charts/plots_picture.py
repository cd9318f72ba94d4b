"""Draws plots for a file: copies of the plots in sight, in another theme, size and resolution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter

from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import is_vector, paint_head
from meshgui.views.exporting.pausing_painter import painted_by_qt
from meshgui.views.style.theme import Dress
from meshgui.views.style.theme_colours import Theme

COLUMNS = 2
"""How many plots stand side by side."""

_MARGIN = 8


def plots_picture(title: str, head: str, charts: Sequence[LivePlot], size: QSize) -> Picture:
    """Make one picture of some plots under a head: the visible part of time and the ringed dots.

    The line of the present is not in it.
    """
    return Picture(title, size, partial(_paint, head, tuple(charts)))


def _paint(head: str, charts: Sequence[LivePlot], painter: QPainter, rect: QRectF, theme: Theme) -> None:
    dress = Dress(theme)
    painter.save()
    painter.fillRect(rect, theme.colour("panel"))
    room = paint_head(painter, rect, dress, head)
    room = room.adjusted(_MARGIN, 0, -_MARGIN, -_MARGIN)
    canvas = pg.GraphicsLayoutWidget()
    try:
        canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        canvas.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        canvas.setFrameShape(pg.GraphicsLayoutWidget.Shape.NoFrame)
        canvas.setBackground(theme.panel)
        canvas.resize(room.size().toSize())
        canvas.ci.layout.setContentsMargins(0, 0, 0, 0)
        canvas.ci.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        canvas.ci.layout.setSpacing(12)
        density = 1.0 if is_vector(painter) else max(painter.deviceTransform().m11(), 1.0)
        copies = [_copy_of(chart, dress, density, named=len(charts) > 1) for chart in charts]
        for index, copy in enumerate(copies):
            canvas.addItem(copy.plot, row=index // COLUMNS, col=index % COLUMNS)
        canvas.show()  # nowhere: only now does it lay itself out
        for copy, chart in zip(copies, charts, strict=True):
            _show_same_part(copy, chart)
        scene = canvas.scene()
        scene.prepareForPaint()
        with painted_by_qt(painter):
            scene.render(painter, QRectF(room.topLeft(), canvas.size()), canvas.viewRect())
    finally:
        canvas.close()
        canvas.deleteLater()
        painter.restore()


def _copy_of(chart: LivePlot, dress: Dress, density: float, *, named: bool) -> LivePlot:
    copy = LivePlot(chart.kind, lambda _job, _packet: None)
    copy.name(named)
    copy.show_data(chart.data)
    copy.apply_theme(dress.theme, dress.text("caption"), dress.scale, density)
    copy.set_vector(True)
    return copy


def _show_same_part(copy: LivePlot, chart: LivePlot) -> None:
    """Show the same part of the run, all of it alike: a picture has no present."""
    (low, high), (bottom, top) = chart.plot.getViewBox().viewRange()
    copy.plot.setXRange(low, high, padding=0)
    copy.plot.setYRange(bottom, top, padding=0)
    copy.now.hide()
    copy.veil.hide()
    x, y = chart.pointed.getData()
    copy.pointed.setData(x, y)
