"""The 2D buddy system by looking at nodes only: a square is free for a request if nothing in it is held.

No lists: the squares at multiples of their side are tried, smallest sizes first, and of one size those that
lie in no larger free square, the lowest first and of these the leftmost (000 §2.2.1, 001 §2).
"""

from hypothesis import strategies as st

from tests.naive import Box, Size, is_free
from tests.twins.base import Search, Twin


class TwoDBuddy(Search):
    """The first free square of the smallest size that has one."""

    def box_for(self, size: Size) -> Box | None:
        mesh_side, held = self.extents[0], self.held
        wanted = 1
        while wanted < max(size):
            wanted *= 2
        side = wanted
        while side <= mesh_side:
            for y in range(0, mesh_side, side):
                for x in range(0, mesh_side, side):
                    twice = 2 * side
                    larger = (x - x % twice, y - y % twice, 0, twice, twice, 1)
                    whole = twice <= mesh_side and is_free(held, larger)
                    if is_free(held, (x, y, 0, side, side, 1)) and not whole:
                        return (x, y, 0, wanted, wanted, 1)
            side *= 2
        return None


OPTIONS: tuple[dict[str, object], ...] = ({}, {"count": "bitmap"})
TWINS = {"2dbs": Twin(TwoDBuddy, OPTIONS, st.sampled_from([(1, 1), (2, 2), (4, 4), (8, 8)]))}
