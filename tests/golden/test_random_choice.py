"""Random against 001 §3.1: drawn fairly, and the same each time."""

import pytest

from meshgui.engine.allocation.inspection import Request
from tests.attempts import ask, at_work

pytestmark = pytest.mark.kernel


def test_the_draw_is_the_jobs_own():
    """The same seed and job draw the same from the same free processors, whatever happened before."""
    fresh, used = at_work("random", (8, 8)), at_work("random", (8, 8))
    for job in range(5):
        used.allocate(Request(job, (3, 3, 1), seed=9))
    for job in range(5):
        used.release(job)
    request = Request(7, (4, 3, 1), seed=2)
    assert fresh.allocate(request) == used.allocate(request)


@pytest.mark.parametrize("other", [Request(8, (4, 3, 1), seed=2), Request(7, (4, 3, 1), seed=3)])
def test_another_job_or_seed_draws_otherwise(other):
    """Twelve of 64 processors are not the same twice but by a freak of chance."""
    requests = (Request(7, (4, 3, 1), seed=2), other)
    first, second = (set(at_work("random", (8, 8)).allocate(request)) for request in requests)
    assert first != second


def test_every_processor_is_drawn_about_as_often_and_at_every_turn():
    """001 §3.1: 1200 jobs of 3 on 12 processors; table 2: the mapping gives no locality."""
    drawn, working = [dict.fromkeys(range(12), 0) for _ in range(3)], at_work("random", (4, 3))
    for job in range(1200):
        for counts, node in zip(drawn, working.allocate(Request(job, (3, 1, 1), seed=1)), strict=True):
            counts[node.y * 4 + node.x] += 1
        working.release(job)
    for counts in drawn:
        # Chi-square with 11 degrees of freedom exceeds 31 once in a thousand times.
        assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 31
    drawn, row_major = at_work("random", (8, 8)), at_work("random", (8, 8), mapping="row-major")
    boxes = ask(drawn, (4, 4))
    places = [node.y * 8 + node.x for node in boxes]
    assert places != sorted(places)
    assert drawn.nodes(boxes).tolist() == places
    assert ask(row_major, (4, 4)) == boxes
    assert row_major.nodes(boxes).tolist() == sorted(places)


@pytest.mark.parametrize("side", [4, 16])
def test_its_work_grows_with_the_request_alone(side):
    """001 §3.1: allocation and giving back take O(k) steps, whatever the size of the mesh."""
    working = at_work("random", (side, side))
    ask(working, (3, 2))
    assert working.operations == 6
    working.release(1)
    assert working.operations == 12
