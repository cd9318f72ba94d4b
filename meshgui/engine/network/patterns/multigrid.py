"""The pattern NAS multigrid."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_multigrid(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write the exchange of borders on one grid: strides 1, 2, 4 … below n, then back to 1."""
    grids = 0
    while 1 << grids < n:
        grids += 1
    if stage > 2 * grids - 2:
        return 0
    stride = 1 << (stage if stage < grids else 2 * grids - 2 - stage)
    written = min(2 * ((n - 1) // stride), most)
    for i in range(written):
        left = i // 2 * stride
        sources[i] = left + i % 2 * stride
        targets[i] = left + (1 - i % 2) * stride
    return written


class Multigrid(CompiledPattern):
    """NAS MG: a cycle over ever coarser grids and back, in each of which neighbours exchange their borders.

    On the grid of stride s work the processes 0, s, 2s …; the coarsest has two of them.
    """

    id = "multigrid"
    title = tr("NAS multigrid")
    powers_of_two = True
    write_stage = write_multigrid
