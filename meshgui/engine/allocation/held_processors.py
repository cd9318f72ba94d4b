"""The base of strategies that keep, for each processor, the job that holds it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, AnyState, KernelRequest, KernelStrategy
from meshgui.engine.allocation.steps import Log, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel

FREE: Final = -1
ENOUGH: Final = 0  # the first line of pseudo-code, where too few free processors end an attempt


class Processors(NamedTuple):
    """The part of a state that says who holds what."""

    held: Ints32  # [z, y, x]
    free: Ints  # one number: how many processors are free


def no_jobs(mesh: Mesh) -> Processors:
    """The processors of an empty machine."""
    return Processors(mesh.occupancy(), np.array([mesh.processors], dtype=np.int64))


@kernel
def too_few(state: AnyState, request: KernelRequest, log: Log) -> bool:
    """Whether fewer processors are free than a job asks for; that ends its attempt after one operation."""
    wanted, free = request.w * request.d * request.h, state.processors.free[0]
    if wanted <= free:
        return False
    state.tally[OPERATIONS] += 1
    note_numbers(log, ENOUGH, free, wanted)
    return True


@kernel
def take(state: AnyState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job, but for one that is not in the mesh: the run will find it."""
    height, depth, width = state.processors.held.shape
    for n in range(count):
        x, y, z, w, d, h = boxes[n]
        if min(x, y, z) < 0 or x + w > width or y + d > depth or z + h > height:
            continue
        for k in range(z, z + h):
            for j in range(y, y + d):
                for i in range(x, x + w):
                    state.processors.held[k, j, i] = job
        state.processors.free[0] -= w * d * h


@kernel
def vacate(held: Ints32, job: int) -> int:
    """Free every processor of the job, looking at all of them as 000 figure 2.6 does; how many it freed."""
    freed = 0
    flat = held.ravel()
    for n in range(flat.size):
        found = flat[n] == job
        flat[n] = FREE if found else flat[n]
        freed += 1 if found else 0
    return freed


@kernel
def first_obstacle(
    grid: Ints32, free: int, x: int, y: int, z: int, w: int, d: int, h: int
) -> tuple[int, int, int, int]:
    """The first place of a box, perhaps across seams, that is not free, or -1 thrice; how many it looked at.

    In scan order, x outermost.
    """
    height, depth, width = grid.shape
    looked_at = 0
    for i in range(x, x + w):
        for j in range(y, y + d):
            for k in range(z, z + h):
                looked_at += 1
                u, v = i if i < width else i - width, j if j < depth else j - depth
                t = k if k < height else k - height
                if grid[t, v, u] != free:
                    return u, v, t, looked_at
    return -1, -1, -1, looked_at


@kernel
def release(state: AnyState, job: int, _log: Log) -> None:
    """Free what the job holds."""
    state.processors.free[0] += vacate(state.processors.held, job)
    state.tally[OPERATIONS] += state.processors.held.size


class HeldProcessorsStrategy(KernelStrategy):
    """Its state has the part `processors`; a strategy adds what else it needs."""

    def capture(self) -> State:
        return {"held": self.state.processors.held.copy()}

    def restore(self, state: State) -> None:
        held, free = self.state.processors
        held[...] = state["held"]
        free[0] = np.count_nonzero(held == FREE)


class SingleProcessorsStrategy(HeldProcessorsStrategy):
    """Gives a job just as many processors as it asks for, each of them a box, if this many are free."""

    contiguous = False
    any_shape = True
    needs_box = False
    rotates = False
    fails_until_release = True
    options_model = BlockOptions
