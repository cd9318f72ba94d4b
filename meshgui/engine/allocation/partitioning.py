"""Gradual partitioning (002, 003 §II D): a part that is free nowhere gives up a line of its longest side.

The line of processors, in 3D a plane, is a part of its own, so a part becomes a large and a small one. Both
are placed before any other part, the large one first, by a contiguous search that does not turn them. A
strategy adds which search that is, which of equal sides is shortened, and how many boxes a job may get. 002
§6 leaves 3D meshes to others; here the same rule serves them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.best_fit import BestFit, Regions, best_state
from meshgui.engine.allocation.first_fit import FirstFit, search
from meshgui.engine.allocation.free_bits import FreeBits, FreeBitsStrategy, take, vacate
from meshgui.engine.allocation.held_processors import ENOUGH, FREE, Processors, too_few
from meshgui.engine.allocation.inspection import Inspection, Moment, NodeKind, Request, Tree, TreeNode
from meshgui.engine.allocation.kernel_strategy import STOPPED, WAITS, AnyState, KernelRequest
from meshgui.engine.allocation.nested_search import latest_search, rows_in, stand_at
from meshgui.engine.allocation.pseudo_code import NOT_ENOUGH, Line, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, note, note_boxes
from meshgui.engine.allocation.turning import Turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, describe_size, region, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

# The lines of the pseudo-code; those of the search stand after these, and the strategy's `places` after them.
PART = 1
_SEEK = 1  # how far the search's lines are moved: its own `enough` falls away


class PartitionState(NamedTuple):
    """Best Fit's state, which serves First Fit too, and how many boxes a job may get."""

    tally: Ints
    processors: Processors
    turning: Turning
    bits: FreeBits
    weights: Ints
    regions: Regions
    limit: Any  # a number, or what a strategy keeps to know it


class Places(NamedTuple):
    """The place of the lines after the search in the pseudo-code."""

    take: int
    over: int
    split: int
    found: int


# Templates: a strategy has its own in their places


PLACES = Places(0, 0, 0, 0)
FIRST_OF_EQUAL = True  # which of equal sides is shortened: the first or the last


@kernel
def most(state: AnyState) -> int:
    """How many boxes a job may get."""
    return int(state.limit)


@kernel
def conclude(state: AnyState, request: KernelRequest, count: int, log: Log) -> None:
    """Learn from a success, before the last line."""


@kernel
def write_part(waiting: Ints, at: int, w: int, d: int, h: int, node: int) -> None:
    """Have a part wait, with its number in the tree."""
    waiting[at, 0], waiting[at, 1], waiting[at, 2], waiting[at, 3] = w, d, h, node


@kernel
def longest_of(w: int, d: int, h: int) -> int:
    """The axis on which a part is longest."""
    axis, side = 0, w
    if d > side or (d == side and not FIRST_OF_EQUAL):
        axis, side = 1, d
    if h > side or (h == side and not FIRST_OF_EQUAL):
        axis = 2
    return axis


