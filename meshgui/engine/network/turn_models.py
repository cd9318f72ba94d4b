"""The links and virtual channels that a header may take at a router.

Only links that lead nearer to the target: all of them, or those that a turn model leaves (Glass and Ni 1992,
Chiu 2000), in the order x, y, z. Links of rings have their virtual channels in two classes, which a packet
takes before and from the seam on (Dally and Seitz 1987): so no circle of channels closes around the ring.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.routing import EJECT, INJECT, LINKS, WAYS, Roads, gap_between, neighbour
from meshgui.engine.network.switching import (
    ADAPTIVE,
    NEGATIVE_FIRST,
    NORTH_LAST,
    ODD_EVEN,
    WEST_FIRST,
    XY,
    YX,
)

_WEST = 1
_NORTH = 2


@kernel
def permitted(
    routing: int, here: int, source: int, target: int, nodes: Ints32, roads: Roads, ways: Ints32
) -> int:
    """Write the ways that a header may take at a node into the first of `ways`: how many there are.

    At its target that is the ejection.
    """
    count = 0
    for axis in range(3):
        gap = gap_between(nodes[here, axis], nodes[target, axis], roads.sides[axis], roads.rings[axis])
        if gap != 0:
            ways[count] = 2 * axis + (1 if gap < 0 else 0)
            count += 1
    if count == 0:
        ways[0] = EJECT
        return 1
    if routing == ADAPTIVE or count == 1:
        return count
    if routing == XY:
        return 1
    if routing == YX:
        ways[0] = ways[count - 1]
        return 1
    if routing == WEST_FIRST:
        return 1 if ways[0] == _WEST else count
    if routing == NORTH_LAST:
        return 1 if ways[1] == _NORTH else count
    if routing == ODD_EVEN:
        return _odd_even(here, source, target, nodes, ways)
    if routing == NEGATIVE_FIRST:
        negative = 0
        for i in range(count):
            if ways[i] % 2:
                ways[negative] = ways[i]
                negative += 1
        return negative or count
    return 0


@kernel
def _odd_even(here: int, source: int, target: int, nodes: Ints32, ways: Ints32) -> int:
    """Of a way in x and one in y, those that the odd-even model leaves.

    Eastwards there is no turn to y in an even column, westwards no turn from y to x in an odd one.
    """
    x = nodes[here, 0]
    if ways[0] == _WEST:
        return 2 if x % 2 == 0 else 1
    east = nodes[target, 0] % 2 == 1 or nodes[target, 0] - x != 1
    if x % 2 == 1 or x == nodes[source, 0]:
        if east:
            return 2
        ways[0] = ways[1]
    return 1


@kernel
def virtual_channels(
    way: int, here: int, before: int, virtual: int, channels: int, nodes: Ints32, roads: Roads
) -> tuple[int, int]:
    """The first virtual channel that a header may take of a link, and the one behind the last.

    It came by a channel that leads the way `before`, and there by a virtual channel of this number.
    """
    axis = way // 2
    if way >= LINKS:
        return 0, 1
    if channels == 1 or not roads.rings[axis]:
        return 0, channels
    half = (channels + 1) // 2
    at = nodes[here, axis]
    seam = at == 0 if way % 2 else at == roads.sides[axis] - 1
    if seam or (before // 2 == axis and virtual >= half):
        return half, channels
    return 0, half


@kernel
def list_wants(
    packets: Ints,
    rows: Ints,
    first: Ints,
    channels: Ints32,
    virtual: NDArray[np.int8],
    sources: Ints32,
    targets: Ints32,
    routing: int,
    channels_of_a_link: int,
    nodes: Ints32,
    roads: Roads,
    ways: Ints32,
    wants: Ints,
) -> int:
    """Write the channels that headers want at places of their routes: how many there are.

    Of each the header's place in the row of packets, the link and the number of its virtual channel.
    """
    written = 0
    for i in range(packets.size):
        packet, row = packets[i], rows[i]
        node, before, number = sources[packet], INJECT, 0
        if row > first[packet]:
            node, before = divmod(channels[row - 1], WAYS)
            number = virtual[row - 1]
            if before < LINKS:
                node = neighbour(node, before, roads, nodes)
        count = permitted(routing, node, sources[packet], targets[packet], nodes, roads, ways)
        for choice in range(count):
            way = ways[choice]
            begin, end = virtual_channels(way, node, before, number, channels_of_a_link, nodes, roads)
            for channel in range(begin, end):
                wants[written, 0] = i
                wants[written, 1] = node * WAYS + way
                wants[written, 2] = channel
                written += 1
    return written
