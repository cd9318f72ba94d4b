"""Adaptive Scan against 000 §2.2.1 and 004 §2: the scan's way, its jumps and turning."""

from itertools import product

import pytest

from tests.attempts import Attempt, ask, at_work, box

pytestmark = pytest.mark.kernel


def test_the_scan_goes_up_by_single_rows_and_right_past_busy_boxes():
    """000 §2.2.1: one row at a time, from box to box; 004 §2: h×w is tried after w×h has failed."""
    attempt = Attempt(at_work("as", (7, 4), (1, 0, 3, 1), (5, 1, 1)), (3, 2))
    assert attempt.boxes == (box(0, 1, 3, 2),)
    assert attempt.course == [
        ("turn", (0, 0)),
        ("row", (0, 0)),
        ("jump", (0, 0)),
        ("jump", (4, 0)),
        ("edge", (6, 0)),
        ("row", (0, 1)),
        ("found", (0, 1)),
    ]
    attempt = Attempt(at_work("as", (8, 1), (2, 0, 4, 1), (0, 0, 2, 1)), (2, 1))
    assert attempt.course[2:] == [("jump", (0, 0)), ("jump", (2, 0)), ("found", (6, 0))]
    assert attempt.boxes == (box(6, 0, 2, 1),)
    attempt = Attempt(at_work("as", (4, 4), (0, 0, 3, 4)), (4, 1))
    assert attempt.labels.count("turn") == 2
    assert attempt.course[-1] == ("found", (3, 0))
    assert attempt.boxes == (box(3, 0, 1, 4),)


@pytest.mark.parametrize("side", [4, 8, 16])
def test_each_frame_is_compared_with_each_busy_box(side):
    """004 table 2, O(ab·N_B): a frame costs one look and as many comparisons as boxes, until one meets it."""
    spots = [(x, y, 1) for y, x in product(range(1, side, 2), repeat=2)]
    working = at_work("as", (side, side), *spots)
    assert ask(working, (2, 2)) is None
    half = side // 2
    # Frames stand at columns 0, 2, 4 … of every row but the highest; two rows of them meet one row of boxes.
    met = [(y // 2) * half + x // 2 + 1 for y in range(side - 1) for x in range(0, side - 1, 2)]
    assert working.operations == len(met) + sum(met)
