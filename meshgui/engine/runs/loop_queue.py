"""The queue of the compiled event loop, and its heaps.

Where a discipline looks at the head alone, jobs that arrive in the order of their ranks stand in a row, and
the others in a heap beside it: a job costs the same however many wait. Elsewhere all stand in the row.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel
from meshgui.engine.runs.loop_state import FINISHES, FIRST_WAITING, HEAD, LAST_WAITING, RANKED, Integer, Loop

__all__ = ["comes_before", "head", "join", "leave", "pop_finish", "push_finish", "set_end", "waiting_jobs"]


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
    set_end(heap, at, time, job)
    while at > 0 and comes_before(heap[at], heap[(at - 1) // 2]):
        above = (at - 1) // 2
        other_time, other = heap[above]["time"], heap[above]["job"]
        set_end(heap, above, time, job)
        set_end(heap, at, other_time, other)
        at = above


@kernel
def _pop(heap: NDArray[Any], size: int) -> int:
    """Take the first of a heap that then has `size` left."""
    first = int(heap[0]["job"])
    time, job = heap[size]["time"], heap[size]["job"]
    set_end(heap, 0, time, job)
    at = 0
    while True:
        below = 2 * at + 1
        if below + 1 < size and comes_before(heap[below + 1], heap[below]):
            below += 1
        if below >= size or not comes_before(heap[below], heap[at]):
            return first
        set_end(heap, at, heap[below]["time"], heap[below]["job"])
        set_end(heap, below, time, job)
        at = below


@kernel
def push_finish(loop: Loop, time: float, job: Integer) -> None:
    """Note that a job finishes at a time."""
    _push(loop.finishes, loop.counters[FINISHES], time, job)
    loop.counters[FINISHES] += 1


@kernel
def pop_finish(loop: Loop) -> int:
    """Take the job that finishes first, of those at one time the lowest number."""
    loop.counters[FINISHES] -= 1
    return _pop(loop.finishes, loop.counters[FINISHES])


@kernel
def waiting_jobs(loop: Loop) -> int:
    """How many jobs wait."""
    counters = loop.counters
    return int(counters[LAST_WAITING] - counters[FIRST_WAITING] + counters[RANKED])


@kernel
def join(loop: Loop, job: Integer) -> None:
    """Add a job behind the last that has no greater rank."""
    counters, waiting, rank = loop.counters, loop.waiting, loop.jobs[job]["rank"]
    place = counters[LAST_WAITING]
    in_order = place == counters[FIRST_WAITING] or loop.jobs[waiting[place - 1]]["rank"] <= rank
    if not in_order and loop.serving == HEAD:
        _push(loop.ranked, counters[RANKED], rank, job)
        counters[RANKED] += 1
        return
    while place > counters[FIRST_WAITING] and loop.jobs[waiting[place - 1]]["rank"] > rank:
        waiting[place] = waiting[place - 1]
        place -= 1
    waiting[place] = job
    counters[LAST_WAITING] += 1


@kernel
def _head_is_ranked(loop: Loop) -> bool:
    """Whether the first of all stands in the heap."""
    counters = loop.counters
    if not counters[RANKED] or counters[LAST_WAITING] == counters[FIRST_WAITING]:
        return bool(counters[RANKED])
    row, heap = loop.waiting[counters[FIRST_WAITING]], loop.ranked[0]["job"]
    one, other = loop.jobs[row]["rank"], loop.jobs[heap]["rank"]
    return bool(other < one or (other == one and heap < row))


@kernel
def head(loop: Loop) -> int:
    """The first waiting job."""
    return int(loop.ranked[0]["job"] if _head_is_ranked(loop) else loop.waiting[loop.counters[FIRST_WAITING]])


@kernel
def leave(loop: Loop, at: Integer) -> None:
    """Take the job out that stands at a place of the row; the first of all where that is the first place."""
    counters, waiting = loop.counters, loop.waiting
    first, last = counters[FIRST_WAITING], counters[LAST_WAITING]
    if at == first and _head_is_ranked(loop):
        counters[RANKED] -= 1
        _pop(loop.ranked, counters[RANKED])
    elif at - first < last - at:
        for n in range(at, first, -1):
            waiting[n] = waiting[n - 1]
        counters[FIRST_WAITING] += 1
    else:
        for n in range(at, last - 1):
            waiting[n] = waiting[n + 1]
        counters[LAST_WAITING] -= 1
