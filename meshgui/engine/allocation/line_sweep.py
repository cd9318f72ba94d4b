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
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Line, Source
from meshgui.engine.allocation.held_boxes import (
    HeldBoxes,
    HeldBoxesStrategy,
    boxes_in,
    give,
    hold,
    no_held_boxes,
    note_met,
    release,
)
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Inspection,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels, turned
from meshgui.engine.allocation.steps import Mark, Role, Step, Steps, note
from meshgui.engine.basics.geometry import Mesh, describe_size, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr

__all__ = ["LineSweep"]

# The lines of the pseudo-code, by their place in `LINES`.
ROW, BUSY, OPEN, CLOSE, FOUND, FAIL = 0, 1, 3, 4, 5, 6

LINES = (
    Line(
        "row",
        "for each row, the lowest first: move the line there, and count one more for every column",
        decision=True,
        says="The line moves to row {n}: every column is one higher.",
    ),
    Line(
        "busy",
        "for each busy box on the line: its columns count from 0 again",
        1,
        says="The box of {job} lies on the line: {columns} from 0 again.",
    ),
    Line("column", "for each column, from the left, and the right edge as one of height 0:", 1),
    Line(
        "open",
        "if it is higher than what is open: open a rectangle, from where the last one closed began",
        2,
        says="Column {k} is {n} high, more than what is open: a rectangle opens {start}.",
    ),
    Line(
        "close",
        "while an open rectangle is higher: close it, the highest first",
        2,
        says="{here}, so the rectangle {box} ends: {size}, {verdict}.",
    ),
    Line(
        "found",
        "if the request fits into it, as asked or else turned: allocate its left end",
        3,
        decision=True,
        says="The request fits into it {way}: the job gets {box}.",
    ),
    Line(
        "fail",
        "the line has passed the highest row: fail",
        decision=True,
        says="No rectangle below the highest row holds it, so the job waits.",
    ),
)


@kernel
def _count(
    heights: NDArray[np.int32], busy: NDArray[np.int32], y: int, log: NDArray[np.int32] | None
) -> None:
    """Count one more for every column, and from 0 again where a busy box lies on the line."""
    for x in range(heights.size - 1):
        heights[x] += 1
    for i in range(busy.shape[0]):
        if busy[i, 1] <= y <= busy[i, 4]:
            left, right = busy[i, 0], busy[i, 3]
            for x in range(left, right + 1):
                heights[x] = 0
            if log is not None:
                note(log, BUSY, Role.PROHIBITED, left, y, 0, right - left + 1, 1, 1, left, right, i)
                note_met(log, busy, i)


@kernel
def _holds(turns: NDArray[np.int32], wide: int, high: int) -> int:
    """The first orientation of the request that a rectangle holds, or -1."""
    for t in range(turns.shape[0]):
        if turns[t, 0] <= wide and turns[t, 1] <= high:
            return t
    return -1


