"""Adaptive Scan (000 §2.2.1, 004 §2): rows scanned one by one, jumping over the busy boxes in the way.

Where a frame meets a busy box, no frame based further left than the column right of that box can be free in
this row either, so the scan jumps there: nothing is missed. If no row has room, the request is turned and
the scan starts again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.frame_sliding import note_edge
from meshgui.engine.allocation.held_boxes import (
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
    Inspection,
    JobCell,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels, turned
from meshgui.engine.allocation.steps import Role, Step, Steps, note
from meshgui.engine.basics.geometry import region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr

__all__ = ["LINES", "AdaptiveScan", "find"]

# The lines of the pseudo-code, by their place in `LINES`.
TURN, ROW, EDGE, JUMP, FOUND, FAIL = range(6)

LINES = (
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line(
        "row",
        "for each row, the lowest first: begin at the left edge",
        1,
        says="Scan row {n} from the left edge.",
    ),
    Line(
        "edge",
        "if the frame leaves the mesh on the right: go to the next row",
        2,
        decision=True,
        says="A frame based at {base} leaves the mesh: this row has no base.",
    ),
    Line(
        "jump",
        "else if it meets a busy box: jump to the column right of that box",
        2,
        says="The frame {box} meets the box of {job}: jump over it to column {n}.",
    ),
    Line(
        "found",
        "else: allocate this frame",
        2,
        decision=True,
        says="The frame {box} is free: the job gets it.",
    ),
    Line(
        "fail",
        "no orientation has a base: fail",
        decision=True,
        says="No row has a base, so the job waits.",
    ),
)


@kernel
def search(
    busy: NDArray[np.int32],
    width: int,
    length: int,
    turns: NDArray[np.int32],
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int]:
    """The first free frame: (turn or -1, x, y, frames tried and boxes compared with them)."""
    examined = 0
    for t in range(turns.shape[0]):
        a, b = turns[t, 0], turns[t, 1]
        if log is not None:
            note(log, TURN, Role.TRIED, 0, 0, 0, a, b, 1, t, 0, 0)
        for y in range(length - b + 1):
            if log is not None:
                note(log, ROW, Role.TRIED, 0, y, 0, a, b, 1, y, 0, 0)
            x = 0
            while x + a <= width:
                i, compared = first_met(busy, x, y, a, b)
                examined += 1 + compared
                if i < 0:
                    if log is not None:
                        note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1, t, 0, 0)
                    return t, x, y, examined
                if log is not None:
                    note(log, JUMP, Role.TRIED, x, y, 0, a, b, 1, busy[i, 3] + 1, i, 0)
                    note_met(log, busy, i)
                x = busy[i, 3] + 1
            if log is not None:
                note_edge(log, EDGE, x, y, width - x, b)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return -1, 0, 0, examined


@kernel
def find(state: HeldBoxes, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Find boxes for the request."""
    turns = state.turns[: turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)]
    busy = state.busy[: state.length[0]]
    turn, x, y, examined = search(busy, state.extents[0], state.extents[1], turns, log)
    state.tally[OPERATIONS] += examined
    return give(given, x, y, turns[turn, 0], turns[turn, 1]) if turn >= 0 else WAITS


_AHEAD, _BUSY, _JUMPED, _TRIED, _HERE = range(5)


class AdaptiveScan(HeldBoxesStrategy):
    """The lowest, then leftmost free frame, in the first orientation of the request that has one."""

    id = "as"
    title = tr("Adaptive Scan")
    dims = frozenset({2})
    rotates = True
    contiguous = True
    fails_until_release = True
    source = Source("000", "§2.2.1; 004 §2")
    complexity = Complexity(Bound("O(n·m)", n=1, m=1), Bound("Θ(1)"), tr("004 table 2"))
    lines = LINES

    kernels = StrategyKernels(release, find, hold)

    def empty_state(self) -> HeldBoxes:
        return no_held_boxes(self.mesh, turning=True)

    def inspect(self, moment: Moment) -> Inspection:
        """The scan's position on the mesh, the way it came, and the jumps it made."""
        seen = moment.steps.since(TURN)
        return Inspection((_jumps(seen), self._scan(seen, moment)), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        return super().words(step, moment) | {"job": job_name(step.marks[-1].values[0])}

    def _scan(self, seen: Steps, moment: Moment) -> Grid:
        """Where the scan has been in this orientation, and where it stands."""
        values = np.full(self.mesh.extents[::-1], _AHEAD, dtype=np.int32)
        tried = []
        for step in seen:
            mark = step.marks[0]
            x, y = mark.box.x, mark.box.y
            if step.line in {JUMP, EDGE}:
                end = mark.values[0] if step.line == JUMP else self.mesh.extents[0]
                values[0, y, x:end] = _JUMPED
            if step.line in {JUMP, FOUND}:
                tried.append((x, y))
        for box, _ in boxes_in(moment.state["busy"]):
            region(values, box)[:] = _BUSY
        for x, y in tried:
            values[0, y, x] = _TRIED
        if len(seen) and seen[-1].line in {JUMP, FOUND}:
            values[0, tried[-1][1], tried[-1][0]] = _HERE
        legend = (
            GridValue(_AHEAD, tr("still to be scanned"), Role.NOTHING),
            GridValue(_BUSY, tr("busy"), Role.BLOCKED),
            GridValue(_JUMPED, tr("passed over"), Role.PROHIBITED),
            GridValue(_TRIED, tr("a base tried"), Role.TRIED),
            GridValue(_HERE, tr("the scan's position"), Role.CANDIDATE),
        )
        path = np.array([(x, y, 0) for x, y in tried], dtype=np.float32).reshape(-1, 3)
        return Grid(tr("Scan"), values, legend, path=path if len(path) > 1 else None)


def _jumps(seen: Steps) -> Table:
    """The jumps made in this orientation."""
    rows = []
    for n, step in enumerate(seen):
        if step.line == JUMP:
            frame, busy = step.marks
            cells: tuple[str | JobCell, ...] = (
                f"({frame.box.x},{frame.box.y})",
                JobCell(str(busy.values[0]), busy.values[0]),
                busy.box.describe(flat=True),
                f"({frame.values[0]},{frame.box.y})",
            )
            rows.append(TableRow(cells, busy, current=n == len(seen) - 1))
    columns, empty = (
        (tr("From"), tr("Over job"), tr("Box"), tr("To", "a place")),
        tr("None: nothing was in the way yet."),
    )
    return Table(tr("Jumps"), columns, tuple(rows), empty, jobs=(tr("Over job"),))
