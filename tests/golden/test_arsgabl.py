"""ARSGABL (003 §II C): which shapes of a request are tried, in which order, and what one box is worth."""

import pytest

from tests.attempts import ask, at_work, box

pytestmark = pytest.mark.kernel


def test_all_shapes_of_twelve_processors():
    """As asked and turned, then the others from the squarest on; those too long for the mesh fall away."""
    shapes = at_work("arsgabl", (12, 6)).wholes((6, 2, 1))
    assert [shape[:2] for shape in shapes] == [(6, 2), (2, 6), (4, 3), (3, 4), (12, 1)]


@pytest.mark.parametrize(("name", "sizes"), [("arsgabl", [(4, 3)]), ("gabl", [(4, 2), (2, 1), (2, 1)])])
def test_another_shape_keeps_a_job_in_one_box_that_gabl_would_split(name, sizes):
    """6×2 on a 4×4 mesh with a busy row is 4×3 here, and three boxes with GABL."""
    boxes = ask(at_work(name, (4, 4), (0, 0, 4, 1)), (6, 2))
    assert [part.size[:2] for part in boxes] == sizes


def test_the_shape_asked_for_comes_first_and_without_a_free_shape_it_is_gabl():
    """Even where a squarer one is free; beside a wall 2×2 becomes 1×2 twice."""
    assert ask(at_work("arsgabl", (6, 6)), (1, 4)) == (box(0, 0, 1, 4),)
    assert ask(at_work("arsgabl", (3, 3), (1, 0, 1, 3)), (2, 2)) == (box(0, 0, 1, 2), box(2, 0, 1, 2))
