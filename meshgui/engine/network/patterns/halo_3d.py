"""Exchange of borders in 3D: processes tell their neighbours what lies at the edge of their part."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern
from meshgui.engine.network.patterns.grids import shorter_side, write_halo


@kernel
def write_halo_3d(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    return write_halo(n, shorter_side(n, 3), most, sources, targets) if stage == 0 else 0


class Halo3D(CompiledPattern):
    """Each process sends to its neighbours on a grid as near to a cube as their number allows."""

    id = "halo-3d"
    title = tr("Halo in 3D")
    write_stage = write_halo_3d
