"""Fuzzy control of a bound by the errors of up to six indicators (003 §III).

003 names the parts of such a controller and gives the curves, but neither sets nor rules; those here are this
program's, the least that uses each curve once. The error of an indicator is its target less its value. By it
the indicator is *too high* (a falling z-curve), *on target* (a π-curve) or *too low* (a rising s-curve), each
to some degree. More boxes a job mean more utilisation, blocking, latency and blocks (003 table I), so the
rules lower the bound, keep it or raise it; turnaround and service fall as the bound rises, so for them the
rules have the opposite sign. The change is the mean of what the rules say, weighted by the degrees, and then
by the weights of the indicators, which 003 §VI leaves to later work. 003 prints an s-curve that falls; it
rises here.
"""

from __future__ import annotations

from math import cos, pi
from typing import Annotated, Final, Literal, NamedTuple, Self, get_args

import numpy as np
from pydantic import Field, model_validator

from meshgui.engine.allocation import feedback as of_jobs
from meshgui.engine.allocation.feedback import add, first_feedback, known
from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.parts import NotNegative, Part, Positive, at
from meshgui.engine.basics.translation import tr

REACH = 20.0  # the error, in percentage points, from which on a rule holds in full
UNIT = 1000  # a controlled bound is in thousandths of a box, so that it is the same on every machine
NUMBER, BUSY, BOUND = range(3)  # the history's columns
_REMEMBERED: Final = 64  # allocations in the history

IndicatorName = Literal["utilization", "turnaround", "service", "blocking", "latency", "blocks"]
NAMES: Final[tuple[IndicatorName, ...]] = get_args(IndicatorName)
UTILIZATION, TURNAROUND, SERVICE, BLOCKING, LATENCY, BLOCKS = range(len(NAMES))
TITLES: Final = (
    tr("Utilisation"),
    tr("Turnaround"),
    tr("Service"),
    tr("Blocking"),
    tr("Latency"),
    tr("The number of blocks"),
)


class Indicator(Part):
    """An indicator under control: its target, its weight, and the breakpoints of its curves."""

    of: IndicatorName = Field("utilization", description=tr("what is measured"))
    target: NotNegative = Field(80.0, description=tr("the value to hold; of utilisation in per cent"))
    weight: Positive = Field(1.0, description=tr("how much it counts beside the other indicators"))
    tolerance: NotNegative = Field(0.0, description=tr("up to this error it is on target in full"))
    reach: Positive = Field(REACH, description=tr("from this error on it is too high or too low in full"))

    @model_validator(mode="after")
    def _breakpoints_in_order(self) -> Self:
        if self.tolerance >= self.reach:
            said = tr("expected less than reach ({reach:g}), got {tolerance:g}")
            raise at(".tolerance", said.format(reach=self.reach, tolerance=self.tolerance))
        return self


Indicators = Annotated[tuple[Indicator, ...], Field(max_length=len(NAMES))]


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


class BoundChange(NamedTuple):
    """To what degree each rule holds, and by how many boxes the bound is to move."""

    degrees: tuple[float, float, float]
    change: float


@kernel
def degrees_of(error: float, tolerance: float, reach: float) -> tuple[float, float, float]:
    """To what degree an indicator is too high, on target, too low."""
    return (
        falling(-reach, -tolerance, error),
        hump(-reach, -tolerance, tolerance, reach, error),
        rising(tolerance, reach, error),
    )


@kernel
def bound_change(
    error: float, tolerance: float, reach: float, when_high: float, when_on_target: float, when_low: float
) -> BoundChange:
    """Apply the rules to an error. Some rule always holds, so the weights never sum up to nothing."""
    high, level, low = degrees_of(error, tolerance, reach)
    said = when_high * high + when_on_target * level + when_low * low
    return BoundChange((high, level, low), said / (high + level + low))


_AT: Final = (-1, of_jobs.TURNAROUND, of_jobs.SERVICE, of_jobs.BLOCKING, of_jobs.LATENCY)
"""Where a run reports each indicator: of the first and the last it knows nothing."""
# The places of `record`: what the controller itself measures.
LAST, INTEGRAL, PENDING = range(3)  # the time up to which the busy processors are summed up; the next one
_BLOCKS: Final = 3  # see feedback: of the jobs placed
OUT: Final = 6  # the processors that are held out, which no job keeps busy
_RECORDED: Final = 7
# The columns of `settings`
TARGET, WEIGHT, TOLERANCE, REACHES = range(4)


