"""Means with confidence intervals (000 §3.4), and the autocorrelation of successive values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from meshgui.engine.basics.student_t import two_sided_quantile
from meshgui.engine.basics.translation import tr


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, half the width of its confidence interval, and from how many runs."""

    mean: float
    half_width: float
    runs: int

    @property
    def relative_error(self) -> float:
        """Half the interval's width over the mean."""
        if self.half_width == 0:
            return 0.0
        return math.inf if self.mean == 0 else self.half_width / abs(self.mean)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval."""
        return (self.mean - self.half_width, self.mean + self.half_width)


def estimate(samples: Sequence[float], confidence: float = 0.95) -> Estimate:
    """The mean of independent samples with its interval by Student's t."""
    n = len(samples)
    if n == 0:
        raise ValueError(tr("expected at least one sample"))
    mean = math.fsum(samples) / n
    if n == 1:
        return Estimate(mean, math.inf, 1)
    if all(x == samples[0] for x in samples):
        return Estimate(float(samples[0]), 0.0, n)  # exactly, without rounding of their sum
    variance = math.fsum([(x - mean) ** 2 for x in samples]) / (n - 1)
    return Estimate(mean, quantile(n, confidence) * math.sqrt(variance / n), n)


def difference_of_means(above: Sequence[float], below: Sequence[float], confidence: float = 0.95) -> Estimate:
    """How far one mean is above another, from runs of both with the same seeds: what they share falls out."""
    return estimate([a - b for a, b in zip(above, below, strict=True)], confidence)


@lru_cache(maxsize=10_000)
def quantile(n: int, confidence: float = 0.95) -> float:
    """Half the width of the interval of n values whose mean has the standard deviation 1."""
    return two_sided_quantile(n - 1, confidence)


def autocorrelation(values: Sequence[float]) -> float:
    """The correlation of successive values (lag 1): near 0 if they are independent, near 1 if they are not.

    0 where it is not defined: for fewer than two values, or for values that are all equal.
    """
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    apart = [value - mean for value in values]
    scatter = math.fsum(a * a for a in apart)
    return math.fsum(a * b for a, b in pairwise(apart)) / scatter if scatter else 0.0
