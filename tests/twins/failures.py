"""A run in which processors fail, by lists: at every time each is asked whether a failure covers it.

What is down is held by one job a processor that nobody has sent.
"""

from __future__ import annotations

from itertools import chain
from math import floor, inf
from typing import Any

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.scenario import Scenario
from tests.naive import Node, nodes
from tests.twins.runs import NaiveRun


class FailingRun(NaiveRun):
    """A run without a network, with listed failures."""

    def __init__(self, of: Scenario) -> None:
        super().__init__(of)
        self.rules = of.reliability
        self.failures = [
            (set(nodes(failure.region)), failure.begin, inf if failure.until is None else failure.until)
            for failure in of.reliability.failures
        ]
        self.whole = list(self.services), list(self.lasting)
        self.saved = [0.0] * len(self.jobs)
        self.lost: list[tuple[int, float]] = []
        self.ended: set[int] = set()
        self.down: set[Node] = set()
        self.down_over_time: list[tuple[float, int]] = []
        self.begun: dict[int, float] = {}

    def waits_for_repairs(self) -> bool:
        return bool(self.queue)

    def times_of_changes(self) -> list[float]:
        times = chain.from_iterable((begin, until) for _, begin, until in self.failures)
        first = self.now == 0 and not self.told.events
        return [time for time in times if self.now < time < inf or (first and time == 0)]

    def covered(self, now: float) -> set[Node]:
        """What is down from a time on."""
        return {node for where, begin, until in self.failures if begin <= now < until for node in where}

    def change(self) -> None:
        down, before = self.covered(self.now), set(self.down)
        if down == before and not any(begin == self.now for _, begin, _ in self.failures):
            return
        for where, begin, _ in self.failures:
            fresh = where - self.down
            if begin == self.now and fresh:
                self.down |= fresh
                self.happened(EventKind.FAIL, -1)
                for job in sorted(self.ends):
                    if any(node in fresh for box in self.told.boxes[job] for node in nodes(box)):
                        self.kill(job)
                for node in fresh:
                    self.working.replay(self.pseudo(node), (Box(*node, 1, 1, 1),))
                self.free -= len(fresh)
                self.changed()
        for where, _, until in self.failures:
            up = (where & self.down) - down
            if until == self.now and up:
                self.down -= up
                self.happened(EventKind.REPAIR, -1)
                for node in up:
                    self.working.release(self.pseudo(node).job)
                self.free += len(up)
                self.changed(released=True)
        self.down_over_time.append((self.now, len(self.down)))
        for job in sorted(self.queue):
            if self.never_fits(job):
                self.queue.remove(job)
                self.ended.add(job)
                self.happened(EventKind.REJECT, job)
                self.starts.clear()

    def pseudo(self, node: Node) -> Request:
        x, y, z = node
        w, d, _ = self.of.machine.extents
        return Request(1000 + (z * d + y) * w + x, (1, 1, 1))

    def changed(self, *, released: bool = False) -> None:
        self.failed.clear()
        self.starts.clear()
        if released:
            self.failed_sizes.clear()

    def kill(self, job: int) -> None:
        before = self.working.operations
        self.working.release(job)
        self.told.operations[job] += self.working.operations - before
        held = sum(w * d * h for *_, w, d, h in self.told.boxes[job])
        self.free += held
        done = self.saved[job] + self.now - self.begun[job]
        interval = self.rules.interval
        kept = min(floor(done / interval) * interval, done) if self.rules.on_failure == "checkpoint" else 0.0
        self.lost.append((job, (done - kept) * held))
        del self.ends[job], self.stated[job]
        self.changed(released=True)
        self.happened(EventKind.KILL, job)
        if self.rules.on_failure == "end":
            self.ended.add(job)
            return
        self.saved[job] = kept
        self.services[job], self.lasting[job] = (max(whole[job] - kept, 0.0) for whole in self.whole)
        self.requeued = {other for other in self.queue if other in self.requeued} | {job}
        self.queue = sorted(self.requeued) + [other for other in self.queue if other not in self.requeued]

    def never_fits(self, job: int) -> bool:
        """Whether an empty machine without what is never repaired cannot hold a job."""
        times = {self.now, *(time for _, *span in self.failures for time in span if self.now < time < inf)}
        gone = set.intersection(*map(self.covered, times))
        machine = self._machine()
        for node in gone:
            machine.replay(self.pseudo(node), (Box(*node, 1, 1, 1),))
        return bool(gone) and machine.allocate(Request(0, self.jobs.size(job))) is None

    def arrive(self, job: int) -> None:
        super().arrive(job)
        if job in self.queue and self.never_fits(job):
            self.queue.remove(job)
            self.happened(EventKind.REJECT, job)

    def start(self, job: int, boxes: Any) -> None:
        super().start(job, boxes)
        self.begun[job] = self.now
