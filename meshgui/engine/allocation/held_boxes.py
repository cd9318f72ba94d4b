"""The base of strategies that keep a list of the boxes that jobs hold."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, KernelStrategy
from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.kernel import kernel

__all__ = ["JOB", "HeldBoxesStrategy", "append", "boxes_in", "hold", "no_boxes", "release", "row_of"]

JOB: Final = 6  # the column of a held box that names its job; before it stand base and end


@kernel
def append(busy: NDArray[np.int32], place: int, box: NDArray[np.int32], job: int) -> None:
    """Write a box, base and size, into the list at a place, as base and end with its job."""
    for axis in range(3):
        busy[place, axis] = box[axis]
        busy[place, 3 + axis] = box[axis] + box[3 + axis] - 1
    busy[place, JOB] = job


@kernel
def hold(state: Any, job: int, given: NDArray[np.int32], count: int) -> None:  # noqa: ANN401
    """See KernelStrategy, `take`: put the boxes at the end of the list."""
    for n in range(count):
        append(state.busy, state.length[0], given[n], job)
        state.length[0] += 1


@kernel
def release(state: Any, job: int) -> None:  # noqa: ANN401
    """See KernelStrategy: take the job's boxes out of the list, of which every box is looked at."""
    busy, count = state.busy, state.length[0]
    kept = 0
    for n in range(count):
        if busy[n, JOB] != job:
            if kept < n:
                for column in range(JOB + 1):
                    busy[kept, column] = busy[n, column]
            kept += 1
    state.length[0] = kept
    state.tally[OPERATIONS] += count


def no_boxes(mesh: Mesh) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """An empty list with room for all that a mesh can hold, and its length."""
    return np.zeros((mesh.processors, JOB + 1), dtype=np.int32), np.zeros(1, dtype=np.int64)


def row_of(box: Box, job: int) -> NDArray[np.int32]:
    """A held box as the list has it."""
    return np.array((*box.base, *box.end, job), dtype=np.int32)


def boxes_in(busy: NDArray[np.int32]) -> list[tuple[Box, int]]:
    """The boxes of a list, each with its job."""
    return [
        (Box.from_corners((x1, y1, z1), (x2, y2, z2)), job) for x1, y1, z1, x2, y2, z2, job in busy.tolist()
    ]


class HeldBoxesStrategy(KernelStrategy):
    """Its state has the fields `busy`, the list, and `length`; a strategy adds what else it needs."""

    @property
    def busy(self) -> NDArray[np.int32]:
        """The list: base, end and job of each held box."""
        held: NDArray[np.int32] = self.state.busy[: self.state.length[0]]
        return held

    def capture(self) -> State:
        """See Strategy."""
        return {"busy": self.busy.copy()}

    def restore(self, state: State) -> None:
        """See Strategy."""
        busy = state["busy"]
        self.state.busy[: len(busy)] = busy
        self.state.length[0] = len(busy)
