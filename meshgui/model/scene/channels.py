"""Places channels between nodes, in node coordinates: whole numbers are the middles of nodes.

The two directions between neighbours lie side by side, each to the right of the line between the nodes, so
that packets that come towards each other pass each other. A processor sits beside its router, and its
injection and ejection lead from there to the router and back.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats32, Ints
from meshgui.engine.basics.geometry import Mesh, places
from meshgui.engine.network.routing import LINKS, STEPS, WAYS

_LANE_OFFSET: Final = {2: 0.15, 3: 0.11}  # how far a lane lies beside the line between two nodes
_ROUTER: Final = 0.25  # how far from a node's middle its lanes begin and end
_PORT: Final = (0.21, 0.36)  # how far along each axis a processor's channels reach from its router
_SLIP: Final = 0.055  # how far injection and ejection lie beside each other


class ChannelSegments(NamedTuple):
    """Channels with their ends."""

    channels: Ints
    starts: Floats32  # [n, 3]
    ends: Floats32  # [n, 3]

    @property
    def ways(self) -> Floats32:
        """The direction of each, one long."""
        along = self.ends - self.starts
        ways: Floats32 = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        return ways

    def only(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> ChannelSegments:
        """The segments of some rows."""
        return ChannelSegments(self.channels[rows], self.starts[rows], self.ends[rows])

    def points(self, shares: NDArray[np.floating]) -> Floats32:
        """The point at a share of each, from 0 to 1."""
        along: Floats32 = self.starts + (self.ends - self.starts) * shares[:, None].astype(np.float32)
        return along


def channel_segments(mesh: Mesh, channels: NDArray[np.integer]) -> ChannelSegments:
    """The ends of some channels."""
    numbers = np.asarray(channels).astype(np.int64)
    begin, end = _offsets(mesh.dims)
    nodes = places(mesh, numbers // WAYS).astype(np.float32)
    ways = numbers % WAYS
    return ChannelSegments(numbers, nodes + begin[ways], nodes + end[ways])


@lru_cache(maxsize=2)
def link_segments(mesh: Mesh) -> ChannelSegments:
    """The links of a mesh, one direction after another."""
    found = link_segments_from(mesh, np.arange(mesh.processors))
    for array in found:
        array.flags.writeable = False
    return found


def link_segments_from(mesh: Mesh, nodes: NDArray[np.integer]) -> ChannelSegments:
    """The links that leave some nodes, one direction after another."""
    at = places(mesh, nodes)
    there = []
    for way, step in enumerate(STEPS):
        beyond = at + np.array(step)
        inside = ((beyond >= 0) & (beyond < np.array(mesh.extents))).all(axis=1)
        there.append(nodes[inside].astype(np.int64) * WAYS + way)
    return channel_segments(mesh, np.concatenate(there))


def ports(mesh: Mesh, nodes: NDArray[np.integer]) -> Floats32:
    """The places of the processors of some nodes, beside their routers."""
    there: Floats32 = places(mesh, nodes).astype(np.float32) + _corner(mesh.dims) * np.float32(_PORT[1])
    return there


def _corner(dims: int) -> Floats32:
    return np.array([1.0, 1.0, 1.0 if dims == 3 else 0.0], dtype=np.float32)


def _offsets(dims: int) -> tuple[Floats32, Floats32]:
    """The offsets from a node's middle to the two ends of its channel in each way."""
    steps = np.array(STEPS, dtype=np.float32)
    # To the right as seen from above; in 3D also down or sideways, so that no straight view makes two one.
    right = np.array([(0, -1, 0), (1, 0, 0), (1, -1, 0)], dtype=np.float32)
    if dims == 3:
        right += np.array([(0, 0, -1), (0, 0, -1), (0, 0, 0)], dtype=np.float32)
    right *= np.float32(_LANE_OFFSET[dims] / (np.sqrt(2.0) if dims == 3 else 1.0))
    beside = np.repeat(right, 2, axis=0) * np.tile(np.array([[1.0], [-1.0]], dtype=np.float32), (3, 1))
    begin, end = np.zeros((WAYS, 3), np.float32), np.zeros((WAYS, 3), np.float32)
    begin[:LINKS] = beside + steps * np.float32(_ROUTER)
    end[:LINKS] = beside + steps * np.float32(1.0 - _ROUTER)
    near, far = (_corner(dims) * np.float32(reach) for reach in _PORT)
    slip = np.array([-_SLIP, _SLIP, 0.0], dtype=np.float32)
    begin[LINKS], end[LINKS] = far + slip, near + slip
    begin[LINKS + 1], end[LINKS + 1] = near - slip, far - slip
    return begin, end
