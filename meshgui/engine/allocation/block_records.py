"""The free block records of Multiple Buddy (001 §3.3, definition 1): square blocks, listed by size.

A block is a square whose side is a power of two and whose base is a multiple of it: the initial blocks, which
are the largest ones first, and whatever comes of breaking them. The records list the free blocks of each size
by their base, lowest row first, leftmost first; that order gives 001 figure 3(a). Buddies that are all free
are always merged, so the records are exactly the largest free blocks: they follow from the free processors
alone, and can be made anew from them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import State
from meshgui.engine.geometry import Box, Mesh
from meshgui.engine.kernel import kernel

__all__ = [
    "BlockRecords",
    "block_name",
    "blocks_in",
    "drop",
    "initial_blocks",
    "is_block",
    "put",
    "quarter",
    "quarters",
    "square",
]


@kernel
def _position(places: NDArray[np.int32], start: int, count: int, node: int) -> int:
    """Where in a record the block based at the node stands, or would stand."""
    low, high = start, start + count
    while low < high:
        middle = (low + high) // 2
        if places[middle] < node:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _holds(
    starts: NDArray[np.int32], counts: NDArray[np.int32], places: NDArray[np.int32], level: int, node: int
) -> bool:
    """Whether the block of that size based at the node is free."""
    at = _position(places, starts[level], counts[level], node)
    return bool(at < starts[level] + counts[level] and places[at] == node)


@kernel
def put(
    starts: NDArray[np.int32], counts: NDArray[np.int32], places: NDArray[np.int32], level: int, node: int
) -> None:
    """Enter a block into its record, in order."""
    at = _position(places, starts[level], counts[level], node)
    for k in range(starts[level] + counts[level], at, -1):
        places[k] = places[k - 1]
    places[at] = node
    counts[level] += 1


@kernel
def drop(
    starts: NDArray[np.int32], counts: NDArray[np.int32], places: NDArray[np.int32], level: int, node: int
) -> None:
    """Strike a block from its record."""
    at = _position(places, starts[level], counts[level], node)
    counts[level] -= 1
    for k in range(at, starts[level] + counts[level]):
        places[k] = places[k + 1]


@kernel
def quarter(corner: int, half: int, width: int, n: int) -> int:
    """The base of one of the four buddies, of side `half`, of the block based at the corner."""
    return corner + n % 2 * half + n // 2 * half * width


@kernel
def _carve(
    starts: NDArray[np.int32],
    counts: NDArray[np.int32],
    places: NDArray[np.int32],
    width: int,
    level: int,
    node: int,
) -> bool:
    """Take a block out of the free one it lies in, whose other parts are entered; whether it is free."""
    x, y = node % width, node // width
    j = level
    while j < counts.shape[0] and not _holds(
        starts, counts, places, j, (y >> j << j) * width + (x >> j << j)
    ):
        j += 1
    if j == counts.shape[0]:
        return False
    drop(starts, counts, places, j, (y >> j << j) * width + (x >> j << j))
    while j > level:
        corner = (y >> j << j) * width + (x >> j << j)
        j -= 1
        half = 1 << j
        kept = (y >> j << j) * width + (x >> j << j)
        for n in range(4):
            if quarter(corner, half, width, n) != kept:
                put(starts, counts, places, j, quarter(corner, half, width, n))
    return True


@kernel
def _give_back(
    starts: NDArray[np.int32],
    counts: NDArray[np.int32],
    places: NDArray[np.int32],
    width: int,
    length: int,
    level: int,
    node: int,
) -> int:
    """Free a block, and merge it with its buddies for as long as all are free: blocks looked at."""
    examined = 1
    while True:
        side = 2 << level
        x, y = node % width // side * side, node // width // side * side
        if x + side > width or y + side > length:  # an initial block
            break
        half = side // 2
        corner = y * width + x
        whole = True
        for n in range(4):
            if whole and quarter(corner, half, width, n) != node:
                examined += 1
                whole = _holds(starts, counts, places, level, quarter(corner, half, width, n))
        if not whole:
            break
        for n in range(4):
            if quarter(corner, half, width, n) != node:
                drop(starts, counts, places, level, quarter(corner, half, width, n))
        level, node = level + 1, corner
    put(starts, counts, places, level, node)
    return examined


@kernel
def _make(
    starts: NDArray[np.int32],
    counts: NDArray[np.int32],
    places: NDArray[np.int32],
    width: int,
    length: int,
    busy: NDArray[np.int32],
) -> None:
    """Make the records from the free processors: the largest free blocks, greedily."""
    free = np.ones(places.shape[0], dtype=np.bool_)  # block by block, laid out as the records are
    for b in range(busy.shape[0]):
        for y in range(busy[b, 1], busy[b, 4] + 1):
            for x in range(busy[b, 0], busy[b, 3] + 1):
                free[y * width + x] = False
    for i in range(1, counts.shape[0]):
        across, below = width >> i, width >> (i - 1)
        for n in range(starts[i + 1] - starts[i]):
            corner = starts[i - 1] + n // across * 2 * below + n % across * 2
            free[starts[i] + n] = (
                free[corner] and free[corner + 1] and free[corner + below] and free[corner + below + 1]
            )
    for i in range(counts.shape[0]):
        counts[i] = 0
        across = width >> i
        for n in range(starts[i + 1] - starts[i]):
            x, y = n % across, n // across
            merged = (
                x // 2 < across // 2
                and y // 2 < (length >> i) // 2
                and free[starts[i + 1] + y // 2 * (across // 2) + x // 2]
            )
            if free[starts[i] + n] and not merged:
                places[starts[i] + counts[i]] = (y << i) * width + (x << i)
                counts[i] += 1


class BlockRecords:
    """The records of a mesh: for each size the number of free blocks, and their bases in order.

    The lists stand in one array, each with room for as many blocks of its size as the mesh can hold.
    """

    def __init__(self, mesh: Mesh) -> None:
        self.width, self.length, _ = mesh.extents
        levels = (mesh.processors.bit_length() + 1) // 2  # the base 4 digits of any request
        rooms = [(self.width >> i) * (self.length >> i) for i in range(levels)]
        self.starts = np.array([sum(rooms[:i]) for i in range(levels + 1)], dtype=np.int32)
        self.counts = np.zeros(levels, dtype=np.int32)  # FBR[i].block_num of the paper
        self.places = np.zeros(sum(rooms), dtype=np.int32)  # FBR[i].block_list, from starts[i] on

    @property
    def room(self) -> int:
        """How many blocks of all sizes the mesh has; all are looked at when the records are made."""
        return len(self.places)

    @property
    def free(self) -> int:
        """AVAIL of the paper: how many processors are free."""
        return sum(int(count) << 2 * i for i, count in enumerate(self.counts))

    def make(self, busy: NDArray[np.int32]) -> None:
        """Make the records from the free processors, which are those outside the busy boxes."""
        _make(self.starts, self.counts, self.places, self.width, self.length, busy)

    def take(self, block: Box) -> None:
        """Take a block that is free, alone or as part of a larger one."""
        if not _carve(self.starts, self.counts, self.places, self.width, *self._at(block)):
            raise ValueError(f"the block {block_name(block)} is not free")

    def give_back(self, block: Box) -> int:
        """Free a block and merge it with its buddies; how many blocks were looked at."""
        return _give_back(self.starts, self.counts, self.places, self.width, self.length, *self._at(block))

    def capture(self) -> State:
        """A copy of the records, without the room between the lists."""
        spans = zip(self.starts, self.counts, strict=False)
        packed = np.concatenate([self.places[start : start + count] for start, count in spans])
        return {"counts": self.counts.copy(), "places": packed}

    def restore(self, state: State) -> None:
        """Go back to captured records."""
        self.counts[:] = state["counts"]
        packed = np.split(state["places"], np.cumsum(self.counts)[:-1])
        for start, record in zip(self.starts, packed, strict=False):
            self.places[start : start + len(record)] = record

    def _at(self, block: Box) -> tuple[int, int]:
        """A block as the kernels have it: the power of two of its side, and its base's number."""
        return block.w.bit_length() - 1, block.y * self.width + block.x


