"""The kernels of Busy List: which base of which right border plane no prohibited region covers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_boxes import JOB, append
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, turned
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.kernel import kernel

__all__ = [
    "CUT",
    "FOUND",
    "GONE",
    "PLANE",
    "SUBTRACT",
    "TURN",
    "BusyListState",
    "find",
    "hold",
    "insert",
    "search",
]


class BusyListState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    busy: NDArray[np.int32]
    length: NDArray[np.int64]  # one number: how many boxes the list has
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]  # see `orders_of`
    turns: NDArray[np.int32]  # room for the request's orientations
    deep: int  # the columns of the middle and the last coordinate
    last: int


# The lines of the pseudo-code, by their place in `LINES`.
TURN, PLANE, CUT, SUBTRACT, GONE, FOUND, FAIL = range(7)


@kernel
def _note_plane(
    log: NDArray[np.int32], line: int, planes: NDArray[np.int32], p: int, x: int, deep: int, owner: int
) -> None:
    """Log a plane, whose four numbers are the bounds in the middle and the last dimension."""
    y, z = planes[p, 0], planes[p, 1]
    d, h = planes[p, 2] - y + 1, planes[p, 3] - z + 1
    if deep == 1:
        note(log, line, Role.BORDER, x, y, z, 1, d, h, d * h, owner, 0)
    else:
        note(log, line, Role.BORDER, x, z, y, 1, h, d, d * h, owner, 0)


@kernel
def _note_cut(
    log: NDArray[np.int32], planes: NDArray[np.int32], inside: bool, x: int, deep: int, owner: int
) -> None:
    """Log what the mesh's edges leave of a plane: nothing, or one plane."""
    if inside:
        _note_plane(log, CUT, planes, 0, x, deep, owner)
    else:
        note(log, CUT, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, owner, 0)


@kernel
def _nodes(planes: NDArray[np.int32], count: int) -> int:
    """How many nodes the planes have together."""
    nodes = 0
    for p in range(count):
        nodes += (planes[p, 2] - planes[p, 0] + 1) * (planes[p, 3] - planes[p, 1] + 1)
    return nodes


@kernel
def _put(planes: NDArray[np.int32], side: int, p: int, y1: int, z1: int, y2: int, z2: int) -> int:
    """Write a plane's bounds; the next free place."""
    planes[side, p, 0], planes[side, p, 1], planes[side, p, 2], planes[side, p, 3] = y1, z1, y2, z2
    return p + 1


@kernel
def _subtract(
    planes: NDArray[np.int32], now: int, count: int, v1: int, w1: int, v2: int, w2: int
) -> tuple[int, bool]:
    """Subtract the region v1..v2 × w1..w2 from the planes by the seventeen cases of figure 3.3.

    The planes stand on side `now`, the pieces are put on the other: (how many, whether the last of them lies
    beyond the region). Such a piece ends the search: the regions still to come end no higher, so none can
    touch it.
    """
    n, other = 0, 1 - now
    for p in range(count):
        y1, z1, y2, z2 = planes[now, p, 0], planes[now, p, 1], planes[now, p, 2], planes[now, p, 3]
        if z1 > w2 or z2 < w1 or y2 < v1 or y1 > v2:  # case 1
            n = _put(planes, other, n, y1, z1, y2, z2)
            if z1 > w2:
                return n, True
            continue
        left, right, below, above = y1 < v1, y2 > v2, z1 < w1, z2 > w2
        # The figure cuts either whole strips off the sides (cases 9 to 14) or whole slabs off the ends.
        sides_whole = (left and right) or (below and above)
        low, high = (max(y1, v1), min(y2, v2)) if sides_whole else (y1, y2)
        bottom, top = (z1, z2) if sides_whole else (max(z1, w1), min(z2, w2))
        below_first = not (sides_whole and left)
        if below and below_first:
            n = _put(planes, other, n, low, z1, high, w1 - 1)
        if left:
            n = _put(planes, other, n, y1, bottom, v1 - 1, top)
        if right:
            n = _put(planes, other, n, v2 + 1, bottom, y2, top)
        if below and not below_first:
            n = _put(planes, other, n, low, z1, high, w1 - 1)
        if above:
            return _put(planes, other, n, low, w2 + 1, high, z2), True
    return n, False


