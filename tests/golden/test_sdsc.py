"""The Paragon's anchor-block strategy of 001 §2: blocks, anchor, closeness, and that it never wastes any."""

import pytest

from meshgui.engine.allocation.block_records import blocks_in
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.registry import strategy
from meshgui.engine.allocation.sdsc import CLOSEST, MEASURE
from meshgui.engine.basics.geometry import Box, Mesh

pytestmark = pytest.mark.kernel


def at_work(shape, *held):
    """The strategy on a mesh of which some blocks ⟨x,y,side⟩ are held, by jobs from 100 on."""
    working = strategy("sdsc")(Mesh(shape))
    for job, block in enumerate(held, start=100):
        working.replay(Request(job, (block[2], block[2], 1)), (Box(*block[:2], 0, block[2], block[2], 1),))
    return working


def asked(working, processors, job=1):
    """The blocks ⟨x,y,side⟩ a job gets."""
    boxes = working.allocate(Request(job, (processors, 1, 1)))
    return boxes and [(box.x, box.y, box.w) for box in boxes]


def free(working):
    """The free blocks ⟨x,y,side⟩, smallest first."""
    blocks = blocks_in(working.capture(), working.mesh.extents[0])
    return [(box.x, box.y, box.w) for box in sorted(blocks, key=lambda box: box.w)]


def test_figure_4_covers_a_12x10_mesh_with_nine_blocks():
    """001 figure 4: the largest powers of two first, ⟨0,0,8⟩ and on to ⟨10,8,2⟩."""
    assert set(free(at_work((12, 10)))) == {
        (0, 0, 8), (8, 0, 4), (8, 4, 4), (0, 8, 2), (2, 8, 2), (4, 8, 2), (6, 8, 2), (8, 8, 2), (10, 8, 2)
    }  # fmt: skip


def test_the_anchor_draws_the_second_block_near():
    """In the state of 001 figure 3(a) the anchor is ⟨2,0,2⟩ too, and ⟨4,1,1⟩ is closer to it than ⟨5,0,1⟩.

    The sums over the corners are 8 and 12 hops.
    """
    working = at_work((8, 8), (0, 0, 2), (4, 0, 1), (4, 4, 1))
    before = working.capture()
    trace = working.trace(Request(1, (5, 1, 1)))
    assert [(box.x, box.y, box.w) for box in trace.boxes] == [(2, 0, 2), (4, 1, 1)]
    measured = {
        step.marks[0].box.base[:2]: step.marks[0].values[0]
        for step in trace.steps
        if step.line in (MEASURE, CLOSEST)
    }
    assert measured == {(5, 0): 12, (4, 1): 8, (5, 1): 12, (5, 4): 24, (4, 5): 24, (5, 5): 28}
    assert working.inspect(Moment(before, Request(1, (5, 1, 1)), trace.steps)).says == (
        "The job gets (2,0)–(3,1) and (4,1)–(4,1)."
    )


def test_corner_is_compared_with_corresponding_corner():
    """001 §2: to a 4×4 anchor a 2×2 block level with its lower edge is as near as one at its upper."""
    working = at_work((8, 4))
    trace = working.trace(Request(1, (20, 1, 1)))
    measured = {
        step.marks[0].box.base[:2]: step.marks[0].values[0] for step in trace.steps if step.line == MEASURE
    }
    assert measured == {(4, 0): 16, (6, 0): 24, (4, 2): 16, (6, 2): 24}
    assert [(box.x, box.y, box.w) for box in trace.boxes] == [(0, 0, 4), (4, 0, 2)]


def test_the_first_block_is_the_largest():
    """001 §2: blocks are taken from the largest size down, so none is larger than the anchor."""
    sides = [side for _, _, side in asked(at_work((16, 16)), 64 + 2 * 16 + 3 * 4 + 1)]
    assert sides == [8, 4, 4, 2, 2, 2, 1]


def test_a_block_that_cannot_be_had_becomes_four():
    """001 §3.3: sixteen processors come as four 2×2 blocks where no 4×4 block is free, nearest first.

    Three of them are equally far from the anchor: the lowest are taken, the leftmost first.
    """
    working = at_work((8, 8), (0, 0, 2), (4, 0, 2), (0, 4, 2), (4, 4, 2))
    assert asked(working, 16) == [(2, 0, 2), (2, 2, 2), (6, 0, 2), (0, 2, 2)]


def test_small_free_blocks_are_used_before_a_large_one_is_split():
    """The block comes from the smallest size that will do, even if a place in a larger one were closer."""
    working = at_work((8, 4), (1, 0, 1), (0, 1, 1), (1, 1, 1), (2, 0, 2), (0, 2, 2))
    assert asked(working, 4 + 1) == [(2, 2, 2), (0, 0, 1)]


def test_it_takes_every_last_processor():
    """Neither internal nor external fragmentation: a job waits only for want of processors."""
    working = at_work((5, 3), *[(x, y, 1) for x in range(5) for y in range(3) if (x + y) % 2])
    assert asked(working, 9) is None
    assert len(asked(working, 8)) == 8
    assert free(working) == []


def test_buddies_merge_back_into_the_initial_blocks():
    """When all jobs have left, the free blocks are those of the empty mesh."""
    working = at_work((12, 10))
    initial = free(working)
    for job, processors in enumerate([7, 30, 1, 12, 45]):
        assert asked(working, processors, job) is not None
    for job in (3, 0, 4, 2, 1):
        working.release(job)
    assert free(working) == initial


def test_row_major_mapping_sorts_the_processors_over_all_blocks():
    """The option lays processes out row by row over the whole job instead of block by block."""
    cls = strategy("sdsc")
    boxes = (Box(2, 0, 0, 2, 2, 1), Box(1, 1, 0, 1, 1, 1))
    listed = {
        mapping: cls(Mesh((4, 4)), cls.options_model(mapping=mapping)).nodes(boxes).tolist()
        for mapping in ("blocks", "row-major")
    }
    assert listed == {"blocks": [2, 3, 6, 7, 5], "row-major": [2, 3, 5, 6, 7]}


def test_the_anchor_is_marked_while_distances_to_it_are_told():
    """Each step's own mark stands first, then the blocks taken before it, the anchor first."""
    working = at_work((4, 4))
    trace = working.trace(Request(1, (3, 2, 1)))
    last = [n for n, line in enumerate(trace.steps.lines().tolist()) if line == MEASURE][-1]
    marks = working.inspect(Moment(trace.before, trace.request, trace.steps[: last + 1])).marks
    assert marks[0] == trace.steps[last].marks[0]
    assert [mark.box for mark in marks[1:]] == list(trace.boxes[:2])


def test_the_marks_of_blocks_that_are_quartered_lie_on_the_mesh():
    """Four of half the side are wanted in place of each."""
    working = at_work((4, 4), (0, 0, 1), (2, 0, 1), (0, 2, 1), (2, 2, 1))
    trace = working.trace(Request(1, (4, 1, 1)))
    steps = [step for step in trace.steps if working.lines[step.line].label == "quarter"]
    assert [(step.marks[0].box, step.marks[0].values[1:]) for step in steps] == [
        (Box(0, 0, 0, 2, 2, 1), (1, 4)),
    ]
