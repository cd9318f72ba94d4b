"""All-reduce up and down a tree: every process ends with the sum of what all had."""

from __future__ import annotations

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr
from meshgui.engine.network.patterns.base import CompiledPattern


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


class TreeAllReduce(CompiledPattern):
    """Sums go up a binomial tree to process 0, and the result comes down the same way."""

    id = "tree-all-reduce"
    title = tr("All-reduce on a tree")
    write_stage = write_tree_all_reduce
