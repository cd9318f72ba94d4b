"""Line Sweep (001 §2): a line goes up over the rows, and closes the free rectangles that end at it.

001 only names the strategy, which it has from a letter, and says that it is adapted from an algorithm for the
largest rectangle problem. Followed here is the one of D. Vandevoorde (The Maximal Rectangle Problem, Dr.
Dobb's Journal, April 1998): each column counts its free processors from the line down to the first busy one;
along the line, where a column is higher than the one before, a rectangle opens, and where it is lower, those
that are higher close, so that all free rectangles below the line that cannot grow sideways or down are met.
Where that algorithm keeps the largest, this one stops at the first that holds the request, as asked or else
turned. The job gets the rectangle's left end; it is then just as high as the job, for else a lower line would
have found it.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.held_boxes import (
    FrameStrategy,
    HeldBoxes,
    boxes_in,
    give,
    hold,
    listed,
    note_met,
    release,
)
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Mark, Role, Step, Steps, note
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh, describe_size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

CODE = PseudoCode()
ROW = CODE.decision(
    "row", "for each row, the lowest first: move the line there, and count one more for every column"
)
CODE.says("The line moves to row {n}: every column is one higher.")
BUSY = CODE.line("busy", "for each busy box on the line: its columns count from 0 again", 1)
CODE.says("The box of {job} lies on the line: {columns} from 0 again.")
CODE.line("column", "for each column, from the left, and the right edge as one of height 0:", 1)
OPEN = CODE.line(
    "open", "if it is higher than what is open: open a rectangle, from where the last one closed began", 2
)
CODE.says("Column {k} is {n} high, more than what is open: a rectangle opens {start}.")
CLOSE = CODE.line("close", "while an open rectangle is higher: close it, the highest first", 2)
CODE.says("{here}, so the rectangle {box} ends: {size}, {verdict}.")
FOUND = CODE.decision(
    "found", "if the request fits into it, as asked or else turned: allocate its left end", 3
)
CODE.says("The request fits into it {way}: the job gets {box}.")
FAIL = CODE.decision("fail", "the line has passed the highest row: fail")
CODE.says("No rectangle below the highest row holds it, so the job waits.")


@kernel
def _count(heights: Ints32, busy: Ints32, y: int, log: Log) -> None:
    """Count one more for every column, and from 0 again where a busy box lies on the line."""
    for x in range(heights.size - 1):
        heights[x] += 1
    for i in range(busy.shape[0]):
        if busy[i, 1] <= y <= busy[i, 4]:
            left, right = busy[i, 0], busy[i, 3]
            for x in range(left, right + 1):
                heights[x] = 0
            note(log, BUSY, Role.PROHIBITED, left, y, 0, right - left + 1, 1, 1, left, right, i)
            note_met(log, busy, i)


@kernel
def _holds(turns: Ints32, wide: int, high: int) -> int:
    """The first orientation of the request that a rectangle holds, or -1."""
    for t in range(turns.shape[0]):
        if turns[t, 0] <= wide and turns[t, 1] <= high:
            return t
    return -1


@kernel
def search(state: HeldBoxes, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Sweep for a box; columns, rectangles and busy boxes looked at in each row are the operations."""
    busy, extents = listed(state.busy), state.turning.extents
    width, length = extents[0], extents[1]
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    heights = np.zeros(width + 1, dtype=np.int32)  # the last one is the right edge
    opened = np.empty((width, 2), dtype=np.int32)  # a stack of rectangles: first column, height
    for y in range(length):
        note(log, ROW, Role.BORDER, 0, y, 0, width, 1, 1, y)
        _count(heights, busy, y, log)
        state.tally[OPERATIONS] += width + busy.shape[0]
        count = 0
        for x in range(width + 1):
            left = x
            while count > 0 and opened[count - 1, 1] > heights[x]:
                count -= 1
                left, high = opened[count, 0], opened[count, 1]
                state.tally[OPERATIONS] += 1
                t, low = _holds(turns, x - left, high), y - high + 1
                note(log, CLOSE, Role.TRIED, left, low, 0, x - left, high, 1, heights[x], x, t)
                if t >= 0:
                    a, b = turns[t, 0], turns[t, 1]
                    note(log, FOUND, Role.PLACED, left, low, 0, a, b, 1, 0, 0, t)
                    return give(boxes_out, left, low, a, b)
            if heights[x] > 0 and (count == 0 or opened[count - 1, 1] < heights[x]):
                opened[count, 0], opened[count, 1] = left, heights[x]
                count += 1
                high = heights[x]
                low, wide = y - high + 1, x - left + 1
                note(log, OPEN, Role.CANDIDATE, left, low, 0, wide, high, 1, high, x, left)
    note(log, FAIL)
    return WAITS


