"""Step curves over time, reduced to as many columns as there are pixels without losing a peak."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.cached_property import cached_property


class Extremes(NamedTuple):
    """The least and the greatest value a curve takes in each column."""

    low: Floats
    high: Floats


class StepCurve:
    """A quantity that is 0 at first and changes at events only.

    Of changes at one time only the last counts: values of no duration are not part of the curve.
    """

    def __init__(self, times: Floats, values: NDArray[np.integer] | NDArray[np.floating]) -> None:
        lasting = np.append(times[1:] != times[:-1], [True])[: len(times)]
        self._times: Floats = times[lasting]
        self._values: Floats = np.concatenate(([0.0], values[lasting]))

    @cached_property
    def _integral(self) -> Floats:
        """Its integral from 0 to each change."""
        spans = np.diff(self._times, prepend=0.0)
        return np.concatenate(([0.0], np.cumsum(spans * self._values[:-1])))

    def integrate(self) -> None:
        """Prepare for means."""
        self._integral  # noqa: B018 - it is kept

    @property
    def highest(self) -> float:
        """Its maximum."""
        return float(self._values.max())

    @property
    def times(self) -> Floats:
        """When it changes."""
        return self._times

    @property
    def values(self) -> Floats:
        """What it changes to, one for each of `times`."""
        return self._values[1:]

    def at(self, time: float) -> float:
        """Its value at a time."""
        return float(self._values[np.searchsorted(self._times, time, side="right")])

    def extremes(self, edges: Floats) -> Extremes:
        """Its least and greatest value between each two neighbouring edges, inclusive."""
        at = np.searchsorted(self._times, edges, side="right")
        seen = self._values[: at[-1] + 1]  # the last column's reduction must not run on to the end
        low, high = (reduce.reduceat(seen, at[:-1]) for reduce in (np.minimum, np.maximum))
        last = self._values[at[1:]]
        return Extremes(np.minimum(low, last), np.maximum(high, last))

    def changes(self, low: float, high: float) -> int:
        """How often it changes from low to high."""
        first, last = np.searchsorted(self._times, [low, high])
        return int(last - first)

    def means(self, edges: Floats) -> Floats:
        """Its mean over time between each two neighbouring edges."""
        means: Floats = np.diff(self._area(edges)) / np.diff(edges)
        return means

    def mean_until(self, moments: Floats) -> Floats:
        """Its mean over time from 0 to each moment."""
        return np.divide(self._area(moments), moments, out=np.zeros(len(moments)), where=moments > 0)

    def _area(self, moments: Floats) -> Floats:
        """Its integral from 0 to each moment."""
        at = np.searchsorted(self._times, moments, side="right")
        begun = np.where(at > 0, self._times[at - 1], 0.0) if len(self._times) else np.zeros(len(moments))
        area: Floats = self._integral[at] + (moments - begun) * self._values[at]
        return area


def running_mean(values: Floats) -> Floats:
    """The mean of the first value, of the first two, and so on."""
    return np.cumsum(values) / np.arange(1, len(values) + 1)


def first_of_each_cell(
    x: Floats, y: Floats, spans: tuple[tuple[float, float], tuple[float, float]], cells: tuple[int, int]
) -> NDArray[np.intp]:
    """One point of each cell of a raster that holds any: thousands of dots look the same, drawn so.

    `spans` are the ranges of x and y covered, `cells` the raster's columns and rows.
    """
    inside = np.flatnonzero((x >= spans[0][0]) & (x <= spans[0][1]) & (y >= spans[1][0]) & (y <= spans[1][1]))
    place = np.zeros(len(inside), dtype=np.int64)
    for values, (low, high), count in ((x, spans[0], cells[0]), (y, spans[1], cells[1])):
        width = (high - low) or 1.0
        cell = np.minimum(((values[inside] - low) / width * count).astype(np.int64), count - 1)
        place = place * count + cell
    _, first = np.unique(place, return_index=True)
    return inside[np.sort(first)]
