"""Quick Allocation (004 §2): one sweep over the busy boxes finds a base, without scanning the mesh.

A busy box *covers* every base whose box would meet it: as many columns further left as the request is wide
less one, as many rows further down as it is long less one. The busy list is kept in order of the boxes' left
columns, and so what they cover comes from left to right in every row. The array of each row's last covered
column therefore tells all: where the next box covers a row only from beyond the column after it, that column
is a base, and so it is where the request fits right of it in the end. 004 does not say which of several bases
is taken; this one takes the first met by the sweep.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.held_boxes import (
    JOB,
    FrameStrategy,
    HeldBoxes,
    append,
    boxes_in,
    give,
    listed,
    note_met,
    release,
)
from meshgui.engine.allocation.inspection import GridValue, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, job_cell
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Mark, Role, Step, Steps, note
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are, count_of

CODE = PseudoCode()
TURN = CODE.decision("turn", "for each orientation of the request: no column is covered yet")
CODE.says("Try it {way}: no column of any row is covered yet.")
COVER = CODE.line("cover", "for each busy box, by its left column: take the bases it covers", 1)
CODE.says("The box of {job} covers the bases {box}.")
GAP = CODE.decision(
    "gap",
    "for each of their rows: if the column after the last covered one lies before them, it is a base",
    2,
)
CODE.says("Row {k} is covered {gap}: {base} is a base.")
MOVE = CODE.line("move", "else: the last covered column moves to theirs, never back", 2)
CODE.says("Row {k} {is_now} covered up to column {n}.")
ROOM = CODE.decision(
    "room", "for each row: if the request fits right of the last covered column, there is a base", 1
)
CODE.says("Row {k} {covered}, and {left}: {base} is a base.")
FULL = CODE.line("full", "else: the row has no base", 1)
CODE.says("Row {k} {covered}, and {too_few}: it has no base.")
FOUND = CODE.decision("found", "allocate the box of this base", 1)
CODE.says("The job gets {box}.")
FAIL = CODE.decision("fail", "no orientation has a base: fail")
CODE.says("No row has a base, so the job waits.")


@kernel
def _sweep(busy: Ints32, covered: Ints32, width: int, a: int, b: int, log: Log) -> tuple[int, int]:
    """Sweep over the busy boxes and then the rows: (the row of the base or -1, rows examined).

    The base is the column after that row's last covered one. `covered` has a place for each row of bases.
    """
    rows, examined = covered.shape[0], 0
    for i in range(busy.shape[0]):
        left, right = max(busy[i, 0] - a + 1, 0), busy[i, 3]
        low, high = max(busy[i, 1] - b + 1, 0), min(busy[i, 4], rows - 1)
        note(log, COVER, Role.PROHIBITED, left, low, 0, right - left + 1, high - low + 1, 1, right, i)
        note_met(log, busy, i)
        for y in range(low, high + 1):
            examined += 1
            if left > covered[y] + 1:
                note(log, GAP, Role.CANDIDATE, covered[y] + 1, y, 0, 1, 1, 1, covered[y], y, left)
                return y, examined
            moves = 1 if right > covered[y] else 0
            if moves == 1:
                covered[y] = right
            note(log, MOVE, Role.PROHIBITED, 0, y, 0, covered[y] + 1, 1, 1, covered[y], y, moves)
    for y in range(rows):
        examined += 1
        free = width - 1 - covered[y]
        if free >= a:
            note(log, ROOM, Role.CANDIDATE, covered[y] + 1, y, 0, 1, 1, 1, covered[y], y, free)
            return y, examined
        note(log, FULL, Role.PROHIBITED, 0, y, 0, covered[y] + 1, 1, 1, covered[y], y, free)
    return -1, examined


@kernel
def search(state: HeldBoxes, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find a base; rows examined are the operations."""
    busy, extents = listed(state.busy), state.turning.extents
    width, length = extents[0], extents[1]
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    for t in range(turns.shape[0]):
        a, b = turns[t, 0], turns[t, 1]
        covered = np.full(length - b + 1, -1, dtype=np.int32)
        note(log, TURN, Role.TRIED, 0, 0, 0, a, b, 1, t)
        y, examined = _sweep(busy, covered, width, a, b, log)
        state.tally[OPERATIONS] += examined
        if y >= 0:
            x = covered[y] + 1
            note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1, t)
            return give(boxes_out, x, y, a, b)
    note(log, FAIL)
    return WAITS


