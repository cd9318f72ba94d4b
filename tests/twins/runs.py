"""A run of a scenario by lists, one call of the strategy after another: what the event loop must record."""

from __future__ import annotations

from itertools import pairwise
from math import inf, nan, nextafter, prod
from typing import Any, NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Reservation
from meshgui.engine.allocation.feedback import report
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.kinds import AttemptOutcome, EventKind, Serving
from meshgui.engine.runs.job_feedback import feedback_of
from meshgui.engine.runs.recording import Recording
from meshgui.engine.scenario import Scenario
from meshgui.engine.scheduling.registry import discipline
from meshgui.engine.workload.generator import job_stream


class Told(NamedTuple):
    """What happened in a run, in the order in which it did."""

    events: list[tuple[float, EventKind, int]]
    attempts: list[tuple[int, int, AttemptOutcome]]  # after how many events, for which job
    boxes: dict[int, list[tuple[int, ...]]]
    reserved: dict[int, tuple[int, ...]]
    operations: list[int]


def told_of(recording: Recording) -> Told:
    """The same of a recording."""
    events = zip(
        recording.times.tolist(), map(EventKind, recording.kinds), recording.event_jobs.tolist(), strict=True
    )
    reservations = recording.event_jobs[recording.kinds == EventKind.RESERVE].tolist()
    return Told(
        list(events),
        [tuple(attempt) for attempt in recording.attempts],
        {
            job: list(map(tuple, recording.boxes_of(job)))
            for job in range(len(recording.jobs))
            if recording.box_count[job]
        },
        dict(zip(reservations, map(tuple, recording.reservations.tolist()), strict=True)),
        recording.operations.tolist(),
    )


def measures(run: NaiveRun) -> dict[str, float]:
    """The means of a run, by looking at who runs and who waits between one time and the next."""
    events, boxes = run.run().events, run.told.boxes
    start, finish = (
        {job: time for time, what, job in events if what == kind}
        for kind in (EventKind.START, EventKind.FINISH)
    )
    sizes = {job: sum(w * d * h for *_, w, d, h in given) for job, given in boxes.items()}
    whole = run.of.allocator.name in {"ff", "tff", "bf", "tbf"}
    blocks = {job: 1 if whole else len(given) for job, given in boxes.items()}
    arrival, processors = run.jobs.arrival.tolist(), run.of.machine.processors
    busy_time = asked_time = box_time = queue_time = idle_time = 0.0
    for now, later in pairwise(sorted({time for time, _, _ in events})):
        running = [job for job in start if start[job] <= now < finish[job]]
        waiting = [job for job in start if arrival[job] <= now < start[job]]
        busy = sum(sizes[job] for job in running)
        busy_time += (later - now) * busy
        asked_time += (later - now) * sum(prod(run.jobs.size(job)) for job in running)
        box_time += (later - now) * sum(blocks[job] for job in running)
        queue_time += (later - now) * len(waiting)
        head = min(waiting, key=lambda job: (run.ranks[job], job), default=None)
        if head is not None and prod(run.jobs.size(head)) <= processors - busy:
            idle_time += (later - now) * (processors - busy)
    span = events[-1][0] if events else 0.0
    done = sorted(finish)

    def mean(values: list[float]) -> float:
        return sum(values) / len(values) if values else 0.0

    def over_time(integral: float) -> float:
        return integral / span if span else 0.0

    return {
        "jobs": len(done),
        "rejected": sum(kind == EventKind.REJECT for _, kind, _ in events),
        "turnaround": mean([finish[job] - arrival[job] for job in done]),
        "waiting": mean([start[job] - arrival[job] for job in done]),
        "service": mean([finish[job] - start[job] for job in done]),
        "utilization": over_time(busy_time) / processors,
        "utilization_requested": over_time(asked_time) / processors,
        "finish_time": span,
        "queue_length_mean": over_time(queue_time),
        "busy_list_mean": over_time(box_time),
        "external_fragmentation": over_time(idle_time) / processors,
    }


