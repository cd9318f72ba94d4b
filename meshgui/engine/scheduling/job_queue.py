"""The queue of a run: its order, the offers of its discipline to the allocator, and changes of the order."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise
from operator import index
from typing import Any, Final, Protocol

import numpy as np

from meshgui.engine.basics.geometry import Size
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.scheduling.base import Discipline, DisciplineError, DisciplineOptions, Plan
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.workload.job_stream import JobStream

__all__ = ["JobQueue", "Machine"]

_VAIN_OFFERS: Final = 1000  # of jobs that have failed already, in one turn of a discipline:
_VAIN_OFFERS_PER_JOB: Final = 100  # more than these, and it would go on for ever
_MOST_CROWDED: Final = 4  # ranks that are as close as numbers can be; with more, all are spread again

_NUMBERS: Final = (int, np.integer)
_Place = tuple[float, int]  # rank and job: what the queue is sorted by


class Machine(Protocol):
    """What a queue needs of the run it belongs to."""

    now: float

    @property
    def free(self) -> int:
        """The number of free processors."""

    def place(self, job: int) -> bool:
        """Have the allocator try to place the job: whether it was placed, or a box reserved for it."""

    def plan(self) -> Plan:
        """The machine as it is, to plan with."""

    @property
    def fails_until_release(self) -> bool:
        """Whether what failed once fails until a job leaves."""

    def order_changed(self, job: int, rank: float) -> None:
        """Record that a waiting job has a new rank."""


class JobQueue:
    """The waiting jobs in order of rank, then of arrival; see QueueView for what a discipline does with them.

    A change of the order gives new ranks to as few jobs as possible, so that little needs to be recorded.
    """

    def __init__(
        self, discipline: type[Discipline], options: DisciplineOptions, jobs: JobStream, machine: Machine
    ) -> None:
        self._jobs, self._machine = jobs, machine
        self._discipline = GuardedDiscipline(discipline, options)
        self._arrivals: list[float] = jobs.arrival.tolist()
        self._services: list[float] = np.nan_to_num(jobs.service, nan=0.0).tolist()
        self.first_ranks = self._discipline.ranks(jobs)
        self._first: list[float] = self.first_ranks.tolist()
        self._ranks = self._first.copy()  # those of waiting jobs change when they are put in another order
        self._places: list[_Place] = []  # in order
        self._reordered = False  # whether any of these has another rank than its first
        self._failed: set[int] = set()  # jobs that failed since the machine last changed
        self._failed_sizes: set[Size] = set()  # sizes that failed since a job last finished, if that counts
        self._vain_offers = 0  # of such jobs, in the discipline's turn at hand

    # What the run does

    def join(self, job: int) -> None:
        """Add a job that has arrived: behind the last that has no greater first rank."""
        places, first = self._places, self._first
        insort(places, (self._ranks[job], job))
        self._reordered = self._reordered and len(places) > 1
        if self._reordered:
            others = [other for _, other in places if other != job]
            at = len(others)
            while at and first[others[at - 1]] > first[job]:
                at -= 1
            self._put_in_order([*others[:at], job, *others[at:]])

    def position_of(self, job: int) -> int | None:
        """The place of a job in the queue, from 0; None if it does not wait."""
        waiting = self.waiting()
        return waiting.index(job) if job in waiting else None

    def move(self, job: int, place: int) -> None:
        """Put a waiting job at another place, as a scenario asks."""
        others = [other for other in self.waiting() if other != job]
        self._put_in_order([*others[:place], job, *others[place:]])

    def machine_changed(self, *, released: bool) -> None:
        """Note that attempts that failed may succeed now."""
        self._failed.clear()
        if released:
            self._failed_sizes.clear()

    def serve(self) -> None:
        """Let the discipline offer the waiting jobs to the allocator, if there are any."""
        if self._places:
            self._vain_offers = 0
            self._discipline.serve(self)

    def fault_at_the_end(self) -> DisciplineError | None:
        """The discipline's fault at the end of a run, if jobs wait that it has not offered."""
        if not self._places or self._failed:
            return None
        job = min(self.waiting())
        return self._discipline.fault(
            tr("never offered job {job} to the allocator, and the machine is empty").format(job=job)
        )

    # What the discipline sees: see QueueView

    @property
    def now(self) -> float:
        return self._machine.now

    @property
    def free(self) -> int:
        return self._machine.free

    def head(self) -> int | None:
        return self._places[0][1] if self._places else None

    def waiting(self) -> list[int]:
        return [job for _, job in self._places]

    def arrival(self, job: int) -> float:
        return self._arrivals[job]

    def size(self, job: int) -> Size:
        return self._jobs.size(job)

    def service(self, job: int) -> float:
        return self._services[job]

    def plan(self) -> Plan:
        return self._machine.plan()

    def try_to_place(self, job: int) -> bool:
        if job in self._failed:
            self._vain_offers += 1
            if self._vain_offers > _VAIN_OFFERS + _VAIN_OFFERS_PER_JOB * len(self._places):
                raise self._discipline.fault(
                    tr("offers job {job} again and again although it cannot be placed now").format(job=job)
                )
            return False
        at = self._index(job)
        if at and self._failed_sizes and self.size(job) in self._failed_sizes:  # the head always tries
            self._failed.add(job)
            return False
        try:
            placed = self._machine.place(job)
        except Exception as error:
            self._discipline.machine_error = error
            raise
        if not placed:
            self._failed.add(job)
            if self._machine.fails_until_release:
                self._failed_sizes.add(self.size(job))
            return False
        del self._places[at]
        return True

    def reorder(self, jobs: Sequence[int]) -> None:
        self._put_in_order(self._all_waiting(jobs, self.waiting()))

    def _put_in_order(self, wanted: list[int]) -> None:
        """Give jobs new ranks where the order is not the one wanted."""
        before = self.waiting()
        if wanted == before:
            return
        self._reordered = True
        ranks = _new_ranks(wanted, before, self._ranks)
        for job, rank in zip(wanted, ranks, strict=True):
            if rank != self._ranks[job]:
                self._ranks[job] = rank
                self._machine.order_changed(job, rank)
        self._places = list(zip(ranks, wanted, strict=True))

    def _index(self, job: int) -> int:
        """The job's place in the queue."""
        places = self._places
        if places and job is places[0][1]:  # as most offers are of the head
            return 0
        known = isinstance(job, _NUMBERS) and 0 <= job < len(self._ranks)
        at = bisect_left(places, (self._ranks[job], job)) if known else len(places)
        if at == len(places) or places[at][1] != job:
            raise self._discipline.fault(
                tr("offers {quoted} to the allocator: expected a job that waits").format(quoted=quoted(job))
            )
        return at

    def _all_waiting(self, jobs: Sequence[int], before: list[int]) -> list[int]:
        """The order that a discipline asks for, checked."""
        try:
            wanted = [index(job) for job in jobs]
        except TypeError:
            wanted = []
        if sorted(wanted) != sorted(before):
            raise self._discipline.fault(
                tr("orders the queue as {quoted}: expected every waiting job once").format(
                    quoted=quoted(jobs)
                )
            )
        return wanted


