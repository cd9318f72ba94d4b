"""Frame Sliding against 000 §2.2.1 and figure 2.3: where frames stand, and the free box they miss."""

from itertools import product

import pytest

from tests.attempts import Attempt, ask, at_work, box

pytestmark = pytest.mark.kernel

# The figure's mesh, request and course; which processors are busy is not in the text, so these are made up.
FIGURE_2_3 = [(0, 0, 1), (3, 1, 2), (1, 2, 2, 1)]


def test_figure_2_3_misses_a_free_box():
    """3×2 on a 6×5 mesh: one frame, off the mesh, up by the length, no luck; and yet there is a free 3×2."""
    attempt = Attempt(at_work("fs", (6, 5), *FIGURE_2_3), (3, 2))
    assert attempt.boxes is None
    assert attempt.course == [
        ("held", (0, 0)),
        ("first", (1, 0)),
        ("met", (1, 0)),
        ("edge", (4, 0)),
        ("met", (0, 2)),
        ("met", (3, 2)),
        ("edge", (6, 2)),
        ("fail", (0, 0)),
    ]


@pytest.mark.parametrize("name", ["ff", "bf", "as", "qa"])
def test_the_others_find_what_it_misses(name):
    """On the same machine the complete strategies place the request as it is."""
    assert ask(at_work(name, (6, 5), *FIGURE_2_3), (3, 2))[0].size == (3, 2, 1)


def test_frames_begin_at_the_first_free_processor_that_has_room_and_later_rows_at_the_edge():
    """Frames step by the width, rows by the length; a free corner without room does not shift the frames."""
    attempt = Attempt(at_work("fs", (8, 6), (0, 0, 2, 1), (2, 1, 1), (5, 1, 1), (1, 3, 1)), (3, 2))
    assert attempt.boxes == (box(3, 2, 3, 2),)
    assert attempt.course == [
        ("held", (0, 0)),
        ("first", (2, 0)),
        ("met", (2, 0)),
        ("met", (5, 0)),
        ("edge", (8, 0)),
        ("met", (0, 2)),
        ("found", (3, 2)),
    ]
    attempt = Attempt(at_work("fs", (6, 3), (0, 0, 5, 1)), (2, 2))
    assert attempt.course == [("held", (0, 0)), ("first", (0, 1)), ("found", (0, 1))]
    assert attempt.boxes == (box(0, 1, 2),)


@pytest.mark.parametrize(("size", "boxes"), [((4, 1), None), ((1, 4), (box(3, 0, 1, 4),))])
def test_the_request_is_not_turned(size, boxes):
    """4×1 fits on no row of a machine whose only free processors are in one column."""
    assert ask(at_work("fs", (4, 4), (0, 0, 3, 4)), size) == boxes


@pytest.mark.parametrize("side", [4, 8, 16])
def test_each_frame_is_compared_with_each_busy_box(side):
    """004 table 2, O(ab·N_B): a frame costs one look and as many comparisons as boxes, until one meets it."""
    spots = [(x, y, 1) for y, x in product(range(1, side, 2), repeat=2)]
    working = at_work("fs", (side, side), *spots)
    assert ask(working, (2, 2)) is None
    frames = boxes = len(spots)  # the first processor is free, so frames stand at even places
    failed = frames + boxes * (boxes + 1) // 2  # the nth frame meets the nth box
    assert working.operations == 1 + boxes + failed
