"""Gen-Algorithm in obvious Python: sort by distance, add up every pair."""

from itertools import combinations

from tests.naive import nodes
from tests.twins.base import Naive, Twin


def hops(one, other):
    """How far apart two nodes are."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


class GenAlgorithm(Naive):
    """000 §2.2.2: of each free node's nearest free nodes, those that are closest together."""

    def find(self, job, size, now, service, seed):
        held = self.held
        free = [node for node in nodes((0, 0, 0, *self.extents)) if node not in held]
        free.sort(key=lambda node: node[::-1])
        asked = size[0] * size[1]
        if asked > len(free):
            return None
        best = None
        for centre in free:
            near = sorted(free, key=lambda node: hops(node, centre))[:asked]
            total = sum(hops(one, other) for one, other in combinations(near, 2))
            if best is None or total < best[0]:
                best = (total, near)
        return [(*node, 1, 1, 1) for node in sorted(best[1], key=lambda node: node[::-1])]


TWINS = {"genalg": Twin(lambda extents, _, options: GenAlgorithm(extents, options))}
