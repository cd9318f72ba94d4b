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
from meshgui.engine.allocation.base import Options, Source
from meshgui.engine.allocation.block_records import (
    BlockState,
    empty_records,
    level_of,
    make,
    records_in,
    release,
    take,
)
from meshgui.engine.allocation.held_boxes import JOB, hold, remove
from meshgui.engine.allocation.inspection import Inspection, Moment
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels
from meshgui.engine.allocation.mbs import BlockProgress, MultipleBuddy
from meshgui.engine.allocation.steps import Step
from meshgui.engine.geometry import Mesh
from meshgui.engine.kernel import Kernel, kernel

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


find: Kernel[..., int] = adaptive_scan.find  # whose state has no fields that this one has not
blocks_for = mbs.allocate


@kernel
def _is_block(x: int, y: int, w: int, d: int) -> bool:
    """Whether a box is a block: a square with a power of two as its side, based at a multiple of it."""
    return w == d and 1 << level_of(w) == w and x % w == 0 and y % w == 0


@kernel
def allocate(state: BlockState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """See KernelStrategy. Making the records anew counts every block that the mesh has."""
    if find(state, asked, given, log) == WAITS:
        return blocks_for(state, asked, given, log)
    take_any(state, asked.job, given, 1)
    state.tally[OPERATIONS] += state.places.size
    return 1


@kernel
def take_any(state: BlockState, job: int, given: NDArray[np.int32], count: int) -> None:
    """See KernelStrategy, `take`: blocks, or one rectangle."""
    if _is_block(int(given[0, 0]), int(given[0, 1]), int(given[0, 3]), int(given[0, 4])):
        take(state, job, given, count)
    else:
        hold(state, job, given, count)
        make(state)


@kernel
def release_any(state: BlockState, job: int) -> None:
    """See KernelStrategy, `release`: blocks, or one rectangle."""
    for n in range(state.length[0]):
        if state.busy[n, JOB] == job:
            x, y = int(state.busy[n, 0]), int(state.busy[n, 1])
            if not _is_block(x, y, int(state.busy[n, 3]) - x + 1, int(state.busy[n, 4]) - y + 1):
                remove(state, job)
                make(state)
                state.tally[OPERATIONS] += state.places.size
            else:
                release(state, job)
            return


class AdaptiveScanMultipleBuddy(MultipleBuddy):
    """The lowest, then leftmost free rectangle in either orientation; if there is none, blocks."""

    id = "asmb"
    title = "Adaptive Scan and Multiple Buddy"
    rotates = True
    source = Source("000", "§2.2.2")
    complexity = None  # 000 calls it high and states no more
    lines = LINES

    kernels = StrategyKernels(release_any, allocate=allocate, take=take_any)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._scan = AdaptiveScan(mesh)

    def empty_state(self) -> BlockState:
        """See KernelStrategy."""
        return empty_records(self.mesh, SHIFT)

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
        after = type(self)(self.mesh)
        after.restore(moment.state)
        after.replay(moment.request, (mark.box,))
        state = moment.state | records_in(after.state)
        so_far = BlockProgress(self.mesh, replace(moment, state=state), SHIFT)
        so_far.taken.append(mark.box)
        return so_far
