"""The grids that patterns lay their processes on, and the exchange of borders on them."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.kernel import kernel


@kernel
def shorter_side(n: int, dims: int) -> int:
    """The shortest side of the grid of `dims` dimensions nearest to a cube: the largest divisor that fits."""
    side = 1
    for divisor in range(2, n + 1):
        if divisor**dims > n:
            break
        if n % divisor == 0:
            side = divisor
    return side


@kernel
def write_halo(n: int, planes: int, most: int, sources: Ints, targets: Ints) -> int:
    """Write to each process's neighbours: left, right, behind, before, below, above, process by process."""
    rows = shorter_side(n // planes, 2)
    columns = n // planes // rows
    written = 0
    for process in range(n):
        x, y, z = process % columns, process // columns % rows, process // (columns * rows)
        for axis in range(3):
            place = (x, y, z)[axis]
            length, step = (columns, rows, planes)[axis], (1, columns, columns * rows)[axis]
            for sign in (-1, 1):
                if 0 <= place + sign < length and written < most:
                    sources[written] = process
                    targets[written] = process + sign * step
                    written += 1
    return written
