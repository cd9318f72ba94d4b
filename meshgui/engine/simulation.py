"""The event loop: at one time finishes, then arrivals, then starts; until the last job is done."""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import insort
from collections.abc import Callable
from contextlib import suppress
from operator import index
from time import monotonic, perf_counter_ns

import numpy as np

from meshgui.engine.allocation.base import Boxes, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import StrategyError, strategy
from meshgui.engine.geometry import Box
from meshgui.engine.recording import NEVER, EventKind, KeyFrame, Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling import DISCIPLINES
from meshgui.engine.workload import job_stream

__all__ = ["Cancelled", "Simulation", "simulate"]

Progress = Callable[[int, int], bool]  # jobs ended, jobs in all; False stops the run

_EVENTS_BETWEEN_REPORTS = 256
_SECONDS_BETWEEN_REPORTS = 0.05  # for strategies that take long over an event: a run must stay stoppable
_EVENTS_BETWEEN_FRAMES = 64
_FRAME_BYTES_PER_EVENT = 12  # how much memory key frames may take, spread over the events between them


class Cancelled(Exception):  # noqa: N818 - it is not an error that a user stops a run
    """The run was stopped by its progress callback."""


class Simulation:
    """One run of a scenario. `recording()` may be asked for at any time from the thread that runs it."""

    def __init__(self, scenario: Scenario, seed: int | None = None, *, record: bool = True) -> None:
        self.scenario = scenario
        self.seed = scenario.seed if seed is None else seed
        self.jobs = job_stream(scenario, self.seed)
        spec = scenario.scheduler
        self.ranks = DISCIPLINES[spec.name](spec.options).ranks(self.jobs)
        cls = strategy(scenario.allocator.name)
        try:
            self.strategy: Strategy = cls(scenario.machine, scenario.allocator.options)
        except Exception as error:
            raise _fault(cls.id, error) from error
        self.complete = False
        self._record = record
        self._occupied = np.full(scenario.machine.extents[::-1], False)
        self._queue: list[tuple[float, int]] = []
        self._finishes: list[tuple[float, int]] = []
        self._changes = 0  # how often the strategy's state has changed
        self._failed_at = -1  # the number of changes when the queue's head last failed
        self._failed_job = -1
        self._ended = 0
        n = len(self.jobs)
        self._times, self._kinds, self._event_jobs = array("d"), array("B"), array("i")
        self._arrived, self._started, self._ended_at = (array("i", [NEVER]) * n for _ in range(3))
        self._first_box, self._box_count = array("i", [0]) * n, array("i", [0]) * n
        self._boxes = array("h")
        self._attempt_positions, self._attempt_jobs = array("i"), array("i")
        self._attempt_successes = array("B")
        self._operations, self._nanoseconds = array("q", [0]) * n, array("q", [0]) * n
        self._frames: list[KeyFrame] = []
        self._next_frame = _EVENTS_BETWEEN_FRAMES
        self._arrivals = self.jobs.arrival.tolist()
        self._services = self.jobs.service.tolist()

    def run(self, progress: Progress | None = None) -> Recording:
        """Run to the end, or until `progress` says to stop."""
        self._load_kernels()
        n = len(self.jobs)
        arrivals, finishes = self._arrivals, self._finishes
        arriving, report, late = 0, _EVENTS_BETWEEN_REPORTS, monotonic() + _SECONDS_BETWEEN_REPORTS
        while arriving < n or finishes:
            now = min(
                arrivals[arriving] if arriving < n else math.inf, finishes[0][0] if finishes else math.inf
            )
            while finishes and finishes[0][0] == now:
                self._finish(now, heapq.heappop(finishes)[1])
            while arriving < n and arrivals[arriving] == now:
                self._arrive(now, arriving)
                arriving += 1
            self._start_waiting(now)
            if self._record and len(self._times) >= self._next_frame:
                self._keep_frame()
            if progress is not None and (len(self._times) >= report or monotonic() >= late):
                report = len(self._times) + _EVENTS_BETWEEN_REPORTS
                late = monotonic() + _SECONDS_BETWEEN_REPORTS
                if not progress(self._ended, n):
                    raise Cancelled
        if self._queue:
            job = self._queue[0][1]
            raise StrategyError(
                f"{self.strategy.id} could not place job {job} on the empty machine, and did not refuse it"
            )
        self.complete = True
        return self.recording()

    def recording(self) -> Recording:
        """What has happened so far."""
        return Recording(
            self.scenario,
            self.seed,
            self.jobs,
            self.ranks,
            self.complete,
            np.array(self._times, dtype=np.float64),
            np.array(self._kinds, dtype=np.uint8),
            np.array(self._event_jobs, dtype=np.int32),
            np.array(self._arrived, dtype=np.int32),
            np.array(self._started, dtype=np.int32),
            np.array(self._ended_at, dtype=np.int32),
            np.array(self._first_box, dtype=np.int32),
            np.array(self._box_count, dtype=np.int32),
            np.array(self._boxes, dtype=np.int16).reshape(-1, 6),
            np.array(self._attempt_positions, dtype=np.int32),
            np.array(self._attempt_jobs, dtype=np.int32),
            np.array(self._attempt_successes, dtype=np.bool_),
            tuple(self._frames),
            np.array(self._operations, dtype=np.int64),
            np.array(self._nanoseconds, dtype=np.float64) * 1e-9,
        )

    def _load_kernels(self) -> None:
        """Have the strategy's kernels compiled before anything is timed: one node taken and given back."""
        with suppress(Exception):  # what goes wrong here goes wrong again in the run, which says where
            scratch = type(self.strategy)(self.scenario.machine, self.scenario.allocator.options)
            if scratch.allocate(Request(0, (1, 1, 1))) is not None:
                scratch.release(0)

    def _event(self, now: float, kind: EventKind, job: int) -> int:
        """Note an event; its index."""
        self._times.append(now)
        self._kinds.append(kind)
        self._event_jobs.append(job)
        return len(self._times) - 1

    def _arrive(self, now: float, job: int) -> None:
        self._arrived[job] = self._event(now, EventKind.ARRIVE, job)
        try:
            refusal = self.strategy.refusal(self.jobs.size(job))
        except Exception as error:
            raise _fault(self.strategy.id, error, job) from error
        if refusal is not None:
            self._ended_at[job] = self._event(now, EventKind.REJECT, job)
            self._ended += 1
            return
        insort(self._queue, (self.ranks[job], job))

    def _start_waiting(self, now: float) -> None:
        """Offer the queue to the allocator until its head cannot be placed."""
        queue = self._queue
        while queue:
            job = queue[0][1]
            if job == self._failed_job and self._failed_at == self._changes:
                return  # nothing has changed since it failed, so it would fail again
            boxes = self._attempt(now, job)
            if boxes is None:
                self._failed_job, self._failed_at = job, self._changes
                return
            del queue[0]
            self._start(now, job, boxes)

    def _attempt(self, now: float, job: int) -> Boxes | None:
        strategy = self.strategy
        request = Request(job, self.jobs.size(job), now, self._services[job])
        if self._record:
            self._attempt_positions.append(len(self._times))
            self._attempt_jobs.append(job)
        before = strategy.operations
        try:
            begun = perf_counter_ns()
            boxes = strategy.allocate(request)
            self._nanoseconds[job] += perf_counter_ns() - begun
        except Exception as error:
            raise _fault(strategy.id, error, job) from error
        self._operations[job] += strategy.operations - before
        if self._record:
            self._attempt_successes.append(boxes is not None)
        return boxes

    def _start(self, now: float, job: int, boxes: Boxes) -> None:
        self._changes += 1
        boxes = self._checked(job, boxes)
        self._first_box[job] = len(self._boxes) // 6
        self._box_count[job] = len(boxes)
        for box in boxes:
            self._boxes.extend(box)
        self._started[job] = self._event(now, EventKind.START, job)
        heapq.heappush(self._finishes, (now + self._services[job], job))

    def _finish(self, now: float, job: int) -> None:
        self._changes += 1
        strategy = self.strategy
        before = strategy.operations
        try:
            begun = perf_counter_ns()
            strategy.release(job)
            self._nanoseconds[job] += perf_counter_ns() - begun
        except Exception as error:
            raise _fault(strategy.id, error, job) from error
        self._operations[job] += strategy.operations - before
        self._mark(job, occupied=False)
        self._ended_at[job] = self._event(now, EventKind.FINISH, job)
        self._ended += 1

    def _checked(self, job: int, given: Boxes) -> Boxes:
        """Hold a strategy to its word: boxes inside the mesh, free, and enough of them."""
        name, mesh = self.strategy.id, self.scenario.machine
        try:
            boxes = tuple(Box(*map(index, box)) for box in given)
        except TypeError:
            raise StrategyError(f"{name} gave job {job} {given!r}: expected a sequence of boxes") from None
        if not boxes or sum(box.volume for box in boxes) < math.prod(self.jobs.size(job)):
            raise StrategyError(f"{name} gave job {job} fewer processors than it asked for")
        for box in boxes:
            if not mesh.holds(box):
                raise StrategyError(
                    f"{name} gave job {job} the box {tuple(box)}, which is not inside the mesh"
                )
            part = self._occupied[box.z : box.z + box.h, box.y : box.y + box.d, box.x : box.x + box.w]
            if part.any():
                raise StrategyError(
                    f"{name} gave job {job} the box {tuple(box)}, of which a part is held already"
                )
            part[...] = True
        return boxes

    def _mark(self, job: int, *, occupied: bool) -> None:
        first, count = self._first_box[job], self._box_count[job]
        for row in range(first, first + count):
            x, y, z, w, d, h = self._boxes[6 * row : 6 * row + 6]
            self._occupied[z : z + h, y : y + d, x : x + w] = occupied

    def _keep_frame(self) -> None:
        try:
            state = self.strategy.capture()
        except Exception as error:
            raise _fault(self.strategy.id, error) from error
        self._frames.append(KeyFrame(len(self._times), state))
        nbytes = sum(a.nbytes for a in state.values())
        self._next_frame = len(self._times) + max(_EVENTS_BETWEEN_FRAMES, nbytes // _FRAME_BYTES_PER_EVENT)


def _fault(name: str, error: Exception, job: int | None = None) -> StrategyError:
    """Whatever a strategy raises stops the run with the strategy's name: it may be anybody's."""
    at = "" if job is None else f" at job {job}"
    said = " ".join(str(error).split())
    return StrategyError(f"{name} failed{at}: {type(error).__name__}: {said}")


def simulate(scenario: Scenario, seed: int | None = None, progress: Progress | None = None) -> Recording:
    """Run a scenario and record it."""
    return Simulation(scenario, seed).run(progress)
