"""Paging against 001 figures 1 and 2, 000 §2.2.2 and 003 §II: orders, whole pages, ways to choose them."""

from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from meshgui.engine.allocation.page_orders import ORDERS_OF_CUBES, PageOrder, cube_order, page_order
from meshgui.engine.allocation.paging import PagingOptions
from tests.attempts import ask, at_work, box
from tests.scale import cases

pytestmark = pytest.mark.kernel

CURVES = ("snake", "hilbert", "h-index")  # those that go from a page to its neighbour


def paging(shape, *busy, **options):
    """Paging on a mesh of which some pages are held, named by their numbers."""
    side = 2 ** options.get("size_index", 0)
    places = page_order(options.get("order", "row-major"), *(n // side for n in shape)) * side
    return at_work("paging", shape, *((*places[page].tolist(), side) for page in busy), **options)


def free_pages(working):
    """The numbers in the free page list."""
    return working.state.free[: working.state.length[0]].tolist()


def hops(one, other):
    """How far apart two pages are."""
    return int(np.abs(np.subtract(one, other)).sum())


@pytest.mark.parametrize(
    ("busy", "size", "boxes"),
    [
        ([0, 2, 3], (6, 1, 1), [(2, 0, 2), (0, 2, 2)]),  # figure 1: the list begins with pages 1 and 4
        ([], (3, 3, 1), [(0, 0, 2), (2, 0, 2), (4, 0, 2)]),  # §2.2.2: three pages, which are 12
    ],
)
def test_in_pages_of_2x2_a_quarter_is_lost(busy, size, boxes):
    """001 figure 1, 000 §2.2.2: pages are given whole, in row-major order, the first of the list first."""
    working = paging((8, 8), *busy, size_index=1)
    assert free_pages(working)[:2] == ([1, 4] if busy else [0, 1])
    assert 1 - size[0] * size[1] / working.granted(size) == 0.25
    assert working.pages(size) == len(boxes)
    assert ask(working, size) == tuple(box(*numbers) for numbers in boxes)


@pytest.mark.parametrize(
    ("order", "numbers"),
    [
        ("row-major", [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]),
        ("shuffled-row-major", [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]),
        ("snake", [[0, 1, 2, 3], [7, 6, 5, 4], [8, 9, 10, 11], [15, 14, 13, 12]]),
        ("shuffled-snake", [[0, 1, 4, 5], [3, 2, 7, 6], [12, 13, 8, 9], [15, 14, 11, 10]]),
        ("hilbert", [[0, 1, 14, 15], [3, 2, 13, 12], [4, 7, 8, 11], [5, 6, 9, 10]]),
        ("h-index", [[0, 15, 12, 11], [1, 14, 13, 10], [2, 5, 6, 9], [3, 4, 7, 8]]),
    ],
)
def test_the_orders_on_4x4(order, numbers):
    """001 figure 2 and 000 figure 2.8, and the two curves; the H-index is the letter H. Lowest row first."""
    places = page_order(order, 4, 4).tolist()
    assert [[places.index([column, row]) for column in range(4)] for row in range(4)] == numbers


@pytest.mark.parametrize("order", get_args(PageOrder))
@pytest.mark.parametrize("grid", [(1, 1), (1, 5), (5, 1), (2, 2), (3, 7), (8, 8), (6, 12), (32, 32)])
def test_every_order_has_each_page_once(order, grid):
    """Whatever the size of the grid."""
    columns, rows = grid
    assert sorted(page_order(order, columns, rows).tolist()) == [
        [column, row] for column in range(columns) for row in range(rows)
    ]


@pytest.mark.parametrize("order", CURVES)
@pytest.mark.parametrize("side", [2, 4, 8, 16, 32])
def test_curves_go_from_neighbour_to_neighbour(order, side):
    """On squares with a power of two on the side no curve jumps, and the H-index is a closed cycle."""
    places = page_order(order, side, side).tolist()
    assert {hops(one, other) for one, other in pairwise(places)} == {1}
    if order == "h-index":
        assert hops(places[0], places[-1]) == 1


@pytest.mark.parametrize("side", [4, 8, 16])
def test_the_h_index_keeps_what_is_near_in_order_near_in_the_mesh(side):
    """N steps along the cycle never lead farther than the root of 4n − 2, as its authors proved."""
    places = page_order("h-index", side, side)
    for n in range(1, len(places) // 2 + 1):
        apart = np.roll(places, -n, axis=0) - places
        assert (apart**2).sum(axis=1).max() <= 4 * n - 2


@pytest.mark.parametrize("order", ["shuffled-row-major", "shuffled-snake", "hilbert", "h-index"])
def test_other_sizes_skip_what_lies_outside_the_enclosing_square(order):
    """A 5×3 grid has the sequence of 8×8, less the rest."""
    square = page_order(order, 8, 8).tolist()
    assert page_order(order, 5, 3).tolist() == [[x, y] for x, y in square if x < 5 and y < 3]


# Numbers free on a 4×4 mesh of single processors: runs of 2, 4, 3 and 1.
BUSY = (2, 3, 8, 12, 13, 15)
FREE = [0, 1, 4, 5, 6, 7, 9, 10, 11, 14]


@pytest.mark.parametrize("order", get_args(PageOrder))
@pytest.mark.parametrize(
    ("selection", "asked", "pages"),
    [
        ("take-first", 3, [0, 1, 4]),
        ("first-fit", 2, [0, 1]),
        ("first-fit", 3, [4, 5, 6]),
        ("best-fit", 3, [9, 10, 11]),
        ("best-fit", 4, [4, 5, 6, 7]),
        ("minimum-interference", 3, [4, 5, 6]),
        ("first-fit", 5, [4, 5, 6, 7, 9]),  # no run: 0 to 6 and 5 to 10 span more
        ("best-fit", 5, [4, 5, 6, 7, 9]),
        ("minimum-interference", 5, [4, 5, 6, 7, 9]),
        ("minimum-interference", 7, [4, 5, 6, 7, 9, 10, 11]),
        ("take-first", 10, FREE),
    ],
)
def test_how_pages_are_chosen(order, selection, asked, pages):
    """000 §2.2.2: the first or shortest long run, else the smallest range; 003 §II: that range."""
    working = paging((4, 4), *BUSY, order=order, selection=selection)
    assert free_pages(working) == FREE
    assert ask(working, asked) is not None
    assert [page for page in FREE if page not in free_pages(working)] == pages


@cases(60)
@given(busy=st.sets(st.integers(0, 24)), asked=st.integers(1, 25))
def test_minimum_interference_chooses_what_first_fit_does(busy, asked):
    """A run that is long enough has the smallest range there is, so 003's rule includes 000's first fit."""
    first, closest = (
        ask(paging((5, 5), *busy, selection=way), asked) for way in ("first-fit", "minimum-interference")
    )
    assert first == closest


def test_larger_pages_are_not_optimal():
    """001 §3.2: pages of 2×2 are lost in part: two jobs of 5 do not fit into 16 processors beside a third."""
    working = paging((4, 4), size_index=1)
    assert [ask(working, 5, job) is not None for job in range(3)] == [True, True, False]


@pytest.mark.parametrize(("shape", "size_index"), [((6, 8), 2), ((5, 5), 1), ((16, 16), 5)])
def test_pages_must_tile_the_mesh(shape, size_index):
    """Anything else is a fault of the scenario, and the message says what is expected."""
    with pytest.raises(ValueError, match=f"expected sides that are multiples of {2**size_index}"):
        at_work("paging", shape, size_index=size_index)


@pytest.mark.parametrize("size_index", [-1, 6, 0.5])
def test_the_size_index_has_limits(size_index):
    """From 0, single processors, to 5, pages of 32×32."""
    with pytest.raises(ValidationError):
        PagingOptions(size_index=size_index)


def test_taking_the_first_costs_a_look_at_each_page_taken():
    """001 §3.2: allocation is O(k), and merging the pages back O(n)."""
    working = paging((16, 16))
    ask(working, (4, 3))
    assert working.operations == 12
    working.release(1)
    assert working.operations == 12 + 256


@pytest.mark.parametrize("order", ORDERS_OF_CUBES)
@pytest.mark.parametrize("grid", [(4, 4, 4), (3, 2, 5), (1, 1, 1)])
def test_every_order_of_cubes_has_each_page_once(order, grid):
    """Also where the grid is no cube."""
    places = [tuple(place) for place in cube_order(order, *grid).tolist()]
    assert sorted(places) == [
        (x, y, z) for x in range(grid[0]) for y in range(grid[1]) for z in range(grid[2])
    ]


@pytest.mark.parametrize(
    ("order", "grid"), [("snake", (3, 2, 4)), ("hilbert", (8, 8, 8)), ("hilbert", (2, 2, 2))]
)
def test_curves_through_cubes_go_from_neighbour_to_neighbour(order, grid):
    """Each page shares a face with the next; a Hilbert curve ends each octant before it begins another."""
    places = cube_order(order, *grid)
    assert (np.abs(np.diff(places, axis=0)).sum(axis=1) == 1).all()
    if order == "hilbert":
        octants = (places // (grid[0] // 2)) @ np.array((1, 2, 4))
        assert np.count_nonzero(np.diff(octants)) == 7


def test_pages_of_a_3d_mesh_are_cubes():
    """Nine processors take two pages of 2×2×2; an order of squares alone is refused."""
    working = at_work("paging", (4, 4, 4), size_index=1)
    assert ask(working, (3, 3, 1)) == (box(0, 0, 0, 2, 2, 2), box(2, 0, 0, 2, 2, 2))
    assert working.granted((3, 3, 1)) == 16
    expected = "on a 3D mesh pages have no order h-index: expected row-major or snake or hilbert"
    with pytest.raises(ValueError, match=expected):
        at_work("paging", (4, 4, 4), order="h-index")
