"""Slices of a TPU pod whose cubes are wired as they stand: boxes of whole cubes, or boxes within one of them.

Jouppi et al. 2023, §2, compare the pod of the TPU v4, whose cubes are joined by optical switches, with one
that is wired as a torus: there a slice must be a box of free cubes side by side.
"""

from __future__ import annotations

from typing import Final

from meshgui.engine.allocation.base import Options, Source
from meshgui.engine.allocation.held_processors import first_obstacle
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, WAITS, KernelRequest, StrategyKernels
from meshgui.engine.allocation.pseudo_code import PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Steps, note, note_boxes
from meshgui.engine.allocation.tpu_cubes import (
    CUBE,
    CubesStrategy,
    CubeState,
    add_small_lines,
    note_cubes,
    release,
    small_slice,
    take,
    whole_cubes,
)
from meshgui.engine.allocation.turning import oriented
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Box, Mesh, write_parts
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

CODE = PseudoCode()
WHOLE = CODE.decision("whole", "if all sides are multiples of 4: count them in cubes")
CODE.says("It asks for a slice of {cubes} cubes.")
TURN = CODE.decision("turn", "for each orientation of this box of cubes:", 1)
CODE.says("Try a box of {cubes} cubes.")
BUSY = CODE.line("busy", "for each cube, in scan order: skip it if it is in use", 2)
CODE.says("The cube {box} is in use, so it cannot be a base.")
EDGE = CODE.line("edge", "skip it if a box based there would leave the mesh, other than across a seam", 3)
CODE.says("Based at {base}, the box would leave the mesh.")
BLOCKED = CODE.line("blocked", "skip it if another cube of that box is in use", 3)
CODE.says("In the box {box} another cube is in use.")
SMALL: Final = add_small_lines(CODE)
FOUND = CODE.decision("found", "allocate the first box that is free")
CODE.says("All of {box} is free: the job gets it.")
FAIL = CODE.decision("fail", "if there is none: fail")
CODE.says("No box is free, so the job waits.")


@kernel
def _fits_at(state: CubeState, t: int, x: int, y: int, z: int, boxes_out: Ints32, log: Log) -> int:
    """Write the parts of the box at a base: how many, or 0 if it is not free or would leave the mesh."""
    used, rings = state.used, state.rings
    high, deep, wide = used.shape
    p, q, r = state.turning.room[t]
    if used[z, y, x]:
        note_cubes(log, BUSY, Role.BLOCKED, x, y, z, 1, 1, 1, 0, 0)
        return 0
    beyond_x, beyond_y, beyond_z = x + p > wide, y + q > deep, z + r > high
    if (beyond_x and not rings[0]) or (beyond_y and not rings[1]) or (beyond_z and not rings[2]):
        w, d, h = min(p, wide - x), min(q, deep - y), min(r, high - z)
        note_cubes(log, EDGE, Role.TRIED, x, y, z, w, d, h, 0, 0)
        return 0
    i, j, k, looked_at = first_obstacle(used, 0, x, y, z, p, q, r)
    state.tally[OPERATIONS] += looked_at
    count = write_parts(
        boxes_out, state.within.extents * state.turning.extents,
        x * CUBE, y * CUBE, z * CUBE, p * CUBE, q * CUBE, r * CUBE,
    )  # fmt: skip
    if i < 0:
        note_boxes(log, FOUND, Role.PLACED, boxes_out, count, 0)
        return count
    note_boxes(log, BLOCKED, Role.TRIED, boxes_out, count, 0)
    note_cubes(log, SAME_STEP, Role.BLOCKED, i, j, k, 1, 1, 1, 0, 0)
    return 0


@kernel
def _first_free(state: CubeState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Write the parts of the first free box of cubes: how many, or 0."""
    p, q, r = request.w // CUBE, request.d // CUBE, request.h // CUBE
    note(log, WHOLE, Role.NOTHING, 0, 0, 0, request.w, request.d, request.h, p, q, r)
    _, deep, _ = state.used.shape
    high = state.used.shape[0]
    for t in range(oriented(state.turning, p, q, r)):
        p, q, r = state.turning.room[t]
        note(log, TURN, Role.TRIED, 0, 0, 0, p * CUBE, q * CUBE, r * CUBE, p, q, r)
        for n in range(state.used.size):
            state.tally[OPERATIONS] += 1
            count = _fits_at(state, t, n // (deep * high), n // high % deep, n % high, boxes_out, log)
            if count:
                return count
    return 0


@kernel
def search(state: CubeState, request: KernelRequest, boxes_out: Ints32, log: Log) -> int:
    """Find a box for the request."""
    if whole_cubes(request):
        count = _first_free(state, request, boxes_out, log)
    else:
        count = small_slice(state, request, boxes_out, log, SMALL)
        if count:
            note_boxes(log, FOUND, Role.PLACED, boxes_out, count, 0)
    if count == 0:
        note(log, FAIL)
        return WAITS
    return count


class TpuStatic(CubesStrategy):
    """The first free box of whole cubes, across the seams of rings; small slices share a cube."""

    id = "tpu-static"
    title = tr("TPU pod, wired cubes")
    source = Source("Jouppi et al. 2023", "§2")
    lines = CODE.lines
    kernels = StrategyKernels(release, search=search, take=take)

    @classmethod
    def crosses_seams(cls, options: Options, mesh: Mesh) -> bool:
        del options
        return any(mesh.rings)

    def no_bases(self, steps: Steps) -> list[Box]:
        ruled_out = [step.marks[0].box for step in steps.since(TURN) if step.line in (EDGE, BLOCKED)]
        return [Box(box.x, box.y, box.z, CUBE, CUBE, CUBE) for box in ruled_out]
