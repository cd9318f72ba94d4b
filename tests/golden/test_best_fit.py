"""Best Fit against 000 §2.2.1 and 001 §2: busy neighbours, free area, scan order, turning."""

from itertools import product

import pytest

from tests.attempts import Attempt, ask, at_work, box

pytestmark = pytest.mark.kernel

both = pytest.mark.parametrize("name", ["bf", "tbf"])


def scores(working, size):
    """Per base looked at, in order: its corner, its busy neighbours, and the free area it leaves."""
    attempt = Attempt(working, size)
    marks = [attempt.marks("score", n)[0] for n in range(attempt.labels.count("score"))]
    return [(mark.box.base, *mark.values[:2]) for mark in marks]


@both
def test_most_busy_neighbours_win(name):
    """000 §2.2.1: First Fit's base (1,0) has two busy neighbours, the niche at (1,2) has three."""
    held = [(0, 0, 1, 3), (4, 0, 1, 3), (2, 2, 1)]
    assert ask(at_work("ff", (5, 3), *held), 1) == (box(1, 0, 1),)
    assert ask(at_work(name, (5, 3), *held), 1) == (box(1, 2, 1),)
    assert scores(at_work(name, (5, 3), *held), 1) == [
        ((1, 0, 0), 2, 7), ((2, 0, 0), 1, 7), ((3, 0, 0), 2, 7),
        ((1, 1, 0), 1, 7), ((2, 1, 0), 1, 7), ((3, 1, 0), 1, 7),
        ((1, 2, 0), 3, 7), ((3, 2, 0), 3, 7),
    ]  # fmt: skip


@both
def test_of_equally_many_the_smallest_free_area_wins(name):
    """000 §2.2.1: both holes of an 8×2 mesh give a 1×2 box four busy neighbours; the smaller one serves."""
    working = at_work(name, (8, 2), (3, 0, 1, 2), (6, 0, 2))
    assert scores(working, (1, 2)) == [
        ((0, 0, 0), 4, 4), ((1, 0, 0), 2, 4), ((2, 0, 0), 4, 4), ((4, 0, 0), 4, 2), ((5, 0, 0), 4, 2),
    ]  # fmt: skip
    assert working.capture()["held"][0, 0].tolist() == [-1, -1, -1, 100, 1, -1, 101, 101]


@both
def test_all_else_equal_first_fits_order_decides(name):
    """The corners of an empty mesh are equally good: the lowest, leftmost; in 3D as in figure 2.5's loops."""
    flat, deep = at_work(name, (4, 4)), at_work(name, (4, 4, 4))
    assert [ask(flat, (2, 2), job)[0].base[:2] for job in range(4)] == [(0, 0), (2, 0), (0, 2), (2, 2)]
    assert [ask(deep, (2, 2, 2), job)[0].base for job in range(8)] == list(product((0, 2), repeat=3))


@pytest.mark.parametrize(("shape", "busy"), [((3, 3), 2), ((3, 3, 1), 4), ((3, 3, 3), 3)])
def test_the_border_counts_as_busy(shape, busy):
    """A corner has two sides outside a 2D mesh, three outside a 3D one, four if that is a single layer."""
    [first, *_] = scores(at_work("bf", shape), 1)
    assert first[:2] == ((0, 0, 0), busy)


def test_the_first_orientation_with_a_base_wins():
    """A tighter place for a later orientation is not looked for: 1×2 in the open, not 2×1 in the niche."""
    held = [(2, 0, 1, 3), (3, 1, 2)]
    assert ask(at_work("tbf", (5, 3), *held), (1, 2))[0].size == (1, 2, 1)
    assert ask(at_work("tbf", (5, 3), *held, (0, 1, 2, 1)), (1, 2)) == (box(0, 0, 2, 1),)


@pytest.mark.parametrize("side", [4, 8, 16, 32])
@pytest.mark.parametrize("size", [(1, 1), (4, 4), (4, 2)])
def test_a_search_costs_a_fixed_number_of_looks_at_each_processor(side, size):
    """004 table 2, O(ab): two looks at all processors and one at each base, however large the request."""
    working = at_work("bf", (side, side))
    ask(working, size)
    bases = (side - size[0] + 1) * (side - size[1] + 1)
    assert working.operations == 2 * side * side + bases


@pytest.mark.parametrize(
    ("shape", "held"),
    [((2, 2, 3), (0, 0, 1, 2, 2, 1)), ((2, 3, 3), (0, 1, 0, 2, 1, 3)), ((3, 3, 2), (1, 0, 0, 1, 3, 2))],
)
def test_free_regions_of_a_solid_mesh_do_not_reach_round_its_edges(shape, held):
    """A layer that is held parts what lies on either side of it."""
    [survey, *_] = Attempt(at_work("bf", shape, held), 1).trace.steps
    assert survey.marks[0].values[:2] == (box(*held).volume, 2)
