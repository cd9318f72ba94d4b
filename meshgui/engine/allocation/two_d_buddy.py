"""The 2D buddy system of Li and Cheng (000 §2.2.1, 001 §2, 004 §2): squares whose sides are powers of two.

A free list may hold several squares. The papers do not say which is taken; here it is the first in the order
of the lowest row, then the leftmost, which gives the square of 001 figure 3(a).
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from meshgui.engine.allocation.base import Bound, Complexity, Options, Source
from meshgui.engine.allocation.block_lists import BlockState, empty_records, level_of
from meshgui.engine.allocation.block_records import BlockStrategy, release, take
from meshgui.engine.allocation.buddy_blocks import Blocks, kept_in, note_splits, smallest_from
from meshgui.engine.allocation.held_boxes import give
from meshgui.engine.allocation.inspection import Inspection, Moment
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Role, Step, note
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh, Size
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import counted

CODE = PseudoCode()
ROUND = CODE.decision(
    "round", "find the smallest square with a power of two for its side that holds the request"
)
CODE.says("It gets a square of {size}{spare}.")
EMPTY = CODE.line("empty", "for each size from this one up: pass over it if no such square is free")
CODE.says("No square of {size} is free.")
FAIL = CODE.decision("fail", "if no size is left: fail")
CODE.says("No free square is large enough, so the job waits.")
TAKE = CODE.decision("take", "take the first free square of this size: the lowest, then the leftmost")
CODE.says("Of the free squares of {size}, {box} comes first.")
SPLIT = CODE.line(
    "split", "while it is larger than needed: split it into four, keep the first, free the others"
)
CODE.says("{box} is split into four; {kept} is kept, and its three buddies are free.")
FOUND = CODE.decision("found", "allocate the square")
CODE.says("The job gets {box}.")


@kernel
def search(state: BlockState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request."""
    level = level_of(max(request.w, request.d))
    side = 1 << level
    larger, looked_at = smallest_from(state.counts, level, state.sizes)
    state.tally[OPERATIONS] += looked_at
    if log is not None:
        note(log, ROUND, Role.TRIED, 0, 0, 0, side, side, 1, side)
        for empty in range(level, larger if larger >= 0 else state.sizes):
            size = 1 << empty
            note(log, EMPTY, Role.NOTHING, 0, 0, 0, size, size, 1, size)
    if larger < 0:
        note(log, FAIL)
        return WAITS
    state.tally[OPERATIONS] += larger - level
    node = int(state.places[state.starts[larger]])
    x, y = node % state.turning.extents[0], node // state.turning.extents[0]
    size = 1 << larger
    note(log, TAKE, Role.CANDIDATE, x, y, 0, size, size, 1, size)
    note_splits(log, SPLIT, larger, level, x, y)
    note(log, FOUND, Role.PLACED, x, y, 0, side, side, 1, side)
    return give(boxes_out, x, y, side, side)


class TwoDBuddyOptions(Options):
    """What counts as an operation of a release."""

    # 004 table 2 has O(ab) for it
    count: Literal["lists", "bitmap"] = Field(
        "lists",
        description=tr(
            "what counts as an operation of a release: each square given back or looked at, as with free "
            "lists, or each processor of it, as with a bitmap"
        ),
    )


class TwoDBuddy(BlockStrategy):
    """The first square of the smallest size that is free and large enough, split as far as it can be."""

    id = "2dbs"
    title = tr("2D Buddy System")
    keeps_lists = True
    contiguous = True
    options_model = TwoDBuddyOptions
    options: TwoDBuddyOptions
    source = Source("000", "§2.2.1; 001 §2, figure 3(a)")
    lines = CODE.lines
    complexity = Complexity(Bound(tr("Θ(log a)"), log=1), Bound("O(ab)", n=1), tr("004 table 2"))

    kernels = StrategyKernels(release, search=search, take=take)

    def empty_state(self) -> BlockState:
        return empty_records(self.mesh, bitmap=self.options.count == "bitmap")

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        w, d, _ = mesh.extents
        if w == d == _rounded((w, d, 1)):
            return None
        said = tr("{cls} works on square meshes whose side is a power of two, but this one is {mesh}")
        return said.format(cls=cls.id, mesh=mesh.describe())

    def granted(self, size: Size) -> int:
        return _rounded(size) ** 2

    def inspect(self, moment: Moment) -> Inspection:
        """The buddy tree, and the free squares by size."""
        now = moment.step
        found = [now.marks[0].box] if now is not None and now.line == FOUND else []
        current = None
        if now is not None and now.line in (TAKE, SPLIT, FOUND):
            current = kept_in(now) if now.line == SPLIT else now.marks[0].box
        blocks = Blocks(self.mesh, moment, SPLIT, found)
        panels = (blocks.tree(tr("Buddy tree"), (current,)), blocks.table(current))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        box = step.marks[0].box
        spare = box.volume - (moment.request.size[0] * moment.request.size[1] if moment.request else 0)
        more = tr(", {processors} more than it asks for")
        return super().words(step, moment) | {
            "spare": more.format(processors=counted(spare, "processor")) if spare else "",
            "kept": step.marks[-1].box.describe(flat=True),
        }


def _rounded(size: Size) -> int:
    """The side of the square that a request gets."""
    longest = max(size)
    return 1 << (longest - 1).bit_length()
