"""The axes of the 3D view: grid lines on the back faces, numbers along their outer edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.views.mesh.scene.labels import axis_step
from meshgui.views.mesh.solid.camera import Camera
from meshgui.views.mesh.solid.layout import EDGE_ON, Space

__all__ = ["Tick", "grid_segments", "ticks"]

_MOST_LINES: Final = 16  # on a wall; the floor of a 2D mesh shows every node,
_MOST_LINES_FLAT: Final = 256  # or so many where they are too many to be seen


class Tick(NamedTuple):
    """A number or a name beside an axis: where it stands in the picture (pixels)."""

    x: float
    y: float
    text: str
    name: bool  # the axis's own name


def grid_segments(
    space: Space, camera: Camera, colour: tuple[float, ...], *, fine: bool = True
) -> NDArray[np.float32]:
    """The lines between nodes on the back faces, for the segment shader.

    In 3D, and where they are not `fine` on a large 2D mesh, with so many nodes between them that they stand
    apart.
    """
    size = space.size
    nodes = space.mesh.extents
    lines: list[list[float]] = []
    for normal in range(3):
        if abs(camera.back[normal]) < EDGE_ON or (space.mesh.dims == 2 and normal != 2):
            continue
        at = 0.0 if camera.back[normal] > 0 or space.mesh.dims == 2 else size[normal]
        for across, along in ((a, b) for a in range(3) for b in range(3) if len({a, b, normal}) == 3):
            step = axis_step(nodes[across], _MOST_LINES, 1.0)
            if space.mesh.dims == 2:
                step = 1 if fine else axis_step(nodes[across], _MOST_LINES_FLAT, 1.0)
            for place in _borders(space, across, step):
                start = [0.0, 0.0, 0.0]
                start[normal], start[across] = at, place
                end = list(start)
                end[along] = size[along]
                lines.append([*start, *end, *colour, 1.0])
    return np.array(lines, dtype=np.float32).reshape(-1, 11)


def ticks(space: Space, camera: Camera, width: int, height: int, text: float) -> list[Tick]:
    """The numbers and names of the axes in a picture of that size; `text` is the height of a number."""
    size = np.array(space.size)
    found: list[Tick] = []
    for axis in range(3):
        if space.mesh.dims == 2 and axis == 2:
            continue
        edge = _outer_edge(axis, size, camera, flat=space.mesh.dims == 2)
        if edge is not None:
            found.extend(_along(axis, edge, space, camera, (width, height), text))
    return found


def _borders(space: Space, axis: int, step: int) -> list[float]:
    """The places of the lines across an axis: between the nodes, and at both ends."""
    count = space.mesh.extents[axis]
    if axis != 2:
        return [float(n) for n in (*range(0, count, step), count)]
    return [n * space.layer for n in range(0, count, step)] + [space.size[2]]


def _outer_edge(
    axis: int, size: NDArray[np.float64], camera: Camera, *, flat: bool
) -> NDArray[np.float64] | None:
    """A point on the edge along an axis where a face seen meets one turned away: the lowest or leftmost."""
    u, v = (other for other in range(3) if other != axis)
    if abs(camera.back[axis]) > 1.0 - EDGE_ON / 10:
        return None  # it runs straight into the picture
    candidates = []
    for high_u in (False, True):
        for high_v in (False, True):
            seen_u = (camera.back[u] > 0) == high_u
            seen_v = (camera.back[v] > 0) == high_v
            if seen_u != seen_v or flat or min(abs(camera.back[u]), abs(camera.back[v])) < EDGE_ON:
                point = np.zeros(3)
                point[u], point[v] = size[u] * high_u, size[v] * high_v
                if not (flat and point[2] > 0):
                    candidates.append(point)
    middles = np.array(candidates)
    middles[:, axis] = size[axis] / 2
    places = camera.project(middles)
    # An axis that lies reads along its lower edge, one that stands along its left one.
    lying = abs(camera.right[axis]) >= abs(camera.up[axis])
    edge: NDArray[np.float64] = middles[int(np.argmin(places[:, 1 if lying else 0]))]
    return edge


def _along(
    axis: int,
    edge: NDArray[np.float64],
    space: Space,
    camera: Camera,
    picture: tuple[int, int],
    text: float,
) -> Iterator[Tick]:
    """The numbers along one edge, moved away from the mesh, and the axis's name after the last."""
    count = space.mesh.extents[axis]
    spacing, half = (space.layer, space.height / 2) if axis == 2 else (1.0, 0.5)
    ends = np.tile(edge, (2, 1))
    ends[:, axis] = 0.0, space.size[axis]
    scale = np.array(picture) / 2.0
    drawn = camera.project(ends)[:, :2] * scale
    room = float(np.linalg.norm(drawn[1] - drawn[0]))
    if room < 2 * text:
        return
    step = axis_step(count, room, 2.0 * text)
    nodes = np.arange(0, count, step)
    points = np.tile(edge, (len(nodes), 1))
    points[:, axis] = nodes * spacing + half
    middle = camera.project(np.array([space.size]) / 2)[0, :2] * scale
    away = _outwards(drawn, middle) * text * 1.15
    for node, place in zip(nodes, camera.project(points)[:, :2] * scale + away, strict=True):
        yield Tick(float(place[0] + scale[0]), float(scale[1] - place[1]), str(node), name=False)
    direction = (drawn[1] - drawn[0]) / room
    x, y = drawn[1] + away + direction * text * 1.1
    yield Tick(float(x + scale[0]), float(scale[1] - y), "xyz"[axis], name=True)


def _outwards(drawn: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction across an edge in the picture that leads away from the middle of the mesh."""
    along = (drawn[1] - drawn[0]) / np.linalg.norm(drawn[1] - drawn[0])
    across = np.array([-along[1], along[0]])
    outwards: NDArray[np.float64] = across if across @ (drawn[0] - middle) > 0 else -across
    return outwards
