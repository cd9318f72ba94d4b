"""Axes of charts: their ranges, the round numbers along them, and how numbers are written."""

from __future__ import annotations

import math
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.translation import formatted

AxisScale = Literal["linear", "log"]

_FARTHEST_POWER: Final = 300.0
_FARTHEST: Final = 1e300  # differences of values beyond it are not finite
_LEAST_SPAN: Final = 1e-9  # of the values themselves; what differs less lies on one place
_SUPERSCRIPTS: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLAIN: Final = (1e-3, 1e6)  # numbers between these are written without a power of ten


class ChartAxis(NamedTuple):
    """The part of an axis in sight."""

    low: float
    high: float
    scale: AxisScale = "linear"

    def share(self, values: ArrayLike) -> Floats:
        """How far along it values lie, 0 to 1 in sight; NaN for what a logarithmic axis has no place for."""
        given = np.asarray(values, dtype=np.float64)
        if self.scale == "linear":
            shares: Floats = (given - self.low) / (self.high - self.low)
            return shares
        logs = np.log10(given, out=np.full(given.shape, np.nan), where=given > 0)
        low, high = math.log10(self.low), math.log10(self.high)
        along: Floats = (logs - low) / (high - low)
        return along

    def value(self, share: float) -> float:
        """What lies so far along it."""
        if self.scale == "linear":
            return self.low + share * (self.high - self.low)
        low, high = math.log10(self.low), math.log10(self.high)
        return _power(low + share * (high - low))

    def part(self, low: float, high: float) -> ChartAxis:
        """The part between two shares of it; less than zero and more than one go beyond it."""
        return ChartAxis(self.value(low), self.value(high), self.scale)


class AxisTick(NamedTuple):
    """A value marked on an axis."""

    value: float
    words: str


