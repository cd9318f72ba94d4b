"""What strategies that give blocks share: where a block is cut from, and how blocks are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from meshgui.engine.allocation.block_records import block_name, blocks_in, initial_blocks, parts_of
from meshgui.engine.allocation.held_boxes import boxes_in
from meshgui.engine.allocation.inspection import Moment, NodeKind, Table, Tree, TreeNode
from meshgui.engine.allocation.panels import TableBuilder, plain_mark
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Mesh, node_number, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr


@kernel
def smallest_from(counts: Ints32, level: int, sizes: int) -> tuple[int, int]:
    """The smallest size from this one up that has a free block, or -1; how many records were looked at."""
    for larger in range(level, sizes):
        if counts[larger] > 0:
            return larger, larger - level + 1
    return -1, max(sizes - level, 0)


@kernel
def note_splits(log: Log, line: int, larger: int, level: int, x: int, y: int) -> None:
    """Log how the free block around a base is split until a block of the size wanted is one of its own."""
    if log is None:
        return
    for j in range(larger, level, -1):
        side, half = 1 << j, 1 << (j - 1)
        note(log, line, Role.TRIED, x >> j << j, y >> j << j, 0, side, side, 1, half)
        left, low = x // half * half, y // half * half
        note(log, SAME_STEP, Role.CANDIDATE, left, low, 0, half, half, 1, half)


def kept_in(step: Step) -> Box:
    """The quarter that a step of splitting keeps."""
    return step.marks[1].box


class Blocks:
    """The blocks at a moment: those free in its state, split as its steps say, those held, those taken."""

    def __init__(self, mesh: Mesh, moment: Moment, split: int, taken: Iterable[Box] = ()) -> None:
        self.mesh = mesh
        self.free = set(blocks_in(moment.state, mesh))
        for number in np.flatnonzero(moment.steps.lines() == split).tolist():
            block = moment.steps[number].marks[0].box
            self.free.remove(block)
            self.free.update(parts_of(block))
        self.held = boxes_in(moment.state["busy"])
        self.taken = list(taken)
        self.free.difference_update(self.taken)  # but for one that has still to be split off

    def table(self, current: Box | None) -> Table:
        """The free blocks, the smallest first, each size in its order."""
        columns, empty = (tr("Size"), tr("Block")), tr("None: every processor is held.")
        table = TableBuilder(tr("Free blocks"), columns, empty)
        for block in sorted(self.free, key=lambda block: (block.w, block.y, block.x)):
            mark = plain_mark(Role.TRIED, block)
            table.row(f"{block.w}×{block.w}", block_name(block), mark=mark, current=block == current)
        return table.table()

    def tree(self, title: str, current: Collection[Box | None], job: int | None = None) -> Tree:
        """The initial blocks and below them what they are broken into; what was taken may be a job's."""
        flat = self.mesh.dims == 2
        boxes = [(box, NodeKind.BUSY, None if owner < 0 else owner) for box, owner in self.held]
        boxes += [(box, NodeKind.PLACED, job) for box in self.taken]
        numbers = np.full(self.mesh.extents[::-1], -1, dtype=np.int32)
        for number, (box, _, _) in enumerate(boxes):
            region(numbers, box)[:] = number
        nodes: list[TreeNode] = []

        def grow(block: Box, parent: int | None) -> None:
            key = block.w.bit_length() * self.mesh.processors + node_number(self.mesh, block.base)
            kind, owner, number = NodeKind.INTERNAL, None, int(numbers[block.z, block.y, block.x])
            if block in self.free:
                kind = NodeKind.FREE
            elif number >= 0 and _has_all_of(boxes[number][0], block):
                _, kind, owner = boxes[number]
            name, mark = block_name(block, flat=flat), plain_mark(Role.TRIED, block)
            nodes.append(TreeNode(key, parent, kind, name, job=owner, mark=mark, current=block in current))
            if kind == NodeKind.INTERNAL:
                for part in parts_of(block):
                    grow(part, key)

        for root in initial_blocks(self.mesh):
            grow(root, None)
        return Tree(title, tuple(nodes), "")


def _has_all_of(box: Box, block: Box) -> bool:
    """Whether a box that has the first processor of a block has the whole block."""
    return all(b <= e for b, e in zip(block.end, box.end, strict=True))
