"""What strategies count as operations, on small machines where it can be counted by hand."""

import pytest

from meshgui.engine.allocation.base import Reservation
from tests.attempts import Attempt, ask, at_work

pytestmark = pytest.mark.kernel


def cost(working, size, job=1):
    """The operations of an attempt."""
    before = working.operations
    ask(working, size, job)
    return working.operations - before


def cost_of_leaving(working, job=1):
    """The operations of a release."""
    before = working.operations
    working.release(job)
    return working.operations - before


def test_buddies_looked_at_in_merging():
    """A square comes back, its three buddies are free, and of the next three the last is busy."""
    working = at_work("2dbs", (8, 8), (4, 4, 4))
    cost(working, (2, 2))
    assert cost_of_leaving(working) == 1 + 3 + 3
    working = at_work("asmb", (4, 4))
    ask(working, (3, 2))
    assert cost_of_leaving(working) == 16 + 4 + 1  # a rectangle: every block, as the records are made again


def test_a_bitmap_is_read_processor_by_processor():
    """As before: the square itself, its three buddies, and the next three (004 table 2: O(ab))."""
    working = at_work("2dbs", (8, 8), (4, 4, 4), count="bitmap")
    assert cost(working, (2, 2)) == cost(at_work("2dbs", (8, 8), (4, 4, 4)), (2, 2))
    assert cost_of_leaving(working) == 4 + 3 * 4 + 3 * 16


def test_planes_behind_the_first_base_are_examined_where_all_bases_are_gathered():
    """Each plane, and the region of the only box in it (000 figure 3.4)."""
    assert cost(at_work("bl", (4, 4), (0, 0, 1)), (2, 2)) == 1 + 1
    assert cost(at_work("bl", (4, 4), (0, 0, 1), detection="all-planes"), (2, 2)) == 2 * (1 + 1)


@pytest.mark.parametrize(
    ("name", "shape", "held", "size", "expected"),
    [
        # Nine processors beside a busy corner, two blocks and one: the number of free ones, records, places.
        ("sdsc", (4, 4), [(0, 0, 1)], 9, 1 + 3 + 2 + 3),
        # Where no 8×8 was free for a 4×4, none is sought for the 2×2 after it: records, larger ones, taken.
        (
            *("mbs", (8, 8), [(0, 4, 4), (4, 4, 4), (4, 0, 2), (6, 0, 2), (4, 2, 2), (6, 2, 1), (0, 0, 1)]),
            *((4, 4), 3 + (1 + 1) + (3 + 4)),
        ),
        # A rectangle in the first frame; then every block of the mesh, as the records are made again.
        ("asmb", (4, 4), [], (3, 2), 1 + (16 + 4 + 1)),
        # A scan that fails, frames and comparisons with the one busy box; then records and blocks taken.
        ("asmb", (3, 3), [(1, 1, 1)], (3, 2), 3 + 3 + 2 + 6),
    ],
    ids=["anchor block", "multiple buddy", "a rectangle", "a failed scan"],
)
def test_records_and_blocks_are_counted(name, shape, held, size, expected):
    """What is looked into, taken, and made again."""
    assert cost(at_work(name, shape, *held), size) == expected


def test_a_reservation_costs_both_searches_and_midplanes_of_a_failed_search_are_counted():
    """The only node is looked at twice; a base, its midplanes, a busy base, one too far right."""
    working = at_work("ta", (2, 1), eafr=True)
    ask(working, (2, 1))
    before = working.operations
    assert isinstance(ask(working, (2, 1), 2), Reservation)
    assert working.operations - before == 2
    working = at_work("bluegene", (6, 2, 2), (2, 0, 0, 2, 2, 2), unit=2)
    assert cost(working, (4, 2, 2)) == (1 + 2) + 1 + 1
    assert cost_of_leaving(working, 100) == 3


# Free pages on a 4×4 mesh: runs of 2, 4, 3 and 1.
BUSY = [(2, 0, 1), (3, 0, 1), (0, 2, 1), (0, 3, 1), (1, 3, 1), (3, 3, 1)]


@pytest.mark.parametrize(
    ("selection", "asked", "examined"),
    [
        ("first-fit", 3, 2 + 3),  # the first run, and of the second no more than is needed
        ("first-fit", 5, 10 + 6),  # every run, and then every set of five neighbours
        ("best-fit", 3, 10),
        ("minimum-interference", 3, 8),
    ],
)
def test_pages_and_sets_of_them_are_counted(selection, asked, examined):
    """000 §2.2.2: first fit stops at a run that is long enough; only without one are sets looked at."""
    assert cost(at_work("paging", (4, 4), *BUSY, selection=selection), asked) == examined


def test_each_orientation_of_a_part_is_sought_once():
    """GABL beside a wall, the square part once; 000's b belongs to the latest request."""
    attempt = Attempt(at_work("gabl", (3, 3), (1, 0, 1, 3)), (3, 2))
    turns = [attempt.marks("turn", n)[0].box.size[:2] for n in range(attempt.labels.count("turn"))]
    assert turns == [(3, 2), (2, 3), (2, 2), (1, 2), (1, 2), (1, 2), (2, 1), (1, 1), (1, 1)]
    alone = at_work("tbl", (3, 3), (1, 0, 1, 3))
    sought = [(3, 2), (2, 2), (1, 2), (1, 2), (1, 2), (1, 1), (1, 1)]
    assert attempt.working.operations == sum(cost(alone, size, job) for job, size in enumerate(sought))
    working = at_work("gabl", (3, 3), (1, 0, 1, 3))
    ask(working, (2, 2))
    assert working.part_attempts == 2
    assert ask(working, (3, 3), 2) is None
    assert working.part_attempts == 0


@pytest.mark.parametrize(("name", "search"), [("pald-ff", "ff"), ("pald-bf", "bf")])
def test_a_partition_costs_the_searches_for_its_parts(name, search):
    """As much as if the contiguous strategy were asked for the whole and for both parts in turn."""
    alone = at_work(search, (2, 4), (0, 2, 2, 1))
    parts = [cost(alone, size, job) for job, size in enumerate([(2, 3), (2, 2), (2, 1)])]
    assert min(parts) > 0
    assert cost(at_work(name, (2, 4), (0, 2, 2, 1)), (2, 3)) == sum(parts)
