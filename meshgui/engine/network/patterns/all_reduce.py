"""All-reduce: every process ends with the sum of what all had, along a ring or up and down a tree."""

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


@kernel
def write_tree_all_reduce(n: int, stage: int, most: int, drawn: Floats, sources: Ints, targets: Ints) -> int:
    """Write a level of the binomial tree: up by strides 1, 2, 4 … below n, then down again."""
    levels = 0
    while 1 << levels < n:
        levels += 1
    if stage >= 2 * levels:
        return 0
    stride = 1 << (stage if stage < levels else 2 * levels - 1 - stage)
    written = 0
    for child in range(stride, n, 2 * stride):
        if written < most:
            up = stage < levels
            sources[written] = child if up else child - stride
            targets[written] = child - stride if up else child
            written += 1
    return written


class RingAllReduce(CompiledPattern):
    """Parts of a vector go round a ring twice: added up on the first round, handed out on the second."""

    id = "ring-all-reduce"
    title = tr("All-reduce on a ring")
    write_stage = write_ring_all_reduce


class TreeAllReduce(CompiledPattern):
    """Sums go up a binomial tree to process 0, and the result comes down the same way."""

    id = "tree-all-reduce"
    title = tr("All-reduce on a tree")
    write_stage = write_tree_all_reduce
