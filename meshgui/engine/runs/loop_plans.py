"""Plans of the event loop: of EASY for the head of the queue, and of conservative backfilling for every job.

Both play the machine forward on a copy of the strategy. EASY's plan holds until the machine changes, the
schedule of conservative backfilling until a job leaves.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.kernel_strategy import WAITS
from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.loop_jobs import ask_strategy, processors_asked
from meshgui.engine.runs.loop_queue import comes_before, set_end, waiting_jobs
from meshgui.engine.runs.loop_state import Clock, Count, Integer, Loop, LoopQuestion, StrategyCalls

_NOT_MADE: Final = np.iinfo(np.int64).min
"""In place of a number of processors: a start that the strategy does not make."""
_KEPT_BYTES: Final = 1 << 26


# The plan of EASY


@kernel
def _make_plan(loop: Loop) -> None:
    """Plan with the machine as it is, unless the latest plan holds: while a job is late, at one time only."""
    now, running = loop.clock[Clock.NOW], loop.counters[Count.RUNNING]
    if loop.counters[Count.PLANNED]:
        late = False
        if now > loop.clock[Clock.PLANNED_AT]:
            for n in range(running):
                late = late or loop.plans[loop.running[n]]["stated_end"] < now
        if not late:
            return
    for n in range(running):
        job = loop.running[n]
        place = n
        set_end(loop.ends, place, max(loop.plans[job]["stated_end"], now), job)
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
def _copy_bytes(source: NDArray[np.uint8], target: NDArray[np.uint8]) -> None:
    for n in range(source.size):
        target[n] = source[n]


@kernel
def _copy_state(machine: StrategyCalls) -> None:
    """Bring the planning state to where the strategy is."""
    if machine.memory.size == 0:
        machine.ask(LoopQuestion.COPY, 0)
    _copy_bytes(machine.memory, machine.planning_memory)


@kernel
def start_of(loop: Loop, machine: StrategyCalls, job: Integer) -> float:
    """When the job could start if no other did."""
    _make_plan(loop)
    plan = loop.counters[Count.PLANS]
    asking = loop.plans[job]
    if asking["plan_of_start"] != plan:
        asking["plan_of_start"], asking["planned_start"] = plan, np.inf
        _copy_state(machine)
        ends, count = loop.ends, loop.counters[Count.ENDS]
        for n in range(count):
            machine.release(machine.planning_state, ends[n]["job"])
            more_at_once = n + 1 < count and ends[n + 1]["time"] == ends[n]["time"]
            if not more_at_once and ask_strategy(loop, machine, machine.planning_state, job) != WAITS:
                asking["planned_start"] = ends[n]["time"]
                break
    return float(asking["planned_start"])


@kernel
def allows(loop: Loop, machine: StrategyCalls, job: Integer, first: int, start: float) -> bool:
    """Whether the job can be placed now, and the first of the queue still at that time."""
    _make_plan(loop)
    plan = loop.counters[Count.PLANS]
    asking, size = loop.plans[job], loop.sizes[loop.jobs[job]["size"]]
    if loop.sized and size["plan_of_head"] == plan and size["delayed_head"] == first:
        return False
    if asking["plan_of_head"] == plan and asking["delayed_head"] == first:
        return False
    _copy_state(machine)
    allowed = ask_strategy(loop, machine, machine.planning_state, job) != WAITS
    if allowed:
        for n in range(loop.counters[Count.ENDS]):
            if loop.ends[n]["time"] <= start:
                machine.release(machine.planning_state, loop.ends[n]["job"])
        allowed = ask_strategy(loop, machine, machine.planning_state, first) != WAITS
    if not allowed:
        size["plan_of_head"], size["delayed_head"] = plan, first
        asking["plan_of_head"], asking["delayed_head"] = plan, first
    return allowed


# The schedule of conservative backfilling


@kernel
def _end_after(start: float, service: float) -> float:
    """When a job leaves: after its start, however short it is."""
    return float(max(start + service, np.nextafter(start, np.inf)))


@kernel
def _insert(loop: Loop, time: float, job: Integer, starts: bool) -> None:
    """Add what happens to a job: at one time jobs leave, by number, and then start, as they were planned."""
    slots, at = loop.slots, loop.counters[Count.SLOTS]
    while at > 0:
        before = slots[at - 1]
        if before["time"] < time or (before["time"] == time and (starts or _leaves_first(before, job))):
            break
        slots[at]["time"], slots[at]["job"], slots[at]["starts"] = (
            before["time"],
            before["job"],
            before["starts"],
        )
        at -= 1
    slots[at]["time"], slots[at]["job"], slots[at]["starts"] = time, job, starts
    loop.counters[Count.SLOTS] += 1


@kernel
def _leaves_first(slot: Any, job: Integer) -> bool:  # noqa: ANN401
    """Whether a job leaves before another that leaves at the same time."""
    return bool(not slot["starts"] and slot["job"] < job)


@kernel
def _begin_schedule(loop: Loop) -> None:
    """A schedule of the running jobs alone. One that is late may leave at any moment."""
    now = loop.clock[Clock.NOW]
    loop.counters[Count.SCHEDULES] += 1
    loop.counters[Count.SLOTS] = 0
    for n in range(loop.counters[Count.RUNNING]):
        job = loop.running[n]
        _insert(loop, max(loop.plans[job]["stated_end"], np.nextafter(now, np.inf)), job, False)


@kernel
def _is_late(loop: Loop) -> bool:
    """Whether a running job should have left."""
    for n in range(loop.counters[Count.RUNNING]):
        if loop.plans[loop.running[n]]["stated_end"] <= loop.clock[Clock.NOW]:
            return True
    return False


@kernel
def _held(loop: Loop, job: Integer) -> int:
    """The processors a job holds, or those it asks for."""
    of = loop.jobs[job]
    held = 0
    if of["place"] >= 0 and loop.counters[Count.RUNNING] > of["place"] and loop.running[of["place"]] == job:
        for n in range(of["first_box"], of["first_box"] + of["box_count"]):
            held += int(loop.boxes[n, 3]) * int(loop.boxes[n, 4]) * int(loop.boxes[n, 5])
        return held
    return int(processors_asked(loop, job))


@kernel
def _replay(loop: Loop, machine: StrategyCalls, at: Integer) -> int:
    """Do on the copy what is planned: the processors that come free by it, at most; or `_NOT_MADE`."""
    slot = loop.slots[at]
    job = slot["job"]
    if not slot["starts"]:
        machine.release(machine.planning_state, job)
        return _held(loop, job)
    started = ask_strategy(loop, machine, machine.planning_state, job) != WAITS
    return -_held(loop, job) if started else _NOT_MADE


@kernel
def _others_start(loop: Loop, machine: StrategyCalls, at: Integer, job: Integer, end: float) -> bool:
    """Whether all that is planned from a place on still works with a job that leaves at a time."""
    there = True
    for n in range(at, loop.counters[Count.SLOTS]):
        slot = loop.slots[n]
        later = slot["time"] > end or (slot["time"] == end and not _leaves_first(slot, job))
        if there and later:
            machine.release(machine.planning_state, job)
            there = False
        if loop.counters[Count.STOPPED] or _replay(loop, machine, n) == _NOT_MADE:
            return False
    return True


class _Kept(NamedTuple):
    """The copy after each of the first entries of the schedule, so that no job replays it from the start."""

    states: NDArray[np.uint8]  # a row for each; none where the strategy's state is not in arrays
    free: Ints  # the processors that are free then, at most
    known: Ints  # one number: of how many entries


@kernel(makes_arrays=True)
def _nothing_kept(loop: Loop, machine: StrategyCalls) -> _Kept:
    size = machine.memory.size
    rows = min(len(loop.slots), _KEPT_BYTES // size) if size else 0
    states = np.empty((rows, size), dtype=np.uint8)
    return _Kept(states, np.empty(rows, dtype=np.int64), np.zeros(1, dtype=np.int64))


@kernel
def _go_to(loop: Loop, machine: StrategyCalls, kept: _Kept, at: Integer) -> None:
    """Bring the copy to where the entries before a place have happened."""
    begin = min(at, kept.known[0])
    if begin:
        _copy_bytes(kept.states[begin - 1], machine.planning_memory)
    else:
        _copy_state(machine)
    for n in range(begin, at):
        _replay(loop, machine, n)


@kernel
def _earliest(loop: Loop, machine: StrategyCalls, kept: _Kept, job: Integer) -> float:
    """The first time at which a job can be placed so that all that is planned still works.

    Infinity if there is none, not a number if the plan does not work without it either.
    """
    wanted, service = _held(loop, job), loop.jobs[job]["service"]
    time, at, free = loop.clock[Clock.NOW], 0, loop.counters[Count.FREE]
    there = False  # whether the copy is where the entries before `at` have happened
    while not loop.counters[Count.STOPPED]:
        while at < loop.counters[Count.SLOTS] and loop.slots[at]["time"] <= time:
            if at < kept.known[0]:
                free, there = kept.free[at], False
            else:
                if not there:
                    _go_to(loop, machine, kept, at)
                more = _replay(loop, machine, at)
                if more == _NOT_MADE:
                    return float(np.nan)
                free, there = free + more, True
                if at < len(kept.states):
                    _copy_bytes(machine.planning_memory, kept.states[at])
                    kept.free[at], kept.known[0] = free, at + 1
            at += 1
        if free >= wanted:
            if not there:
                _go_to(loop, machine, kept, at)
            there = ask_strategy(loop, machine, machine.planning_state, job) == WAITS
            if not there and _others_start(loop, machine, at, job, _end_after(time, service)):
                return float(time)
        if at == loop.counters[Count.SLOTS]:
            return float(np.inf)
        time = loop.slots[at]["time"]
    return float(np.inf)


@kernel(makes_arrays=True)
def _schedule_waiting(loop: Loop, machine: StrategyCalls) -> bool:
    """Plan the waiting jobs that have no start yet, in order; False where the plan works no longer."""
    kept = _nothing_kept(loop, machine)
    for number in range(waiting_jobs(loop)):
        job = int(loop.waiting[loop.counters[Count.FIRST_WAITING] + number])
        of = loop.plans[job]
        if of["schedule"] == loop.counters[Count.SCHEDULES]:
            continue
        start = _earliest(loop, machine, kept, job)
        if np.isnan(start):
            return False
        of["schedule"], of["scheduled_start"] = loop.counters[Count.SCHEDULES], start
        if start < np.inf:
            while kept.known[0] and loop.slots[kept.known[0] - 1]["time"] > start:
                kept.known[0] -= 1
            _insert(loop, start, job, True)
            _insert(loop, _end_after(start, loop.jobs[job]["service"]), job, False)
    return True


@kernel
def keep_schedule(loop: Loop, machine: StrategyCalls) -> bool:
    """Have a start for every waiting job; where a job has left, or is late, plan all again.

    False if the run is not wanted any longer.
    """
    if not loop.counters[Count.SCHEDULED] or _is_late(loop):
        _begin_schedule(loop)
    if not _schedule_waiting(loop, machine):
        _begin_schedule(loop)
        _schedule_waiting(loop, machine)
    return not loop.counters[Count.STOPPED]


@kernel
def forget_starts(loop: Loop) -> None:
    """Keep the schedule without the starts that were made now."""
    kept = 0
    for n in range(loop.counters[Count.SLOTS]):
        slot = loop.slots[n]
        if slot["time"] > loop.clock[Clock.NOW]:
            to = loop.slots[kept]
            to["time"], to["job"], to["starts"] = slot["time"], slot["job"], slot["starts"]
            kept += 1
    loop.counters[Count.SLOTS] = kept
    loop.counters[Count.SCHEDULED] = 1
