"""First Fit's search, which reads the free processors of a box from a table of sums, beside a plain count."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.bench.measurement import Measurement, alternate
from meshgui.engine.allocation.first_fit import FirstFit, find
from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import KernelStrategy
from meshgui.engine.geometry import Mesh, Size
from meshgui.engine.kernel import kernel, with_parts

__all__ = ["CountingFirstFit", "first_fit"]

_REPEATS: Final = 3
_REQUESTS: Final = 30
# The most that a search may cost beside the same with a plain count.
_BUDGETS: Final = {(8, 8, 8): 0.7, (32, 32, 32): 0.02, (128, 128): 0.01}


@kernel
def copy_busy(held: NDArray[np.int32], busy: NDArray[np.int32]) -> None:
    """Write 1 for each busy processor, where the search has its sums."""
    height, depth, width = held.shape
    for z in range(height):
        for y in range(depth):
            for x in range(width):
                busy[z, y, x] = 0 if held[z, y, x] == FREE else 1


@kernel
def count_busy(busy: NDArray[np.int32], x: int, y: int, z: int, w: int, d: int, h: int) -> int:
    """How many busy processors a box has, each looked at."""
    total = 0
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                total += busy[k, j, i]
    return total


class CountingFirstFit(FirstFit):
    """First Fit as figure 2.5 of 000 has it: every processor of every box is looked at."""

    kernels = FirstFit.kernels._replace(
        search=with_parts(find, "counting", sum_up=copy_busy, busy_in=count_busy)
    )


def _sizes(mesh: Mesh, seed: int) -> list[Size]:
    """Requests with sides of up to half the mesh's."""
    chosen = random.Random(seed)
    most = [max(side // 2, 1) for side in mesh.extents]
    return [
        (chosen.randint(1, most[0]), chosen.randint(1, most[1]), chosen.randint(1, most[2]))
        for _ in range(_REQUESTS)
    ]


def _full(cls: type[KernelStrategy], mesh: Mesh) -> KernelStrategy:
    """A machine on which some jobs have found no place, and every third has left."""
    working = cls(mesh)
    for job, size in enumerate(_sizes(mesh, 1)):
        working.allocate(Request(job, size))
    for job in range(0, _REQUESTS, 3):
        working.release(job)
    return working


def _search(working: KernelStrategy) -> float:
    """Seconds that the kernel takes for an attempt, on the mean; what is placed leaves at once."""
    took = 0
    for size in _sizes(working.mesh, 2):
        placed = working.allocate(Request(_REQUESTS, size)) is not None
        took += working.took
        if placed:
            working.release(_REQUESTS)
    return took * 1e-9 / _REQUESTS


def first_fit() -> Iterator[Measurement]:
    """An attempt of First Fit beside one that looks at each processor of each box."""
    for shape, budget in _BUDGETS.items():
        mesh = Mesh(shape)
        summed, counting = _full(FirstFit, mesh), _full(CountingFirstFit, mesh)
        if summed.operations != counting.operations:
            raise RuntimeError(f"{summed.operations} operations are not the {counting.operations} counted")
        fast, slow = alternate(partial(_search, summed), partial(_search, counting), repeats=_REPEATS)
        yield Measurement(
            "first-fit",
            f"an attempt on {mesh.describe()}",
            "µs",
            fast * 1e6,
            slow * 1e6,
            "each processor of each box counted",
            budget,
        )
