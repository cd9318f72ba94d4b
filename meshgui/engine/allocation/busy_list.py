"""Busy List and Turning Busy List (000 chapter 3, figures 3.3 to 3.7, appendix B).

Only processors just right of an allocated box, or on the mesh's left face, can be bases. From each such
right border plane the prohibited regions of all allocated boxes are subtracted; whatever is left can hold a
base. The list is kept in decreasing order of the boxes' last coordinate, so a plane that lies beyond one
region lies beyond all later ones: the early exits rest on that order. Figure 3.4 gathers the bases of all
planes before figure 3.5 takes the first; here the search ends with the first, unless `detection` says so.

A 2D mesh is the same thing with the middle dimension left out: `deep` and `last` name the columns in which
the kernel finds the middle and the last coordinate. The conditions of figure 4.1 are those of figure 3.3.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field

from meshgui.engine.allocation import busy_list_kernel as planes
from meshgui.engine.allocation.base import Bound, Complexity, Options, Source
from meshgui.engine.allocation.busy_list_kernel import BusyListState, find, hold
from meshgui.engine.allocation.held_boxes import JOB, HeldBoxesStrategy, boxes_in, no_boxes, release
from meshgui.engine.allocation.inspection import Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import StrategyKernels, new_tally
from meshgui.engine.allocation.panels import TableBuilder, job_cell
from meshgui.engine.allocation.steps import Mark, Role, Step, Steps
from meshgui.engine.allocation.turning import turning
from meshgui.engine.basics.geometry import Box, Mesh
from meshgui.engine.basics.sentences import Sentence, compose, job_name
from meshgui.engine.basics.translation import tr, tr_n


class BusyListOptions(Options):
    """Where a search ends."""

    # 000 figure 3.4 gathers
    detection: Literal["first-base", "all-planes"] = Field(
        "first-base",
        description=tr(
            "where a search ends: at the first base, or once the bases of all planes are gathered, of which "
            "the first is taken; the boxes are the same, the operations are not"
        ),
    )


def empty_list(mesh: Mesh, *, turns: bool, room: int = 6, gather: bool = False) -> BusyListState:
    """The state on an empty machine, with room for this many shapes of a request."""
    deep, last = (2, 1) if mesh.dims == 2 else (1, 2)
    turned = turning(mesh, turns=turns, room=room)
    return BusyListState(new_tally(), no_boxes(mesh), turned, deep, last, int(gather))


class BusyList(HeldBoxesStrategy):
    """Bases right of busy boxes or on the left face, the request as it is."""

    id = "bl"
    title = tr("Busy List")
    keeps_lists = True
    dims = frozenset({2, 3})
    rotates = False
    contiguous = True
    fails_until_release = True
    source = Source("000", "chapter 3, figures 3.3 to 3.7, appendix B")
    complexity = Complexity(Bound("O(m²)", m=2), Bound("O(m)", m=1), "000 §3.4")
    lines = planes.CODE.lines
    options_model = BusyListOptions
    options: BusyListOptions

    kernels = StrategyKernels(release, search=find, take=hold)

    def empty_state(self) -> BusyListState:
        gather = self.options.detection == "all-planes"
        return empty_list(self.mesh, turns=self.rotates, gather=gather)

    def inspect(self, moment: Moment) -> Inspection:
        """The busy list, the prohibited regions met so far, and what is left of each right border plane."""
        busy, so_far = boxes_in(moment.state["busy"]), _Progress(moment.steps)
        flat = self.mesh.dims == 2
        makers = (_busy_table, _region_table, _plane_table)
        tables = tuple(make(busy, so_far, flat) for make in makers)
        return Inspection(tables, so_far.marks(), self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        n, plane_of, region_of = step.marks[0].values
        i = region_of if step.line == planes.SUBTRACT else plane_of
        busy, where = Sentence(_name(i)), Sentence(tr("the left face of the mesh"))
        if i >= 0:
            names = {"busy": busy, "job": job_name(int(moment.state["busy"][i, JOB]))}
            busy = compose(tr("{busy} ({job})"), names)
            where = compose(tr("the plane right of {busy}"), {"busy": busy})
        return super().words(step, moment) | {
            "busy": busy,
            "where": where,
            "kept": _kept(n, moment.steps) if step.line == planes.CUT else "",
            "left": tr_n("{number} base is", "{number} bases are", n) if n else tr("no base is"),
        }


class TurningBusyList(BusyList):
    """Bases right of busy boxes or on the left face, in the first orientation of the request that has one."""

    id = "tbl"
    title = tr("Turning Busy List")
    rotates = True


_Busy = list[tuple[Box, int]]


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
        for step in steps.since(planes.TURN):
            mark, *others = step.marks
            _, owner, region = mark.values
            self.region = None
            if step.line == planes.PLANE:
                self.plane = owner
                self.planes[owner] = _Plane(mark, (mark,))
            elif step.line == planes.CUT:
                self.planes[owner] = self.planes[owner]._replace(
                    left=(mark,) if mark.role == Role.BORDER else ()
                )
            elif step.line == planes.SUBTRACT:
                self.region = region
                self.regions[region] = mark
                self.planes[owner] = self.planes[owner]._replace(left=tuple(others))
            elif step.line == planes.GONE:
                self.planes[owner] = self.planes[owner]._replace(left=())
            elif step.line == planes.FOUND:
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
    whole = steps.since(planes.PLANE)[0].marks[0].box.volume
    if left == whole:
        return tr("This base keeps") if whole == 1 else tr("All {whole} bases keep").format(whole=whole)
    if left == 0:
        return tr("None of these bases keeps")
    return tr_n("Only {number} of these bases keeps", "{number} of these bases keep", left)


def _busy_table(busy: _Busy, so_far: _Progress, flat: bool) -> Table:
    columns, empty = ("", tr("Job"), tr("Box")), tr("Empty: no processor is held.")
    table = TableBuilder(tr("Busy list"), columns, empty, jobs=columns[1:2])
    for i, (box, job) in enumerate(busy):
        mark, current = Mark(Role.TRIED, box, (0, i, i)), i in (so_far.plane, so_far.region)
        table.row(_name(i), job_cell(job), box.describe(flat=flat), mark=mark, current=current)
    return table.table()


def _region_table(busy: _Busy, so_far: _Progress, flat: bool) -> Table:
    columns, empty = ("", tr("No base in")), tr("None: no processor is held.")
    table = TableBuilder(tr("Prohibited regions"), columns, empty)
    for i in range(len(busy)):
        mark = so_far.regions.get(i)
        said = mark.box.describe(flat=flat) if mark else None
        table.row(_name(i), said, mark=mark, current=i == so_far.region)
    return table.table()


def _plane_table(busy: _Busy, so_far: _Progress, flat: bool) -> Table:
    table = TableBuilder(tr("Right border planes"), ("", tr("Plane"), tr("Remains")))
    for i in range(-1, len(busy)):
        plane = so_far.planes.get(i)
        if plane is None:
            table.row(_name(i), None, None)
            continue
        left = "  ".join(mark.box.describe(flat=flat) for mark in plane.left) or tr("nothing")
        cells = (_name(i), plane.whole.box.describe(flat=flat), left)
        table.row(*cells, mark=(*plane.left, plane.whole)[0], current=i == so_far.plane)
    return table.table()
