"""The 2D buddy system: the papers' two examples, rounding, splitting and merging, and what it cannot see."""

import pytest

from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Mesh
from tests.attempts import ask, at_work, box, free_blocks

pytestmark = pytest.mark.kernel


def test_a_request_for_2_processors_gets_4_and_figure_3a_gives_a_five_processor_job_16():
    """000 figure 2.1: an internal fragmentation of 50 %; 001 figure 3(a): only ⟨0,4,4⟩ is left."""
    working = at_work("2dbs", (4, 4))
    assert ask(working, (2, 1)) == (box(0, 0, 2),)
    assert working.granted((2, 1, 1)) == 4
    working = at_work("2dbs", (8, 8))
    sides = [2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 4, 1]
    given = [ask(working, (side, side), job)[0] for job, side in enumerate(sides)]
    stay = {0: box(0, 0, 2), 4: box(4, 0, 1), 12: box(4, 4, 1)}
    assert {job: given[job] for job in stay} == stay
    for job in range(len(sides)):
        if job not in stay:
            working.release(job)
    assert ask(working, (3, 2), 99) == (box(0, 4, 4),)
    assert working.granted((3, 2, 1)) - 5 == 11


@pytest.mark.parametrize(("size", "side"), [((1, 1), 1), ((2, 2), 2), ((3, 1), 4), ((4, 4), 4), ((1, 5), 8)])
def test_the_longer_side_is_rounded_up_to_a_power_of_two(size, side):
    """004 §2: the square's side is 2 to the ceiling of the logarithm of the longer side."""
    assert ask(at_work("2dbs", (8, 8)), size) == (box(0, 0, side),)


def test_a_large_square_is_split_only_as_far_as_needed_and_buddies_merge_when_the_last_is_free():
    """Three buddies of each size are free then; the fourth brings their square back (004 table 2)."""
    working = at_work("2dbs", (8, 8))
    ask(working, (2, 2))
    assert free_blocks(working) == [(4, 0, 4), (0, 4, 4), (4, 4, 4), (2, 0, 2), (0, 2, 2), (2, 2, 2)]
    working = at_work("2dbs", (8, 8), (4, 0, 4), (0, 4, 4), (4, 4, 2))
    assert ask(working, (2, 2)) == (box(6, 4, 2),)
    working = at_work("2dbs", (4, 4), (0, 0, 2), (2, 0, 2), (0, 2, 2), (2, 2, 2))
    for job in (102, 100, 103):
        working.release(job)
    assert free_blocks(working) == [(0, 0, 2), (0, 2, 2), (2, 2, 2)]
    working.release(101)
    assert free_blocks(working) == [(0, 0, 4)]
    held = [(x, y, 1) for x in range(4) for y in range(4) if not (x in (1, 2) and y in (0, 1))]
    assert ask(at_work("2dbs", (4, 4), *held), (2, 2)) is None
    assert ask(at_work("2dbs", (4, 4), (0, 0, 2), (2, 0, 2)), (4, 2)) is None


@pytest.mark.parametrize("shape", [(6, 6), (8, 4), (4, 8), (3, 3)])
def test_other_meshes_are_refused(shape):
    """000 §2.2.1: square meshes with power of two sides only."""
    w, d = shape
    expected = f"2dbs works on square meshes whose side is a power of two, but this one is {w}×{d}"
    buddy = strategy("2dbs")
    assert buddy.unfit(Mesh(shape), buddy.options_model()) == expected
    with pytest.raises(ValueError, match="power of two"):
        buddy(Mesh(shape))


@pytest.mark.parametrize(("side", "cost"), [(4, 3 + 2), (16, 5 + 4), (64, 7 + 6)])
def test_an_allocation_looks_at_one_list_a_size(side, cost):
    """004 table 2: the cost is lists passed over and splits made, a logarithm of the side."""
    working = at_work("2dbs", (side, side))
    ask(working, 1)
    assert working.operations == cost
