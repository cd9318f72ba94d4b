"""First Fit's search, which finds all free boxes from bits, beside a plain count and beside Busy List."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.bench.measurement import Measurement, alternate
from meshgui.engine.allocation.busy_list import BusyList
from meshgui.engine.allocation.first_fit import FirstFit, FirstFitState, count_busy, find
from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, KernelStrategy
from meshgui.engine.basics.geometry import Mesh, Size
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.translation import tr

_REPEATS: Final = 3
_REQUESTS: Final = 30
# The most that a search may cost beside the same with a plain count.
_BUDGETS: Final = {(8, 8, 8): 0.3, (32, 32, 32): 0.005, (128, 128): 0.002}
# And beside Busy List on the same machine: the fewer boxes on a larger one, the better for the list.
_BESIDE_A_LIST: Final = (128, 128)
_TIMES_A_LIST: Final = 4.0


@kernel
def count_everywhere(
    state: FirstFitState,
    turns: NDArray[np.int32],
    log: NDArray[np.int32] | None,  # noqa: ARG001
) -> tuple[int, int, int, int]:
    """First Fit's search as figure 2.5 of 000 has it: every processor of every box is looked at."""
    held = state.processors.held
    height, depth, width = held.shape
    outer, inner = (height, width) if state.bits.flat else (width, height)
    for t in range(turns.shape[0]):
        a, b, c = turns[t, 0], turns[t, 1], turns[t, 2]
        for i in range(outer):
            for y in range(depth):
                for k in range(inner):
                    x, z = (k, i) if state.bits.flat else (i, k)
                    state.tally[OPERATIONS] += 1
                    if held[z, y, x] != FREE:
                        continue
                    w, d, h = min(a, width - x), min(b, depth - y), min(c, height - z)
                    state.tally[OPERATIONS] += w * d * h
                    if w * d * h - count_busy(held, x, y, z, w, d, h)[0] == a * b * c:
                        return t, x, y, z
    return -1, 0, 0, 0


class CountingFirstFit(FirstFit):
    """First Fit by that search."""

    kernels = FirstFit.kernels._replace(search=with_parts(find, "counting", search=count_everywhere))


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
    """Seconds that the kernel takes for an attempt, on average; what is placed leaves at once."""
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
            tr("an attempt on {describe}").format(describe=mesh.describe()),
            "µs",
            fast * 1e6,
            slow * 1e6,
            tr("each processor of each box counted"),
            budget,
        )
    mesh = Mesh(_BESIDE_A_LIST)
    first, listed = _full(FirstFit, mesh), _full(BusyList, mesh)
    ours, its = alternate(partial(_search, first), partial(_search, listed), repeats=_REPEATS)
    yield Measurement(
        "first-fit",
        tr("an attempt on {describe}, compared with a list").format(describe=mesh.describe()),
        "µs",
        ours * 1e6,
        its * 1e6,
        tr("Busy List, the same requests"),
        _TIMES_A_LIST,
    )
