"""The event loop in one kernel, for runs of which only the figures are wanted.

It does what `Simulation` does, its twin, with the strategy's own kernels called from compiled code: at one
time finishes, then arrivals, then starts. What the strategy answers is checked here, too; where anything is
wrong the kernel stops, and the run is made again by its twin, which says what is wrong.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.kernel_strategy import ATTEMPTS, NANOSECONDS, OPERATIONS, RESERVED, WAITS
from meshgui.engine.basics.entry_points import Handle, borrowed
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.audit import mark

__all__ = [
    "BOXES",
    "COUNTERS",
    "DONE",
    "EASY",
    "END",
    "ENDED",
    "EVENT",
    "EVENTS",
    "EVERY",
    "FAULT",
    "HEAD",
    "JOB",
    "MORE",
    "NOW",
    "ROOM",
    "STARTED",
    "STOPPED",
    "Loop",
    "advance",
    "step",
    "upcoming",
]

# How far `advance` has come.
DONE: Final = 0
MORE: Final = 1  # as many events as were wanted
ROOM: Final = 2  # no room for the boxes of another job
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
    WAITING,
    VERSION,
    RELEASES,
    FREE,
    STARTED,
    RESERVING,
    PLANS,
    PLANNED,
    ENDS,
    STOPPED,  # not 0 once the run is not wanted
) = range(15)
COUNTERS: Final = 15
# and its times.
NOW, PLANNED_AT = range(2)

# What happens to a job, as in EventKind. Numbers of NumPy's: a function is compiled again for each literal.
ARRIVE, START, FINISH, REJECT, RESERVE = np.arange(5)
FIRST: Final = np.int64(0)  # in the queue
OCCUPIED, VACANT = np.array((True, False))
NEVER: Final = np.iinfo(np.int32).max


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
        ("running", "?"),
        ("stated_end", "f8"),  # when it leaves, by its stated service time
        ("failed", "i8"),  # the machine's version in which it last failed,
        ("size_failed", "i8"),  # or, of the size with this number, how many releases there had been
        # its part in a plan of EASY, if the plan has this number: see scheduling/machine_copy.py
        ("plan_of_start", "i8"),
        ("planned_start", "f8"),  # when it could start
        ("plan_of_head", "i8"),
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
    """The jobs, the machine, the queue, and what has happened."""

    seed: int
    serving: int  # how the queue is served
    lasting: bool  # whether a size that failed fails until something is released
    networked: bool  # whether messages decide when jobs finish
    counters: NDArray[np.int64]
    clock: NDArray[np.float64]
    jobs: NDArray[Any]  # of JOB, one more than there are, that never arrives
    finishes: NDArray[Any]  # of END: a heap
    ends: NDArray[Any]  # of END: the stated ends of running jobs as the latest plan has them, in order
    waiting: NDArray[np.int32]
    started: NDArray[np.int32]  # the jobs that started in the latest step
    occupied: NDArray[np.bool_]  # [z, y, x]
    events: NDArray[Any]  # of EVENT
    boxes: NDArray[np.int16]
    reservations: NDArray[np.int16]


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


# Finishes


@kernel
def _before(one: Any, other: Any) -> bool:  # noqa: ANN401
    """The order of ends: by time, then by job."""
    return bool(one["time"] < other["time"] or (one["time"] == other["time"] and one["job"] < other["job"]))


@kernel
def _set_end(ends: NDArray[Any], place: int, time: float, job: Integer) -> None:
    ends[place]["time"] = time
    ends[place]["job"] = job


@kernel
def push_finish(loop: Loop, time: float, job: Integer) -> None:
    """Note that a job finishes at a time."""
    heap = loop.finishes
    at = loop.counters[FINISHES]
    loop.counters[FINISHES] += 1
    _set_end(heap, at, time, job)
    while at > 0 and _before(heap[at], heap[(at - 1) // 2]):
        above = (at - 1) // 2
        other_time, other = heap[above]["time"], heap[above]["job"]
        _set_end(heap, above, time, job)
        _set_end(heap, at, other_time, other)
        at = above


@kernel
def _pop_finish(loop: Loop) -> int:
    """Take the job that finishes first, of those at one time the lowest number."""
    heap = loop.finishes
    first = int(heap[0]["job"])
    loop.counters[FINISHES] -= 1
    size = loop.counters[FINISHES]
    time, job = heap[size]["time"], heap[size]["job"]
    _set_end(heap, 0, time, job)
    at = 0
    while True:
        below = 2 * at + 1
        if below + 1 < size and _before(heap[below + 1], heap[below]):
            below += 1
        if below >= size or not _before(heap[below], heap[at]):
            return first
        _set_end(heap, at, heap[below]["time"], heap[below]["job"])
        _set_end(heap, below, time, job)
        at = below


# Events


@kernel
def _event(loop: Loop, kind: Integer, job: Integer) -> None:
    n = loop.counters[EVENTS]
    event = loop.events[n]
    event["time"], event["kind"], event["job"] = loop.clock[NOW], kind, job
    loop.jobs[job]["positions"][kind] = n
    loop.counters[EVENTS] += 1


@kernel
def _machine_changed(loop: Loop) -> None:
    loop.counters[VERSION] += 1
    loop.counters[PLANNED] = 0


@kernel
def _mark(loop: Loop, box: NDArray[np.int16], held: np.bool_) -> bool:
    """See audit."""
    x, y, z, w, d, h = int(box[0]), int(box[1]), int(box[2]), int(box[3]), int(box[4]), int(box[5])
    return mark(loop.occupied, x, y, z, w, d, h, held)


@kernel
def _start(loop: Loop, machine: StrategyCalls, job: Integer, count: int) -> bool:
    """Record the start of a job; False if its boxes are not free, or are too few."""
    _machine_changed(loop)
    first = loop.counters[BOXES]
    held = 0
    for n in range(count):
        box = loop.boxes[first + n]
        for side in range(6):
            box[side] = machine.given[n, side]
        if not _mark(loop, box, OCCUPIED):
            return False
        held += int(box[3]) * int(box[4]) * int(box[5])
    started = loop.jobs[job]
    if held < int(started["w"]) * int(started["d"]) * int(started["h"]):
        return False
    loop.counters[BOXES] += count
    loop.counters[FREE] -= held
    started["first_box"], started["box_count"] = first, count
    started["part_attempts"] = machine.tally[ATTEMPTS]
    _event(loop, START, job)
    started["stated_end"] = loop.clock[NOW] + started["service"]
    started["running"] = True
    if not loop.networked:
        push_finish(loop, started["stated_end"], job)
    loop.started[loop.counters[STARTED]] = job
    loop.counters[STARTED] += 1
    return True


@kernel
def _finish(loop: Loop, machine: StrategyCalls, job: Integer) -> None:
    _machine_changed(loop)
    loop.counters[RELEASES] += 1
    before = machine.tally[OPERATIONS]
    machine.release(machine.handle, job)
    finished = loop.jobs[job]
    finished["operations"] += machine.tally[OPERATIONS] - before
    finished["nanoseconds"] += machine.tally[NANOSECONDS]
    for n in range(finished["first_box"], finished["first_box"] + finished["box_count"]):
        box = loop.boxes[n]
        _mark(loop, box, VACANT)
        loop.counters[FREE] += int(box[3]) * int(box[4]) * int(box[5])
    _event(loop, FINISH, job)
    finished["running"] = False
    loop.counters[ENDED] += 1


@kernel
def _asked(loop: Loop, machine: StrategyCalls, handle: Handle, job: Integer) -> int:
    """What the strategy answers to a job's request."""
    asking = loop.jobs[job]
    w, d, h = int(asking["w"]), int(asking["d"]), int(asking["h"])
    now, service = loop.clock[NOW], asking["service"]
    return int(machine.allocate(handle, job, w, d, h, now, service, loop.seed, machine.given))