@kernel
def _bounds(planes: NDArray[np.int32], now: int, count: int) -> tuple[int, int, int, int, int]:
    """The bounds of all planes together, and the highest of their lower bounds in the last dimension."""
    y1, z1, y2, z2 = planes[now, 0, 0], planes[now, 0, 1], planes[now, 0, 2], planes[now, 0, 3]
    highest = z1
    for p in range(1, count):
        y1, y2 = min(y1, planes[now, p, 0]), max(y2, planes[now, p, 2])
        z1, z2 = min(z1, planes[now, p, 1]), max(z2, planes[now, p, 3])
        highest = max(highest, planes[now, p, 1])
    return y1, z1, y2, z2, highest


@kernel
def _first_beyond(planes: NDArray[np.int32], now: int, count: int, end: int) -> int:
    """How many planes there are up to the first that lies beyond the end of a region, itself counted."""
    for p in range(count):
        if planes[now, p, 1] > end:
            return p + 1
    return count


@kernel
def _remainder(
    planes: NDArray[np.int32],
    busy: NDArray[np.int32],
    x: int,
    turn: NDArray[np.int32],
    deep: int,
    last: int,
    owner: int,
    log: NDArray[np.int32] | None,
) -> tuple[bool, int, int, int]:
    """Subtract all prohibited regions from the plane: (is a base left, its two coordinates, examined).

    Most regions miss all that is left of the plane, and change nothing unless a piece lies beyond them. Of
    the others most cut one piece on one side: that is done at once.
    """
    a, b, c = turn[0], turn[deep], turn[last]
    now, count, examined, beyond = 0, 1, 0, False
    y1, z1, y2, z2 = planes[now, 0, 0], planes[now, 0, 1], planes[now, 0, 2], planes[now, 0, 3]
    highest = z1
    for j in range(busy.shape[0]):
        u1, v1, w1 = busy[j, 0] - a + 1, busy[j, deep] - b + 1, busy[j, last] - c + 1
        u2, v2, w2 = busy[j, 3], busy[j, 3 + deep], busy[j, 3 + last]
        examined += count
        if (u1 > x) | (x > u2) | (v1 > y2) | (y1 > v2) | (w1 > z2) | (z1 > w2):
            if highest > w2:
                count, beyond = _first_beyond(planes, now, count, w2), True
        elif count == 1 and int(y1 < v1) + int(y2 > v2) + int(z1 < w1) + int(z2 > w2) <= 1:
            count, beyond = int(y1 < v1) + int(y2 > v2) + int(z1 < w1) + int(z2 > w2), z2 > w2
            y1, y2 = (v2 + 1 if y2 > v2 else y1), (v1 - 1 if y1 < v1 else y2)
            z1, z2 = (w2 + 1 if z2 > w2 else z1), (w1 - 1 if z1 < w1 else z2)
            _put(planes, now, 0, y1, z1, y2, z2)
            highest = z1
        else:
            count, beyond = _subtract(planes, now, count, v1, w1, v2, w2)
            now = 1 - now
            y1, z1, y2, z2, highest = _bounds(planes, now, count)
        if log is not None:
            u1, v1, w1 = max(u1, 0), max(v1, 0), max(w1, 0)
            if deep == 1:
                region = (u1, v1, w1, u2 - u1 + 1, v2 - v1 + 1, w2 - w1 + 1)
            else:
                region = (u1, w1, v1, u2 - u1 + 1, w2 - w1 + 1, v2 - v1 + 1)
            nodes = _nodes(planes[now], count)
            x0, y0, z0, w, d, h = region
            note(log, SUBTRACT, Role.PROHIBITED, x0, y0, z0, w, d, h, nodes, owner, j)
            for p in range(count):
                _note_plane(log, SAME_STEP, planes[now], p, x, deep, owner)
        if beyond or count == 0:
            break
    if count == 0:
        return False, 0, 0, examined
    head = count - 1 if beyond else 0  # the piece beyond all regions was the first to be known free
    return True, planes[now, head, 0], planes[now, head, 1], examined


