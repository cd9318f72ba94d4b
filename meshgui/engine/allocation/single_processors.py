"""The base of strategies that give processors one by one."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions, Boxes, Options
from meshgui.engine.allocation.inspection import Request
from meshgui.engine.allocation.occupancy import OccupancyStrategy
from meshgui.engine.geometry import Box, Mesh, Size

__all__ = ["SingleProcessorsStrategy"]


@lru_cache(maxsize=8)
def _every_processor(mesh: Mesh) -> Boxes:
    """Each processor as a box, in row-major order: made once, as jobs of hundreds of boxes are common."""
    width, depth, height = mesh.extents
    return tuple(Box(x, y, z, 1, 1, 1) for z in range(height) for y in range(depth) for x in range(width))


class SingleProcessorsStrategy(OccupancyStrategy):
    """Gives a job just as many processors as it asks for, each of them a box, if so many are free."""

    contiguous = False
    rotates = False
    options_model = BlockOptions

    def __init__(self, mesh: Mesh, options: Options | None = None) -> None:
        super().__init__(mesh, options)
        self._processors = _every_processor(mesh)

    def boxes_at(self, numbers: NDArray[np.int64]) -> Boxes:
        """The processors with these row-major numbers, as boxes."""
        return tuple(map(self._processors.__getitem__, numbers.tolist()))

    def replay(self, request: Request, boxes: Boxes) -> None:
        """See Strategy."""
        x, y, z = np.array(boxes, dtype=np.intp)[:, :3].T
        self.held[z, y, x] = request.job
        self.free -= len(boxes)

    def _refusal(self, size: Size) -> str | None:
        # Nothing but the number of processors counts, so the empty mesh need not be searched.
        return None if prod(size) <= self.mesh.processors else super()._refusal(size)
