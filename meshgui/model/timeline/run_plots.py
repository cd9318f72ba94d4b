"""One plot of a run over time: the points in sight, its chart, its table, and what is said of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of, grouped
from meshgui.model.charts.charts import ChartData, ChartSeries
from meshgui.model.charts.curves import first_of_each_cell
from meshgui.model.tables.tables import LazyRows, PlainTable
from meshgui.model.timeline.plot_data import PlotData
from meshgui.model.timeline.plot_kinds import CurveKind, DotsKind, PlotKind

_CELLS: Final = (800, 250)  # a cell is not larger than a dot
_EDGES: Final = 800
_USUAL: Final = 0.98  # of the values set the scale
_ABOVE_USUAL: Final = 2.0
_NOTHING: Final = np.zeros(0)
_NO_ROWS: Final = np.zeros(0, dtype=np.intp)

MEAN: Final = tr("mean so far")


class PlotPoints(NamedTuple):
    """What is drawn of a part of a plot: no more points than there are pixels."""

    x: Floats  # of the dots, or the edges of the columns under a curve
    y: Floats  # of the dots, or the heights of the columns
    mean_x: Floats = _NOTHING
    mean_y: Floats = _NOTHING
    above: Floats = _NOTHING  # where dots lie above the axis
    rows: NDArray[np.intp] = _NO_ROWS  # which dots these are


class RunPlot(ABC):
    """One plot of a run."""

    def __init__(self, kind: PlotKind, data: PlotData) -> None:
        self.kind, self.data = kind, data
        self.outliers = ""  # how many dots lie above the axis, and the highest of them
        self._axis = f"{kind.title} ({kind.axis})"

    @property
    @abstractmethod
    def highest(self) -> float:
        """The upper end of the axis."""

    @abstractmethod
    def points(self, low: float, high: float) -> PlotPoints:
        """What is drawn between two times."""

    @abstractmethod
    def table(self) -> PlainTable:
        """The data of all that is drawn, including what shares a pixel with others."""

    @abstractmethod
    def wordings(self, time: float, events: int) -> Sequence[str]:
        """The figure so far in words, after some events: in full, the mean alone, and nothing."""

    @abstractmethod
    def _series(self, points: PlotPoints) -> Sequence[ChartSeries]:
        """What is drawn besides the mean."""

    def ringed(self, job: int | None, packet: int | None) -> tuple[Floats, Floats]:
        """Where the dot of a job or a packet is."""
        del job, packet
        return _NOTHING, _NOTHING

    def chart(self, low: float, high: float, job: int | None, packet: int | None, title: str) -> ChartData:
        """The part between two times as a chart."""
        points, ringed = self.points(low, high), self.ringed(job, packet)
        figures, *above = self._series(points)
        series = [figures, ChartSeries.of("mean", MEAN, 0, points.mean_x, points.mean_y), *above]
        if len(ringed[0]):
            series.append(ChartSeries.of("ring", "", 0, *ringed, shape="dots", current=True))
        return ChartData(title, self.data.axis, self.kind.axis, tuple(series))

    def _mean_alone(self, mean: float) -> str:
        return tr("mean {mean}").format(mean=formatted(mean, f".{self.kind.digits}f"))


class DotsPlot(RunPlot):
    """A figure of each job or packet."""

    def __init__(self, kind: DotsKind, data: PlotData) -> None:
        super().__init__(kind, data)
        self.series = kind.figures(data)
        self._of_packets = kind.of_packets
        self.outliers = self._words_of_outliers()

    @property
    def highest(self) -> float:
        """A few values far above the usual ones must not flatten all others."""
        values = self.series.values
        if not len(values):
            return 1.0
        highest, usual = float(values.max()), _ABOVE_USUAL * float(np.quantile(values, _USUAL))
        return (min(highest, usual) if usual > 0 else highest) or 1.0

    def _words_of_outliers(self) -> str:
        series = self.series
        beyond = np.flatnonzero(series.values > self.highest)
        if not len(beyond):
            return ""
        top = int(beyond[np.argmax(series.values[beyond])])
        whose = (
            tr("job {jobs}").format(jobs=series.jobs[top])
            if series.packets is None
            else tr("packet {packets}").format(packets=series.packets[top])
        )
        value = float(series.values[top])
        most = formatted(value, ".4g") if value < 1000 else grouped(round(value))  # never 1.647e+04
        return tr("{beyond} above, up to {most} {axis} ({whose})").format(
            beyond=len(beyond), most=most, axis=self.kind.axis, whose=whose
        )

    def points(self, low: float, high: float) -> PlotPoints:
        """One dot of each cell, and of the mean one point of each column."""
        times, values, highest = self.series.times, self.series.values, self.highest
        kept = first_of_each_cell(times, values, ((low, high), (0.0, highest)), _CELLS)
        at = _thin(times, low, high)
        above = times[values > highest]
        return PlotPoints(times[kept], values[kept], times[at], self.series.mean[at], above, kept)

    def ringed(self, job: int | None, packet: int | None) -> tuple[Floats, Floats]:
        """Where the dot of a job or a packet is."""
        series = self.series
        marked, among = (job, series.jobs) if series.packets is None else (packet, series.packets)
        where = np.flatnonzero(among == marked) if marked is not None else _NO_ROWS
        return series.times[where], series.values[where]

    def table(self) -> PlainTable:
        """A row a dot."""
        series = self.series
        whose, parts = [tr("Job")], [series.jobs]
        if series.packets is not None:
            whose, parts = [tr("Job"), tr("Packet")], [series.jobs, series.packets]
        figures = (*parts, series.times, series.values, series.mean)
        rows = LazyRows(len(series.times), lambda: zip(*figures, strict=True))
        return PlainTable(self.kind.title, (*whose, tr("Time"), self._axis, tr("Mean so far")), rows)

    def wordings(self, time: float, events: int) -> Sequence[str]:
        """Of what had been done by a moment."""
        packets = self._of_packets
        arrived = int(np.searchsorted(self.series.times, time, side="right"))
        count = arrived if packets else self.data.finished_after(events)
        if count == 0:
            return tr("no packet has arrived yet") if packets else tr("no job has finished yet"), ""
        mean = float(self.series.mean[count - 1])
        jobs = count_of(count, "packet") if packets else count_of(count, "job")
        return self.kind.summary.format(mean=mean, jobs=jobs), self._mean_alone(mean), ""

    def _series(self, points: PlotPoints) -> Sequence[ChartSeries]:
        dots = ChartSeries.of("dots", self.kind.thing, 0, points.x, points.y, shape="dots")
        edge = np.full(len(points.above), self.highest)
        above = ChartSeries.of("above", self.outliers, 2, points.above, edge, shape="dots")
        return (dots, above) if self.outliers else (dots,)


class CurvePlot(RunPlot):
    """A quantity over time."""

    def __init__(self, kind: CurveKind, data: PlotData) -> None:
        super().__init__(kind, data)
        self.curve, self._top, self._after = kind.curve(data), kind.top, kind.after

    @property
    def highest(self) -> float:
        """All of a share, otherwise its maximum."""
        return max(self.curve.highest, 1.0) if self._top is None else self._top

    def points(self, low: float, high: float) -> PlotPoints:
        """Of several changes in a column their mean: its peaks would pass for the usual."""
        low, high = max(low, 0.0), min(high, self.data.end)
        if high <= low:
            return PlotPoints(np.array([0.0, 1.0]), np.zeros(1))
        inside = self.curve.times
        inside = inside[(inside > low) & (inside < high)]
        few = len(inside) < _EDGES
        edges = np.concatenate(([low], inside, [high])) if few else np.linspace(low, high, _EDGES + 1)
        return PlotPoints(edges, self.curve.means(edges), edges[1:], self.curve.mean_until(edges[1:]))

    def table(self) -> PlainTable:
        """A row a change."""
        times, values = self.curve.times, self.curve.values
        rows = LazyRows(len(times), lambda: zip(times, values, strict=True))
        return PlainTable(self.kind.title, (tr("Time"), self._axis), rows)

    def wordings(self, time: float, events: int) -> Sequence[str]:
        """What it is at a moment, and was up to its time."""
        mean = float(self.curve.mean_until(np.array([time]))[0])
        now = self.curve.at(time) if self._after is None else self._after(self.data, events)
        return self.kind.summary.format(now=now, mean=mean), self._mean_alone(mean), ""

    def _series(self, points: PlotPoints) -> Sequence[ChartSeries]:
        heights = np.append(points.y, 0.0)
        return (ChartSeries.of("use", self.kind.thing, 0, points.x, heights, shape="area"),)


def run_plot(kind: PlotKind, data: PlotData) -> RunPlot:
    """A plot of a run."""
    if isinstance(kind, CurveKind):
        return CurvePlot(kind, data)
    if isinstance(kind, DotsKind):
        return DotsPlot(kind, data)
    raise TypeError(kind)


def _thin(times: Floats, low: float, high: float) -> NDArray[np.intp]:
    """The points of a slow curve worth drawing: in sight or next to it, one a column at most."""
    first = max(int(np.searchsorted(times, low)) - 1, 0)
    last = min(int(np.searchsorted(times, high)) + 1, len(times))
    step = max((last - first) // _EDGES, 1)
    at = np.arange(first, last, step)
    return at if not last or (len(at) and at[-1] == last - 1) else np.append(at, last - 1)