@kernel
def _attempt(loop: Loop, machine: StrategyCalls, job: Integer) -> int:
    """Have the strategy try to place a job, at the job's cost."""
    before = machine.tally[OPERATIONS]
    count = _asked(loop, machine, machine.handle, job)
    asking = loop.jobs[job]
    asking["attempts"] += 1
    asking["operations"] += machine.tally[OPERATIONS] - before
    asking["nanoseconds"] += machine.tally[NANOSECONDS]
    return count


@kernel
def _fails_again(loop: Loop, at: Integer) -> bool:
    """Whether the job at a place of the queue is known to fail: see `JobQueue.try_to_place`."""
    asking = loop.jobs[loop.waiting[at]]
    if asking["failed"] == loop.counters[VERSION]:
        return True
    size = loop.jobs[asking["size"]]
    return bool(at and loop.lasting and size["size_failed"] == loop.counters[RELEASES])


@kernel
def _place(loop: Loop, machine: StrategyCalls, at: Integer) -> int:
    """Try to place the job at a place of the queue: DONE, MORE if it cannot be placed now, or FAULT."""
    job = loop.waiting[at]
    if _fails_again(loop, at):
        return MORE
    count = _attempt(loop, machine, job)
    if count == WAITS:
        asking = loop.jobs[job]
        asking["failed"] = loop.counters[VERSION]
        loop.jobs[asking["size"]]["size_failed"] = loop.counters[RELEASES]
        return MORE
    if count == RESERVED:
        _machine_changed(loop)
        for side in range(6):
            loop.reservations[loop.counters[RESERVING], side] = machine.given[0, side]
        loop.counters[RESERVING] += 1
        _event(loop, RESERVE, job)
    elif not _start(loop, machine, job, count):
        return FAULT
    for n in range(at, loop.counters[WAITING] - 1):
        loop.waiting[n] = loop.waiting[n + 1]
    loop.counters[WAITING] -= 1
    return DONE


