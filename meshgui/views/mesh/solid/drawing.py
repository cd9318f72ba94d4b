"""Finds the node on a side of the mesh that a ray of the 3D view hits, and where sides of boxes are in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Node
from meshgui.model.scene.camera import Camera
from meshgui.model.scene.space import Space
from meshgui.views.mesh.scene.drawing import Grip
from meshgui.views.mesh.scene.drawn_box import Side

_ALONG: Final = 1e-9  # a ray whose direction has less along an axis never reaches a plane across it
_UP: Final = 2

Ray = tuple[Floats, Floats]
"""Where a ray starts, and its direction."""


def grip_at(space: Space, ray: Ray) -> Grip | None:
    """The node at which a ray enters the mesh, and the side there; of a 2D mesh always its upper side."""
    low, high = _bounds(space)
    eye, way = ray
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (low - eye) / way, (high - eye) / way
    enters, leaves = np.fmin(first, second), np.fmax(first, second)
    axis = _UP if space.mesh.dims == 2 else int(np.nanargmax(enters))
    if abs(way[axis]) < _ALONG or np.nanmax(enters) > np.nanmin(leaves):
        return None
    grip = Grip((0, 0, 0), axis, 1 if way[axis] > 0 else -1)
    node = node_near(space, ray, grip)
    return None if node is None else grip._replace(node=node)


def node_near(space: Space, ray: Ray, grip: Grip) -> Node | None:
    """The node on the side of the mesh that is nearest to where a ray meets the plane of that side."""
    low, high = _bounds(space)
    (eye, way), (_, axis, inward) = ray, grip
    if abs(way[axis]) < _ALONG:
        return None
    plane = low[axis] if inward > 0 else high[axis]
    reach = (plane - eye[axis]) / way[axis]
    if reach <= 0:
        return None
    place = eye + way * reach
    place[_UP] /= space.layer
    nodes = [
        first if at == axis and inward > 0 else last if at == axis else min(max(int(n // 1), first), last)
        for at, (n, (first, last)) in enumerate(zip(place.tolist(), space.shown, strict=True))
    ]
    return nodes[0], nodes[1], nodes[2]


def sides_on_screen(
    space: Space,
    camera: Camera,
    size: tuple[float, float],
    boxes: NDArray[np.int16],
    sides: Sequence[Side],
) -> list[QPolygonF]:
    """Some sides of boxes of nodes, as far as the slice shows them."""
    low, high, _ = space.pieces(boxes)
    polygons: list[QPolygonF] = []
    for axis, upper in sides:
        across, along = (other for other in range(3) if other != axis)
        corners = np.repeat((high if upper else low)[:, None, :], 4, axis=1).astype(float)
        for place, (one, other) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
            corners[:, place, across] = (high if one else low)[:, across]
            corners[:, place, along] = (high if other else low)[:, along]
        seen = camera.project(corners.reshape(-1, 3))[:, :2]
        points = ((seen * (1, -1) + 1) / 2 * size).reshape(-1, 4, 2)
        polygons += [QPolygonF([QPointF(x, y) for x, y in side]) for side in points.tolist()]
    return polygons


def _bounds(space: Space) -> tuple[Floats, Floats]:
    """The lowest and the highest corner of what the slice shows of the mesh."""
    low, high, _ = space.pieces(np.array([(0, 0, 0, *space.mesh.extents)], dtype=np.int16))
    return low.min(axis=0).astype(float), high.max(axis=0).astype(float)
