"""How the queue is served in the event loop: the ways of `Serving`, and the plans of EASY."""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.kernel_strategy import RESERVED, WAITS
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind, Serving
from meshgui.engine.runs.loop_jobs import asked, attempt, may_attempt, note_fault, reserve, start
from meshgui.engine.runs.loop_queue import comes_before, head, leave, set_end, waiting_jobs
from meshgui.engine.runs.loop_state import (
    NEVER,
    AnswerFault,
    Clock,
    Count,
    HowFar,
    Integer,
    Loop,
    LoopQuestion,
    StrategyCalls,
)


@kernel
def _fails_again(loop: Loop, at: Integer, job: int) -> bool:
    """Whether the job at a place of the queue is known to fail: see `QueueView.try_to_place`."""
    asking = loop.jobs[job]
    if asking["failed"] == loop.counters[Count.VERSION]:
        return True
    behind = at != loop.counters[Count.FIRST_WAITING]
    failed = loop.sizes[asking["size"]]["failed"]
    return bool(behind and loop.lasting and failed == loop.counters[Count.RELEASES])


@kernel
def place(loop: Loop, machine: StrategyCalls, at: Integer, job: int) -> HowFar:
    """Try to place the job at a place of the queue: DONE, MORE if it cannot be placed now, or FAULT."""
    asking = loop.jobs[job]
    if _fails_again(loop, at, job):
        asking["failed"] = loop.counters[Count.VERSION]
        return HowFar.MORE
    if not may_attempt(loop, job):
        return HowFar.FAULT
    count = attempt(loop, machine, job)
    if loop.counters[Count.STOPPED]:
        return HowFar.FAULT
    if count == WAITS:
        asking["failed"] = loop.counters[Count.VERSION]
        loop.sizes[asking["size"]]["failed"] = loop.counters[Count.RELEASES]
        return HowFar.MORE
    outcome = reserve(loop, machine, job) if count == RESERVED else start(loop, machine, job, count)
    if outcome == HowFar.DONE:
        leave(loop, at)
    return outcome


@kernel
def _serve_head(loop: Loop, machine: StrategyCalls) -> HowFar:
    """Place the first until one cannot be placed: DONE if the queue is empty, MORE, or FAULT."""
    while waiting_jobs(loop):
        outcome = place(loop, machine, loop.counters[Count.FIRST_WAITING], head(loop))
        if outcome != HowFar.DONE:
            return outcome
    return HowFar.DONE


@kernel
def _offer(loop: Loop, machine: StrategyCalls, number: int) -> int:
    """Offer the waiting job with a number from 0: the number of the next to be offered; -1 for a fault."""
    at = loop.counters[Count.FIRST_WAITING] + number
    outcome = place(loop, machine, at, int(loop.waiting[at]))
    if outcome == HowFar.FAULT:
        return -1
    return number if outcome == HowFar.DONE else number + 1


@kernel
def _serve_every(loop: Loop, machine: StrategyCalls) -> HowFar:
    number = 0
    while number < waiting_jobs(loop) and loop.counters[Count.FREE]:
        number = _offer(loop, machine, number)
        if number < 0:
            return HowFar.FAULT
    return HowFar.DONE


@kernel
def _make_plan(loop: Loop) -> None:
    """Plan with the machine as it is, unless the latest plan holds: while a job is late, at one time only."""
    now, running = loop.clock[Clock.NOW], loop.counters[Count.RUNNING]
    if loop.counters[Count.PLANNED]:
        late = False
        if now > loop.clock[Clock.PLANNED_AT]:
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
    loop.counters[Count.ENDS] = running
    loop.counters[Count.PLANS] += 1
    loop.counters[Count.PLANNED] = 1
    loop.clock[Clock.PLANNED_AT] = now


@kernel
def _copy_state(machine: StrategyCalls) -> None:
    """Bring the spare state to where the strategy is."""
    if machine.memory.size == 0:
        machine.ask(LoopQuestion.COPY, 0)
    for n in range(machine.memory.size):
        machine.spare_memory[n] = machine.memory[n]


