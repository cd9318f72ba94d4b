"""Adjacency (004 §1, its reference 8): the free box that touches busy processors and the edge the most.

004 only names the strategy, which is that of D. Das Sharma and D. K. Pradhan (A Fast and Efficient Strategy
for Submesh Allocation in Mesh-Connected Parallel Computers, SPDP 1993). Its abstract says that the place is
taken that may fragment the mesh least, that every free box can be found, and that only corners of busy boxes
and of the mesh are searched. What is decided here is this: of all free boxes, in both orientations, the one
of whose border most touches busy processors or the mesh's edge is taken; of equals the first, as asked before
turned, lowest row first, leftmost first. Rows are scanned whole, as in Adaptive Scan, and not corners alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Line, Source
from meshgui.engine.allocation.held_boxes import (
    JOB,
    HeldBoxes,
    HeldBoxesStrategy,
    boxes_in,
    first_met,
    give,
    hold,
    no_held_boxes,
    note_met,
    release,
)
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Heat,
    Inspection,
    JobCell,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels, turned
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.basics.geometry import describe_size, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr, tr_n

__all__ = ["Adjacency"]

# The lines of the pseudo-code, by their place in `LINES`.
TURN, JUMP, TOUCH, KEEP, FOUND, FAIL = 0, 2, 3, 4, 5, 6

LINES = (
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line("row", "for each row, the lowest first, and each box based in it, from the left:", 1),
    Line(
        "jump",
        "if it meets a busy box: continue right of that box",
        2,
        says="The box {box} meets that of {job}: continue right of it, in column {n}.",
    ),
    Line(
        "touch",
        "else: add up how much of its border touches busy boxes and the mesh's edge",
        2,
        says="The box {box} is free: {count} of the {i} places around it {around}.",
    ),
    Line(
        "keep",
        "if that is more than for any box before: remember this one",
        2,
        decision=True,
        says="{why}: {box} is remembered.",
    ),
    Line(
        "found",
        "allocate the box that is remembered",
        decision=True,
        says="No free box touches more: the job gets {box}.",
    ),
    Line("fail", "there is none: fail", decision=True, says="No box is free, so the job waits."),
)

LEFT, RIGHT, BELOW, ABOVE = range(4)
_SIDES = (tr("left"), tr("right"), tr("below"), tr("above"))
_EDGE = -1  # in place of a job


@kernel
def _side(row: NDArray[np.int32], x: int, y: int, a: int, b: int) -> tuple[int, int]:
    """The side on which a busy box touches one that it does not meet, and how many places of it; or -1, 0."""
    across = min(x + a - 1, row[3]) - max(x, row[0]) + 1
    along = min(y + b - 1, row[4]) - max(y, row[1]) + 1
    if along > 0 and row[3] == x - 1:
        return LEFT, along
    if along > 0 and row[0] == x + a:
        return RIGHT, along
    if across > 0 and row[4] == y - 1:
        return BELOW, across
    if across > 0 and row[1] == y + b:
        return ABOVE, across
    return -1, 0


@kernel
def _at_edge(extents: NDArray[np.int32], side: int, x: int, y: int, a: int, b: int) -> int:
    """How many places around a box lie outside the mesh on a side."""
    if side <= RIGHT:
        return b if (x == 0 if side == LEFT else x + a == extents[0]) else 0
    return a if (y == 0 if side == BELOW else y + b == extents[1]) else 0


@kernel
def _touching(
    busy: NDArray[np.int32],
    extents: NDArray[np.int32],
    x: int,
    y: int,
    a: int,
    b: int,
    log: NDArray[np.int32] | None,
) -> int:
    """How many of the places around a free box are busy or outside the mesh."""
    edge, held = 0, 0
    for side in range(4):
        edge += _at_edge(extents, side, x, y, a, b)
    for i in range(busy.shape[0]):
        held += _side(busy[i], x, y, a, b)[1]
    if log is not None:
        note(log, TOUCH, Role.CANDIDATE, x, y, 0, a, b, 1, edge + held, edge, 2 * (a + b))
        for side in range(4):
            outside = _at_edge(extents, side, x, y, a, b)
            if outside > 0:
                note(log, SAME_STEP, Role.NOTHING, 0, 0, 0, 0, 0, 0, outside, _EDGE, side)
        for i in range(busy.shape[0]):
            side, length = _side(busy[i], x, y, a, b)
            if side >= 0:  # mark its processors that touch
                left, low = max(x, busy[i, 0]), max(y, busy[i, 1])
                if side <= RIGHT:
                    left = x - 1 if side == LEFT else x + a
                    note(log, SAME_STEP, Role.BLOCKED, left, low, 0, 1, length, 1, length, busy[i, JOB], side)
                else:
                    low = y - 1 if side == BELOW else y + b
                    note(log, SAME_STEP, Role.BLOCKED, left, low, 0, length, 1, 1, length, busy[i, JOB], side)
    return edge + held


@kernel
def search(state: HeldBoxes, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Find the best box; boxes tried and busy boxes compared with them are the operations."""
    busy, width, length = state.busy[: state.length[0]], state.extents[0], state.extents[1]
    most, best, best_x, best_y, examined = -1, 0, 0, 0, 0
    turns = turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)
    for t in range(turns):
        a, b = state.turns[t, 0], state.turns[t, 1]
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, a, b, 1, t, 0, 0)
        for y in range(length - b + 1):
            x = 0
            while x + a <= width:
                i, compared = first_met(busy, x, y, a, b)
                examined += 1 + compared
                if i >= 0:
                    if log is not None:
                        note(log, JUMP, Role.TRIED, x, y, 0, a, b, 1, busy[i, 3] + 1, i, 0)
                        note_met(log, busy, i)
                    x = busy[i, 3] + 1
                    continue
                examined += busy.shape[0]
                touching = _touching(busy, state.extents, x, y, a, b, log)
                if touching > most:
                    if log is not None:
                        note(log, KEEP, Role.CANDIDATE, x, y, 0, a, b, 1, touching, most, t)
                    most, best, best_x, best_y = touching, t, x, y
                x += 1
    state.tally[OPERATIONS] += examined
    a, b = state.turns[best, 0], state.turns[best, 1]
    if log is not None and most >= 0:
        note(log, FOUND, Role.PLACED, best_x, best_y, 0, a, b, 1, most, 0, best)
    elif log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return give(given, best_x, best_y, a, b) if most >= 0 else WAITS


