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

from meshgui.engine.allocation.base import BlockOptions, Bound, Complexity, Options, Source
from meshgui.engine.allocation.busy_list import TurningBusyList, empty_list
from meshgui.engine.allocation.busy_list_kernel import BusyListState, hold, room_of, search
from meshgui.engine.allocation.held_boxes import HeldBoxesStrategy, listed, release
from meshgui.engine.allocation.inspection import Inspection, Moment, Request, Table
from meshgui.engine.allocation.kernel_strategy import (
    ATTEMPTS,
    OPERATIONS,
    WAITS,
    KernelRequest,
    StrategyKernels,
)
from meshgui.engine.allocation.nested_search import latest_search, rows_in, stand_at
from meshgui.engine.allocation.panels import TableBuilder
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, Line, PseudoCode
from meshgui.engine.allocation.steps import Log, Mark, Role, Step, Steps, note, note_boxes, note_numbers
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh, Size, describe_size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import are

CODE = PseudoCode(NOT_ENOUGH)
ENOUGH = CODE.number("enough")
WHOLE = CODE.decision("whole", "look for one free box for the whole request:")
CODE.says("Look for {size} in one box.")
_IN_OTHER_WORDS = {
    "turn": Line("turn", "for each orientation:", decision=True, says="Look for a free {size}."),
    "found": Line(
        "base",
        "else: the box based at the plane's lowest corner is free",
        2,
        decision=True,
        says="A base is left at {base}: {box} is free.",
    ),
    "fail": Line(
        "none", "no plane is left: there is no such box", decision=True, says="There is no such box."
    ),
}
SEEK = CODE.add(*(_IN_OTHER_WORDS.get(line.label, line).altered(indent=1) for line in TurningBusyList.lines))
TAKE = CODE.decision("take", "if there is one: take it, and want that much less")
CODE.says("Take {box}: {left} wanted after that.")
FOUND = CODE.decision("found", "if nothing more is wanted: allocate what was taken", 1)
CODE.says("All that was asked for is taken: the job gets {all}.")
SHRINK = CODE.decision("shrink", "if there is none: shorten the longest side by one")
CODE.says("No {size} is free: shorten its longest side by one.")
MORE = CODE.line("more", "while that is more than is wanted: shorten it again")
CODE.says("{size} would be {k} processors and only {n} {are} wanted: shorten the longest side by one.")
AGAIN = CODE.decision("again", "look for a free box of that size, as above")
CODE.says("Look for {size}: {left} wanted.")


@kernel
def _shorten(size: Ints32) -> None:
    """One less of the longest side, of equal ones the first."""
    longest = 0
    for side in range(1, 3):
        if size[side] > size[longest]:
            longest = side
    size[longest] -= 1


@kernel
def wholes(state: BusyListState, request: KernelRequest) -> int:
    """Write the shapes in which all of a request is tried before any part of it into `turns`: how many."""
    return oriented(state.turning, request.w, request.d, request.h)


@kernel
def _held(state: BusyListState) -> int:
    """How many processors the boxes of the list have together."""
    held = 0
    for n in range(state.busy.length[0]):
        x1, y1, z1, x2, y2, z2, _ = state.busy.boxes[n]
        held += (x2 - x1 + 1) * (y2 - y1 + 1) * (z2 - z1 + 1)
    return held


@kernel
def allocate(state: BusyListState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Take boxes until nothing more is wanted; the tally counts the searches after the first, b."""
    size = np.array((request.w, request.d, request.h), dtype=np.int32)
    wanted = request.w * request.d * request.h
    attempts, count = 0, 0
    state.tally[ATTEMPTS] = 0
    extents = state.turning.extents
    free = extents[0] * extents[1] * extents[2] - _held(state)
    if wanted > free:
        state.tally[OPERATIONS] += 1
        note_numbers(log, ENOUGH, free, wanted)
        return WAITS
    shapes = wholes(state, request)
    line, room = WHOLE, room_of(state)
    while True:
        note(log, line, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, 0, attempts)
        before = rows_in(log)
        busy, turns = listed(state.busy), state.turning.room[:shapes]
        turn, x, middle, high, looked_at = search(room, busy, extents, turns, state.deep, state.last, 0, log)
        state.tally[OPERATIONS] += looked_at
        stand_at(log, before, SEEK)
        if turn >= 0:
            box = boxes_out[count]
            box[0], box[state.deep], box[state.last] = x, middle, high
            box[3], box[4], box[5] = turns[turn, 0], turns[turn, 1], turns[turn, 2]
            hold(state, request.job, boxes_out[count : count + 1], 1)
            count += 1
            wanted -= box[3] * box[4] * box[5]
            note_boxes(log, TAKE, Role.PLACED, boxes_out[count - 1 :], 1, wanted, 0, attempts)
            if wanted == 0:
                break
            room = room_of(state)
        else:
            note(log, SHRINK, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, 0, attempts)
            _shorten(size)
        while size[0] * size[1] * size[2] > wanted:
            volume = size[0] * size[1] * size[2]
            note(log, MORE, Role.NOTHING, 0, 0, 0, size[0], size[1], size[2], wanted, volume, attempts)
            _shorten(size)
        shapes = oriented(state.turning, size[0], size[1], size[2])
        attempts += 1
        line = AGAIN
    state.tally[ATTEMPTS] = attempts
    note_boxes(log, FOUND, Role.PLACED, boxes_out, count, count, 0, attempts)
    return count


class GreedyAvailableBusyList(HeldBoxesStrategy):
    """The request in one box, or else in boxes that never grow again until all processors are had."""

    id = "gabl"
    title = tr("Greedy Available Busy List")
    keeps_lists = True
    dims = frozenset({2, 3})
    rotates = True
    contiguous = False
    any_shape = True
    fails_until_release = True
    source = Source("000", "chapter 4, figures 4.1 to 4.5")
    complexity: ClassVar[Complexity | None] = Complexity(
        Bound("O(b·m²)", n=1, m=2), Bound("O(m)", m=1), tr("000 §4.3.1, b at most n")
    )
    lines = CODE.lines
    options_model = BlockOptions

    kernels = StrategyKernels(release, allocate=allocate, take=hold)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._finder = TurningBusyList(mesh)

    def empty_state(self) -> BusyListState:
        return empty_list(self.mesh, turns=True)

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
            latest.wanted, latest.mark = n, mark


def _attempt_table(so_far: _Progress, dims: int) -> Table:
    columns = ("", tr("Size"), tr("Outcome"), tr("Still wanted"))
    table = TableBuilder(tr("Attempts"), columns, tr("None: no search is under way."))
    for n, attempt in enumerate(so_far.attempts):
        outcome = attempt.mark.box.describe(flat=dims == 2) if attempt.mark else attempt.outcome
        cells = (attempt.name, describe_size(attempt.size, dims), outcome, str(attempt.wanted))
        table.row(*cells, mark=attempt.mark, current=n == len(so_far.attempts) - 1)
    return table.table()
