"""Failures and repairs in the event loop: at one time after the finishes, before the arrivals.

Failures come first: those that overlap, or touch, are one. A job is hit if it holds a processor that fails.
The strategy holds out what is down as if another job held it, so that a job is never placed there; the loop
marks it as occupied, so that a strategy which did would be caught.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from heapq import heapify, heapreplace
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Box, Mesh, boxes_of, region
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.limits import MAX_CHANGES, MAX_HITS
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import RunError
from meshgui.engine.runs.job_feedback import tell_time
from meshgui.engine.runs.loop_jobs import machine_changed, stop_running
from meshgui.engine.runs.loop_state import Clock, Count
from meshgui.engine.runs.offered_queue import OfferedQueue
from meshgui.engine.runs.outages import CHANGE, HOLD, KILL, Outages
from meshgui.engine.runs.recording import NEVER
from meshgui.engine.runs.running_loop import RunningLoop
from meshgui.engine.scenario import Scenario
from meshgui.engine.scenario.failures import DrawnFailures, ListedFailure, MachineSpec

NO_JOB: Final = -1
"""In place of a job: an event of the machine."""


class Change(NamedTuple):
    """A box fails, or is repaired; overlapping ones are counted."""

    time: float
    box: Box
    down: bool


def changes(machine: MachineSpec, mesh: Mesh, seed: int) -> Iterator[Change]:
    """All failures and repairs, in order of time; drawn ones have no end."""
    if isinstance(machine.failures, DrawnFailures):
        return _drawn(machine.failures, mesh, seed)
    return iter(_listed(machine.failures))


def most_at_once(scenario: Scenario) -> int:
    """The most fail and repair events at one time; 0 where nothing fails."""
    machine = scenario.reliability
    if machine is None or not scenario.fails:
        return 0
    if isinstance(machine.failures, DrawnFailures):
        return scenario.machine.processors
    return 2 * len(machine.failures)


def _listed(failures: tuple[ListedFailure, ...]) -> list[Change]:
    found = []
    for failure in failures:
        found.append(Change(failure.begin, failure.region, down=True))
        if failure.until is not None:
            found.append(Change(failure.until, failure.region, down=False))
    return sorted(found, key=lambda change: change.time)


def _for_ever_from(machine: MachineSpec, mesh: Mesh) -> Floats:
    """From when on each processor is down for ever: failures that overlap, or touch, are one."""
    found = np.full(mesh.extents[::-1], np.inf)
    if isinstance(machine.failures, DrawnFailures):
        return found
    for failure in sorted(machine.failures, key=lambda one: one.begin, reverse=True):
        times = region(found, failure.region)
        until = math.inf if failure.until is None else failure.until
        times[until >= times] = failure.begin
    return found


def _drawn(failures: DrawnFailures, mesh: Mesh, seed: int) -> Iterator[Change]:
    """Every unit fails and is repaired in turns; the draws follow one another in order of time, then of unit.

    The stream is one of its own, so that the jobs of a seed are the same with failures and without.
    """
    draws = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed).spawn(6)[5]))

    def after(time: float, mean: float) -> float:
        return time - mean * math.log1p(-draws.random())

    units = mesh.box().units(failures.extents)
    heap = [(after(0.0, failures.between), unit, True) for unit in range(len(units))]
    heapify(heap)
    while True:
        time, unit, down = heap[0]
        yield Change(time, units[unit], down)
        later = after(time, failures.repair if down else failures.between)
        heapreplace(heap, (later, unit, not down))


class EndlessError(RunError):
    """A run in which failures leave no job the time to end."""


class FailingMachine:
    """What is down, and what becomes of the jobs that are hit."""

    def __init__(
        self, scenario: Scenario, seed: int, loop: RunningLoop, queue: OfferedQueue, working: Strategy
    ) -> None:
        machine = scenario.reliability or MachineSpec()
        self._scenario, self._machine, self._mesh = scenario, machine, scenario.machine
        self._loop, self._queue, self._working = loop, queue, working
        self._coming = changes(machine, self._mesh, seed)
        self._next = next(self._coming, None)
        self._counts = np.zeros(self._mesh.extents[::-1], dtype=np.int32)  # of failures that cover each
        self._down = np.zeros(self._mesh.extents[::-1], dtype=np.bool_)
        self._for_ever_from = _for_ever_from(machine, self._mesh)
        self._lasting = np.zeros(self._mesh.extents[::-1], dtype=np.bool_)  # what is down for ever
        self._pieces: list[Box] = []  # what is down
        self._held_out: set[Box] = set()
        self._services, self._durations = loop.arrays.jobs["service"].copy(), loop.arrays.durations
        loop.replace(durations=self._durations.copy())  # of which those that are hit change
        self._saved = np.zeros(len(self._durations))
        self._hits: Ints = np.zeros(len(self._saved), dtype=np.int64)
        self._changes: list[tuple[int, int, bool]] = []
        self._boxes: list[Box] = []
        self._holds: list[tuple[int, bool, Box]] = []
        self._kills: list[tuple[int, int, int, int, int, bool, float, float]] = []
        self._note_next()

    def _note_next(self) -> None:
        self._loop.clock[Clock.NEXT_CHANGE] = np.inf if self._next is None else self._next.time

    def change(self, _: int) -> None:
        """Do all that fails and is repaired now."""
        now = float(self._loop.clock[Clock.NOW])
        due: list[Change] = []
        while self._next is not None and self._next.time == now:
            due.append(self._next)
            self._next = next(self._coming, None)
        if len(self._changes) + len(due) > MAX_CHANGES:
            said = tr("{most:,} failures and repairs up to time {now:g}: expected a run that ends before")
            raise EndlessError(said.format(most=MAX_CHANGES, now=now))
        for one in due:
            if one.down:
                self._fail(one)
        repairs = [one for one in due if not one.down]
        for one in repairs:
            covered = region(self._counts, one.box)
            covered -= 1
        for one in repairs:
            self._repair(one)
        lasting = self._for_ever_from <= now
        if not np.array_equal(lasting, self._lasting):
            self._lasting = lasting
            self._refuse_what_fits_no_longer()
        if self._lasting.any():
            self._reject_refused()
        self._note_next()

    # What is down

    def _fail(self, change: Change) -> None:
        covered = region(self._counts, change.box)
        covered += 1
        fresh = self._covered(change.box, 1)
        if not fresh:
            return
        self._note_change(EventKind.FAIL, fresh)
        for job in self._hit(fresh):
            self._kill(job)
        for box in fresh:
            region(self._down, box)[:] = True
            self._mark(box, held=True)
        self._pieces += fresh
        self._hold_out()

    def _repair(self, change: Change) -> None:
        up = self._covered(change.box, 0)
        if not up:
            return
        self._note_change(EventKind.REPAIR, up)
        for box in up:
            region(self._down, box)[:] = False
            self._mark(box, held=False)
        self._pieces = list(chain.from_iterable(self._still_down(piece, up) for piece in self._pieces))
        self._loop.counters[Count.RELEASES] += 1
        self._hold_out()

    def _covered(self, box: Box, failures: int) -> list[Box]:
        """The boxes of those processors of a box that change: that this number of failures covers now."""
        mask = np.zeros(self._counts.shape, dtype=np.bool_)
        known = region(self._down, box)
        region(mask, box)[:] = (region(self._counts, box) == failures) & (known != (failures > 0))
        return list(boxes_of(mask))

    def _still_down(self, piece: Box, up: list[Box]) -> tuple[Box, ...]:
        if not any(piece.overlaps(box) for box in up):
            return (piece,)
        mask = np.zeros(self._counts.shape, dtype=np.bool_)
        region(mask, piece)[:] = region(self._counts, piece) > 0
        return boxes_of(mask)

    def _mark(self, box: Box, *, held: bool) -> None:
        region(self._loop.arrays.occupied, box)[:] = held
        self._loop.counters[Count.FREE] += -box.volume if held else box.volume

    def _hold_out(self) -> None:
        """Have the strategy hold out what is down and no more."""
        wanted = set(chain.from_iterable(map(self._working.out_boxes, self._pieces)))
        position = int(self._loop.counters[Count.EVENTS])
        for box in sorted(self._held_out - wanted):
            self._working.let_in(box)
            self._holds.append((position, False, box))
        for box in sorted(wanted - self._held_out):
            self._working.hold_out(box)
            self._holds.append((position, True, box))
        self._held_out = wanted
        machine_changed.python(self._loop.arrays)

    def _note_change(self, kind: EventKind, boxes: list[Box]) -> None:
        self._changes.append((int(self._loop.counters[Count.EVENTS]), len(boxes), kind == EventKind.FAIL))
        self._boxes += boxes
        self._loop.add_event(kind, NO_JOB)

    # The jobs that are hit

    def _hit(self, boxes: list[Box]) -> list[int]:
        """The running jobs that hold a part of these boxes, in order of number."""
        mask = np.zeros(self._counts.shape, dtype=np.bool_)
        for box in boxes:
            region(mask, box)[:] = True
        running = self._loop.arrays.running[: self._loop.counters[Count.RUNNING]].tolist()
        return sorted(
            job for job in running if any(region(mask, box).any() for box in self._loop.boxes_of(job))
        )

    def _kill(self, job: int) -> None:
        """Take a job off the machine, and end it or put it back into the queue."""
        arrays, counters = self._loop.arrays, self._loop.counters
        row, now, position = arrays.jobs[job], float(self._loop.clock[Clock.NOW]), int(counters[Count.EVENTS])
        self._hits[job] += 1
        if self._hits[job] > MAX_HITS:
            said = tr("job {job} was hit by {most:,} failures up to time {now:g}, and can hardly ever end")
            raise EndlessError(said.format(job=job, most=MAX_HITS, now=now))
        before = self._working.operations
        tell_time(self._working, now)
        self._working.release(job)
        row["operations"] += self._working.operations - before
        row["nanoseconds"] += self._working.took or 0
        held = self._loop.boxes_of(job)
        for box in held:
            self._mark(box, held=False)
        started = int(row["positions"][EventKind.START])
        worked = now - float(arrays.times[started])
        saved = self._checkpoint(float(self._saved[job]) + worked)
        lost = (float(self._saved[job]) + worked - saved) * sum(box.volume for box in held)
        requeued = self._machine.on_failure != "end"
        first, count = row[["first_box", "box_count"]].tolist()
        self._kills.append((job, started, position, first, count, requeued, saved, lost))
        self._loop.add_event(EventKind.KILL, job)
        stop_running.python(arrays, job)
        self._forget_end(job)
        counters[Count.RELEASES] += 1
        machine_changed.python(arrays)
        if not requeued:
            row["positions"][EventKind.FINISH] = position  # where it ended
            counters[Count.ENDED] += 1
            return
        self._saved[job] = saved
        row["positions"][EventKind.START] = NEVER
        row["service"] = max(float(self._services[job]) - saved, 0.0)
        arrays.durations[job] = max(float(self._durations[job]) - saved, 0.0)
        self._queue.requeue(job)

    def _checkpoint(self, done: float) -> float:
        """How much of the work done is kept: the last multiple of the interval."""
        interval = self._machine.interval
        if self._machine.on_failure != "checkpoint" or interval is None:
            return 0.0
        return min(math.floor(done / interval) * interval, done)

    def _forget_end(self, job: int) -> None:
        """Take a job's end out of the heap: what is in order is a heap."""
        arrays, counters = self._loop.arrays, self._loop.counters
        ends = arrays.finishes[: counters[Count.FINISHES]]
        left = np.sort(ends[ends["job"] != job], order=("time", "job"))
        arrays.finishes[: len(left)] = left
        counters[Count.FINISHES] = len(left)

    # What fits no longer

    def _refuse_what_fits_no_longer(self) -> None:
        """Mark the jobs that the machine would not hold if it were empty, but for what is never repaired."""
        allocator, loop = self._scenario.allocator, self._loop.arrays
        empty = strategy(allocator.name)(self._mesh, allocator.options.strictest)
        out = set(chain.from_iterable(map(empty.out_boxes, boxes_of(self._lasting))))
        for box in sorted(out):
            empty.hold_out(box)
        state = empty.capture()
        for number in np.flatnonzero(~loop.sizes["refused"]).tolist():
            w, d, h = loop.sizes[number][["w", "d", "h"]].tolist()
            if empty.allocate(Request(0, (w, d, h))) is None:
                loop.sizes["refused"][number] = True
            empty.restore(state)

    def _reject_refused(self) -> None:
        """Take the jobs out of the queue that fit no longer."""
        jobs, counters = self._loop.arrays.jobs, self._loop.counters
        refuses = self._loop.arrays.sizes["refused"]
        refused = [job for job in self._queue.waiting() if refuses[jobs["size"][job]]]
        for job in sorted(refused):
            jobs["positions"][job, EventKind.REJECT] = counters[Count.EVENTS]
            self._loop.add_event(EventKind.REJECT, job)
            counters[Count.ENDED] += 1
        if refused:
            self._queue.drop(refused)
            counters[Count.SCHEDULED] = 0

    # What has happened

    def outages(self, events: int) -> Outages:
        """What failed within the first events."""
        holds = np.empty(len(self._holds), dtype=HOLD)
        if self._holds:
            holds["position"], holds["out"], holds["box"] = zip(*self._holds, strict=True)
        boxes = np.array(self._boxes, dtype=np.int16).reshape(-1, 6)
        changes, kills = np.array(self._changes, dtype=CHANGE), np.array(self._kills, dtype=KILL)
        return Outages(self._mesh, changes, boxes, holds, kills).until(events)

    def undone(self, events: int) -> list[tuple[int, int, int, int]]:
        """Of the kills behind the first events, the latest first: the job, its start, and its boxes."""
        return [
            (job, started, first, count)
            for job, started, position, first, count, *_ in reversed(self._kills)
            if position >= events
        ]
