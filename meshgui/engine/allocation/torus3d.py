"""The placements of Slurm's plug-in topology/torus3d: boxes of a few sizes, at anchors in a regular pattern.

A placement has the dims of its boxes, and anchors a spacing apart on each axis, from a seed on. A request has
the dims of a placement. Its box goes where it leaves most free anchors to the placement that is next larger,
so that large requests find room (Slurm's manual, topology.yaml, torus3d).
"""

from __future__ import annotations

from math import prod
from typing import Annotated, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from meshgui.engine.allocation.base import Options, Source
from meshgui.engine.allocation.held_processors import (
    FREE,
    HeldProcessorsStrategy,
    Processors,
    no_jobs,
    release,
    take,
)
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Inspection,
    LongRows,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    KernelRequest,
    StrategyKernels,
    new_tally,
)
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, plain_mark
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note, note_boxes, note_numbers
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size, write_parts
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.parts import Part, at
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of

_Side = Annotated[int, Field(ge=1, le=4096, strict=True)]
_Place = Annotated[int, Field(ge=0, le=4095, strict=True)]

CODE = PseudoCode()
LARGER = CODE.decision("larger", "list the free anchors of the placement that is next larger in volume")
CODE.says("{larger}.")
BLOCKED = CODE.line("blocked", "for each anchor of the placement, x fastest: skip it if its box is not free")
CODE.says("The box {box} is not free.")
LEAVES = CODE.line("leaves", "else: count the larger placement's free anchors that it leaves free", 1)
CODE.says("The box {box} is free: {leaves}.")
BEST = CODE.decision("best", "keep it if it leaves more than the one kept so far", 1)
CODE.says("None so far leaves as many, so {box} is kept.")
FOUND = CODE.decision("found", "allocate the box kept")
CODE.says("The job gets {box}.")
FAIL = CODE.decision("fail", "if there is none: fail")
CODE.says("No anchor's box is free, so the job waits.")


