"""The space that a mesh is drawn in: where its nodes are, sliced and with its layers apart."""

from __future__ import annotations

from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Floats32, Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.model.scene.slicing import Slice, cut_boxes, shown_nodes
from meshgui.model.scene.strokes import Strokes

MARK_GAP: Final = 0.03
"""Marks keep less from their cells' borders than boxes: they lie around boxes and never in their faces."""

_PLATE: Final = 0.35  # the height of a 2D mesh
_APART: Final = 1.2  # how far fully exploded layers move apart, in layers
EDGE_ON: Final = 0.03
"""Faces seen almost from their edge are not drawn: the least share of the view's direction across them."""

_MOST_INSIDE: Final = 64  # nodes of a mesh whose links are all drawn, also those within it


class Space(NamedTuple):
    """The map from node coordinates to space: the slice, the gap between layers, the height of a 2D mesh."""

    mesh: Mesh
    cut: Slice | None = None
    explode: float = 0.0  # 0 to 1

    @property
    def layer(self) -> float:
        """The distance from layer to layer."""
        return 1.0 + self.explode * _APART

    @property
    def height(self) -> float:
        """The height of one node."""
        return _PLATE if self.mesh.dims == 2 else 1.0

    @property
    def size(self) -> tuple[float, float, float]:
        """The extents of the whole mesh."""
        w, d, h = self.mesh.extents
        return float(w), float(d), (h - 1) * self.layer + self.height

    @property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """The first and the last node along each axis in the slice."""
        return shown_nodes(self.mesh, self.cut)

    def pieces(self, boxes: NDArray[np.int16]) -> tuple[Floats32, Floats32, NDArray[np.intp]]:
        """Boxes of nodes in space: lowest corners, highest corners, source rows.

        The slice cuts them; exploded boxes are split into layers.
        """
        low, high, rows = cut_boxes(boxes, self.cut, layered=self.explode > 0)
        return self._in_space(low, 0.0), self._in_space(high, self.height), rows

    def along(self, path: Floats32) -> tuple[Floats32, NDArray[np.bool_]]:
        """The middles of a path's nodes (of a 2D mesh on its top), and which of them lie in the slice."""
        places = path.astype(np.float32) + np.array([0.5, 0.5, 0.5], dtype=np.float32)
        places[:, 2] = path[:, 2] * np.float32(self.layer)
        places[:, 2] += self.height + MARK_GAP if self.mesh.dims == 2 else self.height / 2
        return places, np.ones(len(path), dtype=np.bool_) if self.cut is None else self.cut.keeps(path)

    def stretched(self, strokes: Strokes) -> Strokes:
        """Strokes in space, cut by the slice."""
        starts, kept = self.along(strokes.starts)
        ends, also = self.along(strokes.ends)
        return strokes._replace(starts=starts, ends=ends).only(kept & also)

    @property
    def small(self) -> bool:
        """Whether routers and links within the mesh are kept apart from those behind them."""
        return prod(last - first + 1 for first, last in self.shown) <= _MOST_INSIDE

    def walls(self, nodes: NDArray[np.integer] | NDArray[np.floating], back: Floats) -> NDArray[np.bool_]:
        """For each node and axis, whether it lies on the wall across that axis that is turned away."""
        on = np.zeros((len(nodes), 3), dtype=np.bool_)
        for axis, (first, last) in enumerate(self.shown):
            if abs(back[axis]) > EDGE_ON:
                on[:, axis] = nodes[:, axis] == (first if back[axis] > 0 else last)
        return on

    def in_the_open(self, links: Strokes, back: Floats) -> Strokes:
        """The idle links to show from a direction: in a large 3D mesh those on the walls turned away.

        All others would lie over them, in a moiré.
        """
        if self.mesh.dims == 2 or self.explode or self.small:
            return links
        starts, ends = self.walls(np.rint(links.starts), back), self.walls(np.rint(links.ends), back)
        return links.only(np.flatnonzero((starts & ends).any(axis=1)))

    def points(self, nodes: NDArray[np.int16]) -> tuple[Floats32, NDArray[np.intp]]:
        """The middles of the nodes in the slice, and which these are."""
        rows = np.arange(len(nodes)) if self.cut is None else np.flatnonzero(self.cut.keeps(nodes))
        places = self._in_space(nodes[rows].astype(np.int64), 0.0)
        places += np.array([0.5, 0.5, self.height / 2], dtype=np.float32)
        return places, rows

    def _in_space(self, corners: Ints, above: float) -> Floats32:
        """Corners in space; `above` is the distance from the upper side of a node to the node below it."""
        places = corners.astype(np.float32)
        levels = places[:, 2] - (1.0 if above else 0.0)
        places[:, 2] = levels * np.float32(self.layer) + np.float32(above)
        return places
