"""The kernels of Gen-Algorithm: the sum of distances of each candidate set.

Every free processor is tried as a centre: with the free processors nearest to it, it makes up a candidate
set, and the set with the least sum of distances between its pairs is allocated. Distances are hops. The sum
needs no look at the pairs: it is that along the columns plus that along the rows, and each follows from how
many processors of the set are in each column or row. A set is the free part of a diamond around its centre,
so these numbers are differences of running counts. How many lie in a diamond is one, too, in sums and
differences of the coordinates, and the reach of the centre before is nearly that of the next: a centre costs
as many steps as its diamond is wide, not as it has processors. What is counted as examined is what the
strategy as described looks at. Sums grow past 32 bits on large meshes, so they are 64 bits wide, and the log
has them in two parts.
"""

from __future__ import annotations

from typing import NamedTuple

from meshgui.engine.allocation.held_processors import FREE, Processors, too_few
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, STOPPED, WAITS, KernelRequest
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH_TO_GIVE, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, note, note_boxes
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import write_box
from meshgui.engine.basics.kernel import kernel

CODE = PseudoCode()
CODE.add(NOT_ENOUGH_TO_GIVE)
CENTRE = CODE.line("centre", "for each free processor, in row-major order: make it the centre")
CODE.says("Centre {base}.")
NEAREST = CODE.line(
    "nearest", "add the free processors nearest to it, row-major among equals, until there are enough", 1
)
CODE.says("{nearest}")
SCORE = CODE.line("score", "add up the distances between all pairs of them", 1)
CODE.says("{score}")
BEST = CODE.decision("best", "if no sum before was smaller or equal: remember this set", 1)
CODE.says("No set before was as close together: it is remembered.")
FOUND = CODE.decision("found", "allocate the set remembered")
CODE.says("The job gets {drawn}.")
PART = 1_000_000_000  # a sum is logged as this many of these and the rest


class GenState(NamedTuple):
    """The state of the kernels, and room for what a search counts."""

    tally: Ints
    processors: Processors
    below: Ints32  # [x, y]: the free processors of column x below row y
    before: Ints32  # [y, x]: those of row y before column x
    corner: Ints32  # [u, v]: those with x + y < u and x - y < v, less the least there is
    columns: Ints  # how many of the set at hand are in each column
    rows: Ints


@kernel
def _count_free(state: GenState) -> None:
    """Make the running counts of free processors."""
    _, length, width = state.processors.held.shape
    for y in range(length):
        for x in range(width):
            free = int(state.processors.held[0, y, x] == FREE)
            state.below[x, y + 1] = state.below[x, y] + free
            state.before[y, x + 1] = state.before[y, x] + free
    corner = state.corner
    corner[1:, 1:] = 0
    for y in range(length):
        for x in range(width):
            corner[x + y + 1, x - y + length] = int(state.processors.held[0, y, x] == FREE)
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
    u, v = cx + cy, cx - cy + state.processors.held.shape[1] - 1
    first_u, first_v = max(u - reach, 0), max(v - reach, 0)
    beyond_u, beyond_v = min(u + reach + 1, most), min(v + reach + 1, most)
    return int(
        corner[beyond_u, beyond_v]
        - corner[first_u, beyond_v]
        - corner[beyond_u, first_v]
        + corner[first_u, first_v]
    )


@kernel
def _within(running: Ints32, line: int, place: int, reach: int, counts: Ints) -> tuple[int, int]:
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
    _, length, width = state.processors.held.shape
    free, looked_at = 0, 0
    for y in range(max(cy - reach, 0), min(cy + reach, length - 1) + 1):
        apart = reach - abs(y - cy)
        for side in range(2 if apart else 1):  # not a range with a step, which costs a division
            x = cx + apart if side else cx - apart
            if 0 <= x < width:
                looked_at += 1
                if state.processors.held[0, y, x] == FREE:
                    state.columns[x] += 1
                    state.rows[y] += 1
                    free += 1
                    if free == wanted:
                        return looked_at
    return looked_at


@kernel
def sum_of_distances(counts: Ints) -> int:
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
    _, length, width = state.processors.held.shape
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
    state: GenState, centre: tuple[int, int], reach: int, outermost: int, boxes_out: Ints32
) -> None:
    """Write the set of a centre in row-major order."""
    _, length, width = state.processors.held.shape
    count = 0
    for y in range(length):
        for x in range(width):
            distance = abs(x - centre[0]) + abs(y - centre[1])
            if distance <= reach and state.processors.held[0, y, x] == FREE:
                if distance == reach:
                    outermost -= 1
                if distance < reach or outermost >= 0:
                    write_box(boxes_out, count, x, y, 0, 1, 1, 1)
                    count += 1


@kernel
def search(state: GenState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """The closest candidate set. Counts processors looked at, or counted for a sum."""
    if too_few(state, request, log):
        return WAITS
    _, length, width = state.processors.held.shape
    wanted = request.w * request.d
    _count_free(state)
    least, examined, reach = -1, length * width, 0
    best, best_reach, best_outermost = (0, 0), 0, 0
    for cy in range(length):
        for cx in range(width):
            if state.processors.held[0, cy, cx] != FREE:
                continue
            if state.tally[STOPPED]:
                return WAITS
            total, reach, outermost, looked_at = _candidate(state, cx, cy, wanted, reach)
            examined += looked_at + wanted
            closer = least < 0 or total < least
            if log is not None:
                note(log, CENTRE, Role.TRIED, cx, cy, 0, 1, 1, 1)
                note(log, NEAREST, Role.TRIED, cx, cy, 0, 1, 1, 1, reach, wanted)
                note(log, SCORE, Role.TRIED, cx, cy, 0, 1, 1, 1, total // PART, total % PART, wanted)
                if closer:
                    note(log, BEST, Role.CANDIDATE, cx, cy, 0, 1, 1, 1, 0, wanted)
            if closer:
                least, best, best_reach, best_outermost = total, (cx, cy), reach, outermost
    state.tally[OPERATIONS] += examined
    _write_set(state, best, best_reach, best_outermost, boxes_out)
    if log is not None:
        for i in range(wanted):
            note_boxes(log, SAME_STEP if i else FOUND, Role.PLACED, boxes_out[i:], 1, i, wanted)
    return wanted
