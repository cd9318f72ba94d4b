"""Boxes across the seams of a torus: their parts, and their processors in order."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.geometry import Box, Mesh, cells, list_joined, node_number, write_parts


@st.composite
def boxes_on_tori(draw):
    """A mesh some of whose axes are rings, and a box that crosses the seams of those alone."""
    shape = draw(st.one_of(st.tuples(*[st.integers(3, 6)] * 2), st.tuples(*[st.integers(3, 5)] * 3)))
    mesh = Mesh(shape, tuple(draw(st.booleans()) for _ in shape))
    base, size = [], []
    for side, ring in zip(mesh.extents, mesh.rings, strict=True):
        base.append(draw(st.integers(0, side - 1)))
        size.append(draw(st.integers(1, side if ring else side - base[-1])))
    return mesh, Box(*base, *size)


@given(boxes_on_tori())
def test_a_box_is_cut_into_parts_row_major_from_its_base(given):
    """Its processors are those of the parts; they are listed x fastest, coordinates modulo the sides."""
    mesh, box = given
    parts = mesh.parts(box)
    (x, y, z), (w, d, h) = box.base, box.size
    numbers = [
        node_number(mesh, ((x + i) % mesh.extents[0], (y + j) % mesh.extents[1], (z + k) % mesh.extents[2]))
        for k, j, i in product(range(h), range(d), range(w))
    ]
    rows = np.array(parts, dtype=np.int64)
    assert sorted(cells(rows, mesh).tolist()) == sorted(numbers)
    assert list_joined(rows, mesh.extents).tolist() == numbers
    firsts = [numbers.index(node_number(mesh, part.base)) for part in parts]
    assert firsts == sorted(firsts)
    assert len(parts) <= 2 ** sum(mesh.rings)
    assert all(mesh.holds(part) for part in parts)


@given(boxes_on_tori())
def test_parts_are_joined_to_their_box(given):
    """And kernels cut it alike."""
    mesh, box = given
    parts = mesh.parts(box)
    assert mesh.joined(parts) == box
    rows = np.empty((8, 6), dtype=np.int32)
    count = write_parts(rows, np.array(mesh.extents, dtype=np.int32), *box)
    assert [tuple(row) for row in rows[:count].tolist()] == list(parts)
