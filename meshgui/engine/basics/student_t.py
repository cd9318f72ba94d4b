"""The quantiles of Student's t, which the half-widths of confidence intervals are multiples of.

SciPy has them, too, and is 45 MB that nothing else here needs; it takes a tenth of a second of every start.
"""

from __future__ import annotations

import math
from typing import Final

_CLOSE: Final = 1e-15
_TINY: Final = 1e-300
_STEPS: Final = 20_000  # of the fraction; some ten do for most, thousands for millions of runs
_LARGE: Final = 20.0  # from which the series of the logarithm is exact to the last digit


def two_sided_quantile(degrees: float, confidence: float) -> float:
    """The t that a value exceeds, up or down, as often as `confidence` says it does not.

    Newton's method. One and two degrees of freedom have formulas to begin with, others the first terms of
    Cornish and Fisher.
    """
    if not 0.0 <= confidence < 1.0:
        raise ValueError(f"confidence {confidence}: not from 0 to below 1")  # untranslated: a mistake
    if confidence == 0.0:
        return 0.0
    beyond = 1.0 - confidence
    t = _approximately(degrees, beyond)
    for _ in range(20):
        step = (_beyond(t, degrees) - beyond) / (2.0 * _density(t, degrees))
        t = max(t + step, t / 2.0)
        if abs(step) <= 4.0 * _CLOSE * t:
            break
    return t


def _approximately(n: float, beyond: float) -> float:
    if n == 1.0:
        return 1.0 / math.tan(beyond * math.pi / 2.0)
    if n == 2.0:
        return math.sqrt(2.0 / (beyond * (2.0 - beyond)) - 2.0)
    z = _normal(beyond)
    wide = z + (z**3 + z) / (4.0 * n) + (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / (96.0 * n * n)
    return max(wide, _CLOSE)


def _normal(beyond: float) -> float:
    from statistics import NormalDist  # noqa: PLC0415 - seldom needed

    return -NormalDist().inv_cdf(beyond / 2.0)


def _beyond(t: float, n: float) -> float:
    """How often a value is further from 0 than t: the incomplete beta function of n/(n + t²)."""
    square = t * t
    x, rest = n / (n + square), square / (n + square)
    a, b = n / 2.0, 0.5
    logs = (math.log(x), math.log1p(-x)) if x < rest else (math.log1p(-rest), math.log(rest))
    front = math.exp(_log_inverse_beta(a) + a * logs[0] + b * logs[1])
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, rest) / b


def _density(t: float, n: float) -> float:
    power = -(n + 1.0) / 2.0 * math.log1p(t * t / n)
    return math.exp(_log_inverse_beta(n / 2.0) + power) / math.sqrt(n)


def _log_inverse_beta(a: float) -> float:
    """The logarithm of 1/B(a, ½)."""
    if a < _LARGE:
        return math.lgamma(a + 0.5) - math.lgamma(a) - 0.5 * math.log(math.pi)
    # The logarithms of two gamma functions of large numbers would leave few digits of their difference.
    i = 1.0 / a
    series = -i / 8.0 + i**3 / 192.0 - i**5 / 640.0 + 17.0 * i**7 / 14336.0 - 31.0 * i**9 / 18432.0
    return 0.5 * math.log(a / math.pi) + series


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        for numerator in (even, odd):
            d = 1.0 + numerator * d
            c = 1.0 + numerator / c
            d = 1.0 / (d if abs(d) > _TINY else _TINY)
            c = c if abs(c) > _TINY else _TINY
            value *= d * c
        if abs(d * c - 1.0) < _CLOSE:
            break
    return value
