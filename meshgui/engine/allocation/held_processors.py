"""The base of strategies that keep, for each processor, the job that holds it."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, Asked, KernelStrategy
from meshgui.engine.allocation.steps import Role, note
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel

__all__ = ["ENOUGH", "FREE", "HeldProcessorsStrategy", "no_jobs", "release", "take", "too_few", "vacate"]

FREE: Final = -1
ENOUGH: Final = 0  # the first line of pseudo-code, where too few free processors end an attempt


class _NoJobs(NamedTuple):
    """The fields with which the state begins after its tally."""

    held: NDArray[np.int32]  # [z, y, x]
    free: NDArray[np.int64]  # one number: how many processors are free


def no_jobs(mesh: Mesh) -> _NoJobs:
    """The processors of an empty machine, and how many of them are free."""
    return _NoJobs(mesh.occupancy(), np.array([mesh.processors], dtype=np.int64))


@kernel
def too_few(state: Any, asked: Asked, log: NDArray[np.int32] | None) -> bool:  # noqa: ANN401
    """Whether fewer processors are free than a job asks for; that ends its attempt after one operation."""
    wanted, free = asked.w * asked.d * asked.h, state.free[0]
    if wanted <= free:
        return False
    state.tally[OPERATIONS] += 1
    if log is not None:
        note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, free, wanted, 0)
    return True


@kernel
def take(state: Any, job: int, given: NDArray[np.int32], count: int) -> None:  # noqa: ANN401
    """Mark the boxes as held by the job, but for one that is not in the mesh: the run will find it."""
    height, depth, width = state.held.shape
    for n in range(count):
        x, y, z, w, d, h = given[n]
        if min(x, y, z) < 0 or x + w > width or y + d > depth or z + h > height:
            continue
        for k in range(z, z + h):
            for j in range(y, y + d):
                for i in range(x, x + w):
                    state.held[k, j, i] = job
        state.free[0] -= w * d * h


@kernel
def vacate(held: NDArray[np.int32], job: int) -> int:
    """Free every processor of the job, looking at all of them as 000 figure 2.6 does; how many it freed."""
    freed = 0
    flat = held.ravel()
    for n in range(flat.size):
        found = flat[n] == job
        flat[n] = FREE if found else flat[n]
        freed += 1 if found else 0
    return freed


@kernel
def release(state: Any, job: int, _log: NDArray[np.int32] | None) -> None:  # noqa: ANN401
    """Free what the job holds."""
    state.free[0] += vacate(state.held, job)
    state.tally[OPERATIONS] += state.held.size


class HeldProcessorsStrategy(KernelStrategy):
    """Its state has the fields `held` and `free`, see `no_jobs`; a strategy adds what else it needs."""

    def capture(self) -> State:
        return {"held": self.state.held.copy()}

    def restore(self, state: State) -> None:
        self.state.held[...] = state["held"]
        self.state.free[0] = np.count_nonzero(self.state.held == FREE)
