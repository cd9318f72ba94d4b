"""The 2D buddy system of Li and Cheng (000 §2.2.1, 001 §2, 004 §2): squares whose sides are powers of two.

A free list may hold several squares. The papers do not say which is taken; here it is the first in the order
of the lowest row, then the leftmost, which gives the square of 001 figure 3(a).
"""

from __future__ import annotations

from meshgui.engine.allocation.base import Bound, Boxes, Complexity, Line, Options, Source
from meshgui.engine.allocation.block_records import square
from meshgui.engine.allocation.buddy_blocks import BlockView, BuddyStrategy, kept_in
from meshgui.engine.allocation.inspection import Inspection, Moment, Request
from meshgui.engine.allocation.steps import Role, Step, StepLog
from meshgui.engine.geometry import Box, Mesh, Size
from meshgui.engine.words import counted

__all__ = ["TwoDBuddy"]

# The lines of the pseudo-code, by their place in `LINES`.
ROUND, EMPTY, FAIL, TAKE, SPLIT, FOUND = range(6)

LINES = (
    Line(
        "round",
        "find the smallest square with a power of two for its side that holds the request",
        says="It gets a square of {size}{spare}.",
        decision=True,
    ),
    Line(
        "empty",
        "for each size from this one up: pass over it if no such square is free",
        says="No square of {size} is free.",
    ),
    Line(
        "fail",
        "if no size is left: fail",
        says="No free square is large enough, so the job waits.",
        decision=True,
    ),
    Line(
        "take",
        "take the first free square of this size: the lowest, of these the leftmost",
        says="Of the free squares of {size}, {box} comes first.",
        decision=True,
    ),
    Line(
        "split",
        "while it is larger than needed: split it into four, keep the first, free the others",
        says="{box} is split into four; {kept} is kept, and its three buddies are free.",
    ),
    Line("found", "allocate the square", says="The job gets {box}.", decision=True),
)


class TwoDBuddy(BuddyStrategy):
    """The first square of the smallest size that is free and large enough, split as far as it can be."""

    id = "2dbs"
    title = "2D Buddy System"
    dims = frozenset({2})
    rotates = False
    contiguous = True
    source = Source("000", "§2.2.1; 001 §2 and figure 3(a)")
    lines = LINES
    complexity = Complexity(Bound("Θ(log a)", log=1), Bound("O(ab)", n=1), "004 table 2")
    split = SPLIT

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        """See Strategy."""
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        w, d, _ = mesh.extents
        if w == d == _rounded((w, d, 1)):
            return None
        return (
            f"{cls.id} works on square meshes whose side is a power of two, and this one is {mesh.describe()}"
        )

    def granted(self, size: Size) -> int:
        """See Strategy."""
        return _rounded(size) ** 2

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        """See Strategy."""
        side = _rounded(request.size)
        larger, looked_at = self.smallest_from(side)
        self.operations += looked_at
        if log is not None:
            self._note_lists(log, side, larger)
        if larger is None:
            return None
        source = self.free_blocks(larger)[0]
        block = square(source.x, source.y, side)
        self.operations += self.take(source, block, request, log)
        if log is not None:
            log.note(FOUND, Role.PLACED, block, (side, 0, 0))
        return (block,)

    def inspect(self, moment: Moment) -> Inspection:
        """The buddy tree, and the free squares by size."""
        now = moment.step
        found = [now.marks[0].box] if now is not None and now.line == FOUND else []
        current = None
        if now is not None and now.line in (TAKE, SPLIT, FOUND):
            current = kept_in(now) if now.line == SPLIT else now.marks[0].box
        blocks = BlockView(self.mesh, moment, SPLIT, found)
        panels = (blocks.tree("Buddy tree", current), blocks.table(current))
        return Inspection(panels, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        box = step.marks[0].box
        spare = box.volume - (moment.request.size[0] * moment.request.size[1] if moment.request else 0)
        return super().words(step, moment) | {
            "spare": f", {counted(spare, 'processor')} more than it asks for" if spare else "",
            "kept": step.marks[-1].box.describe(flat=True),
        }

    def _note_lists(self, log: StepLog, side: int, larger: int | None) -> None:
        """Log the sizes looked at, up to the one that has a free square."""
        log.note(ROUND, Role.TRIED, square(0, 0, side), (side, 0, 0))
        for empty in self.sides:
            if side <= empty and (larger is None or empty < larger):
                log.note(EMPTY, Role.NOTHING, square(0, 0, empty), (empty, 0, 0))
        if larger is None:
            log.note(FAIL, Role.NOTHING, Box(0, 0, 0, 0, 0, 0))
        else:
            log.note(TAKE, Role.CANDIDATE, self.free_blocks(larger)[0], (larger, 0, 0))


def _rounded(size: Size) -> int:
    """The side of the square that a request gets."""
    longest = max(size)
    return 1 << (longest - 1).bit_length()
