"""Charts of an experiment: one figure over one of the fields varied, a series for each of the others' values.

A field varied is across, or in the series (each of its values has one), or held at one value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from meshgui.catalogue.published_values import PublishedValue
from meshgui.engine.basics.translation import formatted, tr, tr_page
from meshgui.engine.basics.words import percentage_points
from meshgui.engine.network.open_loop import SATURATED
from meshgui.engine.runs.dictionary import FIGURES, NUMBERS
from meshgui.experiment.differences import PairedDifferences
from meshgui.experiment.fields import FieldAxis, label_of
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult
from meshgui.experiment.statistics import Estimate
from meshgui.model.charts.chart_axis import AxisScale
from meshgui.model.charts.charts import ChartData, ChartSeries, PublishedMark, SeriesPlaces
from meshgui.model.fields.names import NAMES, value_words
from meshgui.model.studies.expected_curves import expected_series

MOST_SERIES: Final = 12  # before fields are held at one value rather than drawn
_STRATEGY: Final = "allocator.name"
_LOAD: Final = "workload.load"
_RATE: Final = "network.load.rate"
LATENCY: Final = "packet_latency"
_EMPTY: Final = "empty_latency"
_ROUND: Final = 8  # colours: the same series of another store has the same colour, and another dash


_SOURCES: Final = 2  # that are named below a chart


class Results(NamedTuple):
    """An experiment and its points as they stand, and what was published of them."""

    experiment: Experiment
    points: Sequence[PointResult]
    name: str = ""
    published: Sequence[PublishedValue] = ()


@dataclass(frozen=True)
class ChartChoice:
    """The choices of a chart: its figure, the field across, and the fields held at one of their values."""

    figure: str
    across: str = ""  # a field; none where nothing is varied
    held: Mapping[str, int] = field(default_factory=dict)
    x_scale: AxisScale = "linear"
    y_scale: AxisScale = "linear"


class Comparison(NamedTuple):
    """Results to compare with, and which of them belongs to which point."""

    results: Results
    by_point: Mapping[int, PointResult]


def is_numeric(axis: FieldAxis) -> bool:
    """Whether its values lie along a line."""
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in axis.values)


def estimate_of(result: PointResult, figure: str) -> Estimate | None:
    """A figure of a point, measured with a clock or not."""
    found: Estimate | None = result.estimates.get(figure) or result.wall.get(figure)
    return found


def figures_there(points: Sequence[PointResult]) -> list[str]:
    """The figures that some point has, in the order in which they are always shown."""
    there: set[str] = set()
    for result in points:
        for known in (result.estimates, result.wall):
            if not known.keys() <= there:
                there.update(known)
    return [name for name in FIGURES if name in there]


def usual_across(axes: Sequence[FieldAxis]) -> str:
    """The load of jobs or packets if that is varied, else the first field of numbers, else the first."""
    several = [axis for axis in axes if len(axis.values) > 1] or list(axes)
    numeric = [axis.key for axis in several if is_numeric(axis)]
    for load in (_LOAD, _RATE):
        if load in numeric:
            return load
    return numeric[0] if numeric else several[0].key if several else ""


def usual_held(axes: Sequence[FieldAxis], across: str) -> dict[str, int]:
    """What is held so that the picture can be read: of bars every field of numbers, at its highest value.

    Of curves, as many fields as it takes, those of most values first.
    """
    others = [axis for axis in axes if axis.key != across]
    bars = any(axis.key == across and not is_numeric(axis) for axis in axes)
    held = {axis.key: _highest(axis) for axis in others if bars and is_numeric(axis)}
    free = sorted((axis for axis in others if axis.key not in held), key=lambda axis: len(axis.values))
    while math.prod(len(axis.values) for axis in free) > MOST_SERIES:
        last = free.pop()
        held[last.key] = _highest(last)
    return held


def chart_of(
    results: Results,
    shown: ChartChoice,
    words: Mapping[str, str],
    *,
    beside: Comparison | None = None,
    differences: PairedDifferences | None = None,
    published: bool = True,
) -> ChartData:
    """The chart of means or, of one experiment alone, of differences; `words` are the names of fields.

    Beside the means of one experiment stands what theory expects of them.
    """
    experiment = results.experiment
    figure = NUMBERS[shown.figure]
    axis = next((axis for axis in experiment.axes if axis.key == shown.across), None)
    curves = axis is not None and is_numeric(axis)
    values = [experiment.scenario.allocator.name] if axis is None else axis.values
    across = _STRATEGY if axis is None else axis.key
    categories = () if curves else tuple(map(label_of, values))
    places = SeriesPlaces()
    first = _free(experiment, shown)
    series = _series(results, shown, first, places, categories, differences)
    note, saturation = _note(experiment, shown, words, differences), ""
    if differences is None and shown.figure == LATENCY and shown.across == _RATE:
        saturation = _saturation(results, series)
        series = [*series, *_empty_networks(results, series, places)]
    if differences is not None:
        beside, published = None, False
    marks, sources = _marks(results, shown, series, categories) if published else ((), ())
    assumed: tuple[str, ...] = ()
    if beside is None and differences is None:
        rounds = -(-len(places.known) // _ROUND)
        known = {point.point.index: point for point in results.points}
        theory, assumed = expected_series(known, shown.figure, series, max(rounds, 1) * _ROUND)
        series += theory
    if beside is not None:
        others = beside.results
        keys = (*first, *(key for key in _free(others.experiment, shown) if key not in first))
        rounds = -(-len(places.known) // _ROUND)  # of colours that are taken
        series += _series(others, shown, keys, places, categories, beyond=max(rounds, 1) * _ROUND)
    unit = percentage_points().strip() if differences is not None and figure.percent else figure.unit_words
    what = figure.title if differences is None else f"{figure.title} − {differences.label}"
    return ChartData(
        title=tr_page(experiment.title) or figure.title,
        x_label=words.get(shown.across, shown.across) if axis is not None else "",
        y_label=f"{what} ({unit})" if unit else what,
        series=tuple(series),
        kind="curves" if curves else "bars",
        categories=categories,
        full_categories=tuple(value_words(across, value) for value in values) if categories else (),
        names=_names(experiment, shown),
        x_scale=shown.x_scale if curves and _positive(axis) else "linear",
        y_scale=shown.y_scale if differences is None else "linear",
        y_reach=() if differences is None else (0.0,),
        marks=marks,
        note=" · ".join(filter(None, (note, saturation, *assumed, *sources[:_SOURCES]))),
    )


def comparison_of(results: Results, other: Results) -> Comparison:
    """The points of another experiment that were run with the same values, point by point.

    What only one of both varies has to be, in the other, what its scenario says.
    """
    keys = list(dict.fromkeys((*results.experiment.keys, *other.experiment.keys)))
    mine, theirs = _Reader(results.experiment), _Reader(other.experiment)
    found = {theirs.at(keys, point): point for point in other.points}
    by_point = {
        point.point.index: found[at] for point in results.points if (at := mine.at(keys, point)) in found
    }
    return Comparison(other, by_point)


class _Reader:
    """Reads the value of any field at a point: the point's own, or the scenario's."""

    def __init__(self, experiment: Experiment) -> None:
        self._data = experiment.scenario.model_dump(mode="json")
        self._places = {key: place for place, key in enumerate(experiment.keys)}

    def value(self, key: str, point: PointResult) -> object:
        if key in self._places:
            return point.point.values[self._places[key]]
        here: Any = self._data
        for part in key.split("."):
            here = here.get(part) if isinstance(here, dict) else None
        return here

    def at(self, keys: Sequence[str], point: PointResult) -> tuple[str, ...]:
        return tuple(label_of(self.value(key, point)) for key in keys)

    def words(self, keys: Sequence[str], point: PointResult) -> str:
        """The values as they are shown."""
        return tr(", ").join(value_words(key, self.value(key, point)) for key in keys)


def _names(experiment: Experiment, shown: ChartChoice) -> tuple[str, ...]:
    """The full names that the chart is about."""
    if not experiment.axes:
        return (value_words(_STRATEGY, experiment.scenario.allocator.name),)
    drawn = [axis for axis in experiment.axes if axis.key in NAMES and axis.key not in shown.held]
    return tuple(value_words(axis.key, value) for axis in drawn for value in axis.values)


def _free(experiment: Experiment, shown: ChartChoice) -> tuple[str, ...]:
    """The fields that are neither across nor held."""
    return tuple(key for key in experiment.keys if key != shown.across and key not in shown.held)


def _series(
    results: Results,
    shown: ChartChoice,
    keys: Sequence[str],
    places: SeriesPlaces,
    categories: Sequence[str],
    differences: PairedDifferences | None = None,
    beyond: int = 0,
) -> list[ChartSeries]:
    """A series for each combination of the values of some fields; of differences, none of the baseline.

    What is compared has the same names as what it is compared to, and its places so far `beyond` theirs.
    """
    dashed = beyond > 0
    experiment, reader = results.experiment, _Reader(results.experiment)
    held = {
        axis.key: label_of(axis.values[min(shown.held[axis.key], len(axis.values) - 1)])
        for axis in experiment.axes
        if axis.key in shown.held and axis.key != shown.across
    }
    rows: dict[tuple[str, ...], list[PointResult]] = {}
    for point in results.points:
        if reader.at(tuple(held), point) == tuple(held.values()):
            rows.setdefault(reader.at(keys, point), []).append(point)
    made = []
    for labels, points in rows.items():
        alone = NUMBERS[shown.figure].title if shown.across in {"", _STRATEGY} else ""
        name = tr(", ").join(labels) or alone or label_of(reader.value(_STRATEGY, points[0]))
        place = places.of(name) + beyond
        drawn = [p for p in points if differences is None or p.point.index in differences.others]
        if not drawn:
            continue
        whose = f" · {results.name}" if dashed else ""
        full = reader.words(keys, points[0]) or alone or reader.words((_STRATEGY,), points[0])
        made.append(
            _drawn(
                f"{'beside ' * dashed}{name}",  # untranslated: a key
                (name + whose, full + whose),
                place,
                drawn,
                shown,
                differences,
                reader,
                categories,
                dashed,
            )
        )
    return made


def _drawn(
    key: str,
    words: tuple[str, str],
    place: int,
    points: Sequence[PointResult],
    shown: ChartChoice,
    differences: PairedDifferences | None,
    reader: _Reader,
    categories: Sequence[str],
    dashed: bool,
) -> ChartSeries:
    scale = 100.0 if NUMBERS[shown.figure].percent else 1.0
    xs, ys, halves, runs, names = [], [], [], [], []
    for point in points:
        x = _across(reader.value(shown.across or _STRATEGY, point), categories)
        if x is None:
            continue
        if differences is None:
            found, made = estimate_of(point, shown.figure), point.runs
        else:
            found, made = differences.of(point, shown.figure), min(point.runs, differences.pairs(point))
        half = math.inf if found is None else found.half_width * scale
        xs.append(x)
        ys.append(math.nan if found is None or point.fault else found.mean * scale)
        halves.append(half if math.isfinite(half) else math.nan)
        runs.append(made)
        names.append(("beside" if dashed else "point", point.point.index))
    label, full = words
    return ChartSeries.of(key, label, place, xs, ys, half=halves, runs=runs, points=names, full=full)


def _of_series(results: Results, one: ChartSeries) -> list[tuple[float, float, float]]:
    """The rates of a curve with their latency and that of an empty network, in order."""
    by_index = {point.point.index: point for point in results.points}
    found = []
    for rate, about in zip(one.x.tolist(), one.points, strict=True):
        point = by_index[about[1]] if isinstance(about, tuple) else results.points[0]
        latency, empty = estimate_of(point, LATENCY), estimate_of(point, _EMPTY)
        if latency is not None and empty is not None and not point.fault:
            found.append((rate, latency.mean, empty.mean))
    return sorted(found)


def _empty_networks(
    results: Results, series: Sequence[ChartSeries], places: SeriesPlaces
) -> list[ChartSeries]:
    """The latency of an empty network as lines: one for all curves for which it is the same."""
    lines: dict[float, tuple[list[float], list[ChartSeries]]] = {}
    for one in series:
        if rows := _of_series(results, one):
            empty = round(rows[0][2], 1)  # routes are as long for all: what differs is what was drawn
            rates, curves = lines.setdefault(empty, ([], []))
            rates += [rate for rate, _, _ in rows]
            curves.append(one)
    made = []
    for empty, (rates, curves) in lines.items():
        alone, names = len(lines) == 1, ", ".join(one.label for one in curves)
        said = tr("empty network") if alone else tr("empty network, {names}")
        full = said.format(names=", ".join(one.words for one in curves))
        key = f"empty {names}"  # untranslated: a key
        ends = sorted({min(rates), max(rates)})
        points = [("empty", place) for place in range(len(ends))]
        place = places.of(key) + _ROUND
        drawn = ChartSeries.of(key, said.format(names=names), place, ends, [empty] * len(ends), points=points)
        made.append(replace(drawn, full=full))
    return made


def _saturation(results: Results, series: Sequence[ChartSeries]) -> str:
    """The lowest rate of each curve at which packets take more than three times as long as in no traffic."""
    words = []
    for one in series:
        late = [rate for rate, latency, empty in _of_series(results, one) if latency > SATURATED * empty]
        if late:
            words.append(f"{one.words} {formatted(late[0], 'g')}")
    return tr("saturated from {rates}").format(rates=", ".join(words)) if words else ""


def _marks(
    results: Results, shown: ChartChoice, series: Sequence[ChartSeries], categories: Sequence[str]
) -> tuple[tuple[PublishedMark, ...], tuple[str, ...]]:
    """What was published of the points that are drawn, each value once; and where."""
    scale = 100.0 if NUMBERS[shown.figure].percent else 1.0
    drawn = {about: (one, k) for one in series for k, about in enumerate(one.points)}
    marks: dict[PublishedMark, None] = {}
    sources: dict[str, None] = {}
    for found in results.published:
        if found.figure == shown.figure and ("point", found.point) in drawn:
            one, k = drawn["point", found.point]
            x = float(one.x[k])
            at = categories[int(x)] if categories else x
            mark = PublishedMark(at, found.low * scale, found.high * scale, one.key)
            marks.setdefault(mark)
            sources.setdefault(found.label)
    return tuple(marks), tuple(sources)


def _across(value: object, categories: Sequence[str]) -> float | None:
    """Where a value lies; nowhere if it is not a category, or not a number."""
    if categories:
        label = label_of(value)
        return float(categories.index(label)) if label in categories else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _positive(axis: FieldAxis | None) -> bool:
    return axis is not None and all(v > 0 for v in axis.values)


def _highest(axis: FieldAxis) -> int:
    """The place of the highest number, or of the first value."""
    if not is_numeric(axis):
        return 0
    return max(range(len(axis.values)), key=lambda place: axis.values[place])


def _note(
    experiment: Experiment,
    shown: ChartChoice,
    words: Mapping[str, str],
    differences: PairedDifferences | None,
) -> str:
    held = [
        f"{words.get(axis.key, axis.key)} {value_words(axis.key, axis.values[shown.held[axis.key]])}"
        for axis in experiment.axes
        if axis.key in shown.held and axis.key != shown.across and len(axis.values) > 1
    ]
    drawn = (
        tr("means with {confidence:.4g} % intervals")
        if differences is None
        else tr("differences of runs in pairs with {confidence:.4g} % intervals")
    )
    return " · ".join([*held, drawn.format(confidence=experiment.target.confidence * 100)])
