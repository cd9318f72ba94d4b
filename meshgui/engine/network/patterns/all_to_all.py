"""The pattern All to all."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_all_to_all(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    written = min(n * (n - 1), most) if stage == 0 else 0
    for i in range(written):
        source, target = i // (n - 1), i % (n - 1)
        sources[i] = source
        targets[i] = target + (1 if target >= source else 0)
    return written


class AllToAll(CompiledPattern):
    """Every process sends to every other: source by source, targets in array order."""

    id = "all-to-all"
    title = tr("All to all")
    write_stage = write_all_to_all
