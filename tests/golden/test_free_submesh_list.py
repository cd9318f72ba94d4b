"""Free Sub-mesh List: the list of maximal free boxes, complete recognition, best fit, the costs of 004."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh, orientations
from tests import naive
from tests.scale import cases
from tests.twins.free_submesh_list import maximal_free_boxes

pytestmark = pytest.mark.kernel


def at_work(shape, *boxes):
    """The strategy on a mesh of which some boxes (x, y, w, d) are held, by jobs from 100 on."""
    working = strategy("fsl")(Mesh(shape))
    for job, (x, y, w, d) in enumerate(boxes, start=100):
        working.replay(Request(job, (w, d, 1)), (Box(x, y, 0, w, d, 1),))
    return working


def listed(working):
    """The list as boxes (x, y, w, d)."""
    return [(x1, y1, x2 - x1 + 1, y2 - y1 + 1) for x1, y1, x2, y2 in working.capture()["free"].tolist()]


@st.composite
def busy_meshes(draw):
    """A small mesh, boxes held on it, and some of these that leave again."""
    w, d = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    corners = st.tuples(st.integers(0, w - 1), st.integers(0, d - 1), st.integers(1, 3), st.integers(1, 3))
    held, boxes = set(), []
    for x, y, a, b in draw(st.lists(corners, max_size=8)):
        box = (x, y, 0, min(a, w - x), min(b, d - y), 1)
        if held.isdisjoint(naive.nodes(box)):
            held |= set(naive.nodes(box))
            boxes.append(box)
    leaving = draw(st.sets(st.integers(0, len(boxes) - 1))) if boxes else set()
    return (w, d), boxes, leaving


@cases(300)
@given(world=busy_meshes())
def test_the_list_holds_every_maximal_free_box_and_no_other(world):
    """004 §2: the free boxes that dominate all others are kept, whatever has come and gone."""
    shape, boxes, leaving = world
    working = at_work(shape, *((x, y, w, d) for x, y, _, w, d, _ in boxes))
    for number in leaving:
        working.release(100 + number)
    held = {node: 0 for n, box in enumerate(boxes) if n not in leaving for node in naive.nodes(box)}
    brute_force = maximal_free_boxes(held, (*shape, 1))
    assert listed(working) == [(x, y, w, d) for x, y, _, w, d, _ in brute_force]


@cases(300)
@given(world=busy_meshes(), size=st.tuples(st.integers(1, 6), st.integers(1, 6), st.just(1)))
def test_recognition_is_complete(world, size):
    """004 table 2: a box is found exactly when brute force finds one in some orientation."""
    shape, boxes, _ = world
    working = at_work(shape, *((x, y, w, d) for x, y, _, w, d, _ in boxes))
    held = {node: 0 for box in boxes for node in naive.nodes(box)}
    exists = any(naive.all_free_bases(held, (*shape, 1), turn) for turn in orientations(size, 2))
    assert (working.allocate(Request(1, size)) is not None) == exists


def test_an_empty_mesh_is_one_free_box():
    """The list starts with the whole mesh, and comes back to it when the last job has left."""
    working = at_work((5, 4), (0, 0, 2, 2), (3, 1, 1, 3))
    working.release(100)
    working.release(101)
    assert listed(working) == [(0, 0, 5, 4)]


def test_a_box_in_the_middle_leaves_four_that_overlap():
    """The rests left, right, below and above reach along the whole mesh."""
    assert listed(at_work((5, 5), (2, 2, 1, 1))) == [(0, 0, 5, 2), (0, 0, 2, 5), (3, 0, 2, 5), (0, 3, 5, 2)]


def test_a_rest_inside_another_free_box_is_dropped():
    """Beside a second job the rest of one free box lies inside that of another, and the list stays short."""
    assert listed(at_work((4, 4), (0, 0, 2, 2), (2, 0, 2, 2))) == [(0, 2, 4, 2)]


def test_the_placement_that_costs_the_free_boxes_least_is_taken():
    """A 2×2 request fills the pocket that is just its size and leaves the large free box whole."""
    working = at_work((6, 4), (2, 0, 1, 2), (0, 2, 3, 2))
    assert working.allocate(Request(1, (2, 2, 1))) == (Box(0, 0, 0, 2, 2, 1),)
    assert listed(working) == [(3, 0, 3, 4)]


def test_turning_counts_as_a_placement_like_any_other():
    """On an empty 6×4 mesh 4×2 as asked leaves 12 processors in one box, turned it leaves 16."""
    assert at_work((6, 4)).allocate(Request(1, (4, 2, 1))) == (Box(0, 0, 0, 2, 4, 1),)


def test_cost_grows_as_table_2_says():
    """004 table 2: twice the busy boxes cost an allocation four times, a release at most eight times."""
    allocations, releases = [], []
    for count in (16, 32):
        working = at_work((33, 33), *((n, n, 1, 1) for n in range(count)))
        before = working.operations
        working.allocate(Request(1, (2, 2, 1)))
        allocations.append(working.operations - before)
        before = working.operations
        working.release(1)
        releases.append(working.operations - before)
    assert 3 < allocations[1] / allocations[0] < 5
    assert 3 < releases[1] / releases[0] < 9


def test_the_list_has_room_for_every_processor_alone():
    """On a chequered mesh each free one is a box of its own: more than the mesh has rows and columns."""
    working = at_work((6, 6), *((x, y, 1, 1) for x in range(6) for y in range(6) if (x + y) % 2))
    assert sorted(listed(working)) == [(x, y, 1, 1) for x in range(6) for y in range(6) if (x + y) % 2 == 0]
