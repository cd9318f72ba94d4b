"""The measures of compared runs, as a table of differences and as lines over each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import PERCENT, percentage_points
from meshgui.engine.runs.dictionary import FIGURES, Figure
from meshgui.engine.runs.figures import figures_of
from meshgui.engine.runs.recording import Recording
from meshgui.model.base.named import ids_in
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine
from meshgui.model.charts.curves import StepCurve
from meshgui.model.studies.experiment_words import number_words
from meshgui.model.tables.columns import UNKNOWN, Column, TableCell
from meshgui.model.timeline.plot_data import PlotData, PlotSeries
from meshgui.model.timeline.run_curves import RunCurves

_POINTS: Final = 400  # of a line: no more than there are pixels
_SPANS: Final = 120  # of a line of steps: with more, lines over each other hide one another
_LARGE: Final = 1e4  # numbers from here on are written whole
_TOO_LARGE: Final = 1e9
_SMALL: Final = 1e-3  # numbers below are not written in four digits where others have no room
_FEW: Final = 2  # runs, whose measures are not to be scrolled sideways
_ROUNDING: Final = 1e-12  # of a value: a difference that small is one of the order of additions

VALUE: Final = "value"
"""The columns of the runs' values, by their id."""

UNIT: Final = "unit"
"""The column of the units, by its id."""

DIFFERENCE: Final = "difference"
"""The columns of the differences to the first run, by their id."""


class ComparedPlot(NamedTuple):
    """A plot with one line a run: a quantity over time, or the mean over the jobs or packets done so far."""

    title: str
    help: str
    axis: str
    field: Literal[
        "in_use",
        "waiting",
        "turnaround",
        "operations",
        "microseconds",
        "latency",
        "blocked",
        "under_way",
    ]
    network: bool = False


COMPARED_PLOTS: Final = (
    ComparedPlot(tr("Utilisation"), tr("The share of processors in use"), tr("percent"), "in_use"),
    ComparedPlot(tr("Queue"), tr("The jobs that wait"), tr("jobs"), "waiting"),
    ComparedPlot(
        tr("Turnaround"),
        tr("From arrival to finish, the mean of the jobs so far"),
        tr("time units"),
        "turnaround",
    ),
    ComparedPlot(
        tr("Operations"),
        tr("Nodes or boxes examined to allocate and release a job, the mean of the jobs so far"),
        tr("operations"),
        "operations",
    ),
    ComparedPlot(
        tr("Allocation time"),
        tr("Wall time to allocate and release a job, the mean of the jobs so far"),
        "µs",
        "microseconds",
    ),
    ComparedPlot(
        tr("Latency"),
        tr("From injection to the arrival of the last flit, the mean of the packets so far"),
        tr("cycles"),
        "latency",
        network=True,
    ),
    ComparedPlot(
        tr("Blocking"),
        tr("How long a packet's header was blocked, the mean of the packets so far"),
        tr("cycles"),
        "blocked",
        network=True,
    ),
    ComparedPlot(tr("Under way"), tr("Packets in the network"), tr("packets"), "under_way", network=True),
)
"""Those of the network last."""


class RunMeasures:
    """The figures of a run that is over, and its lines for every plot; slow to make for a long run."""

    def __init__(self, recording: Recording) -> None:
        figures, wall = figures_of(recording)
        self.figures = {name: value for name, value in (figures | wall).items() if name in FIGURES}
        data, curves = PlotData(recording), RunCurves(recording)
        self.in_cycles = recording.network is not None
        self.lines: dict[str, tuple[Floats, Floats]] = {}
        self.spans: dict[str, float] = {}  # of time, over which a line has means instead of values
        for plot in COMPARED_PLOTS:
            if plot.network and recording.network is None:
                continue
            source = curves.waiting if plot.field == "waiting" else getattr(data, plot.field)
            if isinstance(source, StepCurve):
                self.lines[plot.field] = _steps(source, recording.end_time)
                if len(source.times) >= _POINTS:
                    self.spans[plot.field] = recording.end_time / _SPANS
            else:
                self.lines[plot.field] = _means(source)


