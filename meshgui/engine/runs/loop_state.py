"""The state of the event loop: the jobs, the machine, the queue, and what has happened."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.entry_points import Handle
from meshgui.engine.basics.kernel import borrowed_arrays

Integer = int | np.integer[Any]


class HowFar(IntEnum):
    """How far the loop has come."""

    DONE = 0
    MORE = 1  # as far as was wanted
    ROOM = 2  # to where there is no room for what another moment may bring
    FAULT = 3  # to where something is wrong: see `AnswerFault`


class AnswerFault(IntEnum):
    """What is wrong with a strategy's answer; the job, and a box or how many, are counted beside it."""

    NONE = 0  # what has stopped the loop is known outside it
    OUTSIDE = 1  # a box that is not inside the mesh
    HELD = 2  # a box of which a part is held already
    FEW = 3  # boxes with fewer processors than asked for
    NOT_RESERVED = 4  # a job called due that has no reservation
    NOT_GIVEN = 5  # a job that was due did not get its boxes
    COUNT = 6  # a number of boxes that cannot be
    ATTEMPTS = 7  # more attempts at one time than processors allow


class Count(IntEnum):
    """The loop's counters, by their places."""

    ARRIVING = 0  # the job that arrives next
    ENDED = 1
    EVENTS = 2
    BOXES = 3
    FINISHES = 4
    FIRST_WAITING = 5
    LAST_WAITING = 6  # the place behind the last
    LINED_UP = 7  # jobs in lines
    RUNNING = 8
    VERSION = 9  # of the machine
    RELEASES = 10
    FREE = 11  # processors
    STARTED = 12
    RESERVING = 13  # reservations made
    RESERVED = 14  # those whose jobs have not started
    ATTEMPTED = 15
    PLANS = 16
    PLANNED = 17  # not 0 while the latest plan is one of the machine as it is
    ENDS = 18
    FRAMES = 19
    NEXT_FRAME = 20
    REORDERED = 21  # not 0 while waiting jobs may have other ranks than their first
    STOPPED = 22  # not 0 once the run is not wanted, or what it called has failed
    FAULT = 23
    FAULTY_JOB = 24
    FAULTY_BOX = 25
    LINES = 26  # that are not empty
    FRAME_EVERY = 27  # events between two key frames
    SCHEDULES = 28
    SCHEDULED = 29  # not 0 while the latest schedule holds
    SLOTS = 30  # of it


class Clock(IntEnum):
    """The loop's times, by their places."""

    NOW = 0
    PLANNED_AT = 1
    NEXT_MOVE = 2  # when a job is moved in the queue by hand
    NEXT_CHANGE = 3  # when something fails or is repaired


class LoopQuestion(IntEnum):
    """What the loop asks of plain Python."""

    COPY = 0  # bring the strategy to plan with to where the strategy is
    FRAME = 1  # keep the strategy's state
    SERVE = 2  # serve the queue
    JOIN = 3  # put a job into a queue in another order than that of first ranks
    MOVE = 4  # move jobs as the scenario says
    CHANGE = 5  # fail and repair what does so now


# Numbers of NumPy's: a function is compiled again for each literal.
OCCUPIED, VACANT = np.array((True, False))

JOB: Final = np.dtype(
    [
        ("arrival", "f8"),
        ("service", "f8"),  # as stated, 0 where it is not
        ("line", "i4"),  # of the jobs of its rank, where they form lines
        ("size", "i4"),  # the number of its size among those that occur
        ("place", "i4"),  # among the running jobs
        ("failed", "i4"),  # the machine's version in which it last failed
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
PLAN: Final = np.dtype(
    [
        # a job's part in a plan of EASY, if the plan has this number
        ("plan_of_start", "i4"),
        ("plan_of_head", "i4"),
        ("planned_start", "f8"),  # when it could start
        ("delayed_head", "i4"),  # the head that it would delay
        ("stated_end", "f8"),  # when it leaves once it runs, by its stated service time
        # its start in a schedule of conservative backfilling, if the schedule has this number
        ("schedule", "i4"),
        ("scheduled_start", "f8"),
    ],
    align=True,
)
SIZE: Final = np.dtype(
    [
        ("w", "i4"),
        ("d", "i4"),
        ("h", "i4"),
        ("refused", "?"),
        ("failed", "i4"),  # how many releases there had been when it last failed
        # what is true of all its jobs where a size settles what can be placed: see PLAN
        ("plan_of_head", "i4"),
        ("delayed_head", "i4"),
    ],
    align=True,
)
END: Final = np.dtype([("time", "f8"), ("job", "i4")], align=True)

SLOT: Final = np.dtype([("time", "f8"), ("job", "i4"), ("starts", "?")], align=True)


@borrowed_arrays
class Loop(NamedTuple):
    """All arrays of a run and its flags, which are 0 or 1."""

    seed: int
    serving: int  # see Serving
    lasting: int  # whether a size that failed fails until something is released
    sized: int  # whether what can be placed depends on its size alone
    networked: int  # whether messages decide when jobs finish
    recording: int  # whether attempts are recorded
    across: int  # whether a job's boxes are the parts of one that may lie across seams
    crowd: int  # the most jobs that arrive at one time
    failing: int  # 0 where nothing fails; else the most fail and repair events at one time
    counters: Ints  # see Count
    clock: Floats  # see Clock
    jobs: NDArray[Any]  # of JOB, one more than there are, that never arrives
    plans: NDArray[Any]  # of PLAN, by job; none where nothing is planned
    means: Floats  # [job, 2]: see MessageMeans; none where the strategy learns from no job
    sizes: NDArray[Any]  # of SIZE: those that occur
    finishes: NDArray[Any]  # of END: a heap
    ends: NDArray[Any]  # of END: the stated ends of running jobs as the latest plan has them, in order
    slots: NDArray[Any]  # of SLOT: who leaves and starts when, as the latest schedule has it
    running: Ints32
    waiting: Ints32  # in order; or, of each job in a line, the next
    durations: Floats  # how long each job runs: less where it is ended by hand
    ranks: Floats  # by job; those of waiting jobs may change
    lines: Ints32  # of each rank that occurs, the last job in its line, or -1
    ranked: NDArray[Any]  # of END, with a rank in it and the first job of its line: a heap
    started: Ints32  # the jobs that started in the latest step
    occupied: NDArray[np.bool_]  # [z, y, x]
    # The events and the boxes: none changes once it is there, so that recordings have the same memory.
    times: Floats
    kinds: NDArray[np.uint8]
    event_jobs: Ints32
    boxes: NDArray[np.int16]
    attempts: Ints32  # position, job, outcome; those not taken away yet
    reservations: NDArray[np.int16]
    # key frames not taken away yet: the strategy's memory, and after how many events it was so
    frames: NDArray[np.uint8]
    frame_positions: Ints


class StrategyCalls(NamedTuple):
    """A strategy: its functions for compiled code, its state, and another to plan with."""

    allocate: Any
    release: Any
    due: Any
    ask: Any  # what plain Python answers, see LoopQuestion: of a number, another
    handle: Handle
    planning_state: Handle
    boxes_room: Handle
    due_room: Handle
    tally: Ints
    memory: NDArray[np.uint8]  # none where the state is not in arrays
    planning_memory: NDArray[np.uint8]
    boxes_out: Ints32  # room for the boxes of a job
    jobs_due: Ints32  # and for jobs
    feedback: Floats  # see engine/allocation/feedback.py; none where it learns from no job


class Running(NamedTuple):
    """What the loop works on."""

    loop: Loop
    machine: StrategyCalls
