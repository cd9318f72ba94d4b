"""Frame Sliding against 000 §2.2.1 and figure 2.3: where frames stand, and the free box they miss."""

from itertools import product

import pytest

from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive

pytestmark = pytest.mark.kernel


def at_work(shape, *boxes):
    """Frame Sliding on a mesh of which some boxes are held, by jobs from 100 on."""
    working = strategy("fs")(Mesh(shape))
    for job, box in enumerate(boxes, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    return working


def told(working, size):
    """The steps of an attempt: each line's label and the base it is about, and what came out."""
    trace = working.trace(Request(1, size))
    steps = [(working.lines[step.line].label, step.marks[0].box.base[:2]) for step in trace.steps]
    return steps, trace.boxes


# The figure's mesh, request and course; which processors are busy is not in the text, so these are made up.
FIGURE_2_3 = [(0, 0, 0, 1, 1, 1), (3, 1, 0, 2, 2, 1), (1, 2, 0, 2, 1, 1)]


def test_figure_2_3_misses_a_free_box():
    """3×2 on a 6×5 mesh: one frame, off the mesh, up by the length, no luck; and yet there is a free 3×2."""
    working = at_work((6, 5), *FIGURE_2_3)
    held = {node: 0 for box in FIGURE_2_3 for node in naive.nodes(box)}
    assert (0, 3, 0) in naive.all_free_bases(held, (6, 5, 1), (3, 2, 1))
    assert told(working, (3, 2, 1)) == (
        [
            ("held", (0, 0)),
            ("first", (1, 0)),
            ("met", (1, 0)),
            ("edge", (4, 0)),
            ("met", (0, 2)),
            ("met", (3, 2)),
            ("edge", (6, 2)),
            ("fail", (0, 0)),
        ],
        None,
    )


@pytest.mark.parametrize("name", ["ff", "bf", "as", "qa"])
def test_the_others_find_what_it_misses(name):
    """On the same machine the complete strategies place the request as it is."""
    working = strategy(name)(Mesh((6, 5)))
    for job, box in enumerate(FIGURE_2_3, start=100):
        working.replay(Request(job, Box(*box).size), (Box(*box),))
    assert working.allocate(Request(1, (3, 2, 1)))[0].size == (3, 2, 1)


def test_the_first_row_of_frames_begins_at_the_first_free_processor_and_later_ones_at_the_left_edge():
    """Frames step by the width, rows by the length; only the first row is shifted."""
    blocking = [(0, 0, 0, 2, 1, 1), (2, 1, 0, 1, 1, 1), (5, 1, 0, 1, 1, 1), (1, 3, 0, 1, 1, 1)]
    steps, boxes = told(at_work((8, 6), *blocking), (3, 2, 1))
    assert steps == [
        ("held", (0, 0)),
        ("first", (2, 0)),
        ("met", (2, 0)),
        ("met", (5, 0)),
        ("edge", (8, 0)),
        ("met", (0, 2)),
        ("found", (3, 2)),
    ]
    assert boxes == (Box(3, 2, 0, 3, 2, 1),)


def test_a_free_processor_without_room_for_a_frame_is_passed_over():
    """The first frame lies inside the mesh, so a free corner does not shift the rows of frames."""
    steps, boxes = told(at_work((6, 3), (0, 0, 0, 5, 1, 1)), (2, 2, 1))
    assert steps == [("held", (0, 0)), ("first", (0, 1)), ("found", (0, 1))]
    assert boxes == (Box(0, 1, 0, 2, 2, 1),)


def test_the_request_is_not_turned():
    """4×1 fits on no row of a machine whose only free processors stand in a column."""
    working = at_work((4, 4), (0, 0, 0, 3, 4, 1))
    assert working.allocate(Request(1, (4, 1, 1))) is None
    assert working.allocate(Request(1, (1, 4, 1))) == (Box(3, 0, 0, 1, 4, 1),)


def test_a_full_machine_has_no_first_frame():
    """Without a free processor that has room for a frame none is tried, and the sentence says so."""
    working = at_work((3, 2), (0, 0, 0, 3, 2, 1))
    trace = working.trace(Request(1, (1, 1, 1)))
    labels = [working.lines[step.line].label for step in trace.steps]
    assert labels == ["held", "held", "fail"]
    said = working.say(Moment(trace.before, trace.request, trace.steps))
    assert said == "No free processor has room for a frame, so the job waits."


@pytest.mark.parametrize("side", [4, 8, 16])
def test_each_frame_is_compared_with_each_busy_box(side):
    """004 table 2, O(ab·N_B): a frame costs one look and as many comparisons as boxes, until one meets it."""
    spots = [(x, y, 0, 1, 1, 1) for y, x in product(range(1, side, 2), range(1, side, 2))]
    working = at_work((side, side), *spots)
    assert working.allocate(Request(1, (2, 2, 1))) is None
    frames = boxes = len(spots)  # the first processor is free, so frames stand at even places
    in_vain = frames + boxes * (boxes + 1) // 2  # the nth frame meets the nth box
    assert working.operations == 1 + boxes + in_vain


def test_what_the_inspector_shows():
    """The frames tried and whom they met, and the same on the mesh."""
    working = at_work((6, 5), *FIGURE_2_3)
    request = Request(1, (3, 2, 1))
    trace = working.trace(request)
    table, grid = working.inspect(Moment(trace.before, request, trace.steps)).panels
    assert [(row.cells[1], row.cells[2].text, row.cells[2].job) for row in table.rows] == [
        ("(1,0)", "meets job 101", 101),
        ("(4,0)", "leaves the mesh", None),
        ("(0,2)", "meets job 102", 102),
        ("(3,2)", "meets job 101", 101),
        ("(6,2)", "leaves the mesh", None),
    ]
    labels = {value.value: value.label[0] for value in grid.legend}
    assert ["".join(labels[n] for n in row) for row in grid.values[0].tolist()] == [
        "biiiff",
        "fiibbf",
        "ibbbbi",
        "iiiiii",
        "ffffff",
    ]
