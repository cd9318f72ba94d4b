"""Adaptive Scan against 000 §2.2.1 and 004 §2: the scan's way, its jumps, turning, complete recognition."""

from itertools import product

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


def told(working, size):
    """The steps of an attempt: each line's label and the base it is about, and what came out."""
    trace = working.trace(Request(1, size))
    steps = [(working.lines[step.line].label, step.marks[0].box.base[:2]) for step in trace.steps]
    return steps, trace.boxes


def test_the_scan_goes_up_by_single_rows_and_right_past_busy_boxes():
    """000 §2.2.1: one row at a time, and in a row from box to box."""
    working = at_work("as", (7, 4), (1, 0, 0, 3, 1, 1), (5, 1, 0, 1, 1, 1))
    assert told(working, (3, 2, 1)) == (
        [
            ("turn", (0, 0)),
            ("row", (0, 0)),
            ("jump", (0, 0)),
            ("jump", (4, 0)),
            ("edge", (6, 0)),
            ("row", (0, 1)),
            ("found", (0, 1)),
        ],
        (Box(0, 1, 0, 3, 2, 1),),
    )


def test_a_jump_lands_right_of_the_box_in_the_way():
    """The column after the box is the next that could be a base."""
    working = at_work("as", (8, 1), (2, 0, 0, 4, 1, 1))
    steps, boxes = told(working, (2, 1, 1))
    assert boxes == (Box(0, 0, 0, 2, 1, 1),)
    steps, boxes = told(working, (2, 1, 1))
    assert steps[2:] == [("jump", (0, 0)), ("jump", (2, 0)), ("found", (6, 0))]
    assert boxes == (Box(6, 0, 0, 2, 1, 1),)


def test_the_request_is_turned_when_no_row_has_room():
    """004 §2: the search is done again for h×w after w×h has failed."""
    steps, boxes = told(at_work("as", (4, 4), (0, 0, 0, 3, 4, 1)), (4, 1, 1))
    assert [label for label, _ in steps].count("turn") == 2
    assert steps[-1] == ("found", (3, 0))
    assert boxes == (Box(3, 0, 0, 1, 4, 1),)


@cases(200)
@given(data=st.data())
def test_it_is_complete_and_finds_the_lowest_leftmost_box(data):
    """004 table 2: a box is found exactly when brute force finds one in either orientation."""
    case = Case("as", ())
    story = data.draw(stories(case))
    stage = StoryRun(case.make, story.mesh)
    for answer in stage.play(story.acts):
        mine = answer.request.job
        held = {n: j for j, got in stage.held.items() if j != mine for box in got for n in naive.nodes(box)}
        expected = None
        for turn in reversed(stage.working.turns(answer.request.size)):
            bases = naive.all_free_bases(held, story.mesh.extents, turn)
            if bases:
                expected = (Box(*min(bases, key=lambda base: base[::-1]), *turn),)
        assert answer.outcome == expected


@pytest.mark.parametrize("side", [4, 8, 16])
def test_each_frame_is_compared_with_each_busy_box(side):
    """004 table 2, O(ab·N_B): a frame costs one look and as many comparisons as boxes, until one meets it."""
    spots = [(x, y, 0, 1, 1, 1) for y, x in product(range(1, side, 2), range(1, side, 2))]
    working = at_work("as", (side, side), *spots)
    assert working.allocate(Request(1, (2, 2, 1))) is None
    half = side // 2
    # Frames stand at columns 0, 2, 4 … of every row but the highest; two rows of them meet one row of boxes.
    met = [(y // 2) * half + x // 2 + 1 for y in range(side - 1) for x in range(0, side - 1, 2)]
    assert working.operations == len(met) + sum(met)


def test_what_the_inspector_shows():
    """The jumps so far, and on the mesh what was tried, what was passed over, and where the scan stands."""
    working = at_work("as", (7, 4), (1, 0, 0, 3, 1, 1), (5, 1, 0, 1, 1, 1))
    request = Request(1, (3, 2, 1))
    trace = working.trace(request)
    table, grid = working.inspect(Moment(trace.before, request, trace.steps[:4])).panels
    assert [[getattr(cell, "text", cell) for cell in row.cells] for row in table.rows] == [
        ["(0,0)", "100", "(1,0)–(3,0)", "(4,0)"],
        ["(4,0)", "101", "(5,1)–(5,1)", "(6,0)"],
    ]
    assert [row.current for row in table.rows] == [False, True]
    labels = {value.value: value.label for value in grid.legend}
    assert [labels[n] for n in grid.values[0, 0].tolist()] == [
        "a base tried", "busy", "busy", "busy", "the scan's position", "passed over", "still to be scanned",
    ]  # fmt: skip
    assert grid.path.tolist() == [[0, 0, 0], [4, 0, 0]]
