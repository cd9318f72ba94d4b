"""The use of one channel over time as a small chart, with the present moment marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import tr
from meshgui.model.charts.chart_axis import AxisTick
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine
from meshgui.model.network.network_tables import ChannelTraffic, bins
from meshgui.model.tables.tables import PlainTable
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_layout import ChartLayout
from meshgui.views.charts.chart_painter import draw_layout, paint_chart
from meshgui.views.charts.chart_style import COMPACT
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import picture_size, titled_picture
from meshgui.views.style.direction import mirror_in, place_in
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, ThemeManager
from meshgui.views.widgets.focus_ring import FocusRing

_HEIGHT: Final = 76
_PICTURE: Final = QSize(640, 220)  # in the panel it is a strip
_BIN: Final = 3  # the design's pixels of a column


class UseCurve(QWidget):
    """Columns from 0 to 100 percent; emits the cycle that was clicked."""

    accessible_role = QAccessible.Role.Graphic

    picked = Signal(int)

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self._traffic: ChannelTraffic | None = None
        self._span = (0, 1)
        self._cycle = 0
        self._channel = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Use over time; click to go there"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # its table is that of what has the keys
        FocusRing(self, themes)
        themes.changed.connect(self.update)
        Sizing(themes, self).call(self.setFixedHeight, _HEIGHT)

    def show_traffic(self, channel: str, traffic: ChannelTraffic, span: tuple[int, int], cycle: int) -> None:
        """Show a channel over some cycles, and the present one."""
        self._channel, self._traffic = channel, traffic
        self._span, self._cycle = (span[0], max(span)), cycle
        self.setAccessibleName(self._title())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the columns and the present moment."""
        del event
        if self._traffic is not None:
            with QPainter(self) as painter:
                mirror_in(self, painter)
                draw_layout(painter, self._arranged(), self._themes.theme)

    def pictures(self) -> Sequence[Picture]:
        """The columns under a title that names the channel."""

        def draw(painter: QPainter, room: QRectF, dress: Dress) -> None:
            paint_chart(painter, room, self._chart(room.width()), dress.theme, style=COMPACT)

        size = picture_size(self, self._themes).expandedTo(_PICTURE)
        return (titled_picture(self._title(), size, draw),)

    def _title(self) -> str:
        return tr("Use of {channel}, cycles {first} to {last}").format(
            channel=self._channel, first=self._span[0], last=self._span[1]
        )

    def tables(self) -> Sequence[PlainTable]:
        """The columns drawn: the cycles of each, and the share of them in which a flit crossed."""
        heights, edges = self._columns(self.width() / self._themes.scale)
        cycles: list[int] = edges.astype(int).tolist()
        rows = tuple(
            (begin, end - 1, share) for (begin, end), share in zip(pairwise(cycles), heights, strict=True)
        )
        return (PlainTable(self._title(), (tr("First cycle"), tr("Last cycle"), tr("Use")), rows),)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Emit the cycle that was clicked."""
        if self._traffic is not None and event.button() == Qt.MouseButton.LeftButton:
            layout = self._arranged()
            share = (place_in(self, event.position()).x() - layout.area.left()) / layout.area.width()
            self.picked.emit(min(int(layout.across.value(max(share, 0.0))), self._span[1]))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The fixed height, and any width."""
        return QSize(self._themes.px(200), self._themes.px(_HEIGHT))

    def _arranged(self) -> ChartLayout:
        chart = self._chart(self.width() / self._themes.scale)
        return arrange(chart, QRectF(self.rect()), self._themes.scale, style=COMPACT)

    def _chart(self, width: float) -> ChartData:
        """The chart for a width in the design's pixels: the wider, the finer its columns."""
        heights, edges = self._columns(width)
        begin, end = self._span
        return ChartData(
            "",
            "",
            "100 %",
            (ChartSeries.of("use", "", 0, edges[:-1], heights, shape="area"),),
            empty="",
            cursors=(CursorLine(self._cycle),) if begin <= self._cycle <= end else (),
            x_reach=(begin, end + 1),
            y_reach=(0.0, 1.0),
            x_ticks=(AxisTick(begin, str(begin)), AxisTick(end + 1, str(end))),
            y_ticks=(AxisTick(0.0, ""), AxisTick(1.0, "")),
        )

    def _columns(self, width: float) -> tuple[Floats, Floats]:
        """The height of each column, and the cycles between which it lies."""
        most = max(int(width - 2 * COMPACT.margins[0]) // _BIN, 1)
        if self._traffic is None:
            return np.zeros(0), np.zeros(0)
        return bins(self._traffic, *self._span, most)
