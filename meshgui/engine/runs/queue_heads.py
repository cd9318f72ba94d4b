"""Finds the job at the head of the queue after each event of a run."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel

__all__ = ["write_heads"]

ARRIVE: Final = 0  # as in EventKind


@kernel
def _insert(waiting: NDArray[np.int32], count: int, ranks: NDArray[np.float64], job: int) -> int:
    """Add a job in order of rank, then of number: how many wait."""
    place = count
    while place > 0:
        other = waiting[place - 1]
        if ranks[other] < ranks[job] or (ranks[other] == ranks[job] and other < job):
            break
        waiting[place] = other
        place -= 1
    waiting[place] = job
    return count + 1


@kernel
def _remove(waiting: NDArray[np.int32], count: int, job: int) -> int:
    """Take a job out, if it waits: how many are left."""
    place = 0
    while place < count and waiting[place] != job:
        place += 1
    for n in range(place, count - 1):
        waiting[n] = waiting[n + 1]
    return count if place == count else count - 1


@kernel
def write_heads(
    kinds: NDArray[np.uint8],
    jobs: NDArray[np.int32],
    gone: NDArray[np.int32],
    ranks: NDArray[np.float64],
    rank_positions: NDArray[np.int32],
    rank_jobs: NDArray[np.int32],
    new_ranks: NDArray[np.float64],
    heads: NDArray[np.int32],
) -> None:
    """Write the head after each event, -1 where nothing waits; `ranks` are first ranks and change.

    A job leaves at the event `gone` says, started or rejected; ranks change after so many events.
    """
    waiting = np.empty(ranks.size, dtype=np.int32)
    count, change = 0, 0
    for index in range(kinds.size):
        job = jobs[index]
        if kinds[index] == ARRIVE:
            count = _insert(waiting, count, ranks, job)
        elif gone[job] == index:
            count = _remove(waiting, count, job)
        while change < rank_positions.size and rank_positions[change] <= index + 1:
            moved = rank_jobs[change]
            left = _remove(waiting, count, moved)
            ranks[moved] = new_ranks[change]
            if left < count:
                count = _insert(waiting, left, ranks, moved)
            change += 1
        heads[index] = waiting[0] if count else -1
