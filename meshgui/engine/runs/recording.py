"""What happened in a run, in plain arrays, and the machine at any moment of it.

A position is a number of events: at position n the first n events have happened. Between two events lie the
allocation attempts that were made there, and inside an attempt its steps. Everything shown is computed from a
position, so going back is the same operation as going forward.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isnan
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import AttemptTrace, Boxes, ReleaseTrace, Strategy, outcome_of
from meshgui.engine.allocation.feedback import report
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box, Mesh, Size
from meshgui.engine.basics.guard import StrategyError
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.deadlock import Deadlock, deadlock_of
from meshgui.engine.network.packets import Packets
from meshgui.engine.network.record import NetworkRecord
from meshgui.engine.runs.attempts import Attempts
from meshgui.engine.runs.job_feedback import NO_MESSAGES, feedback_of, message_means, tell_time
from meshgui.engine.runs.outages import Outages, Stints, held_in_cut_stints
from meshgui.engine.runs.snapshot import Event, Snapshot
from meshgui.engine.scenario import Scenario
from meshgui.engine.workload.job_stream import JobStream

T = TypeVar("T")
_REMEMBERED = 64  # what functions made of a recording
_REMEMBERED_OF_LARGE = 4  # on a large mesh, where the steps of an attempt can fill 100 MB
_LARGE = 1 << 14  # processors
NEVER = np.iinfo(np.int32).max  # the position of an event that has not happened


@dataclass(frozen=True, eq=False, slots=True)
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
    complete: bool  # whether all jobs have ended
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
    reached: float = 0.0  # how far a run in progress has come beyond its last event
    outages: Outages | None = None  # what failed, where something may

    def __len__(self) -> int:
        """How many events there are; positions run from 0 to this."""
        return len(self.times)

    def is_of_run(self, other: Recording | None) -> bool:
        """Whether both are of the same run, of which one may have come further."""
        return other is not None and other.jobs is self.jobs

    @cached_property
    def mesh(self) -> Mesh:
        """The machine."""
        return self.scenario.machine

    @property
    def over(self) -> bool:
        """Whether nothing more is to come: all jobs have ended, or packets stand still for ever."""
        return self.complete or self.stuck

    @property
    def end_time(self) -> float:
        """When the last event happens, or the run stands still for ever; how far it is known in progress."""
        latest = max(float(self.times[-1]) if len(self) else 0.0, self.reached)
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
        failed = 0 if self.outages is None else self.outages.nbytes
        return sum(a.nbytes for a in arrays) + self.attempts.nbytes + failed

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

    def stints_at(self, position: int) -> Stints:
        """Of each job the stint on the machine that is under way at a position, or its next, or its last."""
        last = Stints(self.started, self.ended, self.first_box, self.box_count)
        return last if self.outages is None else self.outages.stints_at(position, last)

    def stints_of(self, job: int) -> list[tuple[int, int]]:
        """The positions at which the job started, and at which it was hit or ended; NEVER if it has not."""
        cut = () if self.outages is None else self.outages.requeued
        stints = [(int(kill["started"]), int(kill["position"])) for kill in cut if kill["job"] == job]
        last = (int(self.started[job]), int(self.ended[job]))
        return stints if stints and last[0] == NEVER else [*stints, last]

    def queued_since(self, job: int, position: int) -> float:
        """Since when a job waits at a position: since it arrived, or was last put back into the queue."""
        if self.outages is None:
            return float(self.jobs.arrival[job])
        back = [end for _, end in self.stints_of(job) if end < position and self.kinds[end] == EventKind.KILL]
        return float(self.times[max(back)]) if back else float(self.jobs.arrival[job])

    def waited(self, job: int, position: int, time: float) -> float:
        """How long a job has waited by a position and its time, also where it was put back into the queue."""
        since, waited = float(self.jobs.arrival[job]), 0.0
        for start, end in self.stints_of(job):
            if start >= position:
                break
            waited += float(self.times[start]) - since
            if end >= position or self.kinds[end] != EventKind.KILL:
                return waited
            since = float(self.times[end])
        return waited + max(time - since, 0.0)

    def boxes_of(self, job: int, position: int | None = None) -> Boxes:
        """What the job got last, or in its stint at a position; nothing if it never started."""
        of = self.stints_at(len(self) if position is None else position)
        return self._boxes_from(int(of.first_box[job]), int(of.box_count[job]))

    def boxes_started(self, index: int) -> Boxes:
        """What a job got at the event that started it."""
        job = int(self.event_jobs[index])
        last = int(self.first_box[job]), int(self.box_count[job])
        return self._boxes_from(*(last if self.outages is None else self.outages.cut_stints.get(index, last)))

    def _boxes_from(self, first: int, count: int) -> Boxes:
        return tuple(map(Box._make, self.boxes[first : first + count].tolist()))

    @cached_property
    def across(self) -> bool:
        """Whether a job's boxes are the parts of one block that may lie across seams."""
        return self.strategy.crosses_seams(self.scenario.allocator.options, self.mesh)

    @cached_property
    def blocks(self) -> Ints32:
        """How many blocks each job got: a box across seams is one, and so is what switches join."""
        return self.as_block_counts(self.box_count)

    def as_block_counts(self, boxes: Ints32) -> Ints32:
        """Numbers of boxes as numbers of blocks."""
        one = self.across or self.strategy.switched
        return np.minimum(boxes, np.int32(1)) if one else boxes

    def blocks_of(self, job: int, position: int | None = None) -> Boxes:
        """What the job got last, or in its stint at a position; a box across seams goes beyond the mesh."""
        return self.as_blocks(self.boxes_of(job, position))

    def block_count(self, job: int, position: int) -> int:
        """How many blocks the job got last, or in its stint at a position."""
        return int(self.as_block_counts(self.stints_at(position).box_count[job]))

    def processors_of(self, job: int, position: int) -> int:
        """The processors that the job got last, or in its stint at a position."""
        return sum(box.volume for box in self.boxes_of(job, position))

    def as_blocks(self, boxes: Boxes) -> Boxes:
        """What a job gets, a box across seams as one that goes beyond the mesh."""
        return (self.mesh.joined(boxes),) if self.across and boxes else boxes

    def snapshot(self, position: int) -> Snapshot:
        """The machine after that many events."""
        if not 0 <= position <= len(self):
            raise IndexError(f"position {position} is not between 0 and {len(self)}")
        return Snapshot(self, position)

    def down_at(self, position: int) -> Boxes:
        """The processors that are down at a position, as boxes."""
        return () if self.outages is None else self.outages.down(position)

    def queue(self, position: int) -> Ints32:
        """The jobs that wait at a position, the next to be served first."""
        of = self.stints_at(position)
        waiting = np.flatnonzero(
            (self.arrived < position) & (of.started >= position) & (of.ended >= position)
        )
        order = np.argsort(self.ranks_at(position)[waiting], kind="stable")  # by arrival it is in order
        return waiting[order].astype(np.int32)

    def ranks_at(self, position: int) -> Floats:
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
        return self._asked(job, now, position)

    def _asked(self, job: int, now: float, position: int) -> Request:
        service = (self.stated_service(job) or 0.0) - self.saved(job, position)
        return Request(job, self.jobs.size(job), now, max(service, 0.0), self.seed)

    def saved(self, job: int, position: int) -> float:
        """How much of a job's work is done at a position, and kept in a checkpoint."""
        return 0.0 if self.outages is None else self.outages.saved(job, position)

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
                working.replay(self._asked(job, float(self.times[index]), index), self.boxes_started(index))
            elif kind == EventKind.RESERVE:
                working.allocate(self._asked(job, float(self.times[index]), index))
            elif kind == EventKind.FINISH:
                if (feedback := feedback_of(working)).size:
                    self._report(feedback, index, job)
                working.release(job)
            elif kind == EventKind.KILL:
                tell_time(working, float(self.times[index]))
                working.release(job)
            if self.outages is not None:
                self._hold_out(self.outages, working, index)

    def _hold_out(self, outages: Outages, working: Strategy, index: int) -> None:
        """Repeat what the strategy held out, or let in again, right behind an event."""
        for _, out, box in outages.holds_between(index, index + 1).tolist():
            (working.hold_out if out else working.let_in)(Box(*box))

    def _report(self, feedback: Floats, index: int, job: int) -> None:
        """Report a job that leaves to a strategy, as the run did."""
        spec, means = self.scenario.network, NO_MESSAGES
        if spec is not None and self.packets is not None:
            means = message_means(self.mesh, spec.law, self.packets, job)
        started = self.stints_at(index).started[job]
        now, start = float(self.times[index]), float(self.times[started])
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
        position, job, outcome = self.attempts[attempt]
        boxes = self.boxes_of(job, position)
        if outcome_of(trace.outcome) != outcome or trace.boxes not in {None, boxes}:
            said = tr("{working} answered differently when asked for job {job} again")
            raise StrategyError(said.format(working=working.id, job=job))
        return trace

    # Curves

    def busy_steps(self) -> tuple[Floats, Ints]:
        """Times of all events and the processors held after each."""
        return self.times, self.steps_of(self.held_processors(), self.cut_stints()[0])

    def steps_of(self, amounts: NDArray[np.integer], cut: NDArray[np.integer] | None = None) -> Ints:
        """After each event the sum over the running jobs of an amount that each has.

        In the stints that failures have cut off they may have had other amounts, one for each kill.
        """
        sizes = amounts[self.event_jobs].astype(np.int64)
        change = np.select(
            [self.kinds == EventKind.START, self.kinds == EventKind.FINISH], [sizes, -sizes], 0
        )
        if self.outages is not None:
            kills = self.outages.kills
            had = amounts[kills["job"]] if cut is None else cut
            change[kills["started"]], change[kills["position"]] = had, -had
        return np.cumsum(change)

    def busy_list_steps(self) -> Ints:
        """After each event the boxes held."""
        kills = None if self.outages is None else self.as_block_counts(self.outages.kills["box_count"])
        return self.steps_of(self.blocks, kills)

    def down_steps(self) -> Ints:
        """After each event the processors that are down."""
        if self.outages is None:
            return np.zeros(len(self), dtype=np.int64)
        return self.outages.down_steps(len(self))

    def queue_steps(self) -> tuple[Floats, Ints]:
        """Times of all events and the jobs waiting after each."""
        change = np.select(
            [self.kinds == EventKind.ARRIVE, self.kinds == EventKind.START, self.kinds == EventKind.REJECT],
            [1, -1, -1],
            0,
        )
        if self.outages is not None:
            change[self.outages.requeued["position"]] = 1
        return self.times, np.cumsum(change)

    def held_processors(self) -> Ints:
        """Processors each job holds or held; 0 for a job that never started."""
        volumes = np.concatenate(([0], np.cumsum(self.boxes[:, 3:].astype(np.int64).prod(axis=1))))
        first = self.first_box.astype(np.int64)
        held: Ints = volumes[first + self.box_count] - volumes[first]
        return held

    def cut_stints(self) -> tuple[Ints, Floats]:
        """Of each stint that a failure has cut off the processors held, and for how long."""
        if self.outages is None:
            return np.empty(0, dtype=np.int64), np.empty(0)
        volumes = self.boxes[:, 3:].astype(np.int64).prod(axis=1)
        return held_in_cut_stints(self.outages, self.times, volumes)

    # What jobs are

    def rejection(self, job: int) -> str:
        """Why a job was rejected."""
        never = tr("it fits no longer: processors are down for ever")
        return self._refuser.refusal(self.size(job)) or never

    @cached_property
    def _refuser(self) -> Strategy:
        return self.new_strategy()

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
