"""The allocation algorithm of the IBM BlueGene/L (000 §2.2.1): whole midplanes, the first box of free ones.

A midplane is a cube of 8×8×8 processors there; its side is an option here, so that small meshes can be
followed. The paper does not say in which order the midplanes are scanned: they are taken as First Fit in 3D
takes processors (000 figure 2.5), x outermost and z innermost.
"""

from __future__ import annotations

from math import prod
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from meshgui.engine.allocation.base import Line, Options, Source
from meshgui.engine.allocation.held_processors import FREE, HeldProcessorsStrategy, no_jobs, release
from meshgui.engine.allocation.inspection import (
    Grid,
    GridValue,
    Inspection,
    JobCell,
    Moment,
    Table,
    TableRow,
)
from meshgui.engine.allocation.kernel_strategy import (
    OPERATIONS,
    WAITS,
    Asked,
    StrategyKernels,
    new_tally,
    orders_of,
    turned,
)
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, Step, note
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size, orientations, region
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

__all__ = ["BlueGene", "BlueGeneOptions"]

# The lines of the pseudo-code, by their place in `LINES`.
ROUND, TURN, BUSY, EDGE, BLOCKED, FOUND, FAIL = range(7)

LINES = (
    Line(
        "round",
        "round each side of the request up to whole midplanes",
        says="It needs {midplanes} midplanes: a box of {size} processors{spare}.",
        decision=True,
    ),
    Line(
        "turn",
        "for each orientation of this box:",
        says="Try a box of {midplanes} midplanes.",
        decision=True,
    ),
    Line(
        "busy",
        "for each midplane, in scan order: skip it if it is busy",
        1,
        says="The midplane {box} is busy, so it cannot be a base.",
    ),
    Line(
        "edge",
        "skip it if a box based there would leave the mesh",
        2,
        says="Based at {base}, the box would leave the mesh.",
    ),
    Line(
        "blocked",
        "skip it if another midplane of that box is busy",
        2,
        says="In the box {box} another midplane is busy.",
    ),
    Line(
        "found",
        "else: allocate the box",
        2,
        says="All midplanes of {box} are free: the job gets them.",
        decision=True,
    ),
    Line(
        "fail",
        "no orientation has a base: fail",
        says="No midplane can be its base, so the job waits.",
        decision=True,
    ),
)


class MidplaneState(NamedTuple):
    """The state of the kernels, in midplanes."""

    tally: NDArray[np.int64]
    held: NDArray[np.int32]  # [z, y, x]: a job per midplane
    free: NDArray[np.int64]
    extents: NDArray[np.int32]
    orders: NDArray[np.int32]  # see `orders_of`
    turns: NDArray[np.int32]  # room for the request's orientations
    unit: int  # the processors along each side of a midplane


@kernel
def _obstacle(held: NDArray[np.int32], x: int, y: int, z: int, p: int, q: int, r: int) -> tuple[int, int]:
    """The first busy midplane of a box, by its number in scan order, or -1; and how many were looked at."""
    looked_at = 0
    for u in range(x, x + p):
        for v in range(y, y + q):
            for w in range(z, z + r):
                looked_at += 1
                if held[w, v, u] != FREE:
                    return (u * held.shape[1] + v) * held.shape[0] + w, looked_at
    return -1, looked_at


@kernel
def _note(
    log: NDArray[np.int32], line: int, role: int, unit: int, x: int, y: int, z: int, p: int, q: int, r: int
) -> None:
    """Log a box of midplanes by its processors."""
    note(log, line, role, x * unit, y * unit, z * unit, p * unit, q * unit, r * unit, p, q, r)


