"""Random against 001 §3.1: exactly the processors asked for, drawn fairly, and the same each time."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.inspection import Moment, Request
from meshgui.engine.allocation.random_choice import DRAW, RandomChoice
from meshgui.engine.basics.geometry import Mesh
from tests.scale import cases

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("shape", [(6, 5), (3, 4, 5)])
@cases(20)
@given(data=st.data())
def test_it_is_dynamically_optimal(shape, data):
    """001 corollary 1: whatever came and went, a request is met exactly if so many processors are free."""
    working = RandomChoice(Mesh(shape))
    present, free = [], prod(shape)
    for job in range(data.draw(st.integers(5, 25))):
        if present and data.draw(st.booleans()):
            gone, count = present.pop(data.draw(st.integers(0, len(present) - 1)))
            working.release(gone)
            free += count
        asked = data.draw(st.integers(1, prod(shape)))
        boxes = working.allocate(Request(job, (asked, 1, 1)))
        assert (boxes is not None) == (asked <= free)
        if boxes is not None:
            assert len(set(boxes)) == sum(box.volume for box in boxes) == asked
            present.append((job, asked))
            free -= asked


def test_the_draw_is_the_jobs_own():
    """The same seed and job draw the same from the same free processors, whatever happened before."""
    fresh, used = RandomChoice(Mesh((8, 8))), RandomChoice(Mesh((8, 8)))
    for job in range(5):
        used.allocate(Request(job, (3, 3, 1), seed=9))
    for job in range(5):
        used.release(job)
    ask = Request(7, (4, 3, 1), seed=2)
    assert fresh.allocate(ask) == used.allocate(ask)


@pytest.mark.parametrize("other", [Request(8, (4, 3, 1), seed=2), Request(7, (4, 3, 1), seed=3)])
def test_another_job_or_seed_draws_otherwise(other):
    """Twelve of 64 processors are not the same twice but by a freak of chance."""
    mesh = Mesh((8, 8))
    first = RandomChoice(mesh).allocate(Request(7, (4, 3, 1), seed=2))
    assert set(first) != set(RandomChoice(mesh).allocate(other))


def test_every_processor_is_drawn_about_as_often_and_at_every_turn():
    """001 §3.1: randomly selected. 1200 jobs of 3 on 12 processors: 300 times each, and 100 times first."""
    mesh = Mesh((4, 3))
    given_at = [dict.fromkeys(range(12), 0) for _ in range(3)]
    for job in range(1200):
        for turn, box in enumerate(RandomChoice(mesh).allocate(Request(job, (3, 1, 1), seed=1))):
            given_at[turn][box.y * 4 + box.x] += 1
    for counts in given_at:
        # Chi-square with 11 degrees of freedom exceeds 31 once in a thousand times.
        assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 31


def test_processes_follow_the_draw_unless_asked_otherwise():
    """001 table 2: latency less blocking is the same for all patterns, so the mapping gives no locality."""
    mesh, ask = Mesh((8, 8)), Request(1, (4, 4, 1), seed=1)
    drawn = RandomChoice(mesh)
    boxes = drawn.allocate(ask)
    places = [box.y * 8 + box.x for box in boxes]
    assert places != sorted(places)
    assert drawn.nodes(boxes).tolist() == places
    row_major = RandomChoice(mesh, BlockOptions(mapping="row-major"))
    assert row_major.allocate(ask) == boxes
    assert row_major.nodes(boxes).tolist() == sorted(places)


@pytest.mark.parametrize("side", [4, 16])
def test_its_work_grows_with_the_request_alone(side):
    """001 §3.1: allocation and giving back take O(k) steps, whatever the size of the mesh."""
    working = RandomChoice(Mesh((side, side)))
    working.allocate(Request(1, (3, 2, 1)))
    assert working.operations == 6
    working.release(1)
    assert working.operations == 12


def test_a_request_for_more_than_the_mesh_has_is_refused():
    """Any shape of as many processors as the mesh has will do, one more will not."""
    working = RandomChoice(Mesh((4, 3)))
    assert working.refusal((12, 1, 1)) is None
    assert "does not fit" in working.refusal((13, 1, 1))


def test_what_was_drawn_before_stays_marked():
    """The processor drawn now stands first, then those before it in the order drawn."""
    working = RandomChoice(Mesh((4, 4)))
    trace = working.trace(Request(1, (3, 1, 1)))
    draws = [n for n, line in enumerate(trace.steps.lines().tolist()) if line == DRAW]
    marks = working.inspect(Moment(trace.before, trace.request, trace.steps[: draws[2] + 1])).marks
    assert [mark.box for mark in marks] == [trace.boxes[n] for n in (2, 0, 1)]
