"""The pattern 2D FFT."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.network.patterns.base import Pattern, Processes, RandomNumbers, Stage, strides

__all__ = ["FastFourierTransform"]


class FastFourierTransform(Pattern):
    """A two-dimensional transform: butterflies over 1, 2, 4 … processes, along the rows, then across them."""

    id = "fft"
    title = "2D FFT"
    powers_of_two = True

    def iteration(self, processes: Processes, random: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del random, most
        n = len(processes)
        ranks = np.arange(n)
        for span in strides(n):
            yield Stage(ranks, ranks ^ span)
