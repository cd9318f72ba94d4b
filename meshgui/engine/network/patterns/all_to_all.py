"""The pattern All to all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage

__all__ = ["AllToAll"]


class AllToAll(Pattern):
    """Every process sends to every other: source by source, targets in array order."""

    id = "all-to-all"
    title = "All to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del random
        n = len(processes)
        sources, targets = np.divmod(np.arange(min(n * (n - 1), most)), n - 1)
        yield Stage(sources, targets + (targets >= sources))
