"""The base of strategies that keep a list of the boxes that jobs hold."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.inspection import Moment, State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, AnyState, KernelStrategy, new_tally
from meshgui.engine.allocation.pseudo_code import Line, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note, note_numbers
from meshgui.engine.allocation.turning import Turning, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import compose, job_name
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of

JOB: Final = 6  # the column of a held box that names its job; before it stand base and end


RELEASE = PseudoCode()
WHOSE = RELEASE.line("whose", "for each box of the busy list, from its head: see whose it is")
RELEASE.says("{box} {whose}.")
STRIKE = RELEASE.decision("strike", "if it is the job's: take it out; the boxes behind it move up", 1)
RELEASE.says("{box} leaves the list{behind}.")
SHORTER = RELEASE.decision("shorter", "what the job held is free")
RELEASE.says("The list has {left} left.")


class BusyBoxes(NamedTuple):
    """The part of a state that lists the boxes that jobs hold."""

    boxes: Ints32  # base, end and job of each
    length: Ints  # one number: how many boxes the list has


class HeldBoxes(NamedTuple):
    """The state of strategies that keep the list and no more."""

    tally: Ints
    busy: BusyBoxes
    turning: Turning


@kernel
def listed(busy: BusyBoxes) -> Ints32:
    """The boxes of the list."""
    return busy.boxes[: busy.length[0]]


@kernel
def append(busy: Ints32, place: int, box: Ints32, job: int) -> None:
    """Write a box, base and size, into the list at a place, as base and end with its job."""
    for axis in range(3):
        busy[place, axis] = box[axis]
        busy[place, 3 + axis] = box[axis] + box[3 + axis] - 1
    busy[place, JOB] = job


@kernel
def hold(state: AnyState, job: int, boxes: Ints32, count: int) -> None:
    """Put the boxes at the end of the list."""
    for n in range(count):
        append(state.busy.boxes, state.busy.length[0], boxes[n], job)
        state.busy.length[0] += 1


@kernel
def note_row(log: Log, line: int, role: int, busy: Ints32, n: int, value: int) -> None:
    """Log a box of the list, and a number."""
    if log is not None:
        x1, y1, z1, x2, y2, z2, _ = busy[n]
        note(log, line, role, x1, y1, z1, x2 - x1 + 1, y2 - y1 + 1, z2 - z1 + 1, value)


@kernel
def remove(state: AnyState, job: int, log: Log) -> None:
    """Take the job's boxes out of the list."""
    busy = state.busy.boxes
    kept = 0
    for n in range(state.busy.length[0]):
        note_row(log, WHOSE, Role.TRIED, busy, n, busy[n, JOB])
        if busy[n, JOB] == job:
            note_row(log, STRIKE, Role.CANDIDATE, busy, n, state.busy.length[0] - n - 1)
        else:
            if kept < n:
                for column in range(JOB + 1):
                    busy[kept, column] = busy[n, column]
            kept += 1
    state.busy.length[0] = kept
    note_numbers(log, SHORTER, kept)


@kernel
def release(state: AnyState, job: int, log: Log) -> None:
    """Remove the job's boxes from the list, looking at every box of it."""
    state.tally[OPERATIONS] += state.busy.length[0]
    remove(state, job, log)


@kernel
def first_met(busy: Ints32, x: int, y: int, a: int, b: int) -> tuple[int, int]:
    """The first busy box of a 2D mesh that meets a frame, or -1, and how many were compared with it."""
    for i in range(busy.shape[0]):
        if busy[i, 0] < x + a and busy[i, 3] >= x and busy[i, 1] < y + b and busy[i, 4] >= y:
            return i, i + 1
    return -1, busy.shape[0]


@kernel
def note_met(log: Log, busy: Ints32, i: int) -> None:
    """Log, in the same step, the busy box that a frame meets."""
    x, y = busy[i, 0], busy[i, 1]
    w, d = busy[i, 3] - x + 1, busy[i, 4] - y + 1
    note(log, SAME_STEP, Role.BLOCKED, x, y, 0, w, d, 1, busy[i, JOB], i)


@kernel
def give(boxes_out: Ints32, x: int, y: int, a: int, b: int) -> int:
    """Answer with one box of a 2D mesh."""
    write_box(boxes_out, 0, x, y, 0, a, b, 1)
    return 1


def no_boxes(mesh: Mesh) -> BusyBoxes:
    """An empty list with room for all that a mesh can hold."""
    return BusyBoxes(np.zeros((mesh.processors, JOB + 1), dtype=np.int32), np.zeros(1, dtype=np.int64))


def no_held_boxes(mesh: Mesh, *, turns: bool) -> HeldBoxes:
    """The state on an empty machine."""
    return HeldBoxes(new_tally(), no_boxes(mesh), turning(mesh, turns=turns))


def boxes_in(busy: Ints32) -> list[tuple[Box, int]]:
    """The boxes of a list, each with its job."""
    return [(Box.from_corners(tuple(row[:3]), tuple(row[3:JOB])), row[JOB]) for row in busy.tolist()]


class HeldBoxesStrategy(KernelStrategy):
    """Its state has the part `busy`; a strategy adds what else it needs."""

    release_lines: ClassVar[tuple[Line, ...]] = RELEASE.lines
    release_shift: ClassVar[int] = 0  # how many other lines stand before those of the base in `release_lines`

    @property
    def busy(self) -> Ints32:
        """The list: base, end and job of each held box."""
        boxes, length = self.state.busy
        held: Ints32 = boxes[: length[0]]
        return held

    def capture(self) -> State:
        return {"busy": self.busy.copy()}

    def restore(self, state: State) -> None:
        busy = state["busy"]
        boxes, length = self.state.busy
        boxes[: len(busy)], length[0] = busy, len(busy)

    def released(self, moment: Moment) -> State:
        struck = int(np.count_nonzero(moment.steps.lines() == STRIKE + self.release_shift))
        busy = moment.state["busy"]
        gone = np.flatnonzero(busy[:, JOB] == moment.leaving)[:struck]
        return moment.state | {"busy": np.delete(busy, gone, axis=0)}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        n = step.marks[0].values[0]
        others = compose(tr("belongs to {job} and stays"), {"job": job_name(n)})
        behind = tr_n(", and {number} box behind it moves up", ", and {number} boxes behind it move up", n)
        return super().release_words(step, moment) | {
            "whose": tr("is this job's") if n == moment.leaving else others,
            "behind": behind if n else "",
            "left": count_of(n, "box"),
        }


class FrameStrategy(HeldBoxesStrategy):
    """Gives a job one box of a 2D mesh, however turned, and keeps nothing but the list."""

    dims = frozenset({2})
    rotates = True
    contiguous = True
    fails_until_release = True

    def empty_state(self) -> HeldBoxes:
        return no_held_boxes(self.mesh, turns=self.rotates)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """With the job of the busy box that is in the way, where there is one."""
        return super().words(step, moment) | {"job": job_name(step.marks[-1].values[0])}