_UNSEEN, _BUSY, _NO_BASE = -1, -2, -3


class Adjacency(HeldBoxesStrategy):
    """Of all free boxes, however turned, the one that touches busy processors and the edge the most."""

    id = "adj"
    title = tr("Adjacency")
    dims = frozenset({2})
    rotates = True
    contiguous = True
    fails_until_release = True
    source = Source("004", "§1, by name; Das Sharma and Pradhan 1993")
    lines = LINES

    kernels = StrategyKernels(release, search, hold)

    def empty_state(self) -> HeldBoxes:
        return no_held_boxes(self.mesh, turning=True)

    def inspect(self, moment: Moment) -> Inspection:
        """What the box at hand touches, side by side, the free boxes found, and the bases as heat."""
        grid = self._bases(moment)
        panels = (_sides(moment), _candidates(moment.steps), grid)
        heat = grid if grid.heat is not None else None
        return Inspection(panels, moment.marks, self.say(moment), heat=heat)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        around = (
            tr_n("is beyond the edge", "are beyond the edge", n) if n == k else tr_n("is busy", "are busy", n)
        )
        if n == 0:
            around = tr("is busy or beyond the edge")
        elif 0 < k < n:
            around = tr_n(
                "is busy or beyond the edge, {beyond} of them beyond the edge",
                "are busy or beyond the edge, {beyond} of them beyond the edge",
                n,
                beyond=k,
            )
        return super().words(step, moment) | {
            "job": job_name(step.marks[-1].values[0]),
            "count": n or tr("none", "cells"),
            "around": around,
            "why": tr("It is the first")
            if k < 0
            else tr("It touches {n} places, the best before it {k}").format(n=n, k=k),
        }  # fmt: skip

    def _bases(self, moment: Moment) -> Grid:
        """How much the box of each base of this orientation touches, so far."""
        seen = moment.steps.since(TURN).rows
        values = np.full(self.mesh.extents[::-1], _UNSEEN, dtype=np.int32)
        for line in (JUMP, TOUCH):
            for x, y, n in seen[seen[:, 0] == line][:, (2, 3, 8)].tolist():
                if line == TOUCH:
                    values[0, y, x] = n
                else:
                    values[0, y, x:n] = _NO_BASE
        for box, _ in boxes_in(moment.state["busy"]):
            region(values, box)[:] = _BUSY
        legend = (
            GridValue(_UNSEEN, tr("not looked at"), Role.NOTHING),
            GridValue(_BUSY, tr("busy"), Role.BLOCKED),
            GridValue(_NO_BASE, tr("no base"), Role.PROHIBITED),
        )
        heat = None
        if moment.request is not None:
            w, d, _ = moment.request.size
            heat = Heat(tr("places touched"), 0, 2 * (w + d))
        return Grid(tr("Bases"), values, legend, heat)


