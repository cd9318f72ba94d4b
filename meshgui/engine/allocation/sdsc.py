"""The strategy of the Paragon at the San Diego Supercomputing Center (001 §2): buddy blocks near an anchor.

001 says that it resembles Multiple Buddy, that the first and largest block is the anchor, and that later ones
are taken as close to it as possible, by the distances between corresponding corners. The rest is decided
here: the request is factored as by Multiple Buddy (001 §3.3), the anchor is the first block of its list, a
block is cut out of the smallest free size that will do, the distance is the number of hops, and of equally
close places the lowest, then the leftmost is taken. The node sets and queues of that machine are left out.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Boxes, Line, Source
from meshgui.engine.allocation.block_records import block_name, square
from meshgui.engine.allocation.buddy_blocks import BlockView, BuddyStrategy, kept_in
from meshgui.engine.allocation.inspection import Inspection, Moment, Request, Table, TableRow
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, StepLog, Steps, note
from meshgui.engine.geometry import Box
from meshgui.engine.kernel import kernel
from meshgui.engine.words import counted

__all__ = ["Sdsc"]

# The lines of the pseudo-code, by their place in `LINES`.
ENOUGH, FACTOR, WANT, QUARTER, ANCHOR, MEASURE, CLOSEST, SPLIT, FOUND = range(9)

LINES = (
    Line(
        "enough",
        "if fewer processors are free than asked for: fail",
        decision=True,
        says="It asks for {asked} and {few} free, so no search is made.",
    ),
    Line(
        "factor",
        "write the number of processors in base 4: so many blocks of each size",
        says="{total} {blocks}.",
        decision=True,
    ),
    Line(
        "want",
        "for each block, the largest first: find the smallest size of free blocks that is large enough",
        says="A block of {wanted} is wanted. The smallest free blocks that are large enough are {from}.",
    ),
    Line(
        "quarter",
        "if there is none: want four blocks of half the side in place of each",
        1,
        says="No free block is {wanted} or larger, so {i} blocks of half the side are wanted instead of {k}.",
        decision=True,
    ),
    Line(
        "anchor",
        "if it is the job's first: take the lowest, of these the leftmost; it is the anchor",
        1,
        says="{box} is the job's first block, and so the anchor.",
        decision=True,
    ),
    Line(
        "measure",
        "else: for each place, add up the distances from its corners to those of the anchor",
        1,
        says="The corners of {box} are {n} hops from those of the anchor in all.",
    ),
    Line(
        "closest",
        "take the closest place, of equals the lowest, of these the leftmost",
        2,
        says="{box} is closest to the anchor, with {n} hops.",
        decision=True,
    ),
    Line(
        "split",
        "while it is part of a larger block: split that into four, and free the other three",
        1,
        says="{box} is split into four; {kept} is kept, and its three buddies are free.",
    ),
    Line("found", "allocate the blocks taken", says="The job gets {got}.", decision=True),
)


@kernel
def distance(x: int, y: int, side: int, anchor_x: int, anchor_y: int, anchor_side: int) -> int:
    """The hops between the corresponding corners of two blocks, added up over the four corners."""
    left, low = abs(x - anchor_x), abs(y - anchor_y)
    right = abs(x + side - anchor_x - anchor_side)
    high = abs(y + side - anchor_y - anchor_side)
    return int(2 * (left + low + right + high))


@kernel
def closest(
    sources: NDArray[np.int32],
    source_side: int,
    side: int,
    anchor: NDArray[np.int32],
    log: NDArray[np.int32] | None,
) -> tuple[int, int, int, int]:
    """The closest place for a block in some larger ones: (x, y, in which of them, places measured)."""
    best_x, best_y, best_source, least, measured = 0, 0, -1, 0, 0
    for s in range(sources.shape[0]):
        for y in range(sources[s, 1], sources[s, 1] + source_side, side):
            for x in range(sources[s, 0], sources[s, 0] + source_side, side):
                far = distance(x, y, side, anchor[0], anchor[1], anchor[2])
                measured += 1
                if log is not None:
                    note(log, MEASURE, Role.CANDIDATE, x, y, 0, side, side, 1, far, 0, 0)
                if best_source < 0 or (far, y, x) < (least, best_y, best_x):
                    best_x, best_y, best_source, least = x, y, s, far
    if log is not None:
        note(log, CLOSEST, Role.CANDIDATE, best_x, best_y, 0, side, side, 1, least, 0, 0)
    return best_x, best_y, best_source, measured


class Sdsc(BuddyStrategy):
    """Buddy blocks for exactly the processors asked for, each as close to the first as can be."""

    id = "sdsc"
    title = "Paragon anchor-block 2D buddy"
    dims = frozenset({2})
    rotates = False
    contiguous = False
    source = Source("001", "§2")
    lines = LINES
    options_model = BlockOptions
    split = SPLIT

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        """See Strategy."""
        asked = prod(request.size)
        self.operations += 1
        free = self.records.free
        if asked > free:
            if log is not None:
                log.note(ENOUGH, Role.NOTHING, Box(0, 0, 0, 0, 0, 0), (free, asked, 0))
            return None
        wanted = self._factored(asked, log)
        taken: list[Box] = []
        for side in reversed(self.sides):
            for left in range(wanted[side], 0, -1):
                source_side, looked_at = self.smallest_from(side)
                self.operations += looked_at
                if source_side is None:
                    wanted[side // 2] += 4 * left
                    if log is not None:
                        log.note(QUARTER, Role.NOTHING, square(0, 0, side), (side, left, 4 * left))
                    break
                taken.append(self._take_one(side, source_side, taken, request, log))
        if log is not None:
            for number, block in enumerate(taken):
                log.note(SAME_STEP if number else FOUND, Role.PLACED, block, (block.w, number, 0))
        return tuple(taken)

    def inspect(self, moment: Moment) -> Inspection:
        """The job's blocks from the anchor on, the places measured for the next, and the block tree."""
        so_far = _Progress(moment.steps)
        blocks = BlockView(self.mesh, moment, SPLIT, [mark.box for mark in so_far.taken])
        now = moment.step
        panels = (
            _taken_table(so_far),
            _distance_table(so_far),
            blocks.tree("Block tree", so_far.current),
            blocks.table(so_far.current),
        )
        return Inspection(panels, so_far.marks(now), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        n, k, _ = step.marks[0].values
        parts = [_blocks(mark.values[1], mark.values[2]) for mark in step.marks if mark.values[1]]
        boxes = [mark.box.describe(flat=True) for mark in step.marks]
        return super().words(step, moment) | {
            "total": f"{counted(n, 'processor')} {'makes' if n == 1 else 'make'}",
            "blocks": _listed(parts),
            "wanted": f"{n}×{n}",
            "from": f"{k}×{k}",
            "kept": boxes[-1],
            "got": _listed(boxes),
        }

    def _factored(self, asked: int, log: StepLog | None) -> dict[int, int]:
        """How many blocks of each size make up the number: its digits in base 4, the largest size first."""
        wanted: dict[int, int] = {}
        rest = asked
        for side in reversed(self.sides):
            wanted[side], rest = divmod(rest, side**2)
        if log is not None:
            for number, (side, count) in enumerate(wanted.items()):
                line = SAME_STEP if number else FACTOR
                log.note(line, Role.NOTHING, square(0, 0, side), (asked, count, side))
        return wanted

    def _take_one(
        self, side: int, source_side: int, taken: list[Box], request: Request, log: StepLog | None
    ) -> Box:
        """Take a block: the anchor, or the place closest to it among the free blocks of a size."""
        sources = self.free_blocks(source_side)
        if log is not None:
            log.note(WANT, Role.NOTHING, square(0, 0, side), (side, source_side, 0))
        if not taken:
            source = sources[0]
            block = square(source.x, source.y, side)
            if log is not None:
                log.note(ANCHOR, Role.CANDIDATE, block, (0, 0, 0))
        else:
            bases = np.array([(source.x, source.y) for source in sources], dtype=np.int32)
            anchor = np.array((taken[0].x, taken[0].y, taken[0].w), dtype=np.int32)
            rows = None if log is None else log.rows
            x, y, number, measured = closest(bases, source_side, side, anchor, rows)
            self.operations += measured
            source, block = sources[number], square(x, y, side)
        self.operations += self.take(source, block, request, log)
        return block


def _blocks(count: int, side: int) -> str:
    """A number of blocks in words."""
    return f"{counted(count, 'block')} of {side}×{side}"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


class _Progress:
    """The findings of the steps so far."""

    def __init__(self, steps: Steps) -> None:
        self.taken: list[Mark] = []  # the last may still have to be split off
        self.places: list[Mark] = []  # those measured for the block that is wanted now
        self.current: Box | None = None
        for step in steps:
            mark = step.marks[0]
            if step.line == WANT:
                self.places, self.current = [], None
            elif step.line == MEASURE:
                self.places.append(mark)
            elif step.line in (ANCHOR, CLOSEST):
                self.taken.append(mark)
                self.current = mark.box
            elif step.line == SPLIT:
                self.current = kept_in(step)
            else:
                self.current = None

    def marks(self, now: Step | None) -> tuple[Mark, ...]:
        """The marks to draw: those of the step, and the blocks taken so far, the anchor first."""
        looked_at = now.marks if now is not None else ()
        shown = {mark.box for mark in looked_at}
        before = (mark._replace(role=Role.PLACED) for mark in self.taken if mark.box not in shown)
        return (*looked_at, *before)


def _taken_table(so_far: _Progress) -> Table:
    last = len(so_far.taken) - 1
    rows = tuple(
        TableRow(
            ("anchor" if number == 0 else str(number + 1), block_name(mark.box), str(mark.values[0])),
            mark,
            current=number == last and so_far.current is not None,
        )
        for number, mark in enumerate(so_far.taken)
    )
    return Table("Blocks of the job", ("", "Block", "Distance"), rows, "None has been taken.")


def _distance_table(so_far: _Progress) -> Table:
    least = min((mark.values[0] for mark in so_far.places), default=0)
    last = len(so_far.places) - 1
    rows = tuple(
        TableRow(
            (block_name(mark.box), str(mark.values[0]), "least" if mark.values[0] == least else ""),
            mark,
            current=number == last and so_far.current is None,
        )
        for number, mark in enumerate(so_far.places)
    )
    return Table("Distances to the anchor", ("Place", "Distance", ""), rows, "None has been measured.")
