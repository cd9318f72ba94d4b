"""Adaptive Non-contiguous Allocation (000 §2.2.2): the request whole, or cut into ever more equal parts.

Round 0 looks for the request as it is; round i cuts every part of the round before in two across its longer
side, so it has 2^i parts, of which all must find a box in the same round. Left open by 000 and decided here:
a part of odd length is cut into halves that differ by one, the longer first; a square is cut across its
width; each part goes into the first free box, lowest row first, leftmost first.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.allocation.base import BlockOptions, Line, Source
from meshgui.engine.allocation.held_boxes import (
    RELEASE_LINES,
    HeldBoxesStrategy,
    boxes_in,
    hold,
    no_boxes,
    note_row,
)
from meshgui.engine.allocation.held_boxes import release as drop
from meshgui.engine.allocation.inspection import (
    Inspection,
    JobCell,
    Moment,
    NodeKind,
    State,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels, new_tally
from meshgui.engine.allocation.nested_search import stand_at
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.basics.geometry import Size, describe_size, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.words import are, counted, so_many

__all__ = ["AdaptiveNonContiguous", "AdaptiveNonContiguousOptions", "cut"]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, ROUND, PART, BUSY, PLACE, BACK, FOUND, FAIL = range(8)

NO_JOB: Final = -1

# And those of a release, before the lines of the busy boxes.
RELEASE_SHIFT = 1

RELEASES = (
    Line("free", "mark the processors of the job's boxes free", says="{freed} free.", decision=True),
    *RELEASE_LINES,
)

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so no search is made.",
    ),
    Line(
        "round",
        "for each round: take the request whole, later cut every part in two across its longer side",
        decision=True,
        says="Round {n}: {parts}.",
    ),
    Line(
        "part",
        "for each part: scan the rows for a free box",
        1,
        says="Part {n} of {k} needs a box of {size}.",
    ),
    Line(
        "busy",
        "if a processor of the box is busy: go on right of the last such column",
        2,
        says="The box {box} would hold a processor of {whose}.",
    ),
    Line("place", "else: put the part there", 2, says="Part {n} of {k} fits into {box}."),
    Line(
        "back",
        "if a part has found no box: give back what the others have",
        1,
        decision=True,
        says="Part {n} of {k} fits nowhere{given}.",
    ),
    Line(
        "found",
        "else: allocate the boxes",
        1,
        decision=True,
        says="{all}: the job gets {boxes}.",
    ),
    Line(
        "fail",
        "the rounds are used up, or a part cannot be cut: fail",
        decision=True,
        says="{why}, so the job waits.",
    ),
)


@kernel
def _first_fit(
    held: NDArray[np.int32], a: int, b: int, log: NDArray[np.int32] | None
) -> tuple[int, int, int]:
    """The first free box of a×b, jumping over busy processors: (x or -1, y, processors examined)."""
    length, width = held.shape
    examined = 0
    for y in range(length - b + 1):
        x = 0
        while x + a <= width:
            busy = -1  # the last column with a busy processor: no box based up to there is free in this row
            for u in range(x + a - 1, x - 1, -1):
                for v in range(y, y + b):
                    examined += 1
                    if held[v, u] >= 0:
                        busy = u
                        if log is not None:
                            note(log, BUSY, Role.TRIED, x, y, 0, a, b, 1, held[v, u], 0, 0)
                            note(log, SAME_STEP, Role.BLOCKED, u, v, 0, 1, 1, 1, held[v, u], 0, 0)
                        break
                if busy >= 0:
                    break
            if busy < 0:
                return x, y, examined
            x = busy + 1
    return -1, 0, examined


class PartsState(NamedTuple):
    """The state of the kernels."""

    tally: NDArray[np.int64]
    busy: NDArray[np.int32]
    length: NDArray[np.int64]  # one number: how many boxes the list has
    held: NDArray[np.int32]  # the job that holds each processor [y, x], or -1
    free: NDArray[np.int64]  # one number: how many processors are
    rounds: int  # how often a request may be cut
    least: int  # the shortest side that a part may have


@kernel
def fill(held: NDArray[np.int32], x1: int, y1: int, x2: int, y2: int, job: int) -> int:
    """Note a box as the job's, or for -1 as free: how many processors it has."""
    for y in range(y1, y2 + 1):
        for x in range(x1, x2 + 1):
            held[y, x] = job
    return (x2 - x1 + 1) * (y2 - y1 + 1)


