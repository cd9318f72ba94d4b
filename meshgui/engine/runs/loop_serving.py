"""How the queue is served in the event loop: the ways of `Serving`."""

from __future__ import annotations

from meshgui.engine.allocation.kernel_strategy import RESERVED, WAITS
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind, Serving
from meshgui.engine.runs.loop_jobs import attempt, may_attempt, note_fault, reserve, start
from meshgui.engine.runs.loop_plans import allows, forget_starts, keep_schedule, start_of
from meshgui.engine.runs.loop_queue import head, leave, waiting_jobs
from meshgui.engine.runs.loop_state import (
    AnswerFault,
    Clock,
    Count,
    HowFar,
    Integer,
    Loop,
    LoopQuestion,
    StrategyCalls,
)
from meshgui.engine.runs.recording import NEVER


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
def _serve_conservative(loop: Loop, machine: StrategyCalls) -> HowFar:
    """Start the jobs whose planned start is now."""
    if not keep_schedule(loop, machine):
        return HowFar.FAULT
    number = 0
    while number < waiting_jobs(loop):
        job = loop.waiting[loop.counters[Count.FIRST_WAITING] + number]
        if loop.plans[job]["scheduled_start"] == loop.clock[Clock.NOW]:
            number = _offer(loop, machine, number)
            if number < 0:
                return HowFar.FAULT
        else:
            number += 1
    forget_starts(loop)
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
    if serving == Serving.CONSERVATIVE:
        return _serve_conservative(loop, machine)
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
