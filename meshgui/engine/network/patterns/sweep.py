"""A sweep: wavefronts that cross a grid from each of its corners, as in the transport of particles."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern
from meshgui.engine.network.patterns.grids import shorter_side


@kernel
def write_sweep(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write what the processes of a diagonal send on, along the row and to the next row."""
    rows = shorter_side(n, 2)
    columns = n // rows
    fronts = rows + columns - 2
    if stage >= 4 * fronts:
        return 0
    corner, front = stage // fronts, stage % fronts
    written = 0
    for row in range(max(0, front - columns + 1), min(front, rows - 1) + 1):
        for along in range(2):
            near = (front - row, row)  # column and row as seen from the corner
            far = (near[0] + 1 - along, near[1] + along)
            if far[0] < columns and far[1] < rows and written < most:
                for end in range(2):
                    x, y = near if end == 0 else far
                    x = columns - 1 - x if corner & 1 else x
                    y = rows - 1 - y if corner & 2 else y
                    (sources if end == 0 else targets)[written] = y * columns + x
                written += 1
    return written


class CornerSweep(CompiledPattern):
    """Four wavefronts, from each corner of a grid in turn: a process sends on when its diagonal is reached.

    The grid is as near to a square as the number of processes allows.
    """

    id = "sweep"
    title = tr("Sweep")
    write_stage = write_sweep
