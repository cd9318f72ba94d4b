"""Best Fit and Turning Best Fit (000 §2.2.1, 001 §2, 002 §2.1): the free box that fits most tightly.

The papers name two measures and define neither, so here they are exactly. The *busy neighbours* of a box are
the places that touch it by a face and hold no free processor: busy processors, and places outside the mesh
(on a 2D mesh only the four sides count). The *surrounding free area* is what the box would leave over of the
free region it lies in: the free processors that can be reached from it over links between free processors,
without its own. The most busy neighbours win, then the least free area, then scan order: First Fit's.

As in Zhu's bit arrays, no processor is looked at more than a fixed number of times: a summed-area table
answers how many busy processors any box has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.first_fit import FirstFit, find, first_state
from meshgui.engine.allocation.held_processors import FREE, HeldProcessorsStrategy
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Heat,
    Inspection,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, note
from meshgui.engine.allocation.summed_area import busy_in, sum_up
from meshgui.engine.geometry import Box, Mesh, Size
from meshgui.engine.kernel import kernel, with_parts
from meshgui.engine.words import counted, so_many

__all__ = ["BestFit", "BestFitState", "TurningBestFit", "best_state", "search", "survey"]

# The lines of the pseudo-code, by their place in `LINES`.
SURVEY, TURN, BLOCKED, SCORE, KEEP, FOUND, NEXT, FAIL = 1, 2, 4, 5, 6, 7, 8, 9

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so no search is made.",
    ),
    Line(
        "survey",
        "sum up the busy processors, and measure the free regions",
        says="{busy}; the free ones form {regions}.",
    ),
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line("scan", "for each base whose box stays inside the mesh, in scan order:", 1),
    Line(
        "blocked",
        "if a processor of the box is busy: this is no base",
        2,
        says="The box based at {base} has {n} busy, so this is no base.",
    ),
    Line(
        "score",
        "else: count the box's busy neighbours and the free area it leaves",
        2,
        says="The box {box} is free: {n} of {i} places around it are busy or outside, and {k}.",
    ),
    Line(
        "keep",
        "if there are more, or as many and less area: it is the best so far",
        2,
        decision=True,
        says="{why}: {base} is the best base so far.",
    ),
    Line(
        "found",
        "if there was a base: allocate the best one's box",
        1,
        decision=True,
        says="No base is better than {base}: the job gets {box}.",
    ),
    Line("next", "else: go to the next orientation", 1, says="So turned, it has no base."),
    Line(
        "fail",
        "no orientation has a base: fail",
        decision=True,
        says="No processor can be its base, so the job waits.",
    ),
)


class BestFitState(NamedTuple):
    """First Fit's state, and the free regions."""

    tally: NDArray[np.int64]
    held: NDArray[np.int32]
    free: NDArray[np.int64]
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]
    turns: NDArray[np.int32]
    sums: NDArray[np.int32]
    flat: int
    sizes: NDArray[np.int32]  # [z, y, x]: of the free region that a processor lies in
    regions: NDArray[np.int64]  # one number: how many there are


def best_state(mesh: Mesh, *, turning: bool) -> BestFitState:
    """The state on an empty machine."""
    first = first_state(mesh, turning=turning)
    return BestFitState(*first, np.zeros_like(first.held), np.zeros(1, dtype=np.int64))


@kernel
def free_regions(held: NDArray[np.int32], sizes: NDArray[np.int32]) -> int:
    """Write the size of the free region that each free processor lies in: how many regions there are."""
    height, depth, width = held.shape
    layer = depth * width
    holders, size_of = held.ravel(), sizes.ravel()
    size_of[:] = 0
    queue = np.empty(held.size, dtype=np.int64)
    reached, regions = 0, 0
    for n in range(held.size):
        if holders[n] != FREE or size_of[n] != 0:
            continue
        regions += 1
        first = at = reached
        size_of[n] = 1
        queue[reached] = n
        reached += 1
        while at < reached:
            here = queue[at]
            x, y, z = here % width, here // width % depth, here // layer
            for step, inside in (
                (-1, x > 0),
                (1, x + 1 < width),
                (-width, y > 0),
                (width, y + 1 < depth),
                (-layer, z > 0),
                (layer, z + 1 < height),
            ):
                if inside and holders[here + step] == FREE and size_of[here + step] == 0:
                    size_of[here + step] = 1
                    queue[reached] = here + step
                    reached += 1
            at += 1
        for i in range(first, reached):
            size_of[queue[i]] = reached - first
    return regions


