"""Free Sub-mesh List (004 §2 and table 2): best fit over a list of all free boxes that no other contains.

The paper gives the idea and the costs, not the procedure; what is decided here is this. The request is laid
into a corner of a free box, in every way in which it fits. Each free box it would cut keeps only the largest
box beside it; what they lose together is the external fragmentation the placement may cause, and the
placement that loses least is taken. A box that is taken is cut out of the list. On release the list is made
anew, from the whole mesh, by cutting out every box still held: that is where the paper's cubic cost lies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Bound, Boxes, Complexity, Line, Options, Source
from meshgui.engine.allocation.box_list import BoxListStrategy, boxes_in, row_of
from meshgui.engine.allocation.free_submesh_list_kernel import (
    CUT,
    DROP,
    FOUND,
    LEAST,
    LOSS,
    SMALL,
    TAKE,
    cut,
    rebuild,
    search,
)
from meshgui.engine.allocation.inspection import Inspection, JobCell, Moment, Request, State, Table, TableRow
from meshgui.engine.allocation.search_strategy import SearchResult
from meshgui.engine.allocation.steps import Mark, Role, Step, StepLog, Steps
from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.words import are, so_many

__all__ = ["FreeSubmeshList"]
LINES = (
    Line("take", "for each free box of the list:", says="Look at the free box {box}.", decision=True),
    Line(
        "small",
        "for each orientation of the request: skip it if it is too large for the free box",
        1,
        says="{size} does not fit into this free box.",
    ),
    Line(
        "loss",
        "lay it into each corner, and add up what the free boxes it cuts would lose",
        2,
        says="At {box} it would cut {cuts}; with only the largest rest of each, {lost} lost.",
    ),
    Line(
        "least",
        "if less is lost than in all placements before: remember this one",
        2,
        says="Nothing better so far: {box} is remembered.",
        decision=True,
    ),
    Line(
        "fail",
        "if no placement is remembered: fail",
        says="No free box of the list can hold it, so the job waits.",
        decision=True,
    ),
    Line(
        "cut",
        "replace each free box that the remembered placement cuts by its rests on the four sides",
        says="The free box {box} is cut: {rests}.",
    ),
    Line(
        "drop",
        "drop a rest that another free box contains",
        1,
        says="The rest {box} lies inside the free box {other}, so the list does not need it.",
    ),
    Line(
        "found",
        "allocate the remembered placement",
        says="The job gets {box}, where the free boxes lose least.",
        decision=True,
    ),
)


class FreeSubmeshList(BoxListStrategy):
    """The placement in a corner of a free box that leaves the most of the free boxes it cuts."""

    id = "fsl"
    title = "Free Sub-mesh List"
    dims = frozenset({2})
    rotates = True
    contiguous = True
    source = Source("004", "§2 and table 2")
    lines = LINES
    complexity = Complexity(Bound("O(m²)", m=2), Bound("O(m³)", m=3), "004 table 2")

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        w, d, _ = mesh.extents
        self._whole = np.array([[0, 0, w - 1, d - 1]], dtype=np.int32)
        self.free = self._whole.copy()  # x1, y1, x2, y2; in the order of the lowest row, then the leftmost

    def search(self, request: Request, log: NDArray[np.int32] | None) -> SearchResult:
        """See SearchStrategy."""
        turns = self.turns(request.size)
        shapes = np.array(turns, dtype=np.int32).reshape(-1, 3)
        turn, x, y, examined = search(self.free, shapes, log)
        return SearchResult((Box(x, y, 0, *turns[turn]),) if turn >= 0 else None, examined)

    def allocate(self, request: Request, log: StepLog | None = None) -> Boxes | None:
        """See Strategy."""
        boxes, examined = self.search(request, None if log is None else log.rows)
        self.operations += examined
        if boxes is not None:
            self.operations += self._take(request.job, boxes[0], None if log is None else log.rows)
            if log is not None:
                log.note(FOUND, Role.PLACED, boxes[0])
        return boxes

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        [box] = boxes
        self._take(request.job, box, None)

    def release(self, job: int) -> None:
        """See Strategy."""
        super().release(job)
        self.free, examined = rebuild(self._whole, self.busy)
        self.operations += examined

    def capture(self) -> State:
        """See Strategy."""
        return super().capture() | {"free": self.free.copy()}

    def restore(self, state: State) -> None:
        """See Strategy."""
        super().restore(state)
        self.free = state["free"].copy()

    def inspect(self, moment: Moment) -> Inspection:
        """The free boxes, the placements measured so far, what the best one leaves, and the busy boxes."""
        free = [_box(row) for row in moment.state["free"].tolist()]
        now = moment.step
        so_far = _Progress(moment.steps)
        tables = (
            _free_table(free, so_far, now),
            _placement_table(so_far),
            _rest_table(so_far),
            _busy(moment),
        )
        return Inspection(tables, moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        """See Strategy."""
        n, k, _ = step.marks[0].values
        rests = [mark.box.describe(flat=True) for mark in step.marks[1:]]
        return super().words(step, moment) | {
            "cuts": so_many(k, "free box"),
            "lost": f"{so_many(n, 'processor')} {are(n)}",
            "other": rests[0] if rests else "",
            "rests": f"what is left is {' and '.join(rests)}" if rests else "nothing is left of it",
        }

    def _take(self, job: int, box: Box, log: NDArray[np.int32] | None) -> int:
        """Hold a box; how many boxes were examined to bring the list up to date."""
        (x1, y1, _), (x2, y2, _) = box.base, box.end
        self.free, examined = cut(self.free, x1, y1, x2, y2, log)
        self.insert(row_of(box, job))
        return examined


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
            if step.line == LOSS:
                self.placements.append(mark)
            elif step.line == LEAST:
                self.least = mark.box
            elif step.line == CUT:
                self.cut.add(mark.values[2])
                self.rests.extend(map(_Rest, others))
            elif step.line == DROP:
                rest = mark.values[2]
                self.rests[rest] = self.rests[rest]._replace(dropped=True)
            self.looked_at = mark.values[2] if step.line in (TAKE, SMALL, LEAST) else self.looked_at
        if self.cut:
            self.looked_at = None


def _free_table(free: list[Box], so_far: _Progress, now: Step | None) -> Table:
    measured = now.marks[1:] if now is not None and now.line == LOSS else ()
    lost = {mark.values[2]: str(mark.values[0]) for mark in measured}
    rows = tuple(
        TableRow(
            (box.describe(flat=True), str(box.volume), "cut" if f in so_far.cut else lost.get(f)),
            Mark(Role.TRIED, box, (box.volume, 0, f)),
            current=f == so_far.looked_at,
        )
        for f, box in enumerate(free)
    )
    return Table("Free boxes", ("Free box", "Processors", "Loses"), rows, "None: every processor is held.")


def _placement_table(so_far: _Progress) -> Table:
    last = len(so_far.placements) - 1
    rows = tuple(
        TableRow(
            (
                mark.box.describe(flat=True),
                str(mark.values[1]),
                str(mark.values[0]),
                "least" if mark.box == so_far.least else "",
            ),
            mark,
            current=p == last and not so_far.cut,
        )
        for p, mark in enumerate(so_far.placements)
    )
    return Table("Placements", ("Box", "Cuts", "Loses", ""), rows, "None has been tried.")


def _rest_table(so_far: _Progress) -> Table:
    rows = tuple(
        TableRow((mark.box.describe(flat=True), str(mark.box.volume), "dropped" if dropped else "kept"), mark)
        for mark, dropped in so_far.rests
    )
    return Table("Rests of cut boxes", ("Box", "Processors", ""), rows, "No free box has been cut.")


def _busy(moment: Moment) -> Table:
    rows = tuple(
        TableRow((JobCell(str(job), job), box.describe(flat=True)), Mark(Role.NOTHING, box, (0, 0, 0)))
        for box, job in boxes_in(moment.state["busy"])
    )
    return Table("Busy boxes", ("Job", "Box"), rows, "Empty: no processor is held.", jobs=("Job",))
