"""PALD against 002 §3, §5.3: how a request is parted, which part comes first, what it misses, its bound."""

import pytest

from tests.attempts import Attempt, ask, at_work, box

pytestmark = pytest.mark.kernel

both = pytest.mark.parametrize("name", ["pald-ff", "pald-bf"])


@both
def test_one_is_taken_off_the_longest_side(name):
    """2×3, free nowhere, becomes 2×2 and 2×1, as α×β becomes α×(β−1) and α×1 (002 §3)."""
    attempt = Attempt(at_work(name, (2, 4), (0, 2, 2, 1)), (2, 3))
    parts = [
        (label, *(mark.box.size[:2] for mark in step.marks))
        for label, step in zip(attempt.labels, attempt.trace.steps, strict=True)
        if label in {"part", "take", "split"}
    ]
    assert parts == [
        ("part", (2, 3)),
        ("split", (2, 3), (2, 2), (2, 1)),
        ("part", (2, 2)),
        ("take", (2, 2)),
        ("part", (2, 1)),
        ("take", (2, 1)),
    ]
    assert attempt.boxes == (box(0, 0, 2), box(0, 3, 2, 1))


@both
def test_of_equal_sides_the_second_is_shortened(name):
    """2×2 on two separate rows becomes 2×1 twice: algorithm 1 asks whether the first side is longer."""
    boxes = ask(at_work(name, (2, 3), (0, 1, 2, 1)), (2, 2))
    assert boxes == (box(0, 0, 2, 1), box(0, 2, 2, 1))


@both
def test_a_request_longer_than_the_mesh_is_parted(name):
    """8×2 fits into the 6×6 mesh in no box, and does in 6×2 and the two columns cut off before."""
    boxes = ask(at_work(name, (6, 6)), (8, 2))
    assert [part.size[:2] for part in boxes] == [(6, 2), (1, 2), (1, 2)]


@pytest.mark.parametrize(("name", "place"), [("pald-ff", (0, 0)), ("pald-bf", (1, 2))])
def test_first_fit_and_best_fit_differ_where_a_hole_fits_better(name, place):
    """Of a free corner and a hole that just fits, First Fit takes the corner below and Best Fit the hole."""
    boxes = ask(at_work(name, (4, 4), (0, 2, 1, 2), (2, 2, 1, 2)), (1, 2))
    assert boxes == (box(*place, 1, 2),)


@both
def test_it_misses_a_free_box_that_lies_the_other_way(name):
    """Parts are not turned: 1×3 is split though 3×1 is free."""
    boxes = ask(at_work(name, (3, 2), (0, 1, 3, 1)), (1, 3))
    assert [part.size[:2] for part in boxes] == [(1, 1), (1, 1), (1, 1)]


@both
def test_a_bound_on_the_boxes_keeps_a_job_waiting(name):
    """2×2 on two separate rows needs two boxes, of which a bound of one allows none (002 §5.3)."""
    working = at_work(name, (2, 3), (0, 1, 2, 1), bound=1)
    assert working.refusal((2, 2, 1)) is None
    assert working.refusal((4, 1, 1)) is not None
    assert ask(working, (2, 2)) is None
    assert ask(at_work(name, (2, 3), (0, 1, 2, 1), bound=2), (2, 2)) == (box(0, 0, 2, 1), box(0, 2, 2, 1))


@both
def test_in_3d_a_plane_is_cut_off_the_longest_side(name):
    """2×2×3, free nowhere, becomes 2×2×2 and 2×2×1; of three equal sides the last is shortened (002 §6)."""
    boxes = ask(at_work(name, (2, 2, 4), (0, 0, 2, 2, 2, 1)), (2, 2, 3))
    assert boxes == (box(0, 0, 0, 2, 2, 2), box(0, 0, 3, 2, 2, 1))
    boxes = ask(at_work(name, (2, 2, 3), (0, 0, 1, 2, 2, 1)), (2, 2, 2))
    assert boxes == (box(0, 0, 0, 2, 2, 1), box(0, 0, 2, 2, 2, 1))
