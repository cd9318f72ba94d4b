"""The event loop, compiled: at one time finishes, failures and repairs, arrivals, starts; to the last end.

It calls a strategy's own kernels, or a strategy in plain Python, by their addresses, and records as it goes.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.basics.entry_points import STATE, Handle, borrowed, opened
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind, Serving
from meshgui.engine.runs.loop_jobs import add_event, finish
from meshgui.engine.runs.loop_plans import allows, start_of
from meshgui.engine.runs.loop_queue import join, pop_finish, waiting_jobs
from meshgui.engine.runs.loop_serving import place, serve, start_reserved
from meshgui.engine.runs.loop_state import Clock, Count, HowFar, Integer, Loop, LoopQuestion, StrategyCalls


@kernel
def upcoming(loop: Loop) -> float:
    """When the next job arrives, finishes or is moved, or something fails; infinity if nothing will."""
    if loop.failing and loop.counters[Count.ENDED] == loop.jobs.size - 1:
        return float(np.inf)  # it could go on to fail for ever
    time = min(loop.jobs[loop.counters[Count.ARRIVING]]["arrival"], loop.clock[Clock.NEXT_MOVE])
    time = min(time, loop.clock[Clock.NEXT_CHANGE])
    return float(min(time, loop.finishes[0]["time"]) if loop.counters[Count.FINISHES] else time)


@kernel
def _arrive(loop: Loop, machine: StrategyCalls, job: Integer) -> None:
    add_event(loop, EventKind.ARRIVE, job)
    if loop.sizes[loop.jobs[job]["size"]]["refused"]:
        add_event(loop, EventKind.REJECT, job)
        loop.counters[Count.ENDED] += 1
        return
    if not waiting_jobs(loop):
        loop.counters[Count.REORDERED] = 0
    if loop.counters[Count.REORDERED]:
        machine.ask(LoopQuestion.JOIN, job)
    else:
        join(loop, job)


@kernel
def events_at_once(loop: Loop) -> int:
    """The most events at one time where processors fail: all jobs may leave, be hit and start."""
    return int(waiting_jobs(loop) + 2 * loop.crowd + 3 * loop.occupied.size + loop.failing)


@kernel
def has_room(loop: Loop) -> bool:
    """Whether the boxes and the attempts of the next time have room."""
    counters = loop.counters
    held = loop.occupied.size  # each box, each job that starts and each reservation has a processor
    tried = held if loop.serving == Serving.HEAD else waiting_jobs(loop) + loop.crowd
    if counters[Count.BOXES] + held > loop.boxes.shape[0]:
        return False
    if loop.failing and counters[Count.EVENTS] + events_at_once(loop) > loop.times.size:
        return False
    if not loop.recording:
        return True
    fits = counters[Count.ATTEMPTED] + tried + held + 1 <= loop.attempts.shape[0]
    return bool(fits and counters[Count.FRAMES] < loop.frames.shape[0])


@kernel
def keep_frame(loop: Loop, machine: StrategyCalls) -> None:
    """Keep the strategy's state, if a key frame is due."""
    counters = loop.counters
    if not loop.recording or counters[Count.EVENTS] < counters[Count.NEXT_FRAME]:
        return
    if machine.memory.size == 0:
        machine.ask(LoopQuestion.FRAME, counters[Count.EVENTS])
        return
    frame = loop.frames[counters[Count.FRAMES]]
    for n in range(machine.memory.size):
        frame[n] = machine.memory[n]
    loop.frame_positions[counters[Count.FRAMES]] = counters[Count.EVENTS]
    counters[Count.FRAMES] += 1
    counters[Count.NEXT_FRAME] = counters[Count.EVENTS] + counters[Count.FRAME_EVERY]


@kernel
def step(loop: Loop, machine: StrategyCalls, now: float) -> HowFar:
    """Do all that happens at a time: FAULT if something is wrong, else any other value."""
    loop.clock[Clock.NOW] = now
    counters = loop.counters
    happened = counters[Count.EVENTS]
    counters[Count.STARTED] = 0
    while counters[Count.FINISHES] and loop.finishes[0]["time"] == now:
        finish(loop, machine, pop_finish(loop))
        if counters[Count.STOPPED]:
            return HowFar.FAULT
    if loop.clock[Clock.NEXT_CHANGE] == now:
        machine.ask(LoopQuestion.CHANGE, 0)
        if counters[Count.STOPPED]:
            return HowFar.FAULT
    while loop.jobs[counters[Count.ARRIVING]]["arrival"] == now:
        counters[Count.ARRIVING] += 1
        _arrive(loop, machine, counters[Count.ARRIVING] - 1)
    if loop.clock[Clock.NEXT_MOVE] == now:
        machine.ask(LoopQuestion.MOVE, 0)
    if counters[Count.STOPPED]:
        return HowFar.FAULT
    if counters[Count.EVENTS] == happened:
        return HowFar.MORE  # no move was possible: nothing has changed, so nothing is tried
    if counters[Count.RESERVED] and start_reserved(loop, machine) == HowFar.FAULT:
        return HowFar.FAULT
    outcome = serve(loop, machine, loop.serving)
    if outcome != HowFar.FAULT:
        keep_frame(loop, machine)
    return outcome


@kernel
def advance(loop: Loop, machine: StrategyCalls, most_events: int, most_times: int) -> HowFar:
    """Go on by a number of events or of times at which some happen, or to the end: how far that is."""
    loop, machine = borrowed(loop), borrowed(machine)
    most = loop.counters[Count.EVENTS] + most_events
    for _ in range(most_times):
        now = upcoming(loop)
        if now == np.inf:
            return HowFar.DONE
        if loop.counters[Count.EVENTS] >= most or loop.counters[Count.STOPPED]:
            return HowFar.MORE
        if not has_room(loop):
            return HowFar.ROOM
        if step(loop, machine, now) == HowFar.FAULT:
            return HowFar.FAULT
    return HowFar.MORE


# Templates of what Python calls, which is given a handle: to hand on all arrays takes much longer


@kernel
def enter_advance(handle: Handle, most_events: int, most_times: int) -> int:
    """See `advance`."""
    running = opened(handle, STATE)
    return advance(running.loop, running.machine, most_events, most_times)


@kernel
def enter_place(handle: Handle, at: int, job: int) -> int:
    """See `place`."""
    running = opened(handle, STATE)
    return place(borrowed(running.loop), borrowed(running.machine), at, job)


@kernel
def enter_serve(handle: Handle, serving: int) -> int:
    """See `serve`."""
    running = opened(handle, STATE)
    return serve(borrowed(running.loop), borrowed(running.machine), serving)


@kernel
def enter_start_of(handle: Handle, job: int) -> float:
    """See `start_of`."""
    running = opened(handle, STATE)
    return start_of(borrowed(running.loop), borrowed(running.machine), job)


@kernel
def enter_allows(handle: Handle, job: int, first: int, start: float) -> int:
    """See `allows`."""
    running = opened(handle, STATE)
    return allows(borrowed(running.loop), borrowed(running.machine), job, first, start)
