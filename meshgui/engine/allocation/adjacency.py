"""Adjacency (004 §1, its reference 8): the free box that touches busy processors and the edge the most.

004 only names the strategy, which is that of D. Das Sharma and D. K. Pradhan (A Fast and Efficient Strategy
for Submesh Allocation in Mesh-Connected Parallel Computers, SPDP 1993). Its abstract says that the place is
taken that may fragment the mesh least, that every free box can be found, and that only corners of busy boxes
and of the mesh are searched. What is decided here is this: of all free boxes, in both orientations, the one
of whose border most touches busy processors or the mesh's edge is taken; of equals the first, as asked before
turned, lowest row first, leftmost first. Rows are scanned whole, as in Adaptive Scan, and not corners alone.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.held_boxes import (
    JOB,
    FrameStrategy,
    HeldBoxes,
    boxes_in,
    first_met,
    give,
    hold,
    listed,
    note_met,
    release,
)
from meshgui.engine.allocation.inspection import Grid, Heat, Inspection, JobCell, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import BASES, BUSY, NOT_A_BASE, GridBuilder, TableBuilder, named_job
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, Steps, note, note_numbers
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, describe_size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import language, said_again, tr, tr_n

CODE = PseudoCode()
TURN = CODE.decision("turn", "for each orientation of the request:")
CODE.says("Try it {way}.")
CODE.line("row", "for each row, the lowest first, and each box based in it, from the left:", 1)
JUMP = CODE.line("jump", "if it meets a busy box: continue right of that box", 2)
CODE.says("The box {box} meets that of {job}: continue right of it, in column {n}.")
TOUCH = CODE.line("touch", "else: add up how much of its border touches busy boxes and the mesh's edge", 2)
CODE.says("The box {box} is free: {count} of the {i} places around it {around}.")
KEEP = CODE.decision("keep", "if that is more than for any box before: remember this one", 2)
CODE.says("{why}: {box} is remembered.")
FOUND = CODE.decision("found", "allocate the box that is remembered")
CODE.says("No free box touches more: the job gets {box}.")
FAIL = CODE.decision("fail", "there is none: fail")
CODE.says("No box is free, so the job waits.")

LEFT, RIGHT, BELOW, ABOVE = range(4)
_SIDES = (tr("left"), tr("right"), tr("below"), tr("above"))
_EDGE = -1  # in place of a job


@kernel
def _side(row: Ints32, x: int, y: int, a: int, b: int) -> tuple[int, int]:
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
def _at_edge(extents: Ints32, side: int, x: int, y: int, a: int, b: int) -> int:
    """How many places around a box lie outside the mesh on a side."""
    if side <= RIGHT:
        return b if (x == 0 if side == LEFT else x + a == extents[0]) else 0
    return a if (y == 0 if side == BELOW else y + b == extents[1]) else 0


@kernel
def _touching(busy: Ints32, extents: Ints32, x: int, y: int, a: int, b: int, log: Log) -> int:
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
                note_numbers(log, SAME_STEP, outside, _EDGE, side)
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
def search(state: HeldBoxes, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find the best box; boxes tried and busy boxes compared with them are the operations."""
    busy, extents, shapes = listed(state.busy), state.turning.extents, state.turning.room
    width, length = extents[0], extents[1]
    most, best, best_x, best_y, examined = -1, 0, 0, 0, 0
    turns = oriented(state.turning, request.w, request.d, request.h)
    for t in range(turns):
        a, b = shapes[t, 0], shapes[t, 1]
        note(log, TURN, Role.TRIED, 0, 0, 0, a, b, 1, t)
        for y in range(length - b + 1):
            x = 0
            while x + a <= width:
                i, compared = first_met(busy, x, y, a, b)
                examined += 1 + compared
                if i >= 0:
                    note(log, JUMP, Role.TRIED, x, y, 0, a, b, 1, busy[i, 3] + 1, i)
                    note_met(log, busy, i)
                    x = busy[i, 3] + 1
                    continue
                examined += busy.shape[0]
                touching = _touching(busy, extents, x, y, a, b, log)
                if touching > most:
                    note(log, KEEP, Role.CANDIDATE, x, y, 0, a, b, 1, touching, most, t)
                    most, best, best_x, best_y = touching, t, x, y
                x += 1
    state.tally[OPERATIONS] += examined
    a, b = shapes[best, 0], shapes[best, 1]
    if most < 0:
        note(log, FAIL)
        return WAITS
    note(log, FOUND, Role.PLACED, best_x, best_y, 0, a, b, 1, most, 0, best)
    return give(boxes_out, best_x, best_y, a, b)