def _new_ranks(wanted: list[int], before: list[int], ranks: Sequence[float]) -> list[float]:
    """Ranks that put the jobs in the wanted order, few of them new."""
    place = {job: at for at, job in enumerate(before)}
    new = [ranks[job] for job in wanted]
    last = -1  # the last job that keeps its rank
    crowded = 0
    for at in _longest_rise([place[job] for job in wanted]):
        moved = at - last - 1
        low = new[last] if last >= 0 else new[at] - moved - 1
        between = [low + (new[at] - low) * count / (moved + 1) for count in range(1, moved + 1)]
        if moved and not _rises([low, *between, new[at]]):
            crowded += 1  # no number is left between the two: the latter moves, too
            continue
        new[last + 1 : at] = between
        last = at
    moved = len(wanted) - last - 1
    new[last + 1 :] = [new[last] + count for count in range(1, moved + 1)]
    if crowded > _MOST_CROWDED or not _rises(list(zip(new, wanted, strict=True))):
        return [at + 0.5 for at in range(len(wanted))]  # apart from the whole numbers of most first ranks
    return new


def _rises(values: Sequence[Any]) -> bool:
    return all(one < other for one, other in pairwise(values))


def _longest_rise(numbers: list[int]) -> list[int]:
    """The places of a longest rising subsequence of different numbers."""
    ends: list[int] = []  # the lowest number at which a rise of each length ends,
    places: list[int] = []  # and its place
    previous = [-1] * len(numbers)
    for at, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous[at] = places[length - 1] if length else -1
        ends[length : length + 1] = [number]
        places[length : length + 1] = [at]
    rise: list[int] = []
    at = places[-1] if places else -1
    while at >= 0:
        rise.append(at)
        at = previous[at]
    return rise[::-1]
