"""Exchange of borders in 2D: processes tell their neighbours what lies at the edge of their part."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern
from meshgui.engine.network.patterns.grids import write_halo


@kernel
def write_halo_2d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, 1, most, sources, targets) if stage == 0 else 0


class Halo2D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a square as their number allows."""

    id = "halo-2d"
    title = tr("Halo in 2D")
    write_stage = write_halo_2d
