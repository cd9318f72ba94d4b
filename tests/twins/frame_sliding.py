"""Frame Sliding's twin: every frame listed beforehand, and the first one taken whose nodes are all free."""

from collections.abc import Iterator

from tests.naive import Box, Size, fits, is_free
from tests.twins.base import Search, Twin

__all__ = ["TWINS"]


class FrameSliding(Search):
    """000 §2.2.1 and 001 §2: strides of the request's own sides from the first free node with room for it."""

    def frames(self, size: Size) -> Iterator[Box]:
        """The frames in their order, those that leave the mesh left out."""
        held = self.held
        width, length, _ = self.extents
        a, b, _ = size
        bases = [(x, y) for y in range(length - b + 1) for x in range(width - a + 1)]
        free = [(x, y) for x, y in bases if (x, y, 0) not in held]
        if not free:
            return
        left, bottom = free[0]
        for row, y in enumerate(range(bottom, length, b)):
            for x in range(left if row == 0 else 0, width, a):
                if fits((x, y, 0, a, b, 1), self.extents):
                    yield x, y, 0, a, b, 1

    def box_for(self, size: Size) -> Box | None:
        """The first free frame."""
        return next((frame for frame in self.frames(size) if is_free(self.held, frame)), None)


TWINS = {"fs": Twin(FrameSliding)}
