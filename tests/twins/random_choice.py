"""Random in obvious Python: the same lots, a list that shrinks with each draw."""

import numpy as np

from tests.naive import nodes
from tests.twins.base import Naive, Twin


class RandomChoice(Naive):
    """001 §3.1; what is drawn is taken off the list, and the last entry moves into its place."""

    def find(self, job, size, now, service, seed):
        held = self.held
        pool = sorted((node for node in nodes((0, 0, 0, *self.extents)) if node not in held), key=row_major)
        asked = size[0] * size[1] * size[2]
        if asked > len(pool):
            return None
        raw = np.random.Philox(key=np.array([seed, job], dtype=np.uint64)).random_raw(asked).tolist()
        found = []
        for number in raw:
            place = (number // 2) % len(pool)
            found.append((*pool[place], 1, 1, 1))
            last = pool.pop()
            if place < len(pool):
                pool[place] = last
        return found


def row_major(node):
    """X fastest, then y, then z."""
    x, y, z = node
    return z, y, x


TWINS = {
    "random": Twin(lambda extents, _, options: RandomChoice(extents, options), ({}, {"mapping": "row-major"}))
}
