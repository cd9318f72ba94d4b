"""Signs on the lanes that packets hold: of the seams they cross, and of their virtual channels.

A worm across a seam has the sign of its ring at both of its ends there. Where links have several virtual
channels, a thread along each worm has its channel's colour; its second sign is the lane's place: channel 0 is
nearest to the line between the nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Floats32, Ints
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.record import NetworkMoment
from meshgui.engine.network.routing import LINKS, WAYS
from meshgui.model.scene.channels import lane_scale, lanes
from meshgui.model.scene.heat import line_colours
from meshgui.model.scene.idle_links import SEAM_SIGNS
from meshgui.model.scene.strokes import Look, Strokes, strokes
from meshgui.model.scene.theme_colours import ThemeColours

_LEVEL: Final = 4.5  # over bodies, under flits
_THREAD: Final = Look(0.05, least=1.0, level=4.2)


def seams_crossed(mesh: Mesh, moment: NetworkMoment, of: int, colours: Floats32) -> Iterator[Strokes]:
    """The signs of rings at both ends of what packets hold across a seam, each in its lane's colour."""
    held = len(moment.held_channels)
    parts, row = lanes(mesh, moment.held_channels, moment.held_virtual, of)
    came_in, went_out = row[held:], np.arange(held, len(row))
    at = np.concatenate((parts.starts[came_in], parts.ends[went_out]))
    lane = np.concatenate((came_in, came_in))
    axes = moment.held_channels[lane] % WAYS // 2
    for axis in range(mesh.dims):
        along = np.flatnonzero(axes == axis)
        owners, channels = moment.held_by[lane[along]], moment.held_channels[lane[along]]
        for look in SEAM_SIGNS[axis]:
            sign = look._replace(width=look.width * lane_scale(mesh, of), level=_LEVEL)
            yield strokes(at[along], at[along], colours[lane[along]], sign, owners, channels)


def channel_threads(
    mesh: Mesh, moment: NetworkMoment, of: int, theme: ThemeColours, shown: Ints
) -> Iterator[Strokes]:
    """A thread in the colour of its virtual channel along each of some links that packets hold."""
    if of == 1:
        return
    rows = shown[moment.held_channels[shown] % WAYS < LINKS]
    virtual = moment.held_virtual[rows]
    parts, row = lanes(mesh, moment.held_channels[rows], virtual, of)
    colours = channel_colours(virtual[row], of, theme)
    look = _THREAD._replace(width=_THREAD.width * lane_scale(mesh, of))
    yield strokes(parts.starts, parts.ends, colours, look, moment.held_by[rows[row]], parts.channels)


def channel_colours(virtual: Ints, of: int, theme: ThemeColours) -> Floats32:
    """The colours of virtual channels, on a scale from the first to the last of a link."""
    return line_colours(virtual / max(of - 1, 1), theme)
