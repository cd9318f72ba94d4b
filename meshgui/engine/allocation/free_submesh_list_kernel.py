"""The kernels of Free Sub-mesh List: which placement the free boxes lose least by, and how they are cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_boxes import JOB, give, hold, note_row
from meshgui.engine.allocation.held_boxes import release as drop
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, turned
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.kernel import kernel

__all__ = [
    "CONTAINED",
    "CUT",
    "CUT_OUT",
    "DROP",
    "FOUND",
    "LEAST",
    "LOSS",
    "RESTS",
    "SMALL",
    "TAKE",
    "WHOLE",
    "FreeListState",
    "allocate",
    "release",
    "take",
]

# The lines of the pseudo-code, by their place in `LINES`.
TAKE, SMALL, LOSS, LEAST, FAIL, CUT, DROP, FOUND = range(8)
# Those of a release, behind the lines of the busy boxes; how a box is cut stands at the same places there.
WHOLE, CUT_OUT, RESTS, CONTAINED, LISTED = 3, 4, CUT, DROP, 7


class FreeListState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    busy: NDArray[np.int32]
    length: NDArray[np.int64]  # one number: how many boxes the list has
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]  # see `orders_of`
    turns: NDArray[np.int32]  # room for the request's orientations
    free: NDArray[np.int32]  # x1, y1, x2, y2; in the order of the lowest row, then the leftmost
    listed: NDArray[np.int64]  # one number: how many free boxes there are


@kernel
def _rest(
    free: NDArray[np.int32], f: int, side: int, x1: int, y1: int, x2: int, y2: int
) -> tuple[int, int, int, int]:
    """What a free box keeps left (0), right (1), below (2) or above (3) of the box; perhaps nothing."""
    u1, v1, u2, v2 = free[f, 0], free[f, 1], free[f, 2], free[f, 3]
    if side == 0:
        return u1, v1, x1 - 1, v2
    if side == 1:
        return x2 + 1, v1, u2, v2
    if side == 2:
        return u1, v1, u2, y1 - 1
    return u1, y2 + 1, u2, v2


@kernel
def _cuts(free: NDArray[np.int32], f: int, x1: int, y1: int, x2: int, y2: int) -> bool:
    """Whether the box shares a processor with a free box."""
    u1, v1, u2, v2 = free[f]
    return bool(u1 <= x2 and x1 <= u2 and v1 <= y2 and y1 <= v2)


@kernel
def _largest_rest(free: NDArray[np.int32], f: int, x1: int, y1: int, x2: int, y2: int) -> int:
    """How many processors the largest box has that is left of a free box."""
    largest = 0
    for side in range(4):
        u1, v1, u2, v2 = _rest(free, f, side, x1, y1, x2, y2)
        if u1 <= u2 and v1 <= v2:
            largest = max(largest, (u2 - u1 + 1) * (v2 - v1 + 1))
    return largest


@kernel
def _loss(
    free: NDArray[np.int32], x: int, y: int, a: int, b: int, least: int, log: NDArray[np.int32] | None
) -> int:
    """What the free boxes lose together when the box is taken."""
    loss, cut = 0, 0
    for f in range(free.shape[0]):
        if _cuts(free, f, x, y, x + a - 1, y + b - 1):
            area = (free[f, 2] - free[f, 0] + 1) * (free[f, 3] - free[f, 1] + 1)
            loss += area - _largest_rest(free, f, x, y, x + a - 1, y + b - 1)
            cut += 1
    if log is not None:
        note(log, LOSS, Role.CANDIDATE, x, y, 0, a, b, 1, loss, cut, least)
        for f in range(free.shape[0]):
            if _cuts(free, f, x, y, x + a - 1, y + b - 1):
                w, d = free[f, 2] - free[f, 0] + 1, free[f, 3] - free[f, 1] + 1
                lost = w * d - _largest_rest(free, f, x, y, x + a - 1, y + b - 1)
                note(log, SAME_STEP, Role.TRIED, free[f, 0], free[f, 1], 0, w, d, 1, lost, w * d, f)
    return loss


@kernel
def search(
    free: NDArray[np.int32], turns: NDArray[np.int32], log: NDArray[np.int32] | None
) -> tuple[int, int, int, int]:
    """The placement that loses least, the first of equals: (turn or -1, x, y, free boxes examined)."""
    best, best_x, best_y, least, examined = -1, 0, 0, -1, 0
    for f in range(free.shape[0]):
        examined += 1
        left, low = free[f, 0], free[f, 1]
        w, d = free[f, 2] - left + 1, free[f, 3] - low + 1
        if log is not None:
            note(log, TAKE, Role.TRIED, left, low, 0, w, d, 1, w * d, 0, f)
        for t in range(turns.shape[0]):
            a, b = turns[t, 0], turns[t, 1]
            if a > w or b > d:
                if log is not None:
                    note(log, SMALL, Role.NOTHING, left, low, 0, a, b, 1, 0, 0, f)
                    note(log, SAME_STEP, Role.BLOCKED, left, low, 0, w, d, 1, 0, 0, f)
                continue
            for corner in range(4):
                right, high = corner % 2 == 1, corner > 1
                if (right and a == w) or (high and b == d):
                    continue  # the same place as the corner opposite
                x = left + w - a if right else left
                y = low + d - b if high else low
                loss = _loss(free, x, y, a, b, least, log)
                examined += free.shape[0]
                if least < 0 or loss < least:
                    best, best_x, best_y, least = t, x, y, loss
                    if log is not None:
                        note(log, LEAST, Role.CANDIDATE, x, y, 0, a, b, 1, loss, 0, f)
    if best < 0 and log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return best, best_x, best_y, examined


@kernel
def _contains(boxes: NDArray[np.int32], i: int, other: NDArray[np.int32], j: int) -> bool:
    """Whether box i contains box j of the other array."""
    u1, v1, u2, v2 = boxes[i]
    x1, y1, x2, y2 = other[j]
    return bool(u1 <= x1 and v1 <= y1 and u2 >= x2 and v2 >= y2)


@kernel
def _container(
    kept: NDArray[np.int32], count: int, rests: NDArray[np.int32], n: int, r: int
) -> tuple[int, int]:
    """Which free box contains a rest, the boxes kept first, or -1; of equal rests the first is needed."""
    for k in range(count):
        if _contains(kept, k, rests, r):
            return k, k + 1
    for s in range(n):
        if s != r and _contains(rests, s, rests, r) and (s < r or not _contains(rests, r, rests, s)):
            return count + s, count + s + 1
    return -1, count + n


@kernel
def _copy(boxes: NDArray[np.int32], place: int, box: NDArray[np.int32]) -> None:
    for column in range(4):
        boxes[place, column] = box[column]


@kernel
def _insert(kept: NDArray[np.int32], count: int, rests: NDArray[np.int32], r: int) -> None:
    """Put a rest into the list at its place: lowest row first, leftmost first, then the lower."""
    place = count
    while place > 0:
        before = kept[place - 1]
        new = rests[r]
        if (before[1], before[0], before[3], before[2]) < (new[1], new[0], new[3], new[2]):
            break
        _copy(kept, place, before)
        place -= 1
    _copy(kept, place, rests[r])


@kernel
def _cut(state: FreeListState, x1: int, y1: int, x2: int, y2: int, log: NDArray[np.int32] | None) -> None:
    """Take a box out of the list; boxes examined are the operations."""
    free, n = state.free, state.listed[0]
    rests = np.empty((4 * n, 4), dtype=np.int32)
    count, left, examined = 0, 0, n
    for f in range(n):
        if not _cuts(free, f, x1, y1, x2, y2):
            if count < f:
                _copy(free, count, free[f])
            count += 1
            continue
        first = left
        for side in range(4):
            u1, v1, u2, v2 = _rest(free, f, side, x1, y1, x2, y2)
            if u1 <= u2 and v1 <= v2:
                rests[left, 0], rests[left, 1], rests[left, 2], rests[left, 3] = u1, v1, u2, v2
                left += 1
        if log is not None:
            _note(log, CUT, Role.PROHIBITED, free, f, f, left - first)
            for r in range(first, left):
                _note(log, SAME_STEP, Role.CANDIDATE, rests, r, f, 0)
    containers = np.empty(left, dtype=np.int32)
    for r in range(left):
        containers[r], looked_at = _container(free, count, rests, left, r)
        examined += looked_at
        if containers[r] >= 0 and log is not None:
            _note(log, DROP, Role.PROHIBITED, rests, r, r, 0)
            if containers[r] < count:
                _note(log, SAME_STEP, Role.BLOCKED, free, containers[r], r, 0)
            else:
                _note(log, SAME_STEP, Role.BLOCKED, rests, containers[r] - count, r, 0)
    for r in range(left):
        if containers[r] < 0:
            _insert(free, count, rests, r)
            count += 1
    state.listed[0] = count
    state.tally[OPERATIONS] += examined


@kernel
def _note(
    log: NDArray[np.int32], line: int, role: int, boxes: NDArray[np.int32], i: int, number: int, value: int
) -> None:
    """Log a box of a list."""
    x, y = boxes[i, 0], boxes[i, 1]
    w, d = boxes[i, 2] - x + 1, boxes[i, 3] - y + 1
    note(log, line, role, x, y, 0, w, d, 1, value, w * d, number)


@kernel
def take(state: FreeListState, job: int, given: NDArray[np.int32], count: int) -> None:
    """Mark the boxes as held by the job."""
    _take(state, job, given, count, None)


@kernel
def _take(
    state: FreeListState, job: int, given: NDArray[np.int32], count: int, log: NDArray[np.int32] | None
) -> None:
    for n in range(count):
        x, y, w, d = given[n, 0], given[n, 1], given[n, 3], given[n, 4]
        _cut(state, x, y, x + w - 1, y + d - 1, log)
    hold(state, job, given, count)


@kernel
def allocate(
    state: FreeListState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None
) -> int:
    """Search, and log also how the box is taken out of the list."""
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    turn, x, y, examined = search(state.free[: state.listed[0]], turns, log)
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    a, b = turns[turn, 0], turns[turn, 1]
    count = give(given, x, y, a, b)
    _take(state, asked.job, given, count, log)
    if log is not None:
        note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1, 0, 0, 0)
    return count


@kernel
def release(state: FreeListState, job: int, log: NDArray[np.int32] | None) -> None:
    """Rebuild the list from the whole mesh by cutting out every box still held."""
    drop(state, job, log)
    whole = state.free[0]
    whole[0], whole[1], whole[2], whole[3] = 0, 0, state.extents[0] - 1, state.extents[1] - 1
    state.listed[0] = 1
    if log is not None:
        _note(log, WHOLE, Role.CANDIDATE, state.free, 0, 0, 0)
    for i in range(state.length[0]):
        x1, y1, _, x2, y2, _, _ = state.busy[i]
        if log is not None:
            note_row(log, CUT_OUT, Role.BLOCKED, state.busy, i, state.busy[i, JOB])
        _cut(state, x1, y1, x2, y2, log)
    if log is not None:
        note(log, LISTED, Role.NOTHING, 0, 0, 0, 0, 0, 0, state.listed[0], 0, 0)
