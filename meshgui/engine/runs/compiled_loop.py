"""The event loop in one kernel.

It does what `Simulation` does, its twin, with the strategy's own kernels called from compiled code: at one
time finishes, then arrivals, then starts. What the strategy answers is checked here, too; where anything is
wrong the kernel stops, and the run is made again by its twin, which says what is wrong.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.kernel_strategy import ATTEMPTS, NANOSECONDS, OPERATIONS, RESERVED, WAITS
from meshgui.engine.basics.entry_points import Handle, borrowed
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.audit import is_inside, mark
from meshgui.engine.runs.loop_queue import (
    comes_before,
    head,
    join,
    leave,
    pop_finish,
    push_finish,
    set_end,
    waiting_jobs,
)
from meshgui.engine.runs.loop_state import (
    ARRIVE,
    ARRIVING,
    ATTEMPTED,
    BOXES,
    DONE,
    ENDED,
    ENDS,
    EVENTS,
    EVERY,
    FAILED,
    FAULT,
    FINISH,
    FINISHES,
    FIRST_WAITING,
    FRAMES,
    FREE,
    HEAD,
    MORE,
    NEVER,
    NEXT_FRAME,
    NOW,
    OCCUPIED,
    PLACED,
    PLANNED,
    PLANNED_AT,
    PLANS,
    PROMISED,
    REJECT,
    RELEASES,
    RESERVE,
    RESERVING,
    ROOM,
    RUNNING,
    START,
    STARTED,
    STOPPED,
    VACANT,
    VERSION,
    Integer,
    Loop,
    StrategyCalls,
)

__all__ = ["advance", "has_room", "keep_frame", "step", "upcoming"]

BEYOND: Final = -2
"""In place of a number of boxes: more attempts at one time than a strategy that keeps its word gets."""


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
    """Record the start of a job; False if its boxes are not free, are too few, or more than there is room."""
    if count > machine.given.shape[0]:
        return False
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
    started["place"] = loop.counters[RUNNING]
    loop.running[loop.counters[RUNNING]] = job
    loop.counters[RUNNING] += 1
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
    loop.counters[RUNNING] -= 1
    last = loop.running[loop.counters[RUNNING]]
    loop.running[finished["place"]] = last
    loop.jobs[last]["place"] = finished["place"]
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
    """Have the strategy try to place a job, at the job's cost: what it answers, or BEYOND."""
    if loop.recording and loop.counters[ATTEMPTED] == loop.attempts.shape[0]:
        return BEYOND
    before = machine.tally[OPERATIONS]
    count = _asked(loop, machine, machine.handle, job)
    asking = loop.jobs[job]
    asking["attempts"] += 1
    asking["operations"] += machine.tally[OPERATIONS] - before
    asking["nanoseconds"] += machine.tally[NANOSECONDS]
    if loop.recording:
        attempt = loop.attempts[loop.counters[ATTEMPTED]]
        attempt[0], attempt[1] = loop.counters[EVENTS], job
        attempt[2] = PLACED if count > 0 else PROMISED if count == RESERVED else FAILED
        loop.counters[ATTEMPTED] += 1
    return count


@kernel
def _fails_again(loop: Loop, at: Integer, job: int) -> bool:
    """Whether the job at a place of the queue is known to fail: see `JobQueue.try_to_place`."""
    asking = loop.jobs[job]
    if asking["failed"] == loop.counters[VERSION]:
        return True
    size = loop.jobs[asking["size"]]
    behind = at != loop.counters[FIRST_WAITING]
    return bool(behind and loop.lasting and size["size_failed"] == loop.counters[RELEASES])


@kernel
def _reserve(loop: Loop, machine: StrategyCalls, job: int) -> bool:
    """Record the promise of a box; False if it is not inside the mesh."""
    x, y, z, w, d, h = machine.given[0]
    if not is_inside(loop.occupied, x, y, z, w, d, h):
        return False
    _machine_changed(loop)
    for side in range(6):
        loop.reservations[loop.counters[RESERVING], side] = machine.given[0, side]
    loop.counters[RESERVING] += 1
    _event(loop, RESERVE, job)
    return True


@kernel
def _place(loop: Loop, machine: StrategyCalls, at: Integer, job: int) -> int:
    """Try to place the job at a place of the queue: DONE, MORE if it cannot be placed now, or FAULT."""
    if _fails_again(loop, at, job):
        return MORE
    if loop.counters[STOPPED]:
        return FAULT
    count = _attempt(loop, machine, job)
    if count == WAITS:
        asking = loop.jobs[job]
        asking["failed"] = loop.counters[VERSION]
        loop.jobs[asking["size"]]["size_failed"] = loop.counters[RELEASES]
        return MORE
    if count == RESERVED:
        if not _reserve(loop, machine, job):
            return FAULT
    elif not _start(loop, machine, job, count):
        return FAULT
    leave(loop, at)
    return DONE


# Disciplines: each is what the class of that name does in scheduling/


@kernel
def _serve_head(loop: Loop, machine: StrategyCalls) -> int:
    """Place the first until one cannot be placed: DONE if the queue is empty, MORE, or FAULT."""
    while waiting_jobs(loop):
        outcome = _place(loop, machine, loop.counters[FIRST_WAITING], head(loop))
        if outcome != DONE:
            return outcome
    return DONE


@kernel
def _offer(loop: Loop, machine: StrategyCalls, number: int) -> int:
    """Offer the waiting job with a number from 0: the number of the next to be offered; or FAULT as -1."""
    at = loop.counters[FIRST_WAITING] + number
    outcome = _place(loop, machine, at, int(loop.waiting[at]))
    if outcome == FAULT:
        return -1
    return number if outcome == DONE else number + 1


