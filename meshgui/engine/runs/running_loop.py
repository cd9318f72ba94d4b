"""The event loop of a run as Python has it: its arrays, which grow, and calls of its kernels."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Strategy
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.basics.arrays import Floats, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.entry_points import EntryPoint, Handle, layout
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kernel import Kernel
from meshgui.engine.basics.kinds import PLANNING, EventKind, Serving
from meshgui.engine.runs import event_loop
from meshgui.engine.runs.attempts import AttemptRecorder
from meshgui.engine.runs.job_feedback import feedback_of
from meshgui.engine.runs.loop_queue import waiting_jobs
from meshgui.engine.runs.loop_state import (
    END,
    JOB,
    PLAN,
    SIZE,
    SLOT,
    Clock,
    Count,
    HowFar,
    Loop,
    Running,
    StrategyCalls,
)
from meshgui.engine.runs.recording import NEVER
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.job_stream import JobStream

_FIRST_ATTEMPTS: Final = 1 << 14  # room for these, and for a number of key frames,
_FRAMES_AT_ONCE: Final = 32  # before they are taken away
_EVENTS_BETWEEN_FRAMES: Final = 64
_FRAME_BYTES_PER_EVENT: Final = 12  # how much memory key frames may take, spread over the events between them
_OF_TWO: Final = "int64(int64, int64, int64)"  # untranslated: types
_FOR_EVER: Final = np.iinfo(np.int64).max >> 1

_entered: dict[str, EntryPoint] = {}  # by name: all runs have arrays of the same kinds


class RunningLoop:
    """The loop of a run, and the strategy that it calls."""

    machine: StrategyCalls  # set when the run begins

    def __init__(self, loop: Loop) -> None:
        self.arrays = loop
        self.counters, self.clock = loop.counters, loop.clock
        self.attempts = AttemptRecorder()

    # Calls of kernels

    def advance(self, most_events: int = _FOR_EVER, most_times: int = _FOR_EVER) -> HowFar:
        """Go on by a number of events, or of times at which something happens: how far that is."""
        return HowFar(self._call(event_loop.enter_advance, _OF_TWO, most_events, most_times))

    def place(self, number: int, job: int) -> HowFar:
        """Have the allocator try to place a waiting job, the first of which has the number 0."""
        self._have_room_for(1)
        at = int(self.counters[Count.FIRST_WAITING]) + number
        return HowFar(self._call(event_loop.enter_place, _OF_TWO, at, job))

    def serve(self, serving: Serving) -> HowFar:
        """Offer waiting jobs to the allocator."""
        self._have_room_for(self.waiting + self.arrays.occupied.size + 1)
        return HowFar(self._call(event_loop.enter_serve, "int64(int64, int64)", int(serving)))

    def start_of(self, job: int) -> float:
        """When the job could start if no other did: the running jobs leave at their stated times."""
        return float(self._call(event_loop.enter_start_of, "float64(int64, int64)", job))

    def allows(self, job: int, head: int, start: float) -> bool:
        """Whether the job can be placed now, and the head still at that time."""
        signature = "int64(int64, int64, int64, float64)"  # untranslated: types
        return bool(self._call(event_loop.enter_allows, signature, job, head, start))

    def _call(self, template: Kernel[..., Any], signature: str, *arguments: float) -> Any:  # noqa: ANN401
        handle, _ = self._handle
        if template.__name__ not in _entered:
            _entered[template.__name__] = EntryPoint(template, "", signature, self._running)
        return _entered[template.__name__].call(handle, *arguments)

    @property
    def _running(self) -> Running:
        return Running(self.arrays, self.machine)

    @cached_property
    def _handle(self) -> tuple[Handle, object]:
        return layout(self._running)

    def stop(self) -> None:
        """Let it go no further."""
        self.counters[Count.STOPPED] = 1

    # What is known of the run

    @property
    def upcoming(self) -> float:
        """When the next job arrives, finishes or is moved, or something fails; infinity if nothing will."""
        return event_loop.upcoming.python(self.arrays)

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return waiting_jobs.python(self.arrays)

    @property
    def queue(self) -> list[int]:
        """The jobs that wait, the next to be served first."""
        jobs = self.arrays.jobs
        if len(self.arrays.ranked):
            waiting = [job for job in self.left() if jobs["positions"][job, EventKind.RESERVE] == NEVER]
            return sorted(waiting, key=lambda job: (self.arrays.ranks[job], job))
        first, last = self.counters[[Count.FIRST_WAITING, Count.LAST_WAITING]].tolist()
        row: list[int] = self.arrays.waiting[first:last].tolist()
        return row

    def left(self) -> list[int]:
        """The jobs that have arrived and not started, though they are not refused."""
        positions = self.arrays.jobs["positions"][:-1]
        known = positions < NEVER
        gone = known[:, EventKind.START] | known[:, EventKind.REJECT]
        left: list[int] = np.flatnonzero(known[:, EventKind.ARRIVE] & ~gone).tolist()
        return left

    def boxes_of(self, job: int) -> Boxes:
        """What a job got last."""
        first, count = self.arrays.jobs[job][["first_box", "box_count"]].tolist()
        return tuple(map(Box._make, self.arrays.boxes[first : first + count].tolist()))

    def add_event(self, kind: EventKind, job: int) -> None:
        """Record what has happened outside the loop."""
        n = self.counters[Count.EVENTS]
        loop = self.arrays
        loop.times[n], loop.kinds[n], loop.event_jobs[n] = self.clock[Clock.NOW], kind, job
        self.counters[Count.EVENTS] += 1

    def frames_as_large_as(self, state: State) -> None:
        """Have key frames as far apart as their memory wants, if they are like this one."""
        nbytes = sum(values.nbytes for values in state.values())
        self.counters[Count.FRAME_EVERY] = max(_EVENTS_BETWEEN_FRAMES, nbytes // _FRAME_BYTES_PER_EVENT)

    # Room

    def replace(self, **arrays: Any) -> None:  # noqa: ANN401
        """Go on with other arrays."""
        self.arrays = self.arrays._replace(**arrays)
        self.__dict__.pop("_handle", None)

    def make_room(self) -> None:
        """Have room for what the next time can bring, once what was recorded is taken away."""
        loop, processors = self.arrays, self.arrays.occupied.size
        if self.counters[Count.BOXES] + processors > len(loop.boxes):
            self.replace(boxes=_longer(loop.boxes, 2 * len(loop.boxes) + processors))
        if loop.failing and self.counters[Count.EVENTS] + (most := self._events_at_once) > len(loop.times):
            events = {name: getattr(loop, name) for name in ("times", "kinds", "event_jobs")}
            self.replace(**{name: _longer(of, 2 * len(of) + most) for name, of in events.items()})
        if loop.recording:
            most = self.waiting + loop.crowd + 2 * processors + 1  # attempts at one time
            if len(loop.attempts) < most:
                room = max(_FIRST_ATTEMPTS, 2 * most)
                self.replace(attempts=np.empty((room, 3), dtype=np.int32))
            if not len(loop.frames):
                self.replace(
                    frames=np.empty((_FRAMES_AT_ONCE, self.machine.memory.size), dtype=np.uint8),
                    frame_positions=np.empty(_FRAMES_AT_ONCE, dtype=np.int64),
                )

    @property
    def _events_at_once(self) -> int:
        return event_loop.events_at_once.python(self.arrays)

    def _have_room_for(self, attempts: int) -> None:
        """Have room for attempts in the midst of a call of the loop: its arrays stay as they are."""
        if self.counters[Count.ATTEMPTED] + attempts > len(self.arrays.attempts):
            self._take_attempts()

    def _take_attempts(self) -> None:
        self.attempts.extend(self.arrays.attempts[: self.counters[Count.ATTEMPTED]])
        self.counters[Count.ATTEMPTED] = 0

    def take_records(self) -> list[tuple[int, NDArray[np.uint8]]]:
        """Take away the attempts and the key frames: these by their positions, to be read at once."""
        self._take_attempts()
        positions = self.arrays.frame_positions[: self.counters[Count.FRAMES]].tolist()
        self.counters[Count.FRAMES] = 0
        return list(zip(positions, self.arrays.frames, strict=False))


# The arrays of a run at its beginning


def first_loop(
    scenario: Scenario,
    jobs: JobStream,
    ranks: Floats,
    seed: int,
    serving: Serving,
    *,
    record: bool,
    moves: int,
    failing: int = 0,
) -> Loop:
    """The arrays before anything has happened, without what the strategy knows: see `begun`."""
    n, mesh = len(jobs), scenario.machine
    rows = np.zeros(n + 1, dtype=JOB)
    rows["arrival"][:n], rows["arrival"][n] = jobs.arrival, np.inf
    rows["service"][:n] = np.nan_to_num(jobs.service, nan=0.0)
    rows["failed"] = -1
    rows["positions"] = NEVER
    counters, clock = np.zeros(len(Count), dtype=np.int64), np.zeros(len(Clock))
    counters[Count.FREE] = mesh.processors
    counters[Count.NEXT_FRAME] = _EVENTS_BETWEEN_FRAMES
    clock[Clock.NEXT_MOVE] = clock[Clock.NEXT_CHANGE] = np.inf
    lines, events = 0, 4 * n + moves  # arrive, reserve, start, finish
    planned = n if serving in PLANNING else 0
    if serving == Serving.HEAD and not moves and not failing:
        different, rows["line"][:n] = _kinds_of(ranks)
        lines = len(different)
    return Loop(
        seed=seed,
        serving=int(serving),
        lasting=0,
        sized=0,
        networked=int(scenario.network is not None),
        recording=int(record),
        across=0,
        failing=failing,
        crowd=int(np.unique(jobs.arrival, return_counts=True)[1].max(initial=0)),
        counters=counters,
        clock=clock,
        jobs=rows,
        plans=np.zeros(planned, dtype=PLAN),
        means=np.empty((0, 2)),
        sizes=np.zeros(0, dtype=SIZE),
        finishes=np.empty(n, dtype=END),
        ends=np.empty(mesh.processors, dtype=END),
        slots=np.empty(mesh.processors + 2 * planned, dtype=SLOT),
        running=np.empty(mesh.processors, dtype=np.int32),
        waiting=np.empty(n, dtype=np.int32),
        durations=np.ascontiguousarray(jobs.lasting, dtype=np.float64),
        ranks=ranks,
        lines=np.full(lines, -1, dtype=np.int32),
        ranked=np.empty(lines, dtype=END),
        started=np.empty(n, dtype=np.int32),
        occupied=np.full(mesh.extents[::-1], False),
        times=np.empty(events),
        kinds=np.empty(events, dtype=np.uint8),
        event_jobs=np.empty(events, dtype=np.int32),
        boxes=np.empty((n + mesh.processors, 6), dtype=np.int16),
        attempts=np.empty((0, 3), dtype=np.int32),
        frames=np.empty((0, 0), dtype=np.uint8),
        frame_positions=np.empty(0, dtype=np.int64),
        reservations=np.empty((n, 6), dtype=np.int16),
    )


def _longer(array: NDArray[Any], length: int) -> NDArray[Any]:
    longer = np.empty((length, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def begun(loop: Loop, jobs: JobStream, working: Strategy) -> Loop:
    """The arrays with what a strategy knows: which sizes it refuses, and what follows from a failure."""
    first, kinds = _kinds_of(*jobs.sizes.T)
    refused = [working.refusal(tuple(size)) is not None for size in jobs.sizes[first].tolist()]
    loop.jobs["size"][:-1] = kinds
    sizes = np.zeros(len(first), dtype=SIZE)
    sizes["w"], sizes["d"], sizes["h"] = jobs.sizes[first].T
    sizes["refused"], sizes["failed"] = refused, -1
    kernels = working if isinstance(working, KernelStrategy) else None
    return loop._replace(
        lasting=int(working.fails_until_release),
        across=int(working.crosses_seams(working.options, working.mesh)),
        sized=int(kernels is not None and kernels.sees_size_alone),
        sizes=sizes,
        means=np.full((len(jobs) if feedback_of(working).size else 0, 2), np.nan),
    )


def _kinds_of(*columns: NDArray[Any]) -> tuple[NDArray[np.intp], Ints32]:
    """Where each of the different rows first stands, and for each row its number among them."""
    order = np.lexsort(columns)
    differs = np.zeros(len(order), dtype=np.bool_)
    for column in columns:
        of = column[order]
        differs[1:] |= of[1:] != of[:-1]
    kinds = np.empty(len(order), dtype=np.int32)
    kinds[order] = np.cumsum(differs, dtype=np.int32)
    differs[:1] = True
    return order[differs], kinds
