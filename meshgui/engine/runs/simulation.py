"""The event loop: at one time finishes, then arrivals, then starts; until the last job is done."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from time import monotonic, perf_counter_ns
from typing import TypeVar

import numpy as np

from meshgui.engine.allocation.base import Allocation, Boxes, BoxRows, Reservation, Strategy
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.guard import StrategyError, StuckError, long_calls
from meshgui.engine.basics.memory import MemoryBoundError, MemoryWatch
from meshgui.engine.basics.plugins import failure
from meshgui.engine.basics.polling import polled
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.traffic import Traffic
from meshgui.engine.runs.audit import Audit
from meshgui.engine.runs.expectation import expectation, require_room
from meshgui.engine.runs.recorder import Recorder
from meshgui.engine.runs.recording import EventKind, Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.job_queue import JobQueue
from meshgui.engine.scheduling.machine_copy import MachineCopy
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.generator import job_stream
from meshgui.engine.workload.job_stream import JobStream
from meshgui.engine.workload.spec import ListWorkload

__all__ = ["Cancelled", "Simulation", "simulate"]

P = TypeVar("P")
R = TypeVar("R")
Progress = Callable[[int, int], bool]  # jobs ended, jobs in all; False stops the run

_EVENTS_BETWEEN_REPORTS = 256
_SECONDS_BETWEEN_REPORTS = 0.05  # for strategies that take long over an event: a run must stay stoppable


class Cancelled(Exception):  # noqa: N818 - it is not an error that a user stops a run
    """The run was stopped by its progress callback."""


class Simulation:
    """One run of a scenario: `step` makes it go on by one time, `peek` says which that will be.

    `recording()` may be called at any time from the thread that runs it.
    """

    def __init__(self, scenario: Scenario, seed: int | None = None, *, record: bool = True) -> None:
        self.scenario = scenario
        self.seed = scenario.seed if seed is None else seed
        require_room(scenario)
        self.jobs = job_stream(scenario.workload, scenario.network, scenario.machine, self.seed)
        with long_calls():
            self.strategy = strategy(scenario.allocator.name)(scenario.machine, scenario.allocator.options)
        own = self.strategy
        self._kernels = own if isinstance(own, KernelStrategy) and own.is_kernels_alone() else None
        self._allocate: Callable[[Request], Allocation | BoxRows] = (
            own.allocate if self._kernels is None else self._kernels.allocate_rows
        )
        self.now = 0.0
        self.complete = False
        spec = scenario.scheduler
        self.queue = JobQueue(discipline(spec.name), spec.options, self.jobs, self)
        self._audit = Audit(self.strategy.id, scenario.machine)
        counts_parts = self.strategy.part_attempts is not None
        self._recorder = Recorder(len(self.jobs), all_recorded=record, counts_parts=counts_parts)
        self._traffic = traffic_of(scenario, self.jobs, self.seed)
        self._sizes = self.jobs.size_list
        self._arrivals: list[float] = [*self.jobs.arrival.tolist(), math.inf]
        self._services: list[float] = np.nan_to_num(self.jobs.service, nan=0.0).tolist()
        self._lasting: list[float] = np.nan_to_num(self.jobs.lasting, nan=0.0).tolist()
        self._moves = deque(sorted(_moves_of(scenario), key=lambda move: move[0]))
        self._arriving = 0  # the job that arrives next
        self._ended = 0
        self._finishes: list[tuple[float, int]] = []  # a heap
        self._stated_ends: dict[int, float] = {}  # when the running jobs leave, by their stated service times
        self._plan: MachineCopy | None = None  # of the machine as it is, at _planned_at
        self._planned_at = 0.0
        self._report: Callable[[], None] = lambda: None

    def run(self, progress: Progress | None = None) -> Recording:
        """Run to the end, or until `progress` says to stop."""
        expectation(self.scenario, self.jobs).require()
        memory = MemoryWatch()

        def report() -> None:
            memory.look()
            if progress is not None and not progress(self._ended, len(self.jobs)):
                raise Cancelled

        self._report = report
        with long_calls(report), polled(report):
            self._load_kernels()
            self._run_to_the_end()
        if not self._stated_ends:  # else jobs run for ever, and what waits may be waiting for them
            self._check_that_all_left()
            self.complete = True
        return self.recording()

    def peek(self) -> float:
        """When something happens next; infinity if nothing is left."""
        upcoming = self._arrivals[self._arriving]
        if self._finishes:
            upcoming = min(upcoming, self._finishes[0][0])
        if self._moves:
            upcoming = min(upcoming, self._moves[0][0])
        if self._traffic is not None:
            upcoming = min(upcoming, self._traffic.next_completion(upcoming, self._report))
        return upcoming

    def step(self) -> bool:
        """Go on to the next time and do all that happens then; False if nothing is left."""
        now = self.peek()
        if now == math.inf:
            return False
        self.now = now
        happened = len(self._recorder.times)
        finishes, arrivals = self._finishes, self._arrivals
        if self._traffic is not None:
            for job in self._traffic.completed():
                heapq.heappush(finishes, (now, job))
        while finishes and finishes[0][0] == now:
            self._finish(heapq.heappop(finishes)[1])
        while arrivals[self._arriving] == now:
            self._arrive(self._arriving)
            self._arriving += 1
        while self._moves and self._moves[0][0] == now:
            self._move(*self._moves.popleft()[1:])
        if len(self._recorder.times) == happened:
            return True  # no move was possible: nothing has changed, so nothing is tried
        if self._audit.reserved:
            self._start_reserved()
        self.queue.serve()
        self._recorder.key_frame(self.strategy)
        return True

    def recording(self) -> Recording:
        """What has happened so far."""
        packets = self._traffic.packets() if self._traffic is not None else None
        ranks = self.queue.first_ranks
        return self._recorder.recording(
            self.scenario, self.seed, self.jobs, ranks, packets, complete=self.complete
        )

    def _run_to_the_end(self) -> None:
        times = self._recorder.times
        report, late = _EVENTS_BETWEEN_REPORTS, monotonic() + _SECONDS_BETWEEN_REPORTS
        while self.step():
            if len(times) >= report or monotonic() >= late:
                report = len(times) + _EVENTS_BETWEEN_REPORTS
                late = monotonic() + _SECONDS_BETWEEN_REPORTS
                self._report()

    def _check_that_all_left(self) -> None:
        """Raise an error that names the discipline or the strategy if a job still waits at the end."""
        fault = self.queue.fault_at_the_end()
        if fault is not None:
            raise fault
        if left := {*self.queue.waiting(), *self._audit.reserved}:
            raise StrategyError(
                tr("{id} could not place job {left} on the empty machine, but did not reject it").format(
                    id=self.strategy.id, left=min(left)
                )
            )

    def _load_kernels(self) -> None:
        """Compile the strategy's kernels before anything is timed: allocate and release one node."""
        try:
            if self._kernels is not None:
                self._kernels.entry_points  # noqa: B018 - compiled when they are asked for
                return
            scratch = type(self.strategy)(self.scenario.machine, self.scenario.allocator.options)
            if scratch.allocate(Request(0, (1, 1, 1))) is not None:
                scratch.release(0)
        except (Cancelled, StuckError):
            raise  # rather than wait for the same once more
        except Exception:  # noqa: BLE001 - what goes wrong here goes wrong again in the run, which says where
            return

    # What happens to a job

    def _arrive(self, job: int) -> None:
        self._recorder.event(self.now, EventKind.ARRIVE, job)
        if self.strategy.refusal(self._sizes[job]) is None:
            self.queue.join(job)
        else:
            self._recorder.event(self.now, EventKind.REJECT, job)
            self._ended += 1

    def _move(self, job: int, place: int) -> None:
        """Put a job elsewhere in the queue, if it waits there and that is another place."""
        before = self.queue.position_of(job)
        if before is not None and before != min(place, len(self.queue.waiting()) - 1):
            self._recorder.event(self.now, EventKind.MOVE, job)
            self.queue.move(job, place)

    def _start(self, job: int, given: Boxes | BoxRows) -> None:
        self._machine_changed()
        size = self._sizes[job]
        rows = self._audit.take(job, size, given)
        self._recorder.start(self.now, job, rows, self.strategy.part_attempts)
        stated = self.now + self._services[job]
        self._stated_ends[job] = stated
        if self._traffic is None:
            heapq.heappush(self._finishes, (self.now + self._lasting[job], job))
            return
        boxes = tuple(map(Box._make, rows.tolist()))
        nodes = self.strategy.nodes(boxes)[: math.prod(size)]  # one process on each that the job asked for
        if not self._traffic.begin(job, nodes, boxes, self.now):
            heapq.heappush(self._finishes, (self.now, job))

    def _reserve(self, job: int, reservation: Reservation) -> None:
        self._machine_changed()
        self._recorder.reservation(self.now, job, self._audit.reserve(job, reservation))

    def _finish(self, job: int) -> None:
        self._machine_changed(released=True)
        self._measured(tr("releasing"), self.strategy.release, job, job)
        self._audit.give_back(job)
        self._recorder.event(self.now, EventKind.FINISH, job)
        self._stated_ends.pop(job, None)
        self._ended += 1

    def _start_reserved(self) -> None:
        """Start the jobs whose reserved boxes have come free."""
        for job in self._audit.due(self.strategy.due()):
            self._start(job, self._audit.fulfil(job, self._attempt(job)))

    def _machine_changed(self, *, released: bool = False) -> None:
        """Discard what was valid for the strategy's last state: failed attempts and plans."""
        self.queue.machine_changed(released=released)
        self._plan = None

    # The machine, as the queue needs it

    @property
    def free(self) -> int:
        """The number of free processors."""
        return self._audit.free

    @property
    def fails_until_release(self) -> bool:
        return self.strategy.fails_until_release

    def place(self, job: int) -> bool:
        """Have the strategy try to place a job: whether it was placed, or a box reserved for it."""
        outcome = self._attempt(job)
        if outcome is None:
            return False
        if isinstance(outcome, Reservation):
            self._reserve(job, outcome)
        else:
            self._start(job, outcome)
        return True

    def plan(self) -> MachineCopy:
        """The machine as it is, to plan with. While a job is late, plans hold at one time only."""
        late = self.now > self._planned_at and any(end < self.now for end in self._stated_ends.values())
        if self._plan is None or late:
            ends = sorted((max(end, self.now), job) for job, end in self._stated_ends.items())
            self._plan = MachineCopy(self._copied_strategy, self._request, ends)
            self._planned_at = self.now
        return self._plan

    def order_changed(self, job: int, rank: float) -> None:
        """Record that a waiting job has a new rank."""
        self._recorder.rank(job, rank)

    # Calls of the strategy

    def _copied_strategy(self) -> Strategy:
        copy = type(self.strategy)(self.scenario.machine, self.scenario.allocator.options)
        copy.restore(self.strategy.capture())
        return copy

    def _request(self, job: int) -> Request:
        return Request(job, self._sizes[job], self.now, self._services[job], self.seed)

    def _attempt(self, job: int) -> Allocation | BoxRows:
        outcome = self._measured(tr("allocating"), self._allocate, self._request(job), job)
        self._recorder.attempt(job, outcome)
        return outcome

    def _measured(self, doing: str, function: Callable[[P], R], argument: P, job: int) -> R:
        """What the strategy answers; the time and the operations that took are the job's."""
        strategy = self.strategy
        before, begun = strategy.operations, perf_counter_ns()
        try:
            answer = function(argument)
        except (StrategyError, Cancelled, MemoryBoundError):  # of a call that was stopped within
            raise
        except Exception as error:
            raise StrategyError(failure(strategy.id, doing, error, job)) from error
        took = strategy.took
        if took is None:
            took = perf_counter_ns() - begun
        self._recorder.cost(job, strategy.operations - before, took)
        return answer


def _moves_of(scenario: Scenario) -> tuple[tuple[float, int, int], ...]:
    workload = scenario.workload
    return workload.moves if isinstance(workload, ListWorkload) else ()


def traffic_of(scenario: Scenario, jobs: JobStream, seed: int) -> Traffic | None:
    """The network of a scenario, if it has one."""
    network = scenario.network
    return None if network is None else Traffic(network, scenario.machine, jobs.messages, seed)


def simulate(scenario: Scenario, seed: int | None = None, progress: Progress | None = None) -> Recording:
    """Run a scenario and record it."""
    return Simulation(scenario, seed).run(progress)
