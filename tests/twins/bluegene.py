"""The BlueGene/L's algorithm on whole midplanes (000 §2.2.1), scanned as 000 figure 2.5 scans processors."""

from itertools import product

from hypothesis import strategies as st

from tests.naive import Box, is_free, turns
from tests.twins.base import Naive, Twin


class BlueGene(Naive):
    """Every box of whole midplanes in scan order, in every orientation; the first that is free."""

    def find(
        self, job: int, size: tuple[int, int, int], now: float, service: float, seed: int
    ) -> list[Box] | None:
        del job, now, service, seed
        unit = int(str(self.options.get("unit", 8)))
        sides = [range(unit, 10 * unit + 1, unit) for _ in size]
        rounded = tuple(
            next(side for side in allowed if side >= asked)
            for allowed, asked in zip(sides, size, strict=True)
        )
        width, depth, height = self.extents
        held = self.held
        for a, b, c in turns((rounded[0], rounded[1], rounded[2]), flat=False):
            bases = product(range(0, width, unit), range(0, depth, unit), range(0, height, unit))
            for x, y, z in bases:
                inside = x + a <= width and y + b <= depth and z + c <= height
                if inside and is_free(held, (x, y, z, a, b, c)):
                    return [(x, y, z, a, b, c)]
        return None


SIDES = st.sampled_from([2, 4, 6])

TWINS = {
    "bluegene": Twin(
        lambda extents, _flat, options: BlueGene(extents, options),
        options=({"unit": 2}, {"unit": 1}),
        shapes=st.tuples(SIDES, SIDES, SIDES),
    )
}
