"""The pattern n-body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage

__all__ = ["NBody"]


class NBody(Pattern):
    """Copies of all bodies go half-way round a ring, a process at a time, then straight home by the chord."""

    id = "n-body"
    title = "n-body"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del random, most
        n = len(processes)
        ranks = np.arange(n)
        half = n // 2
        for _ in range(half):
            yield Stage(ranks, (ranks + 1) % n)
        yield Stage(ranks, (ranks - half) % n)