class Adjacency(FrameStrategy):
    """Of all free boxes, however turned, the one that touches busy processors and the edge the most."""

    id = "adj"
    title = tr("Adjacency")
    source = Source("004", "§1, by name; Das Sharma and Pradhan 1993")
    lines = CODE.lines

    kernels = StrategyKernels(release, search, hold)

    def inspect(self, moment: Moment) -> Inspection:
        """What the box at hand touches, side by side, the free boxes found, and the bases as heat."""
        grid = self._bases(moment)
        panels = (_sides(moment), _candidates(moment.steps), grid)
        heat = grid if grid.heat is not None else None
        return Inspection(panels, moment.marks, self.say(moment), heat=heat)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        beyond = tr_n("is beyond the edge", "are beyond the edge", n)
        around = beyond if n == k else tr_n("is busy", "are busy", n)
        if n == 0:
            around = tr("is busy or beyond the edge")
        elif 0 < k < n:
            around = tr_n(
                "is busy or beyond the edge, {beyond} of them beyond the edge",
                "are busy or beyond the edge, {beyond} of them beyond the edge",
                n,
                beyond=k,
            )
        more = tr("It touches {n} places, the best before it {k}").format(n=n, k=k)
        why = tr("It is the first") if k < 0 else more
        words = super().words(step, moment)
        return words | {"count": n or tr("none", "cells"), "around": around, "why": why}

    def _bases(self, moment: Moment) -> Grid:
        """How much the box of each base of this orientation touches, so far."""
        seen = moment.steps.since(TURN).rows
        bases = GridBuilder(self.mesh.extents[::-1], *BASES)
        for x, y, end in seen[seen[:, 0] == JUMP][:, (2, 3, 8)].tolist():
            bases.values[0, y, x:end] = NOT_A_BASE.value
        for x, y, n in seen[seen[:, 0] == TOUCH][:, (2, 3, 8)].tolist():
            bases.values[0, y, x] = n
        bases.fill((box for box, _ in boxes_in(moment.state["busy"])), BUSY)
        heat = None
        if moment.request is not None:
            w, d, _ = moment.request.size
            heat = Heat(tr("places touched"), 0, 2 * (w + d))
        return bases.grid(tr("Bases"), heat)


def _sides(moment: Moment) -> Table:
    """What touches the box at hand, side by side."""
    columns = (tr("Side", "of a box"), tr("Beside it"), tr("Places"))
    empty = tr("None: no free box is being looked at.")
    table = TableBuilder(tr("Border"), columns, empty, jobs=columns[1:2])
    steps = moment.steps
    touched = np.flatnonzero(steps.lines() == TOUCH)
    if len(touched) and steps[-1].line in {TOUCH, KEEP}:
        box, *others = steps[int(touched[-1])].marks
        for side, name in enumerate(map(said_again, _SIDES)):
            places = box.box.d if side in {LEFT, RIGHT} else box.box.w
            touching = [mark for mark in others if mark.values[2] == side]
            for mark in touching:
                length, job, _ = mark.values
                who = JobCell(tr("edge")) if job == _EDGE else named_job(job)
                said = tr("{length} of {places}").format(length=length, places=places)
                table.row(name, who, said, mark=mark if mark.role != Role.NOTHING else box)
            free = places - sum(mark.values[0] for mark in touching)
            if free:
                said = tr("{free} of {places}").format(free=free, places=places)
                table.row(name, JobCell(tr("free")), said, mark=box)
    return table.table()


def _candidates(steps: Steps) -> Table:
    """The free boxes found so far, in both orientations, with how much of their border touches."""
    lines = steps.lines()
    kept = np.flatnonzero(lines == KEEP)
    best = steps[int(kept[-1])].marks[0].box if len(kept) else None
    touched = steps.rows_of(TOUCH).tolist()
    at_hand = len(touched) - 1 if len(lines) and lines[-1] in {TOUCH, KEEP} else -1
    columns = (tr("Base"), tr("Size"), tr("Edge"), tr("Busy"), tr("Touches"), "")
    table = TableBuilder(tr("Free boxes"), columns, tr("None: no free box has been found yet."))
    for n, row in enumerate(touched):
        mark, cells = _found(language(), *row)
        table.row(*cells, tr("best") if mark.box == best else "", mark=mark, current=n == at_hand)
    return table.table()


@lru_cache(maxsize=4096)  # every later step shows it, too
def _found(_spoken: str, _line: int, role: int, *numbers: int) -> tuple[Mark, tuple[str, str, str, str, str]]:
    """A free box of a row of the log, and its cells."""
    *corners, touching, edge, around = numbers
    box = Box(*corners)
    said = tr("{touching} of {around}").format(touching=touching, around=around)
    cells = (box.corner(), describe_size(box.size, 2), str(edge), str(touching - edge), said)
    return Mark(Role(role), box, (touching, edge, around)), cells
