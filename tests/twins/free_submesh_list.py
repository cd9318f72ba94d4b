"""Free Sub-mesh List by brute force: all free boxes, those no other contains, and every corner of each."""

from tests.naive import Box, Held, Node, Size, is_free, nodes, turns
from tests.twins.base import Naive, Twin


def maximal_free_boxes(held: Held, extents: Size) -> list[Box]:
    """Every free box that lies in no larger one: lowest row first, leftmost first, then the lower."""
    w, d, _ = extents
    free = [
        (x, y, 0, a, b, 1)
        for x, y, _ in nodes((0, 0, 0, w, d, 1))
        for a in range(1, w - x + 1)
        for b in range(1, d - y + 1)
        if is_free(held, (x, y, 0, a, b, 1))
    ]
    inside = {box: set(nodes(box)) for box in free}
    free.sort(key=lambda box: -len(inside[box]))  # what holds a box is found sooner
    largest = [box for box in free if not any(inside[box] < inside[other] for other in free)]
    return sorted(largest, key=lambda box: (box[1], box[0], box[4], box[3]))


def lost(free: set[Node], taken: Box) -> int:
    """How many nodes a free box loses when only its largest rest beside the taken box counts."""
    x, y, _, a, b, _ = taken
    if free.isdisjoint(nodes(taken)):
        return 0
    rests = [
        [node for node in free if node[0] < x],
        [node for node in free if node[0] >= x + a],
        [node for node in free if node[1] < y],
        [node for node in free if node[1] >= y + b],
    ]
    return len(free) - max(map(len, rests))


class FreeSubmeshList(Naive):
    """Of all corners of all maximal free boxes the first at which the free boxes lose least."""

    def find(self, job: int, size: Size, now: float, service: float, seed: int) -> list[Box] | None:
        del job, now, service, seed
        listed = maximal_free_boxes(self.held, self.extents)
        sets = [set(nodes(box)) for box in listed]
        placements = [
            (corner_x, corner_y, 0, a, b, 1)
            for x, y, _, w, d, _ in listed
            for a, b, _ in turns(size, flat=True)
            if a <= w and b <= d
            for corner_y in (y, y + d - b)
            for corner_x in (x, x + w - a)
        ]
        if not placements:
            return None
        return [min(placements, key=lambda box: sum(lost(free, box) for free in sets))]


TWINS = {"fsl": Twin(lambda extents, _flat, options: FreeSubmeshList(extents, options))}
