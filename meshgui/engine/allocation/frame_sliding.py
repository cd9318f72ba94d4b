"""Frame Sliding (000 §2.2.1 and figure 2.3, 001 §2, 004 §2): frames that slide by the request's own sides.

The first frame is based at the first free processor, row by row from the lowest leftmost one, from which a
frame lies inside the mesh. Frames then slide right by the request's width, and rows of frames go up by its
length; every row but the first begins at the left edge. Free boxes between the frames are missed: that is
what the strategy is known for. So read, the finish times of 001 table 1 come out within one
percent for three of its four distributions and within three for the other; with a first frame that may leave
the mesh they are up to five percent too late.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
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
    Inspection,
    JobCell,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels
from meshgui.engine.allocation.steps import Role, Step, note
from meshgui.engine.basics.geometry import region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr

__all__ = ["FrameSliding", "note_edge"]

# The lines of the pseudo-code, by their place in `LINES`.
HELD, FIRST, EDGE, MET, FOUND, FAIL = 0, 1, 3, 4, 5, 6

LINES = (
    Line(
        "held",
        "while the processor is busy: go right past the box that holds it; where no frame fits, up a row",
        says="Processor {base} is held by {holder}.",
    ),
    Line(
        "first",
        "base the first frame at this processor",
        decision=True,
        says="Processor {base} is the first free one with room for a frame: the first frame is based there.",
    ),
    Line("row", "while the frame stays under the mesh's upper edge:"),
    Line(
        "edge",
        "if it leaves the mesh on the right: slide it up by its length, to the left edge",
        1,
        decision=True,
        says="A frame based at {base} leaves the mesh: slide up by {k}, to the left edge.",
    ),
    Line(
        "met",
        "else if it meets a busy box: slide it right by its width",
        1,
        says="The frame {box} meets the box of {job}: slide right by {k}.",
    ),
    Line(
        "found",
        "else: allocate this frame",
        1,
        decision=True,
        says="The frame {box} is free: the job gets it.",
    ),
    Line("fail", "no frame is left: fail", decision=True, says="{why}, so the job waits."),
)


@kernel
def note_edge(log: NDArray[np.int32], line: int, x: int, y: int, room: int, b: int) -> None:
    """Log a frame that leaves the mesh on the right, by as much of it as has room."""
    note(log, line, Role.TRIED if room > 0 else Role.NOTHING, x, y, 0, room, b, 1, room, b, 0)


@kernel
def first_free(
    busy: NDArray[np.int32], columns: int, rows: int, log: NDArray[np.int32] | None
) -> tuple[int, int, int]:
    """The first free processor of these columns and rows, and what it cost; a row beyond if there is none."""
    x, y, examined = 0, 0, 0
    while y < rows:
        i, compared = first_met(busy, x, y, 1, 1)
        examined += 1 + compared
        if i < 0:
            break
        if log is not None:
            note(log, HELD, Role.TRIED, x, y, 0, 1, 1, 1, busy[i, JOB], i, 0)
            note_met(log, busy, i)
        x = busy[i, 3] + 1
        if x >= columns:
            x, y = 0, y + 1
    return x, y, examined


@kernel
def search(state: HeldBoxes, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Find a frame; frames tried and boxes compared with them are the operations."""
    a, b, width, length = asked.w, asked.d, state.extents[0], state.extents[1]
    busy = state.busy[: state.length[0]]
    rows = length - b + 1
    x, y, examined = first_free(busy, width - a + 1, rows, log)
    state.tally[OPERATIONS] += examined
    full = y == rows
    if log is not None and not full:
        note(log, FIRST, Role.TRIED, x, y, 0, 1, 1, 1, 0, 0, 0)
    while y + b <= length:
        if x + a > width:
            if log is not None:
                note_edge(log, EDGE, x, y, width - x, b)
            x, y = 0, y + b
            continue
        i, compared = first_met(busy, x, y, a, b)
        state.tally[OPERATIONS] += 1 + compared
        if i < 0:
            if log is not None:
                note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1, 0, 0, 0)
            return give(given, x, y, a, b)
        if log is not None:
            note(log, MET, Role.TRIED, x, y, 0, a, b, 1, i, a, 0)
            note_met(log, busy, i)
        x += a
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 1 if full else 0, 0, 0)
    return WAITS


_FREE, _BUSY, _TRIED, _FOUND = range(4)


class FrameSliding(HeldBoxesStrategy):
    """The first free frame of a coarse row of frames, the request as it is."""

    id = "fs"
    title = tr("Frame Sliding")
    dims = frozenset({2})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1, figure 2.3; 001 §2; 004 §2")
    complexity = Complexity(Bound("O(n·m)", n=1, m=1), Bound("Θ(1)"), tr("004 table 2"))
    lines = LINES

    kernels = StrategyKernels(release, search, hold)

    def empty_state(self) -> HeldBoxes:
        return no_held_boxes(self.mesh, turning=False)

    def inspect(self, moment: Moment) -> Inspection:
        """The frames tried so far and what they met, as a list and on the mesh."""
        values = np.full(self.mesh.extents[::-1], _FREE, dtype=np.int32)
        rows: list[TableRow] = []
        for n, step in enumerate(moment.steps):
            if step.line not in {EDGE, MET, FOUND}:
                continue
            mark = step.marks[0]
            if step.line == EDGE:
                outcome = JobCell(tr("leaves the mesh"))
            elif step.line == MET:
                job = step.marks[1].values[0]
                outcome = JobCell(tr("meets job {job}").format(job=job), job)
                region(values, mark.box)[:] = _TRIED
            else:
                outcome = JobCell(tr("free"))
                region(values, mark.box)[:] = _FOUND
            base = f"({mark.box.x},{mark.box.y})"
            shown = mark if mark.role != Role.NOTHING else None
            rows.append(
                TableRow((str(len(rows) + 1), base, outcome), shown, current=n == len(moment.steps) - 1)
            )
        for box, _ in boxes_in(moment.state["busy"]):
            region(values, box)[:] = _BUSY
        grid = Grid(
            tr("Frames tried"),
            values,
            (
                GridValue(_FREE, tr("free"), Role.NOTHING),
                GridValue(_BUSY, tr("busy"), Role.BLOCKED),
                GridValue(_TRIED, tr("in a frame that is not free"), Role.TRIED),
                GridValue(_FOUND, tr("in the free frame"), Role.PLACED),
            ),
        )
        empty = tr("None: no frame has been tried yet.")
        frames = Table(
            tr("Frames"), ("", tr("Base"), tr("Outcome")), tuple(rows), empty, jobs=(tr("Outcome"),)
        )
        return Inspection((frames, grid), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n = step.marks[0].values[0]
        return super().words(step, moment) | {
            "job": job_name(step.marks[-1].values[0]),
            "holder": job_name(n),
            "why": tr("No free processor has room for a frame") if n == 1 else tr("No frame is left"),
        }
