"""The kernels of Free Sub-mesh List: which placement the free boxes lose least by, and how they are cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.held_boxes import BusyBoxes, HeldBoxesStrategy, give, hold, listed, note_row
from meshgui.engine.allocation.held_boxes import release as release_boxes
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_numbers
from meshgui.engine.allocation.turning import Turning, oriented
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import kernel

CODE = PseudoCode()
TAKE = CODE.decision("take", "for each free box of the list:")
CODE.says("Look at the free box {box}.")
SMALL = CODE.line(
    "small", "for each orientation of the request: skip it if it is too large for the free box", 1
)
CODE.says("{size} does not fit into this free box.")
LOSS = CODE.line("loss", "place it in each corner, and add up what the free boxes it cuts would lose", 2)
CODE.says("At {box} it would cut {cuts}; with only the largest remainder of each, {lost} lost.")
LEAST = CODE.decision("least", "if less is lost than in any placement before: remember this one", 2)
CODE.says("Nothing better so far: {box} is remembered.")
FAIL = CODE.decision("fail", "if no placement is remembered: fail")
CODE.says("No free box of the list can hold it, so the job waits.")
CUT = CODE.line(
    "cut",
    "replace each free box that the remembered placement cuts by its remainders on the four sides",
    event="split",
)
CODE.says("The free box {box} is cut: {rests}.")
DROP = CODE.line("drop", "drop a remainder that another free box contains", 1)
CODE.says("The remainder {box} lies inside the free box {other}, so the list does not need it.")
FOUND = CODE.decision("found", "allocate the remembered placement")
CODE.says("The job gets {box}, where the free boxes lose least.")
RELEASE = PseudoCode(*HeldBoxesStrategy.release_lines)
WHOLE = RELEASE.decision("whole", "rebuild the free list: at first the whole mesh is free")
RELEASE.says("The free list is rebuilt, starting with the whole mesh, {box}.")
CUT_OUT = RELEASE.decision("cut out", "for each box still held: cut it out of the list")
RELEASE.says("Cut out {box}, which {holder} holds.")
RESTS = RELEASE.line(
    "rests", "replace each free box that it cuts by its remainders on the four sides", 1, event="split"
)
RELEASE.says("The free box {box} is cut: {rests}.")
CONTAINED = RELEASE.line("contained", "drop a remainder that another free box contains", 1)
RELEASE.says("The remainder {box} lies inside the free box {other}, so the list does not need it.")
LISTED = RELEASE.decision("listed", "the list has every free box that no other contains")
RELEASE.says("The list has {listed}.")


class FreeListState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    busy: BusyBoxes
    turning: Turning
    free: Ints32  # x1, y1, x2, y2; in the order of the lowest row, then the leftmost
    listed: Ints  # one number: how many free boxes there are


@kernel
def _rest(free: Ints32, f: int, side: int, x1: int, y1: int, x2: int, y2: int) -> tuple[int, int, int, int]:
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
def _cuts(free: Ints32, f: int, x1: int, y1: int, x2: int, y2: int) -> bool:
    """Whether the box shares a processor with a free box."""
    u1, v1, u2, v2 = free[f]
    return bool(u1 <= x2 and x1 <= u2 and v1 <= y2 and y1 <= v2)


@kernel
def _largest_rest(free: Ints32, f: int, x1: int, y1: int, x2: int, y2: int) -> int:
    """How many processors the largest box has that is left of a free box."""
    largest = 0
    for side in range(4):
        u1, v1, u2, v2 = _rest(free, f, side, x1, y1, x2, y2)
        if u1 <= u2 and v1 <= v2:
            largest = max(largest, (u2 - u1 + 1) * (v2 - v1 + 1))
    return largest


@kernel
def _loss(free: Ints32, x: int, y: int, a: int, b: int, least: int, log: Log) -> int:
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
def search(free: Ints32, turns: Ints32, log: Log) -> tuple[int, int, int, int]:
    """The placement that loses least, the first of equals: (turn or -1, x, y, free boxes examined)."""
    best, best_x, best_y, least, examined = -1, 0, 0, -1, 0
    for f in range(free.shape[0]):
        examined += 1
        left, low = free[f, 0], free[f, 1]
        w, d = free[f, 2] - left + 1, free[f, 3] - low + 1
        note(log, TAKE, Role.TRIED, left, low, 0, w, d, 1, w * d, 0, f)
        for t in range(turns.shape[0]):
            a, b = turns[t, 0], turns[t, 1]
            if a > w or b > d:
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
                    note(log, LEAST, Role.CANDIDATE, x, y, 0, a, b, 1, loss, 0, f)
    if best < 0 and log is not None:
        note(log, FAIL)
    return best, best_x, best_y, examined


@kernel
def _contains(boxes: Ints32, i: int, other: Ints32, j: int) -> bool:
    """Whether box i contains box j of the other array."""
    u1, v1, u2, v2 = boxes[i]
    x1, y1, x2, y2 = other[j]
    return bool(u1 <= x1 and v1 <= y1 and u2 >= x2 and v2 >= y2)


@kernel
def _container(kept: Ints32, count: int, rests: Ints32, n: int, r: int) -> tuple[int, int]:
    """Which free box contains a rest, the boxes kept first, or -1; of equal rests the first is needed."""
    for k in range(count):
        if _contains(kept, k, rests, r):
            return k, k + 1
    for s in range(n):
        if s != r and _contains(rests, s, rests, r) and (s < r or not _contains(rests, r, rests, s)):
            return count + s, count + s + 1
    return -1, count + n


@kernel
def _copy(boxes: Ints32, place: int, box: Ints32) -> None:
    for column in range(4):
        boxes[place, column] = box[column]


@kernel
def _insert(kept: Ints32, count: int, rests: Ints32, r: int) -> None:
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
def _cut(state: FreeListState, x1: int, y1: int, x2: int, y2: int, cut: int, drop: int, log: Log) -> None:
    """Take a box out of the list, logged with these lines; boxes examined are the operations."""
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
            _note(log, cut, Role.PROHIBITED, free, f, f, left - first)
            for r in range(first, left):
                _note(log, SAME_STEP, Role.CANDIDATE, rests, r, f, 0)
    containers = np.empty(left, dtype=np.int32)
    for r in range(left):
        containers[r], looked_at = _container(free, count, rests, left, r)
        examined += looked_at
        if containers[r] >= 0 and log is not None:
            _note(log, drop, Role.PROHIBITED, rests, r, r, 0)
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
def _note(log: Log, line: int, role: int, boxes: Ints32, i: int, number: int, value: int) -> None:
    """Log a box of a list."""
    x, y = boxes[i, 0], boxes[i, 1]
    w, d = boxes[i, 2] - x + 1, boxes[i, 3] - y + 1
    note(log, line, role, x, y, 0, w, d, 1, value, w * d, number)


@kernel
def take(state: FreeListState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    _take(state, job, boxes, count, None)


@kernel
def _take(state: FreeListState, job: int, boxes: Ints32, count: int, log: Log) -> None:
    for n in range(count):
        x, y, w, d = boxes[n, 0], boxes[n, 1], boxes[n, 3], boxes[n, 4]
        _cut(state, x, y, x + w - 1, y + d - 1, CUT, DROP, log)
    hold(state, job, boxes, count)


@kernel
def allocate(state: FreeListState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Search, and log also how the box is taken out of the list."""
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    turn, x, y, examined = search(state.free[: state.listed[0]], turns, log)
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    a, b = turns[turn, 0], turns[turn, 1]
    count = give(boxes_out, x, y, a, b)
    _take(state, request.job, boxes_out, count, log)
    note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1)
    return count


@kernel
def release(state: FreeListState, job: int, log: Log) -> None:
    """Rebuild the list from the whole mesh by cutting out every box still held."""
    release_boxes(state, job, log)
    width, length = state.turning.extents[0], state.turning.extents[1]
    whole = state.free[0]
    whole[0], whole[1], whole[2], whole[3] = 0, 0, width - 1, length - 1
    state.listed[0] = 1
    _note(log, WHOLE, Role.CANDIDATE, state.free, 0, 0, 0)
    busy = listed(state.busy)
    for i in range(busy.shape[0]):
        x1, y1, _, x2, y2, _, job = busy[i]
        note_row(log, CUT_OUT, Role.BLOCKED, busy, i, job)
        _cut(state, x1, y1, x2, y2, RESTS, CONTAINED, log)
    note_numbers(log, LISTED, state.listed[0])