class RunLine(NamedTuple):
    """A run in a chart: its name, its measures once they are known, its present moment, and its full name."""

    name: str
    measures: RunMeasures | None
    time: float
    full: str = ""


def comparison_chart(plot: ComparedPlot, runs: Sequence[RunLine], title: str) -> ChartData:
    """A plot of all runs that are over; what is drawn as means says so at its axis."""
    series = []
    known = [run.measures for run in runs if run.measures is not None]
    spans = [measures.spans[plot.field] for measures in known if plot.field in measures.spans]
    axis = plot.axis
    if spans:
        ends = (formatted(span, ".2g" if span < 100.0 else ".0f") for span in (min(spans), max(spans)))
        over = "–".join(dict.fromkeys(ends))
        axis = tr("{quantity}, mean over {span}").format(quantity=axis, span=over)
    for place, run in enumerate(runs):
        if run.measures is not None and plot.field in run.measures.lines:
            x, y = run.measures.lines[plot.field]
            shape = _shape(plot)
            series.append(ChartSeries.of(run.name, run.name, place, x, y, shape=shape, full=run.full))
    return ChartData(
        f"{plot.title}: {title}" if title else plot.title,
        tr("cycle") if known and all(measures.in_cycles for measures in known) else tr("time"),
        axis,
        tuple(series),
        empty=tr("Lines appear here as the runs end."),
        x_reach=(0.0,),
        y_reach=(0.0, 100.0) if plot.field == "in_use" else (0.0,),
        short_title=plot.title,
        names=tuple(run.full for run in runs if ids_in(run.full)),
    )


def moment_lines(runs: Sequence[RunLine]) -> list[CursorLine]:
    """A line at the present moment, or at that of each run with its name."""
    times = {run.time for run in runs}
    if len(times) > 1:
        return [CursorLine(run.time, run.name) for run in runs]
    return [CursorLine(time) for time in times]


def _shape(plot: ComparedPlot) -> Literal["steps", "straight"]:
    return "steps" if plot.field in {"in_use", "waiting", "under_way"} else "straight"


def _steps(curve: StepCurve, end: float) -> tuple[Floats, Floats]:
    """A quantity as steps; where there are many, their mean over spans of time."""
    if len(curve.times) < _POINTS:
        return np.concatenate(([0.0], curve.times)), np.concatenate(([0.0], curve.values))
    edges = np.linspace(0.0, end, _SPANS + 1)
    return edges, np.append(curve.means(edges), curve.at(end))


def _means(series: PlotSeries) -> tuple[Floats, Floats]:
    """The mean so far, at as many places as there are pixels."""
    places = np.linspace(0, max(len(series.times) - 1, 0), _POINTS).astype(np.intp)
    at = np.unique(places)[: len(series.times)]
    return series.times[at], series.mean[at]


@dataclass(frozen=True, eq=False)
class MeasureRows:
    """The measures of runs, a row each; those that no run has are left out."""

    title: str
    names: tuple[str, ...]
    values: tuple[dict[str, float] | None, ...]  # of each run by the figure's name; None: not known yet

    @property
    def scope(self) -> Hashable:
        return self.names

    @cached_property
    def figures(self) -> list[Figure]:
        """The figures that some run has."""
        return [figure for figure in FIGURES.values() if any(figure.name in (of or {}) for of in self.values)]

    def __len__(self) -> int:
        return len(self.figures)

    def value(self, row: int, run: int) -> float | None:
        """A run's value in the unit of its row; None where it is not known."""
        found = (self.values[run] or {}).get(self.figures[row].name)
        if found is None or math.isnan(found):
            return None
        return found * 100.0 if self.figures[row].percent else found

    def decimals(self, row: int) -> int:
        """With how many decimals all values of a row are written: with those of the one that needs most."""
        values = (self.value(row, run) for run in range(len(self.values)))
        shown = [formatted(value, ".4g") for value in values if value is not None]
        if any("e" in words for words in shown):
            return 0
        return max((len(words.replace(",", ".").partition(".")[2]) for words in shown), default=0)

    def difference(self, row: int, run: int) -> float | None:
        """How much more than the first run's value it is; 0 where additions in another order differ."""
        value, first = self.value(row, run), self.value(row, 0)
        if value is None or first is None:
            return None
        return 0.0 if abs(value - first) <= _ROUNDING * abs(first or 1.0) else value - first


