"""Quick Allocation against 004 §2: the last covered columns, their order, turning, and what a sweep costs."""

from itertools import product

import pytest

from tests.attempts import Attempt, ask, at_work, box, cells

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("label", "columns"), [("found", ["5", "5", "4", "4", "too high"]), ("turn", ["none"] * 4 + ["too high"])]
)
def test_last_covered_columns(label, columns):
    """004 §2: the rightmost covered node of each row, the lowest first; rows too high have none."""
    attempt = Attempt(at_work("qa", (8, 5), (4, 1, 2, 1), (0, 0, 2), (1, 2, 4, 2)), (3, 2))
    assert [row[1] for row in reversed(cells(attempt.at(label).panels[1]))] == columns


def test_a_gap_before_the_next_box_is_a_base_and_the_request_is_turned_when_no_row_has_one():
    """No scan where a column is left, ties stay in order; 004 §2: 4×1 fits nowhere, 1×4 does."""
    attempt = Attempt(at_work("qa", (9, 2), (0, 0, 2), (5, 0, 4, 1)), (3, 1))
    boxes = [step.marks[0].box for step in attempt.trace.steps]
    assert list(zip(attempt.labels, boxes, strict=True)) == [
        ("turn", box(0, 0, 3, 1)),
        ("cover", box(0, 0, 2)),
        ("move", box(0, 0, 2, 1)),
        ("move", box(0, 1, 2, 1)),
        ("cover", box(3, 0, 6, 1)),
        ("gap", box(2, 0, 1)),
        ("found", box(2, 0, 3, 1)),
    ]
    assert attempt.working.operations == 3
    working = at_work("qa", (6, 6), (4, 0, 1), (0, 3, 1), (4, 2, 2, 1), (2, 0, 1))
    assert working.capture()["busy"][:, [0, 6]].tolist() == [[0, 101], [2, 103], [4, 100], [4, 102]]
    working.release(100)
    assert working.capture()["busy"][:, 6].tolist() == [101, 103, 102]
    assert ask(at_work("qa", (4, 4), (0, 0, 3, 4)), (4, 1)) == (box(3, 0, 1, 4),)
    working = at_work("qa", (64, 64))
    assert ask(working, (9, 9)) == (box(0, 0, 9),)
    assert working.operations == 1


@pytest.mark.parametrize("side", [4, 8, 16, 32])
def test_a_sweep_looks_at_the_rows_each_box_covers(side):
    """004 table 2, O(b·N_B): a box costs its rows, and in the end each row one more look."""
    spots = [(x, y, 1) for y, x in product(range(1, side, 2), repeat=2)]
    working = at_work("qa", (side, side), *spots)
    assert ask(working, (2, 2)) is None
    boxes, rows = len(spots), side - 1
    in_the_highest_row = side // 2  # these cover only one row of bases inside the mesh
    assert working.operations == 2 * boxes - in_the_highest_row + rows
