"""The patterns in which a job's processes send messages to each other (000 §2.3.3, 001 §4.2 and appendix).

A job's n processes form a linear array. A pattern is a row of stages, over and over: all messages of a stage
are sent at once, and the next stage begins when all of them have arrived. Sending stops when the job's quota
of messages is reached, in the midst of a stage if need be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import cycle
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from meshgui.engine.arrays import Floats, Ints

__all__ = ["PATTERNS", "Pattern", "RandomNumbers", "Stage", "messages_of_an_iteration", "stages"]


class Stage(NamedTuple):
    """Messages that are sent at once: from which processes of the job to which."""

    sources: Ints
    targets: Ints


class RandomNumbers(Protocol):
    """Where chance comes from: a NumPy generator, or a test's own."""

    def random(self, size: int) -> Floats:
        """Numbers from 0 up to 1."""


class Pattern(ABC):
    """A pattern of communication."""

    id: ClassVar[str]
    title: ClassVar[str]
    powers_of_two: ClassVar[bool] = False  # whether it is defined for such numbers of processes only

    @abstractmethod
    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """The stages of one iteration among n processes, n > 1; of a stage, `most` messages are enough."""


class OneToAll(Pattern):
    """A process chosen at random sends to every other, in array order."""

    id = "one-to-all"
    title = "One to all"

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        source = _whole(draws.random(1), n)
        targets = np.arange(min(n - 1, most))
        yield Stage(np.repeat(source, len(targets)), targets + (targets >= source))


class AllToAll(Pattern):
    """Every process sends to every other: source by source, targets in array order."""

    id = "all-to-all"
    title = "All to all"

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del draws
        sources, targets = np.divmod(np.arange(min(n * (n - 1), most)), n - 1)
        yield Stage(sources, targets + (targets >= sources))


class RandomPairs(Pattern):
    """All messages at once, each from a process chosen at random to another one."""

    id = "random"
    title = "Random"

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        drawn = draws.random(2 * most)
        sources, targets = _whole(drawn[::2], n), _whole(drawn[1::2], n - 1)
        yield Stage(sources, targets + (targets >= sources))


class NBody(Pattern):
    """Copies of all bodies go half-way round a ring, a process at a time, then straight home by the chord."""

    id = "n-body"
    title = "n-body"

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del draws, most
        processes = np.arange(n)
        half = n // 2
        for _ in range(half):
            yield Stage(processes, (processes + 1) % n)
        yield Stage(processes, (processes - half) % n)


class FastFourierTransform(Pattern):
    """A two-dimensional transform: butterflies over 1, 2, 4 … processes, along the rows, then across them."""

    id = "fft"
    title = "2D FFT"
    powers_of_two = True

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del draws, most
        processes = np.arange(n)
        for span in _strides(n):
            yield Stage(processes, processes ^ span)


class Multigrid(Pattern):
    """NAS MG: a cycle over ever coarser grids and back, in each of which neighbours exchange their borders.

    On the grid of stride s work the processes 0, s, 2s …; the coarsest has two of them.
    """

    id = "multigrid"
    title = "NAS multigrid"
    powers_of_two = True

    def iteration(self, n: int, draws: RandomNumbers, most: int) -> Iterator[Stage]:
        """See Pattern."""
        del draws, most
        down = _strides(n)
        for stride in (*down, *down[-2::-1]):
            left = np.arange(0, n - stride, stride)
            yield Stage(
                np.stack((left, left + stride), 1).ravel(), np.stack((left + stride, left), 1).ravel()
            )


PATTERNS: dict[str, type[Pattern]] = {
    cls.id: cls for cls in (OneToAll, AllToAll, RandomPairs, NBody, FastFourierTransform, Multigrid)
}


def stages(pattern: Pattern, n: int, quota: int, draws: RandomNumbers) -> Iterator[Stage]:
    """What a job of n processes sends until its quota is reached; a single process sends nothing."""
    if n < 2:
        return
    left = quota
    for _ in cycle((None,)):
        for sources, targets in pattern.iteration(n, draws, left):
            yield Stage(sources[:left], targets[:left])
            left -= len(sources)
            if left <= 0:
                return


def messages_of_an_iteration(pattern: Pattern, n: int) -> int:
    """How many messages one iteration among n processes has; of the random pattern, one for each process."""
    if n < 2:
        return 0
    most = n if isinstance(pattern, RandomPairs) else n * n
    return sum(len(stage.sources) for stage in pattern.iteration(n, np.random.default_rng(0), most))


def _whole(uniform: Floats, n: int) -> Ints:
    return np.floor(uniform * n).astype(np.int64)


def _strides(n: int) -> list[int]:
    """1, 2, 4 … below n."""
    return [1 << i for i in range((n - 1).bit_length())]
