"""Slices of TPU pods: boxes of cubes on a torus, or any free cubes; small ones within a cube."""

from itertools import product

from hypothesis import strategies as st

from tests.naive import Box, Node, Size, around, is_free, parts, turns, volume
from tests.twins.base import Answer, Naive, Twin

CUBE = 4


def cube_box(cube: Node) -> Box:
    """The processors of a cube."""
    x, y, z = (CUBE * n for n in cube)
    return (x, y, z, CUBE, CUBE, CUBE)


class Pod(Naive):
    """Cubes by number, x fastest; a slice of cubes or a box within a cube."""

    def cubes(self) -> list[Node]:
        """All cubes in the order of their numbers."""
        wide, deep, high = (side // CUBE for side in self.extents)
        return [(x, y, z) for z, y, x in product(range(high), range(deep), range(wide))]

    def boxes_for(self, job: int, size: Size, now: float, service: float, seed: int) -> Answer:
        if any(side % CUBE for side in size):
            box = self.within_a_cube(size)
            return [box] if box else None
        a, b, c = (side // CUBE for side in size)
        return self.slice_of((a, b, c))

    def slice_of(self, size: Size) -> Answer:
        """A slice of whole cubes."""
        raise NotImplementedError

    def within_a_cube(self, size: Size) -> Box | None:
        """The first box in the first cube that has one, those in use before free ones."""
        held = self.held
        in_use = [cube for cube in self.cubes() if not is_free(held, cube_box(cube))]
        free = [cube for cube in self.cubes() if is_free(held, cube_box(cube))]
        for x, y, z in in_use + free:
            for a, b, c in turns(size, flat=False):
                for i, j, k in product(range(5 - a), range(5 - b), range(5 - c)):
                    box = (CUBE * x + i, CUBE * y + j, CUBE * z + k, a, b, c)
                    if is_free(held, box):
                        return box
        return None


class StaticPod(Pod):
    """The first base, orientation by orientation, from which all cubes of a box are free."""

    def slice_of(self, size: Size) -> Answer:
        held = self.held
        wide, deep, high = (side // CUBE for side in self.extents)
        sides = (wide, deep, high)
        for turn in turns(size, flat=False):
            if any(n > side for n, side in zip(turn, sides, strict=True)):
                continue
            for base in product(*map(range, sides)):
                cubes = around((*base, *turn), sides, self.rings)
                inside = all(n < side for cube in cubes for n, side in zip(cube, sides, strict=True))
                if inside and all(is_free(held, cube_box(cube)) for cube in cubes):
                    x, y, z, w, d, h = (CUBE * n for n in (*base, *turn))
                    return parts((x, y, z, w, d, h), self.extents, self.rings)
        return None


class SwitchedPod(Pod):
    """The free cubes with the lowest numbers."""

    def slice_of(self, size: Size) -> Answer:
        held = self.held
        free = [cube_box(cube) for cube in self.cubes() if is_free(held, cube_box(cube))]
        wanted = volume(size)
        return free[:wanted] if len(free) >= wanted else None


def size_of_a_slice(_options: dict[str, object], size: Size) -> Size:
    """A small slice as it is, any other in whole cubes."""
    if max(size) <= CUBE:
        return size
    w, d, h = (-(-side // CUBE) * CUBE for side in size)
    return (w, d, h)


SIDES = st.sampled_from([4, 8, 12])
SHAPES = st.tuples(SIDES, st.sampled_from([4, 8]), st.sampled_from([4, 8]))

TWINS = {
    "tpu-static": Twin(StaticPod, shapes=SHAPES, asks=size_of_a_slice),
    "tpu-ocs": Twin(SwitchedPod, shapes=SHAPES, asks=size_of_a_slice),
}
