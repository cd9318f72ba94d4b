"""Adaptive Scan, then Multiple Buddy, against 000 §2.2.2: a rectangle first, otherwise blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.asmb import AdaptiveScanMultipleBuddy
from meshgui.engine.allocation.block_records import blocks_in, make
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request
from meshgui.engine.basics.geometry import Box, Mesh
from tests import naive
from tests.scale import cases
from tests.twins.mbs import SHAPES

pytestmark = pytest.mark.kernel


def flat(x, y, w, d):
    """A box of a 2D mesh."""
    return Box(x, y, 0, w, d, 1)


def at_work(shape, *held):
    """The strategy on a mesh of which some boxes are held, by jobs from 100 on."""
    working = AdaptiveScanMultipleBuddy(Mesh(shape))
    for job, box in enumerate(held, start=100):
        working.replay(Request(job, box.size), (box,))
    return working


def free_blocks(working):
    """The free blocks as the records have them, the largest first."""
    return blocks_in(working.capture(), working.mesh.extents[0])


# The free processors of 000 figure 2.11's kind: 2×8 in one piece, and two blocks of 2×2 apart from it.
FIGURE_2_11 = (*(flat(x, y, 2, 2) for x in (2, 6) for y in (0, 2, 4, 6)), flat(4, 2, 2, 2), flat(4, 6, 2, 2))


def test_a_rectangle_multiple_buddy_would_miss_is_found():
    """000 figure 2.11: 16 processors in one free 2×8 box, where Multiple Buddy gives four blocks apart."""
    assert at_work((8, 8), *FIGURE_2_11).allocate(Request(1, (2, 8, 1))) == (flat(0, 0, 2, 8),)


def test_a_rectangle_is_also_looked_for_turned():
    """000 §2.2.1: Adaptive Scan turns the request when the orientation asked for finds no room."""
    assert at_work((8, 8), *FIGURE_2_11).allocate(Request(1, (8, 2, 1))) == (flat(0, 0, 2, 8),)


def test_blocks_are_given_when_no_rectangle_is_free():
    """000 §2.2.2: where Adaptive Scan fails, the number of processors is met as Multiple Buddy would."""
    boxes = at_work((8, 8), *FIGURE_2_11).allocate(Request(1, (4, 4, 1)))
    assert boxes == (flat(0, 0, 2, 2), flat(4, 0, 2, 2), flat(0, 2, 2, 2), flat(0, 4, 2, 2))


def test_the_records_are_made_anew_after_a_rectangle():
    """What is free is cut into the largest blocks; buddies of which a rectangle took a part are broken."""
    working = at_work((4, 4))
    assert working.allocate(Request(1, (3, 2, 1))) == (flat(0, 0, 3, 2),)
    assert free_blocks(working) == [
        flat(0, 2, 2, 2), flat(2, 2, 2, 2), flat(3, 0, 1, 1), flat(3, 1, 1, 1),
    ]  # fmt: skip
    working.release(1)
    assert free_blocks(working) == [flat(0, 0, 4, 4)]


def test_blocks_merge_beside_rectangles():
    """Blocks freed one by one merge with what a rectangle has left of their buddies, once that is free."""
    held = (flat(1, 1, 2, 2), flat(0, 0, 1, 1), flat(3, 3, 1, 1))
    working = at_work((4, 4), *held)
    working.release(100)
    assert free_blocks(working)[:2] == [flat(2, 0, 2, 2), flat(0, 2, 2, 2)]
    working.release(101)
    assert free_blocks(working)[:3] == [flat(0, 0, 2, 2), flat(2, 0, 2, 2), flat(0, 2, 2, 2)]
    working.release(102)
    assert free_blocks(working) == [flat(0, 0, 4, 4)]
    working = at_work((4, 4), *held)
    for job in (102, 101):
        working.release(job)
        assert {block.w for block in free_blocks(working)} == {1}
    working.release(100)
    assert free_blocks(working) == [flat(0, 0, 4, 4)]


def test_a_request_longer_than_the_mesh_is_met_with_blocks():
    """No orientation fits, but the number of processors does."""
    working = at_work((4, 4))
    assert working.refusal((5, 2, 1)) is None
    assert working.allocate(Request(1, (5, 2, 1))) == (flat(0, 0, 2, 2), flat(2, 0, 2, 2), flat(0, 2, 1, 1),
                                                       flat(1, 2, 1, 1))  # fmt: skip
    assert working.refusal((17, 1, 1)) is not None


def test_what_is_counted():
    """Frames, boxes compared with them, and every block of the mesh when the records are made anew."""
    working = at_work((4, 4))
    blocks_of_all_sizes = 16 + 4 + 1
    working.allocate(Request(1, (3, 2, 1)))
    assert working.operations == 1 + blocks_of_all_sizes
    working.operations = 0
    working.release(1)
    assert working.operations == blocks_of_all_sizes


Acts = st.lists(st.tuples(st.booleans(), st.integers(0, 10_000), st.integers(1, 4)), max_size=40)


@cases(150)
@given(shape=SHAPES, acts=Acts)
def test_it_is_dynamically_optimal(shape, acts):
    """001 definition 4: any request up to what is free is met exactly, in one box if a free one exists."""
    mesh = Mesh(shape)
    working, held = AdaptiveScanMultipleBuddy(mesh), {}
    for job, (asks, number, rows) in enumerate(acts):
        taken = {node: owner for owner, boxes in held.items() for box in boxes for node in naive.nodes(box)}
        free = mesh.processors - len(taken)
        if asks and free >= rows:
            size = (number % (free // rows) + 1, rows, 1)
            boxes = working.allocate(Request(job, size))
            held[job] = boxes
            assert sum(box.volume for box in boxes) == size[0] * size[1]
            whole = any(
                naive.all_free_bases(taken, mesh.extents, turn) for turn in naive.turns(size, flat=True)
            )
            assert not whole or len(boxes) == 1
        elif held:
            leaving = list(held)[number % len(held)]
            del held[leaving]
            working.release(leaving)
        kept = working.capture()
        make(working.state)
        assert all(np.array_equal(kept[key], array) for key, array in working.capture().items())
    free = mesh.processors - sum(box.volume for boxes in held.values() for box in boxes)
    assert working.allocate(Request(1000, (free + 1, 1, 1))) is None


def test_both_structures_are_shown():
    """The scan with its jumps, then records and tree; a rectangle's parts are black once it is taken."""
    working = at_work((4, 4), flat(0, 0, 1, 1))
    trace = working.trace(Request(1, (3, 2, 1)))
    assert trace.outcome == (flat(1, 0, 3, 2),)
    first, last = (
        working.inspect(Moment(trace.before, trace.request, trace.steps[:count]))
        for count in (1, len(trace.steps))
    )
    assert [panel.title for panel in last.panels] == ["Jumps", "Scan", "Free block records", "Blocks"]
    tree = {node.label: node.kind for node in last.panels[3].nodes}
    assert tree["⟨0,0,4⟩"] == tree["⟨0,0,2⟩"] == NodeKind.INTERNAL
    assert tree["⟨2,0,2⟩"] == tree["⟨1,0,1⟩"] == tree["⟨1,1,1⟩"] == NodeKind.PLACED
    assert tree["⟨0,1,1⟩"] == tree["⟨0,2,2⟩"] == NodeKind.FREE
    assert tree["⟨0,0,1⟩"] == NodeKind.BUSY
    before = {node.label: node.kind for node in first.panels[3].nodes}
    assert before["⟨2,0,2⟩"] == NodeKind.FREE


def test_blocks_are_shown_after_a_vain_scan():
    """When the scan gives up, the jumps stay in view and the records tell what is wanted of each size."""
    working = at_work((3, 3), flat(1, 1, 1, 1))
    trace = working.trace(Request(1, (3, 2, 1)))
    shown = working.inspect(Moment(trace.before, trace.request, trace.steps))
    jumps, _, records, _ = shown.panels
    assert len(jumps.rows) > 0
    assert [row.cells[:2] for row in records.rows] == [("2×2", "0"), ("1×1", "0")]
    assert shown.says == "The job gets these 6 blocks."
