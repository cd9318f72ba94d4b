"""The naive twins of the communication patterns: message after message, as their words have it.

001 §4.2 and appendix, 000 §2.3.3: processes 0 … n-1 in a line; all messages of a round have arrived before
the next round is sent, or all of an iteration; the rounds come over and over until the quota is used up.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from random import Random

__all__ = ["ROUNDS", "beginnings", "rounds"]

Message = tuple[int, int]
Chance = Callable[[], float]  # a number from 0 up to 1


def one_to_all(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Somebody tells everybody else."""
    speaker = int(chance() * n)
    yield ((speaker, other) for other in range(n) if other != speaker)


def all_to_all(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Everybody tells everybody else, one speaker after another."""
    yield ((speaker, other) for speaker in range(n) for other in range(n) if other != speaker)


def random_pairs(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Without end: somebody tells somebody else."""

    def talk() -> Iterator[Message]:
        while True:
            speaker = int(chance() * n)
            others = [process for process in range(n) if process != speaker]
            yield speaker, others[int(chance() * (n - 1))]

    yield talk()


def n_body(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """All hand on to the right as often as it takes to get half-way round, then straight back home."""
    carried_by = list(range(n))  # where the copy of each process's bodies is
    for _ in range(n // 2):
        yield iter([(process, (process + 1) % n) for process in range(n)])
        carried_by = [(holder + 1) % n for holder in carried_by]
    home = {holder: process for process, holder in enumerate(carried_by)}
    yield iter([(holder, home[holder]) for holder in range(n)])


def butterfly(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """For every bit of the processes' numbers, the lowest first: all tell the one that differs in it."""
    for bit in range(n.bit_length() - 1):
        wing = 2**bit
        yield iter([(p, p - wing if p // wing % 2 else p + wing) for p in range(n)])


def multigrid(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Neighbours tell each other on grids of n, n/2 … 2 processes, then on the finer ones again."""
    grids = []
    grid = list(range(n))
    while len(grid) > 1:
        grids.append(grid)
        grid = grid[::2]
    for grid in grids + grids[-2::-1]:
        pairs = [(grid[i], grid[i + 1]) for i in range(len(grid) - 1)]
        yield iter([message for a, b in pairs for message in ((a, b), (b, a))])


ROUNDS = {
    "one-to-all": one_to_all,
    "all-to-all": all_to_all,
    "random": random_pairs,
    "n-body": n_body,
    "fft": butterfly,
    "multigrid": multigrid,
}


def rounds(
    name: str, n: int, quota: int, chance: Chance | None = None, *, by_iteration: bool = False
) -> list[list[Message]]:
    """All a job of n processes sends, round by round; alone, it has nobody to talk to.

    By iteration, it does not wait between the rounds of an iteration.
    """
    chance = chance or Random(0).random
    sent: list[list[Message]] = []
    left = quota if n > 1 else 0
    while left:
        iteration: list[list[Message]] = []
        for talk in ROUNDS[name](n, chance):
            iteration.append(list(islice(talk, left)))
            left -= len(iteration[-1])
            if not left:
                break
        sent += [list(chain.from_iterable(iteration))] if by_iteration else iteration
    return sent


def beginnings(name: str, n: int, quota: int, *, by_iteration: bool = False) -> list[bool]:
    """Of each of these rounds, whether an iteration begins with it."""
    begins: list[bool] = []
    left = quota if n > 1 else 0
    while left:
        first = True
        for talk in ROUNDS[name](n, Random(0).random):
            left -= len(list(islice(talk, left)))
            if first or not by_iteration:
                begins.append(first)
            first = False
            if not left:
                break
    return begins
