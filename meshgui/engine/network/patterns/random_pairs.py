"""The pattern Random."""

from __future__ import annotations

from collections.abc import Iterator

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage, below

__all__ = ["RandomPairs"]


class RandomPairs(Pattern):
    """All messages at once, each from a process chosen at random to another one."""

    id = "random"
    title = "Random"

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        n = len(processes)
        drawn = random.random(2 * most)
        sources, targets = below(drawn[::2], n), below(drawn[1::2], n - 1)
        yield Stage(sources, targets + (targets >= sources))
