"""The links of a mesh while nothing is in them, as far as the nodes have pixels enough to show them."""

from __future__ import annotations

from typing import Final

import numpy as np

from meshgui.engine.geometry import Mesh
from meshgui.engine.network.routing import ends, places
from meshgui.views.network_geometry import links
from meshgui.views.strokes import Look, Strokes, strokes
from meshgui.views.theme import Theme

__all__ = ["idle_apart", "idle_links", "idle_strength", "lanes_to_point_at"]

_LINK: Final = Look(0.022, least=1.0)
_ROUTER: Final = Look(0.1, least=1.5, fades=1)
_IDLE_STRENGTH: Final = {2: 0.55, 3: 0.3}
_LANES_APART: Final = {2: 56.0, 3: 110.0}
_IDLE: Final = {2: (6.0, 18.0), 3: (12.0, 48.0)}  # pixels of a node where links begin to be seen, and are


def idle_links(mesh: Mesh, theme: Theme, *, apart: bool) -> Strokes:
    """Every link of a mesh, as thin as it is while nothing is in it, and its routers.

    Where there is room both directions are drawn, else one line for both.
    """
    channels, starts, stops = links(mesh)
    routers = places(mesh, np.arange(mesh.processors)).astype(np.float32)
    colour = theme.rgba("mesh_edge", _IDLE_STRENGTH[mesh.dims])
    if not apart:
        forth = channels % 2 == 0
        channels = channels[forth]
        starts, stops = (nodes.astype(np.float32) for nodes in ends(mesh, channels))
    between = strokes(starts, stops, colour, _LINK, -1, channels)
    return Strokes.together([between, strokes(routers, routers, colour, _ROUTER)])


def idle_strength(node: float, dims: int) -> float:
    """How strongly idle links are drawn where a node is so many pixels wide: not at all if too few."""
    begin, full = _IDLE[dims]
    return float(np.clip((node - begin) / (full - begin), 0.0, 1.0))


def idle_apart(node: float, dims: int) -> bool:
    """Whether both directions of a link can be told apart where a node is so many pixels wide."""
    return node >= _LANES_APART[dims]


def lanes_to_point_at(mesh: Mesh) -> Strokes:
    """The lanes of all links, with nothing to see of them."""
    channels, starts, stops = links(mesh)
    return strokes(starts, stops, (0.0, 0.0, 0.0, 0.0), Look(0.0), -1, channels)