def _sides(moment: Moment) -> Table:
    """What touches the box at hand, side by side."""
    rows: list[TableRow] = []
    steps = moment.steps
    touched = np.flatnonzero(steps.lines() == TOUCH)
    if len(touched) and steps[-1].line in {TOUCH, KEEP}:
        box, *others = steps[int(touched[-1])].marks
        for side, name in enumerate(_SIDES):
            places = box.box.d if side in {LEFT, RIGHT} else box.box.w
            touching = [mark for mark in others if mark.values[2] == side]
            free = places - sum(mark.values[0] for mark in touching)
            for mark in touching:
                length, job, _ = mark.values
                who = JobCell(tr("edge")) if job == _EDGE else JobCell(tr("job {job}").format(job=job), job)
                shown = mark if mark.role != Role.NOTHING else box
                rows.append(
                    TableRow(
                        (name, who, tr("{length} of {places}").format(length=length, places=places)), shown
                    )
                )
            if free:
                rows.append(
                    TableRow(
                        (
                            name,
                            JobCell(tr("free")),
                            tr("{free} of {places}").format(free=free, places=places),
                        ),
                        box,
                    )
                )
    columns, empty = (
        (tr("Side", "of a box"), tr("Beside it"), tr("Places")),
        tr("None: no free box is being looked at."),
    )
    return Table(tr("Border"), columns, tuple(rows), empty, jobs=(tr("Beside it"),))


def _candidates(steps: Steps) -> Table:
    """The free boxes found so far, in both orientations, with how much of their border touches."""
    lines = steps.lines()
    kept = np.flatnonzero(lines == KEEP)
    best = steps[int(kept[-1])].marks[0].box if len(kept) else None
    touched = np.flatnonzero(lines == TOUCH).tolist()
    at_hand = touched[-1] if touched and lines[-1] in {TOUCH, KEEP} else -1
    rows = []
    for n in touched:
        mark: Mark = steps[n].marks[0]
        touching, edge, around = mark.values
        cells = (
            f"({mark.box.x},{mark.box.y})",
            describe_size(mark.box.size, 2),
            str(edge),
            str(touching - edge),
            tr("{touching} of {around}").format(touching=touching, around=around),
            tr("best") if mark.box == best else "",
        )
        rows.append(TableRow(cells, mark, current=n == at_hand))
    columns = (tr("Base"), tr("Size"), tr("Edge"), tr("Busy"), tr("Touches"), "")
    return Table(tr("Free boxes"), columns, tuple(rows), tr("None: no free box has been found yet."))
