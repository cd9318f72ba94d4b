"""The 2D buddy system: the papers' two examples, rounding, splitting and merging, and what it cannot see."""

import pytest

from meshgui.engine.allocation.block_records import blocks_in
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel

BUDDY = strategy("2dbs")


def square(x, y, side):
    """A block as 001 writes it, ⟨x,y,side⟩."""
    return Box(x, y, 0, side, side, 1)


def free_squares(working):
    """The free lists, smallest squares first."""
    blocks = blocks_in(working.capture(), working.mesh.extents[0])
    return [(box.x, box.y, box.w) for box in sorted(blocks, key=lambda box: box.w)]


def test_a_request_for_2_processors_gets_4():
    """000 §2.2.1, figure 2.1: 2×2 for 2×1, an internal fragmentation of 50 %."""
    working = BUDDY(Mesh((4, 4)))
    assert working.allocate(Request(1, (2, 1, 1))) == (square(0, 0, 2),)
    assert working.granted((2, 1, 1)) == 4


def test_figure_3a_gives_a_five_processor_job_16():
    """001 figure 3(a): beside ⟨0,0,2⟩, ⟨4,0,1⟩ and ⟨4,4,1⟩ only ⟨0,4,4⟩ is left, and 11 processors idle.

    Five processors lie in a 3×2 request. The figure's state is reached by jobs that come and go.
    """
    working = BUDDY(Mesh((8, 8)))
    sides = [2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 4, 1]
    given = [working.allocate(Request(job, (side, side, 1))) for job, side in enumerate(sides)]
    stay = {0: square(0, 0, 2), 4: square(4, 0, 1), 12: square(4, 4, 1)}
    assert {job: given[job][0] for job in stay} == stay
    for job in range(len(sides)):
        if job not in stay:
            working.release(job)
    assert working.allocate(Request(99, (3, 2, 1))) == (square(0, 4, 4),)
    assert working.granted((3, 2, 1)) - 5 == 11


@pytest.mark.parametrize(
    ("size", "side"), [((1, 1, 1), 1), ((2, 2, 1), 2), ((3, 1, 1), 4), ((4, 4, 1), 4), ((1, 5, 1), 8)]
)
def test_the_longer_side_is_rounded_up_to_a_power_of_two(size, side):
    """004 §2: the square's side is 2 to the ceiling of the logarithm of the longer side."""
    assert BUDDY(Mesh((8, 8))).allocate(Request(1, size)) == (square(0, 0, side),)


def test_a_large_square_is_split_only_as_far_as_needed():
    """Three buddies of each size on the way down are free, lowest row first, leftmost first."""
    working = BUDDY(Mesh((8, 8)))
    working.allocate(Request(1, (2, 2, 1)))
    assert free_squares(working) == [(2, 0, 2), (0, 2, 2), (2, 2, 2), (4, 0, 4), (0, 4, 4), (4, 4, 4)]


def test_a_small_free_square_is_used_before_a_large_one_is_split():
    """The smallest size that has a free square serves, even where a larger one lies lower."""
    working = BUDDY(Mesh((8, 8)))
    for job, side in enumerate([4, 4, 4, 2]):
        working.allocate(Request(job, (side, side, 1)))
    working.release(0)
    assert working.allocate(Request(9, (2, 2, 1))) == (square(6, 4, 2),)


def test_buddies_merge_when_the_last_of_four_comes_free():
    """Three free quarters stay apart; the fourth brings back the square they were split from."""
    working = BUDDY(Mesh((4, 4)))
    for job in range(4):
        working.allocate(Request(job, (2, 2, 1)))
    for job in (2, 0, 3):
        working.release(job)
    assert free_squares(working) == [(0, 0, 2), (0, 2, 2), (2, 2, 2)]
    working.release(1)
    assert free_squares(working) == [(0, 0, 4)]


def test_a_free_square_that_is_no_block_is_missed():
    """Recognition is incomplete (004 table 2): (1,0)–(2,1) is free and the right size, but between blocks."""
    working = BUDDY(Mesh((4, 4)))
    for job in range(16):
        working.allocate(Request(job, (1, 1, 1)))
    for x1, y1, _, _, _, _, job in working.capture()["busy"].tolist():
        if x1 in (1, 2) and y1 in (0, 1):
            working.release(job)
    assert working.allocate(Request(99, (2, 2, 1))) is None


def test_a_rectangle_that_is_free_is_missed():
    """Half of a 4×4 mesh is free, and a 4×2 request that would fill it waits: it needs a whole 4×4 square."""
    working = BUDDY(Mesh((4, 4)))
    working.allocate(Request(1, (2, 2, 1)))
    working.allocate(Request(2, (2, 2, 1)))
    assert working.allocate(Request(3, (4, 2, 1))) is None


@pytest.mark.parametrize("shape", [(6, 6), (8, 4), (4, 8), (3, 3)])
def test_other_meshes_are_refused(shape):
    """000 §2.2.1: square meshes with power of two sides only."""
    w, d = shape
    expected = f"2dbs works on square meshes whose side is a power of two, but this one is {w}×{d}"
    assert BUDDY.unfit(Mesh(shape), BUDDY.options_model()) == expected
    with pytest.raises(ValueError, match="power of two"):
        BUDDY(Mesh(shape))


def test_an_allocation_looks_at_one_list_a_size():
    """004 table 2: the cost is lists passed over and splits made, a logarithm of the side."""
    costs = []
    for side in (4, 16, 64):
        working = BUDDY(Mesh((side, side)))
        working.allocate(Request(1, (1, 1, 1)))
        costs.append(working.operations)
    assert costs == [3 + 2, 5 + 4, 7 + 6]


def test_the_tree_shows_free_busy_and_split_squares():
    """Each split square has its four quarters below it, from the lowest leftmost on."""
    working = BUDDY(Mesh((4, 4)))
    working.allocate(Request(7, (2, 2, 1)))
    tree, _ = working.inspect(Moment(working.capture())).panels
    assert [(node.label, node.kind, node.job) for node in tree.nodes] == [
        ("⟨0,0,4⟩", NodeKind.INTERNAL, None),
        ("⟨0,0,2⟩", NodeKind.BUSY, 7),
        ("⟨2,0,2⟩", NodeKind.FREE, None),
        ("⟨0,2,2⟩", NodeKind.FREE, None),
        ("⟨2,2,2⟩", NodeKind.FREE, None),
    ]


def test_what_is_said_of_a_split():
    """Which quarter is kept, by its corners on the flat mesh."""
    working = BUDDY(Mesh((4, 4)))
    trace = working.trace(Request(1, (1, 1, 1)))
    said = [working.say(trace.moment(n)) for n in range(1, len(trace.steps) + 1)]
    assert said[-3:] == [
        "(0,0)–(3,3) is split into four; (0,0)–(1,1) is kept, and its three buddies are free.",
        "(0,0)–(1,1) is split into four; (0,0)–(0,0) is kept, and its three buddies are free.",
        "The job gets (0,0)–(0,0).",
    ]
