"""First Fit and Turning First Fit (000 §2.2.1 and figures 2.5, 2.6; 001 §2): the first base in scan order.

2D meshes are scanned lowest row first, leftmost first; 3D meshes by the loops of figure 2.5, x outermost. As
in that figure, every processor of a tried box counts as examined even when one is already known to be busy:
the paper's overhead figures rest on it. How many of them are free is read from a table of sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.held_processors import (
    FREE,
    HeldProcessorsStrategy,
    no_jobs,
    release,
    take,
    too_few,
)
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
from meshgui.engine.allocation.summed_area import busy_in, no_sums, sum_up
from meshgui.engine.geometry import Mesh
from meshgui.engine.kernel import kernel

__all__ = ["FirstFit", "TurningFirstFit", "find", "first_state", "search", "survey"]

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
    sums: NDArray[np.int32]  # see `sum_up`
    flat: int  # whether the mesh is 2D


def first_state(mesh: Mesh, *, turning: bool) -> FirstFitState:
    """The state on an empty machine."""
    return FirstFitState(
        new_tally(),
        *no_jobs(mesh),
        np.array(mesh.extents, dtype=np.int32),
        orders_of(mesh.dims, turning),
        np.empty((6, 3), dtype=np.int32),
        no_sums(mesh),
        int(mesh.dims == 2),
    )


@kernel
def survey(state: Any) -> None:  # noqa: ANN401
    """Bring what a search reads up to date with the processors held."""
    sum_up(state.held, state.sums)


@kernel
def search(state: Any, turns: NDArray[np.int32], log: NDArray[np.int32] | None) -> tuple[int, int, int, int]:  # noqa: ANN401
    """The first free box in scan order: (turn or -1, x, y, z)."""
    held, sums = state.held, state.sums
    height, depth, width = held.shape
    outer, inner = (height, width) if state.flat else (width, height)
    examined = 0
    for t in range(turns.shape[0]):
        a, b, c = turns[t, 0], turns[t, 1], turns[t, 2]
        asked = a * b * c
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, a, b, c, t, 0, 0)
        for i in range(outer):
            for y in range(depth):
                for k in range(inner):
                    x, z = (k, i) if state.flat else (i, k)
                    examined += 1
                    if held[z, y, x] != FREE:
                        if log is not None:
                            note(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, held[z, y, x], 0, 0)
                        continue
                    w, d, h = min(a, width - x), min(b, depth - y), min(c, height - z)
                    available = w * d * h - busy_in(sums, x, y, z, w, d, h)
                    examined += w * d * h
                    if log is not None:
                        _note_count(log, held, x, y, z, w, d, h, available, asked)
                    if available == asked:
                        if log is not None:
                            note(log, FOUND, Role.PLACED, x, y, z, a, b, c, t, 0, 0)
                        state.tally[OPERATIONS] += examined
                        return t, x, y, z
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    state.tally[OPERATIONS] += examined
    return -1, 0, 0, 0


@kernel
def find(state: Any, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:  # noqa: ANN401
    """See KernelStrategy, `search`."""
    if too_few(state, asked, log):
        return WAITS
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    survey(state)
    turn, x, y, z = search(state, turns, log)
    if turn < 0:
        return WAITS
    given[0, 0], given[0, 1], given[0, 2] = x, y, z
    given[0, 3], given[0, 4], given[0, 5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
    return 1


@kernel
def _note_count(
    log: NDArray[np.int32],
    held: NDArray[np.int32],
    x: int,
    y: int,
    z: int,
    w: int,
    d: int,
    h: int,
    available: int,
    asked: int,
) -> None:
    """Log a counted box, and the first busy processor in it."""
    role = Role.CANDIDATE if available == asked else Role.TRIED
    note(log, COUNT, role, x, y, z, w, d, h, available, asked, 0)
    for u in range(x, x + w):
        for v in range(y, y + d):
            for t in range(z, z + h):
                if held[t, v, u] != FREE:
                    note(log, SAME_STEP, Role.BLOCKED, u, v, t, 1, 1, 1, held[t, v, u], 0, 0)
                    return


class FirstFit(HeldProcessorsStrategy):
    """The first base in scan order, the request as it is."""

    id = "ff"
    title = "First Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1, figures 2.5 and 2.6")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), "004 table 2, of its bit arrays")
    lines = LINES
    fails_until_release = True
    kernels = StrategyKernels(release, search=find, take=take)

    def empty_state(self) -> FirstFitState:
        """See KernelStrategy."""
        return first_state(self.mesh, turning=self.rotates)

    def inspect(self, moment: Moment) -> Inspection:
        """The base-node bit array of the request, as far as it has been filled."""
        bits = np.where(moment.state["held"] == FREE, 0, 1).astype(np.int32)
        seen = moment.steps.since(TURN).rows
        counted = seen[seen[:, 0] == COUNT]
        x, y, z = counted[:, 2], counted[:, 3], counted[:, 4]
        bits[z, y, x] = np.where(counted[:, 8] == counted[:, 9], 3, 2)
        grid = Grid(
            "Base nodes",
            bits,
            (
                GridValue(0, "not yet looked at", Role.NOTHING),
                GridValue(1, "busy", Role.BLOCKED),
                GridValue(2, "no base", Role.PROHIBITED),
                GridValue(3, "base", Role.CANDIDATE),
            ),
        )
        return Inspection((grid,), moment.marks, self.say(moment))


class TurningFirstFit(FirstFit):
    """The first base in scan order, in the first orientation of the request that has one."""

    id = "tff"
    title = "Turning First Fit"
    rotates = True
