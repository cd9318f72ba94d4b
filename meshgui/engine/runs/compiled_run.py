"""Runs a scenario for its figures alone: the compiled loop where strategy and discipline allow it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.memory import MemoryWatch
from meshgui.engine.basics.polling import polled
from meshgui.engine.network.traffic import HOPS_AT_ONCE, Traffic
from meshgui.engine.runs import compiled_loop as loops
from meshgui.engine.runs.attempts import Attempts
from meshgui.engine.runs.compiled_loop import Loop, StrategyCalls
from meshgui.engine.runs.compiled_network_loop import NETWORK, advance_with_network
from meshgui.engine.runs.expectation import expectation, require_room
from meshgui.engine.runs.recording import NEVER, EventKind, Recording
from meshgui.engine.runs.simulation import Cancelled, Progress, Simulation, traffic_of
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.generator import job_stream
from meshgui.engine.workload.spec import ListWorkload

__all__ = ["CompiledRun", "compiles", "simulate_figures"]

R = TypeVar("R")

_EVENTS_BETWEEN_REPORTS = 4096
_SERVING: Final[dict[Callable[..., None], int]] = {
    Discipline.serve: loops.HEAD,
    OutOfOrder.serve: loops.EVERY,
    EasyBackfilling.serve: loops.EASY,
}


def compiles(scenario: Scenario) -> bool:
    """Whether the compiled loop can run a scenario."""
    allocator, scheduler = strategy(scenario.allocator.name), discipline(scenario.scheduler.name)
    kernels = issubclass(allocator, KernelStrategy) and allocator.is_kernels_alone()
    driven = isinstance(scenario.workload, ListWorkload) and scenario.workload.driven
    return kernels and scheduler.serve in _SERVING and not driven


def simulate_figures(
    scenario: Scenario, seed: int | None = None, progress: Progress | None = None
) -> Recording:
    """Run a scenario; the recording has no attempts, and no key frames to step from."""
    if compiles(scenario):
        return CompiledRun(scenario, seed).run(progress)
    return Simulation(scenario, seed, record=False).run(progress)


class CompiledRun:
    """One run of a scenario by the compiled loop."""

    def __init__(self, scenario: Scenario, seed: int | None = None) -> None:
        self.scenario = scenario
        self.seed = scenario.seed if seed is None else seed
        require_room(scenario)
        self.jobs = job_stream(scenario.workload, scenario.network, scenario.machine, self.seed)
        self._serving = _SERVING[discipline(scenario.scheduler.name).serve]
        self._strategy = self._new_strategy()
        self._spare = self._new_strategy() if self._serving == loops.EASY else self._strategy  # to plan with
        self._machine = _machine(self._strategy, self._spare)
        self._traffic = traffic_of(scenario, self.jobs, self.seed)
        self._loop = self._first_loop()

    def run(self, progress: Progress | None = None) -> Recording:
        """Run to the end, or until `progress` says to stop."""
        expectation(self.scenario, self.jobs).require()
        memory = MemoryWatch()

        def report() -> None:
            memory.look()
            if progress is not None and not progress(int(self._loop.counters[loops.ENDED]), len(self.jobs)):
                raise Cancelled

        with polled(report):
            if self._traffic is None:
                sound = self._run(report)
            elif self._traffic.compiled:
                sound = self._run_with_network(self._traffic, report)
            else:
                sound = self._run_with_python(self._traffic, report)
        counters = self._loop.counters
        if not sound or counters[loops.ENDED] < len(self.jobs):
            Simulation(self.scenario, self.seed).run(progress)
            raise RuntimeError(f"{self._strategy.id} fails in the compiled loop alone")
        return self._recording()

    def _run(self, report: Callable[[], None]) -> bool:
        """Run without a network: whether all answers were sound."""
        while True:
            most = int(self._loop.counters[loops.EVENTS]) + _EVENTS_BETWEEN_REPORTS
            state = self._beside(partial(loops.advance, self._loop, self._machine, most))
            if state in (loops.DONE, loops.FAULT):
                return bool(state == loops.DONE)
            if state == loops.ROOM:
                self._make_room()
            report()

    def _run_with_network(self, traffic: Traffic, report: Callable[[], None]) -> bool:
        """Run with a network, which decides when jobs finish."""
        options = self._strategy.options
        row_major = isinstance(options, BlockOptions) and options.mapping == "row-major"
        begun = np.zeros(1, dtype=np.int64)
        while True:
            most = int(self._loop.counters[loops.EVENTS]) + _EVENTS_BETWEEN_REPORTS
            network = traffic.network
            advance = partial(
                advance_with_network,
                self._loop, self._machine, network.state, network.rules, traffic.jobs, traffic.sending,
                row_major, begun, most, HOPS_AT_ONCE,
            )  # fmt: skip
            state = self._beside(advance)
            if state in (loops.DONE, loops.FAULT):
                return bool(state == loops.DONE)
            if state == loops.ROOM:
                self._make_room()
            elif state >= NETWORK:
                traffic.serve(state - NETWORK)
            report()

    def _run_with_python(self, traffic: Traffic, report: Callable[[], None]) -> bool:
        """Run with a network whose pattern is plain Python."""
        machine, counters = self._machine, self._loop.counters
        sizes = self.jobs.processors.tolist()
        late = 0
        while True:
            now = loops.upcoming(self._loop)
            now = min(now, traffic.next_completion(now, report))
            if now == math.inf:
                return True
            for job in traffic.completed():
                loops.push_finish(self._loop, now, job)
            if counters[loops.BOXES] + self.scenario.machine.processors > len(self._loop.boxes):
                self._make_room()
            loop = self._loop
            if not self._beside(partial(loops.step, loop, machine, now)):
                return False
            for job in loop.started[: counters[loops.STARTED]].tolist():
                first, count = loop.jobs[job][["first_box", "box_count"]].tolist()
                rows = loop.boxes[first : first + count].tolist()
                boxes = tuple(map(Box._make, rows))
                nodes = self._strategy.nodes(boxes)[: sizes[job]]
                if not traffic.begin(job, nodes, boxes, now):
                    loops.push_finish(loop, now, job)
            if counters[loops.EVENTS] >= late:
                late = int(counters[loops.EVENTS]) + _EVENTS_BETWEEN_REPORTS
                report()

    def _beside(self, work: Callable[[], R]) -> R:
        """The result of a part of the loop, made so that it can be stopped where a search may take long."""

        def stop() -> None:
            self._loop.counters[loops.STOPPED] = 1
            self._spare.stop()

        return self._strategy.beside(work, stop)

    def _new_strategy(self) -> KernelStrategy:
        allocator = self.scenario.allocator
        made = strategy(allocator.name)(self.scenario.machine, allocator.options)
        if not isinstance(made, KernelStrategy):
            raise TypeError(f"{made.id} has no kernels")
        return made

    def _first_loop(self) -> Loop:
        jobs, n, mesh = self.jobs, len(self.jobs), self.scenario.machine
        scheduler = discipline(self.scenario.scheduler.name)
        ranks = GuardedDiscipline(scheduler, self.scenario.scheduler.options).ranks(jobs)
        rows = np.zeros(n + 1, dtype=loops.JOB)
        rows["arrival"] = np.append(jobs.arrival, math.inf)
        rows["service"][:n] = np.nan_to_num(jobs.service, nan=0.0)
        rows["rank"][:n] = ranks
        rows["w"][:n], rows["d"][:n], rows["h"][:n] = jobs.sizes.T
        rows["size"][:n], rows["refused"][:n] = self._sizes()
        rows["failed"] = rows["size_failed"] = -1
        rows["positions"] = NEVER
        return Loop(
            seed=self.seed,
            serving=self._serving,
            lasting=self._strategy.fails_until_release,
            networked=self._traffic is not None,
            counters=np.where(np.arange(loops.COUNTERS) == loops.FREE, mesh.processors, 0),
            clock=np.zeros(2),
            jobs=rows,
            finishes=np.empty(n, dtype=loops.END),
            ends=np.empty(n, dtype=loops.END),
            waiting=np.empty(n, dtype=np.int32),
            started=np.empty(n, dtype=np.int32),
            occupied=np.full(mesh.extents[::-1], False),
            events=np.empty(4 * n, dtype=loops.EVENT),  # arrive, reserve, start, finish
            boxes=np.empty((n + mesh.processors, 6), dtype=np.int16),
            reservations=np.empty((n, 6), dtype=np.int16),
        )

    def _sizes(self) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """For each job the number of its size among those that occur, and whether that is refused."""
        first, kinds = _kinds_of(self.jobs.sizes)
        refused = [self._strategy.refusal(self.jobs.size(job)) is not None for job in first.tolist()]
        return kinds.astype(np.int32), np.array(refused, dtype=np.bool_)[kinds]

    def _make_room(self) -> None:
        boxes = self._loop.boxes
        longer = np.empty((2 * len(boxes) + self.scenario.machine.processors, 6), dtype=np.int16)
        longer[: len(boxes)] = boxes
        self._loop = self._loop._replace(boxes=longer)

    def _recording(self) -> Recording:
        loop, none = self._loop, np.empty(0, dtype=np.int32)
        events, boxes, reserved = loop.counters[[loops.EVENTS, loops.BOXES, loops.RESERVING]].tolist()
        happened, rows = loop.events[:events], loop.jobs[:-1]
        positions = rows["positions"].T
        return Recording(
            scenario=self.scenario,
            seed=self.seed,
            jobs=self.jobs,
            complete=True,
            times=np.ascontiguousarray(happened["time"]),
            kinds=np.ascontiguousarray(happened["kind"]),
            event_jobs=np.ascontiguousarray(happened["job"]),
            arrived=np.ascontiguousarray(positions[EventKind.ARRIVE]),
            started=np.ascontiguousarray(positions[EventKind.START]),
            ended=np.minimum(positions[EventKind.FINISH], positions[EventKind.REJECT]),
            reserved=np.ascontiguousarray(positions[EventKind.RESERVE]),
            reservations=loop.reservations[:reserved],
            ranks=np.ascontiguousarray(rows["rank"]),
            rank_positions=none,
            rank_jobs=none,
            new_ranks=np.empty(0),
            first_box=np.ascontiguousarray(rows["first_box"]),
            box_count=np.ascontiguousarray(rows["box_count"]),
            boxes=loop.boxes[:boxes],
            attempt_counts=np.ascontiguousarray(rows["attempts"]),
            attempts=Attempts(),
            key_frames=(),
            operations=np.ascontiguousarray(rows["operations"]),
            seconds=rows["nanoseconds"] * 1e-9,
            part_attempts=none
            if self._strategy.part_attempts is None
            else np.ascontiguousarray(rows["part_attempts"]),
            packets=self._traffic.packets() if self._traffic is not None else None,
        )


def _kinds_of(rows: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where each of the different rows first stands, and for each row its number among them.

    Each column is numbered by itself first: sides themselves, in one number, could overflow.
    """
    kinds = np.zeros(len(rows), dtype=np.intp)
    first = kinds[:1]
    for column in rows.T:
        values, numbers = np.unique(column, return_inverse=True)
        _, first, kinds = np.unique(kinds * len(values) + numbers, return_index=True, return_inverse=True)
    return first, kinds


def _machine(working: KernelStrategy, spare: KernelStrategy) -> StrategyCalls:
    enter = working.entry_points
    return StrategyCalls(
        allocate=enter.allocate.handed,
        release=enter.release.handed,
        due=enter.due.handed,
        handle=working.handle,
        tally=working.state.tally,
        memory=working.memory,
        spare=spare.handle,
        spare_memory=spare.memory,
        given=working.given,
        jobs_due=np.empty((working.mesh.processors, 6), dtype=np.int32),
    )
