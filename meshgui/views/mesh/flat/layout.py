"""Arranges the layers of a mesh beside each other on the flat canvas."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import tr
from meshgui.model.scene.slicing import Slice, shown_nodes


@dataclass(frozen=True)
class FlatLayout:
    """The places of the layers: how many a row, the side of a cell, the first layer's corner."""

    mesh: Mesh
    layers: range
    columns: int
    cell: float
    left: float
    top: float
    gap: float
    cut: Slice | None = None

    @classmethod
    def fitted(
        cls, mesh: Mesh, cut: Slice | None, room: tuple[float, float], margin: float, gap: float
    ) -> FlatLayout:
        """The arrangement with the largest cells of the layers that a slice leaves."""
        w, d, _ = mesh.extents
        first, last = shown_nodes(mesh, cut)[2]
        layers = range(first, last + 1)
        best: FlatLayout | None = None
        for columns in range(1, len(layers) + 1):
            rows = ceil(len(layers) / columns)
            wide = room[0] - 2 * margin - (columns - 1) * gap
            high = room[1] - 2 * margin - (rows - 1) * gap
            cell = max(min(wide / (columns * w), high / (rows * d)), 0.5)
            if best is None or cell > best.cell:
                left = (room[0] - columns * w * cell - (columns - 1) * gap) / 2
                top = (room[1] - rows * d * cell - (rows - 1) * gap) / 2
                best = cls(mesh, layers, columns, cell, left, top, gap, cut)
        if best is None:
            raise ValueError(tr("expected at least one layer"))
        return best

    def zoomed(self, zoom: float, offset: QPointF) -> FlatLayout:
        """The same arrangement, scaled and moved."""
        left, top = self.left * zoom + offset.x(), self.top * zoom + offset.y()
        return replace(self, cell=self.cell * zoom, left=left, top=top, gap=self.gap * zoom)

    def keeps(self, places: NDArray[np.integer] | NDArray[np.floating]) -> NDArray[np.bool_]:
        """Which places in node coordinates lie in the slice."""
        return np.ones(len(places), dtype=np.bool_) if self.cut is None else self.cut.keeps(places)

    def corner(self, layer: int) -> tuple[float, float]:
        """The upper left corner of a layer."""
        row, column = divmod(layer - self.layers.start, self.columns)
        w, d, _ = self.mesh.extents
        return (
            self.left + column * (w * self.cell + self.gap),
            self.top + row * (d * self.cell + self.gap),
        )

    def rect(self, layer: int, x: float, y: float, width: float, depth: float) -> QRectF:
        """The rectangle of some cells of a layer on the screen; y runs upwards."""
        left, top = self.corner(layer)
        d = self.mesh.extents[1]
        return QRectF(
            left + x * self.cell, top + (d - y - depth) * self.cell, width * self.cell, depth * self.cell
        )

    def points(self, places: NDArray[np.floating]) -> tuple[Floats, Ints]:
        """Places in node coordinates, whole numbers the middles of nodes, on the screen; their layers."""
        layers = np.rint(places[:, 2]).astype(np.int64)
        rows, columns = np.divmod(layers - self.layers.start, self.columns)
        w, d, _ = self.mesh.extents
        x = self.left + columns * (w * self.cell + self.gap) + (places[:, 0] + 0.5) * self.cell
        y = self.top + rows * (d * self.cell + self.gap) + (d - places[:, 1] - 0.5) * self.cell
        return np.stack((x, y), axis=1), layers

    def node_near(self, point: QPointF, layer: int) -> tuple[int, int, int]:
        """The node of a layer that is nearest to a point."""
        w, d, _ = self.mesh.extents
        left, top = self.corner(layer)
        x, y = (point.x() - left) / self.cell, d - (point.y() - top) / self.cell
        return min(max(int(x), 0), w - 1), min(max(int(y), 0), d - 1), layer

    def node_at(self, point: QPointF) -> tuple[int, int, int] | None:
        """The node under a point."""
        w, d, _ = self.mesh.extents
        for layer in self.layers:
            left, top = self.corner(layer)
            x, y = (point.x() - left) / self.cell, d - (point.y() - top) / self.cell
            if 0 <= x < w and 0 <= y < d:
                return int(x), int(y), layer
        return None