@kernel
def _first_free(
    held: NDArray[np.int32], turns: NDArray[np.int32], unit: int, log: NDArray[np.int32] | None
) -> tuple[int, int, int, int, int]:
    """The first free box of midplanes: (turn or -1, x, y, z, midplanes examined)."""
    height, depth, width = held.shape
    examined = 0
    for t in range(turns.shape[0]):
        p, q, r = turns[t]
        if log is not None:
            _note(log, TURN, Role.TRIED, unit, 0, 0, 0, p, q, r)
        for n in range(held.size):
            x, y, z = n // (depth * height), n // height % depth, n % height
            examined += 1
            if held[z, y, x] != FREE:
                if log is not None:
                    _note(log, BUSY, Role.BLOCKED, unit, x, y, z, 1, 1, 1)
                continue
            if x + p > width or y + q > depth or z + r > height:
                if log is not None:
                    w, d, h = min(p, width - x), min(q, depth - y), min(r, height - z)
                    _note(log, EDGE, Role.TRIED, unit, x, y, z, w, d, h)
                continue
            obstacle, looked_at = _obstacle(held, x, y, z, p, q, r)
            examined += looked_at
            if obstacle < 0:
                if log is not None:
                    _note(log, FOUND, Role.PLACED, unit, x, y, z, p, q, r)
                return t, x, y, z, examined
            if log is not None:
                _note(log, BLOCKED, Role.TRIED, unit, x, y, z, p, q, r)
                u, v, w = obstacle // (depth * height), obstacle // height % depth, obstacle % height
                _note(log, SAME_STEP, Role.BLOCKED, unit, u, v, w, 1, 1, 1)
    if log is not None:
        note(log, FAIL, Role.NOTHING, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return -1, 0, 0, 0, examined


@kernel
def search(
    state: MidplaneState, asked: Asked, given: NDArray[np.int32], log: NDArray[np.int32] | None
) -> int:
    """Find boxes for the request."""
    unit, turns = state.unit, state.turns
    p, q, r = -(-asked.w // unit), -(-asked.d // unit), -(-asked.h // unit)
    if log is not None:
        _note(log, ROUND, Role.TRIED, unit, 0, 0, 0, p, q, r)
    shapes = turned(p, q, r, state.orders, state.extents, turns)
    turn, x, y, z, examined = _first_free(state.held, turns[:shapes], unit, log)
    state.tally[OPERATIONS] += examined
    if turn < 0:
        return WAITS
    box = given[0]
    box[0], box[1], box[2] = x * unit, y * unit, z * unit
    box[3], box[4], box[5] = turns[turn, 0] * unit, turns[turn, 1] * unit, turns[turn, 2] * unit
    return 1


@kernel
def take(state: MidplaneState, job: int, given: NDArray[np.int32], count: int) -> None:  # noqa: ARG001
    """Mark the boxes as held by the job."""
    x, y, z, w, d, h = given[0]
    for k in range(z // state.unit, (z + h) // state.unit):
        for j in range(y // state.unit, (y + d) // state.unit):
            for i in range(x // state.unit, (x + w) // state.unit):
                state.held[k, j, i] = job
                state.free[0] -= 1


class BlueGeneOptions(Options):
    """How large a midplane is."""

    unit: Annotated[
        int, Field(ge=1, le=64, strict=True, description=tr("processors along each side of a midplane"))
    ] = 8


class BlueGene(HeldProcessorsStrategy):
    """The first box of free midplanes, in the first orientation that has one."""

    id = "bluegene"
    title = tr("BlueGene/L midplanes")
    dims = frozenset({3})
    rotates = True
    contiguous = True
    fails_until_release = True
    source = Source("000", "§2.2.1")
    lines = LINES
    options_model = BlueGeneOptions

    kernels = StrategyKernels(release, search=search, take=take)

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.unit: int = self.state.unit

    def empty_state(self) -> MidplaneState:
        unit = _unit(self.options)
        midplanes = Mesh(tuple(side // unit for side in self.mesh.shape))
        return MidplaneState(
            new_tally(),
            *no_jobs(midplanes),
            extents=np.array(midplanes.extents, dtype=np.int32),
            orders=orders_of(3, turning=True),
            turns=np.empty((6, 3), dtype=np.int32),
            unit=unit,
        )

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

    def inspect(self, moment: Moment) -> Inspection:
        """The midplanes: which are busy, which cannot be a base of the request, and who holds them."""
        values = np.where(moment.state["held"] == FREE, 0, 1).astype(np.int32)
        for step in moment.steps.since(TURN):
            x, y, z = (n // self.unit for n in step.marks[0].box.base)
            if step.line in (EDGE, BLOCKED):
                values[z, y, x] = 2
            elif step.line == FOUND:
                region(values, Box(*(n // self.unit for n in step.marks[0].box)))[:] = 3
        table = self._table(moment, values)
        for axis in range(3):
            values = values.repeat(self.unit, axis=axis)
        grid = Grid(
            tr("Midplanes"),
            values,
            (
                GridValue(0, tr("free"), Role.NOTHING),
                GridValue(1, tr("busy"), Role.BLOCKED),
                GridValue(2, tr("no base"), Role.PROHIBITED),
                GridValue(3, tr("found"), Role.PLACED),
            ),
        )
        return Inspection((grid, table), moment.marks, self.say(moment))

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        mark = step.marks[0]
        asked = moment.request.size if moment.request is not None else mark.box.size
        spare = mark.box.volume - prod(asked)
        return super().words(step, moment) | {
            "midplanes": describe_size(mark.values, 3),
            "spare": tr(", {spare} more than it asks for").format(spare=spare) if spare else "",
        }

    def _table(self, moment: Moment, values: NDArray[np.int32]) -> Table:
        """Every midplane in scan order: its job, or what it is to the request."""
        held = moment.state["held"]
        looked_at = {mark.box for mark in moment.marks}
        words = {0: tr("free"), 2: tr("free, but not a base"), 3: tr("found")}
        rows = []
        for x, y, z in np.ndindex(held.shape[::-1]):
            job, value = int(held[z, y, x]), int(values[z, y, x])
            box = Box(x * self.unit, y * self.unit, z * self.unit, self.unit, self.unit, self.unit)
            holder = words[value] if job == FREE else JobCell(tr("job {job}").format(job=job), job)
            cells = (f"({x},{y},{z})", holder, box.describe())
            rows.append(TableRow(cells, Mark(Role.TRIED, box, (1, 1, 1)), current=box in looked_at))
        columns = (tr("Midplane"), tr("Held by"), tr("Processors"))
        return Table(tr("Every midplane"), columns, tuple(rows), "", jobs=(tr("Held by"),))

    def _midplanes(self, size: Size) -> Size:
        """Such a box of processors in midplanes, rounded up."""
        w, d, h = size
        return (-(-w // self.unit), -(-d // self.unit), -(-h // self.unit))

    def _rounded(self, size: Size) -> Size:
        """The request as a box of whole midplanes, in processors."""
        w, d, h = self._midplanes(size)
        return (w * self.unit, d * self.unit, h * self.unit)


def _unit(options: Options) -> int:
    return options.unit if isinstance(options, BlueGeneOptions) else BlueGeneOptions().unit
