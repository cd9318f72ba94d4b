"""The base of strategies that keep a list of the boxes that jobs hold."""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Line
from meshgui.engine.allocation.inspection import Moment, State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, KernelStrategy, new_tally, orders_of
from meshgui.engine.allocation.steps import SAME_STEP, Role, Step, note
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import compose, job_name
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import so_many

__all__ = [
    "JOB",
    "RELEASE_LINES",
    "HeldBoxes",
    "HeldBoxesStrategy",
    "append",
    "boxes_in",
    "first_met",
    "give",
    "hold",
    "no_boxes",
    "no_held_boxes",
    "note_met",
    "note_row",
    "release",
    "remove",
    "row_of",
]

JOB: Final = 6  # the column of a held box that names its job; before it stand base and end


# The lines of a release, by their place in `RELEASE_LINES`.
WHOSE, STRIKE, SHORTER = range(3)

RELEASE_LINES = (
    Line("whose", "for each box of the busy list, from its head: see whose it is", says="{box} {whose}."),
    Line(
        "strike",
        "if it is the job's: take it out; the boxes behind it move up",
        1,
        says="{box} leaves the list{behind}.",
        decision=True,
    ),
    Line("shorter", "what the job held is free", says="The list has {left} left.", decision=True),
)


class HeldBoxes(NamedTuple):
    """The state of strategies that keep the list and no more."""

    tally: NDArray[np.int64]
    busy: NDArray[np.int32]
    length: NDArray[np.int64]  # one number: how many boxes the list has
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]  # see `orders_of`
    turns: NDArray[np.int32]  # room for the request's orientations


@kernel
def append(busy: NDArray[np.int32], place: int, box: NDArray[np.int32], job: int) -> None:
    """Write a box, base and size, into the list at a place, as base and end with its job."""
    for axis in range(3):
        busy[place, axis] = box[axis]
        busy[place, 3 + axis] = box[axis] + box[3 + axis] - 1
    busy[place, JOB] = job


@kernel
def hold(state: Any, job: int, given: NDArray[np.int32], count: int) -> None:  # noqa: ANN401
    """Put the boxes at the end of the list."""
    for n in range(count):
        append(state.busy, state.length[0], given[n], job)
        state.length[0] += 1


@kernel
def note_row(
    log: NDArray[np.int32], line: int, role: int, busy: NDArray[np.int32], n: int, value: int
) -> None:
    """Log a box of the list, and a number."""
    x1, y1, z1, x2, y2, z2, _ = busy[n]
    note(log, line, role, x1, y1, z1, x2 - x1 + 1, y2 - y1 + 1, z2 - z1 + 1, value, 0, 0)


@kernel
def remove(state: Any, job: int, log: NDArray[np.int32] | None) -> None:  # noqa: ANN401
    """Take the job's boxes out of the list."""
    busy = state.busy
    kept = 0
    for n in range(state.length[0]):
        if log is not None:
            note_row(log, WHOSE, Role.TRIED, busy, n, busy[n, JOB])
            if busy[n, JOB] == job:
                note_row(log, STRIKE, Role.CANDIDATE, busy, n, state.length[0] - n - 1)
        if busy[n, JOB] != job:
            if kept < n:
                for column in range(JOB + 1):
                    busy[kept, column] = busy[n, column]
            kept += 1
    state.length[0] = kept
    if log is not None:
        note(log, SHORTER, Role.NOTHING, 0, 0, 0, 0, 0, 0, kept, 0, 0)


@kernel
def release(state: Any, job: int, log: NDArray[np.int32] | None) -> None:  # noqa: ANN401
    """Remove the job's boxes from the list, looking at every box of it."""
    state.tally[OPERATIONS] += state.length[0]
    remove(state, job, log)


@kernel
def first_met(busy: NDArray[np.int32], x: int, y: int, a: int, b: int) -> tuple[int, int]:
    """The first busy box of a 2D mesh that meets a frame, or -1, and how many were compared with it."""
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


@kernel
def give(given: NDArray[np.int32], x: int, y: int, a: int, b: int) -> int:
    """Answer with one box of a 2D mesh."""
    given[0, 0], given[0, 1], given[0, 2] = x, y, 0
    given[0, 3], given[0, 4], given[0, 5] = a, b, 1
    return 1


def no_boxes(mesh: Mesh) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """An empty list with room for all that a mesh can hold, and its length."""
    return np.zeros((mesh.processors, JOB + 1), dtype=np.int32), np.zeros(1, dtype=np.int64)


def no_held_boxes(mesh: Mesh, *, turning: bool) -> HeldBoxes:
    """The state on an empty machine."""
    extents, turns = np.array(mesh.extents, dtype=np.int32), np.empty((6, 3), dtype=np.int32)
    return HeldBoxes(new_tally(), *no_boxes(mesh), extents, orders_of(mesh.dims, turning), turns)


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

    release_lines: ClassVar[tuple[Line, ...]] = RELEASE_LINES
    release_shift: ClassVar[int] = 0  # how many other lines stand before those of the base in `release_lines`

    @property
    def busy(self) -> NDArray[np.int32]:
        """The list: base, end and job of each held box."""
        held: NDArray[np.int32] = self.state.busy[: self.state.length[0]]
        return held

    def capture(self) -> State:
        return {"busy": self.busy.copy()}

    def restore(self, state: State) -> None:
        busy = state["busy"]
        self.state.busy[: len(busy)] = busy
        self.state.length[0] = len(busy)

    def released(self, moment: Moment) -> State:
        struck = int(np.count_nonzero(moment.steps.lines() == STRIKE + self.release_shift))
        busy = moment.state["busy"]
        gone = np.flatnonzero(busy[:, JOB] == moment.leaving)[:struck]
        return moment.state | {"busy": np.delete(busy, gone, axis=0)}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        n = step.marks[0].values[0]
        others = compose(tr("belongs to {job} and stays"), {"job": job_name(n)})
        return super().release_words(step, moment) | {
            "whose": tr("is this job's") if n == moment.leaving else others,
            "behind": tr_n(
                ", and {number} box behind it moves up", ", and {number} boxes behind it move up", n
            )
            if n
            else "",
            "left": so_many(n, "box"),
        }
