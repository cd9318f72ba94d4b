"""The queue of the event loop, and its heaps.

Where the head alone is looked at, and no job is put elsewhere, the jobs of each rank form a line, and the
lines a heap: a job costs the same however many wait. Elsewhere all form a row.
"""

from __future__ import annotations

from typing import Any, Final

from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.loop_state import Count, Integer, Loop

BRANCHES: Final = 4
"""Of a heap at each place: they lie together in memory, and a large heap has half the levels."""


@kernel
def comes_before(one: Any, other: Any) -> bool:  # noqa: ANN401
    """The order of ends: by time, then by job."""
    return bool(one["time"] < other["time"] or (one["time"] == other["time"] and one["job"] < other["job"]))


@kernel
def set_end(ends: NDArray[Any], place: int, time: float, job: Integer) -> None:
    """Write an end."""
    ends[place]["time"] = time
    ends[place]["job"] = job


@kernel
def _push(heap: NDArray[Any], size: int, time: float, job: Integer) -> None:
    at = size
    while at > 0:
        above = (at - 1) // BRANCHES
        other_time, other = heap[above]["time"], heap[above]["job"]
        if other_time < time or (other_time == time and other < job):
            break
        set_end(heap, at, other_time, other)
        at = above
    set_end(heap, at, time, job)


@kernel
def _pop(heap: NDArray[Any], size: int) -> int:
    """Take the first of a heap that then has `size` left."""
    first = int(heap[0]["job"])
    last = heap[size]
    at, below = 0, 1
    while below < size:
        least = below
        for n in range(below + 1, min(below + BRANCHES, size)):
            if comes_before(heap[n], heap[least]):
                least = n
        if not comes_before(heap[least], last):
            break
        set_end(heap, at, heap[least]["time"], heap[least]["job"])
        at, below = least, BRANCHES * least + 1
    set_end(heap, at, last["time"], last["job"])
    return first


@kernel
def push_finish(loop: Loop, time: float, job: Integer) -> None:
    """Note that a job finishes at a time."""
    _push(loop.finishes, loop.counters[Count.FINISHES], time, job)
    loop.counters[Count.FINISHES] += 1


@kernel
def pop_finish(loop: Loop) -> int:
    """Take the job that finishes first, of those at one time the lowest number."""
    loop.counters[Count.FINISHES] -= 1
    return _pop(loop.finishes, loop.counters[Count.FINISHES])


@kernel
def waiting_jobs(loop: Loop) -> int:
    """How many jobs wait."""
    counters = loop.counters
    return int(counters[Count.LAST_WAITING] - counters[Count.FIRST_WAITING] + counters[Count.LINED_UP])


@kernel
def _stand_in_lines(loop: Loop) -> bool:
    return bool(loop.ranked.size)


@kernel
def join(loop: Loop, job: Integer) -> None:
    """Add a job behind the last that has no greater rank."""
    counters, waiting, rank = loop.counters, loop.waiting, loop.ranks[job]
    if _stand_in_lines(loop):
        line = loop.jobs[job]["line"]
        last = loop.lines[line]
        if last < 0:
            _push(loop.ranked, counters[Count.LINES], rank, job)
            counters[Count.LINES] += 1
        else:
            waiting[last] = job
        loop.lines[line] = job
        counters[Count.LINED_UP] += 1
        return
    place = counters[Count.LAST_WAITING]
    while place > counters[Count.FIRST_WAITING] and loop.ranks[waiting[place - 1]] > rank:
        waiting[place] = waiting[place - 1]
        place -= 1
    waiting[place] = job
    counters[Count.LAST_WAITING] += 1


@kernel
def head(loop: Loop) -> int:
    """The first waiting job."""
    if _stand_in_lines(loop):
        return int(loop.ranked[0]["job"])
    return int(loop.waiting[loop.counters[Count.FIRST_WAITING]])


@kernel
def leave(loop: Loop, at: Integer) -> None:
    """Take the job out that stands at a place of the row; where they form lines, the first of all."""
    counters, waiting = loop.counters, loop.waiting
    if _stand_in_lines(loop):
        job = loop.ranked[0]["job"]
        line = loop.jobs[job]["line"]
        counters[Count.LINED_UP] -= 1
        if loop.lines[line] != job:
            loop.ranked[0]["job"] = waiting[job]
        else:
            loop.lines[line] = -1
            counters[Count.LINES] -= 1
            _pop(loop.ranked, counters[Count.LINES])
        return
    first, last = counters[Count.FIRST_WAITING], counters[Count.LAST_WAITING]
    if at - first < last - at:
        for n in range(at, first, -1):
            waiting[n] = waiting[n - 1]
        counters[Count.FIRST_WAITING] += 1
    else:
        for n in range(at, last - 1):
            waiting[n] = waiting[n + 1]
        counters[Count.LAST_WAITING] -= 1
