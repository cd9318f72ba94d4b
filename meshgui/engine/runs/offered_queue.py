"""The queue of a run as a discipline in plain Python sees it, and changes of its order."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Sequence
from itertools import pairwise
from operator import index
from typing import Any, Final, NamedTuple

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints32
from meshgui.engine.basics.geometry import Size
from meshgui.engine.basics.guard import work_of_caller
from meshgui.engine.basics.kinds import EventKind, Serving
from meshgui.engine.basics.plugins import quoted
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.loop_state import Clock, Count, HowFar
from meshgui.engine.runs.running_loop import RunningLoop
from meshgui.engine.scheduling.base import DisciplineError, Plan
from meshgui.engine.scheduling.guarded_discipline import GuardedDiscipline
from meshgui.engine.workload.job_stream import JobStream

_VAIN_OFFERS: Final = 1000  # of jobs that have failed already, in one turn of a discipline:
_VAIN_OFFERS_PER_JOB: Final = 100  # more than these, and it would go on for ever
_MOST_CROWDED: Final = 4  # ranks that are as close as numbers can be; with more, all are spread again

_NUMBERS: Final = (int, np.integer)


class LoopStopped(Exception):  # noqa: N818 - what has stopped it is the error
    """Ends a discipline's turn once the loop has stopped."""


class RankChanges(NamedTuple):
    """The new ranks of waiting jobs: after how many events each got which."""

    positions: Ints32
    jobs: Ints32
    ranks: Floats


