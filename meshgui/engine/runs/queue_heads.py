"""Finds the job at the head of the queue after each event of a run."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints, Ints32
from meshgui.engine.basics.kernel import kernel
from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.runs.recording import Recording


def queue_heads(of: Recording) -> Ints32:
    """The job at the head of the queue after each event, or -1."""
    heads = np.empty(len(of), dtype=np.int32)
    joins, leaves = of.kinds == EventKind.ARRIVE, np.zeros(len(of) + 1, dtype=np.bool_)
    left = np.minimum(np.minimum(of.started, of.ended), of.reserved)
    leaves[np.minimum(left, len(of))] = True
    if of.outages is not None:
        joins[of.outages.requeued["position"]] = leaves[of.outages.requeued["started"]] = True
    _write_heads(
        joins, leaves, of.event_jobs, of.ranks.copy(),
        of.rank_positions, of.rank_jobs, of.new_ranks, heads,
    )  # fmt: skip
    return heads


@kernel
def _insert(waiting: Ints32, ends: Ints, ranks: Floats, job: int) -> None:
    """Add a job in order of rank, then of number."""
    if ends[1] == waiting.size:
        for place in range(ends[0], ends[1]):
            waiting[place - ends[0]] = waiting[place]
        ends[0], ends[1] = 0, ends[1] - ends[0]
    place = ends[1]
    while place > ends[0]:
        other = waiting[place - 1]
        if ranks[other] < ranks[job] or (ranks[other] == ranks[job] and other < job):
            break
        waiting[place] = other
        place -= 1
    waiting[place] = job
    ends[1] += 1


@kernel
def _remove(waiting: Ints32, ends: Ints, job: int) -> bool:
    """Take a job out: whether it waited."""
    place = ends[0]
    while place < ends[1] and waiting[place] != job:
        place += 1
    if place == ends[1]:
        return False
    for n in range(place, ends[0], -1):
        waiting[n] = waiting[n - 1]
    ends[0] += 1
    return True


@kernel
def _write_heads(
    joins: NDArray[np.bool_],
    leaves: NDArray[np.bool_],
    jobs: Ints32,
    ranks: Floats,
    rank_positions: Ints32,
    rank_jobs: Ints32,
    new_ranks: Floats,
    heads: Ints32,
) -> None:
    """Write the head after each event, -1 where nothing waits; `ranks` are first ranks and change.

    At each event its job joins the queue, leaves it, or neither; ranks change after a number of events.
    """
    waiting = np.empty(ranks.size + 1, dtype=np.int32)
    ends = np.zeros(2, dtype=np.int64)  # the places of the first, and behind the last
    change = 0
    for index in range(joins.size):
        job = jobs[index]
        if joins[index]:
            _insert(waiting, ends, ranks, job)
        elif leaves[index]:
            _remove(waiting, ends, job)
        while change < rank_positions.size and rank_positions[change] <= index + 1:
            moved = rank_jobs[change]
            waits = _remove(waiting, ends, moved)
            ranks[moved] = new_ranks[change]
            if waits:
                _insert(waiting, ends, ranks, moved)
            change += 1
        heads[index] = waiting[ends[0]] if ends[0] < ends[1] else -1
