"""Adjacency's twin: every free box, and the nodes around it that are held or outside, one by one."""

from tests.naive import Box, Size, all_free_bases, turns
from tests.twins.base import Answer, Naive, Twin

__all__ = ["TWINS"]


def around(box: Box) -> list[tuple[int, int]]:
    """The nodes beside a box, those outside the mesh too."""
    x, y, _, w, d, _ = box
    beside = [(u, v) for v in range(y, y + d) for u in (x - 1, x + w)]
    return beside + [(u, v) for u in range(x, x + w) for v in (y - 1, y + d)]


class Adjacency(Naive):
    """The first of the free boxes that touch most, as asked before turned, row by row."""

    def touching(self, box: Box) -> int:
        """How many nodes around a box are held or outside."""
        width, length, _ = self.extents
        held = self.held
        return sum(not (0 <= u < width and 0 <= v < length) or (u, v, 0) in held for u, v in around(box))

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        free = [
            (*base, *turn)
            for turn in turns(size, flat=True)
            for base in sorted(all_free_bases(self.held, self.extents, turn), key=lambda b: (b[1], b[0]))
        ]
        return [max(free, key=self.touching)] if free else None


TWINS = {"adj": Twin(lambda extents, _, options: Adjacency(extents, options))}
