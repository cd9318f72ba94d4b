"""Best Fit's twin: looks at every neighbour of every free box, and walks through every free region."""

from functools import cache

from tests import naive
from tests.naive import Box, Held, Node, Size, fits, is_free, nodes
from tests.twins.base import Search, Twin

__all__ = ["TWINS", "BestFit", "beside", "busy_neighbours", "free_area"]


@cache
def beside(node: Node, *, flat: bool) -> frozenset[Node]:
    """The places one step away; a 2D mesh has none above and below."""
    axes = range(2 if flat else 3)
    return frozenset(
        tuple(n + step * (axis == i) for i, n in enumerate(node)) for axis in axes for step in (-1, 1)
    )


def busy_neighbours(held: Held, extents: Size, box: Box, *, flat: bool) -> int:
    """How many places beside the box are held or outside; a place is beside one node of the box at most."""
    inside = set(nodes(box))
    mesh = set(nodes((0, 0, 0, *extents)))
    around = [place for node in inside for place in beside(node, flat=flat) if place not in inside]
    assert len(around) == len(set(around))
    return sum(place in held or place not in mesh for place in around)


def free_area(held: Held, extents: Size, box: Box, *, flat: bool) -> int:
    """How many free nodes outside the box can be reached from it through free nodes."""
    free = set(nodes((0, 0, 0, *extents))) - held.keys()
    reached, edge = set(nodes(box)), set(nodes(box))
    while edge:
        edge = (frozenset().union(*(beside(node, flat=flat) for node in edge)) & free) - reached
        reached |= edge
    return len(reached) - len(set(nodes(box)))


class BestFit(Search):
    """Most busy neighbours, then least free area, then First Fit's scan order (000 §2.2.1)."""

    def box_for(self, size: Size) -> Box | None:
        """The best base of the first orientation that has any."""
        held = self.held
        for turn in naive.turns(size, self.flat) if self.rotates else [size]:
            order = sorted(
                nodes((0, 0, 0, *self.extents)), key=lambda node: node[::-1] if self.flat else node
            )
            boxes = [(*base, *turn) for base in order]
            free = [box for box in boxes if fits(box, self.extents) and is_free(held, box)]
            if free:
                return min(free, key=lambda box: self.score(held, box))
        return None

    def score(self, held: Held, box: Box) -> tuple[int, int]:
        """The lower the better; of equals `min` takes the first."""
        around = busy_neighbours(held, self.extents, box, flat=self.flat)
        return -around, free_area(held, self.extents, box, flat=self.flat)


class TurningBestFit(BestFit):
    """The same, turned if need be."""

    rotates = True


TWINS = {"bf": Twin(BestFit), "tbf": Twin(TurningBestFit)}
