"""First Fit and Turning First Fit (000 §2.2.1 and figures 2.5, 2.6; 001 §2): the first base in scan order.

2D meshes are scanned lowest row first, leftmost first; 3D meshes by the loops of figure 2.5, x outermost. As
in that figure, every processor of a tried box is counted even when one is already known to be busy: the
paper's overhead figures rest on it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, Request
from meshgui.engine.allocation.occupancy import FREE, OccupancyStrategy
from meshgui.engine.allocation.search_strategy import SearchResult
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.geometry import Box
from meshgui.engine.kernel import kernel

__all__ = ["FirstFit", "TurningFirstFit"]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, TURN, BUSY, COUNT, FOUND, FAIL = 0, 1, 3, 4, 5, 6

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


@kernel
def search(
    held: NDArray[np.int32],
    turns: NDArray[np.int32],
    flat: bool,
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int, int]:
    """The first free box in scan order: (turn or -1, x, y, z, processors examined)."""
    height, depth, width = held.shape
    examined = 0
    for t in range(turns.shape[0]):
        a, b, c = turns[t, 0], turns[t, 1], turns[t, 2]
        asked = a * b * c
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, a, b, c, t, 0, 0)
        for n in range(held.size):
            if flat:
                x, y, z = n % width, n // width, 0
            else:
                x, y, z = n // (depth * height), n // height % depth, n % height
            examined += 1
            if held[z, y, x] != FREE:
                if log is not None:
                    note(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, held[z, y, x], 0, 0)
                continue
            east, north, top = min(x + a, width), min(y + b, depth), min(z + c, height)
            available = 0
            for u in range(x, east):
                for v in range(y, north):
                    for w in range(z, top):
                        if held[w, v, u] == FREE:
                            available += 1
            examined += (east - x) * (north - y) * (top - z)
            if log is not None:
                _note_count(log, held, x, y, z, east - x, north - y, top - z, available, asked)
            if available == asked:
                if log is not None:
                    note(log, FOUND, Role.PLACED, x, y, z, a, b, c, t, 0, 0)
                return t, x, y, z, examined
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return -1, 0, 0, 0, examined


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


class FirstFit(OccupancyStrategy):
    """The first base in scan order, the request as it is."""

    id = "ff"
    title = "First Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1, figures 2.5 and 2.6")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), "004 table 2, of its bit arrays")
    lines = LINES
    enough = ENOUGH

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        turns = self.turns(request.size)
        shapes = np.array(turns, dtype=np.int32).reshape(-1, 3)
        turn, x, y, z, examined = search(self.held, shapes, self.mesh.dims == 2, log)
        return SearchResult((Box(x, y, z, *turns[turn]),) if turn >= 0 else None, examined)

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
