"""Adjacency by hand: how much of a box's border touches, and which box that makes the best."""

import pytest

from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel

# A gap of 3×1 between two boxes on the lowest row of a 6×4 mesh.
GAP = [(0, 0, 2), (5, 0, 1, 3)]


@pytest.mark.parametrize(
    ("name", "size", "boxes"),
    [("adj", (3, 1), box(2, 0, 3, 1)), ("adj", (1, 3), box(2, 0, 3, 1)), ("tbf", (1, 3), box(4, 0, 1, 3))],
)
def test_a_box_goes_where_its_border_touches_most(name, size, boxes):
    """004 §1: 5 of 8 places around the gap; 1×3 is turned for it, which Turning Best Fit does not do."""
    assert ask(at_work(name, (6, 4), *GAP), size) == (boxes,)


def test_of_equals_the_first_is_taken_and_every_box_tried_is_compared_with_every_busy_one():
    """The lowest row, then the leftmost; one for the box, one for each busy box it is compared with."""
    attempt = Attempt(at_work("adj", (4, 3)), (2, 1))
    assert attempt.boxes == (box(0, 0, 2, 1),)
    table = cells(attempt.end().panels[1])
    assert [row[0] for row in table if row[4] == "3 of 6"] == [
        "(0,0)", "(2,0)", "(0,2)", "(2,2)", "(0,0)", "(3,0)", "(0,1)", "(3,1)",
    ]  # fmt: skip
    assert [row[:2] for row in table if row[5] == "best"] == [("(0,0)", "2×1")]
    working = at_work("adj", (3, 1), (2, 0, 1))
    assert ask(working, 1) == (box(0, 0, 1),)
    assert working.operations == 2 * (1 + 1 + 1) + 1 + 1