def raw_axis(values: ArrayLike, scale: AxisScale, pad: float = 0.0) -> ChartAxis:
    """As far as the values reach, and a share more at both ends."""
    known = _known(values, scale)
    if not len(known):
        return ChartAxis(1.0, 10.0, "log") if scale == "log" else ChartAxis(0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    if high - low <= _LEAST_SPAN * max(abs(low), abs(high)):
        if scale == "log":
            low, high = low / 2, high * 2
        else:
            around = abs(low) / 2 or 0.5
            low, high = low - around, high + around
    return ChartAxis(low, high, scale).part(-pad, 1 + pad)


def round_axis(values: ArrayLike, scale: AxisScale, at_most: int, headroom: float = 0.0) -> ChartAxis:
    """As far as the next round numbers, so that it keeps still while the values grow a little.

    It begins at 0 unless the values are far from it. `headroom` is a share kept free above them.
    """
    known = _known(values, scale)
    if scale == "log":
        return _round_log(known, headroom)
    if not len(known):
        return ChartAxis(0.0, 1.0)
    low, high = float(known.min()), float(known.max())
    span = high - low
    if span <= _LEAST_SPAN * max(abs(low), abs(high)):
        low, high = min(low, 0.0), max(high, 0.0)
    elif low > 0 and low < 0.7 * high:
        low = 0.0
    elif high < 0 and high > 0.7 * low:
        high = 0.0
    if low == high:
        high = low + 1.0
    high = low + (high - low) / (1 - headroom)
    found, _ = round_numbers(low, high, max(at_most, 2))
    if len(found) < 2:
        return ChartAxis(low, high)
    step = float(found[1] - found[0])
    axis = ChartAxis(math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step)
    return axis if axis.high > axis.low else ChartAxis(low, high)


def axis_ticks(axis: ChartAxis, at_most: int) -> list[AxisTick]:
    """Round numbers in sight, at most this many."""
    values = _log_values(axis, at_most) if axis.scale == "log" else None
    if values is not None:
        return [AxisTick(value, number_words(value)) for value in values]
    found, _ = round_numbers(axis.low, axis.high, max(at_most, 1))
    step = float(found[1] - found[0]) if len(found) > 1 else (axis.high - axis.low)
    largest = max(abs(axis.low), abs(axis.high))
    return [AxisTick(float(value), _mark_words(float(value), step, largest)) for value in found]


def number_words(value: float) -> str:
    """A number with as few figures as say it, a power of ten where it is huge or tiny."""
    if value == 0:
        return "0"
    size, sign = abs(value), "−" if value < 0 else ""
    if _PLAIN[0] <= size < _PLAIN[1]:
        return sign + (
            formatted(size, ".4f").rstrip("0").rstrip(".,") if size < 1 else formatted(size, ".6g")
        )
    exponent = math.floor(math.log10(size) + 1e-12)
    mantissa = formatted(size / 10.0**exponent, ".3g")
    power = f"10{str(exponent).translate(_SUPERSCRIPTS)}"
    return sign + (power if mantissa == "1" else f"{mantissa}×{power}")


def round_numbers(low: float, high: float, at_most: int) -> tuple[Floats, int]:
    """Round numbers (1, 2 or 5 times a power of ten apart) from low to high, and the decimals they need."""
    span = high - low
    if span <= 0 or at_most < 1:
        return np.zeros(0), 0
    power = np.floor(np.log10(span / at_most))
    step = next(s for s in (1, 2, 5, 10) if s * 10.0**power * at_most >= span * (1 - 1e-9)) * 10.0**power
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    return np.arange(first, last + 1) * step + 0.0, decimals  # -0 is no mark


def _known(values: ArrayLike, scale: AxisScale) -> Floats:
    given = np.asarray(values, dtype=np.float64)
    known: Floats = np.clip(given[np.isfinite(given)], -_FARTHEST, _FARTHEST)
    return known[known > 0] if scale == "log" else known


def _round_log(known: Floats, headroom: float) -> ChartAxis:
    """From a power of ten to one, or to the next 1, 2 or 5 where that would leave most of it empty."""
    raw = raw_axis(known, "log")
    low, high = math.log10(raw.low), math.log10(raw.high)
    high = low + (high - low) / (1 - headroom)
    if high - low > 1.5:
        return ChartAxis(_power(math.floor(low + 1e-9)), _power(math.ceil(high - 1e-9)), "log")
    steps = [
        decade + math.log10(factor)
        for decade in range(math.floor(low) - 1, math.ceil(high) + 1)
        for factor in (1, 2, 5)
    ]
    first = max(step for step in steps if step <= low + 1e-9)
    last = min((step for step in steps if step >= high - 1e-9), default=high)
    return ChartAxis(_power(first), _power(last), "log")


def _power(exponent: float) -> float:
    """A power of ten, or the farthest one there is."""
    return float(10.0 ** min(max(exponent, -_FARTHEST_POWER), _FARTHEST_POWER))


def _log_values(axis: ChartAxis, at_most: int) -> list[float] | None:
    """Powers of ten, between them 2 and 5 where there is room; None where fewer than two are in sight."""
    low, high = math.log10(axis.low), math.log10(axis.high)
    decades = range(math.floor(low), math.ceil(high) + 1)
    apart = max(math.ceil(len(decades) / max(at_most, 1)), 1)
    factors = (1, 2, 5) if 3 * (high - low) <= at_most else (1,)
    values = [factor * 10.0**d for d in decades if d % apart == 0 for factor in factors if abs(d) <= 300]
    inside = [value for value in values if low - 1e-9 <= math.log10(value) <= high + 1e-9]
    return inside if len(inside) > 1 else None


def _mark_words(value: float, step: float, largest: float) -> str:
    """A mark as its neighbours are written: with the same decimals, or the same power of ten."""
    if value == 0:
        return "0"
    if _PLAIN[0] * 0.1 <= step and largest < _PLAIN[1]:
        decimals = max(0, -math.floor(math.log10(step) + 1e-9))
        return formatted(value, f".{decimals}f").replace("-", "−")
    exponent = math.floor(math.log10(largest) + 1e-12)
    decimals = max(0, exponent - math.floor(math.log10(step) + 1e-9))
    if decimals > 8:  # many figures in common: the power of ten would hide the difference
        return formatted(value, ".10g").replace("-", "−")
    mantissa = formatted(value / 10.0**exponent, f".{decimals}f").replace("-", "−")
    return f"{mantissa}×10{str(exponent).translate(_SUPERSCRIPTS)}"
