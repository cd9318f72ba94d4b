"""One live plot: dots or a step curve, its mean, and the line of the present; no more points than pixels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGraphicsItem

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import grouped, so_many, within
from meshgui.model.charts.chart_axis import round_numbers
from meshgui.model.charts.curves import StepCurve, first_of_each_cell
from meshgui.model.tables.tables import LazyRows, PlainTable
from meshgui.model.timeline.plot_data import PlotData, PlotSeries
from meshgui.views.charts.plot_legend import PlotLegend, PlotLegendEntry
from meshgui.views.style.direction import from_the_right
from meshgui.views.style.theme_colours import Theme

_CELLS: Final = (800, 250)  # a cell is not larger than a dot
_EDGES: Final = 800
_USUAL: Final = 0.98  # of the values set the scale
_ABOVE_USUAL: Final = 2.0
_VEIL: Final = 0.62  # how much of the future is hidden


@dataclass(frozen=True)
class PlotKind:
    """The kind of a plot: its words and units."""

    title: str
    help: str
    axis: str
    field: Literal["turnaround", "operations", "microseconds", "in_use", "latency", "blocked", "under_way"]
    summary: str

    @property
    def stepped(self) -> bool:
        """Whether it is a quantity over time, and not one figure of each job or packet."""
        return self.field in {"in_use", "under_way"}

    @property
    def counted(self) -> bool:
        """Whether its amounts are whole numbers."""
        return self.field in {"operations", "latency", "blocked", "under_way"}

    @property
    def thing(self) -> str:
        """What a dot stands for, or a curve shows."""
        return within(self.help) if self.stepped else tr("a packet") if self.of_packets else tr("a job")

    @property
    def of_packets(self) -> bool:
        """Whether it is about packets."""
        return self.field in {"latency", "blocked"}


PLOTS: Final = (
    PlotKind(
        tr("Turnaround"),
        tr("From arrival to finish, job by job"),
        tr("time units"),
        "turnaround",
        tr("mean turnaround {mean:.2f} over {jobs}"),
    ),
    PlotKind(
        tr("Utilisation"),
        tr("The share of processors in use"),
        "percent",
        "in_use",
        tr("in use {now:.0f} %, mean {mean:.1f} %"),
    ),
    PlotKind(
        tr("Operations"),
        tr("Nodes or boxes examined to allocate and release each job"),
        "operations",
        "operations",
        tr("mean {mean:.1f} operations over {jobs}"),
    ),
    PlotKind(
        tr("Allocation time"),
        tr("Wall time to allocate and release each job"),
        "µs",
        "microseconds",
        tr("mean {mean:.1f} µs over {jobs}"),
    ),
)

NETWORK_PLOTS: Final = (
    PlotKind(
        tr("Latency"),
        tr("From injection to the arrival of the last flit, packet by packet"),
        "cycles",
        "latency",
        tr("mean latency {mean:.1f} cycles over {jobs}"),
    ),
    PlotKind(
        tr("Blocking"),
        tr("How long each packet's header was blocked on its way"),
        "cycles",
        "blocked",
        tr("mean blocking {mean:.1f} cycles over {jobs}"),
    ),
    PlotKind(
        tr("Under way"),
        tr("Packets in the network"),
        "packets",
        "under_way",
        tr("{now:.0f} under way, mean {mean:.1f}"),
    ),
)
"""Further plots of a scenario with a network."""


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
        self._named = self._low = False
        self._label_style: dict[str, str] = {}
        self._drawn: tuple[int, float, float] | None = None  # which data and part of time
        self._drawn_rows = np.zeros(0, dtype=np.intp)
        self.data: PlotData | None = None  # what is drawn
        self._whole = True  # until the user zooms
        # Where one reads from the right, time begins there, and the amounts stand beside its beginning.
        self.upright = "right" if from_the_right() else "left"
        axes = {side: _RoundAxis(side) for side in ("bottom", self.upright)}
        self.plot = pg.PlotItem(enableMenu=False, axisItems=axes)
        if from_the_right():
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
        self.curve = pg.PlotCurveItem([0.0, 1.0], [0.0], stepMode="center")
        self.mean = pg.PlotCurveItem(antialias=True)
        self.pointed = pg.ScatterPlotItem(pxMode=True)
        self.above = pg.ScatterPlotItem(
            pxMode=True, symbol="t1"
        )  # at the upper edge, where dots lie above it
        # The future is there, behind a veil: moving the veil costs nothing however many dots there are.
        self.veil = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        self.now = pg.InfiniteLine(angle=90)
        drawn = self.curve if kind.stepped else self.dots
        for depth, item in enumerate((drawn, self.mean, self.above, self.veil, self.pointed, self.now)):
            item.setZValue(depth)
            self.plot.addItem(item, ignoreBounds=True)
        self._drawn_item = drawn
        self._kept = (drawn, self.mean)
        self.legend = PlotLegend()
        # The upper axis is never shown, and gives its row away. It stays in the layout: one without would be
        # given a size as the program ends, which Python, gone by then, is to handle.
        top = self.plot.getAxis("top")
        self.plot.layout.removeItem(top)
        self.plot.layout.addItem(top, 4, 2)
        self.plot.layout.addItem(self.legend, 1, 1)
        self.plot.getAxis(self.upright).whole = kind.counted
        self.set_vector(False)
        box.sigXRangeChanged.connect(self._range_changed)
        box.sigRangeChangedManually.connect(self._range_changed_by_user)

    @property
    def series(self) -> PlotSeries | None:
        """The figures drawn as dots."""
        if self.data is None or self.kind.stepped:
            return None
        found: PlotSeries = getattr(self.data, self.kind.field)
        return found

    @property
    def steps(self) -> StepCurve | None:
        """The quantity drawn as a curve."""
        if self.data is None or not self.kind.stepped:
            return None
        found: StepCurve = getattr(self.data, self.kind.field)
        return found

    def set_vector(self, vector: bool) -> None:
        """Draw shapes afresh, for pictures to enlarge; otherwise keep them painted under the veil."""
        cache = QGraphicsItem.CacheMode
        for item in self._kept:
            item.setCacheMode(cache.NoCache if vector else cache.DeviceCoordinateCache)
        for item in (self.dots, self.above, self.pointed):
            item.setExportMode(vector, {"antialias": True, "resolutionScale": 1.0})

    def show_data(self, data: PlotData | None) -> None:
        """Draw a run; a longer recording of the same run keeps the visible part if the user chose it."""
        before, self.data = self.data, data
        same_run = before is not None and data is not None and before.stream is data.stream
        if self._whole or not same_run:
            self.fit()
        self._draw()

    def show_now(self, time: float) -> None:
        """Move the line to a time, and the veil behind it."""
        end = max(self.data.end if self.data else 1.0, time)
        self.now.setValue(time)
        self.veil.setRegion((time, time + 2 * end + 1))

    def point_out(self, job: int | None, packet: int | None = None) -> None:
        """Mark the dot of a job or a packet with a ring."""
        series = self.series
        if series is None:
            self.pointed.setData([], [])
            return
        marked = job if series.packets is None else packet
        among = series.jobs if series.packets is None else series.packets
        where = np.flatnonzero(among == marked) if marked is not None else np.zeros(0, dtype=np.intp)
        self.pointed.setData(series.times[where], series.values[where])

    def table(self) -> PlainTable | None:
        """The data of all dots, including those that share a pixel with others."""
        kind, series, steps = self.kind, self.series, self.steps
        if steps is not None:
            names = (tr("Time"), f"{kind.title} ({kind.axis})")
            points = steps.times, steps.values
            return PlainTable(
                kind.title, names, LazyRows(len(steps.times), lambda: zip(*points, strict=True))
            )
        if series is None:
            return None
        whose, parts = [tr("Job")], [series.jobs]
        if series.packets is not None:
            whose, parts = [tr("Job"), tr("Packet")], [series.jobs, series.packets]
        figures = (*parts, series.times, series.values, series.mean)
        rows = LazyRows(len(series.times), lambda: zip(*figures, strict=True))
        return PlainTable(
            kind.title, (*whose, tr("Time"), f"{kind.title} ({kind.axis})", tr("Mean so far")), rows
        )

    def wordings(self, time: float) -> Sequence[str]:
        """The figure so far in words: in full, its mean alone, and nothing where that has no room either."""
        data, series, steps = self.data, self.series, self.steps
        if data is None:
            return ("",)
        if steps is not None:
            mean = float(steps.mean_until(np.array([time]))[0])
            return self.kind.summary.format(now=steps.at(time), mean=mean), self._mean_alone(mean), ""
        if series is None:
            return ("",)
        count = int(np.searchsorted(series.times, time, side="right"))
        if count == 0:
            none = tr("no packet has arrived yet") if self.kind.of_packets else tr("no job has finished yet")
            return (none,)
        jobs = so_many(count, "packet") if self.kind.of_packets else so_many(count, "job")
        mean = float(series.mean[count - 1])
        words = self.kind.summary.format(mean=mean, jobs=jobs)
        return words, self._mean_alone(mean), ""

    def _mean_alone(self, mean: float) -> str:
        digits = 2 if self.kind.field == "turnaround" else 1
        return tr("mean {mean}").format(mean=f"{mean:.{digits}f}")

    def fit(self) -> None:
        """Show the whole run."""
        self._whole = True
        end = self.data.end if self.data and self.data.end > 0 else 1.0
        self.plot.setXRange(0.0, end, padding=0.01)
        self.plot.setYRange(0.0, self._highest(), padding=0.1)
        self._write_axis()

    def name(self, shown: bool) -> None:
        """Show or hide the title over the plot."""
        self._named = shown
        self.plot.setTitle(self.kind.title if shown else None)

    def apply_theme(self, theme: Theme, font: QFont, scale: float, density: float = 1.0) -> None:
        """Apply a theme; `density` is the number of pixels of the device to one of the plot."""
        stroke = density * scale
        width = max(1.0, 1.5 * stroke)
        dot = theme.rgba("muted", 0.5)
        self.dots.setSize(4 * stroke)
        self.dots.setPen(None)
        self.dots.setBrush(pg.mkBrush(_bytes(dot)))
        self.mean.setPen(pg.mkPen(theme.text, width=1.5 * width))
        self.mean.setShadowPen(pg.mkPen(theme.panel, width=4 * width))  # separates it from the dots
        self.curve.setPen(pg.mkPen(theme.muted, width=density))
        self.curve.setBrush(pg.mkBrush(_bytes(theme.rgba("text", 0.12))))
        self.curve.setFillLevel(0.0)
        self.above.setSize(8 * stroke)
        self.above.setPen(None)
        self.above.setBrush(pg.mkBrush(theme.blocked))
        self.legend.set_look(font, theme.colour("muted"), scale, density)
        self.pointed.setSize(11 * stroke)
        self.pointed.setPen(pg.mkPen(theme.accent, width=2 * width))
        self.pointed.setBrush(None)
        self.now.setPen(pg.mkPen(theme.accent, width=round(2 * stroke)))
        self.veil.setBrush(pg.mkBrush(_bytes(theme.rgba("panel", _VEIL))))
        for side in ("bottom", self.upright):
            axis = self.plot.getAxis(side)
            axis.enableAutoSIPrefix(False)
            axis.room = round((96 if side == "bottom" else 24) * scale)
            axis.setPen(pg.mkPen(theme.outline, width=density))
            axis.setTextPen(pg.mkPen(theme.muted))
            axis.setStyle(tickFont=font, tickLength=-round(4 * scale), hideOverlappingLabels=False)
            axis.label.setFont(font)
        self._label_style = {"color": theme.muted, "font-size": f"{font.pixelSize()}px"}
        self._write_axis()
        # The same room in each plot, so that axes stand under one another and do not move with their numbers.
        self.plot.getAxis(self.upright).setWidth(round(48 * scale))
        if self._named:
            self.plot.setTitle(self.kind.title, color=theme.text, size=f"{font.pixelSize() + 1}px")

    def _write_axis(self) -> None:
        """Write the name of the axis of time, and above the plot the unit of the other and the legend."""
        self.plot.getAxis("bottom").setLabel(tr("time"), **self._label_style)
        self.plot.getAxis("bottom").showLabel(not self._low)
        above = self.outliers()
        entries = (
            PlotLegendEntry(self._drawn_item, self.kind.thing),
            PlotLegendEntry(self.mean, tr("mean so far")),
        )
        self.legend.name(self.kind.axis, (*entries, PlotLegendEntry(self.above, above)) if above else entries)

    def outliers(self) -> str:
        """How many dots lie above the axis, and the highest of them; nothing where none does."""
        series = self.series
        beyond = (
            np.flatnonzero(series.values > self._highest()) if series is not None else np.zeros(0, np.intp)
        )
        if series is None or not len(beyond):
            return ""
        top = int(beyond[np.argmax(series.values[beyond])])
        whose = (
            tr("job {jobs}").format(jobs=series.jobs[top])
            if series.packets is None
            else tr("packet {packets}").format(packets=series.packets[top])
        )
        value = float(series.values[top])
        most = f"{value:.4g}" if value < 1000 else grouped(round(value))  # never 1.647e+04
        return tr("{beyond} above, up to {most} {axis} ({whose})").format(
            beyond=len(beyond), most=most, axis=self.kind.axis, whose=whose
        )

    def set_low(self, low: bool) -> None:
        """Leave the name of the axis of time out where the plot needs the room."""
        if low != self._low:
            self._low = low
            self._write_axis()

    def _span(self) -> tuple[float, float]:
        low, high = self.plot.getViewBox().viewRange()[0]
        return float(low), float(high)

    def _highest(self) -> float:
        """The upper end of the axis: a few values far above the usual ones must not flatten all others."""
        series, steps = self.series, self.steps
        if series is None:
            return max(steps.highest, 1.0) if steps is not None and self.kind.field != "in_use" else 100.0
        if not len(series.values):
            return 1.0
        highest = float(series.values.max())
        usual = _ABOVE_USUAL * float(np.quantile(series.values, _USUAL))
        return (min(highest, usual) if usual > 0 else highest) or 1.0

    def _range_changed(self, *_: object) -> None:
        self._draw()

    def _range_changed_by_user(self, *_: object) -> None:
        self._whole = False

    def _draw(self) -> None:
        """Draw the points and columns of the visible part."""
        data, series = self.data, self.series
        if data is None:
            self._drawn = None
            self.dots.setData([], [])
            self.above.setData([], [])
            self.mean.setData([], [])
            self.curve.setData([0.0, 1.0], [0.0])
            return
        low, high = self._span()
        if self._drawn == (id(data), low, high):
            return
        self._drawn = (id(data), low, high)
        if series is None:
            self._draw_curve(max(low, 0.0), min(high, data.end))
            return
        spans = ((low, high), (0.0, self._highest()))
        kept = first_of_each_cell(series.times, series.values, spans, _CELLS)
        self.dots.setData(series.times[kept], series.values[kept])
        self._drawn_rows = kept
        beyond = series.values > self._highest()
        self.above.setData(series.times[beyond], np.full(np.count_nonzero(beyond), self._highest()))
        at = _thin(series.times, low, high)
        self.mean.setData(series.times[at], series.mean[at])

    def _draw_curve(self, low: float, high: float) -> None:
        steps = self.steps
        if steps is None or high <= low:
            self.curve.setData([0.0, 1.0], [0.0])
            self.mean.setData([], [])
            return
        inside = steps.times
        inside = inside[(inside > low) & (inside < high)]
        if len(inside) < _EDGES:
            edges = np.concatenate(([low], inside, [high]))
        else:
            edges = np.linspace(low, high, _EDGES + 1)
        # Where several changes share a column their mean is drawn: its peaks would pass for the usual.
        heights = steps.means(edges)
        self.curve.setData(edges, heights)
        self.mean.setData(edges[1:], steps.mean_until(edges[1:]))

    def _clicked(self, _item: object, points: NDArray[np.object_], *_event: object) -> None:
        series = self.series
        if len(points) and series is not None:
            row = self._drawn_rows[points[0].index()]
            packet = None if series.packets is None else int(series.packets[row])
            self._picked(int(series.jobs[row]), packet)


def _thin(times: NDArray[np.float64], low: float, high: float) -> NDArray[np.intp]:
    """The points of a slow curve worth drawing: in sight or next to it, one a column at most."""
    first = max(int(np.searchsorted(times, low)) - 1, 0)
    last = min(int(np.searchsorted(times, high)) + 1, len(times))
    step = max((last - first) // _EDGES, 1)
    at = np.arange(first, last, step)
    return at if not last or (len(at) and at[-1] == last - 1) else np.append(at, last - 1)


def _bytes(colour: tuple[float, float, float, float]) -> tuple[int, int, int, int]:
    red, green, blue, alpha = (round(part * 255) for part in colour)
    return red, green, blue, alpha
