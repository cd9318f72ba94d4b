"""One live plot: the dots or the curve of a run, its mean, and the line of the present."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGraphicsItem

from meshgui.engine.basics.translation import tr
from meshgui.model.charts.chart_axis import ChartAxis, number_words, round_numbers
from meshgui.model.charts.charts import ChartData
from meshgui.model.timeline.plot_data import PlotData
from meshgui.model.timeline.plot_kinds import CurveKind, PlotKind
from meshgui.model.timeline.run_plots import MEAN, DotsPlot, PlotPoints, RunPlot, run_plot
from meshgui.views.charts.chart_layout import VisibleAxes
from meshgui.views.charts.plot_legend import PlotLegend, PlotLegendEntry
from meshgui.views.style.direction import is_rtl
from meshgui.views.style.theme_colours import Theme

_VEIL: Final = 0.62  # how much of the future is hidden
_FIGURES: Final = 5  # of a mark beside the plot: for more there is no room
_NO_CURVE: Final = PlotPoints(np.array([0.0, 1.0]), np.zeros(1))
_NO_DOTS: Final = PlotPoints(np.zeros(0), np.zeros(0))


class _RoundAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis with one kind of mark, at the same round numbers as the timeline's."""

    room = 80  # pixels a mark has to itself
    whole = False  # whether its amounts are counted, so that no mark stands between two of them

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:  # noqa: N802
        """Return the distance of the marks and their offset."""
        marks, _ = round_numbers(low, high, max(2, int(size / self.room)))
        apart = float(marks[1] - marks[0]) if len(marks) > 1 else max(high - low, 1e-9)
        return [(max(apart, 1.0) if self.whole else apart, 0.0)]