@kernel
def _serve_every(loop: Loop, machine: StrategyCalls) -> int:
    number = 0
    while number < waiting_jobs(loop) and loop.counters[FREE]:
        number = _offer(loop, machine, number)
        if number < 0:
            return FAULT
    return DONE


@kernel
def _make_plan(loop: Loop) -> None:
    """Plan with the machine as it is, unless the latest plan still holds."""
    now, running = loop.clock[NOW], loop.counters[RUNNING]
    if loop.counters[PLANNED]:
        late = False
        if now > loop.clock[PLANNED_AT]:
            for n in range(running):
                late = late or loop.jobs[loop.running[n]]["stated_end"] < now
        if not late:
            return
    for n in range(running):
        job = loop.running[n]
        place = n
        set_end(loop.ends, place, max(loop.jobs[job]["stated_end"], now), job)
        while place > 0 and comes_before(loop.ends[place], loop.ends[place - 1]):
            time, other = loop.ends[place]["time"], loop.ends[place]["job"]
            set_end(loop.ends, place, loop.ends[place - 1]["time"], loop.ends[place - 1]["job"])
            set_end(loop.ends, place - 1, time, other)
            place -= 1
    loop.counters[ENDS] = running
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
def _allows(loop: Loop, machine: StrategyCalls, job: Integer, first: int, start: float) -> bool:
    """Whether the job can be placed now, and the first of the queue still at that time."""
    _make_plan(loop)
    plan = loop.counters[PLANS]
    known = loop.jobs[loop.jobs[job]["size"] if loop.sized else job]
    if known["plan_of_head"] == plan and known["delayed_head"] == first:
        return False
    _copy_state(machine)
    allowed = _asked(loop, machine, machine.spare, job) != WAITS
    if allowed:
        for n in range(loop.counters[ENDS]):
            if loop.ends[n]["time"] <= start:
                machine.release(machine.spare, loop.ends[n]["job"])
        allowed = _asked(loop, machine, machine.spare, first) != WAITS
    if not allowed:
        known["plan_of_head"], known["delayed_head"] = plan, first
    return allowed


@kernel
def _serve_easy(loop: Loop, machine: StrategyCalls) -> int:
    outcome = _serve_head(loop, machine)
    if outcome == FAULT or waiting_jobs(loop) < 2:
        return outcome
    first = int(loop.waiting[loop.counters[FIRST_WAITING]])
    start = _start_of(loop, machine, first)
    number = 1
    while number < waiting_jobs(loop):
        at = loop.counters[FIRST_WAITING] + number
        job = int(loop.waiting[at])
        in_time = loop.clock[NOW] + loop.jobs[job]["service"] <= start
        if not _fails_again(loop, at, job) and (in_time or _allows(loop, machine, job, first, start)):
            number = _offer(loop, machine, number)
            if number < 0:
                return FAULT
        else:
            number += 1
    return DONE


@kernel
def _is_reserved(loop: Loop, job: int) -> bool:
    """Whether the number is that of a job that waits for its reserved box."""
    if job < 0 or job >= loop.jobs.shape[0] - 1:
        return False
    positions = loop.jobs[job]["positions"]
    return bool(positions[RESERVE] != NEVER and positions[START] == NEVER)


@kernel
def _start_reserved(loop: Loop, machine: StrategyCalls) -> bool:
    """Start the jobs whose reserved boxes are free; False if the strategy does not keep its word."""
    count = machine.due(machine.handle, machine.jobs_due)
    if count > machine.jobs_due.shape[0]:
        return False
    for n in range(count):
        job = int(machine.jobs_due[n, 0])
        if not _is_reserved(loop, job):
            return False
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
    join(loop, job)


@kernel
def has_room(loop: Loop) -> bool:
    """Whether the boxes and the attempts of the next time have room."""
    counters = loop.counters
    held = loop.occupied.size  # each box, each job that starts and each reservation has a processor
    tried = held if loop.serving == HEAD else waiting_jobs(loop) + loop.crowd
    if counters[BOXES] + held > loop.boxes.shape[0]:
        return False
    if not loop.recording:
        return True
    fits = counters[ATTEMPTED] + tried + held + 1 <= loop.attempts.shape[0]
    return bool(fits and counters[FRAMES] < loop.frames.shape[0])


@kernel
def keep_frame(loop: Loop, machine: StrategyCalls) -> None:
    """Keep the strategy's state, if a key frame is due."""
    counters = loop.counters
    if not loop.recording or counters[EVENTS] < counters[NEXT_FRAME]:
        return
    frame = loop.frames[counters[FRAMES]]
    for n in range(machine.memory.size):
        frame[n] = machine.memory[n]
    loop.frame_positions[counters[FRAMES]] = counters[EVENTS]
    counters[FRAMES] += 1
    counters[NEXT_FRAME] = counters[EVENTS] + loop.frame_every


@kernel
def step(loop: Loop, machine: StrategyCalls, now: float) -> bool:
    """Do all that happens at a time; False if the strategy answered what it must not."""
    loop.clock[NOW] = now
    happened = loop.counters[EVENTS]
    loop.counters[STARTED] = 0
    while loop.counters[FINISHES] and loop.finishes[0]["time"] == now:
        _finish(loop, machine, pop_finish(loop))
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
    """Go on until a number of events have happened, or until the end: how far that is."""
    loop, machine = borrowed(loop), borrowed(machine)
    while True:
        now = upcoming(loop)
        if now == np.inf:
            return DONE
        if loop.counters[EVENTS] >= most_events or loop.counters[STOPPED]:
            return MORE
        if not has_room(loop):
            return ROOM
        if not step(loop, machine, now):
            return FAULT
        keep_frame(loop, machine)
