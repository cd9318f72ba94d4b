"""The pattern NAS multigrid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage, strides

__all__ = ["Multigrid"]


class Multigrid(Pattern):
    """NAS MG: a cycle over ever coarser grids and back, in each of which neighbours exchange their borders.

    On the grid of stride s work the processes 0, s, 2s …; the coarsest has two of them.
    """

    id = "multigrid"
    title = "NAS multigrid"
    powers_of_two = True

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del random, most
        n = len(processes)
        down = strides(n)
        for stride in (*down, *down[-2::-1]):
            left = np.arange(0, n - stride, stride)
            yield Stage(
                np.stack((left, left + stride), 1).ravel(), np.stack((left + stride, left), 1).ravel()
            )
