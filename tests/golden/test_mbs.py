"""Multiple Buddy against 001 figures 3 and 4 and definition 4, and against its own records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.block_lists import make
from meshgui.engine.basics.geometry import Mesh
from tests.attempts import ask, at_work, box, free_blocks
from tests.scale import cases
from tests.twins.mbs import SHAPES, initial_blocks
from tests.twins.mbs import MultipleBuddy as Twin
from tests.twins.mbs import records as twins_records

pytestmark = pytest.mark.kernel


def records(working):
    """The bases in each record that is not empty, by side, in the order of the record."""
    found = {}
    for *base, side in free_blocks(working):
        found.setdefault(side, []).append(tuple(base))
    return found


FIGURE_3A = ((0, 0, 2), (4, 0, 1), (4, 4, 1))


def test_initial_blocks_of_figure_4():
    """Figure 4: a 12×10 mesh is one 8×8 block, two of 4×4 and six of 2×2, in this order."""
    assert free_blocks(at_work("mbs", (12, 10))) == [
        (0, 0, 8), (8, 0, 4), (8, 4, 4), (0, 8, 2), (2, 8, 2), (4, 8, 2), (6, 8, 2), (8, 8, 2), (10, 8, 2),
    ]  # fmt: skip


@cases(60)
@given(shape=st.one_of(st.tuples(*[st.integers(1, 20)] * 2), st.tuples(*[st.integers(1, 7)] * 3)))
def test_initial_blocks_are_the_greedy_largest(shape):
    """On any mesh: the largest square, in 3D cube, of a power of two that still fits, lowest first."""
    expected = [(*(x, y, z)[: len(shape)], side) for z, y, x, side in initial_blocks(*shape)]
    assert free_blocks(at_work("mbs", shape)) == expected


def test_five_processors_of_figure_3a_and_records_of_figure_3a():
    """A job for 5 gets ⟨2,0,2⟩ and ⟨5,0,1⟩, and no more; one 4×4 block is whole, buddies are in order."""
    assert ask(at_work("mbs", (8, 8), *FIGURE_3A), 5) == (box(2, 0, 2), box(5, 0, 1))
    assert records(at_work("mbs", (8, 8), *FIGURE_3A)) == {
        4: [(0, 4)],
        2: [(2, 0), (6, 0), (0, 2), (2, 2), (4, 2), (6, 2), (6, 4), (4, 6), (6, 6)],
        1: [(5, 0), (4, 1), (5, 1), (5, 4), (4, 5), (5, 5)],
    }


def test_sixteen_processors_of_figure_3b():
    """001 figure 3(b): no 4×4 block is free; algorithms 2 and 3: sizes are searched upwards."""
    working = at_work("mbs", (8, 8), (0, 0, 2), (6, 0, 2), (0, 6, 2), (4, 4, 2))
    assert set(records(working)) == {2}
    assert ask(working, (4, 4)) == (box(2, 0, 2), box(4, 0, 2), box(0, 2, 2), box(2, 2, 2))
    working = at_work("mbs", (12, 10))
    assert ask(working, 1, 1) == (box(0, 8, 1),)
    assert records(working)[1] == [(1, 8), (0, 9), (1, 9)]
    assert ask(working, (8, 4), 2) == (box(8, 0, 4), box(8, 4, 4))
    assert ask(working, (4, 4), 3) == (box(0, 0, 4),)
    assert records(working)[4] == [(4, 0), (0, 4), (4, 4)]
    working = at_work("mbs", (6, 4))  # one 4×4 block and two of 2×2
    assert ask(working, (6, 4)) == (box(0, 0, 4), box(4, 0, 2), box(4, 2, 2))
    assert [block.w for block in ask(at_work("mbs", (6, 4), (0, 0, 1)), (4, 4))] == [2, 2, 2, 2]
    # In 3×3 there are one 2×2 block and five processors.
    assert [block.w for block in ask(at_work("mbs", (3, 3)), 8)] == [2, 1, 1, 1, 1]


def test_a_freed_block_merges_with_its_buddies_only():
    """001 §3.3.4: four free buddies become one block; four others that form a square do not."""
    working = at_work("mbs", (4, 4), (0, 0, 2), (2, 0, 2), (0, 2, 2), (2, 2, 2))
    for job in (100, 101, 102):
        working.release(job)
        assert set(records(working)) == {2}
    working.release(103)
    assert free_blocks(working) == [(0, 0, 4)]
    assert set(records(at_work("mbs", (4, 4), (0, 0, 1), (3, 0, 1), (0, 3, 1), (3, 3, 1)))) == {1}


@pytest.mark.parametrize("block", [(1, 1, 1), (0, 0, 2), (0, 0, 4)])
def test_a_block_that_is_not_free_cannot_be_taken(block):
    """A block that is held, whole or in part, is refused rather than taken twice."""
    with pytest.raises(ValueError, match="is not free"):
        at_work("mbs", (6, 4), (1, 1, 1), block)


def test_a_contiguous_submesh_can_be_missed():
    """000 figure 2.11: four blocks apart, though a box is free; 001 algorithm 3, and what costs one."""
    held = [*((x, y, 2) for x in (2, 6) for y in (0, 2, 4, 6)), (4, 2, 2), (4, 6, 2)]
    boxes = ask(at_work("mbs", (8, 8), *held), (2, 8))
    assert boxes == (box(0, 0, 2), box(4, 0, 2), box(0, 2, 2), box(0, 4, 2))
    working = at_work("mbs", (4, 4), (0, 0, 1))
    assert ask(working, (4, 4)) is None
    assert working.operations == 1
    assert ask(working, (5, 3)) is not None
    working = at_work("mbs", (4, 4))
    ask(working, 1)
    own_record, larger_records, buddies_made, taken = 1, 2, 2 * 4, 1
    assert working.operations == own_record + larger_records + buddies_made + taken
    working.operations = 0
    working.release(1)
    assert working.operations == 1 + 3 + 3


def cube(x, y, z, side):
    """A block of a 3D mesh."""
    return box(x, y, z, side, side, side)


def test_octants_of_a_cube():
    """Worked by hand on 4×4×4: 9 is 11 in base 8, 24 is 30, 31 is 37; a merge takes all eight octants."""
    assert free_blocks(at_work("mbs", (5, 4, 6)))[:5] == [
        (0, 0, 0, 4), (0, 0, 4, 2), (2, 0, 4, 2), (0, 2, 4, 2), (2, 2, 4, 2),
    ]  # fmt: skip
    working = at_work("mbs", (4, 4, 4))
    assert ask(working, 9, 0) == (cube(0, 0, 0, 2), cube(2, 0, 0, 1))
    own_records, larger_records, made, taken = 2, 2, 8 + 8, 2
    assert working.operations == own_records + larger_records + made + taken
    assert ask(working, 24, 1) == (cube(0, 2, 0, 2), cube(2, 2, 0, 2), cube(0, 0, 2, 2))
    units = ((3, 0, 0), (2, 1, 0), (3, 1, 0), (2, 0, 1), (3, 0, 1), (2, 1, 1), (3, 1, 1))
    assert records(working) == {2: [(2, 0, 2), (0, 2, 2), (2, 2, 2)], 1: list(units)}
    assert ask(working, 31, 2) == (
        cube(2, 0, 2, 2), cube(0, 2, 2, 2), cube(2, 2, 2, 2), *(cube(*unit, 1) for unit in units),
    )  # fmt: skip
    assert ask(working, 1, 3) is None
    working.release(0)
    assert records(working) == {2: [(0, 0, 0)], 1: [(2, 0, 0)]}
    working.release(2)
    assert records(working) == {2: [(0, 0, 0), (2, 0, 0), (2, 0, 2), (0, 2, 2), (2, 2, 2)]}
    working.release(1)
    assert records(working) == {4: [(0, 0, 0)]}


def test_eight_blocks_for_a_missing_cube():
    """3×3×2 has one 2×2×2 block and ten processors: the second that 16 is written with is eight of those."""
    boxes = ask(at_work("mbs", (3, 3, 2)), 16)
    assert [block.volume for block in boxes] == [8, *[1] * 8]


@cases(100)
@given(shape=SHAPES, acts=st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), max_size=40))
def test_records_follow_from_the_free_processors(shape, acts):
    """Broken and merged one by one, or made again from what is free: the same, and the twin's."""
    mesh = Mesh(shape)
    working, twin = at_work("mbs", shape), Twin(mesh.extents, len(shape) == 2, {})
    present = []
    for job, (asks, number) in enumerate(acts):
        if asks:
            size = (number % mesh.processors + 1, 1, 1)
            boxes = ask(working, size, job)
            assert twin.allocate(job, size) == (boxes and list(boxes))
            present += [job] * (boxes is not None)
        elif present:
            leaving = present.pop(number % len(present))
            working.release(leaving)
            twin.release(leaving)
        kept = working.capture()
        assert records(working) == twins_records(twin)
        make(working.state)
        assert all(np.array_equal(kept[key], array) for key, array in working.capture().items())
