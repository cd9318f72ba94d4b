"""The kernels of Adaptive Non-contiguous Allocation: scanning for a part, cutting parts in two."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_boxes import hold, note_row
from meshgui.engine.allocation.held_boxes import release as drop
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked
from meshgui.engine.allocation.nested_search import stand_at
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.kernel import kernel

__all__ = [
    "BACK",
    "FAIL",
    "FOUND",
    "PART",
    "PLACE",
    "RELEASE_SHIFT",
    "ROUND",
    "PartsState",
    "halve",
    "release",
    "search",
    "take",
]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, ROUND, PART, BUSY, PLACE, BACK, FOUND, FAIL = range(8)

NO_JOB: Final = -1

# And those of a release, before the lines of the busy boxes.
RELEASE_SHIFT = 1


@kernel
def _first_fit(
    held: NDArray[np.int32], a: int, b: int, log: NDArray[np.int32] | None
) -> tuple[int, int, int]:
    """The first free box of a×b, jumping over busy processors: (x or -1, y, processors examined)."""
    length, width = held.shape
    examined = 0
    for y in range(length - b + 1):
        x = 0
        while x + a <= width:
            busy = -1  # the last column with a busy processor: no box based up to there is free in this row
            for u in range(x + a - 1, x - 1, -1):
                for v in range(y, y + b):
                    examined += 1
                    if held[v, u] >= 0:
                        busy = u
                        if log is not None:
                            note(log, BUSY, Role.TRIED, x, y, 0, a, b, 1, held[v, u], 0, 0)
                            note(log, SAME_STEP, Role.BLOCKED, u, v, 0, 1, 1, 1, held[v, u], 0, 0)
                        break
                if busy >= 0:
                    break
            if busy < 0:
                return x, y, examined
            x = busy + 1
    return -1, 0, examined


class PartsState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    busy: NDArray[np.int32]
    length: NDArray[np.int64]  # one number: how many boxes the list has
    held: NDArray[np.int32]  # the job that holds each processor [y, x], or -1
    free: NDArray[np.int64]  # one number: how many processors are
    rounds: int  # how often a request may be cut
    least: int  # the shortest side that a part may have


@kernel
def fill(held: NDArray[np.int32], x1: int, y1: int, x2: int, y2: int, job: int) -> int:
    """Note a box as the job's, or for -1 as free: how many processors it has."""
    for y in range(y1, y2 + 1):
        for x in range(x1, x2 + 1):
            held[y, x] = job
    return (x2 - x1 + 1) * (y2 - y1 + 1)


@kernel
def _fill_part(state: PartsState, part: NDArray[np.int32], job: int) -> int:
    """The same for a part with its base."""
    x, y = int(part[0]), int(part[1])
    return fill(state.held, x, y, x + part[3] - 1, y + part[4] - 1, job)


@kernel
def place(
    state: PartsState, parts: NDArray[np.int32], count: int, job: int, log: NDArray[np.int32] | None
) -> bool:
    """Find bases for the parts one after another, each beside those before it: whether all have one."""
    placed = 0
    while placed < count:
        part = parts[placed]
        if log is not None:
            note(log, PART, Role.TRIED, 0, 0, 0, part[3], part[4], 1, placed + 1, count, 0)
        x, y, examined = _first_fit(state.held, part[3], part[4], log)
        state.tally[OPERATIONS] += examined
        if x < 0:
            if log is not None:
                note(log, BACK, Role.NOTHING, 0, 0, 0, 0, 0, 0, placed + 1, count, 0)
            break
        part[0], part[1] = x, y
        _fill_part(state, part, job)
        placed += 1
        if log is not None:
            note(log, PLACE, Role.PLACED, x, y, 0, part[3], part[4], 1, placed, count, 0)
    for p in range(placed):
        _fill_part(state, parts[p], NO_JOB)
    return placed == count


@kernel
def halve(parts: NDArray[np.int32], count: int, least: int) -> int:
    """Cut each part across its longer side: how many there are, 0 where a half had a side below the least."""
    for p in range(count):
        w, d = parts[p, 3], parts[p, 4]
        if max(w, d) < 2 * least or min(w, d) < least:
            return 0
    for p in range(count - 1, -1, -1):
        w, d = parts[p, 3], parts[p, 4]
        across = w >= d
        for half in range(1, -1, -1):
            part = parts[2 * p + half]
            part[3] = (w + 1 - half) // 2 if across else w
            part[4] = d if across else (d + 1 - half) // 2
            part[2], part[5] = 0, 1
    return 2 * count


@kernel
def search(state: PartsState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Place the parts, in `given`; processors examined are the operations."""
    wanted = asked.w * asked.d
    state.tally[OPERATIONS] += 1
    if wanted > state.free[0]:
        if log is not None:
            note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, state.free[0], wanted, 0)
        return WAITS
    given[0, 2], given[0, 3], given[0, 4], given[0, 5] = 0, asked.w, asked.d, 1
    count, turn = 1, 0
    while count > 0 and turn <= state.rounds:
        if log is not None:
            note(log, ROUND, Role.NOTHING, 0, 0, 0, 0, 0, 0, turn, count, 0)
        if place(state, given, count, asked.job, log):
            if log is not None:
                for n in range(count):
                    x, y, z, a, b, c = given[n]
                    note(log, SAME_STEP if n else FOUND, Role.PLACED, x, y, z, a, b, c, count, 0, 0)
            return count
        turn += 1
        if turn <= state.rounds:
            count = halve(given, count, state.least)
    if log is not None:
        why = 0 if count > 0 else state.least
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, why, state.rounds, 0)
    return WAITS


@kernel
def take(state: PartsState, job: int, given: NDArray[np.int32], count: int) -> None:
    """Mark the boxes as held by the job."""
    hold(state, job, given, count)
    for n in range(count):
        state.free[0] -= _fill_part(state, given[n], job)


@kernel
def release(state: PartsState, job: int, log: NDArray[np.int32] | None) -> None:
    """Free what the job holds."""
    line = 0
    for n in range(state.length[0]):
        x1, y1, _, x2, y2, _, holder = state.busy[n]
        if holder == job:
            state.free[0] += fill(state.held, int(x1), int(y1), int(x2), int(y2), NO_JOB)
            if log is not None:
                note_row(log, line, Role.CANDIDATE, state.busy, n, 0)
                line = SAME_STEP
    before = 0 if log is None else log[0, 0]
    drop(state, job, log)
    if log is not None:
        stand_at(log, before + 1, RELEASE_SHIFT)
