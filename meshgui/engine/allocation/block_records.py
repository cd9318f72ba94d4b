"""The free block records of Multiple Buddy (001 §3.3, definition 1): square blocks, listed by size.

A block is a square whose side is a power of two and whose base is a multiple of it: the initial blocks, which
are the largest ones first, and whatever comes of breaking them. The records list the free blocks of each size
by their base, lowest row first, leftmost first; that order gives 001 figure 3(a). Buddies that are all free
are always merged, so the records are exactly the largest free blocks: they follow from the free processors
alone, and can be made anew from them, whatever the order in which jobs came and went.
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
from meshgui.engine.basics.geometry import Box, Mesh
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
BUDDIES = RELEASE.line("buddies", "else: look at its three buddies", 1)
RELEASE.says("{buddies}.")
MERGE = RELEASE.decision(
    "merge",
    "while all three are free: merge the four into the block they came from, and look at its buddies",
    1,
)
RELEASE.says("The four buddies are merged into {block}.")
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


@kernel
def level_of(side: int) -> int:
    """The size of the smallest blocks that are no narrower: the power of two of their side."""
    level = 0
    while 1 << level < side:
        level += 1
    return level


@kernel
def free_processors(counts: Ints32) -> int:
    """AVAIL of the paper: how many processors are free."""
    free = 0
    for level in range(counts.shape[0]):
        free += int(counts[level]) << 2 * level
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
def quarter(corner: int, half: int, width: int, n: int) -> int:
    """The base of one of the four buddies, of side `half`, of the block based at the corner."""
    return corner + n % 2 * half + n // 2 * half * width


@kernel
def _carve(state: BlockState, level: int, node: int) -> bool:
    """Take a block out of the free one it lies in, whose other parts are entered; whether it is free."""
    width, sizes = int(state.turning.extents[0]), state.counts.shape[0]
    x, y = node % width, node // width
    j = level
    while j < sizes and not _holds(state, j, (y >> j << j) * width + (x >> j << j)):
        j += 1
    if j == sizes:
        return False
    corner = (y >> j << j) * width + (x >> j << j)
    drop(state, j, corner)
    while j > level:
        j -= 1
        kept = (y >> j << j) * width + (x >> j << j)
        for n in range(4):
            buddy = quarter(corner, 1 << j, width, n)
            if buddy != kept:
                put(state, j, buddy)
        corner = kept
    return True


@kernel
def note_block(
    log: Log, line: int, role: int, node: int, width: int, level: int, n: int = 0, k: int = 0, i: int = 0
) -> None:
    """Log a block with three numbers."""
    side = 1 << level
    note(log, line, role, node % width, node // width, 0, side, side, 1, n, k, i)


@kernel
def _note_buddies(log: Log, state: BlockState, level: int, node: int, corner: int) -> None:
    """Log a block that has been given back, and those of its buddies that are looked at."""
    width, free = int(state.turning.extents[0]), 1
    note_block(log, BUDDIES, Role.TRIED, node, width, level)
    for n in range(4):
        buddy = quarter(corner, 1 << level, width, n)
        if free and buddy != node:
            free = int(_holds(state, level, buddy))
            note_block(log, SAME_STEP, Role.CANDIDATE if free else Role.BLOCKED, buddy, width, level, free)


@kernel
def _give_back(state: BlockState, level: int, node: int, log: Log) -> int:
    """Free a block, and merge it with its buddies for as long as all are free: blocks looked at."""
    width, length = int(state.turning.extents[0]), int(state.turning.extents[1])
    examined = 1 << 2 * level if state.bitmap else 1
    note_block(log, GIVE_BACK, Role.CANDIDATE, node, width, level)
    while True:
        half, side = 1 << level, 2 << level
        x, y = node % width // side * side, node // width // side * side
        if x + side > width or y + side > length:  # an initial block
            note_block(log, INITIAL, Role.CANDIDATE, node, width, level)
            break
        corner = y * width + x
        whole = True
        if log is not None:
            _note_buddies(log, state, level, node, corner)
        for n in range(4):
            if whole and quarter(corner, half, width, n) != node:
                examined += 1 << 2 * level if state.bitmap else 1
                whole = _holds(state, level, quarter(corner, half, width, n))
        if not whole:
            break
        for n in range(4):
            if quarter(corner, half, width, n) != node:
                drop(state, level, quarter(corner, half, width, n))
        level, node = level + 1, corner
        note_block(log, MERGE, Role.CANDIDATE, node, width, level)
    put(state, level, node)
    return examined


@kernel
def make(state: BlockState) -> None:
    """Make the records from the free processors: the largest free blocks, greedily."""
    starts, counts, places, busy = state.starts, state.counts, state.places, listed(state.busy)
    width, length = int(state.turning.extents[0]), int(state.turning.extents[1])
    free = state.vacant  # block by block, laid out as the records are
    for n in range(width * length):
        free[n] = True
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


@kernel
def take(state: BlockState, job: int, given: Ints32, count: int) -> None:
    """Take blocks that are free, alone or as parts of larger ones."""
    width = int(state.turning.extents[0])
    for n in range(count):
        level, node = level_of(int(given[n, 3])), int(given[n, 1]) * width + int(given[n, 0])
        if not _carve(state, level, node):
            raise ValueError("a block to be taken is not free")
    hold(state, job, given, count)


@kernel
def release(state: BlockState, job: int, log: Log) -> None:
    """Free the job's blocks and merge them with their buddies."""
    busy, width, freed = state.busy.boxes, int(state.turning.extents[0]), 0
    for n in range(state.busy.length[0]):
        if busy[n, JOB] == job:
            level = level_of(int(busy[n, 3]) - int(busy[n, 0]) + 1)
            node = int(busy[n, 1]) * width + int(busy[n, 0])
            state.tally[OPERATIONS] += _give_back(state, level, node, log)
            freed += 1 << 2 * level
    remove(state, job, None)
    note_numbers(log, ALL_BACK, 0, 0, freed)


