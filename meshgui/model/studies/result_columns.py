"""The columns of an experiment's points: fields, means with half widths, errors, runs and state."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import tr, tr_page
from meshgui.engine.basics.words import percentage_points
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.differences import PairedDifferences
from meshgui.experiment.fields import label_of
from meshgui.experiment.results import PointResult
from meshgui.experiment.statistics import Estimate
from meshgui.model.fields.names import value_words
from meshgui.model.studies.experiment_charts import Comparison, Results, estimate_of, figures_there
from meshgui.model.studies.experiment_words import estimate_words, relative_words, state_words
from meshgui.model.tables.columns import UNKNOWN, Column, TableCell


@dataclass(frozen=True, eq=False)
class ResultRows:
    """The points of an experiment as they stand, a row each."""

    results: Results

    def __len__(self) -> int:
        return len(self.results.points)

    def __getitem__(self, row: int) -> PointResult:
        return self.results.points[row]

    @property
    def title(self) -> str:
        return tr("{experiment}, points").format(
            experiment=tr_page(self.results.experiment.title) or tr("Untitled")
        )

    @property
    def scope(self) -> Hashable:
        return id(self.results.experiment)

    def point(self, row: int) -> int:
        """The number of the point in a row."""
        return self[row].point.index

    def sorted_by(self, key: Callable[[PointResult], float | None]) -> Floats:
        """A number of every point to sort by; NaN where it is not known."""
        found = (key(result) for result in self.results.points)
        return np.array([math.nan if value is None else value for value in found], dtype=np.float64)


def result_columns(
    results: Results,
    figure: str,
    words: Mapping[str, str],
    beside: Comparison | None,
    differences: PairedDifferences | None = None,
    *,
    running: bool,
) -> tuple[Column[ResultRows], ...]:
    """The fields varied, the figure looked at with its error, runs, state, and then every other figure."""
    axes = results.experiment.axes
    columns = [_varied(place, words.get(axis.key, axis.key), results) for place, axis in enumerate(axes)]
    columns += [*_mean(figure), _error(figure)]
    columns += _difference(figure, differences) if differences is not None else ()
    columns += [_ratio(figure, beside)] if beside is not None else []
    columns += [_runs(), _state(running=running)]
    for name in figures_there(results.points):
        columns += _mean(name) if name != figure else ()
    return tuple(columns)


def _varied(place: int, title: str, results: Results) -> Column[ResultRows]:
    values = results.experiment.axes[place].values
    order = {label_of(value): float(i) for i, value in enumerate(values)}
    numeric = all(isinstance(value, int | float) for value in values)
    key = results.experiment.axes[place].key
    names = tuple(dict.fromkeys(value_words(key, value) for value in values))  # letters differ in width

    def label(d: ResultRows, row: int) -> str:
        return d[row].point.labels[place]

    def cell(d: ResultRows, row: int) -> TableCell:
        value, plain = d[row].point.values[place], label(d, row)
        return TableCell(value_words(key, value) if plain == label_of(value) else plain, shorter=(plain,))

    def number(result: PointResult) -> float:
        value = result.point.values[place]
        return (
            float(value) if isinstance(value, int | float) and numeric else order[result.point.labels[place]]
        )

    return Column(
        title,
        lambda d, row: d[row].point.values[place] if numeric else label(d, row),
        cell=cell,
        key=f"axis {place}",  # untranslated: a key
        order=lambda d: d.sorted_by(number),
        widest=lambda _: names,
    )


def _mean(name: str) -> tuple[Column[ResultRows], ...]:
    def found(result: PointResult) -> Estimate | None:
        return estimate_of(result, name)

    def half(d: ResultRows, row: int) -> float | None:
        estimate = found(d[row])
        return None if estimate is None else _finite(estimate.half_width)

    def mean(result: PointResult) -> float | None:
        estimate = found(result)
        return None if estimate is None else estimate.mean

    def cell(d: ResultRows, row: int) -> TableCell:
        estimate = found(d[row])
        return UNKNOWN if estimate is None else TableCell(estimate_words(name, estimate))

    title = NUMBERS[name].title
    return (
        Column(
            title,
            lambda d, row: mean(d[row]),
            cell=cell,
            number=True,
            key=name,
            order=lambda d: d.sorted_by(mean),
            widest=lambda _: ("1234.56 ± 12.34 %",),
        ),
        Column(tr("{figure}, half width").format(figure=title), half, shown=False),
    )


def _difference(name: str, differences: PairedDifferences) -> tuple[Column[ResultRows], ...]:
    """How far the mean is above the baseline's; muted where the interval holds 0."""

    def mean(result: PointResult) -> float | None:
        found = differences.of(result, name)
        return None if found is None else found.mean

    def half(d: ResultRows, row: int) -> float | None:
        found = differences.of(d[row], name)
        return None if found is None else _finite(found.half_width)

    def cell(d: ResultRows, row: int) -> TableCell:
        found = differences.of(d[row], name)
        return (
            UNKNOWN
            if found is None
            else TableCell(estimate_words(name, found, percentage_points()).replace("-", "−"))
        )

    def tone(d: ResultRows, row: int) -> str:
        found = differences.of(d[row], name)
        return "text" if found is not None and abs(found.mean) > found.half_width else "muted"

    title = f"− {differences.label}"
    whole = f"{NUMBERS[name].title} {title}"
    return (
        Column(
            title[:24],
            lambda d, row: mean(d[row]),
            cell=cell,
            name=whole,
            tone=tone,
            number=True,
            key="difference",
            order=lambda d: d.sorted_by(mean),
            widest=lambda _: (f"−1234.56 ± 12.34{percentage_points() if NUMBERS[name].percent else ''}",),
        ),
        Column(tr("{figure}, half width").format(figure=whole), half, shown=False),
    )