class NaiveRun:
    """A run without a network."""

    def __init__(self, of: Scenario) -> None:
        self.of = of
        self.jobs = job_stream(of.workload, of.network, of.machine, of.seed)
        self.working = self._machine()
        scheduler = discipline(of.scheduler.name)
        self.serving = scheduler.serving
        self.ranks = scheduler(of.scheduler.options).ranks(self.jobs).tolist()
        self.services = np.nan_to_num(self.jobs.service).tolist()
        self.now = 0.0
        self.queue: list[int] = []
        self.promised: list[int] = []
        self.ends: dict[int, float] = {}  # of the running jobs, and as they have stated them
        self.stated: dict[int, float] = {}
        self.free = of.machine.processors
        self.lasting = np.nan_to_num(self.jobs.lasting).tolist()
        self.requeued: set[int] = set()  # of those that wait
        self.starts: dict[int, float] = {}  # as planned, of those that wait, since a job left or was moved
        self.failed: set[int] = set()  # since the machine changed,
        self.failed_sizes: set[Any] = set()  # and since a job left
        self.told = Told([], [], {}, {}, [0] * len(self.jobs))

    def run(self) -> Told:
        """Go on until nothing is left."""
        coming = list(range(len(self.jobs)))
        moves = sorted(getattr(self.of.workload, "moves", ()), key=lambda move: move[0])
        while coming or self.ends or moves or self.waits_for_repairs():
            self.now = min(
                [self.jobs.arrival[j] for j in coming[:1]]
                + [*self.ends.values()]
                + [m[0] for m in moves[:1]]
                + self.times_of_changes()
            )
            before = len(self.told.events)
            for job in sorted(job for job, end in self.ends.items() if end == self.now):
                self.leave(job)
            self.change()
            while coming and self.jobs.arrival[coming[0]] == self.now:
                self.arrive(coming.pop(0))
            while moves and moves[0][0] == self.now:
                self.move(*moves.pop(0)[1:])
            if len(self.told.events) > before:
                self.start_promised()
                self.serve()
        return self.told

    def waits_for_repairs(self) -> bool:
        """Whether jobs wait for something to be repaired."""
        return False

    def times_of_changes(self) -> list[float]:
        """When something fails or is repaired."""
        return []

    def change(self) -> None:
        """Fail and repair what does so now."""

    def _machine(self) -> Any:
        return strategy(self.of.allocator.name)(self.of.machine, self.of.allocator.options)

    def happened(self, kind: EventKind, job: int) -> None:
        self.told.events.append((float(self.now), kind, job))

    def request(self, job: int) -> Request:
        return Request(job, self.jobs.size(job), float(self.now), self.services[job], self.of.seed)

    def leave(self, job: int) -> None:
        before = self.working.operations
        if (feedback := feedback_of(self.working)).size:
            start = next(time for time, kind, j in self.told.events if (kind, j) == (EventKind.START, job))
            times = self.now - self.jobs.arrival[job], self.now - start
            report(feedback, self.now, *times, nan, nan)
        self.working.release(job)
        self.told.operations[job] += self.working.operations - before
        self.free += sum(w * d * h for *_, w, d, h in self.told.boxes[job])
        del self.ends[job], self.stated[job]
        self.failed.clear()
        self.failed_sizes.clear()
        self.starts.clear()
        self.happened(EventKind.FINISH, job)

    def arrive(self, job: int) -> None:
        self.happened(EventKind.ARRIVE, job)
        if self.working.refusal(self.jobs.size(job)) is not None:
            self.happened(EventKind.REJECT, job)
            return
        at = len(self.queue)
        while at and not self.goes_first(self.queue[at - 1], job):
            at -= 1
        self.queue.insert(at, job)

    def goes_first(self, other: int, job: int) -> bool:
        """Whether another job stays before one that joins the queue."""
        return other in self.requeued or self.ranks[other] <= self.ranks[job]

    def move(self, job: int, place: int) -> None:
        if job in self.queue and self.queue.index(job) != min(place, len(self.queue) - 1):
            self.happened(EventKind.MOVE, job)
            self.queue.remove(job)
            self.queue.insert(place, job)
            self.starts.clear()

    def attempt(self, job: int) -> Any:
        before = self.working.operations
        answer = self.working.allocate(self.request(job))
        self.told.operations[job] += self.working.operations - before
        outcome = AttemptOutcome.PLACED
        if answer is None:
            outcome = AttemptOutcome.WAITS
        elif isinstance(answer, Reservation):
            outcome = AttemptOutcome.RESERVED
        self.told.attempts.append((len(self.told.events), job, outcome))
        return answer

    def start(self, job: int, boxes: Any) -> None:
        self.told.boxes[job] = [tuple(box) for box in boxes]
        self.free -= sum(w * d * h for *_, w, d, h in self.told.boxes[job])
        self.stated[job] = self.now + self.services[job]
        self.ends[job] = self.now + self.lasting[job]
        self.failed.clear()
        self.happened(EventKind.START, job)

    def start_promised(self) -> None:
        for job in self.working.due() if self.promised else ():
            self.start(job, self.attempt(job))
            self.promised.remove(job)

    def offered(self, job: int) -> bool:
        """Whether the job has left the queue."""
        if job in self.failed or (job != self.queue[0] and self.jobs.size(job) in self.failed_sizes):
            self.failed.add(job)
            return False
        answer = self.attempt(job)
        if answer is None:
            self.failed.add(job)
            if self.working.fails_until_release:
                self.failed_sizes.add(self.jobs.size(job))
            return False
        if isinstance(answer, Reservation):
            self.promised.append(job)
            self.told.reserved[job] = tuple(answer.box)
            self.failed.clear()
            self.happened(EventKind.RESERVE, job)
        else:
            self.start(job, answer)
        self.queue.remove(job)
        return True

    def serve(self) -> None:
        if self.serving == Serving.CONSERVATIVE:
            self.serve_conservatively()
            return
        while self.serving != Serving.EVERY and self.queue and self.offered(self.queue[0]):
            pass
        if self.serving == Serving.EVERY:
            for job in self.queue.copy():
                if self.free:
                    self.offered(job)
        if self.serving == Serving.EASY and len(self.queue) > 1:
            head, *later = self.queue
            start = self.start_of(head)
            for job in later:
                if self.now + self.services[job] <= start or self.leaves_room(job, head, start):
                    self.offered(job)

    def serve_conservatively(self) -> None:
        """Every waiting job has a start, and starts when that is now."""
        if any(end <= self.now for end in self.stated.values()):
            self.starts.clear()
        for job in self.queue:
            if job not in self.starts:
                self.starts[job] = self.earliest(job)
        for job in self.queue.copy():
            if self.starts[job] == self.now and self.offered(job):
                del self.starts[job]

    def earliest(self, job: int) -> float:
        """The first time, now or when one leaves, at which all planned starts can be made with this one."""
        running = [max(end, nextafter(self.now, inf)) for end in self.stated.values()]
        planned = [self.planned_end(other, start) for other, start in self.starts.items() if start < inf]
        times = sorted({self.now, *running, *planned})
        return next((time for time in times if self.can_start({**self.starts, job: time})), inf)

    def planned_end(self, job: int, start: float) -> float:
        return max(start + self.services[job], nextafter(start, inf))

    def can_start(self, starts: dict[int, float]) -> bool:
        """Whether all jobs can be placed at their starts; at one time jobs leave first."""
        machine = self._machine()
        machine.restore(self.working.capture())
        leaves = {job: max(end, nextafter(self.now, inf)) for job, end in self.stated.items()}
        starting = {job: start for job, start in starts.items() if start < inf}
        leaves |= {job: self.planned_end(job, start) for job, start in starting.items()}
        turns = [(time, 0, job, job) for job, time in leaves.items()]
        turns += [(time, 1, turn, job) for turn, (job, time) in enumerate(starting.items())]
        for _, starting_now, _, job in sorted(turns):
            if not starting_now:
                machine.release(job)
            elif machine.allocate(self.request(job)) is None:
                return False
        return True

    def planned(self) -> tuple[Any, list[tuple[float, int]]]:
        """A machine like this one, and when its running jobs leave it."""
        machine = self._machine()
        machine.restore(self.working.capture())
        return machine, sorted((max(end, self.now), job) for job, end in self.stated.items())

    def start_of(self, job: int) -> float:
        machine, ends = self.planned()
        for n, (end, running) in enumerate(ends):
            machine.release(running)
            last = n + 1 == len(ends) or ends[n + 1][0] > end
            if last and machine.allocate(self.request(job)) is not None:
                return end
        return inf

    def leaves_room(self, job: int, head: int, start: float) -> bool:
        machine, ends = self.planned()
        if machine.allocate(self.request(job)) is None:
            return False
        for end, running in ends:
            if end <= start:
                machine.release(running)
        return machine.allocate(self.request(head)) is not None
