"""Adaptive Non-contiguous Allocation (000 §2.2.2): the request whole, or cut into ever more equal parts.

Round 0 looks for the request as it is; round i cuts every part of the round before in two across its longer
side, so it has 2^i parts, of which all must find a box in the same round. Left open by 000 and decided here:
a part of odd length is cut into halves that differ by one, the longer first; a square is cut across its
width; each part goes into the first free box, lowest row first, leftmost first.
"""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.allocation.base import BlockOptions, Line, Source
from meshgui.engine.allocation.box_list import BoxListStrategy, boxes_in
from meshgui.engine.allocation.inspection import (
    Inspection,
    JobCell,
    Moment,
    NodeKind,
    Request,
    Table,
    TableRow,
    Tree,
    TreeNode,
)
from meshgui.engine.allocation.search_strategy import SearchResult
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.geometry import Box, Size, describe_size, region
from meshgui.engine.kernel import kernel
from meshgui.engine.sentences import job_name
from meshgui.engine.words import counted

__all__ = ["AdaptiveNonContiguous", "AdaptiveNonContiguousOptions", "cut"]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, ROUND, PART, BUSY, PLACE, BACK, FOUND, FAIL = range(8)

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


@kernel
def place(
    held: NDArray[np.int32],
    parts: NDArray[np.int32],
    bases: NDArray[np.int32],
    job: int,
    log: NDArray[np.int32] | None,
) -> tuple[bool, int]:
    """Put the parts one after another: (whether all have a box, processors examined). Changes `held`."""
    examined, count = 0, parts.shape[0]
    for p in range(count):
        a, b = parts[p, 0], parts[p, 1]
        if log is not None:
            note(log, PART, Role.TRIED, 0, 0, 0, a, b, 1, p + 1, count, 0)
        x, y, looked_at = _first_fit(held, a, b, log)
        examined += looked_at
        if x < 0:
            if log is not None:
                note(log, BACK, Role.NOTHING, 0, 0, 0, 0, 0, 0, p + 1, count, 0)
            return False, examined
        held[y : y + b, x : x + a] = job
        bases[p, 0], bases[p, 1] = x, y
        if log is not None:
            note(log, PLACE, Role.PLACED, x, y, 0, a, b, 1, p + 1, count, 0)
    return True, examined


def cut(parts: list[Size], least: int = 1) -> list[Size] | None:
    """Every part in two across its longer side, or None where a half would have a side below the least."""
    halves: list[Size] = []
    for w, d, h in parts:
        if max(w, d) < 2 * least or min(w, d) < least:
            return None
        if w >= d:
            halves += [((w + 1) // 2, d, h), (w // 2, d, h)]
        else:
            halves += [(w, (d + 1) // 2, h), (w, d // 2, h)]
    return halves


class AdaptiveNonContiguousOptions(BlockOptions):
    """How far a request may be cut."""

    rounds: Annotated[  # 000 leaves the number open
        int, Field(ge=0, le=16, strict=True, description="how often a request may be cut in two")
    ] = 4
    stop: Annotated[
        Literal["below-one", "at-one"],
        Field(
            description="which side of a part ends the cutting: one below 1, or one that reaches 1, as in 000"
        ),
    ] = "below-one"

    @property
    def least_side(self) -> int:
        """The shortest side that a part may have."""
        return 1 if self.stop == "below-one" else 2


class AdaptiveNonContiguous(BoxListStrategy):
    """The request whole, or in 2, 4, 8 … parts that all find a box in the same round."""

    id = "anca"
    title = "Adaptive Non-contiguous"
    dims = frozenset({2})
    rotates = False
    contiguous = False
    source = Source("000", "§2.2.2")
    lines = LINES
    options_model = AdaptiveNonContiguousOptions
    options: AdaptiveNonContiguousOptions

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        held = self._held()
        asked, free = prod(request.size), int(np.count_nonzero(held < 0))
        if asked > free:
            _note(log, ENOUGH, free, asked)
            return SearchResult(None, 1)
        examined = 1
        parts: list[Size] | None = [request.size]
        for turn in range(self.options.rounds + 1):
            parts = cut(parts, self.options.least_side) if turn and parts is not None else parts
            if parts is None:
                break
            _note(log, ROUND, turn, len(parts))
            sizes = np.array(parts, dtype=np.int32)
            bases = np.zeros((len(parts), 2), dtype=np.int32)
            placed, looked_at = place(held[0].copy(), sizes, bases, request.job, log)
            examined += looked_at
            if placed:
                boxes = tuple(Box(x, y, 0, *part) for (x, y), part in zip(bases.tolist(), parts, strict=True))
                for n, box in enumerate(boxes):
                    if log is not None:
                        note(log, SAME_STEP if n else FOUND, Role.PLACED, *box, len(boxes), 0, 0)
                return SearchResult(boxes, examined)
        _note(log, FAIL, 0 if parts is not None else self.options.least_side, self.options.rounds)
        return SearchResult(None, examined)

    def _held(self) -> NDArray[np.int32]:
        held = self.mesh.occupancy()
        for box, job in boxes_in(self.busy):
            region(held, box)[:] = job
        return held

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


def _note(log: NDArray[np.int32] | None, line: int, n: int, k: int) -> None:
    """Log a step that looks at no box."""
    if log is not None:
        note(log, line, Role.NOTHING, 0, 0, 0, 0, 0, 0, n, k, 0)


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
