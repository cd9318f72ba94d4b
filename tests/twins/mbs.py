"""Multiple Buddy as 001 algorithms 2 and 3 have it: records as lists that are really broken and merged."""

from hypothesis import strategies as st

from tests.naive import Size
from tests.twins.base import MAPPINGS, Answer, Naive, Twin

Block = tuple[int, int, int]  # y, x, side: sorted, a record is in the order of its blocks


def initial_blocks(width: int, length: int) -> list[Block]:
    """The greedy largest powers of two, placed lowest row first, leftmost first (001 figure 4)."""
    covered: set[tuple[int, int]] = set()
    blocks = []
    side = 1
    while 2 * side <= min(width, length):
        side *= 2
    while side:
        for y in range(length - side + 1):
            for x in range(width - side + 1):
                square = {(u, v) for u in range(x, x + side) for v in range(y, y + side)}
                if not square & covered:
                    covered |= square
                    blocks.append((y, x, side))
        side //= 2
    return blocks


def buddies(block: Block) -> list[Block]:
    """The four blocks a block is broken into (001 definition 1)."""
    y, x, side = block
    half = side // 2
    return [(y, x, half), (y, x + half, half), (y + half, x, half), (y + half, x + half, half)]


class MultipleBuddy(Naive):
    """001 §3.3: free block records, factoring, generating buddies, allocation, merging."""

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        super().__init__(extents, flat, options)
        self.parent: dict[Block, Block] = {}  # of every block ever made
        self.record: dict[int, list[Block]] = {}
        for block in initial_blocks(*self.extents[:2]):
            self.enter(block)

    def enter(self, block: Block) -> None:
        """Put a block into its record, which keeps its order."""
        self.record[block[2]] = sorted([*self.record.get(block[2], []), block])

    def generate_buddy(self, side: int) -> bool:
        """001 algorithm 2."""
        larger = sorted(other for other, blocks in self.record.items() if other > side and blocks)
        if not larger:
            return False
        block = self.record[larger[0]].pop(0)
        while block[2] > side:
            first, *others = buddies(block)
            for other in (first, *others):
                self.parent[other] = block
            for other in others:
                self.enter(other)
            block = first
        self.enter(block)
        return True

    def blocks_for(self, asked: int) -> list[Block]:
        """001 algorithm 3, for a request that is known to be possible."""
        wanted = {0: 0}
        level = 0
        while 4**level <= asked:
            wanted[level] = asked // 4**level % 4
            level += 1
        given = []
        for i in range(level, -1, -1):
            side, number = 2**i, wanted.get(i, 0)
            if number > len(self.record.get(side, [])) and not self.generate_buddy(side):
                available = len(self.record.get(side, []))
                wanted[i - 1] += 4 * (number - available)
                number = available
            given += self.record.get(side, [])[:number]
            self.record[side] = self.record.get(side, [])[number:]
        return given

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """Blocks for as many processors as the request has, whatever its shape."""
        asked = size[0] * size[1] * size[2]
        if asked > self.free:
            return None
        return [(x, y, 0, side, side, 1) for y, x, side in self.blocks_for(asked)]

    def release(self, job: int) -> None:
        """Give the blocks back one by one; four free buddies become the block they came from."""
        for (x, y, _, side, _, _), owner in self.given:
            if owner == job:
                self.give_back((y, x, side))
        super().release(job)

    def give_back(self, block: Block) -> None:
        """Enter a block, and merge."""
        self.enter(block)
        while block in self.parent:
            parent = self.parent[block]
            if not all(buddy in self.record[block[2]] for buddy in buddies(parent)):
                return
            self.record[block[2]] = [b for b in self.record[block[2]] if b not in buddies(parent)]
            self.enter(parent)
            block = parent


def records(twin: MultipleBuddy) -> dict[int, list[tuple[int, int]]]:
    """The bases in each record that is not empty, by side."""
    return {side: [(x, y) for y, x, _ in blocks] for side, blocks in twin.record.items() if blocks}


SHAPES = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.sampled_from([(8, 8), (12, 10), (4, 4), (16, 1), (1, 9), (9, 5), (16, 8)]),
)

TWINS = {"mbs": Twin(MultipleBuddy, MAPPINGS)}