@kernel
def _fill_part(state: PartsState, part: NDArray[np.int32], job: int) -> int:
    """The same for a part with its base."""
    x, y = int(part[0]), int(part[1])
    return fill(state.held, x, y, x + part[3] - 1, y + part[4] - 1, job)


@kernel
def place(
    state: PartsState, parts: NDArray[np.int32], count: int, job: int, log: NDArray[np.int32] | None
) -> bool:
    """Find bases for the parts one after another, each beside those before it: whether all have one."""
    placed = 0
    while placed < count:
        part = parts[placed]
        if log is not None:
            note(log, PART, Role.TRIED, 0, 0, 0, part[3], part[4], 1, placed + 1, count, 0)
        x, y, examined = _first_fit(state.held, part[3], part[4], log)
        state.tally[OPERATIONS] += examined
        if x < 0:
            if log is not None:
                note(log, BACK, Role.NOTHING, 0, 0, 0, 0, 0, 0, placed + 1, count, 0)
            break
        part[0], part[1] = x, y
        _fill_part(state, part, job)
        placed += 1
        if log is not None:
            note(log, PLACE, Role.PLACED, x, y, 0, part[3], part[4], 1, placed, count, 0)
    for p in range(placed):
        _fill_part(state, parts[p], NO_JOB)
    return placed == count


@kernel
def halve(parts: NDArray[np.int32], count: int, least: int) -> int:
    """Cut each part across its longer side: how many there are, 0 where a half had a side below the least."""
    for p in range(count):
        w, d = parts[p, 3], parts[p, 4]
        if max(w, d) < 2 * least or min(w, d) < least:
            return 0
    for p in range(count - 1, -1, -1):
        w, d = parts[p, 3], parts[p, 4]
        across = w >= d
        for half in range(1, -1, -1):
            part = parts[2 * p + half]
            part[3] = (w + 1 - half) // 2 if across else w
            part[4] = d if across else (d + 1 - half) // 2
            part[2], part[5] = 0, 1
    return 2 * count


@kernel
def search(state: PartsState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """See KernelStrategy; processors examined are the operations. The parts stand in `given`."""
    wanted = asked.w * asked.d
    state.tally[OPERATIONS] += 1
    if wanted > state.free[0]:
        if log is not None:
            note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, state.free[0], wanted, 0)
        return WAITS
    given[0, 2], given[0, 3], given[0, 4], given[0, 5] = 0, asked.w, asked.d, 1
    count, turn = 1, 0
    while count > 0 and turn <= state.rounds:
        if log is not None:
            note(log, ROUND, Role.NOTHING, 0, 0, 0, 0, 0, 0, turn, count, 0)
        if place(state, given, count, asked.job, log):
            if log is not None:
                for n in range(count):
                    x, y, z, a, b, c = given[n]
                    note(log, SAME_STEP if n else FOUND, Role.PLACED, x, y, z, a, b, c, count, 0, 0)
            return count
        turn += 1
        if turn <= state.rounds:
            count = halve(given, count, state.least)
    if log is not None:
        why = 0 if count > 0 else state.least
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, why, state.rounds, 0)
    return WAITS


@kernel
def take(state: PartsState, job: int, given: NDArray[np.int32], count: int) -> None:
    """See KernelStrategy."""
    hold(state, job, given, count)
    for n in range(count):
        state.free[0] -= _fill_part(state, given[n], job)


