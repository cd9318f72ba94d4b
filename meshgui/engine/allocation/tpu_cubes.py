"""What the strategies of Google's TPU pods share: cubes of 4×4×4 processors, and slices within one of them.

A request with sides that are all multiples of 4 is a slice of whole cubes. One with sides up to 4 lies within
a cube, beside other small slices. There is nothing between the two (Jouppi et al. 2023, §2).

Cubes are numbered row-major; boxes are scanned as First Fit scans 3D meshes, x outermost and z innermost.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from meshgui.engine.allocation.base import Options
from meshgui.engine.allocation.held_processors import (
    FREE,
    HeldProcessorsStrategy,
    Processors,
    first_obstacle,
    no_jobs,
)
from meshgui.engine.allocation.held_processors import release as release_processors
from meshgui.engine.allocation.inspection import Grid, GridValue, Inspection, Moment, State, Table
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, AnyState, KernelRequest, new_tally
from meshgui.engine.allocation.panels import GridBuilder, TableBuilder, named_job
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Mark, Role, Step, Steps, note
from meshgui.engine.allocation.turning import Turning, oriented, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Size, describe_size, region, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import few

CUBE: Final = 4  # processors along each side
VOLUME: Final = CUBE**3


class CubeState(NamedTuple):
    """The state of the kernels."""

    tally: Ints
    processors: Processors
    used: Ints32  # [z, y, x], the processors held of each cube
    rings: Ints32  # of each axis, whether it is one
    turning: Turning  # of slices of cubes, in cubes
    within: Turning  # of small slices


class SmallLines(NamedTuple):
    """The numbers of the lines that look for room within a cube."""

    small: int
    full: int
    held: int


def add_small_lines(code: PseudoCode) -> SmallLines:
    """Add these lines to pseudo-code."""
    small = code.decision(
        "small", "else: look into one cube after another, those partly in use first, then free ones"
    )
    code.says("It asks for {asked}: a box within one cube.")
    full = code.line("full", "skip the cube if fewer of its processors are free than asked for", 1)
    code.says("Cube {n} is too full: {few} free.")
    held = code.line(
        "held", "for each orientation and base in it: skip it if one of its processors is held", 1
    )
    code.says("In cube {n}, the box {box} has a processor that is held.")
    return SmallLines(small, full, held)


@kernel
def whole_cubes(request: KernelRequest) -> bool:
    """Whether a request is a slice of whole cubes."""
    return request.w % CUBE == 0 and request.d % CUBE == 0 and request.h % CUBE == 0


@kernel
def note_cubes(
    log: Log, line: int, role: int, x: int, y: int, z: int, p: int, q: int, r: int, value: int, second: int
) -> None:
    """Log a box of cubes by its processors."""
    note(log, line, role, x * CUBE, y * CUBE, z * CUBE, p * CUBE, q * CUBE, r * CUBE, value, second)


@kernel
def _fit_into(state: AnyState, shapes: int, cube: int, boxes_out: Ints32, log: Log, line: int) -> bool:
    """Whether a small slice fits into a cube: its first free box, orientation by orientation."""
    held, turns = state.processors.held, state.within.room
    _, deep, wide = state.used.shape
    x, y, z = cube % wide * CUBE, cube // wide % deep * CUBE, cube // (wide * deep) * CUBE
    for t in range(shapes):
        a, b, c = turns[t]
        for i in range(x, x + CUBE - a + 1):
            for j in range(y, y + CUBE - b + 1):
                for k in range(z, z + CUBE - c + 1):
                    u, v, w, looked_at = first_obstacle(held, FREE, i, j, k, a, b, c)
                    state.tally[OPERATIONS] += looked_at
                    if u < 0:
                        write_box(boxes_out, 0, i, j, k, a, b, c)
                        return True
                    note(log, line, Role.TRIED, i, j, k, a, b, c, cube)
                    note(log, SAME_STEP, Role.BLOCKED, u, v, w, 1, 1, 1)
    return False


@kernel
def small_slice(
    state: AnyState, request: KernelRequest, boxes_out: Ints32, log: Log, lines: SmallLines
) -> int:
    """Find a box within one cube: 1, or 0 if there is none."""
    wanted = request.w * request.d * request.h
    note(log, lines.small, Role.NOTHING, 0, 0, 0, request.w, request.d, request.h, 0, wanted)
    shapes = oriented(state.within, request.w, request.d, request.h)
    used = state.used.ravel()
    _, deep, wide = state.used.shape
    for begun in (True, False):
        for cube in range(used.size if shapes else 0):
            state.tally[OPERATIONS] += 1
            left = VOLUME - used[cube]
            if left == 0 or (left < VOLUME) != begun:
                continue
            if left < wanted:
                x, y, z = cube % wide, cube // wide % deep, cube // (wide * deep)
                note_cubes(log, lines.full, Role.BLOCKED, x, y, z, 1, 1, 1, cube, left)
            elif _fit_into(state, shapes, cube, boxes_out, log, lines.held):
                return 1
    return 0


@kernel
def take(state: AnyState, job: int, boxes: Ints32, count: int) -> None:
    """Mark the boxes as held by the job."""
    for n in range(count):
        x, y, z, w, d, h = boxes[n]
        for k in range(z, z + h):
            for j in range(y, y + d):
                for i in range(x, x + w):
                    state.processors.held[k, j, i] = job
                    state.used[k // CUBE, j // CUBE, i // CUBE] += 1
        state.processors.free[0] -= w * d * h


@kernel
def count_used(held: Ints32, used: Ints32) -> None:
    """Count the processors held of each cube."""
    used[...] = 0
    for k in range(held.shape[0]):
        for j in range(held.shape[1]):
            for i in range(held.shape[2]):
                if held[k, j, i] != FREE:
                    used[k // CUBE, j // CUBE, i // CUBE] += 1


@kernel
def release(state: AnyState, job: int, log: Log) -> None:
    """Free what the job holds."""
    release_processors(state, job, log)
    count_used(state.processors.held, state.used)


_CUBES = (
    _FREE := GridValue(0, tr("free"), Role.NOTHING),
    _WHOLE := GridValue(1, tr("in a slice of cubes"), Role.BLOCKED),
    _SMALL := GridValue(2, tr("with small slices"), Role.BORDER),
    _NO_BASE := GridValue(3, tr("no base"), Role.PROHIBITED),
    _FOUND := GridValue(4, tr("found"), Role.PLACED),
)


class CubesStrategy(HeldProcessorsStrategy):
    """Gives slices of whole cubes, or a box within one cube; a strategy adds how it finds the cubes."""

    dims = frozenset({3})
    rotates = True
    contiguous = True
    aligned = True
    fails_until_release = True

    def empty_state(self) -> CubeState:
        cubes = Mesh(tuple(side // CUBE for side in self.mesh.shape))
        return CubeState(
            new_tally(),
            no_jobs(self.mesh),
            np.zeros(cubes.extents[::-1], dtype=np.int32),
            np.array(self.mesh.rings, dtype=np.int32),
            turning(cubes, turns=True),
            turning(Mesh((CUBE,) * 3), turns=True),
        )

    @classmethod
    def unfit(cls, mesh: Mesh, options: Options) -> str | None:
        if (fault := super().unfit(mesh, options)) is not None:
            return fault
        if not any(side % CUBE for side in mesh.shape):
            return None
        said = tr(
            "{cls} works on whole cubes of 4×4×4 processors: expected a mesh whose sides are multiples of 4, "
            "but this one is {mesh}"
        )
        return said.format(cls=cls.id, mesh=mesh.describe())

    def restore(self, state: State) -> None:
        super().restore(state)
        count_used(self.state.processors.held, self.state.used)

    def _refusal(self, size: Size) -> str | None:
        if max(size) > CUBE and any(side % CUBE for side in size):
            said = tr("{asked} is not a slice: expected sides that are all multiples of 4, or all at most 4")
            return said.format(asked=describe_size(size, 3))
        return super()._refusal(size)

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        first = step.marks[0]
        parts = tuple(mark.box for mark in step.marks if mark.role == first.role)
        words = super().words(step, moment)
        if first.role != Role.NOTHING and first.box.volume:
            words["box"] = self.mesh.describe_box(self.mesh.joined(parts))
        return words | {
            "few": few(first.values[1]),
            "cubes": describe_size(first.values, 3),
        }

    def inspect(self, moment: Moment) -> Inspection:
        """The cubes: which are free, who holds them, and what the steps have found of them."""
        held = moment.state["held"]
        used = np.zeros(tuple(side // CUBE for side in held.shape), dtype=np.int32)
        count_used(held, used)
        panels = (self._grid(moment, held, used), self._table(moment, held, used))
        return Inspection(panels, moment.marks, self.say(moment))

    def no_bases(self, steps: Steps) -> list[Box]:
        """The cubes that the steps have ruled out."""
        del steps
        return []

    def _grid(self, moment: Moment, held: Ints32, used: Ints32) -> Grid:
        grid = GridBuilder(held.shape, *_CUBES)
        of_cubes = used.copy()
        for place in np.ndindex(used.shape):
            meaning = _FREE
            if used[place]:
                meaning = _WHOLE if _holder(held, place) is not None else _SMALL
            of_cubes[place] = meaning.value
        grid.values = of_cubes
        for axis in range(3):
            grid.values = grid.values.repeat(CUBE, axis=axis)
        grid.fill(self.no_bases(moment.steps), _NO_BASE)
        if moment.step is not None and self.lines[moment.step.line].label == "found":
            grid.fill((mark.box for mark in moment.marks if mark.role == Role.PLACED), _FOUND)
        return grid.grid(tr("Cubes"))

    def _table(self, moment: Moment, held: Ints32, used: Ints32) -> Table:
        turning = moment.step is not None and self.lines[moment.step.line].label == "turn"
        marks = () if turning else moment.marks  # an orientation is nowhere yet
        looked_at = [mark.box for mark in marks if mark.role != Role.NOTHING]
        columns = (tr("Cube"), tr("Place"), tr("Held by"), tr("Free"))
        table = TableBuilder(tr("Every cube"), columns, jobs=columns[2:3])
        for number, place in enumerate(np.ndindex(used.shape)):
            z, y, x = (CUBE * n for n in place)
            box = Box(x, y, z, CUBE, CUBE, CUBE)
            job, count = _holder(held, place), int(used[place])
            holder = "" if not count else tr("small slices") if job is None else named_job(job)
            current = any(box.overlaps(other) for other in looked_at)
            mark = Mark(Role.TRIED, box, (number, 0, 0))
            free = str(VOLUME - count)
            table.row(str(number), box.describe(), holder, free, mark=mark, current=current)
        return table.table()


def _holder(held: Ints32, place: tuple[int, ...]) -> int | None:
    """The job that holds all of a cube, if one does."""
    z, y, x = (CUBE * n for n in place)
    cube = region(held, Box(x, y, z, CUBE, CUBE, CUBE))
    first = int(cube.flat[0])
    return first if first != FREE and (cube == first).all() else None
