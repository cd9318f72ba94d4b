"""The kernels of Gen-Algorithm: the sum of distances of each candidate set.

Every free processor is tried as a centre: with the free processors nearest to it, it makes up a candidate
set, and the set with the least sum of distances between its pairs is allocated. Distances are hops. The sum
needs no look at the pairs: it is that along the columns plus that along the rows, and each follows from how
many processors of the set stand in each column or row. A set is the free part of a diamond around its centre,
so these numbers are differences of running counts. How many lie in a diamond is one, too, in sums and
differences of the coordinates, and the reach of the centre before is nearly that of the next: a centre costs
as many steps as its diamond is wide, not as it has processors. What is counted as examined is what the
strategy as described looks at. Sums grow past 32 bits on large meshes, so they are 64 bits wide, and the log
has them in two parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_processors import FREE, too_few
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, STOPPED, WAITS, Asked
from meshgui.engine.allocation.single_processors import give
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.kernel import kernel

__all__ = ["BEST", "CENTRE", "FOUND", "NEAREST", "PART", "SCORE", "GenState", "search", "sum_of_distances"]

# The lines of the pseudo-code, by their place in `genalg.LINES`.
_, CENTRE, NEAREST, SCORE, BEST, FOUND = range(6)
PART = 1_000_000_000  # a sum is logged as this many of these and the rest


class GenState(NamedTuple):
    """The state of the kernels, and room for what a search counts."""

    tally: NDArray[np.int64]
    held: NDArray[np.int32]  # [z, y, x]
    free: NDArray[np.int64]
    below: NDArray[np.int32]  # [x, y]: the free processors of column x below row y
    before: NDArray[np.int32]  # [y, x]: those of row y before column x
    corner: NDArray[np.int32]  # [u, v]: those with x + y < u and x - y < v, less the least there is
    columns: NDArray[np.int64]  # how many of the set at hand stand in each column
    rows: NDArray[np.int64]


@kernel
def _count_free(state: GenState) -> None:
    """Make the running counts of free processors."""
    _, length, width = state.held.shape
    for y in range(length):
        for x in range(width):
            free = int(state.held[0, y, x] == FREE)
            state.below[x, y + 1] = state.below[x, y] + free
            state.before[y, x + 1] = state.before[y, x] + free
    corner = state.corner
    corner[1:, 1:] = 0
    for y in range(length):
        for x in range(width):
            corner[x + y + 1, x - y + length] = int(state.held[0, y, x] == FREE)
    for u in range(1, corner.shape[0]):
        along = 0
        for v in range(1, corner.shape[1]):
            along += corner[u, v]
            corner[u, v] = corner[u - 1, v] + along


@kernel
def _up_to(state: GenState, cx: int, cy: int, reach: int) -> int:
    """Count the free processors at most so far away: in sums and differences of x and y they are a square."""
    corner = state.corner
    most = corner.shape[0] - 1
    u, v = cx + cy, cx - cy + state.held.shape[1] - 1
    first_u, first_v = max(u - reach, 0), max(v - reach, 0)
    beyond_u, beyond_v = min(u + reach + 1, most), min(v + reach + 1, most)
    return int(
        corner[beyond_u, beyond_v]
        - corner[first_u, beyond_v]
        - corner[beyond_u, first_v]
        + corner[first_u, first_v]
    )


@kernel
def _within(
    running: NDArray[np.int32], line: int, place: int, reach: int, counts: NDArray[np.int64]
) -> tuple[int, int]:
    """Count the free processors nearer than `reach` on each line of a diamond: (how many, of how many)."""
    lines, places = running.shape[0], running.shape[1] - 1
    free, every = 0, 0
    for n in range(max(line - reach, 0), min(line + reach, lines - 1) + 1):
        apart = reach - 1 - abs(n - line)
        counts[n] = 0
        if apart >= 0:
            first, beyond = max(place - apart, 0), min(place + apart + 1, places)
            counts[n] = running[n, beyond] - running[n, first]
            free += counts[n]
            every += beyond - first
    return free, every


@kernel
def _add_ring(state: GenState, cx: int, cy: int, reach: int, wanted: int) -> int:
    """Add this many free processors at the reach, in row-major order; how many are looked at for them."""
    _, length, width = state.held.shape
    free, looked_at = 0, 0
    for y in range(max(cy - reach, 0), min(cy + reach, length - 1) + 1):
        apart = reach - abs(y - cy)
        for side in range(2 if apart else 1):  # not a range with a step, which costs a division
            x = cx + apart if side else cx - apart
            if 0 <= x < width:
                looked_at += 1
                if state.held[0, y, x] == FREE:
                    state.columns[x] += 1
                    state.rows[y] += 1
                    free += 1
                    if free == wanted:
                        return looked_at
    return looked_at


@kernel
def sum_of_distances(counts: NDArray[np.int64]) -> int:
    """The sum of distances between all pairs on a line, from how many stand at each place."""
    total, before, places = 0, 0, 0
    for n in range(counts.size):
        total += counts[n] * (n * before - places)
        before += counts[n]
        places += counts[n] * n
    return total


@kernel
def _candidate(state: GenState, cx: int, cy: int, wanted: int, reach: int) -> tuple[int, int, int, int]:
    """The set of a centre: (its sum, its reach, how many it has at just that distance, looked at).

    The reach is sought from a guess upwards or downwards: where less lies nearer, and enough up to it.
    """
    _, length, width = state.held.shape
    while reach and _up_to(state, cx, cy, reach - 1) >= wanted:
        reach -= 1
    while _up_to(state, cx, cy, reach) < wanted:
        reach += 1
    nearer, passed = _within(state.below, cx, cy, reach, state.columns)
    _within(state.before, cy, cx, reach, state.rows)
    looked_at = _add_ring(state, cx, cy, reach, wanted - nearer)
    total = sum_of_distances(state.columns[max(cx - reach, 0) : min(cx + reach + 1, width)])
    total += sum_of_distances(state.rows[max(cy - reach, 0) : min(cy + reach + 1, length)])
    return total, reach, wanted - nearer, passed + looked_at


@kernel
def _write_set(
    state: GenState, centre: tuple[int, int], reach: int, outermost: int, given: NDArray[np.int32]
) -> None:
    """Write the set of a centre in row-major order."""
    _, length, width = state.held.shape
    count = 0
    for y in range(length):
        for x in range(width):
            distance = abs(x - centre[0]) + abs(y - centre[1])
            if distance <= reach and state.held[0, y, x] == FREE:
                if distance == reach:
                    outermost -= 1
                if distance < reach or outermost >= 0:
                    give(given, count, x, y, 0)
                    count += 1


@kernel
def search(state: GenState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """The closest candidate set. Counts processors looked at, or counted for a sum."""
    if too_few(state, asked, log):
        return WAITS
    _, length, width = state.held.shape
    wanted = asked.w * asked.d
    _count_free(state)
    least, examined, reach = -1, length * width, 0
    best, best_reach, best_outermost = (0, 0), 0, 0
    for cy in range(length):
        for cx in range(width):
            if state.held[0, cy, cx] != FREE:
                continue
            if state.tally[STOPPED]:
                return WAITS
            total, reach, outermost, looked_at = _candidate(state, cx, cy, wanted, reach)
            examined += looked_at + wanted
            closer = least < 0 or total < least
            if log is not None:
                note(log, CENTRE, Role.TRIED, cx, cy, 0, 1, 1, 1, 0, 0, 0)
                note(log, NEAREST, Role.TRIED, cx, cy, 0, 1, 1, 1, reach, wanted, 0)
                note(log, SCORE, Role.TRIED, cx, cy, 0, 1, 1, 1, total // PART, total % PART, wanted)
                if closer:
                    note(log, BEST, Role.CANDIDATE, cx, cy, 0, 1, 1, 1, 0, wanted, 0)
            if closer:
                least, best, best_reach, best_outermost = total, (cx, cy), reach, outermost
    state.tally[OPERATIONS] += examined
    _write_set(state, best, best_reach, best_outermost, given)
    if log is not None:
        for i in range(wanted):
            x, y = given[i, 0], given[i, 1]
            note(log, FOUND if i == 0 else SAME_STEP, Role.PLACED, x, y, 0, 1, 1, 1, i, wanted, 0)
    return wanted
