"""The pattern One to all."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_one_to_all(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write all messages, in one stage."""
    if stage > 0:
        return 0
    source = int(drawn[0] * n)
    written = min(n - 1, most)
    for i in range(written):
        sources[i] = source
        targets[i] = i + (1 if i >= source else 0)
    return written


class OneToAll(CompiledPattern):
    """A process chosen at random sends to every other, in array order."""

    id = "one-to-all"
    title = tr("One to all")
    draws = 1
    write_stage = write_one_to_all
