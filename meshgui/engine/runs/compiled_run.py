"""Runs scenarios: by the compiled loop where strategy and discipline allow it."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Final, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.guard import long_calls
from meshgui.engine.basics.memory import MemoryWatch
from meshgui.engine.basics.polling import polled
from meshgui.engine.network.traffic import HOPS_AT_ONCE, Traffic
from meshgui.engine.runs import compiled_loop, loop_state
from meshgui.engine.runs.attempts import AttemptRecorder
from meshgui.engine.runs.compiled_network_loop import NETWORK, advance_with_network
from meshgui.engine.runs.expectation import expectation, require_room
from meshgui.engine.runs.loop_queue import push_finish, waiting_jobs
from meshgui.engine.runs.loop_state import Loop, StrategyCalls
from meshgui.engine.runs.recorder import EVENTS_BETWEEN_FRAMES, FRAME_BYTES_PER_EVENT
from meshgui.engine.runs.recording import NEVER, EventKind, KeyFrame, Recording
from meshgui.engine.runs.simulation import Cancelled, Progress, Simulation, traffic_of
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.easy_backfilling import EasyBackfilling
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.scheduling.out_of_order import OutOfOrder
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.generator import job_stream
from meshgui.engine.workload.spec import ListWorkload

__all__ = ["CompiledRun", "Run", "compiles", "new_run", "simulate_figures"]

R = TypeVar("R")

_FIRST_EVENTS_AT_ONCE: Final = 64  # between two reports,
_MOST_EVENTS_AT_ONCE: Final = 4096  # and many of them where they take
_SHORT: Final = 0.01  # seconds;
_LONG: Final = 0.05  # in more than these, the loop works beside the reports
_FIRST_ATTEMPTS: Final = 1 << 14  # room for these, and for a number of key frames,
_FRAMES_AT_ONCE: Final = 32  # before they are taken away
_SERVING: Final[dict[Callable[..., None], int]] = {
    Discipline.serve: loop_state.HEAD,
    OutOfOrder.serve: loop_state.EVERY,
    EasyBackfilling.serve: loop_state.EASY,
}


def compiles(scenario: Scenario) -> bool:
    """Whether the compiled loop can run a scenario."""
    allocator, scheduler = strategy(scenario.allocator.name), discipline(scenario.scheduler.name)
    kernels = issubclass(allocator, KernelStrategy) and allocator.is_kernels_alone()
    driven = isinstance(scenario.workload, ListWorkload) and scenario.workload.driven
    return kernels and scheduler.serve in _SERVING and not driven


def new_run(scenario: Scenario, seed: int | None = None) -> Run:
    """A run to be recorded."""
    return CompiledRun(scenario, seed, record=True) if compiles(scenario) else Simulation(scenario, seed)


def simulate_figures(
    scenario: Scenario, seed: int | None = None, progress: Progress | None = None
) -> Recording:
    """Run a scenario; the recording has no attempts, and no key frames to step from."""
    if compiles(scenario):
        return CompiledRun(scenario, seed).run(progress)
    return Simulation(scenario, seed, record=False).run(progress)


class CompiledRun:
    """One run of a scenario by the compiled loop, with its attempts and key frames or without."""

    def __init__(self, scenario: Scenario, seed: int | None = None, *, record: bool = False) -> None:
        self.scenario = scenario
        self.seed = scenario.seed if seed is None else seed
        require_room(scenario)
        self.jobs = job_stream(scenario.workload, scenario.network, scenario.machine, self.seed)
        self._serving = _SERVING[discipline(scenario.scheduler.name).serve]
        with long_calls():
            self.strategy = self._new_strategy()
            # another, to plan with
            self._spare = self._new_strategy() if self._serving == loop_state.EASY else self.strategy
        self._traffic = traffic_of(scenario, self.jobs, self.seed)
        self._begun = np.zeros(1, dtype=np.int64)  # how many of the jobs that started last send
        self._record = record
        self._attempts, self._frames = AttemptRecorder(), list[KeyFrame]()
        with long_calls():
            self._loop = self._first_loop()
        # A recorded run is stopped between two calls of the loop; each costs a tenth of a millisecond.
        self._events_at_once = _FIRST_EVENTS_AT_ONCE if record else _MOST_EVENTS_AT_ONCE
        self._slow = False  # whether the loop is long in few events
        self._working_beside = False
        self._latest: Recording | None = None  # what had happened when that was last asked for

    @cached_property
    def _machine(self) -> StrategyCalls:
        return _machine(self.strategy, self._spare)

    def run(self, progress: Progress | None = None) -> Recording:
        """Run to the end, or until `progress` says to stop."""
        expectation(self.scenario, self.jobs).require()
        memory = MemoryWatch()

        def report() -> None:
            memory.look()
            if progress is not None and not progress(self._ended, len(self.jobs)):
                raise Cancelled

        with long_calls(report), polled(report):
            while (state := self._go_on(report)) not in {loop_state.DONE, loop_state.FAULT}:
                if state == loop_state.ROOM:
                    self._make_room()
                elif state >= NETWORK and self._traffic is not None:
                    self._traffic.serve(state - NETWORK)
                report()
        if state == loop_state.FAULT or self._ended < len(self.jobs):
            Simulation(self.scenario, self.seed).run(progress)
            raise RuntimeError(f"{self.strategy.id} fails in the compiled loop alone")
        return self.recording()

    @property
    def _ended(self) -> int:
        return int(self._loop.counters[loop_state.ENDED])

    def _go_on(self, report: Callable[[], None]) -> int:
        """Go on for a while: how far that is."""
        most = int(self._loop.counters[loop_state.EVENTS]) + self._events_at_once
        begun = monotonic()
        state = self._advance(most, report)
        took = monotonic() - begun
        self._slow = took > _LONG
        if took < _SHORT:
            self._events_at_once = min(2 * self._events_at_once, _MOST_EVENTS_AT_ONCE)
        elif self._slow:
            self._events_at_once = _FIRST_EVENTS_AT_ONCE
        return state

    def _advance(self, most: int, report: Callable[[], None]) -> int:
        """Go on up to a number of events, by the kernel that does for the scenario's network."""
        loop, traffic = self._loop, self._traffic
        if traffic is None:
            advance = partial(compiled_loop.advance, loop, self._machine, most)
            return self._beside(advance, long=self._slow)
        if not traffic.compiled:
            return self._advance_with_python(traffic, most, report)
        options, network = self.strategy.options, traffic.network
        row_major = isinstance(options, BlockOptions) and options.mapping == "row-major"
        advance = partial(
            advance_with_network,
            loop, self._machine, network.state, network.rules, traffic.jobs, traffic.sending,
            row_major, self._begun, most, HOPS_AT_ONCE,
        )  # fmt: skip
        return self._beside(advance, long=self._slow)

    def _advance_with_python(self, traffic: Traffic, most: int, report: Callable[[], None]) -> int:
        """The same with a network whose pattern is plain Python."""
        loop, counters = self._loop, self._loop.counters
        while counters[loop_state.EVENTS] < most:
            if not compiled_loop.has_room(loop):
                return loop_state.ROOM
            now = compiled_loop.upcoming(loop)
            now = min(now, traffic.next_completion(now, report))
            if now == math.inf:
                return loop_state.DONE
            for job in traffic.completed():
                push_finish(loop, now, job)
            if not self._beside(partial(compiled_loop.step, loop, self._machine, now)):
                return loop_state.FAULT
            compiled_loop.keep_frame(loop, self._machine)
            for job in loop.started[: counters[loop_state.STARTED]].tolist():
                first, count = loop.jobs[job][["first_box", "box_count"]].tolist()
                boxes = tuple(map(Box._make, loop.boxes[first : first + count].tolist()))
                nodes = self.strategy.nodes(boxes)[: self.jobs.processors[job]]
                if not traffic.begin(job, nodes, boxes, now):
                    push_finish(loop, now, job)
        return loop_state.MORE

    def _beside(self, work: Callable[[], R], *, long: bool = False) -> R:
        """The result of a part of the loop, made so that it can be stopped where a search may take long."""

        def stop() -> None:
            self._loop.counters[loop_state.STOPPED] = 1
            self._spare.stop()
            self.strategy.stop()

        if not long and not self.strategy.may_take_long:
            return work()
        if self._latest is None:
            self.recording()  # which the looks beside the work may ask for
        self._working_beside = True
        result = self.strategy.watched(work, stop, self._spare)
        self._working_beside = False
        return result

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
        rows = np.zeros(n + 1, dtype=loop_state.JOB)
        rows["arrival"] = np.append(jobs.arrival, math.inf)
        rows["service"][:n] = np.nan_to_num(jobs.service, nan=0.0)
        rows["rank"][:n] = ranks
        rows["w"][:n], rows["d"][:n], rows["h"][:n] = jobs.sizes.T
        rows["size"][:n], rows["refused"][:n] = self._sizes()
        rows["failed"] = rows["size_failed"] = -1
        rows["positions"] = NEVER
        memory = self.strategy.memory.size if self._record else 0
        return Loop(
            seed=self.seed,
            serving=self._serving,
            lasting=self.strategy.fails_until_release,
            sized=self.strategy.sees_size_alone,
            networked=self._traffic is not None,
            recording=self._record,
            frame_every=max(EVENTS_BETWEEN_FRAMES, memory // FRAME_BYTES_PER_EVENT),
            crowd=int(np.unique(jobs.arrival, return_counts=True)[1].max(initial=0)),
            counters=_first_counters(mesh.processors),
            clock=np.zeros(2),
            jobs=rows,
            finishes=np.empty(n, dtype=loop_state.END),
            ends=np.empty(mesh.processors, dtype=loop_state.END),
            running=np.empty(mesh.processors, dtype=np.int32),
            waiting=np.empty(n, dtype=np.int32),
            ranked=np.empty(n if self._serving == loop_state.HEAD else 0, dtype=loop_state.END),
            started=np.empty(n, dtype=np.int32),
            occupied=np.full(mesh.extents[::-1], False),
            events=np.empty(4 * n, dtype=loop_state.EVENT),  # arrive, reserve, start, finish
            boxes=np.empty((n + mesh.processors, 6), dtype=np.int16),
            attempts=np.empty((0, 3), dtype=np.int32),
            frames=np.empty((0, memory), dtype=np.uint8),
            frame_positions=np.empty(0, dtype=np.int64),
            reservations=np.empty((n, 6), dtype=np.int16),
        )

    def _sizes(self) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """For each job the number of its size among those that occur, and whether that is refused."""
        first, kinds = _kinds_of(self.jobs.sizes)
        refused = [self.strategy.refusal(self.jobs.size(job)) is not None for job in first.tolist()]
        return kinds.astype(np.int32), np.array(refused, dtype=np.bool_)[kinds]

    def _make_room(self) -> None:
        """Take away what was recorded, and have room for what the next time can bring."""
        self._take_records()
        loop, processors = self._loop, self.scenario.machine.processors
        if loop.counters[loop_state.BOXES] + processors > len(loop.boxes):
            boxes = np.empty((2 * len(loop.boxes) + processors, 6), dtype=np.int16)
            boxes[: len(loop.boxes)] = loop.boxes
            self._loop = loop = loop._replace(boxes=boxes)
        if self._record:
            most = waiting_jobs(loop) + loop.crowd + 2 * processors + 1  # attempts at one time
            if len(loop.attempts) < most:
                room = max(_FIRST_ATTEMPTS, 2 * most)
                self._loop = loop = loop._replace(attempts=np.empty((room, 3), dtype=np.int32))
            if not len(loop.frames):
                self._loop = loop._replace(
                    frames=np.empty((_FRAMES_AT_ONCE, self.strategy.memory.size), dtype=np.uint8),
                    frame_positions=np.empty(_FRAMES_AT_ONCE, dtype=np.int64),
                )

    def _take_records(self) -> None:
        loop, counters = self._loop, self._loop.counters
        self._attempts.extend(loop.attempts[: counters[loop_state.ATTEMPTED]])
        for n in range(counters[loop_state.FRAMES]):
            self._scratch.memory[:] = loop.frames[n]
            self._frames.append(KeyFrame(int(loop.frame_positions[n]), self._scratch.capture()))
        counters[[loop_state.ATTEMPTED, loop_state.FRAMES]] = 0

    @cached_property
    def _scratch(self) -> KernelStrategy:
        """In which kept states are read."""
        return self._new_strategy()

    def recording(self) -> Recording:
        """What has happened so far; while the loop works beside the caller, what was known last."""
        if self._latest is None or not self._working_beside:
            self._take_records()
            self._latest = self._recorded()
        return self._latest

    def _recorded(self) -> Recording:
        loop, none = self._loop, np.empty(0, dtype=np.int32)
        counted = [loop_state.EVENTS, loop_state.BOXES, loop_state.RESERVING]
        events, boxes, reserved = loop.counters[counted].tolist()
        happened, rows = loop.events[:events], loop.jobs[:-1]
        positions = rows["positions"].T
        return Recording(
            scenario=self.scenario,
            seed=self.seed,
            jobs=self.jobs,
            complete=self._ended == len(self.jobs),
            times=happened["time"].copy(),
            kinds=happened["kind"].copy(),
            event_jobs=happened["job"].copy(),
            arrived=positions[EventKind.ARRIVE].copy(),
            started=positions[EventKind.START].copy(),
            ended=np.minimum(positions[EventKind.FINISH], positions[EventKind.REJECT]),
            reserved=positions[EventKind.RESERVE].copy(),
            reservations=loop.reservations[:reserved].copy(),
            ranks=rows["rank"].copy(),
            rank_positions=none,
            rank_jobs=none,
            new_ranks=np.empty(0),
            first_box=rows["first_box"].copy(),
            box_count=rows["box_count"].copy(),
            boxes=loop.boxes[:boxes].copy(),
            attempt_counts=rows["attempts"].copy(),
            attempts=self._attempts.attempts(),
            key_frames=tuple(self._frames),
            operations=rows["operations"].copy(),
            seconds=rows["nanoseconds"] * 1e-9,
            part_attempts=none if self.strategy.part_attempts is None else rows["part_attempts"].copy(),
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


def _first_counters(processors: int) -> NDArray[np.int64]:
    counters = np.zeros(loop_state.COUNTERS, dtype=np.int64)
    counters[loop_state.FREE] = processors
    counters[loop_state.NEXT_FRAME] = EVENTS_BETWEEN_FRAMES
    return counters


Run: TypeAlias = CompiledRun | Simulation


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
