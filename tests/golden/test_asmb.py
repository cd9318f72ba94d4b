"""Adaptive Scan, then Multiple Buddy, against 000 §2.2.2: a rectangle first, otherwise blocks."""

import pytest

from tests.attempts import ask, at_work, box, free_blocks

pytestmark = pytest.mark.kernel

# The free processors of 000 figure 2.11's kind: 2×8 in one piece, and two blocks of 2×2 apart from it.
FIGURE_2_11 = (*((x, y, 2) for x in (2, 6) for y in (0, 2, 4, 6)), (4, 2, 2), (4, 6, 2))


@pytest.mark.parametrize(
    ("size", "boxes"),
    [
        ((2, 8), [(0, 0, 2, 8)]),  # in one box, where Multiple Buddy gives four blocks apart
        ((8, 2), [(0, 0, 2, 8)]),  # §2.2.1: Adaptive Scan turns the request
        ((4, 4), [(0, 0, 2), (4, 0, 2), (0, 2, 2), (0, 4, 2)]),  # as Multiple Buddy would
    ],
)
def test_a_rectangle_is_found_in_figure_2_11_or_blocks_are_given(size, boxes):
    """000 §2.2.2: 16 processors, of which Adaptive Scan finds those that are a rectangle."""
    assert ask(at_work("asmb", (8, 8), *FIGURE_2_11), size) == tuple(box(*numbers) for numbers in boxes)


def test_the_records_are_made_again_after_a_rectangle():
    """What is free is cut into the largest blocks; buddies of which a rectangle took a part are broken."""
    working = at_work("asmb", (4, 4))
    assert ask(working, (3, 2)) == (box(0, 0, 3, 2),)
    assert free_blocks(working) == [(0, 2, 2), (2, 2, 2), (3, 0, 1), (3, 1, 1)]
    working.release(1)
    assert free_blocks(working) == [(0, 0, 4)]


@pytest.mark.parametrize(
    ("leaving", "squares"),
    [
        ((100, 101, 102), [[(2, 0, 2), (0, 2, 2)], [(0, 0, 2), (2, 0, 2), (0, 2, 2)], [(0, 0, 4)]]),
        ((102, 101, 100), [[], [], [(0, 0, 4)]]),
    ],
)
def test_blocks_merge_beside_rectangles(leaving, squares):
    """Blocks freed one by one merge with what a rectangle has left of their buddies, once that is free."""
    working = at_work("asmb", (4, 4), (1, 1, 2), (0, 0, 1), (3, 3, 1))
    for job, larger in zip(leaving, squares, strict=True):
        working.release(job)
        assert [block for block in free_blocks(working) if block[2] > 1] == larger


def test_a_request_longer_than_the_mesh_is_met_with_blocks():
    """No orientation fits, but the number of processors does."""
    working = at_work("asmb", (4, 4))
    assert working.refusal((5, 2, 1)) is None
    assert ask(working, (5, 2)) == (box(0, 0, 2), box(2, 0, 2), box(0, 2, 1), box(1, 2, 1))
    assert working.refusal((17, 1, 1)) is not None
