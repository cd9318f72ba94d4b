"""The event loop: at one time finishes, then arrivals, then starts; until the last job is done."""

from __future__ import annotations

import heapq
import math
from array import array
from bisect import bisect_left, insort
from collections.abc import Callable
from time import monotonic, perf_counter_ns
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Allocation, Boxes, Reservation, Strategy
from meshgui.engine.allocation.guard import Guarded, StuckError, failed, long_calls
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import StrategyError, strategy
from meshgui.engine.geometry import Box, cells
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.planning import CopiedMachine
from meshgui.engine.recording import NEVER, AttemptOutcome, EventKind, KeyFrame, Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling import DISCIPLINES
from meshgui.engine.workload.job_stream import JobStream, job_stream

__all__ = ["Cancelled", "Simulation", "simulate"]

P = TypeVar("P")
R = TypeVar("R")
Progress = Callable[[int, int], bool]  # jobs ended, jobs in all; False stops the run

_EVENTS_BETWEEN_REPORTS = 256
_SECONDS_BETWEEN_REPORTS = 0.05  # for strategies that take long over an event: a run must stay stoppable
_EVENTS_BETWEEN_FRAMES = 64
_FEW_BOXES = 8  # are marked one by one sooner than all at once
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
        self.discipline = DISCIPLINES[spec.name](spec.options)
        self.ranks = self.discipline.ranks(self.jobs)
        with long_calls():
            self.strategy = strategy(scenario.allocator.name)(scenario.machine, scenario.allocator.options)
        self.complete = False
        self._record = record
        self.now = 0.0
        self.free = scenario.machine.processors
        self._occupied = np.full(scenario.machine.extents[::-1], False)
        self._queue: list[tuple[float, int]] = []
        self._reserved: set[int] = set()
        self._finishes: list[tuple[float, int]] = []
        self._traffic = traffic_of(scenario, self.jobs, self.seed)
        self._stated_ends: dict[int, float] = {}  # when the running jobs leave, by their stated service times
        self._failed: set[int] = set()  # jobs tried in vain since the strategy's state last changed
        self._plan: CopiedMachine | None = None  # of the state since then
        self._planned_at = 0.0
        self._ended = 0
        n = len(self.jobs)
        self._times, self._kinds, self._event_jobs = array("d"), array("B"), array("i")
        self._arrived, self._started, self._ended_at, self._reserved_at = (
            array("i", [NEVER]) * n for _ in range(4)
        )
        self._first_box, self._box_count = array("i", [0]) * n, array("i", [0]) * n
        self._boxes, self._reservations = array("h"), array("h")
        self._attempt_positions, self._attempt_jobs = array("i"), array("i")
        self._attempt_outcomes = array("B")
        self._operations, self._nanoseconds = array("q", [0]) * n, array("q", [0]) * n
        self._part_attempts = array("i", [0]) * (n if self.strategy.part_attempts is not None else 0)
        self._frames: list[KeyFrame] = []
        self._next_frame = _EVENTS_BETWEEN_FRAMES
        self._arrivals = self.jobs.arrival.tolist()
        self._services = np.nan_to_num(self.jobs.service, nan=0.0).tolist()  # nobody plans with unstated ones

    def run(self, progress: Progress | None = None) -> Recording:
        """Run to the end, or until `progress` says to stop."""
        n = len(self.jobs)

        def look() -> None:
            if progress is not None and not progress(self._ended, n):
                raise Cancelled

        with long_calls(look):
            self._load_kernels()
            self._run(look)
        if self._queue or self._reserved:
            job = min([job for _, job in self._queue] + list(self._reserved))
            raise StrategyError(
                f"{self.strategy.id} could not place job {job} on the empty machine, and did not refuse it"
            )
        self.complete = True
        return self.recording()

    def _run(self, look: Callable[[], None]) -> None:
        n = len(self.jobs)
        arrivals, finishes, traffic = self._arrivals, self._finishes, self._traffic
        arriving, report, late = 0, _EVENTS_BETWEEN_REPORTS, monotonic() + _SECONDS_BETWEEN_REPORTS
        while True:
            upcoming = min(
                arrivals[arriving] if arriving < n else math.inf, finishes[0][0] if finishes else math.inf
            )
            if traffic is not None:
                upcoming = min(upcoming, traffic.next_barrier(upcoming, look))
            if upcoming == math.inf:
                return
            self.now = upcoming
            if traffic is not None:
                for job in traffic.completed(self.now):
                    heapq.heappush(finishes, (self.now, job))
            happened = len(self._times)
            while finishes and finishes[0][0] == self.now:
                self._finish(heapq.heappop(finishes)[1])
            while arriving < n and arrivals[arriving] == self.now:
                self._arrive(arriving)
                arriving += 1
            if len(self._times) > happened:  # not where a job only goes on to its next messages
                self._start_waiting()
            if self._record and len(self._times) >= self._next_frame:
                self._keep_frame()
            if len(self._times) >= report or monotonic() >= late:
                report = len(self._times) + _EVENTS_BETWEEN_REPORTS
                late = monotonic() + _SECONDS_BETWEEN_REPORTS
                look()

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
            np.array(self._reserved_at, dtype=np.int32),
            np.array(self._reservations, dtype=np.int16).reshape(-1, 6),
            np.array(self._first_box, dtype=np.int32),
            np.array(self._box_count, dtype=np.int32),
            np.array(self._boxes, dtype=np.int16).reshape(-1, 6),
            np.array(self._attempt_positions, dtype=np.int32),
            np.array(self._attempt_jobs, dtype=np.int32),
            np.array(self._attempt_outcomes, dtype=np.uint8),
            tuple(self._frames),
            np.array(self._operations, dtype=np.int64),
            np.array(self._nanoseconds, dtype=np.float64) * 1e-9,
            np.array(self._part_attempts, dtype=np.int32),
            self._traffic.packets() if self._traffic is not None else None,
        )

    def _load_kernels(self) -> None:
        """Have the strategy's kernels compiled before anything is timed: one node taken and given back."""
        try:
            scratch = type(self.strategy)(self.scenario.machine, self.scenario.allocator.options)
            if scratch.allocate(Request(0, (1, 1, 1))) is not None:
                scratch.release(0)
        except (Cancelled, StuckError):
            raise  # rather than wait for the same once more
        except Exception:  # noqa: BLE001 - what goes wrong here goes wrong again in the run, which says where
            return

    def _event(self, kind: EventKind, job: int) -> int:
        """Note an event that happens now; its index."""
        self._times.append(self.now)
        self._kinds.append(kind)
        self._event_jobs.append(job)
        return len(self._times) - 1

    def _arrive(self, job: int) -> None:
        self._arrived[job] = self._event(EventKind.ARRIVE, job)
        refusal = self.strategy.refusal(self.jobs.size(job))
        if refusal is not None:
            self._ended_at[job] = self._event(EventKind.REJECT, job)
            self._ended += 1
            return
        insort(self._queue, (self.ranks[job], job))

    # The floor, as the queue discipline sees it

    def head(self) -> int | None:
        """The job that waits with the lowest rank, and has nothing reserved."""
        return self._queue[0][1] if self._queue else None

    def waiting(self) -> list[int]:
        """The jobs that wait and have nothing reserved, in order of rank."""
        return [job for _, job in self._queue]

    def service(self, job: int) -> float:
        """The job's stated service time."""
        service: float = self._services[job]
        return service

    def offer(self, job: int) -> bool:
        """Have the strategy try to place a job: whether it has left the queue."""
        if job in self._failed:
            return False  # nothing has changed since it failed, so it would fail again
        outcome = self._attempt(job)
        if outcome is None:
            self._failed.add(job)
            return False
        queue = self._queue
        del queue[bisect_left(queue, (self.ranks[job], job))]
        if isinstance(outcome, Reservation):
            self._reserve(job, outcome)
        else:
            self._start(job, outcome)
        return True

    def plan(self) -> CopiedMachine:
        """The machine as it is, to plan with. While a job is late, every moment is another."""
        late = self.now > self._planned_at and any(end < self.now for end in self._stated_ends.values())
        if self._plan is None or late:
            self._plan = CopiedMachine(self._fresh_copy, self._request, self._planned_ends())
            self._planned_at = self.now
        return self._plan

    def _planned_ends(self) -> list[tuple[float, int]]:
        """When the running jobs leave, as far as is stated; who is late already may leave at any moment."""
        return sorted((max(end, self.now), job) for job, end in self._stated_ends.items())

    def _fresh_copy(self) -> Strategy:
        copy = type(self.strategy)(self.scenario.machine, self.scenario.allocator.options)
        copy.restore(self.strategy.capture())
        return copy

    def _start_waiting(self) -> None:
        """Start what was reserved and has come free, then offer the queue to the allocator."""
        for job in self._due() if self._reserved else ():
            outcome = self._attempt(job)
            if outcome is None or isinstance(outcome, Reservation):
                raise StrategyError(f"{self.strategy.id} did not give job {job} what it had reserved for it")
            self._reserved.discard(job)
            self._start(job, outcome)
        if self._queue:
            self.discipline.serve(self)

    def _due(self) -> tuple[int, ...]:
        due = self.strategy.due()
        if not self._reserved.issuperset(due):
            raise StrategyError(
                f"{self.strategy.id} calls {due!r} due, which are not all jobs it reserved for"
            )
        return due

    def _request(self, job: int) -> Request:
        return Request(job, self.jobs.size(job), self.now, self._services[job], self.seed)

    def _attempt(self, job: int) -> Allocation:
        outcome = self._measured("allocating", self.strategy.allocate, self._request(job), job)
        if self._record:  # all at once: while the strategy searches, somebody may look at the recording
            self._attempt_positions.append(len(self._times))
            self._attempt_jobs.append(job)
            self._attempt_outcomes.append(AttemptOutcome.of(outcome))
        return outcome

    def _measured(self, doing: str, function: Callable[[P], R], argument: P, job: int) -> R:
        """What the strategy answers; the time and the operations that took are the job's."""
        strategy = self.strategy
        before, begun = strategy.operations, perf_counter_ns()
        try:
            answer = function(argument)
        except StrategyError:
            raise
        except Exception as error:
            raise failed(strategy.id, doing, error, job) from error
        took = perf_counter_ns() - begun
        self._nanoseconds[job] += strategy.took if isinstance(strategy, Guarded) else took
        self._operations[job] += strategy.operations - before
        return answer

    def _changed(self) -> None:
        """The strategy's state is another: what failed may succeed, and plans are void."""
        self._failed.clear()
        self._plan = None

    def _reserve(self, job: int, reservation: Reservation) -> None:
        self._changed()
        [row] = self._rows_of(job, (reservation.box,))
        self._reservations.extend(row.tolist())
        self._reserved.add(job)
        self._reserved_at[job] = self._event(EventKind.RESERVE, job)

    def _start(self, job: int, boxes: Boxes) -> None:
        self._changed()
        rows = self._checked(job, boxes)
        if self._part_attempts:
            self._part_attempts[job] = self.strategy.part_attempts or 0
        self._first_box[job] = len(self._boxes) // 6
        self._box_count[job] = len(rows)
        self._boxes.frombytes(rows.tobytes())
        self._started[job] = self._event(EventKind.START, job)
        stated = self.now + self._services[job]
        self._stated_ends[job] = stated
        if self._traffic is None:
            heapq.heappush(self._finishes, (stated, job))
            return
        nodes = self.strategy.nodes(boxes)[: math.prod(self.jobs.size(job))]  # a process on each it asked for
        if not self._traffic.begin(job, nodes, boxes, self.now):
            heapq.heappush(self._finishes, (self.now, job))

    def _finish(self, job: int) -> None:
        self._changed()
        self._measured("releasing", self.strategy.release, job, job)
        self._vacate(job)
        self._ended_at[job] = self._event(EventKind.FINISH, job)
        self._stated_ends.pop(job, None)
        self._ended += 1

    def _rows_of(self, job: int, given: Boxes) -> NDArray[np.int64]:
        """Boxes as rows of an array, if they are boxes inside the mesh."""
        name, mesh = self.strategy.id, self.scenario.machine
        try:
            rows = np.array([tuple(box) for box in given]).reshape(len(given), 6)
        except (TypeError, ValueError, OverflowError):
            rows = np.empty((0, 6))
        if rows.dtype.kind not in "iu":
            raise StrategyError(f"{name} gave job {job} {given!r}: expected a sequence of boxes")
        low, size = rows[:, :3], rows[:, 3:]
        if low.min() < 0 or size.min() < 1 or ((low + size).max(axis=0) > mesh.extents).any():
            box = next(box for box in rows.tolist() if not mesh.holds(Box(*box)))
            raise StrategyError(f"{name} gave job {job} the box {tuple(box)}, which is not inside the mesh")
        return rows

    def _checked(self, job: int, given: Boxes) -> NDArray[np.int16]:
        """Hold a strategy to its word: boxes inside the mesh, free, and enough of them."""
        name = self.strategy.id
        try:
            some = len(given) > 0
        except TypeError:
            raise StrategyError(f"{name} gave job {job} {given!r}: expected a sequence of boxes") from None
        rows = self._rows_of(job, given) if some else np.empty((0, 6), dtype=np.int64)
        held = int(rows[:, 3:].prod(axis=1).sum())
        if held < math.prod(self.jobs.size(job)):
            raise StrategyError(f"{name} gave job {job} fewer processors than it asked for")
        self._take(job, rows)
        self.free -= held
        return rows.astype(np.int16)

    def _take(self, job: int, rows: NDArray[np.int64]) -> None:
        """Mark boxes as held, which they must not be yet."""
        if len(rows) > _FEW_BOXES:
            places = cells(rows, self.scenario.machine)
            flat = self._occupied.reshape(-1)
            if not flat[places].any() and len(np.unique(places)) == len(places):
                flat[places] = True
                return
        for x, y, z, w, d, h in rows.tolist():
            part = self._occupied[z : z + h, y : y + d, x : x + w]
            if part.any():
                box = (x, y, z, w, d, h)
                name = self.strategy.id
                raise StrategyError(f"{name} gave job {job} the box {box}, of which a part is held already")
            part[...] = True

    def _vacate(self, job: int) -> None:
        """Mark all the job holds as free."""
        first, count = self._first_box[job], self._box_count[job]
        rows = np.array(self._boxes[6 * first : 6 * (first + count)], dtype=np.int64).reshape(-1, 6)
        self.free += int(rows[:, 3:].prod(axis=1).sum())
        if len(rows) > _FEW_BOXES:
            self._occupied.reshape(-1)[cells(rows, self.scenario.machine)] = False
            return
        for x, y, z, w, d, h in rows.tolist():
            self._occupied[z : z + h, y : y + d, x : x + w] = False

    def _keep_frame(self) -> None:
        state = self.strategy.capture()
        self._frames.append(KeyFrame(len(self._times), state))
        nbytes = sum(a.nbytes for a in state.values())
        self._next_frame = len(self._times) + max(_EVENTS_BETWEEN_FRAMES, nbytes // _FRAME_BYTES_PER_EVENT)


def traffic_of(scenario: Scenario, jobs: JobStream, seed: int) -> Traffic | None:
    """The network of a scenario, if it has one."""
    network = scenario.network
    return None if network is None else Traffic(network, scenario.machine, jobs.messages, seed)


def simulate(scenario: Scenario, seed: int | None = None, progress: Progress | None = None) -> Recording:
    """Run a scenario and record it."""
    return Simulation(scenario, seed).run(progress)
