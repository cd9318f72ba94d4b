"""Adaptive Scan and Multiple Buddy (000 §2.2.2): a free rectangle if there is one, else blocks.

After a rectangle has been taken, and after one has been given back, the block records are made from the free
processors: they are again the largest free blocks, a block being a square with a power of two as its side,
based at a multiple of it. That is what Multiple Buddy itself keeps by breaking and merging, so blocks that it
gave are freed by merging also where rectangles have been taken from the same buddies.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation import adaptive_scan, mbs
from meshgui.engine.allocation.adaptive_scan import AdaptiveScan
from meshgui.engine.allocation.base import Boxes, Options, Source
from meshgui.engine.allocation.block_records import BlockRecords, is_block
from meshgui.engine.allocation.box_list import JOB, boxes_in, row_of
from meshgui.engine.allocation.inspection import Inspection, Moment, Request
from meshgui.engine.allocation.mbs import BlockProgress, MultipleBuddy
from meshgui.engine.allocation.search_strategy import SearchResult
from meshgui.engine.allocation.steps import Step
from meshgui.engine.geometry import Box, Mesh

__all__ = ["AdaptiveScanMultipleBuddy"]

FOUND, FAIL = adaptive_scan.FOUND, adaptive_scan.FAIL
SHIFT = len(adaptive_scan.LINES)

LINES = (
    *adaptive_scan.LINES[:FOUND],
    replace(
        adaptive_scan.LINES[FOUND],
        text="else: allocate this frame, and make the block records from the free processors",
        says="The frame {box} is free: the job gets it in one piece, and the block records are made anew.",
    ),
    replace(
        adaptive_scan.LINES[FAIL],
        label="blocks",
        text="no orientation has a base: give it blocks for its number of processors",
        says="No row has a base, so the job is to get blocks for its number of processors.",
    ),
    *mbs.LINES,
)


class AdaptiveScanMultipleBuddy(MultipleBuddy):
    """The lowest, then leftmost free rectangle in either orientation; if there is none, blocks."""

    id = "asmb"
    title = "Adaptive Scan and Multiple Buddy"
    rotates = True
    source = Source("000", "§2.2.2")
    complexity = None  # 000 calls it high and states no more
    lines = LINES
    shift = SHIFT

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._scan = AdaptiveScan(mesh)

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        turns = self.turns(request.size)
        shapes = np.array(turns, dtype=np.int32).reshape(-1, 3)
        width, length, _ = self.mesh.extents
        turn, x, y, scanned = adaptive_scan.search(self.busy, width, length, shapes, log)
        if turn >= 0:
            return SearchResult((Box(x, y, 0, *turns[turn]),), scanned + self.records.room)
        blocks, examined = super().search(request, log)
        return SearchResult(blocks, scanned + examined)

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        if all(map(is_block, boxes)):
            super().replay(request, boxes)
        else:
            self.busy = np.vstack((self.busy, *(row_of(box, request.job) for box in boxes)))
            self.records.make(self.busy)

    def release(self, job: int) -> None:
        """See Strategy."""
        mine = self.busy[:, JOB] == job
        if all(is_block(box) for box, _ in boxes_in(self.busy[mine])):
            super().release(job)
        else:
            self.busy = self.busy[~mine]
            self.records.make(self.busy)
            self.operations += self.records.room

    def inspect(self, moment: Moment) -> Inspection:
        """The scan and its jumps, the free block records, and the blocks as a tree."""
        later = np.flatnonzero(moment.steps.lines() >= SHIFT)
        scanning = replace(moment, steps=moment.steps[: int(later[0])]) if len(later) else moment
        blocks = self._blocks(moment)
        panels = (*self._scan.inspect(scanning).panels, blocks.table(), blocks.tree())
        return Inspection(panels, blocks.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        return self._scan.words(step, moment) if step.line < SHIFT else super().words(step, moment)

    def _blocks(self, moment: Moment) -> BlockProgress:
        """The blocks at a moment; where the scan has found a rectangle, as they are after it was taken."""
        if moment.request is None or moment.step is None or moment.step.line != FOUND:
            return BlockProgress(self.mesh, moment, SHIFT)
        [mark] = moment.marks
        records = BlockRecords(self.mesh)
        records.make(np.vstack((moment.state["busy"], row_of(mark.box, moment.request.job))))
        after = BlockProgress(self.mesh, replace(moment, state=moment.state | records.capture()), SHIFT)
        after.taken.append(mark.box)
        return after
