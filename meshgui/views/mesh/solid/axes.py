"""The axes of the 3D view: grid lines on the back faces, numbers along their outer edges."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize

from meshgui.model.scene.camera import Camera
from meshgui.model.scene.space import EDGE_ON, Space
from meshgui.views.mesh.scene.labels import axis_step
from meshgui.views.style.lettering import LETTERS, Labels, letter_sizes, letters_of
from meshgui.views.style.theme import Dress

_MOST_LINES: Final = 16  # on a wall; the floor of a 2D mesh shows every node,
_MOST_LINES_FLAT: Final = 256  # or this many where there are too many to be seen
_EDGES: Final = ((0, 0), (0, 1), (1, 0), (1, 1))  # along one axis: whether on the far side of each other axis
_UP: Final = 2


def grid_segments(
    space: Space, camera: Camera, colour: tuple[float, ...], *, fine: bool = True
) -> NDArray[np.float32]:
    """The lines between nodes on the back faces, for the segment shader.

    In 3D, and where they are not `fine` on a large 2D mesh, with enough nodes between them that they stand
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


def axis_labels(room: QSize, space: Space, camera: Camera, themes: Dress) -> Labels:
    """The numbers along the axes, outside the mesh, and after the last of each the axis's name."""
    plain, strong = (themes.text(size).pixelSize() for size in ("caption", "body"))
    line = letter_sizes(plain, strong=False)[2]
    seen, sizes = camera.project(_skeleton(space))[:, :2], room.toTuple()
    frame = ((seen * (1, -1) + 1) / 2 * sizes).tolist()
    nodes: list[NDArray[np.float64]] = []
    away: list[tuple[float, float]] = []
    numbers: list[range] = []
    names: list[tuple[int, float, float]] = []
    for axis in range(space.mesh.dims):
        edge = _outer_edge(axis, frame, camera, flat=space.mesh.dims == 2)
        if edge is None:
            continue
        (x, y), (u, v) = (frame[corner] for corner in _ends(axis, *edge))
        long = hypot(u - x, v - y)
        if long < 2 * line:
            continue
        outwards = _outwards((x, y), ((u - x) / long, (v - y) / long), frame[-1], 1.15 * line)
        numbers.append(
            range(0, space.mesh.extents[axis], axis_step(space.mesh.extents[axis], long, 2 * line))
        )
        nodes.append(_along(space, axis, edge, numbers[-1]))
        away += [outwards] * len(numbers[-1])
        ahead = 1.1 * line / long
        names.append((axis, u + outwards[0] + (u - x) * ahead, v + outwards[1] + (v - y) * ahead))
    points = camera.project(np.concatenate([np.zeros((0, 3)), *nodes]))[:, :2]
    at = (points * (1, -1) + 1) / 2 * sizes + np.array(away).reshape(-1, 2)
    places = np.concatenate((at, np.array([place for _, *place in names]).reshape(-1, 2)))
    written = np.concatenate((_digits(tuple(numbers)), _names(tuple(axis for axis, *_ in names))))
    named = np.arange(len(places)) >= len(at)
    labels = Labels(
        places,
        written,
        np.where(named, strong, plain),
        named,
        np.tile(np.array(themes.theme.rgba("mesh_axis", 1.0), dtype=np.float32), (len(places), 1)),
    )
    # Large letters in a low picture: half a number would be another one.
    return labels.only((line / 2 <= places[:, 1]) & (places[:, 1] <= room.height() - line / 2))


@lru_cache(maxsize=16)
def _digits(numbers: tuple[range, ...]) -> NDArray[np.int8]:
    """The letters of the numbers along all axes."""
    return letters_of(np.array([number for along in numbers for number in along], dtype=np.int64))


@lru_cache(maxsize=8)
def _names(axes: tuple[int, ...]) -> NDArray[np.int8]:
    """The letters of the names of axes."""
    letters = np.full((len(axes), letters_of(np.zeros(1, dtype=np.int64)).shape[1]), -1, dtype=np.int8)
    letters[:, -1] = [LETTERS.index("xyz"[axis]) for axis in axes]
    return letters


def _borders(space: Space, axis: int, step: int) -> list[float]:
    """The places of the lines across an axis: between the nodes, and at both ends."""
    count = space.mesh.extents[axis]
    if axis != 2:
        return [float(n) for n in (*range(0, count, step), count)]
    return [n * space.layer for n in range(0, count, step)] + [space.size[2]]


@lru_cache(maxsize=8)
def _skeleton(space: Space) -> NDArray[np.float64]:
    """The eight corners of the mesh, the middles of its twelve edges, and its own."""
    corners = np.array([[n & 1, n >> 1 & 1, n >> 2 & 1] for n in range(8)]) * np.array(space.size)
    ends = [_ends(axis, *edge) for axis in range(3) for edge in _EDGES]
    middles = [(corners[low] + corners[high]) / 2 for low, high in ends]
    return np.array([*corners, *middles, np.array(space.size) / 2])


def _ends(axis: int, high_u: int, high_v: int) -> tuple[int, int]:
    """The numbers of the corners at the ends of an edge along an axis, on one side of each other axis."""
    u, v = (other for other in range(3) if other != axis)
    low = high_u << u | high_v << v
    return low, low | 1 << axis


def _outer_edge(axis: int, frame: list[list[float]], camera: Camera, *, flat: bool) -> tuple[int, int] | None:
    """The edge along an axis where a face seen meets one turned away: the lowest or leftmost; its sides."""
    back = camera.back.tolist()
    u, v = (other for other in range(3) if other != axis)
    if abs(back[axis]) > 1.0 - EDGE_ON / 10:
        return None  # it runs straight into the picture
    across = flat or min(abs(back[u]), abs(back[v])) < EDGE_ON
    # An axis that lies reads along its lower edge, one that stands along its left one.
    lying = abs(camera.right[axis]) >= abs(camera.up[axis])
    best, least = None, 0.0
    for place, edge in enumerate(_EDGES):
        seen_u, seen_v = (back[u] > 0) == edge[0], (back[v] > 0) == edge[1]
        if (flat and _UP in {u, v} and edge[(u, v).index(_UP)]) or not (across or seen_u != seen_v):
            continue
        x, y = frame[8 + 4 * axis + place]
        depth = -y if lying else x
        if best is None or depth < least:
            best, least = edge, depth
    return best


def _along(space: Space, axis: int, edge: tuple[int, int], nodes: range) -> NDArray[np.float64]:
    """The middles of some nodes along an edge of the mesh."""
    u, v = (other for other in range(3) if other != axis)
    points = np.empty((len(nodes), 3))
    points[:, u], points[:, v] = space.size[u] * edge[0], space.size[v] * edge[1]
    spacing, half = (space.layer, space.height / 2) if axis == _UP else (1.0, 0.5)
    points[:, axis] = np.arange(nodes.start, nodes.stop, nodes.step) * spacing + half
    return points


def _outwards(
    start: tuple[float, float], along: tuple[float, float], middle: list[float], reach: float
) -> tuple[float, float]:
    """The way across an edge in the picture that leads away from the middle of the mesh."""
    x, y = -along[1], along[0]
    out = reach if x * (start[0] - middle[0]) + y * (start[1] - middle[1]) > 0 else -reach
    return x * out, y * out
