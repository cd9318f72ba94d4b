"""The links of a mesh without packets, drawn if a node is large enough in pixels."""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.geometry import Mesh
from meshgui.model.scene.channels import link_segments, link_segments_from
from meshgui.model.scene.strokes import Look, Strokes, strokes
from meshgui.model.scene.theme_colours import ThemeColours

Shown = tuple[tuple[int, int], ...]
"""The first and the last node shown along each axis."""

CELLS_BEHIND_LINKS: Final = 0.4  # the opacity of the lines between cells under links
_BESIDE_USE: Final = 0.45  # and of idle links beside those that were used
_LINK: Final = Look(0.022, least=1.0)
_STRENGTH: Final = {2: 0.55, 3: 0.3}
_LANES_APART: Final = {2: 56.0, 3: 110.0}  # pixels of a node from which both directions are drawn
_MOST_LANES: Final = 20_000  # in larger meshes single lanes would slow every turn of the camera
_MOST_ROWS: Final = 800  # of nodes, in 3D: more would be a thicket
_SEEN: Final = {2: (6.0, 18.0), 3: (18.0, 48.0)}  # pixels of a node where links begin to be seen, and are


def idle_strength(mesh: Mesh, node: float, shown: Shown, *, beside_use: bool = False) -> float:
    """The opacity of idle links where a node is this many pixels wide; 0 if they are too few.

    Nor where too many lie behind each other; a slice helps there. Beside links in the colours of their use
    they are fainter than the least used.
    """
    sides = [last - first + 1 for first, last in shown]
    rows = sum(prod(sides) // side for side in sides if side > 1)
    if mesh.dims == 3 and rows > _MOST_ROWS:
        return 0.0
    begin, full = _SEEN[mesh.dims]
    return float(np.clip((node - begin) / (full - begin), 0.0, _BESIDE_USE if beside_use else 1.0))


def idle_apart(mesh: Mesh, node: float) -> bool:
    """Whether the two directions of a link are distinguishable where a node is this many pixels wide."""
    return node >= _LANES_APART[mesh.dims] and 2 * mesh.dims * mesh.processors <= _MOST_LANES


def idle_channels(mesh: Mesh, theme: ThemeColours) -> Strokes:
    """Every link of a mesh, in the thickness of an idle one."""
    channels, starts, ends = link_segments(mesh)
    return strokes(starts, ends, theme.rgba("mesh_edge", _STRENGTH[mesh.dims]), _LINK, -1, channels)


def channels_near(mesh: Mesh, nodes: NDArray[np.integer]) -> Strokes:
    """The links that leave some nodes, invisible, for the pointer to hit."""
    channels, starts, ends = link_segments_from(mesh, nodes)
    return strokes(starts, ends, (0.0, 0.0, 0.0, 0.0), Look(0.0), -1, channels)


def idle_rows(mesh: Mesh, theme: ThemeColours, shown: Shown) -> Strokes:
    """One line through each row of nodes, for both directions of all its links.

    Rows reach over the nodes `shown`, the first and the last along each axis.
    """
    starts, ends = [np.zeros((0, 3), dtype=np.int64)], [np.zeros((0, 3), dtype=np.int64)]
    for axis in range(mesh.dims):
        if shown[axis][0] == shown[axis][1]:
            continue
        across = [range(first, last + 1) for first, last in shown]
        across[axis] = range(shown[axis][0], shown[axis][0] + 1)
        begin = np.stack([side.ravel() for side in np.meshgrid(*across)], axis=1)
        end = begin.copy()
        end[:, axis] = shown[axis][1]
        starts.append(begin)
        ends.append(end)
    colour = theme.rgba("mesh_edge", _STRENGTH[mesh.dims])
    return strokes(
        np.concatenate(starts).astype(np.float32), np.concatenate(ends).astype(np.float32), colour, _LINK
    )