_HEIGHTS = (
    _AHEAD := GridValue(0, tr("above the line"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _PASSED := GridValue(2, tr("passed, below a busy one"), Role.PROHIBITED),
    _COUNTED := GridValue(3, tr("counted"), Role.TRIED),
    _OPEN := GridValue(4, tr("in an open rectangle"), Role.BORDER),
    _HERE := GridValue(5, tr("in the rectangle at hand"), Role.CANDIDATE),
)


class LineSweep(FrameStrategy):
    """In the first free rectangle that a line, on its way up, closes and that holds the request."""

    id = "ls"
    title = tr("Line Sweep")
    source = Source("001", "§2, by name; the sweep of Vandevoorde 1998")
    lines = CODE.lines

    kernels = StrategyKernels(release, search, hold)

    def inspect(self, moment: Moment) -> Inspection:
        """The open rectangles, those closed on this line, and the heights of the columns on the mesh."""
        so_far = _Progress(moment, self.mesh)
        panels = (so_far.open_table(), so_far.closed_table(), so_far.grid(moment))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, i = step.marks[0].values
        here = tr("Column {k} is only {n} high") if n else tr("Column {k} is busy")
        here = tr("Here is the right edge") if k == self.mesh.extents[0] else here.format(k=k, n=n)
        columns = tr("column {n} counts") if n == k else tr("columns {n} to {k} count")
        return super().words(step, moment) | {
            "columns": columns.format(n=n, k=k),
            "start": tr("here") if i == k else tr("from column {i} on").format(i=i),
            "here": here,
            "verdict": tr("which holds the request") if i >= 0 else tr("which does not hold the request"),
        }


class _Progress:
    """What the steps on this line have established, and how high the columns are."""

    def __init__(self, moment: Moment, mesh: Mesh) -> None:
        self.width, self.length, _ = mesh.extents
        self.open: list[Mark] = []
        self.closed: list[Mark] = []
        self.line = -1
        self.reached = 0  # the columns of this line that have been looked at
        self.busy = boxes_in(moment.state["busy"])
        self.steps: Steps = moment.steps.since(ROW)
        for step in self.steps:
            mark = step.marks[0]
            if step.line == ROW:
                self.line = mark.values[0]
            elif step.line == OPEN:
                self.reached = mark.values[1] + 1
                self.open.append(mark)
            elif step.line == CLOSE:
                self.reached = mark.values[1]
                self.open.pop()
                self.closed.append(mark)

    def _so_far(self, opened: Mark) -> Mark:
        """An open rectangle with all columns that it has been found to hold."""
        return opened._replace(box=opened.box._replace(w=self.reached - opened.box.x))

    def open_table(self) -> Table:
        """The stack, the highest on top."""
        columns, empty = (tr("From column"), tr("Height"), tr("So far")), tr("None: no rectangle is open.")
        table = TableBuilder(tr("Open rectangles"), columns, empty)
        for n, mark in reversed(list(enumerate(map(self._so_far, self.open)))):
            cells = (str(mark.box.x), str(mark.box.d), mark.box.describe(flat=True))
            table.row(*cells, mark=mark, current=n == len(self.open) - 1)
        return table.table()

    def closed_table(self) -> Table:
        """The rectangles that have ended on this line."""
        at_hand = len(self.steps) > 0 and self.steps[-1].line in {CLOSE, FOUND}
        columns = (tr("Rectangle"), tr("Size"), tr("Request"))
        empty = tr("None: no rectangle has ended on this line.")
        table = TableBuilder(tr("Closed on this line"), columns, empty)
        for n, mark in enumerate(self.closed):
            fits = tr("holds it") if mark.values[2] >= 0 else tr("too small")
            cells = (mark.box.describe(flat=True), describe_size(mark.box.size, 2), fits)
            table.row(*cells, mark=mark, current=at_hand and n == len(self.closed) - 1)
        return table.table()

    def grid(self, moment: Moment) -> Grid:
        """Where the line stands, and what each column counts below it."""
        heights = GridBuilder((1, self.length, self.width), *_HEIGHTS)
        values = heights.values
        values[0, : self.line + 1] = _PASSED.value
        heights.fill((box for box, _ in self.busy), _BUSY)
        for x in range(self.width):
            for y in range(self.line, -1, -1):
                if values[0, y, x] == _BUSY.value:
                    break
                values[0, y, x] = _COUNTED.value
        heights.fill((self._so_far(mark).box for mark in self.open), _OPEN)
        step = moment.step
        if step is not None and step.line in {OPEN, CLOSE, FOUND}:
            heights.fill([step.marks[0].box], _HERE)
        return heights.grid(tr("Heights below the line"))