@kernel
def take(state: HeldBoxes, job: int, boxes: Ints32, count: int) -> None:
    """Put the boxes in order of left columns, behind equals."""
    busy, length = state.busy
    for n in range(count):
        place = length[0]
        while place > 0 and busy[place - 1, 0] > boxes[n, 0]:
            for column in range(JOB + 1):
                busy[place, column] = busy[place - 1, column]
            place -= 1
        append(busy, place, boxes[n], job)
        length[0] += 1


_COVER = (
    _OPEN := GridValue(0, tr("not covered so far"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _COVERED := GridValue(2, tr("covered"), Role.PROHIBITED),
    _BASE := GridValue(3, tr("base"), Role.CANDIDATE),
)


class QuickAllocation(FrameStrategy):
    """The first base that the sweep meets, in the first orientation of the request that has one."""

    id = "qa"
    title = tr("Quick Allocation")
    keeps_lists = True
    source = Source("004", "§2")
    complexity = Complexity(Bound("O(√n·m)", n=0.5, m=1), Bound("Θ(1)"), tr("004 table 2"))
    lines = CODE.lines

    kernels = StrategyKernels(release, search, take)

    def inspect(self, moment: Moment) -> Inspection:
        """The busy list in the sweep's order, and the last covered column of each row, listed and drawn."""
        seen = moment.steps.since(TURN)
        so_far = _Progress(seen, self.mesh.extents)
        busy = boxes_in(moment.state["busy"])
        bases = GridBuilder(self.mesh.extents[::-1], *_COVER)
        for y, column in enumerate(so_far.covered):
            bases.values[0, y, : column + 1] = _COVERED.value
        bases.fill((box for box, _ in busy), _BUSY)
        bases.fill([] if so_far.base is None else [so_far.base.box], _BASE)
        panels = (so_far.boxes(busy), so_far.columns(), bases.grid(tr("Covered bases")))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, _, i = step.marks[0].values
        gap = tr("only from column {i} on") if n < 0 else tr("up to column {n} and again from {i} on")
        few = {0: tr("no column is left"), 1: tr("only 1 is left")}
        return super().words(step, moment) | {
            "is_now": tr("is now") if i == 1 else tr("stays"),
            "gap": gap.format(n=n, i=i),
            "covered": tr("is not covered") if n < 0 else tr("is covered up to column {n}").format(n=n),
            "left": tr("{columns} {are} left").format(columns=count_of(i, "column"), are=are(i)),
            "too_few": few.get(i, tr("only {i} are left").format(i=i)),
        }


class _Progress:
    """What the steps of this orientation have established."""

    def __init__(self, steps: Steps, extents: Size) -> None:
        _, self.length, _ = extents
        self.covered = [-1] * self.length
        self.rows = self.length  # rows that can have a base; the others are too high for the request
        self.row: int | None = None  # the row being looked at
        self.box: int | None = None  # the busy box of the sweep
        self.bases: dict[int, Mark] = {}  # what each busy box covers
        self.base: Mark | None = None
        for step in steps:
            mark = step.marks[0]
            n, k, _ = mark.values
            self.row = k if step.line in {GAP, MOVE, ROOM, FULL} else None
            if step.line == TURN:
                self.rows = self.length - mark.box.d + 1
            elif step.line == COVER:
                self.box = k
                self.bases[k] = mark
            elif step.line == MOVE:
                self.covered[k] = n
            elif step.line in {GAP, ROOM}:
                self.base = mark
            if step.line in {ROOM, FULL, FOUND, FAIL}:
                self.box = None

    def boxes(self, busy: list[tuple[Box, int]]) -> Table:
        """The busy list and what each box covers for this request."""
        columns = (tr("Job"), tr("Box"), tr("Covers"))
        empty = tr("Empty: no processor is held.")
        table = TableBuilder(tr("Busy list"), columns, empty, jobs=columns[:1])
        for i, (box, job) in enumerate(busy):
            bases = self.bases.get(i)
            covers = bases.box.describe(flat=True) if bases else None
            mark = bases or Mark(Role.TRIED, box, (job, i, 0))
            table.row(job_cell(job), box.describe(flat=True), covers, mark=mark, current=i == self.box)
        return table.table()

    def columns(self) -> Table:
        """The array of last covered columns, the highest row on top as on the mesh."""
        table = TableBuilder(tr("Last covered columns"), (tr("Row"), tr("Column")))
        for y in reversed(range(self.length)):
            column, mark = self.covered[y], None
            said = tr("none", "column") if column < 0 else str(column)
            if column >= 0:
                mark = Mark(Role.PROHIBITED, Box(0, y, 0, column + 1, 1, 1), (column, y, 0))
            table.row(str(y), tr("too high") if y >= self.rows else said, mark=mark, current=y == self.row)
        return table.table()
