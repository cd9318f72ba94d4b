"""Best Fit against 000 §2.2.1, 001 §2 and figure 2.7: busy neighbours, free area, scan order, turning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import StoryRun
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.stories import Case, stories
from tests.scale import cases

pytestmark = pytest.mark.kernel


def at_work(name, shape, *boxes):
    """A strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    working = strategy(name)(Mesh(shape))
    for job, box in enumerate(boxes, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    return working


def scores(working, size):
    """Per base looked at, in order: its corner, its busy neighbours, and the free area it leaves."""
    trace = working.trace(Request(1, size))
    marks = [step.marks[0] for step in trace.steps if working.lines[step.line].label == "score"]
    return [(mark.box.base, *mark.values[:2]) for mark in marks]


@pytest.mark.parametrize("name", ["bf", "tbf"])
def test_most_busy_neighbours_win(name):
    """000 §2.2.1: First Fit's base (1,0) has two busy neighbours, the niche at (1,2) has three."""
    held = [(0, 0, 0, 1, 3, 1), (4, 0, 0, 1, 3, 1), (2, 2, 0, 1, 1, 1)]
    assert at_work("ff", (5, 3), *held).allocate(Request(1, (1, 1, 1))) == (Box(1, 0, 0, 1, 1, 1),)
    assert at_work(name, (5, 3), *held).allocate(Request(1, (1, 1, 1))) == (Box(1, 2, 0, 1, 1, 1),)
    assert scores(at_work(name, (5, 3), *held), (1, 1, 1)) == [
        ((1, 0, 0), 2, 7), ((2, 0, 0), 1, 7), ((3, 0, 0), 2, 7),
        ((1, 1, 0), 1, 7), ((2, 1, 0), 1, 7), ((3, 1, 0), 1, 7),
        ((1, 2, 0), 3, 7), ((3, 2, 0), 3, 7),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["bf", "tbf"])
def test_of_equally_many_the_smallest_free_area_wins(name):
    """000 §2.2.1: both holes of an 8×2 mesh give a 1×2 box four busy neighbours; the smaller one serves."""
    working = at_work(name, (8, 2), (3, 0, 0, 1, 2, 1), (6, 0, 0, 2, 2, 1))
    assert scores(working, (1, 2, 1)) == [
        ((0, 0, 0), 4, 4), ((1, 0, 0), 2, 4), ((2, 0, 0), 4, 4), ((4, 0, 0), 4, 2), ((5, 0, 0), 4, 2),
    ]  # fmt: skip
    assert working.capture()["held"][0, 0].tolist() == [-1, -1, -1, 100, 1, -1, 101, 101]


@pytest.mark.parametrize("name", ["bf", "tbf"])
def test_all_else_equal_first_fits_order_decides(name):
    """The four corners of an empty mesh are equally good: the lowest, leftmost one is taken."""
    working = at_work(name, (4, 4))
    given = [working.allocate(Request(job, (2, 2, 1)))[0].base[:2] for job in range(4)]
    assert given == [(0, 0), (2, 0), (0, 2), (2, 2)]


@pytest.mark.parametrize("name", ["bf", "tbf"])
def test_in_3d_ties_go_by_the_loops_of_figure_2_5(name):
    """Of the eight equally good corners the next one up is taken, then the next one back, then across."""
    working = at_work(name, (4, 4, 4))
    given = [working.allocate(Request(job, (2, 2, 2)))[0].base for job in range(8)]
    assert given == [
        (0, 0, 0), (0, 0, 2), (0, 2, 0), (0, 2, 2), (2, 0, 0), (2, 0, 2), (2, 2, 0), (2, 2, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(("shape", "busy"), [((3, 3), 2), ((3, 3, 1), 4), ((3, 3, 3), 3)])
def test_the_border_counts_as_busy(shape, busy):
    """A corner has two sides outside a 2D mesh, three outside a 3D one, four if that is a single layer."""
    [first, *_] = scores(at_work("bf", shape), (1, 1, 1))
    assert first[:2] == ((0, 0, 0), busy)


def test_figure_2_7_turns_the_second_request():
    """On a 3×3×2 mesh, 2×3×2 and then 3×2×1: the second fits only as 1×3×2, and not at all unturned."""
    turning, plain = (
        at_work("tbf", (3, 3, 2), (0, 0, 0, 2, 3, 2)),
        at_work("bf", (3, 3, 2), (0, 0, 0, 2, 3, 2)),
    )
    assert turning.allocate(Request(1, (3, 2, 1))) == (Box(2, 0, 0, 1, 3, 2),)
    assert plain.allocate(Request(1, (3, 2, 1))) is None


def test_the_first_orientation_with_a_base_wins():
    """A tighter place for a later orientation is not looked for: 1×2 in the open, not 2×1 in the niche."""
    working = at_work("tbf", (5, 3), (2, 0, 0, 1, 3, 1), (3, 1, 0, 2, 2, 1))
    assert working.allocate(Request(1, (1, 2, 1)))[0].size == (1, 2, 1)
    working = at_work("tbf", (5, 3), (2, 0, 0, 1, 3, 1), (3, 1, 0, 2, 2, 1), (0, 1, 0, 2, 1, 1))
    assert working.allocate(Request(1, (1, 2, 1))) == (Box(0, 0, 0, 2, 1, 1),)


@pytest.mark.parametrize("name", ["bf", "tbf"])
def test_a_request_for_too_many_processors_fails_at_once(name):
    """Fewer free processors than asked for is one comparison, not a search."""
    working = at_work(name, (2, 2, 2), (1, 1, 1, 1, 1, 1))
    assert working.allocate(Request(1, (2, 2, 2))) is None
    assert working.operations == 1


@pytest.mark.parametrize("side", [4, 8, 16, 32])
@pytest.mark.parametrize("size", [(1, 1, 1), (4, 4, 1), (4, 2, 1)])
def test_a_search_costs_a_fixed_number_of_looks_at_each_processor(side, size):
    """004 table 2, O(ab): two looks at all processors and one at each base, however large the request."""
    working = at_work("bf", (side, side))
    working.allocate(Request(1, size))
    bases = (side - size[0] + 1) * (side - size[1] + 1)
    assert working.operations == 2 * side * side + bases


@pytest.mark.parametrize("name", ["bf", "tbf"])
@cases(200)
@given(data=st.data())
def test_a_box_is_found_exactly_when_there_is_one(name, data):
    """As 001 §2 says: the first orientation for which brute force finds a base has one."""
    story = data.draw(stories(Case(name, ())))
    stage = StoryRun(Case(name, ()).make, story.mesh)
    for answer in stage.play(story.acts):
        mine = answer.request.job
        held = {n: j for j, got in stage.held.items() if j != mine for box in got for n in naive.nodes(box)}
        turns = stage.working.turns(answer.request.size)
        possible = [turn for turn in turns if naive.all_free_bases(held, story.mesh.extents, turn)]
        got = [box.size for box in answer.outcome or ()]
        assert got == possible[:1]


def test_what_the_inspector_shows():
    """Candidates with their scores and the best marked; the same numbers as heat on the mesh."""
    working = at_work("bf", (8, 2), (3, 0, 0, 1, 2, 1), (6, 0, 0, 2, 2, 1))
    request = Request(1, (1, 2, 1))
    trace = working.trace(request)
    inspection = working.inspect(Moment(trace.before, request, trace.steps))
    table, grid = inspection.panels
    assert [row.cells for row in table.rows] == [
        ("(0,0)", "4", "4", ""), ("(1,0)", "2", "4", ""), ("(2,0)", "4", "4", ""),
        ("(4,0)", "4", "2", "best"), ("(5,0)", "4", "2", ""),
    ]  # fmt: skip
    labels = {value.value: value.label for value in grid.legend}
    shown = [[labels.get(n, n) for n in row] for row in grid.values[0].tolist()]
    assert shown == [
        [4, 2, 4, "busy", 4, 4, "busy", "busy"],
        ["not looked at"] * 3 + ["busy"] + ["not looked at"] * 2 + ["busy"] * 2,
    ]
    assert (grid.heat.low, grid.heat.high) == (0, 6)
    assert inspection.heat is grid


@pytest.mark.parametrize(
    ("shape", "held"),
    [((2, 2, 3), (0, 0, 1, 2, 2, 1)), ((2, 3, 3), (0, 1, 0, 2, 1, 3)), ((3, 3, 2), (1, 0, 0, 1, 3, 2))],
)
def test_free_regions_of_a_solid_mesh_do_not_reach_round_its_edges(shape, held):
    """A layer that is held parts what lies on either side of it."""
    trace = at_work("bf", shape, held).trace(Request(1, (1, 1, 1)))
    [survey, *_] = trace.steps
    busy = held[3] * held[4] * held[5]
    assert survey.marks[0].values[:2] == (busy, 2)
