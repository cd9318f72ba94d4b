"""Free Sub-mesh List: the list of maximal free boxes, best fit, the costs of 004."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.attempts import ask, at_work, box
from tests.properties.stories import Case, Stage, stories
from tests.scale import cases
from tests.twins.free_submesh_list import maximal_free_boxes

pytestmark = pytest.mark.kernel


def listed(working):
    """The list as boxes (x, y, w, d)."""
    return [(x1, y1, x2 - x1 + 1, y2 - y1 + 1) for x1, y1, x2, y2 in working.capture()["free"].tolist()]


@cases(150)
@given(data=st.data())
def test_the_list_holds_every_maximal_free_box_and_no_other(data):
    """004 §2: the free boxes that dominate all others are kept, whatever has come and gone."""
    story = data.draw(stories(Case("fsl", ())))
    stage = Stage(Case("fsl", ()), story.mesh)
    for _ in stage.play(story.acts):
        brute_force = maximal_free_boxes(stage.twin.held, story.mesh.extents)
        assert listed(stage.working) == [(x, y, w, d) for x, y, _, w, d, _ in brute_force]


def test_an_empty_mesh_is_one_free_box_and_the_list_has_room_for_every_processor_alone():
    """The list comes back to the whole mesh; on a chequered one each free processor is a box."""
    working = at_work("fsl", (5, 4), (0, 0, 2), (3, 1, 1, 3))
    working.release(100)
    working.release(101)
    assert listed(working) == [(0, 0, 5, 4)]
    places = [(x, y) for x in range(6) for y in range(6)]
    working = at_work("fsl", (6, 6), *((x, y, 1) for x, y in places if (x + y) % 2))
    assert sorted(listed(working)) == [(x, y, 1, 1) for x, y in places if (x + y) % 2 == 0]


@pytest.mark.parametrize(
    ("shape", "held", "free"),
    [
        # The rests left, right, below and above reach along the whole mesh.
        ((5, 5), [(2, 2, 1)], [(0, 0, 5, 2), (0, 0, 2, 5), (3, 0, 2, 5), (0, 3, 5, 2)]),
        # Beside a second job the rest of one free box lies inside that of another.
        ((4, 4), [(0, 0, 2), (2, 0, 2)], [(0, 2, 4, 2)]),
    ],
    ids=["in the middle", "side by side"],
)
def test_rests_overlap_and_none_lies_inside_another(shape, held, free):
    """A box in the middle leaves four that overlap, and a rest inside another free box is dropped."""
    assert listed(at_work("fsl", shape, *held)) == free


def test_the_placement_that_costs_the_free_boxes_least_is_taken():
    """A pocket of just its size, on an empty 6×4 mesh 4×2 turned; twice the boxes cost four times (004)."""
    working = at_work("fsl", (6, 4), (2, 0, 1, 2), (0, 2, 3, 2))
    assert ask(working, (2, 2)) == (box(0, 0, 2),)
    assert listed(working) == [(3, 0, 3, 4)]
    assert ask(at_work("fsl", (6, 4)), (4, 2)) == (box(0, 0, 2, 4),)
    costs = []
    for count in (16, 32):
        working = at_work("fsl", (33, 33), *((n, n, 1) for n in range(count)))
        before = working.operations
        ask(working, (2, 2))
        placed = working.operations
        working.release(1)
        costs.append((placed - before, working.operations - placed))
    (allocation, release), (larger_allocation, larger_release) = costs
    assert 3 < larger_allocation / allocation < 5
    assert 3 < larger_release / release < 9
