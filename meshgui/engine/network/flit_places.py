"""Finds where flits are: when each enters a buffer, and when it carries a channel.

`wormhole` says what A(i, j) is; here it is counted in cycles since the packet was sent. It is computed from
the times of headers, or looked up in `moves`, where these were recorded.
"""

from __future__ import annotations

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.network.packets import HELD
from meshgui.engine.network.wormhole import tail_leaves


@kernel
def flit_enters(
    entered: Ints32, moves: Ints32, hop: int, end: int, flit: int, flits: int, buffer: int, cycles: int
) -> int:
    """A(hop, flit) on a route that ends at `end`; HELD while it is not known."""
    if moves.size:
        at = moves[hop * flits + flit]
        return at if at >= 0 else HELD
    latest = 0
    for ahead in range(hop, min(hop + flit // buffer, end) + 1):
        if entered[ahead] < 0:
            latest = HELD
        else:
            latest = max(latest, entered[ahead] + (flit - (ahead - hop) * buffer) * cycles)
    return latest


@kernel
def entries(
    rows: Ints, last: Ints, entered: Ints32, moves: Ints32, buffer: int, cycles: int, since: Ints
) -> None:
    """When each flit enters some buffers, `[buffers, flits]`, on routes that end at `last`."""
    for r in range(rows.size):
        for flit in range(since.shape[1]):
            since[r, flit] = flit_enters(
                entered, moves, rows[r], last[r], flit, since.shape[1], buffer, cycles
            )


@kernel
def locate(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: Ints32,
    moves: Ints32,
    cycle: int,
    flits: int,
    buffer: int,
    cycles: int,
    where: Ints32,
) -> None:
    """Where each flit of some packets is at the end of a cycle: its place along the route, -1 before it.

    A flit is never ahead of the one before it, so each search continues where the last one ended.
    """
    for p in range(first.size):
        begin, end = first[p], last[p]
        since = cycle - sent[p]
        at = end
        for j in range(flits):
            while at >= begin and flit_enters(entered, moves, at, end, j, flits, buffer, cycles) > since:
                at -= 1
            where[p, j] = at - begin if at >= begin else -1


@kernel
def tails(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: Ints32,
    moves: Ints32,
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
            leaves[row] = HELD
            if moves.size:
                left = moves[begin * flits + flits - 1]
                if left >= 0:
                    leaves[row] = sent[p] + left
            elif entered[farthest] >= 0:
                leaves[row] = sent[p] + tail_leaves(entered, begin, farthest, trail, step, cycles)
            row += 1


@kernel
def last_move(
    first: Ints, last: Ints, sent: Ints, entered: Ints32, moves: Ints32, flits: int, buffer: int, cycles: int
) -> int:
    """The cycle in which last a flit of some packets entered a buffer; -1 if none has."""
    latest = -1
    for p in range(first.size):
        for hop in range(first[p], last[p] + 1):
            for j in range(flits):
                since = flit_enters(entered, moves, hop, last[p], j, flits, buffer, cycles)
                if since == HELD:
                    break
                latest = max(latest, sent[p] + since)
    return latest


@kernel
def busy_cycles(
    first: Ints,
    last: Ints,
    sent: Ints,
    entered: Ints32,
    moves: Ints32,
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
                begun = flit_enters(entered, moves, hop, last[p], j, flits, buffer, cycles) - cycles
                if begun >= since:
                    break
                busy[row] += min(since - begun, cycles)
            row += 1
