"""The blocks as a tree for the inspectors: the initial blocks, and what they are broken into."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from meshgui.engine.allocation.block_records import block_name, initial_blocks, quarters
from meshgui.engine.allocation.inspection import NodeKind, Tree, TreeNode
from meshgui.engine.allocation.panels import plain_mark
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Box, Mesh


class Leaf(NamedTuple):
    """A block that is not broken."""

    kind: NodeKind
    job: int | None = None


def block_tree(
    title: str, mesh: Mesh, leaf_of: Callable[[Box], Leaf | None], current: Collection[Box]
) -> Tree:
    """The tree of blocks; a block of which there is no leaf is broken, and has its four quarters below it."""
    w, d, _ = mesh.extents
    nodes: list[TreeNode] = []

    def grow(block: Box, parent: int | None) -> None:
        key = (block.w.bit_length() * d + block.y) * w + block.x
        leaf = leaf_of(block)
        kind, job = leaf if leaf is not None else (NodeKind.INTERNAL, None)
        mark = plain_mark(Role.TRIED, block)
        nodes.append(
            TreeNode(key, parent, kind, block_name(block), job=job, mark=mark, current=block in current)
        )
        if leaf is None:
            for quarter in quarters(block):
                grow(quarter, key)

    for root in initial_blocks(mesh):
        grow(root, None)
    return Tree(title, tuple(nodes), "")
