"""First Fit and Turning First Fit (000 §2.2.1 and figures 2.5, 2.6; 001 §2): the first base in scan order.

2D meshes are scanned lowest row first, leftmost first; 3D meshes by the loops of figure 2.5, x outermost. As
in that figure, every processor of a tried box counts as examined even when one is already known to be busy:
the paper's overhead figures rest on it. The base itself is found from bits, and the count follows from them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.free_bits import (
    NO_BASE,
    WORD,
    FreeBitsStrategy,
    all_free,
    in_scan,
    low_bits,
    mark_bases,
    next_base,
    ones,
    ones_and_places,
    release,
    take,
)
from meshgui.engine.allocation.held_processors import FREE, no_jobs, too_few
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    Asked,
    StrategyKernels,
    new_tally,
    orders_of,
    turned,
)
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import Place, kernel
from meshgui.engine.basics.translation import tr

__all__ = ["FirstFit", "FirstFitState", "TurningFirstFit", "count_busy", "find", "first_state", "search"]

# The lines of the pseudo-code, by their place in `LINES`.
TURN, BUSY, COUNT, FOUND, FAIL = 1, 3, 4, 5, 6

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so no search is made.",
    ),
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line("scan", "for each processor, in scan order:", 1),
    Line(
        "busy",
        "if it is busy: it cannot be a base",
        2,
        says="Processor {base} is busy, so it cannot be a base.",
    ),
    Line(
        "count",
        "count the free processors of the box based there",
        2,
        says="A box based at {base} would have {n} of its {asked} free.",
    ),
    Line(
        "found",
        "if none is missing: allocate this box",
        2,
        decision=True,
        says="The box {box} is free: the job gets it.",
    ),
    Line(
        "fail",
        "no orientation has a base: fail",
        decision=True,
        says="No processor can be its base, so the job waits.",
    ),
)


class FirstFitState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    held: NDArray[np.int32]
    free: NDArray[np.int64]
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]  # see `orders_of`
    turns: NDArray[np.int32]  # room for the request's orientations
    free_bits: NDArray[np.int64]  # see `FreeBits`
    bases: NDArray[np.int64]
    spare: NDArray[np.int64]
    flat: int
    weights: NDArray[np.int64]  # room for a number for each line of these


def first_state(mesh: Mesh, *, turning: bool) -> FirstFitState:
    """The state on an empty machine."""
    bits = all_free(mesh)
    return FirstFitState(
        new_tally(),
        *no_jobs(mesh),
        np.array(mesh.extents, dtype=np.int32),
        orders_of(mesh.dims, turning),
        np.empty((6, 3), dtype=np.int32),
        bits.free_bits,
        bits.bases,
        bits.spare,
        bits.flat,
        np.zeros(bits.bases.shape[1], dtype=np.int64),
    )


@kernel
def search(state: Any, turns: NDArray[np.int32], log: NDArray[np.int32] | None) -> tuple[int, int, int, int]:  # noqa: ANN401
    """The first free box in scan order: (turn or -1, x, y, z)."""
    height, depth, width = state.held.shape
    across, deep, length = in_scan(state.flat, width, depth, height)
    for t in range(turns.shape[0]):
        a, b, c = in_scan(state.flat, turns[t, 0], turns[t, 1], turns[t, 2])
        mark_bases(state, a, b, c)
        line, place = _first_marked(state.bases, depth, across - a + 1, deep - b + 1)
        state.tally[OPERATIONS] += _examined(
            state.free_bits, state.weights, across, deep, length, a, b, c, line, place
        )
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, turns[t, 0], turns[t, 1], turns[t, 2], t, 0, 0)
            _note_scan(log, state, turns[t], line, place)
        if place != NO_BASE:
            x, y, z = in_scan(state.flat, line // depth, line % depth, place)
            if log is not None:
                note(log, FOUND, Role.PLACED, x, y, z, turns[t, 0], turns[t, 1], turns[t, 2], t, 0, 0)
            return t, x, y, z
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return -1, 0, 0, 0


@kernel
def _first_marked(bases: NDArray[np.int64], depth: int, across: int, deep: int) -> tuple[int, int]:
    """The line and the place of the first base, or the last line and NO_BASE."""
    for u in range(across):
        for line in range(u * depth, u * depth + deep):
            place = next_base(bases, line, 0)
            if place != NO_BASE:
                return line, place
    return bases.shape[1] - 1, NO_BASE


@kernel
def _examined(
    free: NDArray[np.int64],
    weights: NDArray[np.int64],
    across: int,
    deep: int,
    length: int,
    a: int,
    b: int,
    c: int,
    line: int,
    place: int,
) -> int:
    """How many processors the scan looks at up to a place: each, and of each free one its box in the mesh."""
    for u in range(across):
        for v in range(deep):
            weights[u * deep + v] = min(a, across - u) * min(b, deep - v)
    end = min(place + 1, length)
    examined = line * length + end
    for word in range(free.shape[0]):
        begin = word * WORD
        whole, seen = low_bits(length - c + 1 - begin), low_bits(end - begin)
        examined += c * _weighed(free, weights, word, line, whole, seen)
        if whole != low_bits(WORD):
            examined += _weighed_to_end(
                free, weights, word, line, low_bits(WORD) - whole, seen, length - begin
            )
    return examined


@kernel
def _weighed(
    free: NDArray[np.int64], weights: NDArray[np.int64], word: int, line: int, mask: int, seen: int
) -> int:
    """The weights of the lines up to one, each as often as bits are free there; of the last those seen."""
    total = int(ones(free[word, line] & mask & seen) * weights[line])
    for n in range(line):
        total += ones(free[Place(word), Place(n)] & mask) * weights[Place(n)]
    return total


@kernel
def _weighed_to_end(
    free: NDArray[np.int64], weights: NDArray[np.int64], word: int, line: int, mask: int, seen: int, end: int
) -> int:
    """The same, of each bit as often as there are places from it to the end of the line."""
    count, sum_of_places = ones_and_places(free[word, line] & mask & seen)
    total = int((count * end - sum_of_places) * weights[line])
    for n in range(line):
        count, sum_of_places = ones_and_places(free[Place(word), Place(n)] & mask)
        total += (count * end - sum_of_places) * weights[Place(n)]
    return total


@kernel
def find(state: Any, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:  # noqa: ANN401
    """Find boxes for the request."""
    if too_few(state, asked, log):
        return WAITS
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    turn, x, y, z = search(state, turns, log)
    if turn < 0:
        return WAITS
    given[0, 0], given[0, 1], given[0, 2] = x, y, z
    given[0, 3], given[0, 4], given[0, 5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
    return 1


@kernel
def _note_scan(
    log: NDArray[np.int32],
    state: Any,  # noqa: ANN401
    turn: NDArray[np.int32],
    line: int,
    place: int,
) -> None:
    """Log the processors that the scan looks at up to a place, and of each free one its box."""
    held = state.held
    height, depth, width = held.shape
    _, _, length = in_scan(state.flat, width, depth, height)
    asked = turn[0] * turn[1] * turn[2]
    for n in range(line * length + min(place + 1, length)):
        x, y, z = in_scan(state.flat, n // length // depth, n // length % depth, n % length)
        if held[z, y, x] != FREE:
            note(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, held[z, y, x], 0, 0)
            continue
        w, d, h = min(turn[0], width - x), min(turn[1], depth - y), min(turn[2], height - z)
        busy, u, v, t = count_busy(held, x, y, z, w, d, h)
        available = w * d * h - busy
        role = Role.CANDIDATE if available == asked else Role.TRIED
        note(log, COUNT, role, x, y, z, w, d, h, available, asked, 0)
        if busy:
            note(log, SAME_STEP, Role.BLOCKED, u, v, t, 1, 1, 1, held[t, v, u], 0, 0)


@kernel
def count_busy(
    held: NDArray[np.int32], x: int, y: int, z: int, w: int, d: int, h: int
) -> tuple[int, int, int, int]:
    """How many processors of a box are busy, and the first of them, x outermost."""
    busy, first = 0, (-1, -1, -1)
    for u in range(x, x + w):
        for v in range(y, y + d):
            for t in range(z, z + h):
                if held[t, v, u] != FREE:
                    first = first if busy else (u, v, t)
                    busy += 1
    return busy, first[0], first[1], first[2]


class FirstFit(FreeBitsStrategy):
    """The first base in scan order, the request as it is."""

    id = "ff"
    title = tr("First Fit")
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1, figures 2.5 and 2.6")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), tr("004 table 2, of its bit arrays"))
    lines = LINES
    fails_until_release = True
    kernels = StrategyKernels(release, search=find, take=take)

    def empty_state(self) -> FirstFitState:
        return first_state(self.mesh, turning=self.rotates)

    def inspect(self, moment: Moment) -> Inspection:
        """The base-node bit array of the request, as far as it has been filled."""
        bits = np.where(moment.state["held"] == FREE, 0, 1).astype(np.int32)
        seen = moment.steps.since(TURN).rows
        counted = seen[seen[:, 0] == COUNT]
        x, y, z = counted[:, 2], counted[:, 3], counted[:, 4]
        bits[z, y, x] = np.where(counted[:, 8] == counted[:, 9], 3, 2)
        grid = Grid(
            tr("Base nodes"),
            bits,
            (
                GridValue(0, tr("not yet looked at"), Role.NOTHING),
                GridValue(1, tr("busy"), Role.BLOCKED),
                GridValue(2, tr("no base"), Role.PROHIBITED),
                GridValue(3, tr("base"), Role.CANDIDATE),
            ),
        )
        return Inspection((grid,), moment.marks, self.say(moment))


class TurningFirstFit(FirstFit):
    """The first base in scan order, in the first orientation of the request that has one."""

    id = "tff"
    title = tr("Turning First Fit")
    rotates = True
