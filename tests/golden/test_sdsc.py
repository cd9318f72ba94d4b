"""The Paragon's anchor-block strategy of 001 §2: blocks, anchor, closeness, and that it never wastes any."""

import pytest

from tests.attempts import Attempt, ask, at_work, box, free_blocks

pytestmark = pytest.mark.kernel


def blocks(boxes):
    """Blocks as 001 writes them, ⟨x,y,side⟩."""
    return boxes and [(block.x, block.y, block.w) for block in boxes]


def distances(attempt, *labels):
    """What was measured, by the lower left corner of the place."""
    steps = zip(attempt.labels, attempt.trace.steps, strict=True)
    marks = [step.marks[0] for label, step in steps if label in labels]
    return {mark.box.base[:2]: mark.values[0] for mark in marks}


def test_figure_4_covers_a_12x10_mesh_with_nine_blocks():
    """001 figure 4: the largest powers of two first; in the state of figure 3(a) the anchor is ⟨2,0,2⟩."""
    assert free_blocks(at_work("sdsc", (12, 10))) == [
        (0, 0, 8), (8, 0, 4), (8, 4, 4), (0, 8, 2), (2, 8, 2), (4, 8, 2), (6, 8, 2), (8, 8, 2), (10, 8, 2)
    ]  # fmt: skip
    attempt = Attempt(at_work("sdsc", (8, 8), (0, 0, 2), (4, 0, 1), (4, 4, 1)), 5)
    assert blocks(attempt.boxes) == [(2, 0, 2), (4, 1, 1)]
    assert distances(attempt, "measure", "closest") == {
        (5, 0): 12, (4, 1): 8, (5, 1): 12, (5, 4): 24, (4, 5): 24, (5, 5): 28,
    }  # fmt: skip


def test_corner_is_compared_with_corresponding_corner_and_the_first_block_is_the_largest():
    """001 §2 and §3.3: level with either edge is as near; searched from the largest size down."""
    attempt = Attempt(at_work("sdsc", (8, 4)), 20)
    assert distances(attempt, "measure") == {(4, 0): 16, (6, 0): 24, (4, 2): 16, (6, 2): 24}
    assert blocks(attempt.boxes) == [(0, 0, 4), (4, 0, 2)]
    working = at_work("sdsc", (8, 8), (0, 0, 2), (4, 0, 2), (0, 4, 2), (4, 4, 2))
    assert blocks(ask(working, 16)) == [(2, 0, 2), (2, 2, 2), (6, 0, 2), (0, 2, 2)]
    boxes = ask(at_work("sdsc", (16, 16)), 64 + 2 * 16 + 3 * 4 + 1)
    assert [side for _, _, side in blocks(boxes)] == [8, 4, 4, 2, 2, 2, 1]
    working = at_work("sdsc", (8, 4), (1, 0, 1), (0, 1, 1), (1, 1, 1), (2, 0, 2), (0, 2, 2))
    assert blocks(ask(working, 4 + 1)) == [(2, 2, 2), (0, 0, 1)]


def test_it_takes_every_last_processor_and_buddies_merge_back_into_the_initial_blocks():
    """A job waits only for want of processors; when all have left, the mesh is as at first."""
    working = at_work("sdsc", (5, 3), *[(x, y, 1) for x in range(5) for y in range(3) if (x + y) % 2])
    assert ask(working, 9) is None
    assert len(ask(working, 8)) == 8
    assert free_blocks(working) == []
    working = at_work("sdsc", (12, 10))
    initial = free_blocks(working)
    for job, processors in enumerate([7, 30, 1, 12, 45]):
        assert ask(working, processors, job) is not None
    for job in (3, 0, 4, 2, 1):
        working.release(job)
    assert free_blocks(working) == initial


@pytest.mark.parametrize(("mapping", "nodes"), [("blocks", [2, 3, 6, 7, 5]), ("row-major", [2, 3, 5, 6, 7])])
def test_row_major_mapping_sorts_the_processors_over_all_blocks(mapping, nodes):
    """The option lays processes out row by row over the whole job instead of block by block."""
    working = at_work("sdsc", (4, 4), mapping=mapping)
    assert working.nodes((box(2, 0, 2), box(1, 1, 1))).tolist() == nodes
