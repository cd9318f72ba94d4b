"""What a run reports to a strategy of the jobs that leave: the latest values, their sums, and their number.

A strategy that learns from them has such an array in its state, and answers it as `feedback`; the run writes
into it right before the job is released. What is not known of a job, for example the latency of one that
sends nothing, leaves the array as it is; of a job whose processors fail the time alone is reported.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.kernel import kernel

# The places of an array: when the latest job left, and three numbers of each of these.
NOW: Final = 0
TURNAROUND: Final = 1
SERVICE: Final = 4
BLOCKING: Final = 7
LATENCY: Final = 10
LATEST, SUM, NUMBER = range(3)
_PLACES: Final = 13

NO_FEEDBACK: Final = np.zeros(0)
"""Of a strategy that learns from none."""


def first_feedback() -> Floats:
    """The array before any job has left."""
    return np.zeros(_PLACES)


@kernel
def add(feedback: Floats, at: int, value: float) -> None:
    """Add a value, if it is known."""
    if not np.isnan(value):
        feedback[at + LATEST] = value
        feedback[at + SUM] += value
        feedback[at + NUMBER] += 1


@kernel
def report(
    feedback: Floats, now: float, turnaround: float, service: float, blocking: float, latency: float
) -> None:
    """Report the times of a job that leaves, and the means of its messages."""
    feedback[NOW] = now
    add(feedback, TURNAROUND, turnaround)
    add(feedback, SERVICE, service)
    add(feedback, BLOCKING, blocking)
    add(feedback, LATENCY, latency)


@kernel
def known(feedback: Floats, at: int, cumulative: int) -> float:
    """The latest value, or the mean of all so far; NaN before the first."""
    if feedback[at + NUMBER] == 0:
        return float(np.nan)
    return float(feedback[at + SUM] / feedback[at + NUMBER] if cumulative else feedback[at + LATEST])
