"""All Request Shapes GABL (003 §II C): the whole request in any shape of its size, or else as GABL.

003 names the strategy and says no more than that all shapes are considered. So here they are exactly: the
request as asked and turned; then every other pair of sides with the same product that the mesh can hold, the
squarest first, of a pair the wider before the longer; and then GABL, which shortens the request as asked.
"""

from __future__ import annotations

from math import prod

import numpy as np

from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.busy_list import empty_list
from meshgui.engine.allocation.busy_list_kernel import BusyListState
from meshgui.engine.allocation.gabl import GreedyAvailableBusyList, allocate
from meshgui.engine.allocation.inspection import Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import KernelRequest
from meshgui.engine.allocation.panels import TableBuilder
from meshgui.engine.allocation.pseudo_code import Line
from meshgui.engine.allocation.steps import Step, Steps
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.geometry import Size, describe_size
from meshgui.engine.basics.kernel import kernel, with_parts
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import counted

_ROOM = 6 + 2 * 256  # no number of processors that a mesh can have has more pairs of divisors


@kernel
def every_shape(state: BusyListState, request: KernelRequest) -> int:
    """Write the request as asked and turned, then every other shape of its size, into `turns`: how many."""
    turns, extents = state.turning.room, state.turning.extents
    count = oriented(state.turning, request.w, request.d, request.h)
    processors = request.w * request.d * request.h
    for short in range(int(np.sqrt(processors)), 0, -1):
        if processors % short == 0:
            for a, b in ((processors // short, short), (short, processors // short)):
                new = a <= extents[0] and b <= extents[1]
                for s in range(count):
                    new = new and (turns[s, 0] != a or turns[s, 1] != b)
                if new:
                    turns[count, 0], turns[count, 1], turns[count, 2] = a, b, 1
                    count += 1
    return count


def _in_other_words(line: Line) -> Line:
    """A line of GABL as it is here."""
    match line.label:
        case "whole":
            return line.altered(
                "look for one free box, in any shape of that many processors:",
                "Look for {k} in one box: {shapes}.",
            )
        case "turn":
            return line.altered("for each shape, or each orientation of a part:", "Look for a free {size}.")
    return line


class AllShapesGreedy(GreedyAvailableBusyList):
    """The request in one box of any shape, or else in boxes that never grow again."""

    id = "arsgabl"
    title = tr("All Request Shapes GABL")
    dims = frozenset({2})
    rotates = True
    contiguous = False
    source = Source("003", "§II C")
    complexity = None  # 003 states none
    lines = tuple(_in_other_words(line) for line in GreedyAvailableBusyList.lines)

    kernels = GreedyAvailableBusyList.kernels._replace(
        allocate=with_parts(allocate, "arsgabl", wholes=every_shape)
    )

    def empty_state(self) -> BusyListState:
        return empty_list(self.mesh, turns=True, room=_ROOM)

    def wholes(self, size: Size) -> tuple[Size, ...]:
        """The shapes in which all of the request is tried before any part of it."""
        count = every_shape(self.state, KernelRequest(0, *size, 0.0, 0.0, 0))
        return tuple((w, d, h) for w, d, h in self.state.turning.room[:count].tolist())

    def inspect(self, moment: Moment) -> Inspection:
        """GABL's panels, and the shapes of the request with their outcome."""
        seen = super().inspect(moment)
        return Inspection((self._shape_table(moment), *seen.panels), seen.marks, seen.says)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        words = super().words(step, moment)
        if self.lines[step.line].label == "whole" and moment.request is not None:
            count = len(self.wholes(moment.request.size))
            words["k"] = counted(prod(moment.request.size), "processor")
            few = {0: tr("no shape of that size fits into the mesh"), 1: tr("1 shape fits")}
            words["shapes"] = few.get(count, tr("{count} shapes fit").format(count=count))
        return words

    def _shape_table(self, moment: Moment) -> Table:
        shapes = self.wholes(moment.request.size) if moment.request is not None else ()
        tried, sought = self._tried(moment.steps)
        columns = (tr("Shape"), tr("Outcome"))
        table = TableBuilder(tr("Shapes"), columns, tr("None: no shape of that size is being tried."))
        for n, shape in enumerate(shapes):
            outcome = None if n >= len(tried) else tried[n]
            table.row(describe_size(shape, 2), outcome, current=sought and n == len(tried) - 1)
        return table.table()

    def _tried(self, steps: Steps) -> tuple[list[str], bool]:
        """The outcome of each shape so far, and whether the last is still being tried."""
        tried: list[str] = []
        for line in steps.lines().tolist():
            label = self.lines[line].label
            if label == "turn":
                tried = [tr("not free")] * len(tried) + [tr("being tried")]
            elif label == "base":
                return [*tried[:-1], tr("free")], False
            elif label == "none":
                return [tr("not free")] * len(tried), False
        return tried, bool(tried)