def measure_columns(names: Sequence[str], full: Sequence[str] = ()) -> tuple[Column[MeasureRows], ...]:
    """The measure, each run's value, after each but the first the difference to that, and the unit of all."""
    unit = Column[MeasureRows](
        tr("Unit"),
        lambda rows, row: rows.figures[row].unit_words,
        cell=lambda rows, row: TableCell(_unit_beside(rows.figures[row]), tone="muted"),
        widest=lambda rows: map(_unit_beside, rows.figures),
        id=UNIT,
    )
    measure = Column[MeasureRows](
        tr("Measure"),
        lambda rows, row: rows.figures[row].title,
        widest=lambda rows: (figure.title for figure in rows.figures),
        shrinks=len(names) <= _FEW,
    )
    columns = [measure]
    for run, name in enumerate(names):
        columns.append(_value_column(name, run, full[run] if full else ""))
        if run:
            columns.append(_difference_column(name, names[0], run))
    return (*columns, unit)


def _unit_beside(figure: Figure) -> str:
    """The unit in a column of its own: the per cent sign is beside each number."""
    return "" if figure.percent else figure.unit_words


def _value_column(name: str, run: int, full: str) -> Column[MeasureRows]:
    def cell(rows: MeasureRows, row: int) -> TableCell:
        value = rows.value(row, run)
        if value is None:
            return UNKNOWN
        figure, decimals = rows.figures[row], rows.decimals(row)
        return TableCell(
            _words(value, figure, decimals=decimals),
            shorter=(_words(value, figure, decimals=decimals, brief=True),),
        )

    return Column(
        name,
        lambda rows, row: rows.value(row, run),
        cell=cell,
        number=True,
        widest=partial(_longest, cell),
        shorter=(partial(_longest, cell, form=1),),
        id=VALUE,
        full_title=full,
    )


def _difference_column(name: str, first: str, run: int) -> Column[MeasureRows]:
    def cell(rows: MeasureRows, row: int) -> TableCell:
        difference = rows.difference(row, run)
        if difference is None:
            return UNKNOWN
        if difference == 0.0:
            return TableCell(tr("same"), tone="muted")
        sign, size, figure = "+" if difference > 0 else "−", abs(difference), rows.figures[row]
        whole, bare = _words(size, figure, percentage_points()), _words(size, figure, "", brief=True)
        return TableCell(sign + whole, shorter=(sign + bare,))

    title = tr("{run} minus {first}").format(run=name, first=first)
    return Column(
        f"{name} − {first}",  # untranslated: ids
        lambda rows, row: rows.difference(row, run),
        cell=cell,
        name=title,
        number=True,
        widest=partial(_longest, cell),
        shorter=(partial(_longest, cell, form=1),),
        id=DIFFERENCE,
        full_title=title,
    )


def _longest(
    cell: Callable[[MeasureRows, int], TableCell], rows: MeasureRows, form: int = 0
) -> Iterable[str]:
    """The texts of a column, or with form 1 the shorter ones."""
    cells = (cell(rows, row) for row in range(len(rows)))
    return (one.shorter[0] if form and one.shorter else one.text for one in cells)


def _words(
    value: float, figure: Figure, of_shares: str = PERCENT, decimals: int = 0, *, brief: bool = False
) -> str:
    """A value with the unit of shares; in brief, one that begins with many zeros has two digits."""
    if brief and 0.0 < abs(value) < _SMALL:
        words = formatted(value, ".2g")
    elif decimals or _LARGE <= abs(value) < _TOO_LARGE:
        words = formatted(value, f".{decimals}f")
    else:
        words = number_words(value)
    return words + of_shares if figure.percent else words
