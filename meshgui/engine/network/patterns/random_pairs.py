"""The pattern Random."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_random_pairs(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write as many messages as are wanted, in one stage."""
    if stage > 0:
        return 0
    for i in range(most):
        source, target = int(drawn[2 * i] * n), int(drawn[2 * i + 1] * (n - 1))
        sources[i] = source
        targets[i] = target + (1 if target >= source else 0)
    return most


class RandomPairs(CompiledPattern):
    """All messages at once, each from a process chosen at random to another one."""

    id = "random"
    title = tr("Random")
    draws_each = 2
    write_stage = write_random_pairs
