"""The naive twins of the communication patterns: message after message, as their words have it.

001 §4.2 and appendix, 000 §2.3.3: processes 0 … n-1 in a line; all messages of a round have arrived before
the next round is sent, or all of an iteration; the rounds come over and over until the quota is used up.
"""

from collections.abc import Callable, Iterator
from itertools import chain, islice, product
from math import prod
from random import Random

__all__ = ["ROUNDS", "beginnings", "rounds"]

Message = tuple[int, int]
Chance = Callable[[], float]  # a number from 0 up to 1


def one_to_all(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """One process tells all others."""
    speaker = int(chance() * n)
    yield ((speaker, other) for other in range(n) if other != speaker)


def all_to_all(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Everybody tells everybody else, one speaker after another."""
    yield ((speaker, other) for speaker in range(n) for other in range(n) if other != speaker)


def all_to_all_in_rounds(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Everybody tells the first of the others, then everybody the second, and so on."""
    others = [[other for other in range(n) if other != speaker] for speaker in range(n)]
    yield ((speaker, told[turn]) for turn in range(n - 1) for speaker, told in enumerate(others))


def random_pairs(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Without end: one process tells another."""

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


def wide_butterfly(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """The rounds of the butterfly from the last to the first."""
    yield from map(iter, reversed([list(told) for told in butterfly(n, chance)]))


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


def grid_of(n: int, dims: int) -> list[tuple[int, ...]]:
    """The places of n processes on a grid as near to a cube as may be, the last axis the shortest."""
    sides: list[int] = []
    for axes in range(dims, 1, -1):
        left = n // prod(sides)
        sides.append(max(side for side in range(1, left + 1) if left % side == 0 and side**axes <= left))
    sides.append(n // prod(sides))
    return [place[::-1] for place in product(*map(range, sides))]


def neighbours(n: int, dims: int) -> Iterator[Iterator[Message]]:
    """Everybody tells those beside him on the grid: one less, then one more, axis by axis."""
    grid = grid_of(n, dims)
    numbers = {place: process for process, place in enumerate(grid)}
    beside = [
        (process, numbers.get((*place[:axis], place[axis] + sign, *place[axis + 1 :])))
        for process, place in enumerate(grid)
        for axis in range(dims)
        for sign in (-1, 1)
    ]
    yield iter([(process, other) for process, other in beside if other is not None])


def ring_all_reduce(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Each part travels until everybody has added to it, and on until everybody has it."""
    for _ in range(2 * (n - 1)):
        yield iter([(process, (process + 1) % n) for process in range(n)])


def tree_all_reduce(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """Of those left, every second one hands its sum to the one before, until one is left; then all back."""
    levels, left = [], list(range(n))
    while len(left) > 1:
        levels.append(list(zip(left[1::2], left[::2], strict=False)))
        left = left[::2]
    yield from map(iter, levels)
    yield from (iter([(parent, child) for child, parent in level]) for level in reversed(levels))


def sweep(n: int, chance: Chance) -> Iterator[Iterator[Message]]:
    """From each corner in turn: a process as far from it as the front tells those one step further."""
    grid = grid_of(n, 2)
    ends = [max(place[axis] for place in grid) for axis in range(2)]
    for flip_y, flip_x in product((False, True), repeat=2):
        seen = [(ends[0] - x if flip_x else x, ends[1] - y if flip_y else y) for x, y in grid]
        numbers = {place: process for process, place in enumerate(seen)}
        for front in range(sum(ends)):
            yield iter(
                [
                    (numbers[front - y, y], numbers[further])
                    for y in range(ends[1] + 1)
                    for further in ((front - y + 1, y), (front - y, y + 1))
                    if (front - y, y) in numbers and further in numbers
                ]
            )


ROUNDS = {
    "one-to-all": one_to_all,
    "all-to-all": all_to_all,
    "all-to-all-rounds": all_to_all_in_rounds,
    "random": random_pairs,
    "n-body": n_body,
    "fft": butterfly,
    "fft-longest-first": wide_butterfly,
    "multigrid": multigrid,
    "halo-2d": lambda n, _: neighbours(n, 2),
    "halo-3d": lambda n, _: neighbours(n, 3),
    "ring-all-reduce": ring_all_reduce,
    "tree-all-reduce": tree_all_reduce,
    "sweep": sweep,
}


def rounds(
    name: str, n: int, quota: int, chance: Chance | None = None, *, by_iteration: bool = False
) -> list[list[Message]]:
    """All a job of n processes sends, round by round; alone, it has no partner.

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
