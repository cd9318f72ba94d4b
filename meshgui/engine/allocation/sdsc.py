"""The strategy of the Paragon at the San Diego Supercomputing Center (001 §2): buddy blocks near an anchor.

001 says that it resembles Multiple Buddy, that the first and largest block is the anchor, and that later ones
are taken as close to it as possible, by the distances between corresponding corners. The rest is decided
here: the request is factored as by Multiple Buddy (001 §3.3), the anchor is the first block of its list, a
block is cut out of the smallest free size that will do, the distance is the number of hops, and of equally
close places the lowest, then the leftmost is taken. The node sets and queues of that machine are left out.
"""

from __future__ import annotations

from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.block_lists import BlockState, free_processors
from meshgui.engine.allocation.block_records import BlockStrategy, block_name, release, take
from meshgui.engine.allocation.buddy_blocks import Blocks, kept_in, note_splits, smallest_from
from meshgui.engine.allocation.held_boxes import give
from meshgui.engine.allocation.inspection import Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.panels import TableBuilder, with_those_before
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, Steps, note, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import counted

CODE = PseudoCode()
ENOUGH = CODE.add(NOT_ENOUGH)
FACTOR = CODE.decision(
    "factor", "write the number of processors in base 4: each digit is a number of blocks of one size"
)
CODE.says("{total} {blocks}.")
WANT = CODE.line(
    "want", "for each block, the largest first: find the smallest size of free blocks that is large enough"
)
CODE.says("A block of {wanted} is wanted. The smallest free blocks that are large enough are {from}.")
QUARTER = CODE.decision("quarter", "if there is none: want four blocks of half the side in place of each", 1)
CODE.says("No free block is {wanted} or larger, so {i} blocks of half the side are wanted instead of {k}.")
ANCHOR = CODE.decision(
    "anchor", "if it is the job's first: take the lowest, then the leftmost; it is the anchor", 1
)
CODE.says("{box} is the job's first block, and so the anchor.")
MEASURE = CODE.line(
    "measure", "else: for each place, add up the distances from its corners to those of the anchor", 1
)
CODE.says("The corners of {box} are {n} hops from those of the anchor in all.")
CLOSEST = CODE.decision("closest", "take the closest place; among equals the lowest, then the leftmost", 2)
CODE.says("{box} is closest to the anchor, with {n} hops.")
SPLIT = CODE.line(
    "split", "while it is part of a larger block: split that into four, and free the other three", 1
)
CODE.says("{box} is split into four; {kept} is kept, and its three buddies are free.")
FOUND = CODE.decision("found", "allocate the blocks taken")
CODE.says("The job gets {got}.")


@kernel
def distance(x: int, y: int, side: int, anchor: Ints32) -> int:
    """The hops between the corresponding corners of two blocks, added up over the four corners."""
    left, low = abs(x - anchor[0]), abs(y - anchor[1])
    right, high = abs(x + side - anchor[0] - anchor[3]), abs(y + side - anchor[1] - anchor[4])
    return int(2 * (left + low + right + high))


@kernel
def closest(state: BlockState, larger: int, level: int, anchor: Ints32, log: Log) -> tuple[int, int]:
    """The closest place for a block in the free ones of a size; every place is counted."""
    side, across, width = 1 << level, 1 << (larger - level), int(state.turning.extents[0])
    best_x, best_y, least = 0, 0, -1
    begin = int(state.starts[larger])
    for place in range(begin, begin + int(state.counts[larger])):
        corner = int(state.places[place])
        for n in range(across * across):
            x, y = corner % width + n % across * side, corner // width + n // across * side
            far = distance(x, y, side, anchor)
            note(log, MEASURE, Role.CANDIDATE, x, y, 0, side, side, 1, far)
            if least < 0 or (far, y, x) < (least, best_y, best_x):
                best_x, best_y, least = x, y, far
    state.tally[OPERATIONS] += int(state.counts[larger]) * across * across
    note(log, CLOSEST, Role.CANDIDATE, best_x, best_y, 0, side, side, 1, least)
    return best_x, best_y


@kernel
def _take_one(
    state: BlockState, job: int, level: int, larger: int, boxes_out: Ints32, taken: int, log: Log
) -> None:
    """Take a block: the anchor, or the place closest to it among the free blocks of a size."""
    side, node, width = 1 << level, int(state.places[state.starts[larger]]), int(state.turning.extents[0])
    note(log, WANT, Role.NOTHING, 0, 0, 0, side, side, 1, side, 1 << larger)
    if taken > 0:
        x, y = closest(state, larger, level, boxes_out[0], log)
    else:
        x, y = node % width, node // width
        note(log, ANCHOR, Role.CANDIDATE, x, y, 0, side, side, 1)
    note_splits(log, SPLIT, larger, level, x, y)
    state.tally[OPERATIONS] += larger - level
    take(state, job, boxes_out[taken:], give(boxes_out[taken:], x, y, side, side))


