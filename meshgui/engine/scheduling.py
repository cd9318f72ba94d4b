"""The queue disciplines: in which order waiting jobs are offered to the allocator, and which are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.workload.job_stream import JobStream

__all__ = ["DISCIPLINES", "Discipline", "Floor", "Plan"]


class Plan(Protocol):
    """A copy of the machine, to try things on."""

    def start_of(self, job: int) -> float:
        """When the job could start if nothing else did: the jobs that run leave at their stated times."""

    def allows(self, job: int, head: int, start: float) -> bool:
        """Whether the job can be placed now, and the head still at that time."""


class Floor(Protocol):
    """The queue and the machine as a discipline sees them."""

    now: float

    @property
    def free(self) -> int:
        """Processors that nobody holds."""

    def head(self) -> int | None:
        """The job that waits with the lowest rank."""

    def waiting(self) -> list[int]:
        """The jobs that wait, in order of rank."""

    def offer(self, job: int) -> bool:
        """Have the allocator try to place the job: whether it has left the queue.

        One that failed since the machine last changed fails again without another try.
        """

    def service(self, job: int) -> float:
        """The job's stated service time."""

    def plan(self) -> Plan:
        """The machine as it is, to plan with."""


class Discipline(ABC):
    """An order of the queue. Jobs of equal rank keep their order of arrival."""

    id: ClassVar[str]
    title: ClassVar[str]
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # allowed values, the default first
    plans: ClassVar[bool] = False  # whether it looks ahead, which a strategy that reserves boxes does itself

    def __init__(self, options: Mapping[str, str]) -> None:
        self.chosen = {key: options.get(key, values[0]) for key, values in self.options.items()}

    @abstractmethod
    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """A number per job: the lowest is served first."""

    def serve(self, floor: Floor) -> None:
        """Offer jobs to the allocator; unless told otherwise, until one cannot be placed."""
        while (job := floor.head()) is not None:
            if not floor.offer(job):
                return


class FirstComeFirstServed(Discipline):
    """In order of arrival."""

    id = "fcfs"
    title = "First come, first served"

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        return np.zeros(len(jobs))


class LastComeFirstServed(Discipline):
    """The latest arrival first."""

    id = "lcfs"
    title = "Last come, first served"

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        return -np.arange(len(jobs), dtype=np.float64)


class ShortestServiceDemand(Discipline):
    """The least demand first: processors × service as in 002, or service alone as in 000 chapter 5.

    With a network and no stated service, demand is the number of messages.
    """

    id = "ssd"
    title = "Shortest service demand"
    options: ClassVar[Mapping[str, tuple[str, ...]]] = {"demand": ("processor-time", "time")}

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        stated = jobs.service * (1 if self.chosen["demand"] == "time" else jobs.processors)
        return np.where(np.isnan(stated), jobs.messages, stated) if len(jobs.messages) else stated


class SmallestJobFirst(Discipline):
    """The request for the fewest processors first."""

    id = "sjf"
    title = "Smallest job first"

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        return jobs.processors.astype(np.float64)


class LargestJobFirst(Discipline):
    """The request for the most processors first."""

    id = "ljf"
    title = "Largest job first"

    def ranks(self, jobs: JobStream) -> NDArray[np.float64]:
        """See Discipline."""
        return -jobs.processors.astype(np.float64)


class OutOfOrder(FirstComeFirstServed):
    """In order of arrival, but a job that cannot be placed holds up nobody (000 §2.2.1, footnote 3)."""

    id = "ooo"
    title = "Out of order"

    def serve(self, floor: Floor) -> None:
        """Offer every waiting job to the allocator, until the queue or the free processors end."""
        for job in floor.waiting():
            if not floor.free:
                return
            floor.offer(job)


class EasyBackfilling(FirstComeFirstServed):
    """In order of arrival; others go before the head only where they do not delay it.

    The head's start is planned from the stated service times of the jobs that run. A later job may start if
    it ends by then, or if the head can still be placed at that time with the later job beside it.
    """

    id = "easy"
    title = "EASY backfilling"
    plans = True

    def serve(self, floor: Floor) -> None:
        """Offer jobs until one cannot be placed, then those that do not delay it."""
        waiting = floor.waiting()
        placed = 0
        while placed < len(waiting) and floor.offer(waiting[placed]):
            placed += 1
        later = waiting[placed + 1 :]
        if not later:
            return
        head = waiting[placed]
        start = floor.plan().start_of(head)
        for job in later:
            in_time = floor.now + floor.service(job) <= start
            if in_time or floor.plan().allows(job, head, start):
                floor.offer(job)


DISCIPLINES: dict[str, type[Discipline]] = {
    cls.id: cls
    for cls in (
        FirstComeFirstServed,
        ShortestServiceDemand,
        OutOfOrder,
        EasyBackfilling,
        SmallestJobFirst,
        LargestJobFirst,
        LastComeFirstServed,
    )
}