class Placement(Part):
    """The boxes of one size, and where they may lie."""

    dims: tuple[_Side, _Side, _Side] = Field(description=tr("the size of a box"))
    spacing: tuple[_Side, _Side, _Side] | None = Field(
        None,
        description=tr("how far apart anchors are on each axis; if not stated, the dims"),
    )
    seed: tuple[_Place, _Place, _Place] = Field((0, 0, 0), description=tr("the first anchor"))

    @property
    def apart(self) -> Size:
        """The spacing of the anchors."""
        return self.dims if self.spacing is None else self.spacing

    def anchors(self, mesh: Mesh) -> list[Box]:
        """The boxes of all anchors, x fastest."""
        lines = [
            [(first + n * step) % side for n in range(side // step)]
            for first, step, side in zip(self.seed, self.apart, mesh.extents, strict=True)
        ]
        return [Box(x, y, z, *self.dims) for z in lines[2] for y in lines[1] for x in lines[0]]


class Torus3dOptions(Options):
    """The placements that requests can have."""

    placements: Annotated[tuple[Placement, ...], Field(min_length=1, max_length=64)] = Field(
        tuple(Placement(dims=(side, side, side)) for side in (1, 2, 4)),
        description=tr("the sizes of boxes, and where each may lie"),
    )

    @model_validator(mode="after")
    def _of_different_dims(self) -> Self:
        known = [placement.dims for placement in self.placements]
        for n, dims in enumerate(known):
            if dims in known[:n]:
                said = tr("expected each size once, got {size} again")
                raise at(f".placements.{n}.dims", said.format(size=describe_size(dims, 3)))
        return self

    def larger(self, n: int) -> int:
        """The placement that is next larger in volume than the nth, the first of equals; -1 if none is."""
        volumes = [prod(placement.dims) for placement in self.placements]
        above = [volume for volume in volumes if volume > volumes[n]]
        return volumes.index(min(above)) if above else -1


class TorusState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    processors: Processors
    anchors: Ints32  # of all placements, as boxes
    first: Ints32  # where the anchors of each placement begin, and where the last ones end
    larger: Ints32  # of each placement, the one next larger, or -1
    free: Ints32  # room for the anchors of a placement that are free
    extents: Ints32


@kernel
def _obstacle(held: Ints32, box: Ints32) -> tuple[int, int, int, int]:
    """The first held processor of a box, row-major, or -1 thrice; and how many were looked at."""
    high, deep, wide = held.shape
    x, y, z, w, d, h = box
    looked_at = 0
    for k in range(z, z + h):
        for j in range(y, y + d):
            for i in range(x, x + w):
                looked_at += 1
                if held[k % high, j % deep, i % wide] != FREE:
                    return i % wide, j % deep, k % high, looked_at
    return -1, -1, -1, looked_at


@kernel
def _which_are_free(held: Ints32, boxes: Ints32) -> NDArray[np.bool_]:
    """Which boxes are free."""
    free = np.empty(boxes.shape[0], dtype=np.bool_)
    for n in range(boxes.shape[0]):
        free[n] = _obstacle(held, boxes[n])[0] < 0
    return free


@kernel
def _meet(one: Ints32, other: Ints32, extents: Ints32) -> bool:
    """Whether two boxes on a torus share a processor: on each axis one begins within the other."""
    for axis in range(3):
        gap = (other[axis] - one[axis]) % extents[axis]
        back = (one[axis] - other[axis]) % extents[axis]
        if gap >= one[3 + axis] and back >= other[3 + axis]:
            return False
    return True


@kernel
def _note_box(log: Log, line: int, role: int, extents: Ints32, box: Ints32, value: int, second: int) -> None:
    """Log the parts of a box."""
    if log is not None:
        parts = np.empty((8, 6), dtype=np.int32)
        count = write_parts(parts, extents, box[0], box[1], box[2], box[3], box[4], box[5])
        note_boxes(log, line, role, parts, count, value, second)


@kernel
def _free_anchors(state: TorusState, placement: int, log: Log) -> int:
    """List the anchors of a placement whose boxes are free: how many."""
    count = 0
    for n in range(state.first[placement], state.first[placement + 1]):
        i, _, _, looked_at = _obstacle(state.processors.held, state.anchors[n])
        state.tally[OPERATIONS] += looked_at
        if i < 0:
            state.free[count] = n
            count += 1
    note_numbers(log, LARGER, placement, count, 1)
    for m in range(count):
        _note_box(log, SAME_STEP, Role.BORDER, state.extents, state.anchors[state.free[m]], m, count)
    return count


@kernel
def _placement_of(state: TorusState, request: KernelRequest) -> int:
    """The placement with the dims of a request, or -1."""
    for n in range(state.larger.size):
        box = state.anchors[state.first[n]]
        if box[3] == request.w and box[4] == request.d and box[5] == request.h:
            return n
    return -1


@kernel
def _best_anchor(state: TorusState, placement: int, log: Log) -> int:
    """The free anchor that leaves most free ones to the next larger placement, the first of these; or -1."""
    larger = state.larger[placement]
    if larger < 0:
        note_numbers(log, LARGER, 0, 0, 0)
    free = _free_anchors(state, larger, log) if larger >= 0 else 0
    best, most = -1, -1
    for n in range(state.first[placement], state.first[placement + 1]):
        box = state.anchors[n]
        i, j, k, looked_at = _obstacle(state.processors.held, box)
        state.tally[OPERATIONS] += looked_at
        if i >= 0:
            _note_box(log, BLOCKED, Role.TRIED, state.extents, box, 0, 0)
            note(log, SAME_STEP, Role.BLOCKED, i, j, k, 1, 1, 1)
            continue
        left = 0
        for m in range(free):
            left += 0 if _meet(box, state.anchors[state.free[m]], state.extents) else 1
        state.tally[OPERATIONS] += free
        _note_box(log, LEAVES, Role.CANDIDATE, state.extents, box, left, free)
        if left > most:
            best, most = n, left
            _note_box(log, BEST, Role.CANDIDATE, state.extents, box, left, free)
        if larger < 0:
            break  # the first is as good as any
    return best


@kernel
def search(state: TorusState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find a box for the request."""
    placement = _placement_of(state, request)
    best = _best_anchor(state, placement, log) if placement >= 0 else -1
    if best < 0:
        note(log, FAIL)
        return WAITS
    box = state.anchors[best]
    _note_box(log, FOUND, Role.PLACED, state.extents, box, 0, 0)
    return write_parts(boxes_out, state.extents, box[0], box[1], box[2], box[3], box[4], box[5])


_ANCHORS = (
    _FREE := GridValue(0, tr("free"), Role.NOTHING),
    _HELD := GridValue(1, tr("busy"), Role.BLOCKED),
    _BLOCKED_ANCHOR := GridValue(2, tr("blocked anchor"), Role.PROHIBITED),
    _FREE_ANCHOR := GridValue(3, tr("free anchor"), Role.CANDIDATE),
    _FOUND := GridValue(4, tr("found"), Role.PLACED),
)


class Torus3d(HeldProcessorsStrategy):
    """The free anchor of the request's placement that leaves most room to the next larger one."""

    id = "torus3d"
    title = tr("Slurm's placements on a torus")
    dims = frozenset({3})
    rotates = False
    contiguous = True
    aligned = True
    fails_until_release = True
    source = Source("Slurm", "")
    lines = CODE.lines
    options_model = Torus3dOptions
    options: Torus3dOptions
    kernels = StrategyKernels(release, search=search, take=take)

    def empty_state(self) -> TorusState:
        placements = self.options.placements
        anchors = [placement.anchors(self.mesh) for placement in placements]
        first = np.cumsum([0, *map(len, anchors)])
        return TorusState(
            new_tally(),
            no_jobs(self.mesh),
            np.array([box for boxes in anchors for box in boxes], dtype=np.int32),
            first.astype(np.int32),
            np.array([self.options.larger(n) for n in range(len(placements))], dtype=np.int32),
            np.zeros(max(map(len, anchors)), dtype=np.int32),
            np.array(self.mesh.extents, dtype=np.int32),
        )

    @classmethod
    def crosses_seams(cls, options: Options, mesh: Mesh) -> bool:
        del options
        return any(mesh.rings)

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        if not all(mesh.rings):
            said = tr("{cls} works on tori: expected a mesh all of whose axes are rings")
            return said.format(cls=cls.id)
        chosen = options if isinstance(options, Torus3dOptions) else Torus3dOptions()
        for placement in chosen.placements:
            if not (mesh.fits(placement.dims) and mesh.fits(placement.apart)):
                said = tr(
                    "the placement {size} of {cls} does not fit: expected dims and a spacing up to the sides "
                    "of the {mesh} mesh"
                )
                return said.format(size=describe_size(placement.dims, 3), cls=cls.id, mesh=mesh.describe())
        return None

    def _refusal(self, size: Size) -> str | None:
        known = [placement.dims for placement in self.options.placements]
        if size in known:
            return None
        said = tr("{asked} is not the size of a placement: expected one of {known}")
        sizes = ", ".join(describe_size(dims, 3) for dims in known)
        return said.format(asked=describe_size(size, 3), known=sizes)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        first = step.marks[0]
        n, k, there = first.values
        words = super().words(step, moment)
        if first.box.volume:
            parts = tuple(mark.box for mark in step.marks if mark.role == first.role)
            words["box"] = self.mesh.describe_box(self.mesh.joined(parts))
        if step.line == LARGER:
            none = tr("There is no larger placement, so the first free anchor will do")
            said = tr("The next larger placement, {size}, has {anchors}")
            size = describe_size(self.options.placements[n].dims, 3)
            words["larger"] = said.format(size=size, anchors=count_of(k, "free anchor")) if there else none
        if step.line == LEAVES:
            leaves = tr("it leaves {n} of {k}").format(n=n, k=k)
            words["leaves"] = leaves if k else tr("there are none to leave")
        return words

    def inspect(self, moment: Moment) -> Inspection:
        """The anchors of the placement asked for, or of the largest; and all placements."""
        placements = self.options.placements
        largest = max(range(len(placements)), key=lambda n: prod(placements[n].dims))
        asked = None if moment.request is None else moment.request.size
        shown = next((n for n, one in enumerate(placements) if one.dims == asked), largest)
        held = moment.state["held"]
        boxes = placements[shown].anchors(self.mesh)
        free = _which_are_free(held, np.array(boxes, dtype=np.int32))
        panels = (
            self._grid(moment, boxes, free),
            self._anchors(moment, boxes, free),
            self._table(held, shown),
        )
        return Inspection(panels, moment.marks, self.say(moment))

    def _grid(self, moment: Moment, boxes: list[Box], free: NDArray[np.bool_]) -> Grid:
        held = moment.state["held"]
        grid = GridBuilder(held.shape, *_ANCHORS)
        grid.put(held != FREE, _HELD)
        if moment.step is not None and moment.step.line == FOUND:
            grid.fill((mark.box for mark in moment.marks), _FOUND)
        x, y, z = np.array([box.base for box in boxes]).T
        grid.values[z, y, x] = np.where(free, _FREE_ANCHOR.value, _BLOCKED_ANCHOR.value)
        return grid.grid(tr("Anchors"))

    def _anchors(self, moment: Moment, boxes: list[Box], free: NDArray[np.bool_]) -> Table:
        """Every anchor, and how many of the larger placement's its box was found to leave."""
        left = {tuple(row[2:5]): str(row[8]) for row in moment.steps.rows_of(LEAVES).tolist()}
        about = moment.marks[0].box.base if moment.marks and moment.marks[0].box.volume else None
        current = next((n for n, box in enumerate(boxes) if box.base == about), None)

        def row(n: int) -> TableRow:
            box = boxes[n]
            state = tr("free") if free[n] else tr("blocked")
            cells = (box.corner(flat=False), self.mesh.describe_box(box), state, left.get(box.base, ""))
            return TableRow(cells, plain_mark(Role.TRIED, self.mesh.parts(box)[0]), n == current)

        columns = (tr("Anchor"), tr("Box"), tr("State"), tr("Leaves"))
        return Table(tr("Every anchor"), columns, LongRows(len(boxes), row, current, {0, len(boxes) - 1}), "")

    def _table(self, held: Ints32, shown: int) -> Table:
        placements = self.options.placements
        columns = (tr("Placement"), tr("Anchors"), tr("Free"), tr("Next larger"))
        table = TableBuilder(tr("Placements"), columns)
        for n, placement in enumerate(placements):
            anchors = placement.anchors(self.mesh)
            free = np.count_nonzero(_which_are_free(held, np.array(anchors, dtype=np.int32)))
            larger = self.options.larger(n)
            above = describe_size(placements[larger].dims, 3) if larger >= 0 else ""
            cells = (describe_size(placement.dims, 3), str(len(anchors)), str(free), above)
            table.row(*cells, current=n == shown)
        return table.table()
