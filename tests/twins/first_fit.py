"""First Fit's twin: the search of 000 figure 2.5, step by step."""

from collections.abc import Iterator

from tests.naive import Node, Size, around
from tests.twins.base import Found, Search, Twin

__all__ = ["TWINS", "Across", "FirstFit"]


class Across(Search):
    """Places across the seams of rings, unless an option forbids it."""

    @property
    def seams(self) -> tuple[bool, ...]:
        across = self.options.get("across", True)
        return tuple(bool(across and ring) for ring in self.rings)


class FirstFit(Across):
    """000 figure 2.5 in 3D; in 2D the lowest row first and the leftmost node first (001 §2)."""

    def scan(self) -> Iterator[Node]:
        """All nodes in scan order."""
        w, d, h = self.extents
        if self.flat:
            for y in range(d):
                for x in range(w):
                    yield x, y, 0
            return
        for x in range(w):
            for y in range(d):
                for z in range(h):
                    yield x, y, z

    def find(self, size: Size) -> Found:
        """The figure, once per orientation; an operation is a node looked at, or the comparison up front."""
        held = self.held
        w, d, h = self.extents
        if size[0] * size[1] * size[2] > w * d * h - len(held):
            return Found(None, 1)
        operations, once = 0, self.options.get("count") == "processors"
        for a, b, c in self.turns(size):
            for x, y, z in self.scan():
                operations += 1
                if (x, y, z) in held:
                    continue
                available = 0
                for u, v, t in around((x, y, z, a, b, c), self.extents, self.seams):
                    if u < w and v < d and t < h:
                        operations += not once
                        available += (u, v, t) not in held
                if available == a * b * c:
                    return Found((x, y, z, a, b, c), operations)
        return Found(None, operations)


class TurningFirstFit(FirstFit):
    """The same, turned if need be."""

    rotates = True


OPTIONS: tuple[dict[str, object], ...] = ({}, {"count": "processors"}, {"across": False})
TWINS = {"ff": Twin(FirstFit, OPTIONS), "tff": Twin(TurningFirstFit, OPTIONS)}
