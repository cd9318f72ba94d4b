"""Computes how far the boxes of each job lie apart (001 §3.4.1), for all jobs of a run at once.

Boxes are rows `x, y, z, w, d, h`, job after job, with the number of each job's, at least one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from meshgui.engine.basics.arrays import Floats, Ints

_CELLS_AT_ONCE = 1 << 20  # of the table of jobs and coordinates


def dispersals(boxes: Ints, counts: Ints) -> Floats:
    """The share of the smallest enclosing box that each job does not hold; 0 for one block."""
    if not len(counts):
        return np.empty(0)
    first = np.cumsum(counts) - counts
    low = np.minimum.reduceat(boxes[:, :3], first)
    high = np.maximum.reduceat(boxes[:, :3] + boxes[:, 3:], first)
    held = np.add.reduceat(boxes[:, 3:].prod(axis=1), first)
    enclosing: Ints = (high - low).prod(axis=1)
    return (enclosing - held) / enclosing


def mean_pairwise_distances(boxes: Ints, counts: Ints) -> Floats:
    """The mean number of hops between two of each job's processors; 0 for a single one."""
    if not len(counts):
        return np.empty(0)
    first = np.cumsum(counts) - counts
    volumes = boxes[:, 3:].prod(axis=1)
    held = np.add.reduceat(volumes, first)
    hops = np.zeros(len(counts), dtype=np.int64)
    for axis in range(3):
        low, size = boxes[:, axis], boxes[:, 3 + axis]
        if (size == 1).all() and (low == low[0]).all():
            continue  # nothing lies apart this way
        side = int((low + size).max())
        share = volumes // size
        for jobs, rows in _pieces(first, counts, side):
            owner = np.repeat(np.arange(jobs.stop - jobs.start), counts[jobs])
            # A box adds its share to each coordinate from its first to its last: mark both ends, then add up.
            ends = np.zeros((jobs.stop - jobs.start, side + 1), dtype=np.int64)
            np.add.at(ends, (owner, low[rows]), share[rows])
            np.add.at(ends, (owner, low[rows] + size[rows]), -share[rows])
            # Every pair crosses each gap that lies between its two coordinates.
            below = ends.cumsum(axis=1).cumsum(axis=1)
            hops[jobs] += (below * (held[jobs, None] - below)).sum(axis=1)
    pairs = held * (held - 1) / 2
    means: Floats = np.divide(hops, pairs, out=np.zeros(len(counts)), where=pairs > 0)
    return means


def _pieces(first: Ints, counts: Ints, side: int) -> Iterator[tuple[slice, slice]]:
    """The jobs a few at a time, and the rows of their boxes."""
    step = max(1, _CELLS_AT_ONCE // (side + 1))
    for begin in range(0, len(counts), step):
        end = min(begin + step, len(counts))
        yield slice(begin, end), slice(int(first[begin]), int(first[end - 1] + counts[end - 1]))
