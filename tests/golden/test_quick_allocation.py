"""Quick Allocation against 004 §2: the last covered columns, complete recognition, and what a sweep costs."""

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


def at_work(shape, *boxes):
    """Quick Allocation on a mesh of which some boxes are held, by jobs from 100 on."""
    working = strategy("qa")(Mesh(shape))
    for job, box in enumerate(boxes, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    return working


def columns(working, size, until):
    """The last covered column of each row, the lowest row first, after the first step of that label."""
    request = Request(1, size)
    trace = working.trace(request)
    labels = [working.lines[step.line].label for step in trace.steps]
    moment = Moment(trace.before, request, trace.steps[: labels.index(until) + 1])
    table = working.inspect(moment).panels[1]
    return [row.cells[1] for row in reversed(table.rows)]


def test_last_covered_columns():
    """004 §2: the rightmost covered node of each row; rows too high for the request have none."""
    held = [(4, 1, 0, 2, 1, 1), (0, 0, 0, 2, 2, 1), (1, 2, 0, 4, 2, 1)]
    assert columns(at_work((8, 5), *held), (3, 2, 1), "found") == ["5", "5", "4", "4", "too high"]
    assert columns(at_work((8, 5), *held), (3, 2, 1), "turn") == ["none"] * 4 + ["too high"]


def test_a_gap_before_the_next_box_is_a_base():
    """Between what the boxes on the left and the next one cover there is a column left: no scan is made."""
    working = at_work((9, 2), (0, 0, 0, 2, 2, 1), (5, 0, 0, 4, 1, 1))
    trace = working.trace(Request(1, (3, 1, 1)))
    steps = [(working.lines[step.line].label, step.marks[0].box) for step in trace.steps]
    assert steps == [
        ("turn", Box(0, 0, 0, 3, 1, 1)),
        ("cover", Box(0, 0, 0, 2, 2, 1)),
        ("move", Box(0, 0, 0, 2, 1, 1)),
        ("move", Box(0, 1, 0, 2, 1, 1)),
        ("cover", Box(3, 0, 0, 6, 1, 1)),
        ("gap", Box(2, 0, 0, 1, 1, 1)),
        ("found", Box(2, 0, 0, 3, 1, 1)),
    ]
    assert working.operations == 3


def test_the_list_is_kept_in_order_of_left_columns():
    """The sweep rests on it; boxes of one left column stay in the order in which they came."""
    working = at_work((6, 6), (4, 0, 0, 1, 1, 1), (0, 3, 0, 1, 1, 1), (4, 2, 0, 2, 1, 1), (2, 0, 0, 1, 1, 1))
    assert working.capture()["busy"][:, [0, 6]].tolist() == [[0, 101], [2, 103], [4, 100], [4, 102]]
    working.release(100)
    assert working.capture()["busy"][:, 6].tolist() == [101, 103, 102]


def test_the_request_is_turned_when_no_row_has_a_base():
    """004 §2: 4×1 does not fit anywhere, 1×4 does."""
    working = at_work((4, 4), (0, 0, 0, 3, 4, 1))
    assert working.allocate(Request(1, (4, 1, 1))) == (Box(3, 0, 0, 1, 4, 1),)


@cases(200)
@given(data=st.data())
def test_it_is_complete(data):
    """004 table 2: the first orientation for which brute force finds a base has one, or none has."""
    case = Case("qa", ())
    story = data.draw(stories(case))
    stage = StoryRun(case.make, story.mesh)
    for answer in stage.play(story.acts):
        mine = answer.request.job
        held = {n: j for j, got in stage.held.items() if j != mine for box in got for n in naive.nodes(box)}
        turns = stage.working.turns(answer.request.size)
        bases = {turn: naive.all_free_bases(held, story.mesh.extents, turn) for turn in turns}
        possible = [turn for turn in turns if bases[turn]]
        assert [box.size for box in answer.outcome or ()] == possible[:1]
        if answer.outcome is not None:
            assert answer.outcome[0].base in bases[possible[0]]


def test_nothing_is_swept_on_an_empty_machine():
    """However large the mesh, its lowest row is the only one looked at."""
    working = at_work((64, 64))
    assert working.allocate(Request(1, (9, 9, 1))) == (Box(0, 0, 0, 9, 9, 1),)
    assert working.operations == 1


@pytest.mark.parametrize("side", [4, 8, 16, 32])
def test_a_sweep_looks_at_the_rows_each_box_covers(side):
    """004 table 2, O(b·N_B): a box costs its rows, and in the end each row one more look."""
    spots = [(x, y, 0, 1, 1, 1) for y, x in product(range(1, side, 2), range(1, side, 2))]
    working = at_work((side, side), *spots)
    assert working.allocate(Request(1, (2, 2, 1))) is None
    boxes, rows = len(spots), side - 1
    in_the_highest_row = side // 2  # these cover only one row of bases inside the mesh
    assert working.operations == 2 * boxes - in_the_highest_row + rows


def test_what_the_inspector_shows():
    """The busy list in the sweep's order with what each box covers, and the covered bases on the mesh."""
    working = at_work((9, 2), (5, 0, 0, 4, 1, 1), (0, 0, 0, 2, 2, 1))
    request = Request(1, (3, 1, 1))
    trace = working.trace(request)
    busy, last, grid = working.inspect(Moment(trace.before, request, trace.steps)).panels
    assert [[getattr(cell, "text", cell) for cell in row.cells] for row in busy.rows] == [
        ["101", "(0,0)–(1,1)", "(0,0)–(1,1)"],
        ["100", "(5,0)–(8,0)", "(3,0)–(8,0)"],
    ]
    assert [row.cells for row in last.rows] == [("1", "1"), ("0", "1")]
    labels = {value.value: value.label for value in grid.legend}
    assert [labels[n] for n in grid.values[0, 0].tolist()] == [
        *["busy"] * 2, "base", *["not covered so far"] * 2, *["busy"] * 4,
    ]  # fmt: skip


def test_a_row_covered_up_to_its_first_column_is_told_and_marked():
    """Column 0 is a column: the row is not one of which nothing is covered."""
    working = at_work((5, 1), (0, 0, 0, 1, 1, 1), (3, 0, 0, 1, 1, 1))
    request = Request(1, (2, 1, 1))
    trace = working.trace(request)
    moments = [trace.moment(n) for n in range(1, len(trace.steps) + 1)]
    last = [working.inspect(moment).panels[1].rows[0] for moment in moments]
    assert (last[0].cells, last[0].mark) == (("0", "none"), None)
    covered = next(row for row in last if row.cells == ("0", "0"))
    assert covered.mark.box == Box(0, 0, 0, 1, 1, 1)
    said = [working.say(moment) for moment in moments]
    assert said[-2] == "Row 0 is covered up to column 0 and again from 2 on: (1,0) is a base."
