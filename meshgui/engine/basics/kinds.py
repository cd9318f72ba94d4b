"""The numbers of the event loop: what happens to a job, what an attempt gives, how a queue is served."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class EventKind(IntEnum):
    """What can happen to a job, or to the machine."""

    ARRIVE = 0
    START = 1
    FINISH = 2
    REJECT = 3
    RESERVE = 4  # it leaves the queue for a box that is not free yet
    MOVE = 5  # it is put elsewhere in the queue by hand
    FAIL = 6  # processors go down: an event of no job,
    REPAIR = 7  # as is this: they are up again
    KILL = 8  # it loses its processors to a failure: it ends, or goes back to the queue


OF_MACHINE: Final = frozenset((EventKind.FAIL, EventKind.REPAIR))
"""The events that are of no job."""


class AttemptOutcome(IntEnum):
    """The outcome of an allocation attempt."""

    WAITS = 0
    PLACED = 1
    RESERVED = 2


class Serving(IntEnum):
    """Which of the waiting jobs are offered to the allocator."""

    HEAD = 0  # the first, until one cannot be placed
    EVERY = 1  # every one, while processors are free
    EASY = 2  # the first, then those that do not delay it
    OWN = 3  # those that the discipline's own `serve` offers
    CONSERVATIVE = 4  # those whose planned start is now: every one has a start that no later job delays


PLANNING: Final = frozenset((Serving.EASY, Serving.OWN, Serving.CONSERVATIVE))
"""The ways of serving for which the machine is played forward on a copy."""