class LivePlot:
    """One plot."""

    def __init__(self, kind: PlotKind, picked: Callable[[int, int | None], object]) -> None:
        self.kind = kind
        self._picked = picked
        self.titled = False  # with its title above it
        self.low = self.lowest = False  # without room for the axis of time's name, and for the legend
        self._label_style: dict[str, str] = {}
        self._drawn: tuple[int, float, float] | None = None  # which data and part of time
        self._points = self._nothing = _NO_CURVE if isinstance(kind, CurveKind) else _NO_DOTS
        self._marked: tuple[int | None, int | None] = None, None  # the job and the packet that are ringed
        self.run: RunPlot | None = None  # what is drawn
        self._whole = True  # until the user zooms
        self._thousands = 0  # the power of a thousand that the amounts are written in
        # Where one reads from the right, time begins there, and the amounts stand beside its beginning.
        self.upright = "right" if is_rtl() else "left"
        axes = {side: _RoundAxis(side) for side in ("bottom", self.upright)}
        self.plot = pg.PlotItem(enableMenu=False, axisItems=axes)
        # Its other menu is made all the same: each theme would style it, and where it is found as garbage
        # together with the plot, Qt touches widgets that are gone.
        self.plot.ctrlMenu = None
        if is_rtl():
            self.plot.showAxis("right")
            self.plot.hideAxis("left")
            self.plot.invertX()
            self.plot.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # else Qt would turn it once more
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=True, y=False)
        box = self.plot.getViewBox()
        box.setDefaultPadding(0.02)
        self.dots = pg.ScatterPlotItem(pxMode=True)
        self.dots.sigClicked.connect(self._clicked)
        self.curve = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center", fillLevel=0.0)
        self.mean = pg.PlotCurveItem(antialias=True)
        self.pointed = pg.ScatterPlotItem(pxMode=True)
        self.above = pg.ScatterPlotItem(pxMode=True, symbol="t1")  # at the upper edge, for dots above it
        # The future is there, behind a veil: moving the veil costs nothing however many dots there are.
        self.veil = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        self.now = pg.InfiniteLine(angle=90)
        self._item = self.curve if isinstance(kind, CurveKind) else self.dots
        items = self._item, self.mean, self.above, self.veil, self.pointed, self.now
        for depth, item in enumerate(items):
            item.setZValue(depth)
            self.plot.addItem(item, ignoreBounds=True)
        for item in (self._item, self.mean):  # kept painted under the veil
            item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.legend = PlotLegend()
        # The upper axis is never shown, and gives its row away. It stays in the layout: one without would be
        # given a size as the program ends, which Python, gone by then, is to handle.
        top = self.plot.getAxis("top")
        self.plot.layout.removeItem(top)
        self.plot.layout.addItem(top, 4, 2)
        self.plot.layout.addItem(self.legend, 1, 1)
        self.plot.getAxis(self.upright).whole = kind.counted
        # By itself each axis, also one that is never shown, writes its name again whenever its range changes;
        # from right to left that ended the program in Qt.
        for side in ("top", "bottom", "left", "right"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        box.sigXRangeChanged.connect(self._draw)
        box.sigRangeChangedManually.connect(self._range_changed_by_user)

    @property
    def data(self) -> PlotData | None:
        """The run that is drawn."""
        return None if self.run is None else self.run.data

    def show_data(self, data: PlotData | None) -> None:
        """Draw a run; a longer recording of the same run keeps the visible part if the user chose it."""
        before, self.run = self.data, None if data is None else run_plot(self.kind, data)
        goes_on = before and data and data.recording.is_of_run(before.recording)
        if self._whole or not goes_on:
            self.fit()
        self._draw()

    def show_now(self, time: float) -> None:
        """Move the line to a time, and the veil behind it."""
        end = max(self.data.end if self.data else 1.0, time)
        self.now.setValue(time)
        self.veil.setRegion((time, time + 2 * end + 1))

    def point_out(self, job: int | None, packet: int | None = None) -> None:
        """Mark the dot of a job or a packet with a ring."""
        self._marked = job, packet
        self.pointed.setData(*(((), ()) if self.run is None else self.run.ringed(job, packet)))

    def chart(self, title: str) -> tuple[ChartData, VisibleAxes]:
        """What is seen, but for the present, as a chart, and the part of it in sight."""
        across, up = (ChartAxis(float(low), float(high)) for low, high in self.plot.getViewBox().viewRange())
        if self.run is None:
            return ChartData(title, self._time, self.kind.axis), VisibleAxes(across, up)
        return self.run.chart(across.low, across.high, *self._marked, title), VisibleAxes(across, up)

    @property
    def _time(self) -> str:
        return tr("time") if self.data is None else self.data.axis

    def fit(self) -> None:
        """Show the whole run."""
        self._whole = True
        end = self.data.end if self.data and self.data.end > 0 else 1.0
        self.plot.setXRange(0.0, end, padding=0.01)
        self.plot.setYRange(0.0, self._highest, padding=0.1)
        self._thousands = _thousands_of(self.plot.getViewBox().viewRange()[1][1])
        self.plot.getAxis(self.upright).setScale(1000.0**-self._thousands)
        self._write_axis()

    def apply_theme(self, theme: Theme, font: QFont, scale: float) -> None:
        """Apply a theme."""
        width = max(1.0, 1.5 * scale)
        self.mean.setPen(pg.mkPen(theme.text, width=1.5 * width))
        self.mean.setShadowPen(pg.mkPen(theme.panel, width=4 * width))  # separates it from the dots
        self.curve.setPen(pg.mkPen(theme.muted, width=1.0))
        self.curve.setBrush(theme.colour("text", 0.12))
        for dots, size, brush in (
            (self.dots, 4, theme.colour("muted", 0.5)),
            (self.above, 8, theme.colour("blocked")),
            (self.pointed, 11, None),
        ):
            dots.setSize(size * scale)
            dots.setPen(None)
            dots.setBrush(brush)
        self.pointed.setPen(pg.mkPen(theme.accent, width=2 * width))
        self.legend.set_look(font, theme.colour("muted"), scale)
        self.now.setPen(pg.mkPen(theme.accent, width=round(2 * scale)))
        self.veil.setBrush(theme.colour("panel", _VEIL))
        for side in ("bottom", self.upright):
            axis = self.plot.getAxis(side)
            axis.room = round((96 if side == "bottom" else 24) * scale)
            axis.setPen(pg.mkPen(theme.outline, width=1.0))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setStyle(tickFont=font, tickLength=-round(4 * scale), hideOverlappingLabels=False)
            axis.label.setFont(font)
        self._label_style = {"color": theme.muted, "font-size": f"{font.pixelSize()}px"}
        self._write_axis()
        # The same room in each plot, so that axes stand under one another and do not move with their numbers.
        self.plot.getAxis(self.upright).setWidth(round(48 * scale))
        title = self.kind.title if self.titled else None
        self.plot.setTitle(title, color=theme.text, size=f"{font.pixelSize() + 1}px")

    def _write_axis(self) -> None:
        """Write the name of the axis of time, and above the plot the unit of the other and the legend."""
        axis = self.plot.getAxis("bottom")
        axis.setLabel(self._time, **self._label_style)
        axis.showLabel(not self.low)
        outliers = "" if self.run is None else self.run.outliers
        entries = [(self.unit, None), (self.kind.thing, self._item), (MEAN, self.mean)]
        entries += [(outliers, self.above)] if outliers else []
        self.legend.show_entries(*(PlotLegendEntry(*entry) for entry in entries if not self.lowest))

    @property
    def unit(self) -> str:
        """What its amounts are counted in."""
        power = f" × {number_words(1000.0**self._thousands)}" if self._thousands else ""
        return self.kind.axis + power

    @property
    def _highest(self) -> float:
        return 1.0 if self.run is None else self.run.highest

    def _range_changed_by_user(self, *_: object) -> None:
        self._whole = False

    def _draw(self, *_range: object) -> None:
        """Draw the points and columns of the visible part."""
        low, high = map(float, self.plot.getViewBox().viewRange()[0])
        if self._drawn == (id(self.data), low, high):
            return
        self._drawn = id(self.data), low, high
        points = self._points = self._nothing if self.run is None else self.run.points(low, high)
        self._item.setData(points.x, points.y)
        self.mean.setData(points.mean_x, points.mean_y)
        self.above.setData(points.above, np.full(len(points.above), self._highest))

    def _clicked(self, _item: object, points: NDArray[np.object_], *_event: object) -> None:
        if len(points) and isinstance(self.run, DotsPlot):
            series, row = self.run.series, self._points.rows[points[0].index()]
            packet = None if series.packets is None else int(series.packets[row])
            self._picked(int(series.jobs[row]), packet)


def _thousands_of(highest: float) -> int:
    """The power of a thousand in which a number has few enough figures."""
    figures = math.floor(math.log10(highest)) + 1 if highest >= 1 else 1
    return max(0, math.ceil((figures - _FIGURES) / 3))
