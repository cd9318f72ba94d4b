"""Lays out a tree: parents over their children, siblings side by side, no node over another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from meshgui.engine.allocation.inspection import TreeNode

_Contour = list[tuple[float, float]]  # how far a subtree reaches to each side of its root, level by level


class NodePosition(NamedTuple):
    """The middle of a node, from the leftmost edge of all, and its level: 0 is a root's."""

    x: float
    level: int


def tidy(
    nodes: Sequence[TreeNode], width: Callable[[TreeNode], float], gap: float
) -> dict[int, NodePosition]:
    """A spot for each node's key; subtrees stand as close as their outlines allow.

    Nodes come parents first, siblings from left to right; several roots stand side by side.
    """
    children: dict[int | None, list[int]] = {None: []}
    for node in nodes:
        children[node.key] = []
    for node in nodes:
        children[node.parent].append(node.key)
    offsets: dict[int, float] = {}  # from the middle of the node above
    contours: dict[int | None, _Contour] = {}
    for node in reversed(nodes):
        half = width(node) / 2
        below = _place_side_by_side(children[node.key], contours, offsets, gap)
        contours[node.key] = [(-half, half), *below]
    whole = _place_side_by_side(children[None], contours, offsets, gap)
    left = min((reach[0] for reach in whole), default=0.0)
    spots: dict[int, NodePosition] = {}
    for node in nodes:
        above = NodePosition(-left, -1) if node.parent is None else spots[node.parent]
        spots[node.key] = NodePosition(above.x + offsets[node.key], above.level + 1)
    return spots


def _place_side_by_side(
    keys: list[int], contours: dict[int | None, _Contour], offsets: dict[int, float], gap: float
) -> _Contour:
    """Move subtrees together, note how far each stands from their middle, and give their outline."""
    merged: _Contour = []
    last = 0.0
    for key in keys:
        own = contours.pop(key)
        shared = min(len(merged), len(own))
        shift = max((merged[i][1] - own[i][0] + gap for i in range(shared)), default=0.0)
        merged[:shared] = [(merged[i][0], own[i][1] + shift) for i in range(shared)]
        merged += [(left + shift, right + shift) for left, right in own[shared:]]
        offsets[key] = last = shift
    middle = last / 2
    for key in keys:
        offsets[key] -= middle
    return [(left - middle, right - middle) for left, right in merged]