@kernel
def busy_neighbours(
    sums: NDArray[np.int32], x: int, y: int, z: int, a: int, b: int, c: int, flat: int
) -> int:
    """How many places that touch the box by a face are busy or outside the mesh."""
    height, depth, width = sums.shape[0] - 1, sums.shape[1] - 1, sums.shape[2] - 1
    n = b * c if x == 0 else busy_in(sums, x - 1, y, z, 1, b, c)
    n += b * c if x + a == width else busy_in(sums, x + a, y, z, 1, b, c)
    n += a * c if y == 0 else busy_in(sums, x, y - 1, z, a, 1, c)
    n += a * c if y + b == depth else busy_in(sums, x, y + b, z, a, 1, c)
    if not flat:
        n += a * b if z == 0 else busy_in(sums, x, y, z - 1, a, b, 1)
        n += a * b if z + c == height else busy_in(sums, x, y, z + c, a, b, 1)
    return n


@kernel
def _note_blocked(
    log: NDArray[np.int32],
    held: NDArray[np.int32],
    x: int,
    y: int,
    z: int,
    a: int,
    b: int,
    c: int,
    busy: int,
) -> None:
    """Log a box that is not free, and the first busy processor in it."""
    note(log, BLOCKED, Role.TRIED, x, y, z, a, b, c, busy, a * b * c, 0)
    for u in range(x, x + a):
        for v in range(y, y + b):
            for t in range(z, z + c):
                if held[t, v, u] != FREE:
                    note(log, SAME_STEP, Role.BLOCKED, u, v, t, 1, 1, 1, held[t, v, u], 0, 0)
                    return


@kernel
def survey(state: BestFitState) -> None:
    """Bring what a search reads up to date with the processors held."""
    sum_up(state.held, state.sums)
    state.regions[0] = free_regions(state.held, state.sizes)


@kernel
def search(
    state: Any,  # noqa: ANN401 - Best Fit's, or that of a strategy that seeks parts so
    turns: NDArray[np.int32],
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int]:
    """The free box that fits most tightly: (turn or -1, x, y, z)."""
    held, sums, flat = state.held, state.sums, state.flat
    height, depth, width = held.shape
    examined = 2 * held.size
    if log is not None:
        busy = busy_in(sums, 0, 0, 0, width, depth, height)
        note(log, SURVEY, Role.NOTHING, 0, 0, 0, 0, 0, 0, busy, state.regions[0], 0)
    for t in range(turns.shape[0]):
        a, b, c = turns[t, 0], turns[t, 1], turns[t, 2]
        across, deep, high = width - a + 1, depth - b + 1, height - c + 1
        outer, inner = (high, across) if flat else (across, high)
        sides = 2 * (a + b) if flat else 2 * (a * b + b * c + c * a)
        most, least, best_x, best_y, best_z = -1, 0, 0, 0, 0
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, a, b, c, t, 0, 0)
        for i in range(outer):
            for y in range(deep):
                for k in range(inner):
                    x, z = (k, i) if flat else (i, k)
                    examined += 1
                    blocked = busy_in(sums, x, y, z, a, b, c)
                    if blocked > 0:
                        if log is not None:
                            _note_blocked(log, held, x, y, z, a, b, c, blocked)
                        continue
                    around = busy_neighbours(sums, x, y, z, a, b, c, flat)
                    left = state.sizes[z, y, x] - a * b * c
                    if log is not None:
                        note(log, SCORE, Role.CANDIDATE, x, y, z, a, b, c, around, left, sides)
                    if around > most or (around == most and left < least):
                        if log is not None:
                            why = 0 if most < 0 else (1 if around > most else 2)
                            note(log, KEEP, Role.CANDIDATE, x, y, z, a, b, c, around, left, why)
                        most, least, best_x, best_y, best_z = around, left, x, y, z
        if most >= 0:
            if log is not None:
                note(log, FOUND, Role.PLACED, best_x, best_y, best_z, a, b, c, most, least, t)
            state.tally[OPERATIONS] += examined
            return t, best_x, best_y, best_z
        if log is not None:
            note(log, NEXT, Role.NOTHING, 0, 0, 0, 0, 0, 0, t, 0, 0)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    state.tally[OPERATIONS] += examined
    return -1, 0, 0, 0


