"""Computes from headers' times where flits are: when each enters a buffer, and when it carries a channel.

`wormhole` says what A(i, j) is; here it is counted in cycles since the packet was sent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.wormhole import HELD, tail_leaves


@kernel
def flit_enters(entered: NDArray[np.int32], hop: int, end: int, flit: int, buffer: int, cycles: int) -> int:
    """A(hop, flit) on a route that ends at `end`; HELD while it is not known."""
    latest = 0
    for ahead in range(hop, min(hop + flit // buffer, end) + 1):
        if entered[ahead] < 0:
            latest = HELD
        else:
            latest = max(latest, entered[ahead] + (flit - (ahead - hop) * buffer) * cycles)
    return latest


@kernel
def locate(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: NDArray[np.int32],
    cycle: int,
    flits: int,
    buffer: int,
    cycles: int,
    where: NDArray[np.int32],
) -> None:
    """Where each flit of some packets is at the end of a cycle: its place along the route, -1 before it.

    A flit is never ahead of the one before it, so each search continues where the last one ended.
    """
    for p in range(first.size):
        begin, end = first[p], last[p]
        since = cycle - sent[p]
        at = end
        for j in range(flits):
            while at >= begin and flit_enters(entered, at, end, j, buffer, cycles) > since:
                at -= 1
            where[p, j] = at - begin if at >= begin else -1


@kernel
def tails(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: NDArray[np.int32],
    flits: int,
    buffer: int,
    cycles: int,
    leaves: Ints,
) -> None:
    """When the tail leaves each buffer of some packets' routes, one packet after another."""
    row = 0
    reach, trail, step = (flits - 1) // buffer, (flits - 1) * cycles, buffer * cycles
    for p in range(first.size):
        end = last[p]
        for hop in range(first[p], end + 1):
            begin = min(hop + 1, end)
            farthest = min(begin + reach, end)
            if entered[farthest] < 0:
                leaves[row] = HELD
            else:
                leaves[row] = sent[p] + tail_leaves(entered, begin, farthest, trail, step, cycles)
            row += 1


@kernel
def busy_cycles(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: NDArray[np.int32],
    cycle: int,
    flits: int,
    buffer: int,
    cycles: int,
    busy: Ints,
) -> None:
    """For how many cycles each channel of some packets' routes has carried their flits, packet by packet."""
    row = 0
    for p in range(first.size):
        since = cycle - sent[p]
        for hop in range(first[p], last[p] + 1):
            busy[row] = 0
            for j in range(flits):
                begun = flit_enters(entered, hop, last[p], j, buffer, cycles) - cycles
                if begun >= since:
                    break
                busy[row] += min(since - begun, cycles)
            row += 1
