"""ARSGABL (003 §II C): which shapes of a request are tried, in which order, and what one box is worth."""

import pytest

from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel


def test_all_shapes_of_twelve_processors():
    """As asked and turned, then the others from the squarest on; those too long for the mesh fall away."""
    working = strategy("arsgabl")(Mesh((12, 6)))
    assert [shape[:2] for shape in working.wholes((6, 2, 1))] == [(6, 2), (2, 6), (4, 3), (3, 4), (12, 1)]


def test_another_shape_keeps_a_job_in_one_box_that_gabl_would_split():
    """6×2 on a 4×4 mesh with a busy row is 4×3 here, and three boxes with GABL."""
    row = Box(0, 0, 0, 4, 1, 1)
    pieces = {}
    for name in ("arsgabl", "gabl"):
        working = strategy(name)(Mesh((4, 4)))
        working.replay(Request(1, row.size), (row,))
        pieces[name] = working.allocate(Request(2, (6, 2, 1)))
    assert pieces["arsgabl"] == (Box(0, 1, 0, 4, 3, 1),)
    assert len(pieces["gabl"]) == 3


def test_the_shape_asked_for_comes_first():
    """A free box as asked is taken even where a squarer one is free as well."""
    working = strategy("arsgabl")(Mesh((6, 6)))
    assert working.allocate(Request(1, (1, 4, 1))) == (Box(0, 0, 0, 1, 4, 1),)


def test_without_a_free_shape_it_is_gabl():
    """Where a wall leaves two columns of three, 2×2 has no shape that fits: it becomes 1×2 twice."""
    working = strategy("arsgabl")(Mesh((3, 3)))
    wall = Box(1, 0, 0, 1, 3, 1)
    working.replay(Request(1, wall.size), (wall,))
    assert working.allocate(Request(2, (2, 2, 1))) == (Box(0, 0, 0, 1, 2, 1), Box(2, 0, 0, 1, 2, 1))


def test_the_inspector_tells_what_became_of_each_shape():
    """The table lists the shapes in order; the search stops at the first that is free."""
    working = strategy("arsgabl")(Mesh((6, 4)))
    row = Box(0, 0, 0, 6, 1, 1)
    working.replay(Request(1, row.size), (row,))
    trace = working.trace(Request(2, (2, 6, 1)))
    shapes = working.inspect(Moment(trace.before, trace.request, trace.steps)).panels[0]
    assert [row.cells for row in shapes.rows] == [("6×2", "free"), ("4×3", None), ("3×4", None)]
    working.release(2)
    block = Box(0, 1, 0, 3, 1, 1)
    working.replay(Request(3, block.size), (block,))
    trace = working.trace(Request(4, (3, 4, 1)))
    shapes = working.inspect(Moment(trace.before, trace.request, trace.steps)).panels[0]
    assert [row.cells for row in shapes.rows] == [("3×4", "not free"), ("4×3", "not free"), ("6×2", "free")]
