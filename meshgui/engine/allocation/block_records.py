"""The free block records of Multiple Buddy (001 §3.3, definition 1): square blocks, listed by size.

A block is a square whose side is a power of two and whose base is a multiple of it: the initial blocks, which
are the largest ones first, and whatever comes of breaking them. The records list the free blocks of each size
by their base, lowest row first, leftmost first; that order gives 001 figure 3(a). Buddies that are all free
are always merged, so the records are exactly the largest free blocks: they follow from the free processors
alone, and can be made again from them, whatever the order in which jobs came and went.

On a 3D mesh blocks are cubes, which are broken into octants instead of quarters, and lower layers come first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from meshgui.engine.allocation.base import BlockOptions, Boxes, Options
from meshgui.engine.allocation.block_lists import (
    BlockState,
    around,
    drop,
    empty_records,
    holds,
    level_of,
    number_at,
    part,
    parts,
    place_of,
    put,
    records_in,
)
from meshgui.engine.allocation.held_boxes import JOB, HeldBoxesStrategy, boxes_in, hold, remove
from meshgui.engine.allocation.inspection import Moment, State
from meshgui.engine.allocation.kernel_strategy import OPERATIONS
from meshgui.engine.allocation.pseudo_code import Line, PseudoCode
from meshgui.engine.allocation.steps import SAME_STEP, Log, Role, Step, note, note_numbers
from meshgui.engine.basics.arrays import Ints32
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


@kernel
def _carve(state: BlockState, level: int, node: int) -> bool:
    """Take a block out of the free one it lies in, whose other parts are entered; whether it is free."""
    sizes = state.counts.shape[0]
    j = level
    while j < sizes and not holds(state, j, around(state, j, node)):
        j += 1
    if j == sizes:
        return False
    corner = around(state, j, node)
    drop(state, j, corner)
    while j > level:
        j -= 1
        kept = around(state, j, node)
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
            free = int(holds(state, level, buddy))
            role = Role.CANDIDATE if free else Role.BLOCKED
            note_block(log, state, SAME_STEP, role, buddy, level, (free, 0, 0))


@kernel
def _origin(state: BlockState, level: int, node: int) -> int:
    """The base of the block that a block was split off; -1 of an initial one, which was not."""
    (x, y, z), extents, above = place_of(state, node), state.turning.extents, level + 1
    x, y, z = x >> above << above, y >> above << above, z >> above << above
    side = 1 << above
    if x + side > extents[0] or y + side > extents[1] or (state.dims == 3 and z + side > extents[2]):
        return -1
    return number_at(state, x, y, z)


@kernel
def _give_back(state: BlockState, level: int, node: int, log: Log) -> int:
    """Free a block, and merge it with its buddies for as long as all are free: blocks looked at."""
    examined = 1 << state.dims * level if state.bitmap else 1
    note_block(log, state, GIVE_BACK, Role.CANDIDATE, node, level)
    while True:
        half, corner = 1 << level, _origin(state, level, node)
        if corner < 0:
            note_block(log, state, INITIAL, Role.CANDIDATE, node, level)
            break
        whole = True
        if log is not None:
            _note_buddies(log, state, level, node, corner)
        for n in range(parts(state)):
            if whole and part(state, corner, half, n) != node:
                examined += 1 << state.dims * level if state.bitmap else 1
                whole = holds(state, level, part(state, corner, half, n))
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
def take(state: BlockState, job: int, boxes: Ints32, count: int) -> None:
    """Take blocks that are free, alone or as parts of larger ones."""
    for n in range(count):
        x, y, z = int(boxes[n, 0]), int(boxes[n, 1]), int(boxes[n, 2])
        if not _carve(state, level_of(int(boxes[n, 3])), number_at(state, x, y, z)):
            raise ValueError("a block to be taken is not free")
    hold(state, job, boxes, count)


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
