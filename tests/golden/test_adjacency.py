"""Adjacency by hand: how much of a box's border touches, and which box that makes the best."""

import pytest

from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel

# A gap of 3×1 between two boxes on the lowest row of a 6×4 mesh.
GAP = [(0, 0, 2), (5, 0, 1, 3)]


def test_a_box_goes_where_its_border_touches_most():
    """004 §1: the gap between two boxes, of whose eight places around five are busy or beyond the edge."""
    attempt = Attempt(at_work("adj", (6, 4), *GAP), (3, 1))
    assert attempt.boxes == (box(2, 0, 3, 1),)
    touch = attempt.at("touch")
    assert touch.says == (
        "The box (2,0)–(4,0) is free: 5 of the 8 places around it are busy or beyond the edge, "
        "3 of them beyond the edge."
    )
    assert cells(touch.panels[0]) == [
        ("left", "job 100", "1 of 1"),
        ("right", "job 101", "1 of 1"),
        ("below", "edge", "3 of 3"),
        ("above", "free", "3 of 3"),
    ]


@pytest.mark.parametrize(("name", "size"), [("adj", (3, 1, 1)), ("tbf", (1, 3, 1))])
def test_both_orientations_compete(name, size):
    """1×3 has room as asked, and is turned because it touches more so; Turning Best Fit takes it as asked."""
    assert ask(at_work(name, (6, 4), *GAP), (1, 3))[0].size == size


def test_of_equals_the_first_is_taken():
    """On an empty mesh all four corners are alike: the lowest row, then the leftmost column."""
    attempt = Attempt(at_work("adj", (4, 3)), (2, 1))
    assert attempt.boxes == (box(0, 0, 2, 1),)
    assert attempt.at("keep").says == "It is the first: (0,0)–(1,0) is remembered."
    table = cells(attempt.end().panels[1])
    assert [row[0] for row in table if row[4] == "3 of 6"] == [
        "(0,0)", "(2,0)", "(0,2)", "(2,2)", "(0,0)", "(3,0)", "(0,1)", "(3,1)",
    ]  # fmt: skip
    assert [row[:2] for row in table if row[5] == "best"] == [("(0,0)", "2×1")]


def test_every_box_tried_is_compared_with_every_busy_one():
    """One for the box, one for each busy box it is compared with, and once more all where it is free."""
    working = at_work("adj", (3, 1), (2, 0, 1))
    assert ask(working, 1) == (box(0, 0, 1),)
    assert working.operations == 2 * (1 + 1 + 1) + 1 + 1