# Disciplines: each is what the class of that name does in scheduling/


@kernel
def _serve_head(loop: Loop, machine: StrategyCalls) -> int:
    """Place the first until one cannot be placed: DONE if the queue is empty, MORE, or FAULT."""
    while loop.counters[WAITING]:
        outcome = _place(loop, machine, FIRST)
        if outcome != DONE:
            return outcome
    return DONE


@kernel
def _serve_every(loop: Loop, machine: StrategyCalls) -> int:
    at = FIRST
    while at < loop.counters[WAITING] and loop.counters[FREE]:
        outcome = _place(loop, machine, at)
        if outcome == FAULT:
            return FAULT
        if outcome == MORE:
            at += 1
    return DONE


@kernel
def _make_plan(loop: Loop) -> None:
    """Plan with the machine as it is, unless the latest plan still holds."""
    now, arrived = loop.clock[NOW], loop.counters[ARRIVING]
    if loop.counters[PLANNED]:
        late = False
        if now > loop.clock[PLANNED_AT]:
            for job in range(arrived):
                late = late or (loop.jobs[job]["running"] and loop.jobs[job]["stated_end"] < now)
        if not late:
            return
    count = 0
    for job in range(arrived):
        if loop.jobs[job]["running"]:
            end = max(loop.jobs[job]["stated_end"], now)
            place = count
            while place > 0 and loop.ends[place - 1]["time"] > end:
                _set_end(loop.ends, place, loop.ends[place - 1]["time"], loop.ends[place - 1]["job"])
                place -= 1
            _set_end(loop.ends, place, end, job)
            count += 1
    loop.counters[ENDS] = count
    loop.counters[PLANS] += 1
    loop.counters[PLANNED] = 1
    loop.clock[PLANNED_AT] = now


@kernel
def _copy_state(machine: StrategyCalls) -> None:
    """Bring the spare state to where the strategy is."""
    for n in range(machine.memory.size):
        machine.spare_memory[n] = machine.memory[n]


@kernel
def _start_of(loop: Loop, machine: StrategyCalls, job: Integer) -> float:
    """When the job could start if no other did."""
    _make_plan(loop)
    plan = loop.counters[PLANS]
    asking = loop.jobs[job]
    if asking["plan_of_start"] != plan:
        asking["plan_of_start"], asking["planned_start"] = plan, np.inf
        _copy_state(machine)
        ends, count = loop.ends, loop.counters[ENDS]
        for n in range(count):
            machine.release(machine.spare, ends[n]["job"])
            more_at_once = n + 1 < count and ends[n + 1]["time"] == ends[n]["time"]
            if not more_at_once and _asked(loop, machine, machine.spare, job) != WAITS:
                asking["planned_start"] = ends[n]["time"]
                break
    return float(asking["planned_start"])


