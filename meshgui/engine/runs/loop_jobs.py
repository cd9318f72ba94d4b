"""What happens to a job in the event loop, as it is recorded: attempts, starts, reservations, finishes.

What a strategy answers is checked here: where anything is wrong the loop stops, and says what.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.feedback import report
from meshgui.engine.allocation.kernel_strategy import ATTEMPTS, NANOSECONDS, OPERATIONS, RESERVED, WAITS
from meshgui.engine.basics.entry_points import Handle
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind
from meshgui.engine.runs.loop_queue import push_finish
from meshgui.engine.runs.loop_state import (
    OCCUPIED,
    VACANT,
    AnswerFault,
    Clock,
    Count,
    HowFar,
    Integer,
    Loop,
    StrategyCalls,
)


@kernel
def add_event(loop: Loop, kind: Integer, job: Integer) -> None:
    """Record what happens to a job now."""
    n = loop.counters[Count.EVENTS]
    loop.times[n], loop.kinds[n], loop.event_jobs[n] = loop.clock[Clock.NOW], kind, job
    loop.jobs[job]["positions"][kind] = n
    loop.counters[Count.EVENTS] += 1


@kernel
def machine_changed(loop: Loop) -> None:
    """Discard what holds for the machine as it was: failed attempts and plans."""
    loop.counters[Count.VERSION] += 1
    loop.counters[Count.PLANNED] = 0
    loop.counters[Count.SCHEDULED] = 0


@kernel
def note_fault(loop: Loop, fault: Integer, job: Integer) -> HowFar:
    """Note what is wrong with a strategy's answer."""
    loop.counters[Count.FAULT], loop.counters[Count.FAULTY_JOB] = fault, job
    loop.counters[Count.STOPPED] = 1
    return HowFar.FAULT


@kernel
def _mark(loop: Loop, x: int, y: int, z: int, w: int, d: int, h: int, held: np.bool_) -> int:
    """Mark a box as held or free: what is wrong where it is not inside the mesh, or so already in a part."""
    if not _is_inside(loop, x, y, z, w, d, h):
        return AnswerFault.OUTSIDE
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                if loop.occupied[k, j, i] == held:
                    return AnswerFault.HELD
                loop.occupied[k, j, i] = held
    return AnswerFault.NONE


@kernel
def _is_inside(loop: Loop, x: int, y: int, z: int, w: int, d: int, h: int) -> bool:
    height, depth, width = loop.occupied.shape
    return bool(
        min(x, y, z) >= 0 and min(w, d, h) > 0 and x + w <= width and y + d <= depth and z + h <= height
    )


@kernel
def processors_asked(loop: Loop, job: Integer) -> int:
    """How many processors a job asks for."""
    size = loop.sizes[loop.jobs[job]["size"]]
    return int(size["w"]) * int(size["d"]) * int(size["h"])


@kernel
def start(loop: Loop, machine: StrategyCalls, job: Integer, count: int) -> HowFar:
    """Record the start of a job: DONE, or FAULT if its boxes are not free, or too few."""
    machine_changed(loop)
    first = loop.counters[Count.BOXES]
    held = 0
    if count < 1 or count > machine.boxes_out.shape[0]:
        loop.counters[Count.FAULTY_BOX] = count
        return note_fault(loop, AnswerFault.COUNT, job)
    for n in range(count):
        box = machine.boxes_out[n]
        w, d, h = int(box[3]), int(box[4]), int(box[5])
        wrong = _mark(loop, int(box[0]), int(box[1]), int(box[2]), w, d, h, OCCUPIED)
        if wrong != AnswerFault.NONE:
            loop.counters[Count.FAULTY_BOX] = n
            return note_fault(loop, wrong, job)
        for side in range(6):
            loop.boxes[first + n, side] = box[side]
        held += w * d * h
    started = loop.jobs[job]
    if held < processors_asked(loop, job):
        return note_fault(loop, AnswerFault.FEW, job)
    loop.counters[Count.BOXES] += count
    loop.counters[Count.FREE] -= held
    started["first_box"], started["box_count"] = first, count
    started["part_attempts"] = machine.tally[ATTEMPTS]
    add_event(loop, EventKind.START, job)
    if loop.plans.size:
        loop.plans[job]["stated_end"] = loop.clock[Clock.NOW] + started["service"]
    started["place"] = loop.counters[Count.RUNNING]
    loop.running[loop.counters[Count.RUNNING]] = job
    loop.counters[Count.RUNNING] += 1
    if not loop.networked:
        push_finish(loop, loop.clock[Clock.NOW] + loop.durations[job], job)
    loop.started[loop.counters[Count.STARTED]] = job
    loop.counters[Count.STARTED] += 1
    return HowFar.DONE


