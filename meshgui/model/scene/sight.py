"""What the boxes of a mesh hide from the eye, found by following lines of sight through its nodes."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats

_MARCH: Final = 0.2  # of a node: how finely the line of sight is followed
_PAST_FACE: Final = 0.3  # from where on the line of sight a box is counted that has the place in its face
_FIRST_STEPS: Final = 4  # at once; then twice as many each time, for those places not found hidden so far
_UP: Final = 2


class Sight(NamedTuple):
    """The boxes in the way, in the space of a layout."""

    walled: NDArray[np.int32]  # the row of the box at each node [z, y, x], or -1; with -1 all around
    size: tuple[float, float, float]  # of the mesh
    layer: float  # from layer to layer
    height: float  # of a node

    @classmethod
    def among(
        cls, grid: NDArray[np.int32], size: tuple[float, float, float], layer: float, height: float
    ) -> Sight:
        """The sight among boxes whose rows a grid of the nodes holds."""
        return cls(np.pad(grid, 1, constant_values=-1), size, layer, height)

    def reaches(self, places: Floats, eye: Floats, own: NDArray[np.intp] | None = None) -> NDArray[np.bool_]:
        """A mask of the places that no box hides from the eye.

        A box does not hide the places that are its own, by its row; without `own` it hides those within it.
        """
        begin, own = (_PAST_FACE, np.full(len(places), -1)) if own is None else (0.0, own)
        away = eye - places
        towards = away / np.sqrt((away * away).sum(axis=1, keepdims=True))
        ends = self._ways_out(places, towards)
        left = np.flatnonzero(ends >= begin)  # those that can be found hidden
        last = np.array(self.walled.shape[::-1]) - 2
        steps = np.array([1, self.walled.shape[2], self.walled[0].size])
        rows_at, gaps = self.walled.ravel(), self.height < self.layer
        seen = np.ones(len(places), dtype=np.bool_)
        first, count = 0, _FIRST_STEPS
        while len(left):
            along = begin + _MARCH * np.arange(first, first + count)
            way = places[left, None, :] + towards[left, None, :] * along[:, None]
            if gaps:
                way[..., _UP], rest = np.divmod(way[..., _UP], self.layer)
            nodes = np.maximum(np.minimum(np.floor(way), last), -1.0) + 1.0
            rows = rows_at[(nodes @ steps).astype(np.intp)]
            hides = (rows >= 0) & (rows != own[left, None])
            if gaps:
                hides &= rest < self.height
            hidden = hides.any(axis=1)
            seen[left[hidden]] = False
            left = left[~hidden & (ends[left] > along[-1])]
            first, count = first + count, 2 * count
        return seen

    def uncovered(self, places: Floats, axis: int, way: int) -> NDArray[np.bool_]:
        """A mask of the places on faces across an axis that no box lies right before, that way.

        All others are hidden, from wherever one looks.
        """
        if axis == _UP and self.layer > 1.0:
            return np.ones(len(places), dtype=np.bool_)
        x, y, z = (np.floor(places / (1.0, 1.0, self.layer)).astype(np.intp) + 1).T
        step = np.where(np.arange(3) == axis, way, 0)
        free: NDArray[np.bool_] = self.walled[z + step[2], y + step[1], x + step[0]] < 0
        return free

    def _ways_out(self, places: Floats, towards: Floats) -> Floats:
        """How far each place is from where its line of sight leaves the mesh: beyond it nothing hides."""
        safe = np.where(np.abs(towards) < 1e-12, 1e-12, towards)
        ends: Floats = ((np.where(safe > 0, self.size, 0.0) - places) / safe).min(axis=1)
        return ends
