"""The links of a mesh without packets, drawn if a node is large enough in pixels.

A ring is cut at its seam: its links leave the mesh on one side and come in on the other. Both ends have the
same sign, one for each axis, whether the links between them are drawn or not.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.geometry import Mesh
from meshgui.model.scene.channels import SEAM, link_segments, link_segments_from
from meshgui.model.scene.strokes import NOTHING, Look, Strokes, strokes
from meshgui.model.scene.theme_colours import ThemeColours

Shown = tuple[tuple[int, int], ...]
"""The first and the last node shown along each axis."""

CELLS_BEHIND_LINKS: Final = 0.4  # the opacity of the lines between cells under links
_BESIDE_USE: Final = 0.45  # and of idle links beside those that were used
_LINK: Final = Look(0.022, least=1.0)
_STRENGTH: Final = {2: 0.55, 3: 0.3}
_DISC: Final = Look(0.12, least=3.0, level=1)
_CIRCLE: Final = Look(0.15, least=4.0, hole=0.58, level=1)
_WIDE_CIRCLE: Final = Look(0.19, least=6.0, hole=0.72, level=1)
_DOT: Final = Look(0.07, least=2.0, level=1)
_SIGN_STRENGTH: Final = {2: 1.0, 3: 0.6}
SEAM_SIGNS: Final = ((_DISC,), (_CIRCLE,), (_WIDE_CIRCLE, _DOT))
"""The sign of the two ends of a ring along each axis."""
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


def idle_apart(mesh: Mesh, node: float, of: int = 1) -> bool:
    """Whether a link's directions and channels are distinguishable where a node is this many pixels wide."""
    return node >= _LANES_APART[mesh.dims] and 2 * mesh.dims * mesh.processors * of <= _MOST_LANES


def seam_signs(
    mesh: Mesh, theme: ThemeColours, shown: Shown, seen: Callable[[Strokes], Strokes] = lambda rows: rows
) -> Strokes:
    """The signs at both ends of each row that is a ring, of the rows that are `seen`."""
    signs = [NOTHING]
    colour = theme.rgba("mesh_axis", _SIGN_STRENGTH[mesh.dims])
    rows = seen(idle_rows(mesh, theme, shown)) if any(mesh.rings) else NOTHING
    for axis in range(mesh.dims):
        along = rows.only(rows.ends[:, axis] > rows.starts[:, axis])
        starts, ends = along.starts, along.ends
        last = mesh.extents[axis] - 1
        at = np.concatenate((starts[starts[:, axis] < 0], ends[ends[:, axis] > last]))
        signs += [strokes(at, at, colour, look) for look in SEAM_SIGNS[axis]]
    return Strokes.together(signs)


def idle_links(mesh: Mesh, theme: ThemeColours, shown: Shown, *, of: int, apart: bool) -> Strokes:
    """All links of a mesh: each of `of` virtual channels by itself, or one line a row."""
    return idle_channels(mesh, theme, of) if apart else idle_rows(mesh, theme, shown)


def idle_channels(mesh: Mesh, theme: ThemeColours, of: int = 1) -> Strokes:
    """Every link of a mesh, in the thickness of an idle one; where it has several channels, all of them."""
    channels, starts, ends = link_segments(mesh, of)
    return strokes(starts, ends, theme.rgba("mesh_edge", _STRENGTH[mesh.dims]), _LINK, -1, channels)


def channels_near(mesh: Mesh, nodes: NDArray[np.integer], of: int = 1) -> Strokes:
    """The links that leave some nodes, invisible, for the pointer to hit."""
    channels, starts, ends = link_segments_from(mesh, nodes, of)
    return strokes(starts, ends, (0.0, 0.0, 0.0, 0.0), Look(0.0), -1, channels)


def idle_rows(mesh: Mesh, theme: ThemeColours, shown: Shown) -> Strokes:
    """One line through each row of nodes, for both directions of all its links.

    Rows reach over the nodes `shown`, the first and the last along each axis; rings a little further.
    """
    starts, ends = [np.zeros((0, 3))], [np.zeros((0, 3))]
    for axis in range(mesh.dims):
        if shown[axis][0] == shown[axis][1]:
            continue
        across = [range(first, last + 1) for first, last in shown]
        across[axis] = range(shown[axis][0], shown[axis][0] + 1)
        begin = np.stack([side.ravel() for side in np.meshgrid(*across)], axis=1).astype(np.float64)
        end = begin.copy()
        end[:, axis] = shown[axis][1]
        if mesh.rings[axis]:
            begin[:, axis] -= SEAM if shown[axis][0] == 0 else 0.0
            end[:, axis] += SEAM if shown[axis][1] == mesh.extents[axis] - 1 else 0.0
        starts.append(begin)
        ends.append(end)
    colour = theme.rgba("mesh_edge", _STRENGTH[mesh.dims])
    return strokes(
        np.concatenate(starts).astype(np.float32), np.concatenate(ends).astype(np.float32), colour, _LINK
    )
