"""The layout of trees: no node in the way of another, parents over the middle of their children."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import NodeKind, TreeNode
from meshgui.views.inspector.tree_layout import tidy

GAP = 3.0


def nodes_of(parents):
    """A tree from the parent of each node, by its place."""
    return [TreeNode(key, parent, NodeKind.FREE, "") for key, parent in enumerate(parents)]


@st.composite
def trees(draw):
    """Trees and forests of up to forty nodes, each with a width."""
    count = draw(st.integers(1, 40))
    parents = [draw(st.one_of(st.none(), st.integers(0, key - 1))) if key else None for key in range(count)]
    return nodes_of(parents), draw(st.lists(st.integers(1, 30), min_size=count, max_size=count))


@given(trees())
def test_no_node_comes_closer_to_its_neighbour_than_the_gap(tree):
    """On each level nodes keep their order and their distance, and nothing lies left of 0."""
    nodes, widths = tree
    spots = tidy(nodes, lambda node: widths[node.key], GAP)
    levels = {}
    for node in nodes:
        spot = spots[node.key]
        assert spot.x - widths[node.key] / 2 > -1e-6
        levels.setdefault(spot.level, []).append((spot.x, widths[node.key]))
    for row in levels.values():
        row.sort()
        for (x, width), (after, after_width) in pairwise(row):
            assert after - after_width / 2 - (x + width / 2) > GAP - 1e-6


@given(trees())
def test_a_node_stands_in_the_middle_of_its_children_one_level_above_them(tree):
    """Children stand from left to right as they are listed."""
    nodes, widths = tree
    spots = tidy(nodes, lambda node: widths[node.key], GAP)
    for node in nodes:
        below = [spots[child.key] for child in nodes if child.parent == node.key]
        if below:
            assert abs(spots[node.key].x - (below[0].x + below[-1].x) / 2) < 1e-6
            assert {spot.level for spot in below} == {spots[node.key].level + 1}
            assert sorted(below) == below


def test_several_roots_stand_side_by_side():
    """Each with its own tree below it; a tree may be a chain."""
    spots = tidy(nodes_of([None, 0, 0, None]), lambda _node: 10, GAP)
    assert [spots[key].level for key in range(4)] == [0, 1, 1, 0]
    assert spots[3].x > spots[0].x
    spots = tidy(nodes_of([None, *range(1499)]), lambda _node: 10, GAP)
    assert spots[1499].level == 1499
    assert {spot.x for spot in spots.values()} == {5.0}