@kernel
def release(state: PartsState, job: int, log: NDArray[np.int32] | None) -> None:
    """See KernelStrategy."""
    line = 0
    for n in range(state.length[0]):
        x1, y1, _, x2, y2, _, holder = state.busy[n]
        if holder == job:
            state.free[0] += fill(state.held, int(x1), int(y1), int(x2), int(y2), NO_JOB)
            if log is not None:
                note_row(log, line, Role.CANDIDATE, state.busy, n, 0)
                line = SAME_STEP
    before = 0 if log is None else log[0, 0]
    drop(state, job, log)
    if log is not None:
        stand_at(log, before + 1, RELEASE_SHIFT)


def cut(parts: list[Size], least: int = 1) -> list[Size] | None:
    """Every part in two across its longer side, or None where a half would have a side below the least."""
    rows = np.zeros((2 * len(parts), 6), dtype=np.int32)
    rows[: len(parts), 3:] = parts
    count = halve(rows, len(parts), least)
    return [(w, d, h) for w, d, h in rows[:count, 3:].tolist()] or None


class AdaptiveNonContiguousOptions(BlockOptions):
    """How far a request may be cut."""

    rounds: Annotated[  # 000 leaves the number open
        int, Field(ge=0, le=16, strict=True, description="how often a request may be cut in two")
    ] = 4
    stop: Annotated[
        Literal["below-one", "at-one"],
        Field(
            description="which side of a part ends the cutting: one below 1, or one that reaches 1, "
            "as in Bani-Mohammad 2008"
        ),
    ] = "below-one"

    @property
    def least_side(self) -> int:
        """The shortest side that a part may have."""
        return 1 if self.stop == "below-one" else 2


