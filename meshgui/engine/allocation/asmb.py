"""Adaptive Scan and Multiple Buddy (000 §2.2.2): a free rectangle if there is one, else blocks.

After a rectangle has been taken, and after one has been given back, the block records are made from the free
processors: they are again the largest free blocks, a block being a square with a power of two as its side,
based at a multiple of it. That is what Multiple Buddy itself keeps by breaking and merging, so blocks that it
gave are freed by merging also where rectangles have been taken from the same buddies.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from meshgui.engine.allocation import adaptive_scan, mbs
from meshgui.engine.allocation.adaptive_scan import AdaptiveScan
from meshgui.engine.allocation.base import Options, Source
from meshgui.engine.allocation.block_lists import BlockState, level_of, make, records_in
from meshgui.engine.allocation.block_records import ALL_BACK, BlockStrategy, note_block, release, take
from meshgui.engine.allocation.held_boxes import JOB, hold, listed, remove
from meshgui.engine.allocation.inspection import Inspection, Moment, State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.mbs import BlockProgress, MultipleBuddy
from meshgui.engine.allocation.nested_search import rows_in, stand_at
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note, note_numbers
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import Kernel, kernel
from meshgui.engine.basics.translation import tr

FOUND = adaptive_scan.FOUND
_SCAN = adaptive_scan.CODE.lines

CODE = PseudoCode(*_SCAN[:FOUND])
CODE.add(
    _SCAN[FOUND].altered(
        "else: allocate this frame, and make the block records from the free processors",
        "The frame {box} is free: the job gets it in one piece, and the block records are made again.",
    ),
    _SCAN[adaptive_scan.FAIL].altered(
        "no orientation has a base: give it blocks for its number of processors",
        "No row has a base, so the job is to get blocks for its number of processors.",
        label="blocks",
    ),
)
SHIFT = CODE.add(*mbs.CODE.lines)

RELEASE = PseudoCode()
RECTANGLE = RELEASE.decision(
    "rectangle", "if the job holds a rectangle that is not a block: take it off the busy boxes"
)
RELEASE.says("{box} is a rectangle, not a block: it has no buddies to merge with.")
ANEW = RELEASE.decision(
    "anew", "rebuild the block records from the free processors: the largest free blocks of each size", 1
)
RELEASE.says("The block records are rebuilt from the free processors: {records}.")
_GIVE_BACK, *_MERGE = BlockStrategy.release_lines
RELEASE_SHIFT = RELEASE.add(
    _GIVE_BACK.altered("else, for each block that the job holds: enter it among the free blocks of its size"),
    *_MERGE,
)


find: Kernel[..., int] = adaptive_scan.find  # whose state has no fields that this one has not
blocks_for = mbs.allocate


@kernel
def _is_block(x: int, y: int, w: int, d: int) -> bool:
    """Whether a box is a block: a square with a power of two as its side, based at a multiple of it."""
    return w == d and 1 << level_of(w) == w and x % w == 0 and y % w == 0


@kernel
def allocate(state: BlockState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Take a rectangle or blocks; rebuilding the records counts every block of the mesh."""
    if find(state, request, boxes_out, log) == WAITS:
        before = rows_in(log)
        count = blocks_for(state, request, boxes_out, log)
        stand_at(log, before, SHIFT)
        return count
    take_any(state, request.job, boxes_out, 1)
    state.tally[OPERATIONS] += state.places.size
    return 1


@kernel
def take_any(state: BlockState, job: int, boxes: Ints32, count: int) -> None:
    """Take blocks, or one rectangle."""
    if _is_block(int(boxes[0, 0]), int(boxes[0, 1]), int(boxes[0, 3]), int(boxes[0, 4])):
        take(state, job, boxes, count)
    else:
        hold(state, job, boxes, count)
        make(state)


@kernel
def release_any(state: BlockState, job: int, log: Log) -> None:
    """Free blocks, or one rectangle."""
    busy = listed(state.busy)
    for n in range(busy.shape[0]):
        if busy[n, JOB] == job:
            x, y = int(busy[n, 0]), int(busy[n, 1])
            w, d = int(busy[n, 3]) - x + 1, int(busy[n, 4]) - y + 1
            if _is_block(x, y, w, d):
                before = rows_in(log)
                release(state, job, log)
                stand_at(log, before, RELEASE_SHIFT)
                return
            remove(state, job, None)
            make(state)
            state.tally[OPERATIONS] += state.places.size
            note(log, RECTANGLE, Role.TRIED, x, y, 0, w, d, 1)
            if log is not None:
                _note_records(state, log)
            note_numbers(log, ALL_BACK + RELEASE_SHIFT, 0, 0, w * d)
            return


@kernel
def _note_records(state: BlockState, log: Log) -> None:
    """Log all free blocks in one step, the largest first."""
    line = ANEW
    for level in range(state.counts.shape[0] - 1, -1, -1):
        for place in range(state.starts[level], state.starts[level] + state.counts[level]):
            note_block(log, state, line, Role.CANDIDATE, int(state.places[place]), level)
            line = SAME_STEP


class AdaptiveScanMultipleBuddy(MultipleBuddy):
    """The lowest, then leftmost free rectangle in either orientation; if there is none, blocks."""

    id = "asmb"
    title = tr("Adaptive Scan and Multiple Buddy")
    dims = frozenset({2})
    rotates = True
    needs_box = True
    source = Source("000", "§2.2.2")
    complexity = None  # 000 calls it high and states no more
    lines = CODE.lines
    release_lines = RELEASE.lines
    release_shift = RELEASE_SHIFT

    kernels = StrategyKernels(release_any, allocate=allocate, take=take_any)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._scan = AdaptiveScan(mesh)

    def inspect(self, moment: Moment) -> Inspection:
        """The scan and its jumps, the free block records, and the blocks as a tree."""
        later = np.flatnonzero(moment.steps.lines() >= SHIFT)
        scanning = replace(moment, steps=moment.steps[: int(later[0])]) if len(later) else moment
        blocks = self._blocks(moment)
        panels = (*self._scan.inspect(scanning).panels, *blocks.panels())
        return Inspection(panels, blocks.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        return self._scan.words(step, moment) if step.line < SHIFT else super().words(step, moment)

    def released(self, moment: Moment) -> State:
        anew = next((step for step in moment.steps if step.line == ANEW), None)
        if anew is None:
            return super().released(moment)
        busy = moment.state["busy"]
        return {"busy": busy[busy[:, JOB] != moment.leaving]} | self.records_of(m.box for m in anew.marks)

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        alike = Counter(mark.box.w for mark in step.marks)
        records = ", ".join(
            tr("{count} of {side}×{side}").format(count=count, side=side) for side, count in alike.items()
        )
        return super().release_words(step, moment) | {"records": records}

    def _blocks(self, moment: Moment) -> BlockProgress:
        """The blocks at a moment; where the scan has found a rectangle, as they are after it was taken."""
        if moment.request is None or moment.step is None or moment.step.line != FOUND:
            return BlockProgress(self.mesh, moment, SHIFT)
        [mark] = moment.marks
        after = type(self)(self.mesh)
        after.restore(moment.state)
        after.replay(moment.request, (mark.box,))
        state = moment.state | records_in(after.state)
        so_far = BlockProgress(self.mesh, replace(moment, state=state), SHIFT)
        so_far.taken.append(mark.box)
        return so_far
