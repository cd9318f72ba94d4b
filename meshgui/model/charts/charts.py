"""Charts as plain data: series with intervals, published values and cursor lines, and their table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import count_of
from meshgui.model.charts.chart_axis import AxisScale, AxisTick

ChartKind = Literal["curves", "bars"]
CellValue = str | float | int | None
LineShape = Literal["straight", "steps", "area", "dots"]
"""From point to point; holding each value until the next point; filled down to the axis; no line at all."""


@dataclass(frozen=True, eq=False)
class ChartSeries:
    """The values of one strategy, or of another subject of comparison: a curve, or a bar in each group.

    A mean that failed or is not there yet is NaN; one without an interval has NaN for its ends.
    """

    key: str  # what it is of, the same in every chart
    label: str
    place: int  # its colour, symbol and dash: `SeriesPlaces`
    x: Floats  # a number, or the index of a category
    y: Floats
    low: Floats
    high: Floats
    runs: Ints  # how many each mean is of; 0 where that is unknown
    points: tuple[Hashable, ...]  # what a click on each is about
    shape: LineShape = "straight"
    current: bool = False  # drawn in the accent, over the others
    full: str = ""  # its label with full names, for where there is room; empty: the label

    @classmethod
    def of(
        cls,
        key: str,
        label: str,
        place: int,
        x: ArrayLike,
        y: ArrayLike,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        half: ArrayLike | None = None,
        runs: ArrayLike | None = None,
        points: Sequence[Hashable] | None = None,
        shape: LineShape = "straight",
        current: bool = False,
        full: str = "",
    ) -> ChartSeries:
        """A series from lists; its intervals by their ends or half their widths, its points numbered."""
        if half is not None and (low is not None or high is not None):
            raise ValueError(
                tr("series {key}: expected an interval's ends or half its width, got both").format(key=key)
            )
        across, means = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        nothing = np.full(means.shape, np.nan)
        reach = nothing if half is None else np.asarray(half, dtype=np.float64)
        ends = [means - reach if low is None else low, means + reach if high is None else high]
        counts = np.zeros(means.shape) if runs is None else runs
        return cls(
            key,
            label,
            place,
            across,
            means,
            np.asarray(ends[0], dtype=np.float64),
            np.asarray(ends[1], dtype=np.float64),
            np.asarray(counts, dtype=np.int64),
            tuple(range(means.size)) if points is None else tuple(points),
            shape,
            current,
            full,
        )

    def __post_init__(self) -> None:
        count = len(self.x)
        for name in ("y", "low", "high", "runs", "points"):
            if len(getattr(self, name)) != count:
                raise ValueError(
                    tr("series {key}: expected {count} values of {name}, got {found}").format(
                        key=self.key, count=count, name=name, found=len(getattr(self, name))
                    )
                )

    def __len__(self) -> int:
        return len(self.x)

    @property
    def words(self) -> str:
        """Its label with full names."""
        return self.full or self.label

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which points have a value."""
        return np.isfinite(self.x) & np.isfinite(self.y)

    def value_at(self, x: float) -> float:
        """The value of the curve at a place; the first and the last value hold beyond the ends."""
        if self.shape == "straight":
            return float(np.interp(x, self.x, self.y))
        at = int(np.searchsorted(self.x, x, side="right")) - 1
        return float(self.y[max(at, 0)])


class PublishedMark(NamedTuple):
    """A published value, or a range of values where `low` is less than `high`."""

    x: float | str  # a number, or the text of a category
    low: float
    high: float
    key: str | None = None  # of which series; None: of all
    label: str = tr("published")


class CursorLine(NamedTuple):
    """An upright line at a value of x that is pointed out: the present moment, the latest value."""

    x: float
    label: str = ""


