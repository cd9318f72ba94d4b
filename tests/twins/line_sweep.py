"""Line Sweep's twin: all rectangles of free nodes that end at a line, listed, and put in order."""

from tests.naive import Box, Size, is_free, turns
from tests.twins.base import Search, Twin

__all__ = ["TWINS"]


class LineSweep(Search):
    """Line by line, the rectangles below it that can grow neither sideways nor down."""

    def rectangles(self, line: int) -> list[Box]:
        """Those of a line, the one that ends first in front, of several that do so the highest."""
        width, _, _ = self.extents
        held = self.held

        def free(left: int, low: int, right: int) -> bool:
            inside = left >= 0 and low >= 0 and right < width
            return inside and is_free(held, (left, low, 0, right - left + 1, line - low + 1, 1))

        found = [
            (right, -(line - low + 1), (left, low, 0, right - left + 1, line - low + 1, 1))
            for left in range(width)
            for right in range(left, width)
            for low in range(line + 1)
            if free(left, low, right)
            and not (free(left - 1, low, right) or free(left, low, right + 1) or free(left, low - 1, right))
        ]
        return [box for _, _, box in sorted(found)]

    def box_for(self, size: Size) -> Box | None:
        """The lower left end of the first rectangle that holds the request, as asked or else turned."""
        for line in range(self.extents[1]):
            for x, y, _, w, d, _ in self.rectangles(line):
                for turn in turns(size, flat=True):
                    if turn[0] <= w and turn[1] <= d:
                        return (x, y, 0, *turn)
        return None


TWINS = {"ls": Twin(LineSweep)}
