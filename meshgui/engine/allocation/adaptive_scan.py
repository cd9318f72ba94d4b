"""Adaptive Scan (000 §2.2.1, 004 §2): rows scanned one by one, jumping over the busy boxes in the way.

Where a frame meets a busy box, no frame based further left than the column right of that box can be free in
this row either, so the scan jumps there: nothing is missed. If no row has room, the request is turned and
the scan starts again.
"""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.frame_sliding import note_edge
from meshgui.engine.allocation.held_boxes import (
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
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, job_cell
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Role, Steps, note
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

CODE = PseudoCode()
TURN = CODE.decision("turn", "for each orientation of the request:")
CODE.says("Try it {way}.")
ROW = CODE.line("row", "for each row, the lowest first: begin at the left edge", 1)
CODE.says("Scan row {n} from the left edge.")
EDGE = CODE.decision("edge", "if the frame leaves the mesh on the right: go to the next row", 2)
CODE.says("A frame based at {base} leaves the mesh: this row has no base.")
JUMP = CODE.line("jump", "else if it meets a busy box: jump to the column right of that box", 2)
CODE.says("The frame {box} meets the box of {job}: jump over it to column {n}.")
FOUND = CODE.decision("found", "else: allocate this frame", 2)
CODE.says("The frame {box} is free: the job gets it.")
FAIL = CODE.decision("fail", "no orientation has a base: fail")
CODE.says("No row has a base, so the job waits.")


@kernel
def search(busy: Ints32, width: int, length: int, turns: Ints32, log: Log) -> tuple[int, int, int, int]:
    """The first free frame: (turn or -1, x, y, frames tried and boxes compared with them)."""
    examined = 0
    for t in range(turns.shape[0]):
        a, b = turns[t, 0], turns[t, 1]
        note(log, TURN, Role.TRIED, 0, 0, 0, a, b, 1, t)
        for y in range(length - b + 1):
            note(log, ROW, Role.TRIED, 0, y, 0, a, b, 1, y)
            x = 0
            while x + a <= width:
                i, compared = first_met(busy, x, y, a, b)
                examined += 1 + compared
                if i < 0:
                    note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1, t)
                    return t, x, y, examined
                note(log, JUMP, Role.TRIED, x, y, 0, a, b, 1, busy[i, 3] + 1, i)
                note_met(log, busy, i)
                x = busy[i, 3] + 1
            note_edge(log, EDGE, x, y, width - x, b)
    note(log, FAIL)
    return -1, 0, 0, examined


@kernel
def find(state: HeldBoxes, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request."""
    turns = state.turning.room[: oriented(state.turning, request.w, request.d, request.h)]
    extents = state.turning.extents
    turn, x, y, examined = search(listed(state.busy), extents[0], extents[1], turns, log)
    state.tally[OPERATIONS] += examined
    return give(boxes_out, x, y, turns[turn, 0], turns[turn, 1]) if turn >= 0 else WAITS


_SCAN = (
    _AHEAD := GridValue(0, tr("still to be scanned"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _JUMPED := GridValue(2, tr("passed over"), Role.PROHIBITED),
    _TRIED := GridValue(3, tr("a base tried"), Role.TRIED),
    _HERE := GridValue(4, tr("the scan's position"), Role.CANDIDATE),
)


class AdaptiveScan(FrameStrategy):
    """The lowest, then leftmost free frame, in the first orientation of the request that has one."""

    id = "as"
    title = tr("Adaptive Scan")
    source = Source("000", "§2.2.1; 004 §2")
    complexity = Complexity(Bound("O(n·m)", n=1, m=1), Bound("Θ(1)"), tr("004 table 2"))
    lines = CODE.lines

    kernels = StrategyKernels(release, find, hold)

    def inspect(self, moment: Moment) -> Inspection:
        """The scan's position on the mesh, the way it came, and the jumps it made."""
        seen = moment.steps.since(TURN)
        return Inspection((_jumps(seen), self._scan(seen, moment)), moment.marks, self.say(moment))

    def _scan(self, seen: Steps, moment: Moment) -> Grid:
        """Where the scan has been in this orientation, and where it stands."""
        scan = GridBuilder(self.mesh.extents[::-1], *_SCAN)
        tried = []
        for step in seen:
            mark = step.marks[0]
            x, y = mark.box.x, mark.box.y
            if step.line in {JUMP, EDGE}:
                end = mark.values[0] if step.line == JUMP else self.mesh.extents[0]
                scan.values[0, y, x:end] = _JUMPED.value
            if step.line in {JUMP, FOUND}:
                tried.append((x, y))
        scan.fill((box for box, _ in boxes_in(moment.state["busy"])), _BUSY)
        for n, (x, y) in enumerate(tried, 1):
            here = n == len(tried) and seen[-1].line in {JUMP, FOUND}
            scan.values[0, y, x] = (_HERE if here else _TRIED).value
        path = np.array([(x, y, 0) for x, y in tried], dtype=np.float32).reshape(-1, 3)
        return scan.grid(tr("Scan"), path=path if len(path) > 1 else None)


def _jumps(seen: Steps) -> Table:
    """The jumps made in this orientation."""
    columns = (tr("From"), tr("Over job"), tr("Box"), tr("To", "a place"))
    table = TableBuilder(tr("Jumps"), columns, tr("None: nothing was in the way yet."), jobs=columns[1:2])
    for n, step in enumerate(seen):
        if step.line == JUMP:
            frame, busy = step.marks
            place, job = f"({frame.values[0]},{frame.box.y})", job_cell(busy.values[0])
            cells = frame.box.corner(), job, busy.box.describe(flat=True), place
            table.row(*cells, mark=busy, current=n == len(seen) - 1)
    return table.table()
