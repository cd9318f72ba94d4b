"""Finds the packet and the channel under a point of the 3D picture."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import places
from meshgui.model.scene.camera import Camera
from meshgui.model.scene.idle_links import channels_near, idle_strength
from meshgui.model.scene.network_pointing import NOWHERE, SLACK, Pointed
from meshgui.model.scene.solid_layout import Layout
from meshgui.model.scene.space import Space
from meshgui.model.scene.strokes import Strokes, under

_NEAR: Final = 1.3  # nodes: links under a point begin no farther away from it in the picture


def pointed_at(
    layout: Layout, camera: Camera, size: tuple[float, float], point: tuple[float, float], scale: float
) -> Pointed:
    """The packet and the channel under a point of a picture of that size."""
    pointed = _find(layout.strokes, camera, size, point, scale)
    node = size[1] / camera.pose.extent / scale
    space = layout.space
    if pointed != NOWHERE or idle_strength(space.mesh, node, space.shown) == 0.0:
        return pointed
    at = camera.project(_routers(space))
    middle = np.array(size) / 2
    away = at[:, :2] * (middle * (1, -1)) + middle - np.array(point)
    reach = _NEAR * size[1] * camera.distance / camera.pose.extent / np.maximum(at[:, 2], 1e-3)
    network = layout.scene.network
    of = 1 if network is None else network.channels
    near = channels_near(space.mesh, np.flatnonzero(np.hypot(*away.T) < reach * space.layer), of)
    return _find(space.stretched(space.in_the_open(near, camera.back)), camera, size, point, scale)


@lru_cache(maxsize=2)
def _routers(space: Space) -> NDArray[np.float64]:
    """All nodes in space; cached while only the packets change."""
    nodes = places(space.mesh, np.arange(space.mesh.processors)).astype(np.float32)
    return space.along(nodes)[0].astype(np.float64)


def ends_in_picture(
    drawn: Strokes, camera: Camera, size: tuple[float, float]
) -> tuple[Floats, Floats, NDArray[np.float64]]:
    """Where strokes begin and end in a picture of that size, and how deep in it they lie."""
    middle = np.array(size) / 2
    starts, ends = (camera.project(places.astype(np.float64)) for places in (drawn.starts, drawn.ends))
    flip = middle * (1, -1)
    depths = (starts[:, 2] + ends[:, 2]) / 2
    return starts[:, :2] * flip + middle, ends[:, :2] * flip + middle, depths


def _find(
    drawn: Strokes, camera: Camera, size: tuple[float, float], point: tuple[float, float], scale: float
) -> Pointed:
    drawn = drawn.only((drawn.packets >= 0) | (drawn.channels >= 0))
    starts, ends, depths = ends_in_picture(drawn, camera, size)
    node = size[1] * camera.distance / camera.pose.extent
    widths = drawn.looks[:, 0] * node / np.maximum(depths, 1e-3)
    levels = np.round(depths, 1) - 1e-3 * drawn.looks[:, 4]
    row = under(starts, ends, widths, levels, point, SLACK * scale)
    return NOWHERE if row is None else Pointed.of(drawn, row)
