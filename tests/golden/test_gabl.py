"""GABL against 000 chapter 4: figure 4.3's state, its two requests, and what the strategy promises."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.conformance import StoryRun
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.properties.stories import Case, Stage, stories
from tests.scale import cases
from tests.twins.gabl import Greedy

pytestmark = pytest.mark.kernel

FIGURE_4_3 = [(1, 4, 5, 5), (0, 2, 1, 3), (4, 3, 5, 3), (5, 2, 5, 2)]


def flat_box(x1, y1, x2, y2):
    """A box of a 2D mesh by its corners, as the paper writes it."""
    return Box.from_corners((x1, y1, 0), (x2, y2, 0))


def holding(name, shape, corners):
    """The strategy on a mesh where jobs 1, 2, … hold these boxes."""
    working = strategy(name)(Mesh(shape))
    for job, address in enumerate(corners, start=1):
        box = flat_box(*address)
        working.replay(Request(job, box.size), (box,))
    return working


@pytest.fixture
def figure_4_3():
    """GABL on the 6×6 mesh of figure 4.3, of which 19 processors are free."""
    return holding("gabl", (6, 6), FIGURE_4_3)


def test_detection_example_of_figure_4_3(figure_4_3):
    """2×4 is free in one box, and the job gets (2,0)–(3,3) without a further attempt."""
    assert figure_4_3.allocate(Request(5, (2, 4, 1))) == (flat_box(2, 0, 3, 3),)
    assert figure_4_3.part_attempts == 0


def test_8x2_of_figure_4_3_gets_two_boxes(figure_4_3):
    """7×2 is not free, 6×2 is, and then the sizes shrink to 2×2: (0,0)–(5,1) and (2,2)–(3,3)."""
    trace = figure_4_3.trace(Request(5, (8, 2, 1)))
    assert trace.boxes == (flat_box(0, 0, 5, 1), flat_box(2, 2, 3, 3))
    assert figure_4_3.part_attempts == 3
    told = [(figure_4_3.lines[step.line].label, step.marks[0]) for step in trace.steps]
    sizes = [(label, mark.box.size[:2], mark.values[0]) for label, mark in told]
    assert [entry for entry in sizes if entry[0] in {"whole", "shrink", "more", "again", "take"}] == [
        ("whole", (8, 2), 16),
        ("shrink", (8, 2), 16),
        ("again", (7, 2), 16),
        ("shrink", (7, 2), 16),
        ("again", (6, 2), 16),
        ("take", (6, 2), 4),
        ("more", (6, 2), 4),
        ("more", (5, 2), 4),
        ("more", (4, 2), 4),
        ("more", (3, 2), 4),
        ("again", (2, 2), 4),
        ("take", (2, 2), 0),
    ]


def test_the_inspector_tells_the_attempts_of_8x2(figure_4_3):
    """The table has every size with what became of it, and b counts those sought after the whole."""
    trace = figure_4_3.trace(Request(5, (8, 2, 1)))
    table = figure_4_3.inspect(Moment(trace.before, trace.request, trace.steps)).panels[0]
    assert table.title == "Attempts"
    assert [row.cells for row in table.rows] == [
        ("whole", "8×2", "not free", "16"),
        ("b = 1", "7×2", "not free", "16"),
        ("b = 2", "6×2", "(0,0)–(5,1)", "4"),
        ("", "6×2", "12 processors are too many", "4"),
        ("", "5×2", "10 processors are too many", "4"),
        ("", "4×2", "8 processors are too many", "4"),
        ("", "3×2", "6 processors are too many", "4"),
        ("b = 3", "2×2", "(2,2)–(3,3)", "0"),
    ]


def test_the_inspector_has_the_boxes_taken_so_far_in_the_busy_list(figure_4_3):
    """While the second box is sought, the first is already an obstacle, and none but the job's own is new."""
    trace = figure_4_3.trace(Request(5, (8, 2, 1)))
    again = [i for i, step in enumerate(trace.steps) if figure_4_3.lines[step.line].label == "again"]
    busy = figure_4_3.inspect(Moment(trace.before, trace.request, trace.steps[: again[-1] + 3])).panels[1]
    assert [row.cells[2] for row in busy.rows if row.cells[1].job == 5] == ["(0,0)–(5,1)"]
    assert len(busy.rows) == 5


def test_the_order_of_processors_may_be_row_major_over_the_job():
    """With the option, the two boxes' processors are listed row by row through both."""
    cls = strategy("gabl")
    boxes = (flat_box(2, 0, 3, 1), flat_box(0, 0, 0, 1))
    assert cls(Mesh((4, 4))).nodes(boxes).tolist() == [2, 3, 6, 7, 0, 4]
    by_rows = cls(Mesh((4, 4)), cls.options_model(mapping="row-major"))
    assert by_rows.nodes(boxes).tolist() == [0, 2, 3, 4, 6, 7]


def test_boxes_never_grow_again():
    """After 2×2 failed, the free row of four is taken in two pieces (the help page's example)."""
    working = holding("gabl", (4, 4), [(0, 0, 3, 0)])
    boxes = working.allocate(Request(2, (6, 2, 1)))
    assert boxes == (flat_box(0, 1, 3, 2), flat_box(0, 3, 1, 3), flat_box(2, 3, 3, 3))


def test_in_3d_the_longest_side_is_shortened():
    """1×2×6 is taller than the 2×2×4 mesh, of which the top layer is busy: it gets 1×2×3 twice."""
    working = strategy("gabl")(Mesh((2, 2, 4)))
    working.replay(Request(1, (2, 2, 1)), (Box(0, 0, 3, 2, 2, 1),))
    assert working.allocate(Request(2, (1, 2, 6))) == (Box(0, 0, 0, 1, 2, 3), Box(1, 0, 0, 1, 2, 3))
    assert working.part_attempts == 4


def nodes_of(busy):
    """The nodes of a captured busy list."""
    return {
        node
        for x1, y1, z1, x2, y2, z2, _ in busy.tolist()
        for node in naive.nodes((x1, y1, z1, x2 - x1 + 1, y2 - y1 + 1, z2 - z1 + 1))
    }


@pytest.mark.parametrize("name", ["gabl", "arsgabl"])
@cases(150)
@given(data=st.data())
def test_it_succeeds_exactly_when_enough_processors_are_free(name, data):
    """Dynamically optimal; one box, in the first shape that is free anywhere; else ever smaller boxes."""
    story = data.draw(stories(Case(name, ())))
    stage = StoryRun(Case(name, ()).make, story.mesh)
    for answer in stage.play(story.acts):
        held = dict.fromkeys(nodes_of(answer.before["busy"]), 0)
        asked = answer.request.size
        assert (answer.outcome is not None) == (prod(asked) <= story.mesh.processors - len(held))
        if answer.outcome is None:
            continue
        shapes = stage.working.wholes(asked)
        free = [shape for shape in shapes if naive.all_free_bases(held, story.mesh.extents, shape)]
        if free:
            assert [box.size for box in answer.outcome] == [free[0]]
        else:
            volumes = [box.volume for box in answer.outcome]
            assert len(volumes) > 1
            assert volumes == sorted(volumes, reverse=True)


@cases(100)
@given(data=st.data())
def test_it_counts_the_attempts_of_step_6(data):
    """The paper's b: the searches made after that for the whole, as the naive version counts them."""
    story = data.draw(stories(Case("gabl", ())))
    stage = Stage(Case("gabl", ()), story.mesh)
    assert isinstance(stage.twin, Greedy)
    for _ in stage.play(story.acts):
        assert stage.working.part_attempts == stage.twin.attempts
