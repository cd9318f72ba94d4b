"""The free blocks of a machine, listed by size: the state of strategies that give blocks, and its lists.

See `block_records` for what a block is. The records follow from the free processors alone: `make` makes them
again, whatever the order in which jobs came and went.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.held_boxes import BusyBoxes, listed, no_boxes
from meshgui.engine.allocation.inspection import State
from meshgui.engine.allocation.kernel_strategy import new_tally
from meshgui.engine.allocation.turning import Turning, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel


class BlockState(NamedTuple):
    """The state of the kernels: the boxes held in the order in which they were given, and the records.

    The lists of free blocks share one array, each with room for as many of its size as the mesh can hold.
    """

    tally: Ints
    busy: BusyBoxes
    turning: Turning
    counts: Ints32  # FBR[i].block_num of the paper
    places: Ints32  # FBR[i].block_list, from starts[i] on: bases by their numbers
    starts: Ints32
    vacant: NDArray[np.bool_]  # room to make the records
    wanted: Ints  # room for how many blocks of each size a request wants
    sizes: int  # how many sizes of blocks the mesh can hold
    bitmap: int  # whether a block given back, or looked at then, counts with all its processors
    dims: int  # 2 or 3: a block has two to the power of it as parts


@kernel
def number_at(state: BlockState, x: int, y: int, z: int) -> int:
    """The number of the processor at a place, which stands for the block based there."""
    return int((z * state.turning.extents[1] + y) * state.turning.extents[0] + x)


@kernel
def place_of(state: BlockState, node: int) -> tuple[int, int, int]:
    """Where the processor with a number is."""
    width = int(state.turning.extents[0])
    row = node // width
    if state.dims == 2:
        return node - row * width, row, 0
    layer = row // int(state.turning.extents[1])
    return node - row * width, row - layer * int(state.turning.extents[1]), layer


@kernel
def level_of(side: int) -> int:
    """The size of the smallest blocks that are no narrower: the power of two of their side."""
    level = 0
    while 1 << level < side:
        level += 1
    return level


@kernel
def free_processors(state: BlockState) -> int:
    """AVAIL of the paper: how many processors are free."""
    free = 0
    for level in range(state.counts.shape[0]):
        free += int(state.counts[level]) << state.dims * level
    return free


@kernel
def position(state: BlockState, level: int, node: int) -> int:
    """Where in the record of its size the block based at the node stands, or would stand."""
    low = state.starts[level]
    high = low + state.counts[level]
    while low < high:
        middle = (low + high) // 2
        if state.places[middle] < node:
            low = middle + 1
        else:
            high = middle
    return int(low)


@kernel
def holds(state: BlockState, level: int, node: int) -> bool:
    """Whether the block of that size based at the node is free."""
    at = position(state, level, node)
    return bool(at < state.starts[level] + state.counts[level] and state.places[at] == node)


@kernel
def put(state: BlockState, level: int, node: int) -> None:
    """Enter a block into its record, in order."""
    places, at = state.places, position(state, level, node)
    for k in range(state.starts[level] + state.counts[level], at, -1):
        places[k] = places[k - 1]
    places[at] = node
    state.counts[level] += 1


@kernel
def drop(state: BlockState, level: int, node: int) -> None:
    """Strike a block from its record."""
    places, at = state.places, position(state, level, node)
    state.counts[level] -= 1
    for k in range(at, state.starts[level] + state.counts[level]):
        places[k] = places[k + 1]


@kernel
def parts(state: BlockState) -> int:
    """How many buddies a block is broken into."""
    return 1 << state.dims


@kernel
def part(state: BlockState, corner: int, half: int, n: int) -> int:
    """The base of one of the buddies, of side `half`, of the block based at the corner."""
    return corner + half * number_at(state, n & 1, n >> 1 & 1, n >> 2)


@kernel
def around(state: BlockState, level: int, node: int) -> int:
    """The base of the block of a size in which a processor lies."""
    x, y, z = place_of(state, node)
    return number_at(state, x >> level << level, y >> level << level, z >> level << level)


@kernel
def make(state: BlockState) -> None:
    """Make the records from the free processors: the largest free blocks, greedily."""
    starts, counts, places, free = state.starts, state.counts, state.places, state.vacant
    _mark_free(state)  # block by block, laid out as the records are
    for i in range(1, counts.shape[0]):
        for n in range(starts[i + 1] - starts[i]):
            whole = True
            for p in range(parts(state)):
                whole = whole and free[_slot(state, i - 1, i, n, p)]
            free[starts[i] + n] = whole
    for i in range(counts.shape[0]):
        counts[i] = 0
        for n in range(starts[i + 1] - starts[i]):
            if free[starts[i] + n] and not _merged(state, i, n):
                places[starts[i] + counts[i]] = _numbered(state, i, n)
                counts[i] += 1


@kernel
def _mark_free(state: BlockState) -> None:
    """Of each processor, whether it is free."""
    free, busy, extents = state.vacant, listed(state.busy), state.turning.extents
    free[: extents[0] * extents[1] * extents[2]] = True
    for b in range(busy.shape[0]):
        for z in range(busy[b, 2], busy[b, 5] + 1):
            for y in range(busy[b, 1], busy[b, 4] + 1):
                for x in range(busy[b, 0], busy[b, 3] + 1):
                    free[number_at(state, x, y, z)] = False


@kernel
def _grid(state: BlockState, level: int, n: int) -> tuple[int, int, int]:
    """Where the nth block of a size stands, counted in blocks."""
    across, along = int(state.turning.extents[0]) >> level, int(state.turning.extents[1]) >> level
    return n % across, n // across % along, n // (across * along)


@kernel
def _slot(state: BlockState, below: int, level: int, n: int, p: int) -> int:
    """Where a part of the nth block of a size stands among those of the size below."""
    x, y, z = _grid(state, level, n)
    across, along = int(state.turning.extents[0]) >> below, int(state.turning.extents[1]) >> below
    u, v, t = 2 * x + p % 2, 2 * y + p // 2 % 2, 2 * z + p // 4
    return int(state.starts[below] + (t * along + v) * across + u)


@kernel
def _merged(state: BlockState, level: int, n: int) -> bool:
    """Whether the block that the nth of a size is a part of is free as a whole."""
    x, y, z = _grid(state, level, n)
    extents, above = state.turning.extents, level + 1
    across, along, up = int(extents[0]) >> above, int(extents[1]) >> above, int(extents[2]) >> above
    inside = x // 2 < across and y // 2 < along and (state.dims == 2 or z // 2 < up)
    at = (z // 2 * along + y // 2) * across + x // 2
    return bool(inside and state.vacant[state.starts[above] + at])


@kernel
def _numbered(state: BlockState, level: int, n: int) -> int:
    """The number of the processor at the base of the nth block of a size."""
    x, y, z = _grid(state, level, n)
    return number_at(state, x << level, y << level, z << level)


def empty_records(mesh: Mesh, *, bitmap: bool = False) -> BlockState:
    """The state on an empty machine."""
    w, d, h = mesh.extents
    levels = -(-mesh.processors.bit_length() // mesh.dims)  # the digits of any request
    rooms = [(w >> i) * (d >> i) * (h >> i if mesh.dims == 3 else 1) for i in range(levels)]
    state = BlockState(
        new_tally(),
        no_boxes(mesh),
        turning(mesh, turns=True),
        counts=np.zeros(levels, dtype=np.int32),
        places=np.zeros(sum(rooms), dtype=np.int32),
        starts=np.cumsum([0, *rooms], dtype=np.int32),
        vacant=np.empty(sum(rooms), dtype=np.bool_),
        wanted=np.zeros(levels, dtype=np.int64),
        sizes=min(mesh.shape).bit_length(),
        bitmap=int(bitmap),
        dims=mesh.dims,
    )
    make(state)
    return state


def records_in(state: BlockState) -> State:
    """A copy of the records, without the room between the lists."""
    spans = zip(state.starts, state.counts, strict=False)
    packed = np.concatenate([state.places[start : start + count] for start, count in spans])
    return {"counts": state.counts.copy(), "places": packed}