@dataclass(frozen=True, eq=False)
class ChartData:
    """What a chart shows; of bars, x is the group's index and the categories are the groups."""

    title: str
    x_label: str  # with its unit
    y_label: str
    series: tuple[ChartSeries, ...] = ()
    kind: ChartKind = "curves"
    categories: tuple[str, ...] = ()  # the texts of x = 0, 1, …; empty: x are numbers
    x_scale: AxisScale = "linear"
    y_scale: AxisScale = "linear"
    marks: tuple[PublishedMark, ...] = ()
    note: str = ""
    empty: str = tr("Results appear here as the runs finish.")
    cursors: tuple[CursorLine, ...] = ()
    x_reach: tuple[float, ...] = ()  # values that the axis always includes
    y_reach: tuple[float, ...] = ()
    x_ticks: tuple[AxisTick, ...] = ()  # instead of round numbers
    y_ticks: tuple[AxisTick, ...] = ()
    short_title: str = ""  # where what is around the chart says the rest
    full_categories: tuple[str, ...] = ()  # the categories with full names, for where there is room
    names: tuple[str, ...] = ()  # the full names in them and in those of the series, one by one

    def __post_init__(self) -> None:
        if self.kind == "bars" and self.series and not self.categories:
            raise ValueError(tr("expected the names of the groups of bars, got none"))
        if self.categories and self.x_scale == "log":
            raise ValueError(tr("expected numbers along a logarithmic axis, got categories"))
        for mark in self.marks:
            self.at(mark)

    def at(self, mark: PublishedMark) -> float:
        """The place of a published value along x."""
        if not isinstance(mark.x, str):
            return float(mark.x)
        if mark.x not in self.categories:
            raise ValueError(
                tr("expected one of {categories}, got {category}").format(
                    categories=", ".join(self.categories) or tr("no categories"), category=mark.x
                )
            )
        return float(self.categories.index(mark.x))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw yet."""
        return not any(one.known.any() for one in self.series) and not self.marks

    def of_key(self, key: str | None) -> ChartSeries | None:
        """The series of a key."""
        return next((one for one in self.series if one.key == key), None)

    def x_words(self, x: float) -> str:
        """A place along x: its category with full names, or the number."""
        if self.categories and 0 <= x < len(self.categories):
            return (self.full_categories or self.categories)[int(x)]
        return formatted(x, ".10g")

    def rows(self) -> list[tuple[CellValue, ...]]:
        """The numbers as a table, its head first; what has no value has None, and published values end it."""
        head = (
            tr("series"),
            self.x_label,
            self.y_label,
            tr("interval low"),
            tr("interval high"),
            tr("runs"),
            tr("published"),
        )
        table: list[tuple[CellValue, ...]] = [head]
        for one in self.series:
            columns = zip(one.x, one.y, one.low, one.high, one.runs, strict=True)
            table += [
                (one.label, self._x_cell(float(x)), *map(_number, (y, low, high)), int(runs) or None, None)
                for x, y, low, high, runs in columns
            ]
        for mark in self.marks:
            found = self.of_key(mark.key)
            name = found.label if found else mark.key
            middle = mark.low if mark.low == mark.high else None
            x = self._x_cell(self.at(mark))
            table.append((name, x, middle, mark.low, mark.high, None, mark.label))
        return table

    def _x_cell(self, x: float) -> CellValue:
        return self.categories[int(x)] if self.categories else _number(x)


@dataclass
class SeriesPlaces:
    """Gives each series its place: the first keeps the first colour when others are added."""

    known: dict[str, int] = field(default_factory=dict)

    def of(self, key: str) -> int:
        """The place of a series, the next free one where it is new."""
        return self.known.setdefault(key, len(self.known))


def point_words(chart: ChartData, series: ChartSeries, index: int) -> str:
    """One point in one line: its series, x, the mean with its interval, and how many runs."""
    mean, low, high = (float(values[index]) for values in (series.y, series.low, series.high))
    runs = int(series.runs[index])
    parts = [series.words, f"{chart.x_label} {chart.x_words(float(series.x[index]))}".strip()]
    if not math.isfinite(mean):
        return " · ".join([*parts, tr("no value")])
    parts.append(_mean_words(mean, low, high))
    if runs:
        parts.append(count_of(runs, "run"))
    return " · ".join(parts)


def _mean_words(mean: float, low: float, high: float) -> str:
    """A mean rounded to the precision of its interval."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return formatted(mean, ".4g")
    half = (high - low) / 2
    if abs((high - mean) - (mean - low)) > 0.01 * max(half, 1e-300):
        return tr("{mean:.4g} ({low:.4g} to {high:.4g})").format(mean=mean, low=low, high=high)
    if half <= 0:
        return formatted(mean, ".4g")
    if not 1e-4 <= abs(mean) < 1e7:
        return f"{formatted(mean, '.4g')} ± {formatted(half, '.2g')}"
    decimals = min(max(1 - math.floor(math.log10(half)), 0), 6)
    return f"{formatted(mean, f'.{decimals}f')} ± {formatted(half, f'.{decimals}f')}"


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
