"""The state of the compiled event loop: the jobs, the machine, the queue, and what has happened."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.entry_points import Handle

__all__ = ["COUNTERS", "END", "EVENT", "JOB", "Integer", "Loop", "StrategyCalls"]

# How far the loop has come.
DONE: Final = 0
MORE: Final = 1  # as many events as were wanted
ROOM: Final = 2  # no room for what another moment may bring
FAULT: Final = 3

# The disciplines' ways of serving the queue.
HEAD: Final = 0  # the first, until one cannot be placed
EVERY: Final = 1  # every waiting job
EASY: Final = 2  # the first, then those that do not delay it

# The loop's counters
(
    ARRIVING,
    ENDED,
    EVENTS,
    BOXES,
    FINISHES,
    FIRST_WAITING,
    LAST_WAITING,  # the place behind the last
    RANKED,
    RUNNING,
    VERSION,
    RELEASES,
    FREE,
    STARTED,
    RESERVING,
    ATTEMPTED,
    PLANS,
    PLANNED,
    ENDS,
    FRAMES,
    NEXT_FRAME,
    STOPPED,  # not 0 once the run is not wanted
) = range(21)
COUNTERS: Final = 21
# and its times.
NOW, PLANNED_AT = range(2)

# What happens to a job, as in EventKind. Numbers of NumPy's: a function is compiled again for each literal.
ARRIVE, START, FINISH, REJECT, RESERVE = np.arange(5)
OCCUPIED, VACANT = np.array((True, False))
NEVER: Final = np.iinfo(np.int32).max

# The outcomes of an attempt, as in AttemptOutcome
FAILED, PLACED, PROMISED = np.arange(3, dtype=np.int32)


JOB: Final = np.dtype(
    [
        ("arrival", "f8"),
        ("service", "f8"),  # as stated, 0 where it is not
        ("rank", "f8"),
        ("w", "i4"),
        ("d", "i4"),
        ("h", "i4"),
        ("size", "i4"),  # the number of its size among those that occur
        ("refused", "?"),
        ("place", "i4"),  # among the running jobs
        ("stated_end", "f8"),  # when it leaves, by its stated service time
        ("failed", "i4"),  # the machine's version in which it last failed,
        ("size_failed", "i4"),  # or, of the size with this number, how many releases there had been
        # its part in a plan of EASY, if the plan has this number: see scheduling/machine_copy.py
        ("plan_of_start", "i4"),
        ("planned_start", "f8"),  # when it could start
        ("plan_of_head", "i4"),  # of the size with this number where a size settles it:
        ("delayed_head", "i4"),  # the head that it would delay
        # what has happened to it
        ("positions", "i4", (5,)),  # of its events, by kind
        ("first_box", "i4"),
        ("box_count", "i4"),
        ("attempts", "i4"),
        ("part_attempts", "i4"),
        ("operations", "i8"),
        ("nanoseconds", "i8"),
    ],
    align=True,
)
EVENT: Final = np.dtype([("time", "f8"), ("job", "i4"), ("kind", "u1")], align=True)
END: Final = np.dtype([("time", "f8"), ("job", "i4")], align=True)


class Loop(NamedTuple):
    """All arrays of a run and its flags."""

    seed: int
    serving: int  # how the queue is served
    lasting: bool  # whether a size that failed fails until something is released
    sized: bool  # whether what can be placed depends on its size alone
    networked: bool  # whether messages decide when jobs finish
    recording: bool  # whether attempts are recorded
    crowd: int  # the most jobs that arrive at one time
    frame_every: int  # events between two key frames
    counters: NDArray[np.int64]
    clock: NDArray[np.float64]
    jobs: NDArray[Any]  # of JOB, one more than there are, that never arrives
    finishes: NDArray[Any]  # of END: a heap
    ends: NDArray[Any]  # of END: the stated ends of running jobs as the latest plan has them, in order
    running: NDArray[np.int32]
    waiting: NDArray[np.int32]  # in order: see loop_queue
    ranked: NDArray[Any]  # of END, with a rank for the time: a heap of the jobs that wait beside these
    started: NDArray[np.int32]  # the jobs that started in the latest step
    occupied: NDArray[np.bool_]  # [z, y, x]
    events: NDArray[Any]  # of EVENT
    boxes: NDArray[np.int16]
    attempts: NDArray[np.int32]  # position, job, outcome; those not taken away yet
    reservations: NDArray[np.int16]
    # key frames not taken away yet: the strategy's memory, and after how many events it was so
    frames: NDArray[np.uint8]
    frame_positions: NDArray[np.int64]


Integer = int | np.integer[Any]


class StrategyCalls(NamedTuple):
    """A strategy: its functions for compiled code, its state, and another to plan with."""

    allocate: Any
    release: Any
    due: Any
    handle: Handle
    tally: NDArray[np.int64]
    memory: NDArray[np.uint8]
    spare: Handle
    spare_memory: NDArray[np.uint8]
    given: NDArray[np.int32]  # room for the boxes of a job
    jobs_due: NDArray[np.int32]  # and for jobs
