"""The base of strategies that give blocks: holding and merging them, taking one at a time, showing them.

The free blocks are kept in block records, in each size the lowest row first and the leftmost first; so they
follow from what is held, whatever the order in which jobs came and went.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from meshgui.engine.allocation.base import Boxes, Options, Strategy
from meshgui.engine.allocation.block_records import BlockRecords, block_name, blocks_in, quarters, square
from meshgui.engine.allocation.block_tree import Leaf, block_tree
from meshgui.engine.allocation.box_list import JOB, boxes_in, row_of
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request, State, Table, TableRow, Tree
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, StepLog
from meshgui.engine.geometry import Box, Mesh

__all__ = ["BlockStrategy", "BlockView", "BuddyStrategy", "kept_in"]


class BlockStrategy(Strategy):
    """Holds the records of free blocks, and the busy ones in the order in which they were given."""

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.busy = np.zeros((0, JOB + 1), dtype=np.int32)
        self.records = BlockRecords(mesh)
        self.records.make(self.busy)

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        for box in boxes:
            self.records.take(box)
        self.busy = np.vstack((self.busy, *(row_of(box, request.job) for box in boxes)))

    def release(self, job: int) -> None:
        """See Strategy."""
        mine = self.busy[:, JOB] == job
        for box, _ in boxes_in(self.busy[mine]):
            self.operations += self.records.give_back(box)
        self.busy = self.busy[~mine]

    def capture(self) -> State:
        """See Strategy."""
        return {"busy": self.busy.copy()} | self.records.capture()

    def restore(self, state: State) -> None:
        """See Strategy."""
        self.busy = state["busy"].copy()
        self.records.restore(state)


class BuddyStrategy(BlockStrategy):
    """Takes one block at a time, splitting on the way; a strategy adds which block that is."""

    split: ClassVar[int]  # the line on which a block is split

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        w, d, _ = mesh.extents
        self.sides = tuple(1 << level for level in range(min(w, d).bit_length()))

    def free_blocks(self, side: int) -> list[Box]:
        """The free blocks of a size in their order."""
        level, width = side.bit_length() - 1, self.records.width
        start = self.records.starts[level]
        nodes = self.records.places[start : start + self.records.counts[level]].tolist()
        return [square(node % width, node // width, side) for node in nodes]

    def smallest_from(self, side: int) -> tuple[int | None, int]:
        """The smallest size from this one up that has a free block, and how many records were looked at."""
        sizes = [larger for larger in self.sides if larger >= side]
        for looked_at, larger in enumerate(sizes, start=1):
            if self.records.counts[larger.bit_length() - 1]:
                return larger, looked_at
        return None, len(sizes)

    def take(self, source: Box, block: Box, request: Request, log: StepLog | None) -> int:
        """Split a free block until the block wanted is one of its own, and hold that: how many splits."""
        splits = 0
        while source.w > block.w:
            half = source.w // 2
            kept = square(block.x // half * half, block.y // half * half, half)
            if log is not None:
                log.note(self.split, Role.TRIED, source, (half, 0, 0))
                log.note(SAME_STEP, Role.CANDIDATE, kept, (half, 0, 0))
            source = kept
            splits += 1
        self.replay(request, (block,))
        return splits


def kept_in(step: Step) -> Box:
    """The quarter that a step of splitting keeps."""
    return step.marks[1].box


class BlockView:
    """The blocks at a moment: those of the state, split as the steps say, and the blocks chosen."""

    def __init__(self, mesh: Mesh, moment: Moment, split: int, chosen: Iterable[Box]) -> None:
        self._mesh = mesh
        width = mesh.extents[0]
        self._leaves = dict.fromkeys(blocks_in(moment.state, width), Leaf(NodeKind.FREE))
        for block, job in boxes_in(moment.state["busy"]):
            self._leaves[block] = Leaf(NodeKind.BUSY, job)
        for number in np.flatnonzero(moment.steps.lines() == split).tolist():
            block = moment.steps[number].marks[0].box
            del self._leaves[block]
            self._leaves.update(dict.fromkeys(quarters(block), Leaf(NodeKind.FREE)))
        for block in chosen:
            if block in self._leaves:  # or it has still to be split off
                self._leaves[block] = Leaf(NodeKind.PLACED)

    def table(self, current: Box | None) -> Table:
        """The free blocks, the smallest first, each size in its order."""
        free = [block for block, leaf in self._leaves.items() if leaf.kind == NodeKind.FREE]
        free.sort(key=lambda block: (block.w, block.y, block.x))
        rows = tuple(
            TableRow(
                (f"{block.w}×{block.w}", block_name(block)),
                Mark(Role.TRIED, block, (0, 0, 0)),
                current=block == current,
            )
            for block in free
        )
        return Table("Free blocks", ("Size", "Block"), rows, "None: every processor is held.")

    def tree(self, title: str, current: Box | None) -> Tree:
        """The tree of blocks: what is split has its four quarters below it."""
        return block_tree(title, self._mesh, self._leaves.get, () if current is None else (current,))