@kernel
def start_of(loop: Loop, machine: StrategyCalls, job: Integer) -> float:
    """When the job could start if no other did."""
    _make_plan(loop)
    plan = loop.counters[Count.PLANS]
    asking = loop.jobs[job]
    if asking["plan_of_start"] != plan:
        asking["plan_of_start"], asking["planned_start"] = plan, np.inf
        _copy_state(machine)
        ends, count = loop.ends, loop.counters[Count.ENDS]
        for n in range(count):
            machine.release(machine.spare, ends[n]["job"])
            more_at_once = n + 1 < count and ends[n + 1]["time"] == ends[n]["time"]
            if not more_at_once and asked(loop, machine, machine.spare, job) != WAITS:
                asking["planned_start"] = ends[n]["time"]
                break
    return float(asking["planned_start"])


@kernel
def allows(loop: Loop, machine: StrategyCalls, job: Integer, first: int, start: float) -> bool:
    """Whether the job can be placed now, and the first of the queue still at that time."""
    _make_plan(loop)
    plan = loop.counters[Count.PLANS]
    asking = loop.jobs[job]
    size = loop.sizes[asking["size"]]
    if loop.sized and size["plan_of_head"] == plan and size["delayed_head"] == first:
        return False
    if asking["plan_of_head"] == plan and asking["delayed_head"] == first:
        return False
    _copy_state(machine)
    allowed = asked(loop, machine, machine.spare, job) != WAITS
    if allowed:
        for n in range(loop.counters[Count.ENDS]):
            if loop.ends[n]["time"] <= start:
                machine.release(machine.spare, loop.ends[n]["job"])
        allowed = asked(loop, machine, machine.spare, first) != WAITS
    if not allowed:
        size["plan_of_head"], size["delayed_head"] = plan, first
        asking["plan_of_head"], asking["delayed_head"] = plan, first
    return allowed


@kernel
def _serve_easy(loop: Loop, machine: StrategyCalls) -> HowFar:
    outcome = _serve_head(loop, machine)
    if outcome == HowFar.FAULT or waiting_jobs(loop) < 2:
        return outcome
    first = int(loop.waiting[loop.counters[Count.FIRST_WAITING]])
    start = start_of(loop, machine, first)
    number = 1
    while number < waiting_jobs(loop):
        at = loop.counters[Count.FIRST_WAITING] + number
        job = int(loop.waiting[at])
        in_time = loop.clock[Clock.NOW] + loop.jobs[job]["service"] <= start
        if not _fails_again(loop, at, job) and (in_time or allows(loop, machine, job, first, start)):
            number = _offer(loop, machine, number)
            if number < 0:
                return HowFar.FAULT
        else:
            number += 1
    return HowFar.DONE


@kernel
def serve(loop: Loop, machine: StrategyCalls, serving: Integer) -> HowFar:
    """Offer waiting jobs to the allocator: FAULT, or any other value."""
    if serving == Serving.HEAD:
        return _serve_head(loop, machine)
    if serving == Serving.EVERY:
        return _serve_every(loop, machine)
    if serving == Serving.EASY:
        return _serve_easy(loop, machine)
    if waiting_jobs(loop):
        machine.ask(LoopQuestion.SERVE, 0)
    return HowFar.FAULT if loop.counters[Count.STOPPED] else HowFar.DONE


@kernel
def start_reserved(loop: Loop, machine: StrategyCalls) -> HowFar:
    """Start the jobs whose reserved boxes are free: DONE, or FAULT if the strategy does not keep its word."""
    called = min(machine.due(machine.handle, machine.due_room), machine.jobs_due.shape[0])
    for n in range(called):
        job = int(machine.jobs_due[n, 0])
        loop.counters[Count.FAULTY_BOX] = called
        if job < 0 or job >= loop.jobs.size - 1:
            return note_fault(loop, AnswerFault.NOT_RESERVED, job)
        positions = loop.jobs[job]["positions"]
        if positions[EventKind.RESERVE] == NEVER or positions[EventKind.START] != NEVER:
            return note_fault(loop, AnswerFault.NOT_RESERVED, job)
        if not may_attempt(loop, job):
            return HowFar.FAULT
        count = attempt(loop, machine, job)
        if count < 1:
            return note_fault(loop, AnswerFault.NOT_GIVEN, job)
        loop.counters[Count.RESERVED] -= 1
        if start(loop, machine, job, count) == HowFar.FAULT:
            return HowFar.FAULT
    return HowFar.DONE