@kernel
def finish(loop: Loop, machine: StrategyCalls, job: Integer) -> None:
    """Have a job leave, and record it."""
    before = machine.tally[OPERATIONS]
    if machine.feedback.size:
        leaving, now = loop.jobs[job], loop.clock[Clock.NOW]
        started = loop.times[leaving["positions"][EventKind.START]]
        turnaround, service = now - leaving["arrival"], now - started
        report(machine.feedback, now, turnaround, service, loop.means[job, 0], loop.means[job, 1])
    machine.release(machine.handle, job)
    if loop.counters[Count.STOPPED]:
        return
    machine_changed(loop)
    loop.counters[Count.RELEASES] += 1
    finished = loop.jobs[job]
    finished["operations"] += machine.tally[OPERATIONS] - before
    finished["nanoseconds"] += machine.tally[NANOSECONDS]
    for n in range(finished["first_box"], finished["first_box"] + finished["box_count"]):
        box = loop.boxes[n]
        w, d, h = int(box[3]), int(box[4]), int(box[5])
        _mark(loop, int(box[0]), int(box[1]), int(box[2]), w, d, h, VACANT)
        loop.counters[Count.FREE] += w * d * h
    add_event(loop, EventKind.FINISH, job)
    stop_running(loop, job)
    loop.counters[Count.ENDED] += 1


@kernel
def stop_running(loop: Loop, job: Integer) -> None:
    """Take a job out of those that run: the last of them has its place."""
    loop.counters[Count.RUNNING] -= 1
    last, place = loop.running[loop.counters[Count.RUNNING]], loop.jobs[job]["place"]
    loop.running[place] = last
    loop.jobs[last]["place"] = place


@kernel
def ask_strategy(loop: Loop, machine: StrategyCalls, handle: Handle, job: Integer) -> int:
    """What the strategy answers to a job's request."""
    size = loop.sizes[loop.jobs[job]["size"]]
    w, d, h = int(size["w"]), int(size["d"]), int(size["h"])
    now, service = loop.clock[Clock.NOW], loop.jobs[job]["service"]
    return int(machine.allocate(handle, job, w, d, h, now, service, loop.seed, machine.boxes_room))


@kernel
def attempt(loop: Loop, machine: StrategyCalls, job: Integer) -> int:
    """Have the strategy try to place a job, at the job's cost: what it answers."""
    before = machine.tally[OPERATIONS]
    count = ask_strategy(loop, machine, machine.handle, job)
    if loop.counters[Count.STOPPED]:
        return WAITS
    asking = loop.jobs[job]
    asking["attempts"] += 1
    asking["operations"] += machine.tally[OPERATIONS] - before
    asking["nanoseconds"] += machine.tally[NANOSECONDS]
    if loop.recording:
        attempt = loop.attempts[loop.counters[Count.ATTEMPTED]]
        attempt[0], attempt[1] = loop.counters[Count.EVENTS], job
        if count > 0:
            attempt[2] = AttemptOutcome.PLACED
        else:
            attempt[2] = AttemptOutcome.RESERVED if count == RESERVED else AttemptOutcome.WAITS
        loop.counters[Count.ATTEMPTED] += 1
    return count


@kernel
def may_attempt(loop: Loop, job: Integer) -> bool:
    """Whether an attempt is wanted, and has room."""
    if loop.recording and loop.counters[Count.ATTEMPTED] == loop.attempts.shape[0]:
        note_fault(loop, AnswerFault.ATTEMPTS, job)
        return False
    return not loop.counters[Count.STOPPED]


@kernel
def reserve(loop: Loop, machine: StrategyCalls, job: Integer) -> HowFar:
    """Record a reservation: DONE, or FAULT if its box is not inside the mesh."""
    box = machine.boxes_out[0]
    x, y, z, w, d, h = box[0], box[1], box[2], box[3], box[4], box[5]
    if not _is_inside(loop, int(x), int(y), int(z), int(w), int(d), int(h)):
        loop.counters[Count.FAULTY_BOX] = 0
        return note_fault(loop, AnswerFault.OUTSIDE, job)
    machine_changed(loop)
    for side in range(6):
        loop.reservations[loop.counters[Count.RESERVING], side] = box[side]
    loop.counters[Count.RESERVING] += 1
    loop.counters[Count.RESERVED] += 1
    add_event(loop, EventKind.RESERVE, job)
    return HowFar.DONE
