"""What happened in a run, in plain arrays, and the machine at any moment of it.

A position is a number of events: at position n the first n events have happened. Between two events lie the
allocation attempts that were made there, and inside an attempt its steps. Everything shown is computed from a
position, so going back is the same operation as going forward.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isnan
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import AttemptTrace, Boxes, ReleaseTrace, Strategy, outcome_of
from meshgui.engine.allocation.feedback import report
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, Size, ramps
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.deadlock import Deadlock, deadlock_of
from meshgui.engine.network.packets import Packets
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.runs.attempts import Attempts
from meshgui.engine.runs.job_feedback import NO_MESSAGES, feedback_of, message_means
from meshgui.engine.runs.queue_heads import write_heads
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.job_stream import JobStream

T = TypeVar("T")
_REMEMBERED = 64  # what functions made of a recording
_REMEMBERED_OF_LARGE = 4  # on a large mesh, where the steps of an attempt can fill 100 MB
_LARGE = 1 << 14  # processors
NEVER = np.iinfo(np.int32).max  # the position of an event that has not happened


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened."""

    time: float
    kind: EventKind
    job: int


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The machine at a position. Equal positions of a recording give equal snapshots."""

    position: int
    time: float
    event: Event | None  # the one that led here
    mesh: Mesh
    boxes: NDArray[np.int16]  # [k, 6], what is held
    owners: Ints32  # [k], by whom
    running: Ints32  # the jobs that hold processors, in order of number
    queue: Ints32  # the jobs that wait, the next to be served first
    reserved: Ints32  # those of them that have left the queue for a reserved box, the oldest first
    busy: int  # processors held
    finished: int
    rejected: int

    @property
    def free(self) -> int:
        """Processors not held."""
        return self.mesh.processors - self.busy

    @property
    def utilization(self) -> float:
        """The fraction of processors held now."""
        return self.busy / self.mesh.processors


@dataclass(frozen=True, eq=False)
class KeyFrame:
    """The strategy's state at a position."""

    position: int
    state: State


