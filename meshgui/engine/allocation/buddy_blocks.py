"""What buddy strategies share: square blocks with sides that are powers of two, split into four and merged.

Blocks are those of 001 definition 1, written ⟨x,y,side⟩. The initial ones cover a mesh of any shape, the
largest first (001 figure 4); so every block lies at multiples of its side, and four quarters have a block
above them exactly when that one lies inside the mesh. Free blocks are listed by size, in each list the lowest
row first and the leftmost first; that order makes the lists a function of what is held.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import Boxes, Options, Strategy
from meshgui.engine.allocation.inspection import Kind, Moment, Request, Row, State, Table, Tree, TreeNode
from meshgui.engine.allocation.steps import SAME_STEP, Mark, Role, StepLog
from meshgui.engine.geometry import Box, Mesh

__all__ = ["Block", "BuddyStrategy", "Split", "blocks_now", "free_table", "initial_blocks", "tree_of"]


class Block(NamedTuple):
    """A square of processors; blocks are ordered as the free lists are: by row, then from the left."""

    y: int
    x: int
    side: int

    @property
    def box(self) -> Box:
        """The block as a box."""
        return Box(self.x, self.y, 0, self.side, self.side, 1)

    @classmethod
    def of(cls, box: Box) -> Block:
        """The block that a square box is."""
        return cls(box.y, box.x, box.w)

    @property
    def quarters(self) -> tuple[Block, Block, Block, Block]:
        """The four buddies it splits into, in order."""
        half = self.side // 2
        first, second = (self.x, self.x + half), (self.y, self.y + half)
        lower_left, lower_right, upper_left, upper_right = (Block(y, x, half) for y in second for x in first)
        return lower_left, lower_right, upper_left, upper_right

    @property
    def above(self) -> Block:
        """The block it would be a quarter of."""
        twice = 2 * self.side
        return Block(self.y // twice * twice, self.x // twice * twice, twice)

    def __str__(self) -> str:
        return f"⟨{self.x},{self.y},{self.side}⟩"


def initial_blocks(mesh: Mesh) -> tuple[Block, ...]:
    """The greedy cover of the mesh: the largest blocks first, of one size the lowest and leftmost first."""
    w, d, _ = mesh.extents
    side = 1 << (min(w, d).bit_length() - 1)
    blocks: list[Block] = []
    covered = (0, 0)  # the corner up to which larger blocks reach
    while side:
        reach = (w // side * side, d // side * side)
        blocks.extend(
            Block(y, x, side)
            for y in range(0, reach[1], side)
            for x in range(0, reach[0], side)
            if x >= covered[0] or y >= covered[1]
        )
        covered = reach
        side //= 2
    return tuple(blocks)


class BuddyStrategy(Strategy):
    """Holds the free blocks by size and the busy blocks by job; a strategy adds which block it takes."""

    split: ClassVar[int]  # the line on which a block is split

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self.initial = initial_blocks(mesh)
        self.sides = tuple(1 << level for level in range(max(b.side for b in self.initial).bit_length()))
        self.lists: dict[int, list[Block]] = {side: [] for side in self.sides}
        self.busy: list[tuple[Block, int]] = []  # in the order in which they were given
        self._list(self.initial)

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        for box in boxes:
            block = source = Block.of(box)
            while not self.is_free(source):
                source = source.above
            self.take(source, block, request.job, None)

    def release(self, job: int) -> None:
        """See Strategy."""
        for block, owner in self.busy:
            if owner == job:
                self.operations += self._give_back(block)
        self.busy = [(block, owner) for block, owner in self.busy if owner != job]

    def capture(self) -> State:
        """See Strategy."""
        free = [(block.x, block.y, block.side) for blocks in self.lists.values() for block in blocks]
        busy = [(block.x, block.y, block.side, job) for block, job in self.busy]
        return {
            "free": np.array(free, dtype=np.int32).reshape(-1, 3),
            "busy": np.array(busy, dtype=np.int32).reshape(-1, 4),
        }

    def restore(self, state: State) -> None:
        """See Strategy."""
        self.lists = {side: [] for side in self.sides}
        self._list(_blocks(state["free"]))
        jobs = state["busy"][:, 3].tolist()
        self.busy = list(zip(_blocks(state["busy"]), jobs, strict=True))

    def is_free(self, block: Block) -> bool:
        """Whether the block is listed as free, whole."""
        blocks = self.lists[block.side]
        place = bisect_left(blocks, block)
        return place < len(blocks) and blocks[place] == block

    def smallest_from(self, side: int) -> tuple[int | None, int]:
        """The smallest size from this one up that has a free block, and how many lists were looked at."""
        for looked_at, larger in enumerate(range(self.sides.index(side), len(self.sides)), start=1):
            if self.lists[self.sides[larger]]:
                return self.sides[larger], looked_at
        return None, len(self.sides) - self.sides.index(side)

    def take(self, source: Block, block: Block, job: int, log: StepLog | None) -> int:
        """Split a free block until the block wanted is one of its own, and hold that: how many splits."""
        splits = 0
        self._remove(source)
        while source.side > block.side:
            half = source.side // 2
            kept = Block(block.y // half * half, block.x // half * half, half)
            self._list(quarter for quarter in source.quarters if quarter != kept)
            if log is not None:
                log.note(self.split, Role.TRIED, source.box, (half, 0, 0))
                log.note(SAME_STEP, Role.CANDIDATE, kept.box, (half, 0, 0))
            source = kept
            splits += 1
        self.busy.append((block, job))
        return splits

    def _give_back(self, block: Block) -> int:
        """List a block as free, merged with buddies that are free as well; how many blocks were looked at."""
        examined = 1
        while self.mesh.holds(block.above.box):
            buddies = [quarter for quarter in block.above.quarters if quarter != block]
            for buddy in buddies:
                examined += 1
                if not self.is_free(buddy):
                    insort(self.lists[block.side], block)
                    return examined
            for buddy in buddies:
                self._remove(buddy)
            block = block.above
        insort(self.lists[block.side], block)
        return examined

    def _remove(self, block: Block) -> None:
        blocks = self.lists[block.side]
        del blocks[bisect_left(blocks, block)]

    def _list(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            insort(self.lists[block.side], block)


def _blocks(rows: NDArray[np.int32]) -> list[Block]:
    """The blocks of a captured array."""
    return [Block(y, x, side) for x, y, side, *_ in rows.tolist()]


class Split(NamedTuple):
    """What a step of splitting logged: the block, and the quarter that is kept."""

    block: Block
    kept: Block

    @classmethod
    def of(cls, marks: tuple[Mark, ...]) -> Split:
        """From the marks of the step."""
        return cls(Block.of(marks[0].box), Block.of(marks[1].box))


class _Leaf(NamedTuple):
    """A block that is not split."""

    kind: Kind
    job: int | None = None


def blocks_now(moment: Moment, split: int, chosen: Iterable[Block]) -> dict[Block, _Leaf]:
    """The blocks at a moment: those of the state, split as the steps say, with what has been chosen."""
    state = moment.state
    leaves = dict.fromkeys(_blocks(state["free"]), _Leaf(Kind.FREE))
    for block, job in zip(_blocks(state["busy"]), state["busy"][:, 3].tolist(), strict=True):
        leaves[block] = _Leaf(Kind.BUSY, job)
    for number in np.flatnonzero(moment.steps.lines() == split).tolist():
        block = Split.of(moment.steps[number].marks).block
        del leaves[block]
        leaves.update(dict.fromkeys(block.quarters, _Leaf(Kind.FREE)))
    for block in chosen:
        if block in leaves:
            leaves[block] = _Leaf(Kind.PLACED)
    return leaves


def free_table(leaves: dict[Block, _Leaf], current: Block | None) -> Table:
    """The free lists, smallest blocks first, each in its order."""
    free = sorted(
        (block for block, leaf in leaves.items() if leaf.kind == Kind.FREE), key=lambda b: (b.side, b)
    )
    rows = tuple(
        Row(
            (f"{block.side}×{block.side}", str(block)),
            Mark(Role.TRIED, block.box, (block.side, 0, 0)),
            current=block == current,
        )
        for block in free
    )
    return Table("Free blocks", ("Size", "Block"), rows, "None: every processor is held.")


def tree_of(title: str, mesh: Mesh, leaves: dict[Block, _Leaf], current: Block | None) -> Tree:
    """The tree of blocks: what is split has its four quarters below it."""
    nodes: list[TreeNode] = []
    for block, parent in _walk(initial_blocks(mesh), None, leaves):
        leaf = leaves.get(block, _Leaf(Kind.INTERNAL))
        nodes.append(
            TreeNode(
                _key(block, mesh),
                _key(parent, mesh) if parent is not None else None,
                leaf.kind,
                str(block),
                job=leaf.job,
                mark=Mark(Role.TRIED, block.box, (block.side, 0, 0)),
                current=block == current,
            )
        )
    return Tree(title, tuple(nodes), "")


def _walk(
    blocks: Iterable[Block], parent: Block | None, leaves: dict[Block, _Leaf]
) -> Iterator[tuple[Block, Block | None]]:
    """The blocks and all below them, each with the block above it."""
    for block in blocks:
        yield block, parent
        if block not in leaves:
            yield from _walk(block.quarters, block, leaves)


def _key(block: Block, mesh: Mesh) -> int:
    """A number of its own for each block of the mesh."""
    w, d, _ = mesh.extents
    return (block.side.bit_length() * d + block.y) * w + block.x
