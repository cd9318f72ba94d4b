"""Multiple Buddy against 001 figures 3 and 4 and definition 4, and against its own records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.block_records import blocks_in, make
from meshgui.engine.allocation.inspection import Moment, NodeKind, Request, Table, Tree
from meshgui.engine.allocation.mbs import MultipleBuddy
from meshgui.engine.basics.geometry import Box, Mesh
from tests.scale import cases
from tests.twins.mbs import SHAPES, initial_blocks
from tests.twins.mbs import MultipleBuddy as Twin
from tests.twins.mbs import records as twins_records

pytestmark = pytest.mark.kernel


def square(x, y, side):
    """A block as the paper writes it."""
    return Box(x, y, 0, side, side, 1)


def at_work(shape, *held):
    """MBS on a mesh some of whose blocks are held, by jobs from 100 on."""
    working = MultipleBuddy(Mesh(shape))
    for job, block in enumerate(held, start=100):
        working.replay(Request(job, square(*block).size), (square(*block),))
    return working


def free_blocks(working):
    """The free blocks as the records have them, the largest first."""
    return blocks_in(working.capture(), working.mesh.extents[0])


def records(working):
    """The bases in each record that is not empty, by side, in the order of the record."""
    found = {}
    for block in free_blocks(working):
        found.setdefault(block.w, []).append((block.x, block.y))
    return found


FIGURE_3A = ((0, 0, 2), (4, 0, 1), (4, 4, 1))


def test_initial_blocks_of_figure_4():
    """Figure 4: a 12×10 mesh is one 8×8 block, two of 4×4 and six of 2×2, in this order."""
    assert free_blocks(MultipleBuddy(Mesh((12, 10)))) == [
        square(0, 0, 8), square(8, 0, 4), square(8, 4, 4), square(0, 8, 2), square(2, 8, 2),
        square(4, 8, 2), square(6, 8, 2), square(8, 8, 2), square(10, 8, 2),
    ]  # fmt: skip


@cases(60)
@given(shape=st.tuples(st.integers(1, 20), st.integers(1, 20)))
def test_initial_blocks_are_the_greedy_largest(shape):
    """On any mesh: the largest square of a power of two that still fits, lowest row and leftmost first."""
    assert free_blocks(MultipleBuddy(Mesh(shape))) == [
        square(x, y, side) for y, x, side in initial_blocks(*shape)
    ]


def test_five_processors_of_figure_3a():
    """Figure 3(a): with three submeshes allocated, a job for 5 gets ⟨2,0,2⟩ and ⟨5,0,1⟩, and no more."""
    working = at_work((8, 8), *FIGURE_3A)
    assert working.allocate(Request(1, (5, 1, 1))) == (square(2, 0, 2), square(5, 0, 1))


def test_records_of_figure_3a():
    """Figure 3(a): one 4×4 block is left whole, and the buddies of what is held are on the lists in order."""
    assert records(at_work((8, 8), *FIGURE_3A)) == {
        4: [(0, 4)],
        2: [(2, 0), (6, 0), (0, 2), (2, 2), (4, 2), (6, 2), (6, 4), (4, 6), (6, 6)],
        1: [(5, 0), (4, 1), (5, 1), (5, 4), (4, 5), (5, 5)],
    }


def test_sixteen_processors_of_figure_3b():
    """Figure 3(b): where no 4×4 block is free, a job for 16 gets four blocks of 2×2."""
    working = at_work((8, 8), (0, 0, 2), (6, 0, 2), (0, 6, 2), (4, 4, 2))
    assert {block.w for block in free_blocks(working)} == {2}
    assert working.allocate(Request(1, (4, 4, 1))) == (
        square(2, 0, 2), square(4, 0, 2), square(0, 2, 2), square(2, 2, 2),
    )  # fmt: skip


def test_the_first_block_of_the_next_larger_size_is_broken():
    """001 algorithm 2: sizes are searched upwards, and the first block there is broken, repeatedly."""
    working = at_work((12, 10))
    assert working.allocate(Request(1, (1, 1, 1))) == (square(0, 8, 1),)
    assert records(working)[1] == [(1, 8), (0, 9), (1, 9)]
    assert working.allocate(Request(2, (8, 4, 1))) == (square(8, 0, 4), square(8, 4, 4))
    assert working.allocate(Request(3, (4, 4, 1))) == (square(0, 0, 4),)
    assert records(working)[4] == [(4, 0), (0, 4), (4, 4)]


def test_what_is_missing_is_made_of_smaller_blocks():
    """001 algorithm 3: what there is of a size is given first; each block missing becomes four."""
    working = at_work((6, 4))  # one 4×4 block and two of 2×2
    assert working.allocate(Request(1, (6, 4, 1))) == (square(0, 0, 4), square(4, 0, 2), square(4, 2, 2))
    working = at_work((6, 4), (0, 0, 1))
    assert [box.w for box in working.allocate(Request(1, (4, 4, 1)))] == [2, 2, 2, 2]
    working = at_work((3, 3))  # one 2×2 block and five processors
    assert [box.w for box in working.allocate(Request(1, (8, 1, 1)))] == [2, 1, 1, 1, 1]


def test_a_freed_block_merges_with_its_buddies_only():
    """001 §3.3.4: four free buddies become one block; four others that form a square do not."""
    working = at_work((4, 4), (0, 0, 2), (2, 0, 2), (0, 2, 2), (2, 2, 2))
    for job in (100, 101, 102):
        working.release(job)
        assert {block.w for block in free_blocks(working)} == {2}
    working.release(103)
    assert free_blocks(working) == [square(0, 0, 4)]
    middle = at_work((4, 4), (0, 0, 1), (3, 0, 1), (0, 3, 1), (3, 3, 1))
    assert {block.w for block in free_blocks(middle)} == {1}


def test_a_block_that_is_not_free_cannot_be_taken():
    """A block that is held, whole or in part, is refused rather than taken twice."""
    working = at_work((6, 4), (1, 1, 1))
    for block in (square(1, 1, 1), square(0, 0, 2), square(0, 0, 4)):
        with pytest.raises(ValueError, match="is not free"):
            working.replay(Request(1, block.size), (block,))


def test_a_contiguous_submesh_can_be_missed():
    """000 figure 2.11: 16 processors are given as four blocks apart, though a free 2×8 box exists."""
    working = at_work((8, 8), *((x, y, 2) for x in (2, 6) for y in (0, 2, 4, 6)), (4, 2, 2), (4, 6, 2))
    boxes = working.allocate(Request(1, (2, 8, 1)))
    assert boxes == (square(0, 0, 2), square(4, 0, 2), square(0, 2, 2), square(0, 4, 2))


def test_a_request_for_more_than_is_free_costs_one_look():
    """001 algorithm 3, step 1: only the number of free processors decides whether a job waits."""
    working = at_work((4, 4), (0, 0, 1))
    assert working.allocate(Request(1, (4, 4, 1))) is None
    assert working.operations == 1
    assert working.allocate(Request(1, (5, 3, 1))) is not None


def test_what_is_counted():
    """A record looked into, a block made, taken or put back, a buddy looked at in merging."""
    working = at_work((4, 4))
    working.allocate(Request(1, (1, 1, 1)))
    own_record, larger_records, buddies_made, taken = 1, 2, 2 * 4, 1
    assert working.operations == own_record + larger_records + buddies_made + taken
    working.operations = 0
    working.release(1)
    assert working.operations == 1 + 3 + 3


Acts = st.lists(st.tuples(st.booleans(), st.integers(0, 10_000)), max_size=40)


@cases(150)
@given(shape=SHAPES, acts=Acts)
def test_it_is_dynamically_optimal(shape, acts):
    """001 definition 4: whatever was given and taken back, any request up to what is free is met exactly."""
    mesh = Mesh(shape)
    working, sizes = MultipleBuddy(mesh), {}
    for job, (asks, number) in enumerate(acts):
        free = mesh.processors - sum(sizes.values())
        if asks and free:
            sizes[job] = number % free + 1
            boxes = working.allocate(Request(job, (sizes[job], 1, 1)))
            assert sum(box.volume for box in boxes) == sizes[job]
            assert sum(block.volume for block in free_blocks(working)) == free - sizes[job]
        elif sizes:
            leaving = list(sizes)[number % len(sizes)]
            del sizes[leaving]
            working.release(leaving)
    free = mesh.processors - sum(sizes.values())
    assert working.allocate(Request(1000, (free + 1, 1, 1))) is None


@cases(100)
@given(shape=SHAPES, acts=Acts)
def test_records_follow_from_the_free_processors(shape, acts):
    """Broken and merged one by one, or made anew from what is free: the same records, the twin's records."""
    mesh = Mesh(shape)
    working, twin, present = MultipleBuddy(mesh), Twin(mesh.extents, {}), []
    for job, (asks, number) in enumerate(acts):
        if asks:
            size = (number % mesh.processors + 1, 1, 1)
            boxes = working.allocate(Request(job, size))
            assert twin.allocate(job, size) == (None if boxes is None else [tuple(box) for box in boxes])
            if boxes is not None:
                present.append(job)
        elif present:
            leaving = present.pop(number % len(present))
            working.release(leaving)
            twin.release(leaving)
        kept = working.capture()
        assert records(working) == twins_records(twin)
        make(working.state)
        assert all(np.array_equal(kept[key], array) for key, array in working.capture().items())


