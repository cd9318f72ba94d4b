"""Fuzzy control of a bound by the error of the utilisation (003 §III).

003 names the parts of such a controller and gives the curves, but neither sets nor rules; those here are this
program's, the least that uses each curve once. The error is the target less the utilisation, in percentage
points. By it utilisation is *too high* (a falling z-curve), *on target* (a π-curve) or *too low* (a rising
s-curve), each to some degree; more boxes a job mean more utilisation (003 table I), so the rules lower the
bound, keep it or raise it, by at most one box at a time. The change is the mean of what the rules say,
weighted by the degrees. 003 prints an s-curve that falls; it rises here.
"""

from __future__ import annotations

from math import cos, pi
from typing import NamedTuple

from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

REACH = 20.0  # the error, in percentage points, from which on a rule holds in full


@kernel
def rising(left: float, right: float, x: float) -> float:
    """The s-curve: 0 up to the left breakpoint, 1 from the right one on, half a cosine between."""
    if x <= left:
        return 0.0
    if x >= right:
        return 1.0
    return 0.5 - 0.5 * cos((x - left) / (right - left) * pi)


@kernel
def falling(left: float, right: float, x: float) -> float:
    """The z-curve: the s-curve upside down."""
    if x <= left:
        return 1.0
    if x >= right:
        return 0.0
    return 0.5 + 0.5 * cos((x - left) / (right - left) * pi)


@kernel
def hump(first: float, second: float, third: float, fourth: float, x: float) -> float:
    """The π-curve: rises between the first two breakpoints, falls between the last two."""
    return min(rising(first, second, x), falling(third, fourth, x))


class Rule(NamedTuple):
    """If utilisation is so, then the bound moves so."""

    utilisation: str
    bound: str


RULES = (
    Rule(tr("too high"), tr("is lowered by 1")),
    Rule(tr("on target"), tr("stays")),
    Rule(tr("too low"), tr("is raised by 1")),
)


class BoundChange(NamedTuple):
    """To what degree each rule holds, and by how many boxes the bound is to move."""

    degrees: tuple[float, float, float]
    change: float


@kernel
def bound_change(error: float) -> BoundChange:
    """Apply the rules to an error. Some rule always holds, so the weights never sum up to nothing."""
    high, level, low = (
        falling(-REACH, 0.0, error),
        hump(-REACH, 0.0, 0.0, REACH, error),
        rising(0.0, REACH, error),
    )
    return BoundChange((high, level, low), (low - high) / (high + level + low))
