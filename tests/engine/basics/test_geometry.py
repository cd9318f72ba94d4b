"""Boxes and meshes, against sets of nodes."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics import geometry
from tests import naive

numbers = st.integers(0, 4)
boxes = st.builds(geometry.Box, numbers, numbers, numbers, *(st.integers(1, 4) for _ in range(3)))


@given(one=boxes, other=boxes)
def test_boxes_overlap_when_they_share_a_node(one, other):
    """Both ways round."""
    shared = set(naive.nodes(tuple(one))) & set(naive.nodes(tuple(other)))
    assert one.overlaps(other) == other.overlaps(one) == bool(shared)


@given(box=boxes)
def test_a_box_is_its_corners(box):
    """Base and inclusive end make the box, and it has as many processors as nodes."""
    nodes = list(naive.nodes(tuple(box)))
    assert (box.base, box.end) == (min(nodes), max(nodes))
    assert geometry.Box.from_corners(box.base, box.end) == box
    assert box.volume == len(nodes)


@given(box=boxes, shape=st.tuples(*(st.integers(1, 6) for _ in range(3))))
def test_a_mesh_holds_a_box_whose_nodes_it_has(box, shape):
    """The region of an array is then the box's nodes, x the fastest."""
    mesh = geometry.Mesh(shape)
    everything = set(product(*map(range, shape)))
    assert mesh.holds(box) == (set(naive.nodes(tuple(box))) <= everything)
    assert mesh.processors == len(everything)
    if mesh.holds(box):
        array = mesh.occupancy()
        geometry.region(array, box)[:] = 7
        z, y, x = np.nonzero(array == 7)
        assert set(zip(x.tolist(), y.tolist(), z.tolist(), strict=True)) == set(naive.nodes(tuple(box)))


def test_an_empty_or_outlying_box_is_not_held():
    """No extent may be 0, and no coordinate below 0."""
    assert not geometry.Mesh((4, 4)).holds(geometry.Box(0, 0, 0, 0, 1, 1))
    assert not geometry.Mesh((4, 4)).holds(geometry.Box(-1, 0, 0, 1, 1, 1))
    assert not geometry.Mesh((4, 4)).holds(geometry.Box(0, 0, 0, 1, 1, 2))


@given(size=st.tuples(*(st.integers(1, 3) for _ in range(3))))
def test_orientations_are_the_papers_without_repeats(size):
    """In 3D all six in the paper's order, in 2D two."""
    assert list(geometry.orientations(size, 3)) == naive.turns(size, flat=False)
    assert list(geometry.orientations((*size[:2], 1), 2)) == naive.turns((*size[:2], 1), flat=True)


def test_an_empty_mesh_is_one_free_box():
    """All is free and unowned; a size fits unturned; meshes, sizes and boxes are written as in papers."""
    for shape in ((4, 6), (4, 6, 3)):
        mesh = geometry.Mesh(shape)
        assert mesh.box() == geometry.Box(0, 0, 0, *mesh.extents)
        assert mesh.holds(mesh.box())
        assert mesh.box().volume == mesh.processors
        assert mesh.occupancy().shape == mesh.extents[::-1]
        assert set(mesh.occupancy().ravel().tolist()) == {-1}
    assert geometry.Mesh((4, 6)).fits((4, 6, 1))
    assert not any(geometry.Mesh((4, 6)).fits(size) for size in ((5, 6, 1), (4, 7, 1), (4, 6, 2), (6, 4, 1)))
    assert geometry.Mesh((4, 6)).describe() == "4×6"
    assert geometry.Mesh((4, 6)).extents == (4, 6, 1)
    assert geometry.describe_size((2, 3, 4), 3) == "2×3×4"
    assert geometry.describe_size((2, 3, 1), 2) == "2×3"
    assert geometry.Box(0, 1, 2, 3, 2, 1).describe() == "(0,1,2)–(2,2,2)"
    assert geometry.Box(0, 1, 0, 3, 2, 1).describe(flat=True) == "(0,1)–(2,2)"


@pytest.mark.kernel
@given(shape=st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5)), data=st.data())
def test_the_cells_of_boxes_are_those_of_their_regions(shape, data):
    """Places in the flattened array, box by box, row-major inside each."""
    mesh = geometry.Mesh(shape)
    corners = st.tuples(*(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)) for n in shape))
    boxes = [
        geometry.Box.from_corners(tuple(map(min, pair)), tuple(map(max, pair)))
        for pair in data.draw(st.lists(corners, min_size=1, max_size=5))
    ]
    numbers = np.arange(mesh.processors, dtype=np.int32).reshape(mesh.extents[::-1])
    expected = [n for box in boxes for n in geometry.region(numbers, box).ravel().tolist()]
    assert geometry.cells(np.array(boxes, dtype=np.int64), mesh).tolist() == expected


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 4)])
def test_nodes_are_numbered_row_by_row_and_plane_by_plane(shape):
    """A node's number leads back to it."""
    mesh = geometry.Mesh(shape)
    width, depth, height = mesh.extents
    nodes = [(x, y, z) for z in range(height) for y in range(depth) for x in range(width)]
    numbers = list(range(mesh.processors))
    assert geometry.node_numbers(mesh, np.array(nodes)).tolist() == numbers
    assert [geometry.node_number(mesh, node) for node in nodes] == numbers
    assert [tuple(geometry.node_at(mesh, number)) for number in numbers] == nodes
    assert [tuple(place) for place in geometry.places(mesh, np.arange(mesh.processors)).tolist()] == nodes
