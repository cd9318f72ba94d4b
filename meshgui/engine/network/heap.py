"""A heap of numbered things, such as packets or jobs: the lowest key first, then the lowest number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel


@kernel
def push(heap: NDArray[np.int32], size: int, keys: NDArray[np.int64], number: int) -> None:
    """Put a number into the heap, which holds `size` numbers."""
    at = size
    while at > 0:
        above = (at - 1) // 2
        other = heap[above]
        if keys[other] < keys[number] or (keys[other] == keys[number] and other < number):
            break
        heap[at] = other
        at = above
    heap[at] = number


@kernel
def pop(heap: NDArray[np.int32], size: int, keys: NDArray[np.int64]) -> int:
    """Take the first number out of the heap."""
    top = int(heap[0])
    number = heap[size - 1]
    size -= 1
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        left, right = heap[below], heap[min(below + 1, size - 1)]
        if keys[right] < keys[left] or (keys[right] == keys[left] and right < left):
            below += 1
            left = right
        if keys[number] < keys[left] or (keys[number] == keys[left] and number < left):
            break
        heap[at] = left
        at = below
    heap[at] = number
    return top
