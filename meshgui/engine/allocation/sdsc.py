"""The strategy of the Paragon at the San Diego Supercomputing Center (001 §2): buddy blocks near an anchor.

001 says that it resembles Multiple Buddy, that the first and largest block is the anchor, and that later ones
are taken as close to it as possible, by the distances between corresponding corners. The rest is decided
here: the request is factored as by Multiple Buddy (001 §3.3), the anchor is the first block of its list, a
block is cut out of the smallest free size that will do, the distance is the number of hops, and of equally
close places the lowest, then the leftmost is taken. The node sets and queues of that machine are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Line, Source
from meshgui.engine.allocation.block_records import (
    BlockState,
    BlockStrategy,
    block_name,
    empty_records,
    free_processors,
    release,
    take,
)
from meshgui.engine.allocation.buddy_blocks import BlockView, kept_in, note_splits, smallest_from
from meshgui.engine.allocation.held_boxes import give
from meshgui.engine.allocation.inspection import Inspection, Moment, Table, TableRow
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, Asked, StrategyKernels
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, Steps, note
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import counted

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
        "write the number of processors in base 4: each digit is a number of blocks of one size",
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
        "if it is the job's first: take the lowest, then the leftmost; it is the anchor",
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
        "take the closest place; among equals the lowest, then the leftmost",
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
def distance(x: int, y: int, side: int, anchor: NDArray[np.int32]) -> int:
    """The hops between the corresponding corners of two blocks, added up over the four corners."""
    left, low = abs(x - anchor[0]), abs(y - anchor[1])
    right, high = abs(x + side - anchor[0] - anchor[3]), abs(y + side - anchor[1] - anchor[4])
    return int(2 * (left + low + right + high))


@kernel
def closest(
    state: BlockState, larger: int, level: int, anchor: NDArray[np.int32], log: NDArray[np.int32] | None
) -> tuple[int, int]:
    """The closest place for a block in the free ones of a size; every place is counted."""
    side, across, width = 1 << level, 1 << (larger - level), int(state.extents[0])
    best_x, best_y, least = 0, 0, -1
    begin = int(state.starts[larger])
    for place in range(begin, begin + int(state.counts[larger])):
        corner = int(state.places[place])
        for n in range(across * across):
            x, y = corner % width + n % across * side, corner // width + n // across * side
            far = distance(x, y, side, anchor)
            if log is not None:
                note(log, MEASURE, Role.CANDIDATE, x, y, 0, side, side, 1, far, 0, 0)
            if least < 0 or (far, y, x) < (least, best_y, best_x):
                best_x, best_y, least = x, y, far
    state.tally[OPERATIONS] += int(state.counts[larger]) * across * across
    if log is not None:
        note(log, CLOSEST, Role.CANDIDATE, best_x, best_y, 0, side, side, 1, least, 0, 0)
    return best_x, best_y


@kernel
def _take_one(
    state: BlockState,
    job: int,
    level: int,
    larger: int,
    given: NDArray[np.int32],
    taken: int,
    log: NDArray[np.int32] | None,
) -> None:
    """Take a block: the anchor, or the place closest to it among the free blocks of a size."""
    side, node, width = 1 << level, int(state.places[state.starts[larger]]), int(state.extents[0])
    if log is not None:
        note(log, WANT, Role.NOTHING, 0, 0, 0, side, side, 1, side, 1 << larger, 0)
    if taken > 0:
        x, y = closest(state, larger, level, given[0], log)
    else:
        x, y = node % width, node // width
        if log is not None:
            note(log, ANCHOR, Role.CANDIDATE, x, y, 0, side, side, 1, 0, 0, 0)
    if log is not None:
        note_splits(log, SPLIT, larger, level, x, y)
    state.tally[OPERATIONS] += larger - level
    take(state, job, given[taken:], give(given[taken:], x, y, side, side))


@kernel
def _factor(wanted: NDArray[np.int64], sizes: int, processors: int, log: NDArray[np.int32] | None) -> None:
    """How many blocks of each size make up the number: its digits in base 4, the largest size first."""
    rest = processors
    for level in range(sizes - 1, -1, -1):
        wanted[level] = rest >> 2 * level
        rest -= wanted[level] << 2 * level
        if log is not None:
            side, line = 1 << level, FACTOR if level == sizes - 1 else SAME_STEP
            note(log, line, Role.NOTHING, 0, 0, 0, side, side, 1, processors, wanted[level], side)


@kernel
def allocate(state: BlockState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None) -> int:
    """Find boxes for the request, and take them."""
    processors, free = asked.w * asked.d * asked.h, free_processors(state.counts)
    wanted = state.wanted
    state.tally[OPERATIONS] += 1
    if processors > free:
        if log is not None:
            note(log, ENOUGH, Role.NOTHING, 0, 0, 0, 0, 0, 0, free, processors, 0)
        return WAITS
    _factor(wanted, state.sizes, processors, log)
    taken = 0
    for level in range(state.sizes - 1, -1, -1):
        for left in range(wanted[level], 0, -1):
            larger, looked_at = smallest_from(state.counts, level, state.sizes)
            state.tally[OPERATIONS] += looked_at
            if larger < 0:
                wanted[level - 1] += 4 * left
                if log is not None:
                    side = 1 << level
                    note(log, QUARTER, Role.NOTHING, 0, 0, 0, side, side, 1, side, left, 4 * left)
                break
            _take_one(state, asked.job, level, larger, given, taken, log)
            taken += 1
    if log is not None:
        for n in range(taken):
            x, y, side = given[n, 0], given[n, 1], given[n, 3]
            line = SAME_STEP if n else FOUND
            note(log, line, Role.PLACED, x, y, 0, side, side, 1, side, n, 0)
    return taken


class Sdsc(BlockStrategy):
    """Buddy blocks for exactly the processors asked for, each as close to the first as can be."""

    id = "sdsc"
    title = tr("Paragon anchor-block 2D buddy")
    dims = frozenset({2})
    rotates = False
    contiguous = False
    fails_until_release = True
    source = Source("001", "§2")
    lines = LINES
    options_model = BlockOptions

    kernels = StrategyKernels(release, allocate=allocate, take=take)

    def empty_state(self) -> BlockState:
        return empty_records(self.mesh)

    def inspect(self, moment: Moment) -> Inspection:
        """The job's blocks from the anchor on, the places measured for the next, and the block tree."""
        so_far = _Progress(moment.steps)
        blocks = BlockView(self.mesh, moment, SPLIT, [mark.box for mark in so_far.taken])
        now = moment.step
        panels = (
            _taken_table(so_far),
            _distance_table(so_far),
            blocks.tree(tr("Block tree"), so_far.current),
            blocks.table(so_far.current),
        )
        return Inspection(panels, so_far.marks(now), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        parts = [_blocks(mark.values[1], mark.values[2]) for mark in step.marks if mark.values[1]]
        boxes = [mark.box.describe(flat=True) for mark in step.marks]
        return super().words(step, moment) | {
            "total": tr_n("{number} processor makes", "{number} processors make", n)
            if n
            else tr("no processors make"),
            "blocks": _listed(parts),
            "wanted": f"{n}×{n}",
            "from": f"{k}×{k}",
            "kept": boxes[-1],
            "got": _listed(boxes),
        }


def _blocks(count: int, side: int) -> str:
    """A number of blocks in words."""
    return tr("{blocks} of {side}×{side}").format(blocks=counted(count, "block"), side=side)


def _listed(parts: list[str]) -> str:
    return tr(" and ").join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


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
            (tr("anchor") if number == 0 else str(number + 1), block_name(mark.box), str(mark.values[0])),
            mark,
            current=number == last and so_far.current is not None,
        )
        for number, mark in enumerate(so_far.taken)
    )
    return Table(tr("Blocks of the job"), ("", tr("Block"), tr("Distance")), rows, tr("None has been taken."))


def _distance_table(so_far: _Progress) -> Table:
    least = min((mark.values[0] for mark in so_far.places), default=0)
    last = len(so_far.places) - 1
    rows = tuple(
        TableRow(
            (block_name(mark.box), str(mark.values[0]), tr("least") if mark.values[0] == least else ""),
            mark,
            current=number == last and so_far.current is None,
        )
        for number, mark in enumerate(so_far.places)
    )
    return Table(
        tr("Distances to the anchor"), (tr("Place"), tr("Distance"), ""), rows, tr("None has been measured.")
    )