def kinds(tree: Tree):
    """The kind of each node by its label."""
    return {node.label: node.kind for node in tree.nodes}


def test_the_block_tree_of_figure_3a():
    """The roots are the initial blocks; broken ones are grey, free ones white, held ones black."""
    working = at_work((8, 8), *FIGURE_3A)
    table, tree = working.inspect(Moment(working.capture())).panels
    assert isinstance(table, Table)
    assert isinstance(tree, Tree)
    assert [row.cells[:3] for row in table.rows] == [
        ("8×8", None, "0"), ("4×4", None, "1"), ("2×2", None, "9"), ("1×1", None, "6"),
    ]  # fmt: skip
    assert [node.label for node in tree.nodes if node.parent is None] == ["⟨0,0,8⟩"]
    seen = kinds(tree)
    assert seen["⟨0,0,8⟩"] == seen["⟨4,0,4⟩"] == seen["⟨4,4,2⟩"] == NodeKind.INTERNAL
    assert seen["⟨0,4,4⟩"] == seen["⟨2,0,2⟩"] == seen["⟨5,0,1⟩"] == NodeKind.FREE
    assert seen["⟨0,0,2⟩"] == seen["⟨4,0,1⟩"] == seen["⟨4,4,1⟩"] == NodeKind.BUSY
    assert "⟨0,0,1⟩" not in seen


