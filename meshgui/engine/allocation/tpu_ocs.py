"""Slices of a TPU pod whose cubes are joined by optical circuit switches: any free cubes make a slice.

Jouppi et al. 2023, §2: the switches connect the faces of cubes wherever these stand, so that a slice of whole
cubes needs as many free ones as it has, and not side by side. Within a cube the wires are fixed.
"""

from __future__ import annotations

from typing import Final

from meshgui.engine.allocation.base import Source
from meshgui.engine.allocation.inspection import Moment
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import Log, Role, Step, note, note_boxes, note_numbers
from meshgui.engine.allocation.tpu_cubes import (
    CUBE,
    VOLUME,
    CubesStrategy,
    CubeState,
    add_small_lines,
    note_cubes,
    release,
    small_slice,
    take,
    whole_cubes,
)
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Size, describe_size, write_box
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of

CODE = PseudoCode()
WHOLE = CODE.decision("whole", "if all sides are multiples of 4: count the cubes in its box")
CODE.says("It asks for a slice of {cubes}, wherever they are.")
BUSY = CODE.line("busy", "for each cube, by number: skip it if it is in use", 1)
CODE.says("Cube {n} is in use.")
PICK = CODE.line("pick", "else: pick it, until there are enough", 1)
CODE.says("Cube {n} is free: {picked} picked.")
SMALL: Final = add_small_lines(CODE)
FOUND = CODE.decision("found", "allocate the cubes picked, which the switches join, or the first free box")
CODE.says("The job gets {given}.")
FAIL = CODE.decision("fail", "if there are too few cubes, or no box: fail")
CODE.says("{missing}, so the job waits.")


@kernel
def _free_cubes(state: CubeState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Write the free cubes with the lowest numbers, as many as the request has: their number, or 0."""
    wanted = request.w * request.d * request.h // VOLUME
    note(log, WHOLE, Role.NOTHING, 0, 0, 0, request.w, request.d, request.h, wanted)
    used = state.used.ravel()
    _, deep, wide = state.used.shape
    count = 0
    for cube in range(used.size):
        state.tally[OPERATIONS] += 1
        x, y, z = cube % wide, cube // wide % deep, cube // (wide * deep)
        if used[cube]:
            note_cubes(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, cube, 0)
            continue
        if count == boxes_out.shape[0]:
            break
        write_box(boxes_out, count, x * CUBE, y * CUBE, z * CUBE, CUBE, CUBE, CUBE)
        count += 1
        note_cubes(log, PICK, Role.CANDIDATE, x, y, z, 1, 1, 1, cube, count)
        if count == wanted:
            return count
    note_numbers(log, FAIL, count, wanted)
    return 0


@kernel
def search(state: CubeState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find cubes or a box for the request."""
    if whole_cubes(request):
        count = _free_cubes(state, request, boxes_out, log)
    else:
        count = small_slice(state, request, boxes_out, log, SMALL)
        if count == 0:
            note_numbers(log, FAIL, 0, 0)
    if count == 0:
        return WAITS
    note_boxes(log, FOUND, Role.PLACED, boxes_out, count, count)
    return count


class TpuOcs(CubesStrategy):
    """Any free cubes, those with the lowest numbers; small slices share a cube."""

    id = "tpu-ocs"
    title = tr("TPU pod, switched cubes")
    switched = True
    source = Source("Jouppi et al. 2023", "§2")
    lines = CODE.lines
    kernels = StrategyKernels(release, search=search, take=take)

    @property
    def most_boxes(self) -> int:
        return self.mesh.processors // VOLUME

    def _refusal(self, size: Size) -> str | None:
        if any(side % CUBE for side in size):
            return super()._refusal(size)
        w, d, h = size
        wanted, there = w * d * h // VOLUME, self.mesh.processors // VOLUME
        if wanted <= there:
            return None
        said = tr("{asked} takes {cubes}, but the {mesh} machine has {there}")
        return said.format(
            asked=describe_size(size, 3),
            cubes=count_of(wanted, "cube"),
            mesh=self.mesh.describe(),
            there=there,
        )

    def words(self, step: Step, moment: Moment) -> dict[str, object]:
        marks = step.marks
        n, k, _ = marks[0].values
        whole = len(marks) > 1 or marks[0].box.volume == VOLUME
        given = count_of(len(marks), "cube") if whole else marks[0].box.describe()
        only = tr("{free} of {cubes} are free").format(free=n, cubes=count_of(k, "cube"))
        return super().words(step, moment) | {
            "cubes": count_of(n, "cube"),
            "picked": count_of(k, "cube"),
            "given": given,
            "missing": only if k else tr("No box is free within a cube"),
        }
