"""What of the network a point of the 3D picture hits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from meshgui.views.camera import Camera
from meshgui.views.mesh_layout import Layout, Space
from meshgui.views.network_links import idle_strength, lanes_to_point_at
from meshgui.views.network_pointing import NOWHERE, SLACK, Pointed
from meshgui.views.strokes import Strokes, under

__all__ = ["pointed_at"]


def pointed_at(
    layout: Layout, camera: Camera, size: tuple[float, float], point: tuple[float, float], scale: float
) -> Pointed:
    """The packet and the channel under a point of a picture of that size."""
    pointed = _find(layout.strokes, camera, size, point, scale)
    node = size[1] / camera.pose.extent / scale
    if pointed != NOWHERE or idle_strength(node, layout.space.mesh.dims) == 0.0:
        return pointed
    return _find(_lanes(layout.space), camera, size, point, scale)


@lru_cache(maxsize=2)
def _lanes(space: Space) -> Strokes:
    """All links in space; the same while only what is in them changes."""
    return space.stretched(lanes_to_point_at(space.mesh))


def _find(
    drawn: Strokes, camera: Camera, size: tuple[float, float], point: tuple[float, float], scale: float
) -> Pointed:
    known = np.flatnonzero((drawn.packets >= 0) | (drawn.channels >= 0))
    middle = np.array(size) / 2
    starts, ends = (camera.project(places[known].astype(np.float64)) for places in (drawn.starts, drawn.ends))
    depths = (starts[:, 2] + ends[:, 2]) / 2
    node = size[1] * camera.distance / camera.pose.extent
    widths = drawn.looks[known, 0] * node / np.maximum(depths, 1e-3)
    flip = middle * (1, -1)
    row = under(
        starts[:, :2] * flip + middle,
        ends[:, :2] * flip + middle,
        widths,
        np.round(depths, 1) - 1e-3 * drawn.looks[known, 4],
        point,
        SLACK * scale,
    )
    return NOWHERE if row is None else Pointed.of(drawn, int(known[row]))