def _error(name: str) -> Column[ResultRows]:
    def error(result: PointResult) -> float | None:
        estimate = estimate_of(result, name)
        return None if estimate is None else _finite(estimate.relative_error)

    def cell(d: ResultRows, row: int) -> TableCell:
        known = error(d[row]) is not None
        return TableCell(relative_words(estimate_of(d[row], name))) if known else UNKNOWN

    return Column(
        tr("Error"),
        lambda d, row: error(d[row]),
        cell=cell,
        name=tr("{figure}, relative error").format(figure=NUMBERS[name].title),
        number=True,
        key="error",
        order=lambda d: d.sorted_by(error),
        widest=lambda _: ("100.0 %",),
    )


def _ratio(name: str, beside: Comparison) -> Column[ResultRows]:
    """The mean over the one it is compared to."""

    def ratio(result: PointResult) -> float | None:
        other = beside.by_point.get(result.point.index)
        mine, theirs = estimate_of(result, name), None if other is None else estimate_of(other, name)
        if mine is None or theirs is None or theirs.mean == 0:
            return None
        return _finite(mine.mean / theirs.mean)

    title = tr("Over {name}").format(name=beside.results.name)
    return Column(
        title[:24],
        lambda d, row: ratio(d[row]),
        ".3f",
        name=title,
        number=True,
        key="ratio",
        order=lambda d: d.sorted_by(ratio),
        widest=lambda _: ("10.000",),
    )


def _runs() -> Column[ResultRows]:
    return Column(
        tr("Runs"),
        lambda d, row: d[row].runs,
        cell=lambda d, row: TableCell(str(d[row].runs)) if d[row].runs else UNKNOWN,
        number=True,
        key="runs",
        order=lambda d: d.sorted_by(lambda result: result.runs),
        widest=lambda _: ("1000",),
    )


def _state(*, running: bool) -> Column[ResultRows]:
    def says(d: ResultRows, row: int) -> str:
        return state_words(d[row], running=running)

    def order(d: ResultRows) -> Floats:
        _, places = np.unique([says(d, row) for row in range(len(d))], return_inverse=True)
        return places.astype(np.float64)

    return Column(
        tr("State"),
        says,
        tone=lambda d, row: "prohibited" if d[row].fault else "text" if d[row].precise else "muted",
        number=True,
        key="state",
        order=order,
        widest=lambda _: (tr("maximum reached"),),
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
