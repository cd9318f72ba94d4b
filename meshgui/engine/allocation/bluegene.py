"""The allocation algorithm of the IBM BlueGene/L (000 §2.2.1): whole midplanes, the first box of free ones.

A midplane is a cube of 8×8×8 processors there; its side is an option here, so that small meshes can be
followed. The paper does not say in which order the midplanes are scanned: they are taken as First Fit in 3D
takes processors (000 figure 2.5), x outermost and z innermost.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from pydantic import Field

from meshgui.engine.allocation.base import Boxes, Options, Source
from meshgui.engine.allocation.held_processors import (
    FREE,
    HeldProcessorsStrategy,
    Processors,
    first_obstacle,
    no_jobs,
    release,
)
from meshgui.engine.allocation.inspection import GridValue, Inspection, Moment, Table
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    KernelRequest,
    StrategyKernels,
    new_tally,
)
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, named_job
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, note
from meshgui.engine.allocation.turning import Turning, oriented, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size, orientations, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

CODE = PseudoCode()
ROUND = CODE.decision("round", "round each side of the request up to whole midplanes")
CODE.says("It needs {midplanes} midplanes: a box of {size} processors{spare}.")
TURN = CODE.decision("turn", "for each orientation of this box:")
CODE.says("Try a box of {midplanes} midplanes.")
BUSY = CODE.line("busy", "for each midplane, in scan order: skip it if it is busy", 1)
CODE.says("The midplane {box} is busy, so it cannot be a base.")
EDGE = CODE.line("edge", "skip it if a box based there would leave the mesh", 2)
CODE.says("Based at {base}, the box would leave the mesh.")
BLOCKED = CODE.line("blocked", "skip it if another midplane of that box is busy", 2)
CODE.says("In the box {box} another midplane is busy.")
FOUND = CODE.decision("found", "else: allocate the box", 2)
CODE.says("All midplanes of {box} are free: the job gets them.")
FAIL = CODE.decision("fail", "no orientation has a base: fail")
CODE.says("No midplane can be its base, so the job waits.")


class MidplaneState(NamedTuple):
    """The state of the kernels, in midplanes."""

    tally: Ints
    processors: Processors  # midplanes here
    turning: Turning
    unit: int  # the processors along each side of a midplane


@kernel
def _note(log: Log, line: int, role: int, unit: int, x: int, y: int, z: int, p: int, q: int, r: int) -> None:
    """Log a box of midplanes by its processors."""
    note(log, line, role, x * unit, y * unit, z * unit, p * unit, q * unit, r * unit, p, q, r)


@kernel
def _first_free(held: Ints32, turns: Ints32, unit: int, log: Log) -> tuple[int, int, int, int, int]:
    """The first free box of midplanes: (turn or -1, x, y, z, midplanes examined)."""
    height, depth, width = held.shape
    examined = 0
    for t in range(turns.shape[0]):
        p, q, r = turns[t]
        _note(log, TURN, Role.TRIED, unit, 0, 0, 0, p, q, r)
        for n in range(held.size):
            x, y, z = n // (depth * height), n // height % depth, n % height
            examined += 1
            if held[z, y, x] != FREE:
                _note(log, BUSY, Role.BLOCKED, unit, x, y, z, 1, 1, 1)
                continue
            if x + p > width or y + q > depth or z + r > height:
                w, d, h = min(p, width - x), min(q, depth - y), min(r, height - z)
                _note(log, EDGE, Role.TRIED, unit, x, y, z, w, d, h)
                continue
            u, v, w, looked_at = first_obstacle(held, FREE, x, y, z, p, q, r)
            examined += looked_at
            if u < 0:
                _note(log, FOUND, Role.PLACED, unit, x, y, z, p, q, r)
                return t, x, y, z, examined
            _note(log, BLOCKED, Role.TRIED, unit, x, y, z, p, q, r)
            _note(log, SAME_STEP, Role.BLOCKED, unit, u, v, w, 1, 1, 1)
    note(log, FAIL)
    return -1, 0, 0, 0, examined


@kernel
def search(state: MidplaneState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find boxes for the request."""
    unit, turns = state.unit, state.turning.room
    p, q, r = -(-request.w // unit), -(-request.d // unit), -(-request.h // unit)
    _note(log, ROUND, Role.TRIED, unit, 0, 0, 0, p, q, r)
    shapes = oriented(state.turning, p, q, r)
    turn, x, y, z, examined = _first_free(state.processors.held, turns[:shapes], unit, log)
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    p, q, r = turns[turn]
    write_box(boxes_out, 0, x * unit, y * unit, z * unit, p * unit, q * unit, r * unit)
    return 1


@kernel
def take(state: MidplaneState, job: int, boxes: Ints32, count: int) -> None:  # noqa: ARG001
    """Mark the boxes as held by the job."""
    x, y, z, w, d, h = boxes[0]
    for k in range(z // state.unit, (z + h) // state.unit):
        for j in range(y // state.unit, (y + d) // state.unit):
            for i in range(x // state.unit, (x + w) // state.unit):
                state.processors.held[k, j, i] = job
                state.processors.free[0] -= 1


_MIDPLANES = (
    _FREE := GridValue(0, tr("free"), Role.NOTHING),
    _BUSY := GridValue(1, tr("busy"), Role.BLOCKED),
    _NO_BASE := GridValue(2, tr("no base"), Role.PROHIBITED),
    _FOUND := GridValue(3, tr("found"), Role.PLACED),
)


class BlueGeneOptions(Options):
    """How large a midplane is."""

    unit: int = Field(8, ge=1, le=64, strict=True, description=tr("processors along each side of a midplane"))


class BlueGene(HeldProcessorsStrategy):
    """The first box of free midplanes, in the first orientation that has one."""

    id = "bluegene"
    title = tr("BlueGene/L midplanes")
    keeps_lists = True
    dims = frozenset({3})
    rotates = True
    contiguous = True
    aligned = True
    fails_until_release = True
    source = Source("000", "§2.2.1")
    lines = CODE.lines
    options_model = BlueGeneOptions

    kernels = StrategyKernels(release, search=search, take=take)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.unit: int = self.state.unit

    def empty_state(self) -> MidplaneState:
        unit = _unit(self.options)
        midplanes = Mesh(tuple(side // unit for side in self.mesh.shape))
        return MidplaneState(new_tally(), no_jobs(midplanes), turning(midplanes, turns=True), unit)

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        unit = _unit(options)
        if not any(side % unit for side in mesh.shape):
            return None
        return tr(
            "{cls} works on whole midplanes of {unit}×{unit}×{unit} processors: expected a mesh whose "
            "sides are multiples of {unit}, but this one is {mesh}"
        ).format(cls=cls.id, unit=unit, mesh=mesh.describe())

    def turns(self, size: Size) -> tuple[Size, ...]:
        """The orientations of the request rounded up to whole midplanes that the empty mesh could hold."""
        turned = orientations(self._rounded(size), self.mesh.dims)
        return tuple(turn for turn in turned if self.mesh.fits(turn))

    def granted(self, size: Size) -> int:
        return prod(self._rounded(size))

    def out_boxes(self, box: Box) -> Boxes:
        """Whole midplanes."""
        return box.units((self.unit, self.unit, self.unit))

    def inspect(self, moment: Moment) -> Inspection:
        """The midplanes: which are busy, which cannot be a base of the request, and who holds them."""
        midplanes = GridBuilder(moment.state["held"].shape, *_MIDPLANES)
        midplanes.put(moment.state["held"] != FREE, _BUSY)
        for step in moment.steps.since(TURN):
            box = Box(*(n // self.unit for n in step.marks[0].box))
            if step.line in (EDGE, BLOCKED):
                midplanes.values[box.z, box.y, box.x] = _NO_BASE.value
            elif step.line == FOUND:
                midplanes.fill([box], _FOUND)
        table = self._table(moment, midplanes.values)
        for axis in range(3):
            midplanes.values = midplanes.values.repeat(self.unit, axis=axis)
        return Inspection((midplanes.grid(tr("Midplanes")), table), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark = step.marks[0]
        asked = moment.request.size if moment.request is not None else mark.box.size
        spare = mark.box.volume - prod(asked)
        return super().words(step, moment) | {
            "midplanes": describe_size(mark.values, 3),
            "spare": tr(", {spare} more than it asks for").format(spare=spare) if spare else "",
        }

    def _table(self, moment: Moment, values: Ints32) -> Table:
        """Every midplane in scan order: its job, or what it is to the request."""
        held = moment.state["held"]
        looked_at = {mark.box for mark in moment.marks}
        words = {
            _FREE.value: tr("free"),
            _NO_BASE.value: tr("free, but not a base"),
            _FOUND.value: tr("found"),
        }
        columns = (tr("Midplane"), tr("Held by"), tr("Processors"))
        table = TableBuilder(tr("Every midplane"), columns, jobs=columns[1:2])
        for x, y, z in np.ndindex(held.shape[::-1]):
            job = int(held[z, y, x])
            box = Box(x * self.unit, y * self.unit, z * self.unit, self.unit, self.unit, self.unit)
            holder = words[int(values[z, y, x])] if job == FREE else named_job(job)
            mark = Mark(Role.TRIED, box, (1, 1, 1))
            table.row(f"({x},{y},{z})", holder, box.describe(), mark=mark, current=box in looked_at)
        return table.table()

    def _rounded(self, size: Size) -> Size:
        """The request as a box of whole midplanes, in processors."""
        w, d, h = (-(-side // self.unit) * self.unit for side in size)
        return (w, d, h)


def _unit(options: Options) -> int:
    return options.unit if isinstance(options, BlueGeneOptions) else BlueGeneOptions().unit
