"""The BlueGene/L's algorithm on whole midplanes (000 §2.2.1), scanned as 000 figure 2.5 scans processors."""

from itertools import product

from hypothesis import strategies as st

from tests.naive import Box, Size, is_free, turns
from tests.twins.base import Search, Twin


class BlueGene(Search):
    """Every box of whole midplanes in scan order, in every orientation; the first that is free."""

    def box_for(self, size: Size) -> Box | None:
        unit = self.options.get("unit", 8)
        rounded = tuple(
            next(side for side in range(unit, asked + unit, unit) if side >= asked) for asked in size
        )
        width, depth, height = self.extents
        held = self.held
        for a, b, c in turns(rounded, flat=False):
            bases = product(range(0, width, unit), range(0, depth, unit), range(0, height, unit))
            for x, y, z in bases:
                inside = x + a <= width and y + b <= depth and z + c <= height
                if inside and is_free(held, (x, y, z, a, b, c)):
                    return (x, y, z, a, b, c)
        return None


SIDES = st.sampled_from([2, 4, 6])

TWINS = {
    "bluegene": Twin(BlueGene, options=({"unit": 2}, {"unit": 1}), shapes=st.tuples(SIDES, SIDES, SIDES))
}
