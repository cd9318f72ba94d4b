"""Free Sub-mesh List (004 §2 and table 2): best fit over a list of all free boxes that no other contains.

The paper gives the idea and the costs, not the procedure; what is decided here is this. The request is laid
into a corner of a free box, in every way in which it fits. Each free box it would cut keeps only the largest
box beside it; what they lose together is the external fragmentation the placement may cause, and the
placement that loses least is taken. A box that is taken is cut out of the list. On release the list is made
again, from the whole mesh, by cutting out every box still held: that is where the paper's cubic cost lies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation import free_submesh_list_kernel as listing
from meshgui.engine.allocation.base import Bound, Complexity, Source
from meshgui.engine.allocation.free_submesh_list_kernel import FreeListState, allocate, release, take
from meshgui.engine.allocation.held_boxes import HeldBoxesStrategy, boxes_in, no_held_boxes
from meshgui.engine.allocation.inspection import Inspection, Moment, State, Table
from meshgui.engine.allocation.kernel_strategy import StrategyKernels
from meshgui.engine.allocation.panels import TableBuilder, busy_table
from meshgui.engine.allocation.steps import Mark, Role, Step, Steps
from meshgui.engine.basics.geometry import Box
from meshgui.engine.basics.sentences import job_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import are, count_of


class FreeSubmeshList(HeldBoxesStrategy):
    """The placement in a corner of a free box that leaves the most of the free boxes it cuts."""

    id = "fsl"
    title = tr("Free Sub-mesh List")
    keeps_lists = True
    dims = frozenset({2})
    rotates = True
    contiguous = True
    fails_until_release = True
    source = Source("004", "§2, table 2")
    lines = listing.CODE.lines
    release_lines = listing.RELEASE.lines
    complexity = Complexity(Bound("O(m²)", m=2), Bound("O(m³)", m=3), tr("004 table 2"))

    kernels = StrategyKernels(release, allocate=allocate, take=take)

    def empty_state(self) -> FreeListState:
        w, d, _ = self.mesh.extents
        # No two have the same lowest row and the same column in which they reach as high as they can.
        free = np.zeros((w * d, 4), dtype=np.int32)
        free[0] = 0, 0, w - 1, d - 1
        return FreeListState(*no_held_boxes(self.mesh, turns=True), free, np.ones(1, dtype=np.int64))

    def capture(self) -> State:
        return super().capture() | {"free": self.state.free[: self.state.listed[0]].copy()}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.state.free[: len(state["free"])] = state["free"]
        self.state.listed[0] = len(state["free"])

    def inspect(self, moment: Moment) -> Inspection:
        """The free boxes, the placements measured so far, what the best one leaves, and the busy boxes."""
        free = [_box(row) for row in moment.state["free"].tolist()]
        now = moment.step
        so_far = _Progress(moment.steps)
        tables = (
            _free_table(free, so_far, now),
            _placement_table(so_far),
            _rest_table(so_far),
            busy_table(boxes_in(moment.state["busy"]), Role.NOTHING),
        )
        return Inspection(tables, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, k, _ = step.marks[0].values
        return (
            super().words(step, moment)
            | _rests_in_words(step)
            | {"cuts": count_of(k, "free box"), "lost": f"{count_of(n, 'processor')} {are(n)}"}
        )

    def released(self, moment: Moment) -> State:
        free: list[list[int]] = moment.state["free"].tolist()
        for step in moment.steps:
            boxes = [[*mark.box.base[:2], *mark.box.end[:2]] for mark in step.marks]
            if step.line == listing.WHOLE:
                free = boxes
            elif step.line == listing.RESTS:
                free.remove(boxes[0])
                free += boxes[1:]
            elif step.line == listing.CONTAINED:
                free.remove(boxes[0])
        free.sort(key=lambda box: (box[1], box[0], box[3], box[2]))
        return super().released(moment) | {"free": np.array(free, dtype=np.int32).reshape(-1, 4)}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        n = step.marks[0].values[0]
        more = {
            "holder": job_name(n) if step.line == listing.CUT_OUT else "",
            "listed": count_of(n, "free box"),
        }
        return super().release_words(step, moment) | _rests_in_words(step) | more


def _rests_in_words(step: Step) -> dict[str, object]:
    """What is left of a box that is cut, and the box that contains a rest."""
    rests = [mark.box.describe(flat=True) for mark in step.marks[1:]]
    if not rests:
        return {"other": "", "rests": tr("nothing is left of it")}
    return {"other": rests[0], "rests": tr("what is left is {boxes}").format(boxes=tr(" and ").join(rests))}


def _box(corners: list[int]) -> Box:
    x1, y1, x2, y2 = corners
    return Box.from_corners((x1, y1, 0), (x2, y2, 0))


class _Rest(NamedTuple):
    """What is left of a cut free box on one side, and whether the list needs it."""

    mark: Mark
    dropped: bool = False


class _Progress:
    """The findings of the steps so far."""

    def __init__(self, steps: Steps) -> None:
        self.placements: list[Mark] = []
        self.least: Box | None = None
        self.looked_at: int | None = None  # the free box whose corners are being tried
        self.cut: set[int] = set()
        self.rests: list[_Rest] = []
        for step in steps:
            mark, *others = step.marks
            if step.line == listing.LOSS:
                self.placements.append(mark)
            elif step.line == listing.LEAST:
                self.least = mark.box
            elif step.line == listing.CUT:
                self.cut.add(mark.values[2])
                self.rests.extend(map(_Rest, others))
            elif step.line == listing.DROP:
                rest = mark.values[2]
                self.rests[rest] = self.rests[rest]._replace(dropped=True)
            if step.line in (listing.TAKE, listing.SMALL, listing.LEAST):
                self.looked_at = mark.values[2]
        if self.cut:
            self.looked_at = None


def _free_table(free: list[Box], so_far: _Progress, now: Step | None) -> Table:
    measured = now.marks[1:] if now is not None and now.line == listing.LOSS else ()
    lost = {mark.values[2]: str(mark.values[0]) for mark in measured}
    columns = (tr("Free box"), tr("Processors"), tr("Loses"))
    table = TableBuilder(tr("Free boxes"), columns, tr("None: every processor is held."))
    for f, box in enumerate(free):
        loses = tr("cut") if f in so_far.cut else lost.get(f)
        mark = Mark(Role.TRIED, box, (box.volume, 0, f))
        cells = (box.describe(flat=True), str(box.volume), loses)
        table.row(*cells, mark=mark, current=f == so_far.looked_at)
    return table.table()


def _placement_table(so_far: _Progress) -> Table:
    columns = (tr("Box"), tr("Cuts"), tr("Loses"), "")
    table = TableBuilder(tr("Placements"), columns, tr("None has been tried."))
    for p, mark in enumerate(so_far.placements, 1):
        lost, cuts, _ = mark.values
        cells = (mark.box.describe(flat=True), str(cuts), str(lost))
        current = p == len(so_far.placements) and not so_far.cut
        table.row(*cells, tr("least") if mark.box == so_far.least else "", mark=mark, current=current)
    return table.table()


def _rest_table(so_far: _Progress) -> Table:
    columns = (tr("Box"), tr("Processors"), "")
    table = TableBuilder(tr("Remainders of cut boxes"), columns, tr("No free box has been cut."))
    for mark, dropped in so_far.rests:
        cells = (mark.box.describe(flat=True), str(mark.box.volume))
        table.row(*cells, tr("dropped") if dropped else tr("kept"), mark=mark)
    return table.table()
