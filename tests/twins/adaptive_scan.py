"""Adaptive Scan's twin: column after column and row after row as 004 §2 has it, with no jumps."""

from tests.naive import Box, Size, fits, is_free, turns
from tests.twins.base import Search, Twin

__all__ = ["TWINS"]


class AdaptiveScan(Search):
    """If a node cannot be the base the next column is tried, then the next row, then the turned request."""

    def box_for(self, size: Size) -> Box | None:
        """The first base of the scan."""
        held = self.held
        width, length, _ = self.extents
        for turn in turns(size, flat=True):
            for y in range(length):
                for x in range(width):
                    if fits((x, y, 0, *turn), self.extents) and is_free(held, (x, y, 0, *turn)):
                        return (x, y, 0, *turn)
        return None


TWINS = {"as": Twin(AdaptiveScan)}
