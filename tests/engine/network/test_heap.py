"""The heap of numbered things gives them up in order of key, then of number."""

import numpy as np
import pytest

from meshgui.engine.network.heap import pop, push

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize("keys", [[5] * 9, [3, 1, 2, 1, 3, 2, 1, 3, 2], [9, 8, 7, 6, 5, 4, 3, 2, 1]])
@pytest.mark.parametrize("stride", [1, 2, 4, 5])
def test_equal_keys_come_out_by_number(keys, stride):
    """In whatever order they were put in."""
    heap, of = np.zeros(len(keys), dtype=np.int32), np.array(keys, dtype=np.int64)
    for size in range(len(keys)):
        push(heap, size, of, size * stride % len(keys))
    taken = [pop(heap, size, of) for size in range(len(keys), 0, -1)]
    assert taken == sorted(range(len(keys)), key=lambda number: (keys[number], number))
