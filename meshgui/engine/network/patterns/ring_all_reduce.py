"""All-reduce along a ring: every process ends with the sum of what all had."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_ring_all_reduce(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a step along the ring: n - 1 of them add up the parts, n - 1 more hand the sums round."""
    if stage >= 2 * (n - 1):
        return 0
    written = min(n, most)
    for i in range(written):
        sources[i] = i
        targets[i] = (i + 1) % n
    return written


class RingAllReduce(CompiledPattern):
    """Parts of a vector go round a ring twice: added up on the first round, handed out on the second."""

    id = "ring-all-reduce"
    title = tr("All-reduce on a ring")
    write_stage = write_ring_all_reduce
