"""Channels and routes: x first, then y, then z (dimension order), which cannot deadlock.

Every node has eight channels, numbered `8 * node + way`: its six links to neighbours, its injection and its
ejection. Nodes are numbered in row-major order. A route is a row of channels: injection at the source, one
link for every hop, ejection at the target; where ports are free, the links alone.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.geometry import Mesh, node_at, node_number, places, ramps
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

WAYS: Final = 8
LINKS: Final = 6
INJECT: Final = 6
EJECT: Final = 7
STEPS: Final = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
"""Where each of a node's links leads."""


def distances(mesh: Mesh, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> NDArray[np.int64]:
    """The hops between nodes."""
    hops: NDArray[np.int64] = np.abs(places(mesh, sources) - places(mesh, targets)).sum(axis=-1)
    return hops


def ends(mesh: Mesh, channels: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The nodes `[n, 3]` between which channels lead; the processor's own channels stay at theirs."""
    channels = np.asarray(channels, dtype=np.int64)
    begin = places(mesh, channels // WAYS)
    steps = np.array([*STEPS, (0, 0, 0), (0, 0, 0)], dtype=np.int64)
    return begin, begin + steps[channels % WAYS]


def links(mesh: Mesh) -> NDArray[np.int64]:
    """The channels between neighbours that a mesh has, in order of number."""
    channels = np.arange(mesh.processors * WAYS)
    channels = channels[channels % WAYS < LINKS]
    _, beyond = ends(mesh, channels)
    there: NDArray[np.int64] = channels[((beyond >= 0) & (beyond < np.array(mesh.extents))).all(axis=1)]
    return there


@kernel
def route_length(source: int, target: int, nodes: NDArray[np.int32], ends: int) -> int:
    """How many channels a packet passes, `ends` of them processors'; `nodes` are the coordinates of all."""
    length = ends
    for axis in range(3):
        length += abs(nodes[target, axis] - nodes[source, axis])
    return length


@kernel
def lay_route(
    source: int,
    target: int,
    nodes: NDArray[np.int32],
    strides: tuple[int, int, int],
    ends: int,
    channels: NDArray[np.int32],
    at: int,
) -> int:
    """Write the channels of a route from a place in a row on; the place behind them."""
    here = source
    if ends:
        channels[at] = here * WAYS + INJECT
        at += 1
    for axis in range(3):
        gap = nodes[target, axis] - nodes[source, axis]
        way = 2 * axis + (1 if gap < 0 else 0)
        step = strides[axis] if gap > 0 else -strides[axis]
        for _ in range(abs(gap)):
            channels[at] = here * WAYS + way
            here += step
            at += 1
    if ends:
        channels[at] = here * WAYS + EJECT
        at += 1
    return at


def describe_node(mesh: Mesh, number: int) -> str:
    """The coordinates of a node as text, e.g. (2,3)."""
    return f"({','.join(map(str, node_at(mesh, number)[: mesh.dims]))})"


def describe_channel(mesh: Mesh, channel: int) -> str:
    """A channel as text: (2,3)→(3,3), or the processor's own: into (2,3), out of (3,3)."""
    node, way = divmod(int(channel), WAYS)
    here = describe_node(mesh, node)
    if way == INJECT:
        return tr("into {here}").format(here=here)
    if way == EJECT:
        return tr("out of {here}").format(here=here)
    _, beyond = ends(mesh, np.array([channel]))
    there = tuple(beyond[0].tolist())
    return f"{here}→{describe_node(mesh, node_number(mesh, there))}"


def spans(
    first: NDArray[np.int64], packets: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows that the routes of some packets take, one after another, and each row's place in its route."""
    begin = first[packets]
    counts = first[np.asarray(packets) + 1] - begin
    steps = ramps(counts)
    return np.repeat(begin, counts) + steps, steps
