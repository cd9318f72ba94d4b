"""Line Sweep by hand: which rectangles open and close on a line, and what its inspector shows of them."""

import pytest

from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.line_sweep import LineSweep
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel

# Heights of the columns on line 3 of a 7×4 mesh: 1 1 2 2 2 2 4.
STAIRS = [(0, 0, 0, 3, 1, 1), (3, 0, 0, 3, 1, 1), (0, 1, 0, 2, 2, 1), (2, 1, 0, 4, 1, 1)]


def at_work(shape, *boxes):
    """The strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    working = LineSweep(Mesh(shape))
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
    """The cells of a table."""
    return [row.cells for row in panel.rows]


def test_rectangles_open_where_columns_rise_and_close_where_they_fall():
    """Stairs up to the right edge: three are open there, and the highest closes first."""
    trace, labels, at = seen(at_work((7, 4), *STAIRS), (2, 2, 1))
    assert trace.boxes == (Box(2, 2, 0, 2, 2, 1),)
    last_line = labels[len(labels) - labels[::-1].index("row") :]
    assert last_line == ["open", "open", "open", "close", "close", "found"]
    opened, closed, _ = at("open", -1).panels
    assert cells(opened) == [("6", "4", "(6,0)–(6,3)"), ("2", "2", "(2,2)–(6,3)"), ("0", "1", "(0,3)–(6,3)")]
    assert cells(closed) == []
    opened, closed, _ = at("found").panels
    assert cells(opened) == [("0", "1", "(0,3)–(6,3)")]
    assert cells(closed) == [("(6,0)–(6,3)", "1×4", "too small"), ("(2,2)–(6,3)", "5×2", "holds it")]


def test_a_lower_rectangle_begins_where_the_higher_one_did():
    """A hill of two columns: behind it a rectangle of the lower height opens from the hill's first column."""
    # Heights on line 1 of a 4×2 mesh: 1 2 2 1.
    trace, _, at = seen(at_work((4, 2), (0, 0, 0, 1, 1, 1), (3, 0, 0, 1, 1, 1)), (4, 1, 1))
    assert trace.boxes == (Box(0, 1, 0, 4, 1, 1),)
    assert at("close", -1).says == (
        "Here is the right edge, so the rectangle (0,1)–(3,1) ends: 4×1, which holds the request."
    )
    # With heights 0 2 1 1 the lower one begins where the higher one did.
    _, _, at = seen(at_work((4, 2), (0, 0, 0, 1, 2, 1), (2, 0, 0, 2, 1, 1)), (3, 1, 1))
    assert (
        at("open", -1).says
        == "Column 2 is 1 high, more than what is open: a rectangle opens from column 1 on."
    )


def test_one_sweep_serves_both_orientations():
    """1×3 on an empty mesh lies down on the lowest row, where upright it would reach row 2."""
    trace, labels, _ = seen(at_work((7, 4)), (1, 3, 1))
    assert trace.boxes == (Box(0, 0, 0, 3, 1, 1),)
    assert labels == ["row", "open", "close", "found"]


def test_the_box_is_as_high_as_the_rectangle():
    """What does not fit on a line for want of height fits on the first line that is high enough."""
    trace, labels, at = seen(at_work((3, 5)), (3, 3, 1))
    assert trace.boxes == (Box(0, 0, 0, 3, 3, 1),)
    assert labels.count("row") == 3
    assert cells(at("found").panels[1]) == [("(0,0)–(2,2)", "3×3", "holds it")]


def test_a_line_past_the_highest_row_ends_it():
    """Five processors are free, but no two rows have three columns."""
    working = at_work((3, 3), (1, 0, 0, 2, 1, 1), (0, 2, 0, 1, 1, 1), (0, 1, 0, 1, 1, 1))
    trace, labels, at = seen(working, (3, 2, 1))
    assert (trace.outcome, labels[-1]) == (None, "fail")
    assert at("fail").says == "No rectangle below the highest row holds it, so the job waits."


def test_what_a_sweep_costs():
    """A row costs its columns and a look at each busy box, and each rectangle that closes one more."""
    working = at_work((6, 3), (0, 0, 0, 2, 3, 1))
    assert working.allocate(Request(1, (5, 1, 1))) is None
    assert working.operations == 3 * (6 + 1) + 3


def test_the_heights_are_shown_below_the_line():
    """Counted, in an open rectangle, and passed below a busy processor: each processor has its value."""
    _, _, at = seen(at_work((7, 4), *STAIRS), (2, 2, 1))
    grid = at("open", -1).panels[2]
    letters = dict(enumerate("abpcoh"))  # above, busy, passed, counted, open, here
    assert ["".join(letters[n] for n in row) for row in grid.values[0].tolist()] == [
        "bbbbbbh",
        "bbbbbbh",
        "bbooooh",
        "ooooooh",
    ]