@kernel
def _factor(wanted: Ints, sizes: int, processors: int, log: Log) -> None:
    """How many blocks of each size make up the number: its digits in base 4, the largest size first."""
    rest = processors
    for level in range(sizes - 1, -1, -1):
        wanted[level] = rest >> 2 * level
        rest -= wanted[level] << 2 * level
        side, line = 1 << level, FACTOR if level == sizes - 1 else SAME_STEP
        note(log, line, Role.NOTHING, 0, 0, 0, side, side, 1, processors, wanted[level], side)


@kernel
def allocate(state: BlockState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request, and take them."""
    processors, free = request.w * request.d * request.h, free_processors(state)
    wanted = state.wanted
    state.tally[OPERATIONS] += 1
    if processors > free:
        note_numbers(log, ENOUGH, free, processors)
        return WAITS
    _factor(wanted, state.sizes, processors, log)
    taken = 0
    for level in range(state.sizes - 1, -1, -1):
        for left in range(wanted[level], 0, -1):
            larger, looked_at = smallest_from(state.counts, level, state.sizes)
            state.tally[OPERATIONS] += looked_at
            if larger < 0:
                wanted[level - 1] += 4 * left
                side = 1 << level
                note(log, QUARTER, Role.NOTHING, 0, 0, 0, side, side, 1, side, left, 4 * left)
                break
            _take_one(state, request.job, level, larger, boxes_out, taken, log)
            taken += 1
    if log is not None:
        for n in range(taken):
            x, y, side = boxes_out[n, 0], boxes_out[n, 1], boxes_out[n, 3]
            line = SAME_STEP if n else FOUND
            note(log, line, Role.PLACED, x, y, 0, side, side, 1, side, n)
    return taken


class Sdsc(BlockStrategy):
    """Buddy blocks for exactly the processors asked for, each as close to the first as can be."""

    id = "sdsc"
    title = tr("Paragon anchor-block 2D buddy")
    keeps_lists = True
    needs_box = False
    source = Source("001", "§2")
    lines = CODE.lines

    kernels = StrategyKernels(release, allocate=allocate, take=take)

    def inspect(self, moment: Moment) -> Inspection:
        """The job's blocks from the anchor on, the places measured for the next, and the block tree."""
        so_far = _Progress(moment.steps)
        blocks = Blocks(self.mesh, moment, SPLIT, [mark.box for mark in so_far.taken])
        now = moment.step
        panels = (
            _taken_table(so_far),
            _distance_table(so_far),
            blocks.tree(tr("Block tree"), (so_far.current,)),
            blocks.table(so_far.current),
        )
        return Inspection(panels, so_far.marks(now), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        parts = [_blocks(mark.values[1], mark.values[2]) for mark in step.marks if mark.values[1]]
        boxes = [mark.box.describe(flat=True) for mark in step.marks]
        total = tr_n("{number} processor makes", "{number} processors make", n)
        return super().words(step, moment) | {
            "total": total if n else tr("no processors make"),
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
        before = (mark._replace(role=Role.PLACED) for mark in self.taken)
        return with_those_before(now.marks if now is not None else (), before)


def _taken_table(so_far: _Progress) -> Table:
    columns = ("", tr("Block"), tr("Distance"))
    table = TableBuilder(tr("Blocks of the job"), columns, tr("None has been taken."))
    for number, mark in enumerate(so_far.taken, 1):
        name = tr("anchor") if number == 1 else str(number)
        current = number == len(so_far.taken) and so_far.current is not None
        table.row(name, block_name(mark.box), str(mark.values[0]), mark=mark, current=current)
    return table.table()


def _distance_table(so_far: _Progress) -> Table:
    least = min((mark.values[0] for mark in so_far.places), default=0)
    columns = (tr("Place"), tr("Distance"), "")
    table = TableBuilder(tr("Distances to the anchor"), columns, tr("None has been measured."))
    for number, mark in enumerate(so_far.places, 1):
        far, current = mark.values[0], number == len(so_far.places) and so_far.current is None
        rank = tr("least") if far == least else ""
        table.row(block_name(mark.box), str(far), rank, mark=mark, current=current)
    return table.table()
