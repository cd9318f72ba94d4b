"""Runs scenarios: one event loop, which records what happens or only what the figures need."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Final, NoReturn, TypeVar, cast

import numpy as np

from meshgui.engine.allocation.base import Strategy, mapping_ranks
from meshgui.engine.allocation.guarded_strategy import Guarded
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.cached_property import cached_property
from meshgui.engine.basics.guard import StrategyError, calls_in_one_thread, long_calls
from meshgui.engine.basics.kinds import PLANNING, EventKind, Serving
from meshgui.engine.basics.memory import MemoryWatch
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.work import Progress, Stopped, Work, look
from meshgui.engine.network.traffic import HOPS_AT_ONCE, Traffic
from meshgui.engine.runs.called_strategy import CalledPython, calls_of_kernels
from meshgui.engine.runs.expectation import expectation, require_room
from meshgui.engine.runs.failing_machine import FailingMachine, most_at_once
from meshgui.engine.runs.faults import wrong_answer
from meshgui.engine.runs.job_feedback import feedback_of, message_means
from meshgui.engine.runs.loop_queue import push_finish
from meshgui.engine.runs.loop_state import AnswerFault, Clock, Count, HowFar, LoopQuestion
from meshgui.engine.runs.network_event_loop import NETWORK, advance_with_flits, advance_with_network
from meshgui.engine.runs.offered_queue import OfferedQueue
from meshgui.engine.runs.python_calls import PythonCalls
from meshgui.engine.runs.recording import NEVER, KeyFrame, Recording
from meshgui.engine.runs.running_loop import RunningLoop, begun, first_loop
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.base import Discipline
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.generator import job_stream
from meshgui.engine.workload.job_stream import JobStream
from meshgui.engine.workload.spec import ListWorkload

R = TypeVar("R")

_FIRST_EVENTS_AT_ONCE: Final = 64  # between two reports,
_MOST_EVENTS_AT_ONCE: Final = 4096  # and many of them where they take
_SHORT: Final = 0.01  # seconds;
_LONG: Final = 0.05  # in more than these, the loop works beside the reports


class Simulation:
    """One run of a scenario: `step` makes it go on by one time, `peek` says which that will be.

    `recording()` may be called at any time from the thread that runs it. Attempts and key frames are recorded
    or not.
    """

    def __init__(self, scenario: Scenario, seed: int | None = None, *, record: bool = True) -> None:
        self.scenario = scenario
        self.seed = scenario.seed if seed is None else seed
        require_room(scenario)
        self.jobs = job_stream(scenario.workload, scenario.network, scenario.machine, self.seed)
        kind = discipline(scenario.scheduler.name)
        with long_calls():
            self.strategy = self._new_strategy()
            guarded = GuardedDiscipline(kind, scenario.scheduler.options)
            ranks = guarded.ranks(self.jobs)
        serving = self._serving = kind.serving if kind.serve is Discipline.serve else Serving.OWN
        self._traffic = traffic_of(scenario, self.jobs, self.seed)
        self._begun = np.zeros(1, dtype=np.int64)  # how many of the jobs that started last send
        self._record = record
        self._frames: list[KeyFrame] = []
        moves = self._moves = _moves_of(scenario)
        failing = most_at_once(scenario)
        loop = first_loop(
            scenario, self.jobs, ranks, self.seed, serving, record=record, moves=len(moves), failing=failing
        )
        self._loop = RunningLoop(loop)
        self.queue = OfferedQueue(self._loop, self.jobs, guarded, moves)
        self._failing = (
            FailingMachine(scenario, self.seed, self._loop, self.queue, self.strategy) if failing else None
        )
        self._python: PythonCalls | None = None  # once it has begun: a window shows an empty machine before
        # A recorded run is stopped between two calls of the loop.
        self._events_at_once = _FIRST_EVENTS_AT_ONCE if record else _MOST_EVENTS_AT_ONCE
        self._slow = False  # whether the loop is long in few events
        self._working = False  # in the midst of a time, or beside the loop
        self._latest: Recording | None = None  # what had happened when that was last asked for

    def run(self, work: Work | None = None) -> Recording:
        """Run to the end; who follows the work hears how many jobs have ended, of how many."""
        expectation(self.scenario, self.jobs).require()
        memory = MemoryWatch()

        def far() -> Progress:
            memory.look()
            return Progress(self._ended, len(self.jobs))

        with long_calls(), (work or Work()).under_way(far):
            self._begin()
            while self._go_on() != HowFar.DONE:
                if self._loop.counters[Count.EVENTS]:
                    look()
        if not self._loop.counters[Count.RUNNING]:  # else jobs run for ever, and what waits may wait for them
            self._check_that_all_left()
        return self.recording()

    @property
    def now(self) -> float:
        """The time."""
        return float(self._loop.clock[Clock.NOW])

    @property
    def complete(self) -> bool:
        """Whether all jobs have ended."""
        return self._ended == len(self.jobs)

    def peek(self) -> float:
        """When something happens next; infinity if nothing is left."""
        self._begin()
        upcoming = self._loop.upcoming
        if self._traffic is not None:
            self._begin_sending(self._traffic)
            upcoming = min(upcoming, self._traffic.next_completion(upcoming))
        return upcoming

    def step(self) -> bool:
        """Go on to the next time and do all that happens then; False if nothing is left."""
        now = self.peek()
        if now == math.inf:
            return False
        if self._traffic is not None:
            for job in self._traffic.completed():
                self._note_messages(self._traffic, job)
                push_finish(self._loop.arrays, now, job)
            self._begun[0] = 0
        while self._supplied(self._beside(partial(self._loop.advance, most_times=1))) == HowFar.ROOM:
            pass
        if self._traffic is not None:
            self._begin_sending(self._traffic)
        return True

    @property
    def _ended(self) -> int:
        return int(self._loop.counters[Count.ENDED])

    def _go_on(self) -> HowFar:
        """Go on for a while: how far that is."""
        begun = monotonic()
        how_far = self._supplied(self._advance(self._events_at_once))
        took = monotonic() - begun
        self._slow = took > _LONG
        if took < _SHORT:
            self._events_at_once = min(2 * self._events_at_once, _MOST_EVENTS_AT_ONCE)
        elif self._slow:
            self._events_at_once = max(self._events_at_once // 4, 1)
        return how_far

    def _advance(self, most_events: int) -> int:
        """Go on up to a number of events, by the kernel that does for the scenario's network."""
        loop, traffic = self._loop, self._traffic
        if traffic is None:
            return self._beside(partial(loop.advance, most_events), long=self._slow)
        by_steps = not traffic.compiled or type(self.strategy).nodes is not Strategy.nodes
        if by_steps or feedback_of(self.strategy).size:
            return self._advance_by_steps(most_events)
        network = traffic.network
        advance = partial(
            advance_with_network if network.law.headers_decide else advance_with_flits,
            loop.arrays, loop.machine, traffic.state, network.rules, traffic.jobs, traffic.sending,
            mapping_ranks(self.strategy), self._begun, most_events, HOPS_AT_ONCE,
        )  # fmt: skip
        return self._beside(advance, long=self._slow)

    def _advance_by_steps(self, most_events: int) -> HowFar:
        """The same where the network's pattern or the order of a job's processors is plain Python.

        And where the strategy learns from the messages of jobs.
        """
        most = self._loop.counters[Count.EVENTS] + most_events
        while self._loop.counters[Count.EVENTS] < most:
            if not self.step():
                return HowFar.DONE
        return HowFar.MORE

    def _note_messages(self, traffic: Traffic, job: int) -> None:
        """Note the means of a job's messages, if the strategy learns from them."""
        if feedback_of(self.strategy).size:
            means = message_means(self.scenario.machine, traffic.spec.law, traffic.network.packets_now(), job)
            self._loop.arrays.means[job] = means

    def _begin_sending(self, traffic: Traffic) -> None:
        """Let the jobs send that started in the latest step."""
        loop = self._loop.arrays
        for job in loop.started[self._begun[0] : loop.counters[Count.STARTED]].tolist():
            boxes = self._loop.boxes_of(job)
            nodes = self.strategy.nodes(boxes)[: self.jobs.processors[job]]  # a process on each asked for
            if not traffic.begin(job, nodes, boxes, self.now):
                push_finish(loop, self.now + traffic.computes_alone(job), job)
        self._begun[0] = loop.counters[Count.STARTED]

    def _supplied(self, outcome: int) -> HowFar:
        """How far the loop is; it is given what it has stopped for want of."""
        if outcome >= NETWORK:
            if self._traffic is not None:
                self._traffic.serve(outcome - NETWORK)
            return HowFar.MORE
        if outcome == HowFar.ROOM:
            self._take_frames()
            self._loop.make_room()
        elif outcome == HowFar.FAULT:
            self._raise_fault()
        return HowFar(outcome)

    def _raise_fault(self) -> NoReturn:
        """Raise the error that has stopped the loop."""
        counters, machine = self._loop.counters, self._loop.machine
        fault, job, at = counters[[Count.FAULT, Count.FAULTY_JOB, Count.FAULTY_BOX]].tolist()
        if fault != AnswerFault.NONE:
            boxes, due = machine.boxes_out, machine.jobs_due[: max(at, 0), 0].tolist()
            box = boxes[at].tolist() if 0 <= at < len(boxes) else ()
            raise wrong_answer(self.strategy.id, AnswerFault(fault), job, box, due, count=at, most=len(boxes))
        self._begin().raise_error()
        raise Stopped  # from beside

    def _check_that_all_left(self) -> None:
        """Raise an error that names the discipline or the strategy if a job still waits at the end."""
        if self._serving == Serving.OWN and (fault := self.queue.fault_at_the_end()) is not None:
            raise fault
        if left := self._loop.left():
            said = tr("{id} could not place job {left} on the empty machine, but did not reject it")
            raise StrategyError(said.format(id=self.strategy.id, left=min(left)))

    def _beside(self, work: Callable[[], R], *, long: bool = False) -> R:
        """The result of a part of the loop, made so that it can be stopped where a search may take long."""
        kernels = self._kernels
        watched = kernels if kernels is not None and (long or kernels.may_take_long) else None
        if watched is None and not self._calls_python:
            return work()
        if self._latest is None:
            self.recording()  # which the looks meanwhile may ask for
        self._working = True
        try:
            if watched is not None and (self.queue.is_own or isinstance(watched, Guarded)):
                result = watched.watched(work, self._stop, self._planning)
            else:
                result = self._together(work)
        except BaseException:
            self._working = watched is not None or self._is_third_party  # which may still be at work
            raise
        self._working = False
        return result

    @property
    def _is_third_party(self) -> bool:
        return isinstance(self.strategy, Guarded) or not self.queue.is_own

    def _together(self, work: Callable[[], R]) -> R:
        """The result of work with many calls in Python, of third parties in one other thread."""
        return calls_in_one_thread(work, self._stop, self._reached) if self._is_third_party else work()

    def _stop(self) -> None:
        self._loop.stop()
        for kernels in self._at_work():
            kernels.stop()

    def _reached(self) -> tuple[bytes, ...]:
        return tuple(kernels.clock_read for kernels in self._at_work())

    def _at_work(self) -> tuple[KernelStrategy, ...]:
        return () if self._kernels is None else (self._kernels, self._planning)

    # What a run needs once it begins

    def _begin(self) -> PythonCalls:
        """Have all that the loop calls."""
        if self._python is None:
            python, queue, kernels = PythonCalls(self._loop.stop), self.queue, self._kernels
            python.answers = {
                LoopQuestion.SERVE: queue.serve_own_way,
                LoopQuestion.JOIN: queue.join,
                LoopQuestion.MOVE: queue.move,
            }
            if self._failing is not None:
                python.answers[LoopQuestion.CHANGE] = self._failing.change
            if kernels is None:
                called = CalledPython(self.strategy, self._new_strategy, python)
                python.answers |= {LoopQuestion.COPY: called.copy, LoopQuestion.FRAME: self._keep_frame}
                self._together(called.warm_up)
                self._loop.machine = called.calls
            else:
                self._loop.machine = calls_of_kernels(kernels, self._planning, python)
                if self._record:
                    self._loop.frames_as_large_as(kernels.capture())
            arrays = partial(begun, self._loop.arrays, self.jobs, self.strategy)
            self._loop.arrays = self._together(arrays) if kernels is None else arrays()
            self._python = python
        return self._python

    @cached_property
    def _kernels(self) -> KernelStrategy | None:
        """The strategy, if it is kernels alone."""
        own = self.strategy
        return own if isinstance(own, KernelStrategy) and own.is_kernels_alone() else None

    @cached_property
    def _planning(self) -> KernelStrategy:
        """Another, to plan with; itself where there is nothing to plan."""
        plans = self._serving in PLANNING
        return self._scratch if plans or self._kernels is None else self._kernels

    @cached_property
    def _scratch(self) -> KernelStrategy:
        """Another, in which kept states are read, too."""
        return cast("KernelStrategy", self._new_strategy())

    def _new_strategy(self) -> Strategy:
        allocator = self.scenario.allocator
        return strategy(allocator.name)(self.scenario.machine, allocator.options)

    def _keep_frame(self, position: int) -> None:
        """Keep the state of a strategy in plain Python."""
        self._add_frame(position, self.strategy.capture())
        counters = self._loop.counters
        counters[Count.NEXT_FRAME] = position + counters[Count.FRAME_EVERY]

    def _add_frame(self, position: int, state: State) -> None:
        self._frames.append(KeyFrame(position, state))
        self._loop.frames_as_large_as(state)

    # What has happened

    def recording(self) -> Recording:
        """What has happened so far: in the midst of a time before it, beside kernels what was known last."""
        if self._working and self._latest is not None and not self._calls_python:
            return self._latest
        if not self._working:
            self._take_frames()
        self._latest = None  # not two at a time
        self._latest = self._recorded()
        return self._latest

    @property
    def _calls_python(self) -> bool:
        called = self._kernels is None or self._serving == Serving.OWN
        return called or bool(self._moves) or self._failing is not None

    def _take_frames(self) -> None:
        """Take the key frames of kernels away, and the attempts."""
        for position, memory in self._loop.take_records():
            self._scratch.memory[:] = memory
            self._add_frame(position, self._scratch.capture())

    def _recorded(self) -> Recording:
        loop, changes, rows = self._loop.arrays, self.queue.changes, self._loop.arrays.jobs[:-1]
        events, boxes = loop.counters[[Count.EVENTS, Count.BOXES]].tolist()
        if self._working:
            events = int(np.searchsorted(loop.times[:events], self.now))
        positions = [np.where(each < events, each, NEVER) for each in rows["positions"].T]
        first_box, box_count = rows["first_box"].copy(), rows["box_count"].copy()
        for job, *stint in self._failing.undone(events) if self._failing is not None else ():
            started, first_box[job], box_count[job] = stint
            positions[EventKind.START][job] = started if started < events else NEVER
        reserved = np.count_nonzero(loop.kinds[:events] == EventKind.RESERVE)
        known = slice(0, np.searchsorted(changes.positions, events, side="right"))
        counts_parts = self.strategy.part_attempts is not None
        return Recording(
            scenario=self.scenario,
            seed=self.seed,
            jobs=self.jobs,
            complete=self.complete and not self._working,
            times=loop.times[:events],
            kinds=loop.kinds[:events],
            event_jobs=loop.event_jobs[:events],
            arrived=positions[EventKind.ARRIVE],
            started=positions[EventKind.START],
            ended=np.minimum(positions[EventKind.FINISH], positions[EventKind.REJECT]),
            reserved=positions[EventKind.RESERVE],
            reservations=loop.reservations[:reserved],
            ranks=self.queue.first_ranks,
            rank_positions=changes.positions[known],
            rank_jobs=changes.jobs[known],
            new_ranks=changes.ranks[known],
            first_box=first_box,
            box_count=np.where(positions[EventKind.START] < NEVER, box_count, np.int32(0)),
            boxes=loop.boxes[:boxes],
            attempt_counts=rows["attempts"].copy(),
            attempts=self._loop.attempts.attempts(),
            key_frames=tuple(self._frames),
            operations=rows["operations"].copy(),
            seconds=rows["nanoseconds"] * 1e-9,
            part_attempts=rows["part_attempts"].copy() if counts_parts else np.empty(0, dtype=np.int32),
            packets=self._traffic.network.packets() if self._traffic is not None else None,
            stuck=self._traffic is not None and self._traffic.stuck,
            outages=None if self._failing is None else self._failing.outages(events),
        )


def _moves_of(scenario: Scenario) -> list[tuple[float, int, int]]:
    """The moves by hand, in order of time."""
    workload = scenario.workload
    moves = workload.moves if isinstance(workload, ListWorkload) else ()
    return sorted(moves, key=lambda move: move[0])


def traffic_of(scenario: Scenario, jobs: JobStream, seed: int) -> Traffic | None:
    """The network of a scenario, if it has one."""
    network = scenario.network
    return (
        None if network is None else Traffic(network, scenario.machine, jobs.messages, seed, jobs.computing)
    )


def simulate(scenario: Scenario, seed: int | None = None, work: Work | None = None) -> Recording:
    """Run a scenario and record it."""
    return Simulation(scenario, seed).run(work)


def simulate_figures(scenario: Scenario, seed: int | None = None, work: Work | None = None) -> Recording:
    """Run a scenario; the recording has no attempts, and no key frames to step from."""
    return Simulation(scenario, seed, record=False).run(work)
