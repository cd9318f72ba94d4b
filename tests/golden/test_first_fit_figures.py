"""First Fit against 000 figures 2.5 and 2.6, and all of its kind against 2.7: order, counting, turning."""

from itertools import product

import numpy as np
import pytest

from tests.attempts import ask, at_work, box

pytestmark = pytest.mark.kernel

both = pytest.mark.parametrize("name", ["ff", "tff"])


@both
def test_the_height_runs_fastest_in_3d_and_the_lowest_row_comes_first_in_2d(name):
    """Figure 2.5: x is the outermost loop and z the innermost; a 2D mesh is scanned row by row."""
    deep, flat = at_work(name, (3, 3, 3)), at_work(name, (3, 2))
    assert [ask(deep, 1, job)[0].base for job in range(27)] == list(product(range(3), repeat=3))
    given = [ask(flat, 1, job)[0].base[:2] for job in range(6)]
    assert given == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]


@both
def test_every_node_of_a_tried_box_is_counted(name):
    """Figure 2.5: a busy node costs one look, a free one also a look at each node of its box in the mesh."""
    working = at_work(name, (2, 2, 1), (0, 0, 1))
    assert ask(working, (1, 2)) == (box(1, 0, 1, 2),)
    busy, leaves_the_mesh, fits = 1, 1 + 1, 1 + 2
    assert working.operations == busy + leaves_the_mesh + fits


@pytest.mark.parametrize("name", ["ff", "tff", "bf", "tbf"])
def test_a_request_for_too_many_processors_fails_at_once(name):
    """Figure 2.5: that is one comparison, not a search; enough in the wrong places are no box, either."""
    working = at_work(name, (2, 2, 2), (1, 1, 1, 1, 1, 1))
    assert ask(working, (2, 2, 2)) is None
    assert working.operations == 1
    assert ask(at_work(name, (3, 1, 1), (1, 0, 1)), 2) is None


@both
def test_giving_back_looks_at_every_node(name):
    """Figure 2.6: all nodes are compared with the job's number, and only its own are freed."""
    working = at_work(name, (3, 2, 2), (0, 0, 0, 2, 1, 1), (2, 0, 0, 1, 2, 2))
    before = working.operations
    working.release(100)
    assert working.operations - before == 12
    expected = np.full((2, 2, 3), -1)
    expected[:, :, 2] = 101
    np.testing.assert_array_equal(working.capture()["held"], expected)


@pytest.mark.parametrize("name", ["ff", "bl", "bf", "tff", "tbl", "tbf"])
def test_figure_2_7_fails_without_turning(name):
    """On a 3×3×2 mesh, 2×3×2 and then 3×2×1: the second fits only as 1×3×2, where it may be turned."""
    working = at_work(name, (3, 3, 2))
    assert ask(working, (2, 3, 2), 0) == (box(0, 0, 0, 2, 3, 2),)
    assert ask(working, (3, 2), 1) == ((box(2, 0, 0, 1, 3, 2),) if name.startswith("t") else None)


def test_the_orientations_are_tried_in_the_papers_order():
    """000 §2.2.1: (α,β,γ), (α,γ,β), (β,α,γ), (β,γ,α), (γ,α,β), (γ,β,α)."""
    turns = at_work("tff", (3, 3, 3)).turns((1, 2, 3))
    assert turns == ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))
    assert at_work("tff", (3, 3)).turns((1, 2, 1)) == ((1, 2, 1), (2, 1, 1))