class OfferedQueue:
    """The waiting jobs in order of rank, then of arrival; see QueueView for what a discipline does with them.

    A change of the order gives new ranks to as few jobs as possible, so that little needs to be recorded.
    """

    def __init__(
        self,
        loop: RunningLoop,
        jobs: JobStream,
        discipline: GuardedDiscipline,
        moves: Sequence[tuple[float, int, int]],  # time, job, place; in order
    ) -> None:
        self._loop, self._jobs, self._discipline = loop, jobs, discipline
        self.is_own = discipline.is_own  # the discipline; else each of its turns is limited in time
        ranks = loop.arrays.ranks
        self.first_ranks = ranks if len(loop.arrays.lines) else ranks.copy()  # in lines they stay as they are
        self._moves = deque(moves)
        self._requeued: set[int] = set()  # those that wait and had been on the machine before
        self._vain_offers = 0  # of jobs that failed already, in the discipline's turn at hand
        self._positions, self._changed, self._new_ranks = array("i"), array("i"), array("d")
        self._note_next_move()

    @property
    def changes(self) -> RankChanges:
        """The changes of the order so far."""
        ranks = self._new_ranks[:]  # a copy, and the last to grow: the discipline may work in another thread
        return RankChanges(
            np.array(self._positions[: len(ranks)], dtype=np.int32),
            np.array(self._changed[: len(ranks)], dtype=np.int32),
            np.array(ranks, dtype=np.float64),
        )

    # What the loop asks for

    def serve_own_way(self, _: int) -> None:
        """Let the discipline offer waiting jobs to the allocator."""
        self._vain_offers = 0
        self._discipline.serve(self)

    def join(self, job: int) -> None:
        """Add a job that has arrived behind the last that has no greater first rank."""
        first, others, ranks = self.first_ranks, self.waiting(), self._loop.arrays.ranks
        at = len(others)
        while at and others[at - 1] not in self._requeued and first[others[at - 1]] > first[job]:
            at -= 1
        by_rank = sorted([*others, job], key=lambda waiting: (ranks[waiting], waiting))
        self._put_in_order([*others[:at], job, *others[at:]], by_rank)

    # What failures ask for

    def requeue(self, job: int) -> None:
        """Put a job that was on the machine at the head: those that were there are in order of number."""
        others, ranks = self.waiting(), self._loop.arrays.ranks
        self._requeued = {other for other in others if other in self._requeued} | {job}
        others_behind = [other for other in others if other not in self._requeued]
        by_rank = sorted([*others, job], key=lambda waiting: (ranks[waiting], waiting))
        self._loop.counters[Count.FIRST_WAITING] = 0
        self._loop.counters[Count.REORDERED] = 1  # what arrives must not go by ranks alone
        self._put_in_order([*sorted(self._requeued), *others_behind], by_rank)

    def drop(self, jobs: Collection[int]) -> None:
        """Take jobs out that will never start."""
        first, left = self._row[0], [job for job in self.waiting() if job not in jobs]
        self._loop.arrays.waiting[first : first + len(left)] = left
        self._loop.counters[Count.LAST_WAITING] = first + len(left)

    def move(self, _: int) -> None:
        """Put jobs elsewhere in the queue, as the scenario has it at this time."""
        while self._moves and self._moves[0][0] == self.now:
            job, place = self._moves.popleft()[1:]
            waiting = self.waiting()
            if job in waiting and waiting.index(job) != min(place, len(waiting) - 1):
                self._loop.add_event(EventKind.MOVE, job)
                waiting.remove(job)
                self._put_in_order([*waiting[:place], job, *waiting[place:]], self.waiting())
        self._note_next_move()

    def _note_next_move(self) -> None:
        self._loop.clock[Clock.NEXT_MOVE] = self._moves[0][0] if self._moves else np.inf

    def fault_at_the_end(self) -> DisciplineError | None:
        """The discipline's fault at the end of a run, if jobs wait that it has not offered."""
        waiting, failed = self.waiting(), self._loop.arrays.jobs["failed"]
        if not waiting or (failed[waiting] == self._loop.counters[Count.VERSION]).any():
            return None
        said = tr("never offered job {job} to the allocator, and the machine is empty")
        return self._discipline.fault(said.format(job=min(waiting)))

    # What the discipline sees: see QueueView

    @property
    def now(self) -> float:
        return float(self._loop.clock[Clock.NOW])

    @property
    def free(self) -> int:
        return int(self._loop.counters[Count.FREE])

    def head(self) -> int | None:
        first, last = self._row
        return int(self._loop.arrays.waiting[first]) if last > first else None

    def waiting(self) -> list[int]:
        return self._loop.queue

    def arrival(self, job: int) -> float:
        return float(self._jobs.arrival[job])

    def size(self, job: int) -> Size:
        return self._jobs.size(job)

    def service(self, job: int) -> float:
        return float(self._loop.arrays.jobs["service"][job])

    def plan(self) -> Plan:
        return self._loop

    def try_to_place(self, job: int) -> bool:
        loop, number = self._loop, self._number_of(job)
        if loop.arrays.jobs["failed"][job] == loop.counters[Count.VERSION]:
            self._vain_offers += 1
            if self._vain_offers > _VAIN_OFFERS + _VAIN_OFFERS_PER_JOB * len(self.waiting()):
                said = tr("offers job {job} again and again although it cannot be placed now")
                raise self._discipline.fault(said.format(job=job))
            return False
        with work_of_caller():
            outcome = loop.place(number, int(job))
        return self._goes_on(outcome)

    def serve(self, serving: Serving) -> None:
        with work_of_caller():
            outcome = self._loop.serve(serving)
        self._goes_on(outcome)

    def reorder(self, jobs: Sequence[int]) -> None:
        before = self.waiting()
        self._put_in_order(self._all_waiting(jobs, before), before)

    @property
    def _row(self) -> tuple[int, int]:
        first, last = self._loop.counters[[Count.FIRST_WAITING, Count.LAST_WAITING]].tolist()
        return first, last

    def _goes_on(self, outcome: HowFar) -> bool:
        """Whether the loop has placed what it was offered; where it has stopped, so does the discipline."""
        if outcome == HowFar.FAULT:
            self._discipline.machine_error = LoopStopped()
            raise self._discipline.machine_error
        return outcome == HowFar.DONE

    def _put_in_order(self, wanted: list[int], before: list[int]) -> None:
        """Give jobs new ranks where the order is not the one before, which is that of their ranks."""
        loop = self._loop
        if wanted != before:
            loop.counters[Count.REORDERED] = 1
            loop.counters[Count.SCHEDULED] = 0
            ranks = loop.arrays.ranks
            for job, rank in zip(wanted, _new_ranks(wanted, before, ranks), strict=True):
                if rank != ranks[job]:
                    ranks[job] = rank
                    self._positions.append(int(loop.counters[Count.EVENTS]))
                    self._changed.append(job)
                    self._new_ranks.append(rank)
        first = int(loop.counters[Count.FIRST_WAITING])
        loop.arrays.waiting[first : first + len(wanted)] = wanted
        loop.counters[Count.LAST_WAITING] = first + len(wanted)

    def _number_of(self, job: int) -> int:
        """The job's place in the queue, from 0."""
        row = self._loop.arrays.waiting[slice(*self._row)]
        if isinstance(job, _NUMBERS) and len(found := np.flatnonzero(row == job)):
            return int(found[0])
        said = tr("offers {quoted} to the allocator: expected a job that waits")
        raise self._discipline.fault(said.format(quoted=quoted(job)))

    def _all_waiting(self, jobs: Sequence[int], before: list[int]) -> list[int]:
        """The order that a discipline asks for, checked."""
        try:
            wanted = [index(job) for job in jobs]
        except TypeError:
            wanted = []
        if sorted(wanted) != sorted(before):
            said = tr("orders the queue as {quoted}: expected every waiting job once")
            raise self._discipline.fault(said.format(quoted=quoted(jobs)))
        return wanted


def _new_ranks(wanted: list[int], before: list[int], ranks: Floats) -> list[float]:
    """Ranks that put the jobs in the wanted order, few of them new."""
    place = {job: at for at, job in enumerate(before)}
    new: list[float] = ranks[wanted].tolist()
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
