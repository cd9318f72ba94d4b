"""The part of a state by which requests are turned."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from meshgui.engine.allocation.kernel_strategy import orders_of, turned
from meshgui.engine.basics.arrays import Ints32
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.kernel import kernel


class Turning(NamedTuple):
    """What a strategy needs to try a request in all its orientations."""

    extents: Ints32  # of the mesh
    orders: Ints32  # see `orders_of`
    room: Ints32  # for the orientations of a request


def turning(mesh: Mesh, *, turns: bool, room: int = 6) -> Turning:
    """The part for requests on a mesh, which are turned or not; with room for this many shapes of one."""
    extents = np.array(mesh.extents, dtype=np.int32)
    return Turning(extents, orders_of(mesh.dims, turns), np.empty((room, 3), dtype=np.int32))


@kernel
def oriented(requests: Turning, w: int, d: int, h: int) -> int:
    """Write the orientations of a request into the room: how many. To answer with an array takes longer."""
    return turned(w, d, h, requests.orders, requests.extents, requests.room)
