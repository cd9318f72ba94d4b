"""Computes how far the boxes of each job lie apart (001 §3.4.1), for all jobs of a run at once.

Boxes are rows `x, y, z, w, d, h`, job after job, with the number of each job's, at least one. Along a ring
the enclosing box may lie across its seam, and distances are those of the shorter way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import Mesh

_CELLS_AT_ONCE = 1 << 20  # of the table of jobs and coordinates


def dispersals(boxes: Ints, counts: Ints, mesh: Mesh) -> Floats:
    """The share of the smallest enclosing box that each job does not hold; 0 for one block."""
    if not len(counts):
        return np.empty(0)
    first = np.cumsum(counts) - counts
    low = np.minimum.reduceat(boxes[:, :3], first)
    high = np.maximum.reduceat(boxes[:, :3] + boxes[:, 3:], first)
    held = np.add.reduceat(boxes[:, 3:].prod(axis=1), first)
    sides = high - low
    for axis in np.flatnonzero(mesh.rings).tolist():
        side = mesh.extents[axis]
        for jobs, cells in _coordinates(boxes, counts, axis, side):
            sides[jobs, axis] = side - _longest_gaps(cells > 0)
    enclosing: Ints = sides.prod(axis=1)
    return (enclosing - held) / enclosing


def _longest_gaps(covered: NDArray[np.bool_]) -> Ints:
    """The longest row of places around a ring that each job does not cover."""
    twice = np.concatenate((covered, covered), axis=1)
    places = np.arange(twice.shape[1])
    latest = np.maximum.accumulate(np.where(twice, places, -1), axis=1)
    gaps: Ints = np.where(latest >= 0, places - latest, 0).max(axis=1)
    return gaps


def mean_pairwise_distances(boxes: Ints, counts: Ints, mesh: Mesh) -> Floats:
    """The mean number of hops between two of each job's processors; 0 for a single one."""
    if not len(counts):
        return np.empty(0)
    first = np.cumsum(counts) - counts
    held = np.add.reduceat(boxes[:, 3:].prod(axis=1), first)
    hops = np.zeros(len(counts), dtype=np.int64)
    for axis in range(3):
        low, size = boxes[:, axis], boxes[:, 3 + axis]
        if (size == 1).all() and (low == low[0]).all():
            continue  # nothing lies apart this way
        ring = mesh.rings[axis]
        side = mesh.extents[axis] if ring else int((low + size).max())
        for jobs, cells in _coordinates(boxes, counts, axis, side):
            hops[jobs] += _hops_around(cells) if ring else _hops_along(cells, held[jobs, None])
    pairs = held * (held - 1) / 2
    means: Floats = np.divide(hops, pairs, out=np.zeros(len(counts)), where=pairs > 0)
    return means


def _hops_along(cells: Ints, held: Ints) -> Ints:
    """The hops between all pairs along an axis: every pair crosses each gap between its two coordinates."""
    below = cells.cumsum(axis=1)
    hops: Ints = (below * (held - below)).sum(axis=1)
    return hops


def _hops_around(cells: Ints) -> Ints:
    """The hops between all pairs around a ring: those of each distance, as often as they occur."""
    side = cells.shape[1]
    hops = np.zeros(len(cells), dtype=np.int64)
    for distance in range(1, side // 2 + 1):
        pairs = (cells * np.roll(cells, distance, axis=1)).sum(axis=1)
        hops += distance * (pairs // 2 if 2 * distance == side else pairs)
    return hops


def _coordinates(boxes: Ints, counts: Ints, axis: int, side: int) -> Iterator[tuple[slice, Ints]]:
    """The jobs a few at a time, and how many of each job's processors have each coordinate."""
    first = np.cumsum(counts) - counts
    low, size = boxes[:, axis], boxes[:, 3 + axis]
    share = boxes[:, 3:].prod(axis=1) // size
    for jobs, rows in _pieces(first, counts, side):
        owner = np.repeat(np.arange(jobs.stop - jobs.start), counts[jobs])
        # A box adds its share to each coordinate from its first to its last: mark both ends, then add up.
        ends = np.zeros((jobs.stop - jobs.start, side + 1), dtype=np.int64)
        np.add.at(ends, (owner, low[rows]), share[rows])
        np.add.at(ends, (owner, low[rows] + size[rows]), -share[rows])
        yield jobs, ends.cumsum(axis=1)[:, :side]


def _pieces(first: Ints, counts: Ints, side: int) -> Iterator[tuple[slice, slice]]:
    """The jobs a few at a time, and the rows of their boxes."""
    step = max(1, _CELLS_AT_ONCE // (side + 1))
    for begin in range(0, len(counts), step):
        end = min(begin + step, len(counts))
        yield slice(begin, end), slice(int(first[begin]), int(first[end - 1] + counts[end - 1]))
