"""Cuts lines and areas at a rectangle, as not every painter that makes files can clip."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from meshgui.engine.basics.arrays import Floats

Edges = tuple[float, float, float, float]
"""The left, upper, right and lower edge of a rectangle."""


def clipped_line(points: Floats, edges: Edges) -> list[Floats]:
    """Return the parts inside the edges of a line through the rows of `points`."""
    left, top, right, bottom = edges
    if (points >= (left, top)).all() and (points <= (right, bottom)).all():
        return [points]
    parts: list[list[Floats]] = []
    for start, end in pairwise(points):
        inside = _part_inside(start, end, edges)
        if inside is None:
            continue
        first, last = (start + share * (end - start) for share in inside)
        if inside[0] > 0 or not parts or not np.array_equal(parts[-1][-1], first):
            parts.append([first])
        parts[-1].append(last)
    return [np.array(part) for part in parts]


def clipped_area(points: Floats, edges: Edges) -> Floats:
    """Return the part inside the edges of the area whose corners are the rows of `points`."""
    left, top, right, bottom = edges
    for axis, edge, sign in ((0, left, 1.0), (0, right, -1.0), (1, top, 1.0), (1, bottom, -1.0)):
        points = _cut(points, (points[:, axis] - edge) * sign)
    return points


def _part_inside(start: Floats, end: Floats, edges: Edges) -> tuple[float, float] | None:
    """The shares of a segment between which it is inside."""
    left, top, right, bottom = edges
    first, last = 0.0, 1.0
    way = end - start
    for axis, low, high in ((0, left, right), (1, top, bottom)):
        if way[axis] == 0:
            if not low <= start[axis] <= high:
                return None
            continue
        shares = sorted(((low - start[axis]) / way[axis], (high - start[axis]) / way[axis]))
        first, last = max(first, float(shares[0])), min(last, float(shares[1]))
    return (first, last) if first < last else None


def _cut(points: Floats, depth: Floats) -> Floats:
    """The part of an area where the depth, known at its corners, is not negative."""
    if (depth >= 0).all():
        return points
    kept: list[Floats] = []
    for k in range(len(points)):
        before = k - 1
        if (depth[k] >= 0) != (depth[before] >= 0):
            share = depth[before] / (depth[before] - depth[k])
            kept.append(points[before] + share * (points[k] - points[before]))
        if depth[k] >= 0:
            kept.append(points[k])
    return np.array(kept).reshape(-1, 2)