def test_the_block_tree_grows_as_blocks_are_broken():
    """At the last step the records are those after the attempt, and what it got is marked."""
    working = at_work((12, 10))
    trace = working.trace(Request(1, (7, 1, 1)))
    shown = working.inspect(Moment(trace.before, trace.request, trace.steps))
    table, tree = shown.panels
    after, _ = working.inspect(Moment(working.capture())).panels
    assert [row.cells[2:] for row in table.rows] == [row.cells[2:] for row in after.rows]
    assert [row.cells[1] for row in table.rows] == ["0", "0", "0", "0"]
    placed = {node.label for node in tree.nodes if node.kind == NodeKind.PLACED}
    assert placed == {"⟨0,8,2⟩", "⟨2,8,1⟩", "⟨3,8,1⟩", "⟨2,9,1⟩"}
    assert shown.says == "The job gets these 4 blocks."


def test_a_long_record_says_how_many_more_there_are():
    """Twelve of its blocks are named."""
    working = MultipleBuddy(Mesh((8, 8)))
    for job in range(64):
        working.allocate(Request(job, (1, 1, 1)))
    for job in range(0, 64, 4):
        working.release(job)
    (table,) = [
        panel for panel in working.inspect(Moment(working.capture())).panels if isinstance(panel, Table)
    ][:1]
    (singles,) = [row.cells for row in table.rows if row.cells[0] == "1×1"]
    assert singles[2] == "16"
    assert singles[3].endswith(" and 4 more")