class Control(NamedTuple):
    """The part of a state that bounds the boxes of a job."""

    fuzzy: int  # whether the bound is controlled
    highest: int
    cumulative: int  # whether an indicator is the mean so far, not the latest value
    bound: Ints32  # one number, in thousandths of a box
    history: Ints32  # room for the latest allocations
    remembered: Ints  # one number: how many there are
    kinds: Ints32  # the indicators
    settings: Floats  # of each its target, weight, tolerance and reach
    rules: Floats  # by how many boxes the bound moves if an indicator is too high, on target, too low
    feedback: Floats
    record: Floats


def first_control(
    *,
    bound: int,
    fuzzy: bool,
    highest: int,
    cumulative: bool,
    indicators: Indicators,
    rules: tuple[float, ...],
) -> Control:
    """The controller before the first job."""
    settings = [(one.target, one.weight, one.tolerance, one.reach) for one in indicators]
    return Control(
        int(fuzzy),
        highest,
        int(cumulative),
        np.array([bound * UNIT], dtype=np.int32),
        np.zeros((_REMEMBERED, 3), dtype=np.int32),
        np.zeros(1, dtype=np.int64),
        np.array([NAMES.index(one.of) for one in indicators], dtype=np.int32),
        np.array(settings, dtype=np.float64).reshape(-1, 4),
        np.array(rules, dtype=np.float64),
        first_feedback(),
        np.zeros(_RECORDED),
    )


@kernel
def value_of(control: Control, kind: int, busy: int, processors: int) -> float:
    """An indicator now; NaN where nothing is known of it yet."""
    record = control.record
    if kind == UTILIZATION:
        if control.cumulative and record[LAST] > 0:
            return float(100 * record[INTEGRAL] / (record[LAST] * processors))
        return 100 * busy / processors
    if kind == BLOCKS:
        return known(record, _BLOCKS, control.cumulative)
    return known(control.feedback, _AT[kind], control.cumulative)


@kernel
def sign_of(kind: int) -> int:
    """1 for an indicator that rises with the bound, -1 for one that falls (003 table I)."""
    return -1 if kind in (TURNAROUND, SERVICE) else 1


@kernel
def verdict_of(control: Control, n: int, value: float) -> BoundChange:
    """What the rules say of an indicator, its sign included."""
    setting, rules = control.settings[n], control.rules
    verdict = bound_change(
        setting[TARGET] - value, setting[TOLERANCE], setting[REACHES], rules[0], rules[1], rules[2]
    )
    return BoundChange(verdict.degrees, sign_of(control.kinds[n]) * verdict.change)


@kernel
def pass_time(control: Control, now: float, busy: int) -> None:
    """Sum up the processors that were busy until now."""
    record = control.record
    if now > record[LAST]:
        record[INTEGRAL] += busy * (now - record[LAST])
        record[LAST] = now


@kernel
def count_blocks(control: Control, count: int) -> None:
    """A job has got this many boxes."""
    add(control.record, _BLOCKS, float(count))


@kernel
def moved(control: Control, busy: int, processors: int) -> int:
    """The bound as the rules move it, in thousandths."""
    said, weights = 0.0, 0.0
    for n in range(control.kinds.size):
        value = value_of(control, control.kinds[n], busy, processors)
        if not np.isnan(value):
            said += control.settings[n, WEIGHT] * verdict_of(control, n, value).change
            weights += control.settings[n, WEIGHT]
    new = int(control.bound[0])
    if weights > 0:
        new += round(said / weights * UNIT)
    return int(min(max(new, UNIT), control.highest * UNIT))


@kernel
def remember(history: Ints32, count: int, busy: int, bound: int) -> int:
    """Add an allocation to a history of this many, the oldest of which goes when it is full: how many now."""
    number = history[count - 1, NUMBER] + 1 if count else 1
    if count == history.shape[0]:
        for n in range(1, count):
            for column in range(3):
                history[n - 1, column] = history[n, column]
        count -= 1
    history[count, NUMBER], history[count, BUSY], history[count, BOUND] = number, busy, bound
    return count + 1
