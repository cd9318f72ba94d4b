"""Multiple Buddy as 001 algorithms 2 and 3 have it: records as lists that are really broken and merged."""

from itertools import product

from hypothesis import strategies as st

from tests.naive import Size
from tests.twins.base import MAPPINGS, Answer, Naive, Twin

Block = tuple[int, int, int, int]  # z, y, x, side: sorted, a record is in the order of its blocks


def initial_blocks(width: int, length: int, height: int | None = None) -> list[Block]:
    """The greedy largest powers of two, lowest first, leftmost first (001 figure 4); in 3D cubes."""
    covered: set[tuple[int, int, int]] = set()
    blocks = []
    side = 1
    while 2 * side <= min(width, length, height or width):
        side *= 2
    while side:
        layers = range(1 if height is None else height - side + 1)
        for z, y, x in product(layers, range(length - side + 1), range(width - side + 1)):
            deep = 1 if height is None else side
            within = set(product(range(x, x + side), range(y, y + side), range(z, z + deep)))
            if not within & covered:
                covered |= within
                blocks.append((z, y, x, side))
        side //= 2
    return blocks


def buddies(block: Block, dims: int) -> list[Block]:
    """The four blocks a block is broken into (001 definition 1), or the eight octants of a cube."""
    z, y, x, side = block
    half = side // 2
    ways = product((0, half) if dims == 3 else (0,), (0, half), (0, half))
    return [(z + up, y + back, x + right, half) for up, back, right in ways]


class MultipleBuddy(Naive):
    """001 §3.3: free block records, factoring, generating buddies, allocation, merging."""

    def __init__(self, extents: Size, flat: bool, options: dict[str, object]) -> None:
        super().__init__(extents, flat, options)
        self.dims = 2 if flat else 3
        self.parent: dict[Block, Block] = {}  # of every block ever made
        self.record: dict[int, list[Block]] = {}
        for block in initial_blocks(*self.extents[: self.dims]):
            self.enter(block)

    def enter(self, block: Block) -> None:
        """Put a block into its record, which keeps its order."""
        self.record[block[3]] = sorted([*self.record.get(block[3], []), block])

    def generate_buddy(self, side: int) -> bool:
        """001 algorithm 2."""
        larger = sorted(other for other, blocks in self.record.items() if other > side and blocks)
        if not larger:
            return False
        block = self.record[larger[0]].pop(0)
        while block[3] > side:
            first, *others = buddies(block, self.dims)
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
        base: int = 2**self.dims
        while base**level <= asked:
            wanted[level] = asked // base**level % base
            level += 1
        given = []
        for i in range(level, -1, -1):
            side, number = 2**i, wanted.get(i, 0)
            if number > len(self.record.get(side, [])) and not self.generate_buddy(side):
                available = len(self.record.get(side, []))
                wanted[i - 1] += base * (number - available)
                number = available
            given += self.record.get(side, [])[:number]
            self.record[side] = self.record.get(side, [])[number:]
        return given

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        """Blocks for as many processors as the request has, whatever its shape."""
        asked = size[0] * size[1] * size[2]
        if asked > self.free:
            return None
        blocks = self.blocks_for(asked)
        return [(x, y, z, side, side, side if self.dims == 3 else 1) for z, y, x, side in blocks]

    def release(self, job: int) -> None:
        """Give the blocks back one by one; buddies that are all free become the block they came from."""
        for (x, y, z, side, _, _), owner in self.given:
            if owner == job:
                self.give_back((z, y, x, side))
        super().release(job)

    def give_back(self, block: Block) -> None:
        """Enter a block, and merge."""
        self.enter(block)
        while block in self.parent:
            parent = self.parent[block]
            others = buddies(parent, self.dims)
            if not all(buddy in self.record[block[3]] for buddy in others):
                return
            self.record[block[3]] = [b for b in self.record[block[3]] if b not in others]
            self.enter(parent)
            block = parent


def records(twin: MultipleBuddy) -> dict[int, list[tuple[int, ...]]]:
    """The bases in each record that is not empty, by side."""
    return {
        side: [(x, y, z)[: twin.dims] for z, y, x, _ in blocks]
        for side, blocks in twin.record.items()
        if blocks
    }


FLAT = st.one_of(
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.sampled_from([(8, 8), (12, 10), (4, 4), (16, 1), (1, 9), (9, 5), (16, 8)]),
)
SHAPES = st.one_of(
    FLAT,
    st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5)),
    st.sampled_from([(4, 4, 4), (8, 4, 2), (2, 2, 9), (8, 8, 8)]),
)

TWINS = {"mbs": Twin(MultipleBuddy, MAPPINGS)}
