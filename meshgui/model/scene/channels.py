"""Places channels between nodes, in node coordinates: whole numbers are the middles of nodes.

The two directions between neighbours lie side by side, each to the right of the line between the nodes, so
that packets that come towards each other pass each other. A processor sits beside its router, and its
injection and ejection lead from there to the router and back. A link that closes a ring is cut in the middle:
its first half leaves the mesh on one side, and its second half comes in on the other. Several virtual
channels of a link lie beside each other, the one numbered 0 nearest to the line between the nodes.
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
SEAM: Final = 0.47  # how far from its node the half of a link that closes a ring reaches: into the same cell
_BAND: Final = {2: (0.045, 0.255), 3: (0.03, 0.21)}  # where several virtual channels of a lane lie
_LANE_ROOM: Final = 0.17  # what the strokes of one lane take beside it


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


def channel_segments(
    mesh: Mesh, channels: NDArray[np.integer], virtual: Ints | None = None, of: int = 1
) -> ChannelSegments:
    """The ends of some channels: of one across a seam, those of the half that comes in.

    Where a link has several, `virtual` are their own numbers, and `of` is how many a link has.
    """
    whole = _whole_segments(mesh, channels, virtual, of)
    rows, axes, steps = _across_seams(mesh, whole.channels)
    if len(rows):
        whole.ends[rows, axes] -= steps * np.array(mesh.extents)[axes]
        whole.starts[rows, axes] = whole.ends[rows, axes] - steps * np.float32(SEAM - _ROUTER)
    return whole


def leaving_halves(
    mesh: Mesh, channels: NDArray[np.integer], virtual: Ints | None = None, of: int = 1
) -> tuple[ChannelSegments, NDArray[np.intp]]:
    """The halves of the channels across a seam that leave the mesh, and which of the channels these are."""
    rows, axes, steps = _across_seams(mesh, np.asarray(channels).astype(np.int64))
    halves = _whole_segments(mesh, channels[rows], None if virtual is None else virtual[rows], of)
    places = np.arange(len(rows))
    halves.ends[places, axes] = halves.starts[places, axes] + steps * np.float32(SEAM - _ROUTER)
    return halves, rows


def lane_begins(way: ChannelSegments, leaving: ChannelSegments, across: NDArray[np.intp]) -> Floats32:
    """Where each channel begins: of one across a seam, where its leaving half does."""
    begins = way.starts.copy()
    begins[across] = leaving.starts
    return begins


def lanes(
    mesh: Mesh, channels: NDArray[np.integer], virtual: Ints | None = None, of: int = 1
) -> tuple[ChannelSegments, NDArray[np.intp]]:
    """All parts of some channels, and of which of them each is: two halves of those across a seam."""
    whole = channel_segments(mesh, channels, virtual, of)
    halves, rows = leaving_halves(mesh, channels, virtual, of)
    together = ChannelSegments(
        np.concatenate((whole.channels, halves.channels)),
        np.concatenate((whole.starts, halves.starts)),
        np.concatenate((whole.ends, halves.ends)),
    )
    return together, np.concatenate((np.arange(len(whole.channels)), rows))


def lane_scale(mesh: Mesh, of: int) -> float:
    """The share of their usual width that strokes have where a link has several virtual channels."""
    low, high = _BAND[mesh.dims]
    return 1.0 if of == 1 else min(1.0, (high - low) / of / _LANE_ROOM)


def _whole_segments(
    mesh: Mesh, channels: NDArray[np.integer], virtual: Ints | None, of: int
) -> ChannelSegments:
    """The ends of some channels; one across a seam leads out of the mesh."""
    numbers = np.asarray(channels).astype(np.int64)
    begin, end = _offsets(mesh.dims)
    nodes = places(mesh, numbers // WAYS).astype(np.float32)
    ways = numbers % WAYS
    starts, ends = nodes + begin[ways], nodes + end[ways]
    if of > 1 and virtual is not None:
        low, high = _BAND[mesh.dims]
        offset = low + (high - low) * (np.maximum(virtual, 0) + 0.5) / of - _LANE_OFFSET[mesh.dims]
        beside = _beside(mesh.dims)[np.minimum(ways, LINKS - 1)] * offset[:, None].astype(np.float32)
        beside[ways >= LINKS] = 0.0
        starts, ends = starts + beside, ends + beside
    return ChannelSegments(numbers, starts, ends)


def _across_seams(mesh: Mesh, channels: Ints) -> tuple[NDArray[np.intp], Ints, Ints]:
    """Which of some channels close a ring; the axis of each, and its step along it, 1 or -1."""
    if not any(mesh.rings):
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, nothing
    ways = channels % WAYS
    axes = np.minimum(ways // 2, 2)
    at = np.take_along_axis(places(mesh, channels // WAYS), axes[:, None], axis=1)[:, 0]
    edge = np.where(ways % 2 == 0, np.array(mesh.extents)[axes] - 1, 0)
    rows = np.flatnonzero((ways < LINKS) & np.array(mesh.rings)[axes] & (at == edge))
    return rows, axes[rows], 1 - 2 * (ways[rows] % 2)


@lru_cache(maxsize=2)
def link_segments(mesh: Mesh, of: int = 1) -> ChannelSegments:
    """The links of a mesh, one direction after another, each with `of` virtual channels."""
    found = link_segments_from(mesh, np.arange(mesh.processors), of)
    for array in found:
        array.flags.writeable = False
    return found


def link_segments_from(mesh: Mesh, nodes: NDArray[np.integer], of: int = 1) -> ChannelSegments:
    """The links that leave some nodes, one direction after another; halves of those across a seam follow."""
    at = places(mesh, nodes)
    there = []
    for way, step in enumerate(STEPS):
        beyond = at + np.array(step)
        inside = (((beyond >= 0) & (beyond < np.array(mesh.extents))) | np.array(mesh.rings)).all(axis=1)
        there.append(nodes[inside].astype(np.int64) * WAYS + way)
    links = np.concatenate(there)
    return lanes(mesh, np.repeat(links, of), np.tile(np.arange(of), len(links)), of)[0]


def ports(mesh: Mesh, nodes: NDArray[np.integer]) -> Floats32:
    """The places of the processors of some nodes, beside their routers."""
    there: Floats32 = places(mesh, nodes).astype(np.float32) + _corner(mesh.dims) * np.float32(_PORT[1])
    return there


def _corner(dims: int) -> Floats32:
    return np.array([1.0, 1.0, 1.0 if dims == 3 else 0.0], dtype=np.float32)


def _offsets(dims: int) -> tuple[Floats32, Floats32]:
    """The offsets from a node's middle to the two ends of its channel in each way."""
    steps = np.array(STEPS, dtype=np.float32)
    beside = _beside(dims) * np.float32(_LANE_OFFSET[dims])
    begin, end = np.zeros((WAYS, 3), np.float32), np.zeros((WAYS, 3), np.float32)
    begin[:LINKS] = beside + steps * np.float32(_ROUTER)
    end[:LINKS] = beside + steps * np.float32(1.0 - _ROUTER)
    near, far = (_corner(dims) * np.float32(reach) for reach in _PORT)
    slip = np.array([-_SLIP, _SLIP, 0.0], dtype=np.float32)
    begin[LINKS], end[LINKS] = far + slip, near + slip
    begin[LINKS + 1], end[LINKS + 1] = near - slip, far - slip
    return begin, end


def _beside(dims: int) -> Floats32:
    """The direction from the line between two nodes to the lane of each way, one long."""
    # To the right as seen from above; in 3D also down or sideways, so that no straight view makes two one.
    right = np.array([(0, -1, 0), (1, 0, 0), (1, -1, 0)], dtype=np.float32)
    if dims == 3:
        right += np.array([(0, 0, -1), (0, 0, -1), (0, 0, 0)], dtype=np.float32)
        right /= np.float32(np.sqrt(2.0))
    beside: Floats32 = np.repeat(right, 2, axis=0) * np.tile(np.array([[1.0], [-1.0]], np.float32), (3, 1))
    return beside
