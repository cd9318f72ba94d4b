"""The base of strategies that keep a list of the boxes that jobs hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Options
from meshgui.engine.allocation.inspection import Request, State
from meshgui.engine.allocation.search_strategy import SearchStrategy
from meshgui.engine.allocation.steps import SAME_STEP, Role, note
from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.kernel import kernel

__all__ = ["JOB", "BoxListStrategy", "boxes_in", "first_met", "note_met", "remove", "row_of"]

JOB = 6  # the column of a held box that names its job; before it stand base and end


@kernel
def remove(busy: NDArray[np.int32], job: int) -> NDArray[np.int32]:
    """The list without the job's boxes."""
    kept = 0
    shorter = np.empty_like(busy)
    for i in range(busy.shape[0]):
        if busy[i, JOB] != job:
            shorter[kept] = busy[i]
            kept += 1
    return shorter[:kept].copy()


@kernel
def first_met(busy: NDArray[np.int32], x: int, y: int, a: int, b: int) -> tuple[int, int]:
    """The first busy box of the list that meets a frame, or -1, and how many boxes were compared with it."""
    for i in range(busy.shape[0]):
        if busy[i, 0] < x + a and busy[i, 3] >= x and busy[i, 1] < y + b and busy[i, 4] >= y:
            return i, i + 1
    return -1, busy.shape[0]


@kernel
def note_met(log: NDArray[np.int32], busy: NDArray[np.int32], i: int) -> None:
    """Log, in the same step, the busy box that a frame meets."""
    x, y = busy[i, 0], busy[i, 1]
    w, d = busy[i, 3] - x + 1, busy[i, 4] - y + 1
    note(log, SAME_STEP, Role.BLOCKED, x, y, 0, w, d, 1, busy[i, JOB], i, 0)


def row_of(box: Box, job: int) -> NDArray[np.int32]:
    """A held box as the list has it."""
    return np.array((*box.base, *box.end, job), dtype=np.int32)


def boxes_in(busy: NDArray[np.int32]) -> list[tuple[Box, int]]:
    """The boxes of a list, each with its job."""
    return [
        (Box.from_corners((x1, y1, z1), (x2, y2, z2)), job) for x1, y1, z1, x2, y2, z2, job in busy.tolist()
    ]


class BoxListStrategy(SearchStrategy):
    """Holds the busy boxes, the newest last; a strategy adds its search, and perhaps an order of its own."""

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.busy = np.zeros((0, JOB + 1), dtype=np.int32)

    def insert(self, row: NDArray[np.int32]) -> None:
        """Put a box into the list."""
        self.busy = np.vstack((self.busy, row))

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        for box in boxes:
            self.insert(row_of(box, request.job))

    def release(self, job: int) -> None:
        """See Strategy."""
        self.operations += len(self.busy)
        self.busy = remove(self.busy, job)

    def capture(self) -> State:
        """See Strategy."""
        return {"busy": self.busy.copy()}

    def restore(self, state: State) -> None:
        """See Strategy."""
        self.busy = state["busy"].copy()