def empty_records(mesh: Mesh, *, bitmap: bool = False) -> BlockState:
    """The state on an empty machine."""
    w, d, _ = mesh.extents
    levels = (mesh.processors.bit_length() + 1) // 2  # the base 4 digits of any request
    rooms = [(w >> i) * (d >> i) for i in range(levels)]
    state = BlockState(
        new_tally(),
        no_boxes(mesh),
        turning(mesh, turns=True),
        counts=np.zeros(levels, dtype=np.int32),
        places=np.zeros(sum(rooms), dtype=np.int32),
        starts=np.cumsum([0, *rooms], dtype=np.int32),
        vacant=np.empty(sum(rooms), dtype=np.bool_),
        wanted=np.zeros(levels, dtype=np.int64),
        sizes=min(w, d).bit_length(),
        bitmap=int(bitmap),
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
        width, given_back = self.mesh.extents[0], []
        free = set(blocks_in(moment.state, width))
        for step in moment.steps:
            block, line = step.marks[0].box, step.line - self.release_shift
            if line == GIVE_BACK:
                given_back.append(block.y * width + block.x)
                free.add(block)
            elif line == MERGE:
                free.difference_update(quarters(block))
                free.add(block)
        busy = moment.state["busy"]
        return {"busy": busy[~np.isin(busy[:, 1] * width + busy[:, 0], given_back)]} | self.records_of(free)

    def records_of(self, free: Iterable[Box]) -> State:
        """The captured records of these free blocks."""
        listed = sorted((block.w, block.y * self.mesh.extents[0] + block.x) for block in free)
        levels = [side.bit_length() - 1 for side, _ in listed]
        counts = np.bincount(levels, minlength=len(self.state.counts)).astype(np.int32)
        return {"counts": counts, "places": np.array([node for _, node in listed], dtype=np.int32)}

    def release_words(self, step: Step, moment: Moment) -> dict[str, object]:
        return super().release_words(step, moment) | {
            "block": block_name(step.marks[0].box),
            "buddies": self._buddies(step, moment) if step.line - self.release_shift == BUDDIES else "",
            "i": counted(step.marks[0].values[2], "processor"),
        }

    def _buddies(self, step: Step, moment: Moment) -> Sentence:
        """Whether the buddies looked at are free, and else who holds the one that is not."""
        block, other = block_name(step.marks[0].box), step.marks[-1]
        if other.role == Role.CANDIDATE:
            return Sentence(tr("The three buddies of {block} are free, too").format(block=block))
        holder = next((job for box, job in boxes_in(self.released(moment)["busy"]) if box == other.box), None)
        names = {"block": block, "buddy": block_name(other.box)}
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
    return blocks_in(records_in(empty_records(mesh)), mesh.extents[0])


def block_name(block: Box) -> str:
    """A block as the paper writes it: base and side."""
    return f"⟨{block.x},{block.y},{block.w}⟩"
