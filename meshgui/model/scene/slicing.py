"""Cuts nodes and boxes of the mesh to a slice."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Box, Mesh, ramps
from meshgui.model.scene.mesh_scene import Scene, box_grid


class Slice(NamedTuple):
    """The layers shown, first to last, across an axis (0, 1, 2)."""

    axis: int
    first: int
    last: int

    def keeps(self, places: NDArray[np.integer] | NDArray[np.floating]) -> NDArray[np.bool_]:
        """A mask of the places in node coordinates that lie in the layers shown."""
        across = places[:, self.axis]
        kept: NDArray[np.bool_] = (across > self.first - 0.5) & (across < self.last + 0.5)
        return kept


def cut_boxes(
    boxes: NDArray[np.int16], cut: Slice | None, *, layered: bool
) -> tuple[Ints, Ints, NDArray[np.intp]]:
    """Cut boxes to a slice, one piece a layer if wanted: low corners, high corners, and source rows."""
    low = boxes[:, :3].astype(np.int64)
    high = low + boxes[:, 3:]
    if cut is not None:
        low[:, cut.axis] = np.maximum(low[:, cut.axis], cut.first)
        high[:, cut.axis] = np.minimum(high[:, cut.axis], cut.last + 1)
    rows = np.flatnonzero((low < high).all(axis=1))
    low, high = low[rows], high[rows]
    if layered:
        layers = high[:, 2] - low[:, 2]
        part = np.repeat(np.arange(len(rows)), layers)
        low, high, rows = low[part], high[part], rows[part]
        low[:, 2] += ramps(layers)
        high[:, 2] = low[:, 2] + 1
    return low, high, rows


def shown_nodes(mesh: Mesh, cut: Slice | None) -> tuple[tuple[int, int], ...]:
    """The first and the last node along each axis in a slice."""
    shown = [(0, extent - 1) for extent in mesh.extents]
    if cut is not None:
        shown[cut.axis] = (cut.first, cut.last)
    return tuple(shown)


def shown_part(cut: Slice | None, box: Box) -> tuple[slice, slice, slice]:
    """The part of a box's nodes `[z, y, x]` that a slice leaves, counted within the box."""
    part = [slice(None), slice(None), slice(None)]
    if cut is not None:
        base = box[cut.axis]
        part[2 - cut.axis] = slice(max(cut.first - base, 0), max(cut.last + 1 - base, 0))
    return part[0], part[1], part[2]


def shown_rows(scene: Scene, cut: Slice | None) -> NDArray[np.int32]:
    """The row of the box that holds each node `[z, y, x]`, or -1 without one or outside the slice."""
    held = box_grid(scene.mesh, scene.boxes)
    if cut is not None:
        layer = np.moveaxis(held, 2 - cut.axis, 0)
        layer[: cut.first] = -1
        layer[cut.last + 1 :] = -1
    return held