@kernel
def search(state: HeldBoxes, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Sweep for a box; columns, rectangles and busy boxes looked at in each row are the operations."""
    busy, width, length = state.busy[: state.length[0]], state.extents[0], state.extents[1]
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    heights = np.zeros(width + 1, dtype=np.int32)  # the last one is the right edge
    opened = np.empty((width, 2), dtype=np.int32)  # a stack of rectangles: first column, height
    for y in range(length):
        if log is not None:
            note(log, ROW, Role.BORDER, 0, y, 0, width, 1, 1, y, 0, 0)
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
                if log is not None:
                    note(log, CLOSE, Role.TRIED, left, low, 0, x - left, high, 1, heights[x], x, t)
                if t >= 0:
                    a, b = turns[t, 0], turns[t, 1]
                    if log is not None:
                        note(log, FOUND, Role.PLACED, left, low, 0, a, b, 1, 0, 0, t)
                    return give(given, left, low, a, b)
            if heights[x] > 0 and (count == 0 or opened[count - 1, 1] < heights[x]):
                opened[count, 0], opened[count, 1] = left, heights[x]
                count += 1
                if log is not None:
                    high = heights[x]
                    low, wide = y - high + 1, x - left + 1
                    note(log, OPEN, Role.CANDIDATE, left, low, 0, wide, high, 1, high, x, left)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return WAITS


_AHEAD, _BUSY, _PASSED, _COUNTED, _OPEN, _HERE = range(6)


class LineSweep(HeldBoxesStrategy):
    """In the first free rectangle that a line, on its way up, closes and that holds the request."""

    id = "ls"
    title = tr("Line Sweep")
    dims = frozenset({2})
    rotates = True
    contiguous = True
    fails_until_release = True
    source = Source("001", "§2, by name; the sweep of Vandevoorde 1998")
    lines = LINES

    kernels = StrategyKernels(release, search, hold)

    def empty_state(self) -> HeldBoxes:
        return no_held_boxes(self.mesh, turning=True)

    def inspect(self, moment: Moment) -> Inspection:
        """The open rectangles, those closed on this line, and the heights of the columns on the mesh."""
        so_far = _Progress(moment, self.mesh)
        panels = (so_far.open_table(), so_far.closed_table(), so_far.grid(moment))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, i = step.marks[0].values
        edge = k == self.mesh.extents[0]
        here = (
            tr("Column {k} is only {n} high").format(k=k, n=n) if n else tr("Column {k} is busy").format(k=k)
        )
        return super().words(step, moment) | {
            "job": job_name(step.marks[-1].values[0]),
            "columns": tr("column {n} counts").format(n=n)
            if n == k
            else tr("columns {n} to {k} count").format(n=n, k=k),
            "start": tr("here") if i == k else tr("from column {i} on").format(i=i),
            "here": tr("Here is the right edge") if edge else here,
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
            self._take(step)

    def _take(self, step: Step) -> None:
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
        rows = []
        for n, mark in enumerate(map(self._so_far, self.open)):
            cells = (str(mark.box.x), str(mark.box.d), mark.box.describe(flat=True))
            rows.append(TableRow(cells, mark, current=n == len(self.open) - 1))
        columns, empty = (tr("From column"), tr("Height"), tr("So far")), tr("None: no rectangle is open.")
        return Table(tr("Open rectangles"), columns, tuple(reversed(rows)), empty)

    def closed_table(self) -> Table:
        """The rectangles that have ended on this line."""
        at_hand = len(self.steps) > 0 and self.steps[-1].line in {CLOSE, FOUND}
        rows = tuple(
            TableRow(
                (
                    mark.box.describe(flat=True),
                    describe_size(mark.box.size, 2),
                    tr("holds it") if mark.values[2] >= 0 else tr("too small"),
                ),
                mark,
                current=at_hand and n == len(self.closed) - 1,
            )
            for n, mark in enumerate(self.closed)
        )
        columns, empty = (
            (tr("Rectangle"), tr("Size"), tr("Request")),
            tr("None: no rectangle has ended on this line."),
        )
        return Table(tr("Closed on this line"), columns, rows, empty)

    def grid(self, moment: Moment) -> Grid:
        """Where the line stands, and what each column counts below it."""
        values = np.full((1, self.length, self.width), _AHEAD, dtype=np.int32)
        values[0, : self.line + 1] = _PASSED
        held = np.zeros((self.length, self.width), dtype=np.bool_)
        for box, _ in self.busy:
            region(values, box)[:] = _BUSY
            held[box.y : box.y + box.d, box.x : box.x + box.w] = True
        for x in range(self.width):
            for y in range(self.line, -1, -1):
                if held[y, x]:
                    break
                values[0, y, x] = _COUNTED
        for mark in self.open:
            region(values, self._so_far(mark).box)[:] = _OPEN
        step = moment.step
        if step is not None and step.line in {OPEN, CLOSE, FOUND}:
            region(values, step.marks[0].box)[:] = _HERE
        legend = (
            GridValue(_AHEAD, tr("above the line"), Role.NOTHING),
            GridValue(_BUSY, tr("busy"), Role.BLOCKED),
            GridValue(_PASSED, tr("passed, below a busy one"), Role.PROHIBITED),
            GridValue(_COUNTED, tr("counted"), Role.TRIED),
            GridValue(_OPEN, tr("in an open rectangle"), Role.BORDER),
            GridValue(_HERE, tr("in the rectangle at hand"), Role.CANDIDATE),
        )
        return Grid(tr("Heights below the line"), values, legend)
