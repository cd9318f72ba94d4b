"""Adjacency by hand: how much of a box's border touches, which box that makes the best, and its inspector."""

import pytest

from meshgui.engine.allocation.adjacency import Adjacency
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel

# A gap of 3×1 between two boxes on the lowest row of a 6×4 mesh.
GAP = [(0, 0, 0, 2, 2, 1), (5, 0, 0, 1, 3, 1)]


def at_work(shape, *boxes, name="adj"):
    """The strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    working = strategy(name)(Mesh(shape))
    for job, box in enumerate(boxes, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    return working


def seen(working, size):
    """An attempt, and a function that inspects it at the nth step on a line of the pseudo-code."""
    request = Request(1, size)
    trace = working.trace(request)
    labels = [working.lines[step.line].label for step in trace.steps]

    def at(label, n=0):
        place = [k for k, other in enumerate(labels, start=1) if other == label][n]
        return working.inspect(Moment(trace.before, request, trace.steps[:place]))

    return trace, labels, at


def cells(panel):
    """The cells of a table, a job's as its text."""
    return [tuple(getattr(cell, "text", cell) for cell in row.cells) for row in panel.rows]


def test_a_box_goes_where_its_border_touches_most():
    """004 §1: the gap between two boxes, of whose eight places around five are busy or beyond the edge."""
    trace, _, at = seen(at_work((6, 4), *GAP), (3, 1, 1))
    assert trace.boxes == (Box(2, 0, 0, 3, 1, 1),)
    assert at("touch").says == (
        "The box (2,0)–(4,0) is free: 5 of the 8 places around it are busy or beyond the edge, "
        "3 of them beyond the edge."
    )
    assert cells(at("touch").panels[0]) == [
        ("left", "job 100", "1 of 1"),
        ("right", "job 101", "1 of 1"),
        ("below", "edge", "3 of 3"),
        ("above", "free", "3 of 3"),
    ]


def test_both_orientations_compete():
    """1×3 has room as asked, and is turned because it touches more so; Turning Best Fit takes it as asked."""
    assert at_work((6, 4), *GAP).allocate(Request(1, (1, 3, 1))) == (Box(2, 0, 0, 3, 1, 1),)
    assert at_work((6, 4), *GAP, name="tbf").allocate(Request(1, (1, 3, 1)))[0].size == (1, 3, 1)


def test_of_equals_the_first_is_taken():
    """On an empty mesh all four corners are alike: the lowest row, then the leftmost column."""
    trace, _, at = seen(at_work((4, 3)), (2, 1, 1))
    assert trace.boxes == (Box(0, 0, 0, 2, 1, 1),)
    assert at("keep").says == "It is the first: (0,0)–(1,0) is remembered."
    table = at("found").panels[1]
    assert [row[0] for row in cells(table) if row[4] == "3 of 6"] == [
        "(0,0)", "(2,0)", "(0,2)", "(2,2)", "(0,0)", "(3,0)", "(0,1)", "(3,1)",
    ]  # fmt: skip
    assert [row[:2] for row in cells(table) if row[5] == "best"] == [("(0,0)", "2×1")]


def test_a_later_box_must_touch_more():
    """The second that is remembered says by how much it is better."""
    _, _, at = seen(at_work((5, 2), (4, 0, 0, 1, 2, 1), (3, 0, 0, 1, 1, 1)), (1, 1, 1))
    assert at("keep", 1).says == "It touches 3 places, the best before it 2: (3,1)–(3,1) is remembered."


def test_a_box_may_touch_nothing():
    """In the middle of an empty mesh; beside a busy processor it says so in the singular."""
    working = at_work((5, 5), (0, 2, 0, 1, 1, 1))
    _, _, at = seen(working, (1, 1, 1))
    said = {
        inspection.marks[0].box.base: inspection.says for inspection in (at("touch", n) for n in range(16))
    }
    assert (
        said[2, 2, 0]
        == "The box (2,2)–(2,2) is free: none of the 4 places around it is busy or beyond the edge."
    )
    assert said[1, 2, 0] == "The box (1,2)–(1,2) is free: 1 of the 4 places around it is busy."
    assert said[1, 0, 0] == "The box (1,0)–(1,0) is free: 1 of the 4 places around it is beyond the edge."


def test_the_scan_goes_on_right_of_a_busy_box():
    """As in Adaptive Scan: no base up to that box's last column is looked at in this row."""
    _, labels, at = seen(at_work((4, 1), (1, 0, 0, 2, 1, 1)), (2, 1, 1))
    assert labels == ["turn", "jump", "fail"]
    assert at("jump").says == "The box (0,0)–(1,0) meets that of job 100: continue right of it, in column 3."
    assert at("jump").panels[2].values.ravel().tolist() == [-3, -2, -2, -1]


def test_touching_processors_are_marked():
    """The busy processors beside the box, side by side, and not those at its corners."""
    _, _, at = seen(at_work((4, 4), (0, 0, 0, 1, 4, 1), (1, 3, 0, 3, 1, 1)), (2, 2, 1))
    touching = at("touch", 2).marks
    assert [mark.box for mark in touching[1:]] == [Box(0, 1, 0, 1, 2, 1), Box(1, 3, 0, 2, 1, 1)]


def test_every_box_tried_is_compared_with_every_busy_one():
    """One for the box, one for each busy box it is compared with, and once more all where it is free."""
    working = at_work((3, 1), (2, 0, 0, 1, 1, 1))
    assert working.allocate(Request(1, (1, 1, 1))) == (Box(0, 0, 0, 1, 1, 1),)
    assert working.operations == 2 * (1 + 1 + 1) + 1 + 1


def test_it_is_found_by_its_id():
    """The registry has the class of this file."""
    assert strategy("adj") is Adjacency
