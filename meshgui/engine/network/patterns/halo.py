"""Exchange of borders: processes on a grid tell their neighbours what lies at the edge of their part."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


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


@kernel
def write_halo_2d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, 1, most, sources, targets) if stage == 0 else 0


@kernel
def write_halo_3d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, shorter_side(n, 3), most, sources, targets) if stage == 0 else 0


class Halo2D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a square as their number allows."""

    id = "halo-2d"
    title = tr("Halo in 2D")
    write_stage = write_halo_2d


class Halo3D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a cube as their number allows."""

    id = "halo-3d"
    title = tr("Halo in 3D")
    write_stage = write_halo_3d
