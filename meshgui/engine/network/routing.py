"""Channels and routes in dimension order: x first, then y, then z, or the other way round.

Every node has eight channels, numbered `8 * node + way`: its six links to neighbours, its injection and its
ejection. Nodes are numbered in row-major order. A route is a row of channels: injection at the source, one
link for every hop, ejection at the target; where ports are free, the links alone. Along a ring a route takes
the shorter way, and of two equal ones the positive one. On a mesh no such routes can deadlock; on rings they
can, unless links have several virtual channels.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, node_at, node_number, places, ramps
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.translation import tr

AXES: Final = ("x", "y", "z")
WAYS: Final = 8
LINKS: Final = 6
INJECT: Final = 6
EJECT: Final = 7
STEPS: Final = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
"""Where each of a node's links leads."""


class Roads(NamedTuple):
    """What the kernels know of a mesh; the coordinates of its nodes are an array of their own."""

    sides: tuple[int, int, int]
    strides: tuple[int, int, int]  # between the numbers of neighbours in x, y and z
    rings: tuple[bool, bool, bool]  # whether an axis is one


def roads_of(mesh: Mesh) -> Roads:
    """What the kernels know of a mesh."""
    width, depth, _ = mesh.extents
    return Roads(mesh.extents, (1, width, width * depth), mesh.rings)


def distances(mesh: Mesh, sources: NDArray[np.integer], targets: NDArray[np.integer]) -> Ints:
    """The hops between nodes."""
    return hops_between(mesh, places(mesh, sources), places(mesh, targets))


def hops_between(mesh: Mesh, sources: Ints, targets: Ints) -> Ints:
    """The hops between nodes given by their coordinates `[…, 3]`."""
    gaps = np.abs(sources - targets)
    hops: Ints = np.where(mesh.rings, np.minimum(gaps, np.array(mesh.extents) - gaps), gaps).sum(axis=-1)
    return hops


def ends(mesh: Mesh, channels: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """The nodes `[n, 3]` between which channels lead; the processor's own channels stay at theirs."""
    channels = np.asarray(channels, dtype=np.int64)
    begin = places(mesh, channels // WAYS)
    steps = np.array([*STEPS, (0, 0, 0), (0, 0, 0)], dtype=np.int64)
    beyond = begin + steps[channels % WAYS]
    return begin, np.where(mesh.rings, beyond % np.array(mesh.extents), beyond)


def links(mesh: Mesh) -> Ints:
    """The channels between neighbours that a mesh has, in order of number."""
    channels = np.arange(mesh.processors * WAYS)
    channels = channels[channels % WAYS < LINKS]
    _, beyond = ends(mesh, channels)
    there: Ints = channels[((beyond >= 0) & (beyond < np.array(mesh.extents))).all(axis=1)]
    return there


@kernel(inline=True)
def gap_between(here: int, there: int, side: int, ring: bool) -> int:
    """The steps from one coordinate to another, negative ones the other way."""
    gap = there - here
    if ring:
        gap %= side
        if 2 * gap > side:
            gap -= side
    return gap


@kernel
def neighbour(node: int, way: int, roads: Roads, nodes: Ints32) -> int:
    """The node to which a link leads; `nodes` are the coordinates of all."""
    axis = way // 2
    side, stride, at = roads.sides[axis], roads.strides[axis], nodes[node, axis]
    if way % 2 == 0:
        return node + (stride if at < side - 1 else -at * stride)
    return node + (-stride if at > 0 else (side - 1) * stride)


@kernel
def route_length(source: int, target: int, nodes: Ints32, roads: Roads, ends: int) -> int:
    """How many channels a packet passes, `ends` of them processors'; `nodes` are the coordinates of all."""
    length = ends
    for axis in range(3):
        here, there = nodes[source, axis], nodes[target, axis]
        length += abs(gap_between(here, there, roads.sides[axis], roads.rings[axis]))
    return length


@kernel
def lay_route(
    source: int,
    target: int,
    nodes: Ints32,
    roads: Roads,
    backwards: bool,
    ends: int,
    channels: Ints32,
    at: int,
) -> int:
    """Write the channels of a route from a place in a row on; the place behind them.

    Its axes come in the order x, y, z, or `backwards`.
    """
    here = source
    if ends:
        channels[at] = here * WAYS + INJECT
        at += 1
    for turn in range(3):
        axis = 2 - turn if backwards else turn
        start, side = nodes[source, axis], roads.sides[axis]
        gap = gap_between(start, nodes[target, axis], side, roads.rings[axis])
        way = 2 * axis + (1 if gap < 0 else 0)
        step = roads.strides[axis] if gap > 0 else -roads.strides[axis]
        edge = side - 1 - start if gap > 0 else start  # the steps up to the seam of a ring
        for taken in range(abs(gap)):
            channels[at] = here * WAYS + way
            here += step if taken != edge else step - side * step
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


def spans(first: Ints, packets: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """The rows that the routes of some packets take, one after another, and each row's place in its route."""
    begin = first[packets]
    counts = first[np.asarray(packets) + 1] - begin
    steps = ramps(counts)
    return np.repeat(begin, counts) + steps, steps
