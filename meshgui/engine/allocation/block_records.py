"""The free block records of Multiple Buddy (001 §3.3, definition 1): square blocks, listed by size.

A block is a square whose side is a power of two and whose base is a multiple of it: the initial blocks, which
are the largest ones first, and whatever comes of breaking them. The records list the free blocks of each size
by their base, lowest row first, leftmost first; that order gives 001 figure 3(a). Buddies that are all free
are always merged, so the records are exactly the largest free blocks: they follow from the free processors
alone, and can be made anew from them, whatever the order in which jobs came and went.

On a 3D mesh blocks are cubes, which are broken into octants instead of quarters, and lower layers come first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Boxes, Options
from meshgui.engine.allocation.held_boxes import (
    JOB,
    BusyBoxes,
    HeldBoxesStrategy,
    boxes_in,
    hold,
    listed,
    no_boxes,
    remove,
)
from meshgui.engine.allocation.inspection import Moment, State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS, new_tally
from meshgui.engine.allocation.pseudo_code import Line, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note, note_numbers
from meshgui.engine.allocation.turning import Turning, turning
from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Box, Mesh, Node, node_at, node_number, node_numbers
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.sentences import Sentence, compose, job_name
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import counted

RELEASE = PseudoCode()
GIVE_BACK = RELEASE.decision(
    "give back", "for each block that the job holds: enter it among the free blocks of its size"
)
RELEASE.says("The block {block} is given back: it is free.")
INITIAL = RELEASE.line("initial", "if it is an initial block: it has no buddies to merge with", 1)
RELEASE.says("{block} is an initial block, which was not split off another: it stays as it is.")
BUDDIES = RELEASE.line("buddies", "else: look at its buddies, the other parts of the block they came from", 1)
RELEASE.says("{buddies}.")
MERGE = RELEASE.decision(
    "merge",
    "while all of them are free: merge them with it into that block, and look at its buddies",
    1,
)
RELEASE.says("It and its buddies are merged into {block}.")
ALL_BACK = RELEASE.decision("all back", "all its blocks are free")
RELEASE.says("All that the job held is free: {i}.")


class BlockState(NamedTuple):
    """The state of the kernels: the boxes held in the order in which they were given, and the records.

    The lists of free blocks stand in one array, each with room for as many of its size as the mesh can hold.
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
    width, length = int(state.turning.extents[0]), int(state.turning.extents[1])
    return node % width, node // width % length, node // (width * length)


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
def _position(state: BlockState, level: int, node: int) -> int:
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
def _holds(state: BlockState, level: int, node: int) -> bool:
    """Whether the block of that size based at the node is free."""
    at = _position(state, level, node)
    return bool(at < state.starts[level] + state.counts[level] and state.places[at] == node)


@kernel
def put(state: BlockState, level: int, node: int) -> None:
    """Enter a block into its record, in order."""
    places, at = state.places, _position(state, level, node)
    for k in range(state.starts[level] + state.counts[level], at, -1):
        places[k] = places[k - 1]
    places[at] = node
    state.counts[level] += 1