class AdaptiveNonContiguous(HeldBoxesStrategy):
    """The request whole, or in 2, 4, 8 … parts that all find a box in the same round."""

    id = "anca"
    title = "Adaptive Non-contiguous"
    dims = frozenset({2})
    rotates = False
    contiguous = False
    source = Source("000", "§2.2.2")
    lines = LINES
    release_lines = RELEASES
    release_shift = RELEASE_SHIFT
    options_model = AdaptiveNonContiguousOptions
    options: AdaptiveNonContiguousOptions

    kernels = StrategyKernels(release, search, take)

    def empty_state(self) -> PartsState:
        """See KernelStrategy."""
        list_, free = no_boxes(self.mesh), np.array([self.mesh.processors], dtype=np.int64)
        held = self.mesh.occupancy()[0]
        return PartsState(new_tally(), *list_, held, free, self.options.rounds, self.options.least_side)

    def restore(self, state: State) -> None:
        """See Strategy."""
        super().restore(state)
        held = self.mesh.occupancy()
        for box, job in boxes_in(self.busy):
            region(held, box)[:] = job
        self.state.held[:] = held[0]
        self.state.free[0] = np.count_nonzero(held < 0)

    def _refusal(self, size: Size) -> str | None:
        return None if self.mesh.fits(size) else super()._refusal(size)

    def inspect(self, moment: Moment) -> Inspection:
        """The partition of the request, round by round, and the busy boxes."""
        so_far = _Progress(moment)
        panels = (so_far.tree(), so_far.table(), _busy_table(moment))
        return Inspection(panels, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        n, k, _ = step.marks[0].values
        boxes = [mark.box.describe(flat=True) for mark in step.marks]
        return super().words(step, moment) | {
            "parts": _in_words(moment.request.size, n) if moment.request and step.line == ROUND else "",
            "whose": "a part already placed" if moment.request and n == moment.request.job else job_name(n),
            "given": "" if n == 1 else ", so what this round has placed is given back",
            "all": "All parts have a box" if len(boxes) > 1 else "The whole request has a box",
            "boxes": f"{len(boxes)} boxes" if len(boxes) > 1 else boxes[0],
            "why": _why(n, k),
        }

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        freed = sum(mark.box.volume for mark in step.marks)
        return super().release_words(step, moment) | {"freed": f"{so_many(freed, 'processor')} {are(freed)}"}


def _why(least: int, rounds: int) -> str:
    """Why there is no further round: a part too short to be cut or, for 0, the number of rounds."""
    if least == 1:
        return "A part is a single processor and cannot be cut"
    if least:
        return "A side of the parts would reach 1"
    often = {0: "not be cut", 1: "be cut only once"}.get(rounds, f"be cut only {rounds} times")
    return f"The request may {often}"


def _partition(size: Size, turn: int) -> list[Size]:
    """The parts of a round that was reached."""
    parts = [size]
    for _ in range(turn):
        parts = cut(parts) or []
    return parts


def _in_words(size: Size, turn: int) -> str:
    """The parts of a round, equal ones together."""
    if turn == 0:
        return f"the whole request, {describe_size(size, 2)}"
    alike = Counter(describe_size(part, 2) for part in _partition(size, turn))
    return " and ".join(f"{counted(count, 'part')} of {part}" for part, count in alike.items())


class _Progress:
    """The state after the steps so far: the round, and its parts."""

    def __init__(self, moment: Moment) -> None:
        self.rounds: list[list[Size]] = []
        self.placed: dict[int, Mark] = {}
        self.part: int | None = None
        self.failed: int | None = None  # the part of this round that found no box
        self.now = moment.marks
        turns = np.flatnonzero(moment.steps.lines() == ROUND)
        if moment.request is not None and len(turns):
            self.rounds = [_partition(moment.request.size, turn) for turn in range(len(turns))]
            self._take(moment.steps.since(ROUND))

    def _take(self, steps: Steps) -> None:
        for step in steps:
            mark = step.marks[0]
            if step.line == PART:
                self.part = mark.values[0] - 1
            elif step.line == PLACE:
                self.placed[mark.values[0] - 1] = mark
            elif step.line == BACK:
                self.failed = self.part
            elif step.line in {FOUND, FAIL}:
                self.part = None

    def marks(self) -> tuple[Mark, ...]:
        """The marks to draw: those of the step, and the parts placed in this round."""
        shown = {mark.box for mark in self.now}
        placed = () if self.failed is not None else self.placed.values()
        return self.now + tuple(mark for mark in placed if mark.box not in shown)

    def _kind(self, turn: int, part: int) -> NodeKind:
        if turn < len(self.rounds) - 1 or self.failed is not None:
            return NodeKind.FAILED
        return NodeKind.PLACED if part in self.placed else NodeKind.OPEN

    def tree(self) -> Tree:
        """The request above, under each part its halves."""
        nodes = []
        for turn, parts in enumerate(self.rounds):
            last = turn == len(self.rounds) - 1
            for part, size in enumerate(parts):
                key = (1 << turn) + part
                nodes.append(
                    TreeNode(
                        key,
                        key // 2 if turn else None,
                        self._kind(turn, part),
                        describe_size(size, 2),
                        mark=self.placed.get(part) if last and self.failed is None else None,
                        current=last and part == self.part,
                    )
                )
        return Tree("Partition", tuple(nodes), "No request is being looked at.")

    def table(self) -> Table:
        """The parts of this round and where they are."""
        rows = []
        for part, size in enumerate(self.rounds[-1] if self.rounds else ()):
            mark = self.placed.get(part)
            where = mark.box.describe(flat=True) if mark else "nowhere" if part == self.failed else None
            if mark and self.failed is not None:
                where, mark = f"{where}, given back", None
            rows.append(
                TableRow((str(part + 1), describe_size(size, 2), where), mark, current=part == self.part)
            )
        return Table("Parts of this round", ("", "Size", "Box"), tuple(rows), "None: no round has begun.")


def _busy_table(moment: Moment) -> Table:
    rows = tuple(
        TableRow((JobCell(str(job), job), box.describe(flat=True)), Mark(Role.TRIED, box, (0, 0, 0)))
        for box, job in boxes_in(moment.state["busy"])
    )
    return Table("Busy boxes", ("Job", "Box"), rows, "Empty: no processor is held.", jobs=("Job",))
