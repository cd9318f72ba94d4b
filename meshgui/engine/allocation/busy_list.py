"""Busy List and Turning Busy List (000 chapter 3, figures 3.3 to 3.7, appendix B).

Only processors just right of an allocated box, or on the mesh's left face, can be bases. From each such
right border plane the prohibited regions of all allocated boxes are subtracted; whatever is left can hold a
base. The list is kept in decreasing order of the boxes' last coordinate, so a plane that lies beyond one
region lies beyond all later ones: the early exits rest on that order.

A 2D mesh is the same thing with the middle dimension left out: `deep` and `last` name the columns in which
the kernel finds the middle and the last coordinate. The conditions of figure 4.1 are those of figure 3.3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Bound, Complexity, Line, Source
from meshgui.engine.allocation.busy_list_kernel import (
    CUT,
    FOUND,
    GONE,
    PLANE,
    SUBTRACT,
    TURN,
    BusyListState,
    find,
    hold,
)
from meshgui.engine.allocation.held_boxes import JOB, HeldBoxesStrategy, boxes_in, no_boxes, release
from meshgui.engine.allocation.inspection import Inspection, JobCell, Moment, Table, TableRow
from meshgui.engine.allocation.kernel_strategy import StrategyKernels, new_tally, orders_of
from meshgui.engine.allocation.steps import Mark, Role, Step, Steps
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.sentences import Sentence, compose, job_name
from meshgui.engine.basics.translation import tr, tr_n

__all__ = ["BusyList", "TurningBusyList", "empty_list"]
LINES = (
    Line("turn", "for each orientation of the request:", says="Try it {way}.", decision=True),
    Line(
        "plane",
        "for each busy box, the left face first: take its right border plane",
        1,
        says="Bases to try: {where}, {box}.",
    ),
    Line(
        "cut",
        "cut off where the box would leave the mesh",
        2,
        says="{kept} the box inside the mesh.",
    ),
    Line(
        "subtract",
        "for each busy box: subtract its prohibited region",
        2,
        says="A base in {box} would make it overlap {busy}; {left} left.",
    ),
    Line(
        "gone",
        "if nothing is left: go to the next busy box",
        2,
        says="No base is left on this plane.",
        decision=True,
    ),
    Line(
        "found",
        "else: allocate the box based at the plane's lowest corner",
        2,
        says="A base is left at {base}: the job gets {box}.",
        decision=True,
    ),
    Line("fail", "no plane is left: fail", says="No plane has a base left, so the job waits.", decision=True),
)


def empty_list(mesh: Mesh, *, turning: bool, room: int = 6) -> BusyListState:
    """The state on an empty machine, with room for this many shapes of a request."""
    deep, last = (2, 1) if mesh.dims == 2 else (1, 2)
    return BusyListState(
        new_tally(),
        *no_boxes(mesh),
        np.array(mesh.extents, dtype=np.int32),
        orders_of(mesh.dims, turning),
        np.empty((room, 3), dtype=np.int32),
        deep,
        last,
    )


class BusyList(HeldBoxesStrategy):
    """Bases right of busy boxes or on the left face, the request as it is."""

    id = "bl"
    title = tr("Busy List")
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    fails_until_release = True
    source = Source("000", "chapter 3, figures 3.3 to 3.7, appendix B")
    complexity = Complexity(Bound("O(m²)", m=2), Bound("O(m)", m=1), "000 §3.4")
    lines = LINES

    kernels = StrategyKernels(release, search=find, take=hold)

    def empty_state(self) -> BusyListState:
        return empty_list(self.mesh, turning=self.rotates)

    def inspect(self, moment: Moment) -> Inspection:
        """The busy list, the prohibited regions met so far, and what is left of each right border plane."""
        busy = [_Busy(*element) for element in boxes_in(moment.state["busy"])]
        so_far = _Progress(moment.steps)
        flat = self.mesh.dims == 2
        tables = (
            _busy_table(busy, so_far, flat),
            _region_table(busy, so_far, flat),
            _plane_table(busy, so_far, flat),
        )
        return Inspection(tables, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, plane_of, region_of = step.marks[0].values
        i = region_of if step.line == SUBTRACT else plane_of
        busy = Sentence(_name(i))
        if i >= 0:
            busy = compose(
                tr("{busy} ({job})"), {"busy": busy, "job": job_name(int(moment.state["busy"][i, JOB]))}
            )
        return super().words(step, moment) | {
            "busy": busy,
            "where": compose(tr("the plane right of {busy}"), {"busy": busy})
            if i >= 0
            else tr("the left face of the mesh"),
            "kept": _kept(n, moment.steps) if step.line == CUT else "",
            "left": tr_n("{number} base is", "{number} bases are", n) if n else tr("no base is"),
        }


class TurningBusyList(BusyList):
    """Bases right of busy boxes or on the left face, in the first orientation of the request that has one."""

    id = "tbl"
    title = tr("Turning Busy List")
    rotates = True


class _Busy(NamedTuple):
    """One element of the busy list."""

    box: Box
    job: int


class _Plane(NamedTuple):
    """A right border plane as it was taken, and what is left of it so far."""

    whole: Mark
    left: tuple[Mark, ...]


class _Progress:
    """What the steps since the last turn of the request have established."""

    def __init__(self, steps: Steps) -> None:
        self.regions: dict[int, Mark] = {}
        self.planes: dict[int, _Plane] = {}
        self.plane: int | None = None  # the busy box whose plane is being worked on
        self.region: int | None = None  # the busy box whose region is being subtracted
        self.placed: Mark | None = None
        for step in steps.since(TURN):
            self._take(step)

    def _take(self, step: Step) -> None:
        mark, *others = step.marks
        _, owner, region = mark.values
        self.region = None
        if step.line == PLANE:
            self.plane = owner
            self.planes[owner] = _Plane(mark, (mark,))
        elif step.line == CUT:
            self.planes[owner] = self.planes[owner]._replace(left=(mark,) if mark.role == Role.BORDER else ())
        elif step.line == SUBTRACT:
            self.region = region
            self.regions[region] = mark
            self.planes[owner] = self.planes[owner]._replace(left=tuple(others))
        elif step.line == GONE:
            self.planes[owner] = self.planes[owner]._replace(left=())
        elif step.line == FOUND:
            self.placed = mark
        else:
            self.plane = None

    def marks(self) -> tuple[Mark, ...]:
        """What to draw: the plane at hand, the region taken from it, the box found."""
        marks: list[Mark] = []
        if self.plane is not None:
            marks.extend(self.planes[self.plane].left)
        if self.region is not None:
            marks.append(self.regions[self.region])
        if self.placed is not None:
            marks.append(self.placed)
        return tuple(marks)


_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def _name(i: int) -> str:
    """The paper's name of a busy box: b₀ is the hypothetical one, and the list starts at b₁."""
    return "b" + str(i + 1).translate(_BELOW)


