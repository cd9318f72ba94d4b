"""The anchor-block buddy strategy of 001 §2 on a set of held nodes; request and blocks as in 001 §3.3."""

from collections import Counter

from tests.naive import Box, Held, Size, fits, is_free, volume
from tests.twins.base import Naive, Twin

Square = tuple[int, int, int]  # x, y, side: as 001 writes a block


def box(square: Square) -> Box:
    """The square as a box."""
    x, y, side = square
    return (x, y, 0, side, side, 1)


def free_blocks(held: Held, extents: Size) -> list[Square]:
    """Every free block that is no quarter of a larger free one: 001 definition 1 and the merging of buddies.

    The initial blocks are the greedy largest ones, so a block is any square at multiples of its side.
    """
    w, d, _ = extents
    sides = [2**n for n in range(10) if 2**n <= min(w, d)]
    blocks = {
        (x, y, side)
        for side in sides
        for x in range(0, w, side)
        for y in range(0, d, side)
        if fits(box((x, y, side)), extents) and is_free(held, box((x, y, side)))
    }
    return [
        (x, y, side)
        for x, y, side in blocks
        if (x - x % (2 * side), y - y % (2 * side), 2 * side) not in blocks
    ]


def corners(square: Square) -> list[tuple[int, int]]:
    """The processors in the four corners, lower left, lower right, upper left, upper right."""
    x, y, side = square
    return [(x, y), (x + side - 1, y), (x, y + side - 1), (x + side - 1, y + side - 1)]


def closeness(one: Square, other: Square) -> int:
    """001 §2: the sum of the distances between the corresponding corners."""
    pairs = zip(corners(one), corners(other), strict=True)
    return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairs)


class Sdsc(Naive):
    """The largest blocks first; one that cannot be had becomes four of half the side."""

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> list[Box] | None:
        del job, now, service, seed
        asked = volume(size)
        if asked > self.free:
            return None
        largest = max(2**n for n in range(10) if 2**n <= min(self.extents[:2]))
        wanted: Counter[int] = Counter()
        for side in (2**n for n in range(9, -1, -1)):
            if side <= largest:
                wanted[side] = asked // side**2
                asked %= side**2
        taken: list[Square] = []
        held = dict(self.held)
        while wanted:
            side = max(wanted)
            if wanted[side] == 0:
                del wanted[side]
                continue
            wanted[side] -= 1
            large_enough = [block for block in free_blocks(held, self.extents) if block[2] >= side]
            if not large_enough:
                wanted[side // 2] += 4
                continue
            smallest = min(block[2] for block in large_enough)
            places = [
                (x, y, side)
                for left, low, _ in (block for block in large_enough if block[2] == smallest)
                for x in range(left, left + smallest, side)
                for y in range(low, low + smallest, side)
            ]
            anchor = taken[0] if taken else None
            place = min(places, key=lambda p: (closeness(p, anchor) if anchor else 0, p[1], p[0]))
            taken.append(place)
            held |= {(x, y, 0): -1 for x in _span(place, 0) for y in _span(place, 1)}
        return [box(square) for square in taken]


def _span(square: Square, axis: int) -> range:
    return range(square[axis], square[axis] + square[2])


TWINS = {
    "sdsc": Twin(
        lambda extents, _flat, options: Sdsc(extents, options), options=({}, {"mapping": "row-major"})
    )
}