@kernel
def search(
    busy: NDArray[np.int32],
    extents: NDArray[np.int32],
    turns: NDArray[np.int32],
    deep: int,
    last: int,
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int, int]:
    """A base for the request: (turn or -1, x, middle and last coordinate, planes and regions examined)."""
    # The pieces of a plane are disjoint, so there are never more than its nodes. They stand on one of two
    # sides of one array: exchanging two arrays takes longer than subtracting a region.
    planes = np.empty((2, extents[1] * extents[2], 4), dtype=np.int32)
    examined = 0
    for t in range(turns.shape[0]):
        turn = turns[t]
        a, b, c = turn[0], turn[deep], turn[last]
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, turn[0], turn[1], turn[2], t, -1, -1)
        for i in range(-1, busy.shape[0]):  # -1 is b0, the hypothetical box left of the mesh
            x = 0
            y1, z1, y2, z2 = 0, 0, extents[deep] - 1, extents[last] - 1
            if i >= 0:
                x = busy[i, 3] + 1
                y1, z1 = max(busy[i, deep] - b + 1, 0), max(busy[i, last] - c + 1, 0)
                y2, z2 = busy[i, 3 + deep], busy[i, 3 + last]
            examined += 1
            if log is not None:
                _put(planes, 0, 0, y1, z1, y2, z2)
                _note_plane(log, PLANE, planes[0], 0, x, deep, i)
            y2, z2 = min(y2, extents[deep] - b), min(z2, extents[last] - c)
            inside = x <= extents[0] - a and y1 <= y2 and z1 <= z2
            _put(planes, 0, 0, y1, z1, y2, z2)
            if log is not None:
                _note_cut(log, planes[0], inside, x, deep, i)
            if inside:
                found, y, z, looked_at = _remainder(planes, busy, x, turn, deep, last, i, log)
                examined += looked_at
                if found:
                    if log is not None:
                        by, bz = (y, z) if deep == 1 else (z, y)
                        note(log, FOUND, Role.PLACED, x, by, bz, turn[0], turn[1], turn[2], 0, i, 0)
                    return t, x, y, z, examined
            if log is not None:
                note(log, GONE, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, i, 0)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, -1, -1)
    return -1, 0, 0, 0, examined


@kernel
def insert(busy: NDArray[np.int32], count: int, box: NDArray[np.int32], job: int, last: int) -> None:
    """Add a box to a list of so many, in decreasing order of the last coordinate, behind equals."""
    end = box[last] + box[3 + last] - 1
    place = count
    while place > 0 and busy[place - 1, 3 + last] < end:
        for column in range(JOB + 1):
            busy[place, column] = busy[place - 1, column]
        place -= 1
    append(busy, place, box, job)


@kernel
def find(state: BusyListState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """See KernelStrategy, `search`."""
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    deep, last = state.deep, state.last
    turn, x, middle, high, examined = search(
        state.busy[: state.length[0]], state.extents, turns, deep, last, log
    )
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    given[0, 0], given[0, deep], given[0, last] = x, middle, high
    given[0, 3], given[0, 4], given[0, 5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
    return 1


@kernel
def hold(state: BusyListState, job: int, given: NDArray[np.int32], count: int) -> None:
    """See KernelStrategy, `take`."""
    for n in range(count):
        insert(state.busy, state.length[0], given[n], job, state.last)
        state.length[0] += 1
