"""First Fit against 000 figures 2.5, 2.6 and 2.7: scan order, counting, giving back, turning."""

import numpy as np
import pytest

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel


def at_work(name, shape, *boxes):
    """A strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    working = strategy(name)(Mesh(shape))
    for job, box in enumerate(boxes, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    return working


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_the_height_runs_fastest_in_3d(name):
    """Figure 2.5: x is the outermost loop and z the innermost, so the next node up comes first."""
    working = at_work(name, (3, 3, 3))
    given = [working.allocate(Request(job, (1, 1, 1))) for job in range(10)]
    assert [boxes[0].base for boxes in given] == [
        (0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 2, 0), (0, 2, 1), (0, 2, 2),
        (1, 0, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_the_lowest_row_comes_first_in_2d(name):
    """A 2D mesh is scanned row by row, the leftmost node first."""
    working = at_work(name, (3, 2))
    given = [working.allocate(Request(job, (1, 1, 1))) for job in range(6)]
    assert [boxes[0].base[:2] for boxes in given] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_every_node_of_a_tried_box_is_counted(name):
    """Figure 2.5: a busy node costs one look, a free one also a look at each node of its box in the mesh."""
    working = at_work(name, (2, 2, 1), (0, 0, 0, 1, 1, 1))
    assert working.allocate(Request(1, (1, 2, 1))) == (Box(1, 0, 0, 1, 2, 1),)
    busy, leaves_the_mesh, fits = 1, 1 + 1, 1 + 2
    assert working.operations == busy + leaves_the_mesh + fits


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_a_request_for_too_many_processors_fails_at_once(name):
    """Figure 2.5: fewer free processors than asked for is one comparison, not a search."""
    working = at_work(name, (2, 2, 2), (1, 1, 1, 1, 1, 1))
    assert working.allocate(Request(1, (2, 2, 2))) is None
    assert working.operations == 1


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_a_box_is_not_split_around_a_busy_node(name):
    """Figure 2.5: enough free processors in the wrong places are no box."""
    working = at_work(name, (3, 1, 1), (1, 0, 0, 1, 1, 1))
    assert working.allocate(Request(1, (2, 1, 1))) is None


@pytest.mark.parametrize("name", ["ff", "tff"])
def test_giving_back_looks_at_every_node(name):
    """Figure 2.6: all nodes are compared with the job's number, and only its own are freed."""
    working = at_work(name, (3, 2, 2), (0, 0, 0, 2, 1, 1), (2, 0, 0, 1, 2, 2))
    before = working.operations
    working.release(100)
    assert working.operations - before == 12
    expected = np.full((2, 2, 3), -1)
    expected[:, :, 2] = 101
    np.testing.assert_array_equal(working.capture()["held"], expected)


@pytest.mark.parametrize("name", ["tff", "tbl"])
def test_figure_2_7_turns_the_second_request(name):
    """On a 3×3×2 mesh, 2×3×2 and then 3×2×1: the second fits only as 1×3×2."""
    working = at_work(name, (3, 3, 2))
    assert working.allocate(Request(0, (2, 3, 2))) == (Box(0, 0, 0, 2, 3, 2),)
    assert working.allocate(Request(1, (3, 2, 1))) == (Box(2, 0, 0, 1, 3, 2),)


@pytest.mark.parametrize("name", ["ff", "bl"])
def test_figure_2_7_fails_without_turning(name):
    """The same second request finds nothing when it may not be turned."""
    working = at_work(name, (3, 3, 2))
    assert working.allocate(Request(0, (2, 3, 2))) == (Box(0, 0, 0, 2, 3, 2),)
    assert working.allocate(Request(1, (3, 2, 1))) is None


def test_the_orientations_are_tried_in_the_papers_order():
    """000 §2.2.1: (α,β,γ), (α,γ,β), (β,α,γ), (β,γ,α), (γ,α,β), (γ,β,α)."""
    turning = strategy("tff")(Mesh((3, 3, 3)))
    assert turning.turns((1, 2, 3)) == ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))
    assert strategy("tff")(Mesh((3, 3))).turns((1, 2, 1)) == ((1, 2, 1), (2, 1, 1))
