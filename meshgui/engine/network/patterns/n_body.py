"""The pattern n-body."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.patterns.base import CompiledPattern


@kernel
def write_n_body(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a shift along the ring, or after the last of them the way home."""
    half = n // 2
    if stage > half:
        return 0
    step = 1 if stage < half else n - half
    written = min(n, most)
    for i in range(written):
        sources[i] = i
        targets[i] = (i + step) % n
    return written


class NBody(CompiledPattern):
    """Copies of all bodies go half-way round a ring, a process at a time, then straight home by the chord."""

    id = "n-body"
    title = "n-body"
    write_stage = write_n_body