@dataclass(frozen=True, eq=False)
class Recording:
    """A run, or as much of it as has been simulated. Never changes; a run in progress publishes new ones."""

    scenario: Scenario
    seed: int
    jobs: JobStream
    complete: bool
    # events
    times: Floats
    kinds: NDArray[np.uint8]
    event_jobs: Ints32
    # the positions of each job's events; NEVER where there is none
    arrived: Ints32
    started: Ints32
    ended: Ints32  # finished or rejected
    reserved: Ints32
    reservations: NDArray[np.int16]  # the boxes reserved, in the order of the reserve events
    # the order of the queue: lowest rank first, then lowest number
    ranks: Floats  # of each job when it arrives
    rank_positions: Ints32  # where jobs that wait were given other ranks, in order
    rank_jobs: Ints32
    new_ranks: Floats
    # what each job got: boxes[first_box[j] : first_box[j] + box_count[j]]
    first_box: Ints32
    box_count: Ints32
    boxes: NDArray[np.int16]
    # allocation attempts: how many for each job, and all in order
    attempt_counts: Ints32
    attempts: Attempts
    key_frames: tuple[KeyFrame, ...]
    # cost of each job: attempts and release together
    operations: Ints
    seconds: Floats
    part_attempts: Ints32  # 000's b of each job, where the strategy counts it; else empty
    packets: Packets | None  # what went through the network, if there is one
    stuck: bool = False  # whether the run ended with packets that can never move again

    def __len__(self) -> int:
        """How many events there are; positions run from 0 to this."""
        return len(self.times)

    @property
    def over(self) -> bool:
        """Whether the run has ended: all jobs have left, or nothing can move any more."""
        return self.complete or self.stuck

    def is_of_run(self, other: Recording | None) -> bool:
        """Whether both are of the same run, of which one may have come further."""
        return other is not None and other.jobs is self.jobs

    @property
    def mesh(self) -> Mesh:
        """The machine."""
        return self.scenario.machine

    @property
    def end_time(self) -> float:
        """When the last event happens, or the run stands still for ever."""
        latest = float(self.times[-1]) if len(self) else 0.0
        return latest if self.deadlock is None else max(latest, float(self.deadlock.cycle))

    @cached_property
    def deadlock(self) -> Deadlock | None:
        """The deadlock in which the run ended, if it did."""
        if not self.stuck or self.network is None:
            return None
        return deadlock_of(self.network, ceil(self.times[-1]))

    @property
    def nbytes(self) -> int:
        """Memory taken by what was recorded, the job stream itself not counted."""
        arrays = [v for v in vars(self).values() if isinstance(v, np.ndarray)]
        arrays += [a for frame in self.key_frames for a in frame.state.values()]
        arrays += self.packets or ()
        return sum(a.nbytes for a in arrays) + self.attempts.nbytes

    @cached_property
    def network(self) -> NetworkRecord | None:
        """What the network did, if there is one."""
        spec = self.scenario.network
        if spec is None or self.packets is None:
            return None
        return NetworkRecord(self.mesh, spec.law, self.packets)

    def position_at(self, time: float) -> int:
        """The position when all events up to and at a time have happened."""
        return int(np.searchsorted(self.times, time, side="right"))

    def event(self, index: int) -> Event:
        """One event."""
        return Event(float(self.times[index]), EventKind(int(self.kinds[index])), int(self.event_jobs[index]))

    def boxes_of(self, job: int) -> Boxes:
        """What the job got, or nothing if it never started."""
        first = int(self.first_box[job])
        return tuple(Box(*row) for row in self.boxes[first : first + int(self.box_count[job])].tolist())

    @cached_property
    def across(self) -> bool:
        """Whether a job's boxes are the parts of one block that may lie across seams."""
        return self.strategy.crosses_seams(self.scenario.allocator.options, self.mesh)

    @cached_property
    def blocks(self) -> Ints32:
        """How many blocks each job got: a box across seams is one."""
        return np.minimum(self.box_count, np.int32(1)) if self.across else self.box_count

    def blocks_of(self, job: int) -> Boxes:
        """What the job got, a box across seams as one that goes beyond the mesh."""
        return self.as_blocks(self.boxes_of(job))

    def as_blocks(self, boxes: Boxes) -> Boxes:
        """What a job gets, a box across seams as one that goes beyond the mesh."""
        return (self.mesh.joined(boxes),) if self.across and boxes else boxes

    def snapshot(self, position: int) -> Snapshot:
        """The machine after that many events."""
        if not 0 <= position <= len(self):
            raise IndexError(f"position {position} is not between 0 and {len(self)}")
        running = np.flatnonzero((self.started < position) & (self.ended >= position)).astype(np.int32)
        counts = self.box_count[running]
        owners = np.repeat(running, counts)
        rows = np.repeat(self.first_box[running], counts) + ramps(counts)
        boxes = self.boxes[rows]
        past = self.kinds[:position]
        event = self.event(position - 1) if position else None
        return Snapshot(
            position,
            event.time if event else 0.0,
            event,
            self.mesh,
            boxes,
            owners,
            running,
            self.queue(position),
            self.reserved_at(position),
            int(boxes[:, 3:].astype(np.int64).prod(axis=1).sum()),
            int(np.count_nonzero(past == EventKind.FINISH)),
            int(np.count_nonzero(past == EventKind.REJECT)),
        )

    def queue(self, position: int) -> Ints32:
        """The jobs that wait at a position, the next to be served first."""
        waiting = np.flatnonzero(
            (self.arrived < position) & (self.started >= position) & (self.ended >= position)
        )
        order = np.argsort(self._ranks_at(position)[waiting], kind="stable")  # by arrival it is in order
        return waiting[order].astype(np.int32)

    def _ranks_at(self, position: int) -> Floats:
        """The rank of each job at a position."""
        changes = int(np.searchsorted(self.rank_positions, position, side="right"))
        if not changes:
            return self.ranks
        latest = np.full(len(self.jobs), -1)
        np.maximum.at(latest, self.rank_jobs[:changes], np.arange(changes))
        return np.where(latest < 0, self.ranks, self.new_ranks[latest])

    def reserved_at(self, position: int) -> Ints32:
        """The jobs that wait for a reserved box at a position, the oldest reservation first."""
        jobs = np.flatnonzero((self.reserved < position) & (self.started >= position))
        order = np.argsort(self.reserved[jobs], kind="stable")
        return jobs[order].astype(np.int32)

    def reservation_of(self, job: int) -> Box | None:
        """The box that was reserved for a job."""
        position = int(self.reserved[job])
        if position == NEVER:
            return None
        row = int(np.count_nonzero(self.kinds[:position] == EventKind.RESERVE))
        return Box(*self.reservations[row].tolist())

    # The strategy's own state and its attempts

    def attempts_at(self, position: int) -> range:
        """The attempts made after that many events, before the next one."""
        return self.attempts.at(position)

    def attempts_of(self, job: int) -> tuple[int, ...]:
        """The attempts made for a job."""
        return self.remembered(_attempts_of, job)

    def request(self, attempt: int) -> Request:
        """The request of an attempt."""
        position, job, _ = self.attempts[attempt]
        now = float(self.times[position - 1]) if position else 0.0
        return self._asked(job, now)

    def _asked(self, job: int, now: float) -> Request:
        return Request(job, self.jobs.size(job), now, self.stated_service(job) or 0.0, self.seed)

    def strategy_at(self, position: int) -> Strategy:
        """The strategy as it was after that many events: the nearest key frame, then what happened since."""
        frames = self.key_frames
        at = bisect_right(frames, position, key=lambda frame: frame.position) - 1
        working = self.new_strategy()
        start = 0
        if at >= 0:
            working.restore(frames[at].state)
            start = frames[at].position
        self.replay(working, start, position)
        return working

    def replay(self, working: Strategy, start: int, position: int) -> None:
        """Take a strategy from one position on to a later one."""
        for index in range(start, position):
            kind, job = int(self.kinds[index]), int(self.event_jobs[index])
            if kind == EventKind.START:
                working.replay(self._asked(job, float(self.times[index])), self.boxes_of(job))
            elif kind == EventKind.RESERVE:
                working.allocate(self._asked(job, float(self.times[index])))
            elif kind == EventKind.FINISH:
                if (feedback := feedback_of(working)).size:
                    self._report(feedback, index, job)
                working.release(job)

    def _report(self, feedback: Floats, index: int, job: int) -> None:
        """Report a job that leaves to a strategy, as the run did."""
        spec, means = self.scenario.network, NO_MESSAGES
        if spec is not None and self.packets is not None:
            means = message_means(self.mesh, spec.law, self.packets, job)
        now, start = float(self.times[index]), float(self.times[self.started[job]])
        report(feedback, now, now - float(self.jobs.arrival[job]), now - start, *means)

    @property
    def strategy(self) -> type[Strategy]:
        """The scenario's strategy."""
        return strategy(self.scenario.allocator.name)

    def new_strategy(self) -> Strategy:
        """The scenario's strategy on an empty machine."""
        return self.strategy(self.mesh, self.scenario.allocator.options)

    def state_at(self, position: int) -> State:
        """The strategy's state after that many events."""
        return self.strategy_at(position).capture()

    def remembered(self, make: Callable[..., T], *arguments: int) -> T:
        """What a function makes of this recording, as made before; it is kept with it, and goes with it."""
        return cast("T", self._made(make, *arguments))

    @cached_property
    def _made(self) -> Callable[..., object]:
        most = _REMEMBERED if self.mesh.processors <= _LARGE else _REMEMBERED_OF_LARGE
        return lru_cache(maxsize=most)(lambda make, *arguments: make(self, *arguments))

    def trace(self, attempt: int) -> AttemptTrace:
        """An attempt with its steps: the run's own search repeated with the log on."""
        return self.remembered(_trace, attempt)

    def leaving_at(self, position: int) -> int | None:
        """The job that leaves next at a position, if its release has steps."""
        if (
            position >= len(self)
            or self.kinds[position] != EventKind.FINISH
            or not self.strategy.release_lines
        ):
            return None
        return int(self.event_jobs[position])

    def next_release(self, position: int) -> int | None:
        """The first position from this one on at which a job leaves next, if releases have steps."""
        if not self.strategy.release_lines:
            return None
        leave = np.flatnonzero(self.kinds[position:] == EventKind.FINISH)
        return position + int(leave[0]) if len(leave) else None

    def trace_release(self, position: int) -> ReleaseTrace:
        """The release of the job that leaves next at a position, with its steps."""
        return self.remembered(_trace_release, position)

    def repeated(self, attempt: int, working: Strategy) -> AttemptTrace:
        """An attempt made again by the strategy in the state of that time; its outcome must be the same."""
        trace = working.trace(self.request(attempt))
        _, job, outcome = self.attempts[attempt]
        if outcome_of(trace.outcome) != outcome or trace.boxes not in {None, self.boxes_of(job)}:
            said = tr("{working} answered differently when asked for job {job} again")
            raise StrategyError(said.format(working=working.id, job=job))
        return trace

    # Curves

    def busy_steps(self) -> tuple[Floats, Ints]:
        """Times of all events and the processors held after each."""
        return self.times, self.steps_of(self.held_processors())

    def steps_of(self, amounts: NDArray[np.integer]) -> Ints:
        """After each event the sum over the running jobs of an amount that each has."""
        sizes = amounts[self.event_jobs].astype(np.int64)
        change = np.select(
            [self.kinds == EventKind.START, self.kinds == EventKind.FINISH], [sizes, -sizes], 0
        )
        return np.cumsum(change)

    def queue_steps(self) -> tuple[Floats, Ints]:
        """Times of all events and the jobs waiting after each."""
        change = np.select(
            [self.kinds == EventKind.ARRIVE, self.kinds == EventKind.START, self.kinds == EventKind.REJECT],
            [1, -1, -1],
            0,
        )
        return self.times, np.cumsum(change)

    def queue_heads(self) -> Ints32:
        """The job at the head of the queue after each event, or -1."""
        heads = np.empty(len(self), dtype=np.int32)
        left = np.minimum(np.minimum(self.started, self.ended), self.reserved)
        write_heads(
            self.kinds, self.event_jobs, left, self.ranks.copy(),
            self.rank_positions, self.rank_jobs, self.new_ranks, heads,
        )  # fmt: skip
        return heads

    def held_processors(self) -> Ints:
        """Processors each job holds or held; 0 for a job that never started."""
        volumes = np.concatenate(([0], np.cumsum(self.boxes[:, 3:].astype(np.int64).prod(axis=1))))
        first = self.first_box.astype(np.int64)
        held: Ints = volumes[first + self.box_count] - volumes[first]
        return held

    # The event log

    def log_lines(self) -> Iterator[dict[str, Any]]:
        """The events as the event file writes them."""
        refuser = self.new_strategy()
        for index in range(len(self)):
            event = self.event(index)
            line: dict[str, Any] = {"t": event.time, "event": event.kind.name.lower(), "job": event.job}
            size = self.jobs.size(event.job)
            if event.kind == EventKind.ARRIVE:
                line |= {"size": list(size[: self.mesh.dims]), "service": self.service_of(event.job)}
                if (requested := self.jobs.requested_time(event.job)) is not None:
                    line |= {"requested_time": requested}
                if self.jobs.numbers is not None:
                    line |= {"number": int(self.jobs.numbers[event.job])}
                if len(self.jobs.messages):
                    line |= {"messages": int(self.jobs.messages[event.job])}
            elif event.kind == EventKind.START:
                line |= {"blocks": [list(box) for box in self.boxes_of(event.job)]}
            elif event.kind == EventKind.RESERVE:
                line |= {"blocks": [list(self.reservation_of(event.job) or ())]}
            elif event.kind == EventKind.REJECT:
                line |= {"reason": refuser.refusal(size)}
            elif event.kind == EventKind.MOVE:
                line |= {"place": self.queue(index + 1).tolist().index(event.job)}
            yield line

    def stated_service(self, job: int) -> float | None:
        """What plans and ranks take for the job's service; None where it states none."""
        service = float(self.jobs.service[job])
        return None if isnan(service) else service

    def service_of(self, job: int) -> float | None:
        """How long the job runs, if it is not ended by hand; None where that is left to its messages."""
        service = float(self.jobs.actual[job])
        return None if isnan(service) else service

    def size(self, job: int) -> Size:
        """The size of a job's request."""
        return self.jobs.size(job)


def _attempts_of(recording: Recording, job: int) -> tuple[int, ...]:
    return tuple(recording.attempts.of(job, int(recording.arrived[job]), int(recording.started[job])))


def _trace(recording: Recording, attempt: int) -> AttemptTrace:
    working = recording.strategy_at(recording.attempts[attempt].position)
    return recording.repeated(attempt, working)


def _trace_release(recording: Recording, position: int) -> ReleaseTrace:
    return recording.strategy_at(position).trace_release(int(recording.event_jobs[position]))
