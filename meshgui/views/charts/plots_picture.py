"""Draws plots for a file: copies of the plots in sight, in another theme, size and resolution."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter

from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.exporting.off_screen_copy import is_vector, paint_head
from meshgui.views.style.theme import Dress, Theme

__all__ = ["COLUMNS", "PlotsPicture"]

COLUMNS = 2
"""How many plots stand side by side."""

_MARGIN = 8


class PlotsPicture:
    """Some charts as one picture, as they are now: the part of time in sight, the line, what is ringed."""

    def __init__(self, title: str, charts: Sequence[LivePlot], now: float, size: QSize) -> None:
        self._title, self._charts, self._now, self._size = title, tuple(charts), now, size

    def picture_title(self) -> str:
        """See Picture."""
        return self._title

    def picture_size(self) -> QSize:
        """See Picture."""
        return self._size

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        dress = Dress(theme)
        painter.save()
        painter.fillRect(rect, theme.colour("panel"))
        room = rect.adjusted(0, _MARGIN, 0, 0)
        if len(self._charts) == 1:  # several have their titles each
            room = paint_head(painter, rect, dress, self._title)
        room = room.adjusted(_MARGIN, 0, -_MARGIN, -_MARGIN)
        canvas = pg.GraphicsLayoutWidget()
        try:
            canvas.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            canvas.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
            canvas.setFrameShape(pg.GraphicsLayoutWidget.Shape.NoFrame)
            canvas.setBackground(theme.panel)
            canvas.resize(room.size().toSize())
            canvas.ci.layout.setContentsMargins(0, 0, 0, 0)
            canvas.ci.layout.setSpacing(12)
            density = 1.0 if is_vector(painter) else max(painter.deviceTransform().m11(), 1.0)
            twins = [self._twin(chart, dress, density) for chart in self._charts]
            for index, twin in enumerate(twins):
                canvas.addItem(twin.plot, row=index // COLUMNS, col=index % COLUMNS)
            canvas.show()  # nowhere: only now does it lay itself out
            for twin, chart in zip(twins, self._charts, strict=True):
                self._copy_range(twin, chart)
            scene = canvas.scene()
            scene.prepareForPaint()
            target = QRectF(QPointF(room.left(), room.top()), canvas.size())
            scene.render(painter, target, canvas.viewRect())
        finally:
            canvas.close()
            canvas.deleteLater()
            painter.restore()

    def _twin(self, chart: LivePlot, dress: Dress, density: float) -> LivePlot:
        twin = LivePlot(chart.kind, lambda _job, _packet: None)
        twin.name(len(self._charts) > 1)
        twin.show_data(chart.data)
        twin.apply_theme(dress.theme, dress.text("caption"), dress.scale, density)
        twin.set_vector(True)
        return twin

    def _copy_range(self, twin: LivePlot, chart: LivePlot) -> None:
        """Show the same part of the run, and the present moment in it."""
        (low, high), (bottom, top) = chart.plot.getViewBox().viewRange()
        twin.plot.setXRange(low, high, padding=0)
        twin.plot.setYRange(bottom, top, padding=0)
        twin.show_now(self._now)
        x, y = chart.pointed.getData()
        twin.pointed.setData(x, y)