@kernel
def partition(state: AnyState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request, and take them.

    Parts wait on a stack, each with its number in the tree. A part that waits will take one box at least, so
    it is known before a part is split whether the bound would be passed.
    """
    if too_few(state, request, log):
        return WAITS
    bound = most(state)
    waiting = np.empty((request.w + request.d + request.h, 4), dtype=np.int64)
    write_part(waiting, 0, request.w, request.d, request.h, 0)
    top, nodes, count = 1, 1, 0
    while top > 0:
        if state.tally[STOPPED]:
            return WAITS
        top -= 1
        w, d, h, node = waiting[top]
        part, extents = state.turning.room, state.turning.extents
        part[0, 0], part[0, 1], part[0, 2] = w, d, h
        shapes = 1 if w <= extents[0] and d <= extents[1] and h <= extents[2] else 0
        note(log, PART, Role.NOTHING, 0, 0, 0, w, d, h, node, top, count)
        before = rows_in(log)
        found, x, y, z = search(state, part[:shapes], log)
        stand_at(log, before, _SEEK)
        if found >= 0:
            write_box(boxes_out, count, x, y, z, w, d, h)
            take(state, request.job, boxes_out[count : count + 1], 1)
            count += 1
            note(log, PLACES.take, Role.PLACED, x, y, z, w, d, h, node, top, count)
            continue
        if count + top + 2 > bound:
            note(log, PLACES.over, Role.NOTHING, 0, 0, 0, w, d, h, node, count + top + 2, bound)
            vacate(state, request.job)
            return WAITS
        axis = longest_of(w, d, h)
        large = (w - int(axis == 0), d - int(axis == 1), h - int(axis == 2))
        small = (1 if axis == 0 else w, 1 if axis == 1 else d, 1 if axis == 2 else h)
        write_part(waiting, top, small[0], small[1], small[2], nodes + 1)
        write_part(waiting, top + 1, large[0], large[1], large[2], nodes)
        note(log, PLACES.split, Role.NOTHING, 0, 0, 0, w, d, h, node, nodes, nodes + 1)
        note(log, SAME_STEP, Role.NOTHING, 0, 0, 0, large[0], large[1], large[2], nodes)
        note(log, SAME_STEP, Role.NOTHING, 0, 0, 0, small[0], small[1], small[2], nodes + 1)
        top += 2
        nodes += 2
    conclude(state, request, count, log)
    note_boxes(log, PLACES.found, Role.PLACED, boxes_out, count, count)
    return count


_SEEKING = {
    "turn": Line(
        "size", "look for a free box of the part's size, not turned:", says="Look for a free {size}."
    ),
    "next": Line("next", "else: it has none", 1, says="It has no base."),
    "fail": Line("none", "no base: the part is free nowhere", says="No {size} is free.", decision=True),
}
_BASES = {
    FirstFit: Line(
        "base", "if none is missing: this box is free", 2, says="The box {box} is free.", decision=True
    ),
    BestFit: Line(
        "base",
        "if there was a base: the best one's box is free",
        1,
        says="No base is better than {base}: {box} is free.",
        decision=True,
    ),
}


OVER = Line(
    "fail",
    "else: if its two parts would make more boxes than the bound: give all back and fail",
    1,
    says="In two parts it would need at least {k} boxes, but the bound is {i}: what was taken is given back.",
    decision=True,
)


def pseudo_code(
    finder: type[FirstFit | BestFit], over: Line, *before_found: Line
) -> tuple[tuple[Line, ...], Places]:
    """The lines of a strategy that partitions by such a search, and where those after the search stand."""
    words = _SEEKING | {"found": _BASES[finder]}
    code = PseudoCode(NOT_ENOUGH)
    code.decision("part", "for each part, at first the whole request:")
    code.says("The next part is {size}{more}.")
    code.add(*(words.get(line.label, line).altered(indent=1) for line in finder.lines[1:]))
    take = code.decision("take", "if it is free: take that box", 1)
    code.says("Take {box}.")
    passed = code.add(over)
    split = code.decision(
        "split", "else: cut one off the longest side; both are parts, the large one first", 1
    )
    code.says("Split {size} into {large} and {small}.")
    code.add(*before_found)
    found = code.decision("found", "every part has its box: allocate them")
    code.says("Every part has its box: the job gets {all}.")
    return code.lines, Places(take, passed, split, found)


class PartitioningStrategy(FreeBitsStrategy):
    """A strategy says by which search parts are placed, and has `partition` with that for its kernel."""

    dims = frozenset({2, 3})
    rotates = False
    contiguous = False
    finder: ClassVar[type[FirstFit | BestFit]]
    places: ClassVar[Places]

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._finder = self.finder(mesh)

    def state_with(self, limit: int | tuple[Any, ...]) -> PartitionState:
        """The state on an empty machine."""
        return PartitionState(*best_state(self.mesh, turns=False), limit)

    def inspect(self, moment: Moment) -> Inspection:
        """The parts of the request as a tree, and what the search for the part at hand shows."""
        taken = [step.marks[0] for step in self._outer(moment) if step.line == self.places.take]
        sought = self._finder.inspect(self._shown_search(moment))
        tree = self._tree(moment)
        line = moment.step.line if moment.step is not None else ENOUGH
        if line == self.places.found:
            marks = moment.marks
        else:
            marks = (*taken, *sought.marks) if line < self.places.take else tuple(taken)
        return Inspection((tree, *sought.panels), tuple(marks), self.say(moment), heat=sought.heat)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        if PART < step.line < self.places.take:
            inner = Step(step.line - _SEEK, step.marks)
            return self._finder.words(inner, self._search_at(moment)) | {"size": self._part_at(moment)}
        k = step.marks[0].values[1]
        sizes = [describe_size(mark.box.size, self.mesh.dims) for mark in step.marks]
        return super().words(step, moment) | {
            "more": {0: "", 1: tr("; 1 more waits")}.get(k, tr("; {k} more wait").format(k=k)),
            "large": sizes[1] if len(sizes) == 3 else "",
            "small": sizes[2] if len(sizes) == 3 else "",
            "all": tr("this box") if len(sizes) == 1 else tr("these {sizes} boxes").format(sizes=len(sizes)),
        }

    def _outer(self, moment: Moment) -> list[Step]:
        """The steps outside the searches."""
        lines = moment.steps.lines()
        outer = np.flatnonzero((lines <= PART) | (lines >= self.places.take))
        return [moment.steps[place] for place in outer.tolist()]

    def _part_at(self, moment: Moment) -> str:
        """The size of the part at hand."""
        return describe_size(moment.steps.since(PART)[0].marks[0].box.size, self.mesh.dims)

    def _search_at(self, moment: Moment) -> Moment:
        """What the contiguous search would be looking at: the mesh with what was taken, its steps alone."""
        held = moment.state["held"].copy()
        asked = moment.request
        for step in self._outer(moment):
            if step.line == self.places.take:
                region(held, step.marks[0].box)[:] = asked.job if asked is not None else FREE
            elif step.line == PART and asked is not None:
                asked = asked._replace(size=step.marks[0].box.size)
        steps = latest_search(moment.steps, {PART}, self.places.take, _SEEK)
        return Moment({"held": held}, asked, steps)

    def _shown_search(self, moment: Moment) -> Moment:
        """The search of the latest part, still to be seen when its box has been taken."""
        lines = moment.steps.lines()
        begun = np.flatnonzero(lines == PART)
        ended = np.flatnonzero(lines >= self.places.take)
        after = ended[ended > begun[-1]] if len(begun) else ended[:0]
        end = int(after[0]) if len(after) else len(lines)
        return self._search_at(replace(moment, steps=moment.steps[:end]))

    def _tree(self, moment: Moment) -> Tree:
        """The parts so far: still to be tried, placed, or failed."""
        nodes: dict[int, TreeNode] = {}
        for step in self._outer(moment):
            self._grow(nodes, step, moment.request)
        lines = moment.steps.lines()
        working = np.flatnonzero(np.isin(lines, (PART, self.places.take)))
        if len(working) and lines[-1] < self.places.found:
            node = moment.steps[int(working[-1])].marks[0].values[0]
            nodes[node] = replace(nodes[node], current=True)
        return Tree(tr("Parts"), tuple(nodes.values()), tr("None: no request is being split."))

    def _grow(self, nodes: dict[int, TreeNode], step: Step, request: Request | None) -> None:
        mark, *parts = step.marks
        node = mark.values[0]
        if step.line == PART and node not in nodes:
            nodes[node] = self._node(mark, None)
        elif step.line == self.places.take:
            job = request.job if request is not None else None
            nodes[node] = replace(nodes[node], kind=NodeKind.PLACED, mark=mark, job=job)
        elif step.line == self.places.split:
            nodes[node] = replace(nodes[node], kind=NodeKind.FAILED)
            for part in parts:
                nodes[part.values[0]] = self._node(part, node)
        elif step.line == self.places.over:
            nodes[node] = replace(nodes[node], kind=NodeKind.FAILED)
            for key, other in nodes.items():
                if other.kind == NodeKind.PLACED:
                    nodes[key] = replace(other, kind=NodeKind.FAILED, job=None)

    def _node(self, mark: Mark, parent: int | None) -> TreeNode:
        return TreeNode(mark.values[0], parent, NodeKind.OPEN, describe_size(mark.box.size, self.mesh.dims))
