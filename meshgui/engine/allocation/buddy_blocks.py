"""What strategies that take one block at a time share: where it is cut from, and how blocks are shown."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.block_records import block_name, blocks_in, quarters
from meshgui.engine.allocation.block_tree import Leaf, block_tree
from meshgui.engine.allocation.held_boxes import boxes_in
from meshgui.engine.allocation.inspection import Moment, NodeKind, Table, TableRow, Tree
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, note
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

__all__ = ["BlockView", "kept_in", "note_splits", "smallest_from"]


@kernel
def smallest_from(counts: NDArray[np.int32], level: int, sizes: int) -> tuple[int, int]:
    """The smallest size from this one up that has a free block, or -1; how many records were looked at."""
    for larger in range(level, sizes):
        if counts[larger] > 0:
            return larger, larger - level + 1
    return -1, max(sizes - level, 0)


@kernel
def note_splits(log: NDArray[np.int32], line: int, larger: int, level: int, x: int, y: int) -> None:
    """Log how the free block around a base is split until a block of the size wanted is one of its own."""
    for j in range(larger, level, -1):
        side, half = 1 << j, 1 << (j - 1)
        note(log, line, Role.TRIED, x >> j << j, y >> j << j, 0, side, side, 1, half, 0, 0)
        left, low = x // half * half, y // half * half
        note(log, SAME_STEP, Role.CANDIDATE, left, low, 0, half, half, 1, half, 0, 0)


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
        return Table(tr("Free blocks"), (tr("Size"), tr("Block")), rows, tr("None: every processor is held."))

    def tree(self, title: str, current: Box | None) -> Tree:
        """The tree of blocks: what is split has its four quarters below it."""
        return block_tree(title, self._mesh, self._leaves.get, () if current is None else (current,))