def square(x: int, y: int, side: int) -> Box:
    """A block."""
    return Box(x, y, 0, side, side, 1)


def quarters(block: Box) -> list[Box]:
    """The four buddies a block is broken into, in order."""
    half = block.w // 2
    return [square(x, y, half) for y in (block.y, block.y + half) for x in (block.x, block.x + half)]


def blocks_in(state: State, width: int) -> list[Box]:
    """The free blocks of captured records, the largest first and each list in order."""
    levels = np.repeat(np.arange(len(state["counts"])), state["counts"]).tolist()
    blocks = [
        square(node % width, node // width, 1 << level)
        for level, node in zip(levels, state["places"].tolist(), strict=True)
    ]
    return sorted(blocks, key=lambda block: -block.w)


def initial_blocks(mesh: Mesh) -> list[Box]:
    """The blocks of the empty mesh, the largest first."""
    records = BlockRecords(mesh)
    records.make(np.zeros((0, 7), dtype=np.int32))
    return blocks_in(records.capture(), records.width)


def is_block(box: Box) -> bool:
    """Whether a box is a block: a square with a power of two as its side, based at a multiple of it."""
    side = box.w
    return side == box.d and side & (side - 1) == 0 and box.x % side == 0 and box.y % side == 0


def block_name(block: Box) -> str:
    """A block as the paper writes it: base and side."""
    return f"⟨{block.x},{block.y},{block.w}⟩"
