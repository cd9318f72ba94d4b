"""Counts the busy processors of any box at once, from a table of sums."""

from __future__ import annotations

import numpy as np

from meshgui.engine.allocation.held_processors import FREE
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel


def no_sums(mesh: Mesh) -> Ints32:
    """The table of an empty machine, a row longer in each dimension than the mesh."""
    width, depth, height = mesh.extents
    return np.zeros((height + 1, depth + 1, width + 1), dtype=np.int32)


@kernel
def sum_up(held: Ints32, sums: Ints32) -> None:
    """Write how many busy processors lie below each corner `[z, y, x]` in all dimensions, itself left out."""
    height, depth, width = held.shape
    for z in range(height):
        for y in range(depth):
            # Rows as arrays of their own: this loop takes most of the time of First Fit on large meshes.
            jobs, here, south = held[z, y], sums[z + 1, y + 1], sums[z + 1, y]
            below, below_south = sums[z, y + 1], sums[z, y]
            row = 0
            for x in range(width):
                row += 1 if jobs[x] != FREE else 0
                here[x + 1] = row + south[x + 1] + below[x + 1] - below_south[x + 1]


@kernel
def busy_in(sums: Ints32, x: int, y: int, z: int, w: int, d: int, h: int) -> int:
    """How many busy processors a box has."""
    east, north, top = x + w, y + d, z + h
    upper = sums[top, north, east] - sums[top, y, east] - sums[top, north, x] + sums[top, y, x]
    if z == 0:
        return int(upper)
    lower = sums[z, north, east] - sums[z, y, east] - sums[z, north, x] + sums[z, y, x]
    return int(upper - lower)