@kernel
def _allows(loop: Loop, machine: StrategyCalls, job: Integer, head: int, start: float) -> bool:
    """Whether the job can be placed now, and the head still at that time."""
    _make_plan(loop)
    plan = loop.counters[PLANS]
    asking = loop.jobs[job]
    if asking["plan_of_head"] == plan and asking["delayed_head"] == head:
        return False
    _copy_state(machine)
    allowed = _asked(loop, machine, machine.spare, job) != WAITS
    if allowed:
        for n in range(loop.counters[ENDS]):
            if loop.ends[n]["time"] <= start:
                machine.release(machine.spare, loop.ends[n]["job"])
        allowed = _asked(loop, machine, machine.spare, head) != WAITS
    if not allowed:
        asking["plan_of_head"], asking["delayed_head"] = plan, head
    return allowed


@kernel
def _serve_easy(loop: Loop, machine: StrategyCalls) -> int:
    outcome = _serve_head(loop, machine)
    if outcome == FAULT or loop.counters[WAITING] < 2:
        return outcome
    head = loop.waiting[0]
    start = _start_of(loop, machine, head)
    at = FIRST + 1
    while at < loop.counters[WAITING]:
        job = loop.waiting[at]
        outcome = MORE
        ends = loop.clock[NOW] + loop.jobs[job]["service"]
        if not _fails_again(loop, at) and (ends <= start or _allows(loop, machine, job, head, start)):
            outcome = _place(loop, machine, at)
        if outcome == FAULT:
            return FAULT
        if outcome == MORE:
            at += 1
    return DONE


@kernel
def _start_reserved(loop: Loop, machine: StrategyCalls) -> bool:
    """Start the jobs whose reserved boxes have come free; False if the strategy does not keep its word."""
    for n in range(machine.due(machine.handle, machine.jobs_due)):
        job = int(machine.jobs_due[n, 0])
        count = _attempt(loop, machine, job)
        if count < 1 or not _start(loop, machine, job, count):
            return False
    return True


# The loop


@kernel
def upcoming(loop: Loop) -> float:
    """When the next job arrives or finishes; infinity if none will."""
    arrival = loop.jobs[loop.counters[ARRIVING]]["arrival"]
    return float(min(arrival, loop.finishes[0]["time"]) if loop.counters[FINISHES] else arrival)


@kernel
def _arrive(loop: Loop, job: Integer) -> None:
    _event(loop, ARRIVE, job)
    if loop.jobs[job]["refused"]:
        _event(loop, REJECT, job)
        loop.counters[ENDED] += 1
        return
    place = loop.counters[WAITING]
    rank = loop.jobs[job]["rank"]
    while place > 0 and loop.jobs[loop.waiting[place - 1]]["rank"] > rank:
        loop.waiting[place] = loop.waiting[place - 1]
        place -= 1
    loop.waiting[place] = job
    loop.counters[WAITING] += 1


@kernel
def step(loop: Loop, machine: StrategyCalls, now: float) -> bool:
    """Do all that happens at a time; False if the strategy answered what it must not."""
    loop.clock[NOW] = now
    happened = loop.counters[EVENTS]
    loop.counters[STARTED] = 0
    while loop.counters[FINISHES] and loop.finishes[0]["time"] == now:
        _finish(loop, machine, _pop_finish(loop))
    while loop.jobs[loop.counters[ARRIVING]]["arrival"] == now:
        loop.counters[ARRIVING] += 1
        _arrive(loop, loop.counters[ARRIVING] - 1)
    if loop.counters[EVENTS] == happened:
        return True
    if loop.counters[RESERVING] and not _start_reserved(loop, machine):
        return False
    if loop.serving == HEAD:
        return _serve_head(loop, machine) != FAULT
    if loop.serving == EVERY:
        return _serve_every(loop, machine) != FAULT
    return _serve_easy(loop, machine) != FAULT


@kernel
def advance(loop: Loop, machine: StrategyCalls, most_events: int) -> int:
    """Go on until this many events have happened, or until the end: how far that is."""
    loop, machine = borrowed(loop), borrowed(machine)
    while True:
        now = upcoming(loop)
        if now == np.inf:
            return DONE
        if loop.counters[EVENTS] >= most_events or loop.counters[STOPPED]:
            return MORE
        if loop.counters[BOXES] + loop.occupied.size > loop.boxes.shape[0]:  # each holds a processor
            return ROOM
        if not step(loop, machine, now):
            return FAULT