@kernel
def drop(state: BlockState, level: int, node: int) -> None:
    """Strike a block from its record."""
    places, at = state.places, _position(state, level, node)
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
    return corner + half * number_at(state, n % 2, n // 2 % 2, n // 4)


@kernel
def _around(state: BlockState, level: int, node: int) -> int:
    """The base of the block of a size in which a processor lies."""
    x, y, z = place_of(state, node)
    return number_at(state, x >> level << level, y >> level << level, z >> level << level)


@kernel
def _carve(state: BlockState, level: int, node: int) -> bool:
    """Take a block out of the free one it lies in, whose other parts are entered; whether it is free."""
    sizes = state.counts.shape[0]
    j = level
    while j < sizes and not _holds(state, j, _around(state, j, node)):
        j += 1
    if j == sizes:
        return False
    corner = _around(state, j, node)
    drop(state, j, corner)
    while j > level:
        j -= 1
        kept = _around(state, j, node)
        for n in range(parts(state)):
            buddy = part(state, corner, 1 << j, n)
            if buddy != kept:
                put(state, j, buddy)
        corner = kept
    return True


@kernel
def note_block(
    log: Log, state: BlockState, line: int, role: int, node: int, level: int, values: Node = (0, 0, 0)
) -> None:
    """Log a block with three numbers."""
    if log is not None:
        side, (x, y, z), (n, k, i) = 1 << level, place_of(state, node), values
        note(log, line, role, x, y, z, side, side, side if state.dims == 3 else 1, n, k, i)


@kernel
def _note_buddies(log: Log, state: BlockState, level: int, node: int, corner: int) -> None:
    """Log a block that has been given back, and those of its buddies that are looked at."""
    free = 1
    note_block(log, state, BUDDIES, Role.TRIED, node, level)
    for n in range(parts(state)):
        buddy = part(state, corner, 1 << level, n)
        if free and buddy != node:
            free = int(_holds(state, level, buddy))
            role = Role.CANDIDATE if free else Role.BLOCKED
            note_block(log, state, SAME_STEP, role, buddy, level, (free, 0, 0))


@kernel
def _is_initial(state: BlockState, level: int, node: int) -> bool:
    """Whether a block was not split off another: one around it would not lie in the mesh."""
    (x, y, z), side, extents = place_of(state, node), 2 << level, state.turning.extents
    return bool(
        x // side * side + side > extents[0]
        or y // side * side + side > extents[1]
        or (state.dims == 3 and z // side * side + side > extents[2])
    )


@kernel
def _give_back(state: BlockState, level: int, node: int, log: Log) -> int:
    """Free a block, and merge it with its buddies for as long as all are free: blocks looked at."""
    examined = 1 << state.dims * level if state.bitmap else 1
    note_block(log, state, GIVE_BACK, Role.CANDIDATE, node, level)
    while True:
        half = 1 << level
        if _is_initial(state, level, node):
            note_block(log, state, INITIAL, Role.CANDIDATE, node, level)
            break
        corner = _around(state, level + 1, node)
        whole = True
        if log is not None:
            _note_buddies(log, state, level, node, corner)
        for n in range(parts(state)):
            if whole and part(state, corner, half, n) != node:
                examined += 1 << state.dims * level if state.bitmap else 1
                whole = _holds(state, level, part(state, corner, half, n))
        if not whole:
            break
        for n in range(parts(state)):
            if part(state, corner, half, n) != node:
                drop(state, level, part(state, corner, half, n))
        level, node = level + 1, corner
        note_block(log, state, MERGE, Role.CANDIDATE, node, level)
    put(state, level, node)
    return examined


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


@kernel
def take(state: BlockState, job: int, given: Ints32, count: int) -> None:
    """Take blocks that are free, alone or as parts of larger ones."""
    for n in range(count):
        x, y, z = int(given[n, 0]), int(given[n, 1]), int(given[n, 2])
        if not _carve(state, level_of(int(given[n, 3])), number_at(state, x, y, z)):
            raise ValueError("a block to be taken is not free")
    hold(state, job, given, count)


@kernel
def release(state: BlockState, job: int, log: Log) -> None:
    """Free the job's blocks and merge them with their buddies."""
    busy, freed = state.busy.boxes, 0
    for n in range(state.busy.length[0]):
        if busy[n, JOB] == job:
            level = level_of(int(busy[n, 3]) - int(busy[n, 0]) + 1)
            node = number_at(state, int(busy[n, 0]), int(busy[n, 1]), int(busy[n, 2]))
            state.tally[OPERATIONS] += _give_back(state, level, node, log)
            freed += 1 << state.dims * level
    remove(state, job, None)
    note_numbers(log, ALL_BACK, 0, 0, freed)


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


class BlockStrategy(HeldBoxesStrategy):
    """Gives blocks, and keeps the records of those that are free."""

    dims = frozenset({2})
    rotates = False
    contiguous = False
    any_shape = True
    fails_until_release = True
    options_model: ClassVar[type[Options]] = BlockOptions

    release_lines: ClassVar[tuple[Line, ...]] = RELEASE.lines

    def empty_state(self) -> BlockState:
        return empty_records(self.mesh)

    def out_boxes(self, box: Box) -> Boxes:
        """Each processor is a block."""
        return tuple(Box(*node, 1, 1, 1) for node in box.nodes())

    def released(self, moment: Moment) -> State:
        given_back = []
        free = set(blocks_in(moment.state, self.mesh))
        for step in moment.steps:
            block, line = step.marks[0].box, step.line - self.release_shift
            if line == GIVE_BACK:
                given_back.append(node_number(self.mesh, block.base))
                free.add(block)
            elif line == MERGE:
                free.difference_update(parts_of(block))
                free.add(block)
        busy = moment.state["busy"]
        kept = ~np.isin(node_numbers(self.mesh, busy[:, :3]), given_back)
        return {"busy": busy[kept]} | self.records_of(free)

    def records_of(self, free: Iterable[Box]) -> State:
        """The captured records of these free blocks."""
        listed = sorted((block.w, node_number(self.mesh, block.base)) for block in free)
        levels = [side.bit_length() - 1 for side, _ in listed]
        counts = np.bincount(levels, minlength=len(self.state.counts)).astype(np.int32)
        return {"counts": counts, "places": np.array([node for _, node in listed], dtype=np.int32)}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        return super().release_words(step, moment) | {
            "block": block_name(step.marks[0].box, flat=self.mesh.dims == 2),
            "buddies": self._buddies(step, moment) if step.line - self.release_shift == BUDDIES else "",
            "i": counted(step.marks[0].values[2], "processor"),
        }

    def _buddies(self, step: Step, moment: Moment) -> Sentence:
        """Whether the buddies looked at are free, and else who holds the one that is not."""
        flat, other = self.mesh.dims == 2, step.marks[-1]
        block = block_name(step.marks[0].box, flat=flat)
        if other.role == Role.CANDIDATE:
            three, seven = (
                tr("The three buddies of {block} are free, too"),
                tr("The seven buddies of {block} are free, too"),
            )
            return Sentence((three if flat else seven).format(block=block))
        holder = next((job for box, job in boxes_in(self.released(moment)["busy"]) if box == other.box), None)
        names = {"block": block, "buddy": block_name(other.box, flat=flat)}
        if holder is None:
            return compose(tr("Not all of its buddy {buddy} is free, so {block} stays as it is"), names)
        if holder == moment.leaving:
            return compose(tr("Its buddy {buddy} is held by this job, too, so {block} stays as it is"), names)
        said = tr("Its buddy {buddy} is held by {job}, so {block} stays as it is")
        return compose(said, names | {"job": job_name(holder)})

    def capture(self) -> State:
        return super().capture() | records_in(self.state)

    def restore(self, state: State) -> None:
        super().restore(state)
        counts, starts, places = state["counts"], self.state.starts, self.state.places
        self.state.counts[:] = counts
        packed = np.split(state["places"], np.cumsum(counts)[:-1])
        for start, record in zip(starts, packed, strict=False):
            places[start : start + len(record)] = record


def parts_of(block: Box) -> list[Box]:
    """The buddies a block is broken into, in order: four, or of a cube eight."""
    half = block.w // 2
    layers = (block.z, block.z + half) if block.h > 1 else (block.z,)
    return [
        Box(x, y, z, half, half, half if block.h > 1 else 1)
        for z in layers
        for y in (block.y, block.y + half)
        for x in (block.x, block.x + half)
    ]


def blocks_in(state: State, mesh: Mesh) -> list[Box]:
    """The free blocks of captured records, the largest first and each list in order."""
    levels = np.repeat(np.arange(len(state["counts"])), state["counts"]).tolist()
    blocks = [
        Box(*node_at(mesh, node), 1 << level, 1 << level, 1 << level if mesh.dims == 3 else 1)
        for level, node in zip(levels, state["places"].tolist(), strict=True)
    ]
    return sorted(blocks, key=lambda block: -block.w)


def initial_blocks(mesh: Mesh) -> list[Box]:
    """The blocks of the empty mesh, the largest first."""
    return blocks_in(records_in(empty_records(mesh)), mesh)


def block_name(block: Box, *, flat: bool = True) -> str:
    """A block as the paper writes it: base and side."""
    return f"⟨{','.join(map(str, (*block.base[: 2 if flat else 3], block.w)))}⟩"