def _kept(left: int, steps: Steps) -> str:
    """How many bases of the plane at hand keep the box inside, with their verb."""
    whole = steps.since(PLANE)[0].marks[0].box.volume
    if left == whole:
        return tr("This base keeps") if whole == 1 else tr("All {whole} bases keep").format(whole=whole)
    if left == 0:
        return tr("None of these bases keeps")
    return tr_n("Only {number} of these bases keeps", "{number} of these bases keep", left)


def _busy_table(busy: list[_Busy], so_far: _Progress, flat: bool) -> Table:
    rows = tuple(
        TableRow(
            (_name(i), JobCell(str(element.job), element.job), element.box.describe(flat=flat)),
            Mark(Role.TRIED, element.box, (0, i, i)),
            current=i in (so_far.plane, so_far.region),
        )
        for i, element in enumerate(busy)
    )
    return Table(
        tr("Busy list"),
        ("", tr("Job"), tr("Box")),
        rows,
        tr("Empty: no processor is held."),
        jobs=(tr("Job"),),
    )


def _region_table(busy: list[_Busy], so_far: _Progress, flat: bool) -> Table:
    rows = []
    for i in range(len(busy)):
        mark = so_far.regions.get(i)
        rows.append(
            TableRow(
                (_name(i), mark.box.describe(flat=flat) if mark else None), mark, current=i == so_far.region
            )
        )
    return Table(
        tr("Prohibited regions"), ("", tr("No base in")), tuple(rows), tr("None: no processor is held.")
    )


def _plane_table(busy: list[_Busy], so_far: _Progress, flat: bool) -> Table:
    rows = []
    for i in range(-1, len(busy)):
        plane = so_far.planes.get(i)
        if plane is None:
            rows.append(TableRow((_name(i), None, None)))
            continue
        left = "  ".join(mark.box.describe(flat=flat) for mark in plane.left) or tr("nothing")
        shown = plane.left[0] if plane.left else plane.whole
        rows.append(
            TableRow((_name(i), plane.whole.box.describe(flat=flat), left), shown, current=i == so_far.plane)
        )
    return Table(tr("Right border planes"), ("", tr("Plane"), tr("Remains")), tuple(rows), "")
