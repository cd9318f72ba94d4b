"""Frame Sliding (000 §2.2.1 and figure 2.3, 001 §2, 004 §2): frames that slide by the request's own sides.

The first frame is based at the first free processor, row by row from the lowest leftmost one, from which a
frame lies inside the mesh. Frames then slide right by the request's width, and rows of frames go up by its
length; every row but the first begins at the left edge. Free boxes between the frames are missed: that is
what the strategy is known for. So read, the finish times of 001 table 1 come out within one
percent for three of its four distributions and within three for the other; with a first frame that may leave
the mesh they are up to five percent too late.
"""

from __future__ import annotations

from meshgui.engine.allocation.base import Bound, Complexity, Source
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
from meshgui.engine.allocation.inspection import GridValue, Inspection, JobCell, Moment
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Role, Step, note, note_numbers
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr

CODE = PseudoCode()
HELD = CODE.line(
    "held", "while the processor is busy: go right past the box that holds it; where no frame fits, up a row"
)
CODE.says("Processor {base} is held by {holder}.")
FIRST = CODE.decision("first", "base the first frame at this processor")
CODE.says("Processor {base} is the first free one with room for a frame: the first frame is based there.")
CODE.line("row", "while the frame stays under the mesh's upper edge:")
EDGE = CODE.decision(
    "edge", "if it leaves the mesh on the right: slide it up by its length, to the left edge", 1
)
CODE.says("A frame based at {base} leaves the mesh: slide up by {k}, to the left edge.")
MET = CODE.line("met", "else if it meets a busy box: slide it right by its width", 1)
CODE.says("The frame {box} meets the box of {job}: slide right by {k}.")
FOUND = CODE.decision("found", "else: allocate this frame", 1)
CODE.says("The frame {box} is free: the job gets it.")
FAIL = CODE.decision("fail", "no frame is left: fail")
CODE.says("{why}, so the job waits.")


@kernel
def note_edge(log: Log, line: int, x: int, y: int, room: int, b: int) -> None:
    """Log a frame that leaves the mesh on the right, by as much of it as has room."""
    note(log, line, Role.TRIED if room > 0 else Role.NOTHING, x, y, 0, room, b, 1, room, b)


@kernel
def first_free(busy: Ints32, columns: int, rows: int, log: Log) -> tuple[int, int, int]:
    """The first free processor of these columns and rows, and what it cost; a row beyond if there is none."""
    x, y, examined = 0, 0, 0
    while y < rows:
        i, compared = first_met(busy, x, y, 1, 1)
        examined += 1 + compared
        if i < 0:
            break
        note(log, HELD, Role.TRIED, x, y, 0, 1, 1, 1, busy[i, JOB], i)
        note_met(log, busy, i)
        x = busy[i, 3] + 1
        if x >= columns:
            x, y = 0, y + 1
    return x, y, examined


@kernel
def search(state: HeldBoxes, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find a frame; frames tried and boxes compared with them are the operations."""
    a, b = request.w, request.d
    width, length = state.turning.extents[0], state.turning.extents[1]
    busy = listed(state.busy)
    rows = length - b + 1
    x, y, examined = first_free(busy, width - a + 1, rows, log)
    state.tally[OPERATIONS] += examined
    full = y == rows
    if not full:
        note(log, FIRST, Role.TRIED, x, y, 0, 1, 1, 1)
    while y + b <= length:
        if x + a > width:
            note_edge(log, EDGE, x, y, width - x, b)
            x, y = 0, y + b
            continue
        i, compared = first_met(busy, x, y, a, b)
        state.tally[OPERATIONS] += 1 + compared
        if i < 0:
            note(log, FOUND, Role.PLACED, x, y, 0, a, b, 1)
            return give(boxes_out, x, y, a, b)
        note(log, MET, Role.TRIED, x, y, 0, a, b, 1, i, a)
        note_met(log, busy, i)
        x += a
    note_numbers(log, FAIL, 1 if full else 0)
    return WAITS


_FRAMES = (
    _FREE := GridValue(0, tr("free"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _TRIED := GridValue(2, tr("in a frame that is not free"), Role.TRIED),
    _FOUND := GridValue(3, tr("in the free frame"), Role.PLACED),
)


class FrameSliding(FrameStrategy):
    """The first free frame of a coarse row of frames, the request as it is."""

    id = "fs"
    title = tr("Frame Sliding")
    rotates = False
    fails_until_release = False
    source = Source("000", "§2.2.1, figure 2.3; 001 §2; 004 §2")
    complexity = Complexity(Bound("O(n·m)", n=1, m=1), Bound("Θ(1)"), tr("004 table 2"))
    lines = CODE.lines

    kernels = StrategyKernels(release, search, hold)

    def inspect(self, moment: Moment) -> Inspection:
        """The frames tried so far and what they met, as a list and on the mesh."""
        on_mesh = GridBuilder(self.mesh.extents[::-1], *_FRAMES)
        columns, empty = ("", tr("Base"), tr("Outcome")), tr("None: no frame has been tried yet.")
        frames = TableBuilder(tr("Frames"), columns, empty, jobs=columns[2:])
        for n, step in enumerate(moment.steps):
            if step.line not in {EDGE, MET, FOUND}:
                continue
            mark = step.marks[0]
            outcome = JobCell(tr("leaves the mesh") if step.line == EDGE else tr("free"))
            if step.line == MET:
                job = step.marks[1].values[0]
                outcome = JobCell(tr("meets job {job}").format(job=job), job)
                if job < 0:
                    outcome = JobCell(tr("meets what is down"))
            if step.line != EDGE:
                on_mesh.fill([mark.box], _TRIED if step.line == MET else _FOUND)
            shown, current = (mark if mark.role != Role.NOTHING else None), n == len(moment.steps) - 1
            frames.row(str(len(frames.rows) + 1), mark.box.corner(), outcome, mark=shown, current=current)
        on_mesh.fill((box for box, _ in boxes_in(moment.state["busy"])), _BUSY)
        panels = (frames.table(), on_mesh.grid(tr("Frames tried")))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n = step.marks[0].values[0]
        return super().words(step, moment) | {
            "holder": job_name(n),
            "why": tr("No free processor has room for a frame") if n == 1 else tr("No frame is left"),
        }
