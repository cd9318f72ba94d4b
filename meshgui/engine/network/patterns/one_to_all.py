"""The pattern One to all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage, below

__all__ = ["OneToAll"]


class OneToAll(Pattern):
    """A process chosen at random sends to every other, in array order."""

    id = "one-to-all"
    title = "One to all"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        n = len(processes)
        source = below(random.random(1), n)
        targets = np.arange(min(n - 1, most))
        yield Stage(np.repeat(source, len(targets)), targets + (targets >= source))