_UNSEEN, _BUSY, _NO_BASE = -1, -2, -3
_WHY = ("It is the first", "It has more busy neighbours", "It has as many and leaves less")


class BestFit(HeldProcessorsStrategy):
    """The free box with the most busy neighbours, the request as it is."""

    id = "bf"
    title = "Best Fit"
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1; 001 §2; 002 §2.1")
    complexity = Complexity(Bound("O(n)", n=1), Bound("O(n)", n=1), "004 table 2")
    lines = LINES
    fails_until_release = True
    kernels = FirstFit.kernels._replace(search=with_parts(find, "bf", survey=survey, search=search))

    def empty_state(self) -> BestFitState:
        """See KernelStrategy."""
        return best_state(self.mesh, turning=self.rotates)

    def inspect(self, moment: Moment) -> Inspection:
        """The candidate bases with their scores, as a list and as heat on the mesh."""
        seen = moment.steps.since(TURN).rows
        places = np.where(moment.state["held"] == FREE, _UNSEEN, _BUSY).astype(np.int32)
        for line in (BLOCKED, SCORE):
            there = seen[seen[:, 0] == line]
            x, y, z = there[:, 2], there[:, 3], there[:, 4]
            tried = there[:, 8] if line == SCORE else np.full(len(there), _NO_BASE)
            places[z, y, x] = np.where(places[z, y, x] == _BUSY, _BUSY, tried)
        heat = None
        if moment.request is not None:
            heat = Heat("busy neighbours", 0, self._sides(moment.request.size))
        grid = Grid(
            "Bases",
            places,
            (
                GridValue(_UNSEEN, "not looked at", Role.NOTHING),
                GridValue(_BUSY, "busy", Role.BLOCKED),
                GridValue(_NO_BASE, "no base", Role.PROHIBITED),
            ),
            heat,
        )
        return Inspection(
            (self._candidates(seen), grid),
            moment.marks,
            self.say(moment),
            heat=grid if heat is not None else None,
        )

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        n, k, i = step.marks[0].values
        words = super().words(step, moment)
        words["busy"] = {0: "No processor is busy", 1: "1 processor is busy"}.get(
            n, f"{n} processors are busy"
        )
        words["regions"] = so_many(k, "region")
        words["why"] = _WHY[i] if step.line == KEEP else ""
        if step.line == BLOCKED:
            words["n"] = f"{n} of its {counted(k, 'processor')}"
        elif step.line == SCORE:
            words["k"] = {0: "it fills its region", 1: "1 more is free in its region"}.get(
                k, f"{k} more are free in its region"
            )
        return words

    def _sides(self, size: Size) -> int:
        """How many places touch a box of this size by a face, however it is turned."""
        a, b, c = size
        return 2 * (a + b) if self.mesh.dims == 2 else 2 * (a * b + b * c + c * a)

    def _candidates(self, seen: NDArray[np.int32]) -> Table:
        """Every base found in this orientation with its score; the best so far is marked."""
        kept = np.flatnonzero(seen[:, 0] == KEEP)
        best = tuple(seen[kept[-1], 2:5].tolist()) if len(kept) else None
        shown = self.mesh.dims
        rows = []
        scores = np.flatnonzero(seen[:, 0] == SCORE)
        last = scores[-1] if len(scores) and seen[-1, 0] in {SCORE, KEEP} else -1
        for i in scores.tolist():
            _, _, *corner, around, left, sides = seen[i].tolist()
            box = Box(*corner)
            base = ",".join(map(str, box.base[:shown]))
            cells = (f"({base})", str(around), str(left), "best" if box.base == best else "")
            rows.append(TableRow(cells, Mark(Role.CANDIDATE, box, (around, left, sides)), current=i == last))
        columns = ("Base", "Busy neighbours", "Free area left", "")
        return Table("Candidates", columns, tuple(rows), "None: no base has been found yet.")


class TurningBestFit(BestFit):
    """The free box with the most busy neighbours, in the first orientation of the request that has one."""

    id = "tbf"
    title = "Turning Best Fit"
    rotates = True
