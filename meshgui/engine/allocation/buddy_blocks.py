"""What strategies that take one block at a time share: where it is cut from, and how blocks are shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.block_records import block_name, blocks_in, initial_blocks, parts_of
from meshgui.engine.allocation.held_boxes import boxes_in
from meshgui.engine.allocation.inspection import Moment, NodeKind, Table, Tree, TreeNode
from meshgui.engine.allocation.panels import TableBuilder, plain_mark
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Mesh, node_number
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr


class Leaf(NamedTuple):
    """A block that is not broken."""

    kind: NodeKind
    job: int | None = None


def block_tree(
    title: str, mesh: Mesh, leaf_of: Callable[[Box], Leaf | None], current: Collection[Box]
) -> Tree:
    """The tree of blocks; a block of which there is no leaf is broken, and has its parts below it."""
    flat = mesh.dims == 2
    nodes: list[TreeNode] = []

    def grow(block: Box, parent: int | None) -> None:
        key = block.w.bit_length() * mesh.processors + node_number(mesh, block.base)
        leaf = leaf_of(block)
        kind, job = leaf if leaf is not None else (NodeKind.INTERNAL, None)
        if job is not None and job < 0:
            job = None  # it is down
        mark = plain_mark(Role.TRIED, block)
        nodes.append(
            TreeNode(
                key, parent, kind, block_name(block, flat=flat), job=job, mark=mark, current=block in current
            )
        )
        if leaf is None:
            for part in parts_of(block):
                grow(part, key)

    for root in initial_blocks(mesh):
        grow(root, None)
    return Tree(title, tuple(nodes), "")


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


class BlockView:
    """The blocks at a moment: those of the state, split as the steps say, and the blocks chosen."""

    def __init__(self, mesh: Mesh, moment: Moment, split: int, chosen: Iterable[Box]) -> None:
        self._mesh = mesh
        self._leaves = dict.fromkeys(blocks_in(moment.state, mesh), Leaf(NodeKind.FREE))
        for block, job in boxes_in(moment.state["busy"]):
            self._leaves[block] = Leaf(NodeKind.BUSY, job)
        for number in np.flatnonzero(moment.steps.lines() == split).tolist():
            block = moment.steps[number].marks[0].box
            del self._leaves[block]
            self._leaves.update(dict.fromkeys(parts_of(block), Leaf(NodeKind.FREE)))
        for block in chosen:
            if block in self._leaves:  # or it has still to be split off
                self._leaves[block] = Leaf(NodeKind.PLACED)

    def table(self, current: Box | None) -> Table:
        """The free blocks, the smallest first, each size in its order."""
        free = [block for block, leaf in self._leaves.items() if leaf.kind == NodeKind.FREE]
        free.sort(key=lambda block: (block.w, block.y, block.x))
        columns, empty = (tr("Size"), tr("Block")), tr("None: every processor is held.")
        table = TableBuilder(tr("Free blocks"), columns, empty)
        for block in free:
            mark = plain_mark(Role.TRIED, block)
            table.row(f"{block.w}×{block.w}", block_name(block), mark=mark, current=block == current)
        return table.table()

    def tree(self, title: str, current: Box | None) -> Tree:
        """The tree of blocks: what is split has its four quarters below it."""
        return block_tree(title, self._mesh, self._leaves.get, () if current is None else (current,))
