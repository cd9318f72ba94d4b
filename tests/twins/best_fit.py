"""Best Fit's twin: looks at every neighbour of every free box, and walks through every free region."""

from functools import cache

from tests import naive
from tests.naive import Box, Held, Node, Size, all_free_bases, around, nodes
from tests.twins.base import Twin
from tests.twins.first_fit import Across

__all__ = ["TWINS", "BestFit", "beside", "busy_neighbours", "free_area"]


NO_RINGS = (False, False, False)


@cache
def beside(
    node: Node, extents: Size = (0, 0, 0), rings: tuple[bool, ...] = NO_RINGS, *, flat: bool
) -> frozenset[Node]:
    """The places one step away; a 2D mesh has none above and below, and a ring continues at its other end."""
    found = set()
    for axis in range(2 if flat else 3):
        for step in (-1, 1):
            place = [*node]
            place[axis] += step
            place[axis] = place[axis] % extents[axis] if rings[axis] else place[axis]
            found.add(tuple(place))
    return frozenset(found)


def busy_neighbours(
    held: Held, extents: Size, box: Box, rings: tuple[bool, ...] = NO_RINGS, *, flat: bool
) -> int:
    """How many places beside the box are held or outside, each once."""
    inside, mesh = set(around(box, extents, rings)), set(nodes((0, 0, 0, *extents)))
    places = set().union(*(beside(node, extents, rings, flat=flat) for node in inside)) - inside
    return sum(place in held or place not in mesh for place in places)


def free_area(held: Held, extents: Size, box: Box, rings: tuple[bool, ...] = NO_RINGS, *, flat: bool) -> int:
    """How many free nodes outside the box can be reached from it through free nodes."""
    free = set(nodes((0, 0, 0, *extents))) - held.keys()
    inside = set(around(box, extents, rings))
    reached, edge = set(inside), set(inside)
    while edge:
        near = frozenset().union(*(beside(node, extents, rings, flat=flat) for node in edge))
        edge = near & free - reached
        reached |= edge
    return len(reached) - len(inside)


class BestFit(Across):
    """Most busy neighbours, then least free area, then First Fit's scan order (000 §2.2.1)."""

    def box_for(self, size: Size) -> Box | None:
        """The best base of the first orientation that has any."""
        held = self.held
        for turn in naive.turns(size, self.flat) if self.rotates else [size]:
            order = sorted(
                nodes((0, 0, 0, *self.extents)), key=lambda node: node[::-1] if self.flat else node
            )
            bases = all_free_bases(held, self.extents, turn, self.seams)
            free = [(*base, *turn) for base in order if base in bases]
            if free:
                return min(free, key=lambda box: self.score(held, box))
        return None

    def score(self, held: Held, box: Box) -> tuple[int, int]:
        """The lower the better; of equals `min` takes the first."""
        touched = busy_neighbours(held, self.extents, box, self.seams, flat=self.flat)
        return -touched, free_area(held, self.extents, box, self.seams, flat=self.flat)


class TurningBestFit(BestFit):
    """The same, turned if need be."""

    rotates = True


OPTIONS: tuple[dict[str, object], ...] = ({}, {"across": False})
TWINS = {"bf": Twin(BestFit, OPTIONS), "tbf": Twin(TurningBestFit, OPTIONS)}
