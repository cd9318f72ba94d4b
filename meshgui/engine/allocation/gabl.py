"""Greedy Available Busy List (000 chapter 4, figures 4.1 to 4.5): the whole request, or ever smaller boxes.

Boxes are sought as Turning Busy List seeks them. A request that is free nowhere is shortened at its longest
side until it fits and is no more than is still wanted. Figure 4.4 goes back to its step 5 after a failure and
would try the same size for ever; its text shortens once more, and so does this.

The paper defines it for 2D and says that 3D is no different: there, too, the longest side is shortened, the
first of equal ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Bound, Complexity, Line, Options, Source
from meshgui.engine.allocation.busy_list import TurningBusyList, empty_list
from meshgui.engine.allocation.busy_list_kernel import BusyListState, hold, room_of, search
from meshgui.engine.allocation.held_boxes import HeldBoxesStrategy, release
from meshgui.engine.allocation.inspection import Inspection, Moment, Request, Table, TableRow
from meshgui.engine.allocation.kernel_strategy import (
    ATTEMPTS,
    OPERATIONS,
    WAITS,
    Asked,
    StrategyKernels,
    turned,
)
from meshgui.engine.allocation.nested_search import latest_search, stand_at
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.basics.geometry import Mesh, Size, describe_size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import are

__all__ = ["GreedyAvailableBusyList"]

# The lines of the pseudo-code, by their place in `LINES`; those of Turning Busy List stand at SEEK and after.
ENOUGH, WHOLE, SEEK = 0, 1, 2
TAKE, FOUND, SHRINK, MORE, AGAIN = range(SEEK + len(TurningBusyList.lines), 14)

_IN_OTHER_WORDS = {
    "turn": Line("turn", "for each orientation:", says="Look for a free {size}.", decision=True),
    "found": Line(
        "base",
        "else: the box based at the plane's lowest corner is free",
        2,
        says="A base is left at {base}: {box} is free.",
        decision=True,
    ),
    "fail": Line(
        "none", "no plane is left: there is no such box", says="There is no such box.", decision=True
    ),
}
_SEEKING = tuple(_IN_OTHER_WORDS.get(line.label, line) for line in TurningBusyList.lines)

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        says="It asks for {asked} and {few} free, so no search is made.",
        decision=True,
    ),
    Line(
        "whole",
        "look for one free box for the whole request:",
        says="Look for {size} in one box.",
        decision=True,
    ),
    *(line.altered(indent=1) for line in _SEEKING),
    Line(
        "take",
        "if there is one: take it, and want that much less",
        says="Take {box}: {left} wanted after that.",
        decision=True,
    ),
    Line(
        "found",
        "if nothing more is wanted: allocate what was taken",
        1,
        says="All that was asked for is taken: the job gets {all}.",
        decision=True,
    ),
    Line(
        "shrink",
        "if there is none: shorten the longest side by one",
        says="No {size} is free: shorten its longest side by one.",
        decision=True,
    ),
    Line(
        "more",
        "while that is more than is wanted: shorten it again",
        says="{size} would be {k} processors and only {n} {are} wanted: shorten the longest side by one.",
    ),
    Line(
        "again",
        "look for a free box of that size, as above",
        says="Look for {size}: {left} wanted.",
        decision=True,
    ),
)


@kernel
def _shorten(size: NDArray[np.int32]) -> None:
    """One less of the longest side, of equal ones the first."""
    longest = 0
    for side in range(1, 3):
        if size[side] > size[longest]:
            longest = side
    size[longest] -= 1


@kernel
def wholes(state: BusyListState, asked: Asked) -> int:
    """Write the shapes in which all of a request is tried before any part of it into `turns`: how many."""
    return turned(asked.w, asked.d, asked.h, state.orders, state.extents, state.turns)


@kernel
def _held(state: BusyListState) -> int:
    """How many processors the boxes of the list have together."""
    held = 0
    for n in range(state.length[0]):
        x1, y1, z1, x2, y2, z2, _ = state.busy[n]
        held += (x2 - x1 + 1) * (y2 - y1 + 1) * (z2 - z1 + 1)
    return held


@kernel
def allocate(
    state: BusyListState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None
) -> int:
    """Take boxes until nothing more is wanted; the tally counts the searches after the first, b."""
    size = np.array((asked.w, asked.d, asked.h), dtype=np.int32)
    wanted = asked.w * asked.d * asked.h
    attempts, count = 0, 0
    state.tally[ATTEMPTS] = 0
    free = state.extents[0] * state.extents[1] * state.extents[2] - _held(state)
    if wanted > free:
        state.tally[OPERATIONS] += 1
        if log is not None:
            note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, free, wanted, 0)
        return WAITS
    shapes = wholes(state, asked)
    line, room = WHOLE, room_of(state)
    while True:
        if log is not None:
            note(log, line, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, 0, attempts)
            before = log[0, 0]
        busy, turns = state.busy[: state.length[0]], state.turns[:shapes]
        turn, x, middle, high, looked_at = search(
            room, busy, state.extents, turns, state.deep, state.last, log
        )
        state.tally[OPERATIONS] += looked_at
        if log is not None:
            stand_at(log, before + 1, SEEK)
        if turn >= 0:
            box = given[count]
            box[0], box[state.deep], box[state.last] = x, middle, high
            box[3], box[4], box[5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
            hold(state, asked.job, given[count : count + 1], 1)
            count += 1
            wanted -= box[3] * box[4] * box[5]
            if log is not None:
                x, y, z, a, b, c = box
                note(log, TAKE, Role.PLACED, x, y, z, a, b, c, wanted, 0, attempts)
            if wanted == 0:
                break
            room = room_of(state)
        else:
            if log is not None:
                note(log, SHRINK, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, 0, attempts)
            _shorten(size)
        while size[0] * size[1] * size[2] > wanted:
            if log is not None:
                volume = size[0] * size[1] * size[2]
                note(log, MORE, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, volume, attempts)
            _shorten(size)
        shapes = turned(size[0], size[1], size[2], state.orders, state.extents, state.turns)
        attempts += 1
        line = AGAIN
    state.tally[ATTEMPTS] = attempts
    if log is not None:
        for n in range(count):
            x, y, z, a, b, c = given[n]
            note(log, FOUND if n == 0 else SAME_STEP, Role.PLACED, x, y, z, a, b, c, count, 0, attempts)
    return count


class GreedyAvailableBusyList(HeldBoxesStrategy):
    """The request in one box, or else in boxes that never grow again until all processors are had."""

    id = "gabl"
    title = tr("Greedy Available Busy List")
    dims = frozenset({2, 3})
    rotates = True
    contiguous = False
    any_shape = True
    fails_until_release = True
    source = Source("000", "chapter 4, figures 4.1 to 4.5")
    complexity: ClassVar[Complexity | None] = Complexity(
        Bound("O(b·m²)", n=1, m=2), Bound("O(m)", m=1), tr("000 §4.3.1, b at most n")
    )
    lines = LINES
    options_model = BlockOptions

    kernels = StrategyKernels(release, allocate=allocate, take=hold)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._finder = TurningBusyList(mesh)

    def empty_state(self) -> BusyListState:
        return empty_list(self.mesh, turning=True)

    @property
    def part_attempts(self) -> int:  # type: ignore[override]
        """How often parts of the latest job were searched for."""
        return int(self.state.tally[ATTEMPTS])

    def inspect(self, moment: Moment) -> Inspection:
        """The busy list as it grows, the planes of the current search, and the sizes tried so far."""
        so_far = _Progress(moment.steps)
        sought = self._finder.inspect(self._search_at(moment, so_far))
        attempts = _attempt_table(so_far, self.mesh.dims)
        return Inspection((attempts, *sought.panels), (*so_far.taken, *sought.marks), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        if SEEK <= step.line < TAKE:
            sought = self._search_at(moment, _Progress(moment.steps))
            return self._finder.words(Step(step.line - SEEK, step.marks), sought)
        n = step.marks[0].values[0]
        boxes = len(step.marks)
        return super().words(step, moment) | {
            "left": tr_n("{number} processor is", "{number} processors are", n) if n else tr("nothing is"),
            "are": are(n),
            "all": tr("this box") if boxes == 1 else tr("these {boxes} boxes").format(boxes=boxes),
        }

    def _search_at(self, moment: Moment, so_far: _Progress) -> Moment:
        """What Turning Busy List would be looking at: the list with what was taken, and its steps alone."""
        busy = moment.state["busy"]
        job = moment.request.job if moment.request is not None else 0
        working = TurningBusyList(self.mesh)
        working.restore({"busy": busy})
        working.replay(Request(job, (0, 0, 0)), tuple(mark.box for mark in so_far.taken))
        state = working.capture()
        return Moment(state, moment.request, so_far.search)


@dataclass
class _Attempt:
    """A size that was tried, or not even tried."""

    size: Size
    name: str
    outcome: str
    wanted: int  # after it
    mark: Mark | None = None


class _Progress:
    """The findings of the steps so far."""

    def __init__(self, steps: Steps) -> None:
        self.taken: list[Mark] = []
        self.attempts: list[_Attempt] = []
        lines = steps.lines()
        for place in np.flatnonzero((lines < SEEK) | (lines >= TAKE)).tolist():
            self._take(steps[place])
        self.search = latest_search(steps, {WHOLE, AGAIN}, TAKE, SEEK)

    def _take(self, step: Step) -> None:
        mark = step.marks[0]
        n, k, i = mark.values
        size = mark.box.size
        if step.line in {WHOLE, AGAIN}:
            name = f"b = {i}" if step.line == AGAIN else tr("whole")
            self.attempts.append(_Attempt(size, name, tr("being tried"), n))
        elif step.line == MORE:
            self.attempts.append(_Attempt(size, "", tr("{k} processors are too many").format(k=k), n))
        elif step.line == SHRINK:
            self.attempts[-1].outcome = tr("not free")
        elif step.line == TAKE:
            self.taken.append(mark)
            latest = self.attempts[-1]
            latest.outcome, latest.wanted, latest.mark = "taken", n, mark


def _attempt_table(so_far: _Progress, dims: int) -> Table:
    rows = []
    for n, attempt in enumerate(so_far.attempts):
        outcome = attempt.mark.box.describe(flat=dims == 2) if attempt.mark else attempt.outcome
        cells = (attempt.name, describe_size(attempt.size, dims), outcome, str(attempt.wanted))
        rows.append(TableRow(cells, attempt.mark, current=n == len(so_far.attempts) - 1))
    return Table(
        tr("Attempts"),
        ("", tr("Size"), tr("Outcome"), tr("Still wanted")),
        tuple(rows),
        tr("None: no search is under way."),
    )
