"""The plain count that First Fit's search is measured beside."""

import pytest

from meshgui.bench.first_fit import CountingFirstFit
from meshgui.engine.allocation.first_fit import FirstFit
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.basics.geometry import Mesh

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("shape", [(7, 5), (3, 4, 5)])
def test_a_plain_count_gives_the_same_boxes_and_operations(shape):
    """Otherwise the two would not be the same search."""
    summed, counting = FirstFit(Mesh(shape)), CountingFirstFit(Mesh(shape))
    for job, size in enumerate([(2, 2, 1), (3, 1, 1), (1, 3, 1), (4, 4, 1), (2, 3, 1), (1, 1, 1)]):
        request = Request(job, size)
        assert summed.allocate(request) == counting.allocate(request)
        if job % 2:
            summed.release(job)
            counting.release(job)
    assert summed.operations == counting.operations
