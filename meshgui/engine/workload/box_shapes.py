"""Which box a job asks for that is known by its number of processors alone.

Most square: of all boxes of exactly so many processors, one whose sides differ least: the smallest sum of
sides, and of those the smallest longest side. Its longest side lies along the mesh's longest.

Most square that fits: the same among the boxes that fit the mesh. Where no box of exactly so many fits, the
smallest larger number that has one takes its place, and the job asks for that. More than the mesh has stays
what it is: such a job is rejected when it arrives.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.geometry import Mesh, Size

__all__ = ["SHAPES", "boxes_for", "most_square", "most_square_that_fits"]


def most_square(processors: int, mesh: Mesh) -> Size:
    """The most square box of exactly so many processors, whether it fits or not."""
    low = [n for n in range(1, isqrt(processors) + 1) if processors % n == 0]
    divisors = sorted({*low, *(processors // n for n in low)})
    found = []
    for first in divisors if mesh.dims == 3 else (1,):
        rest = processors // first
        second = max(n for n in divisors if n * n <= rest and rest % n == 0)
        found.append((first, second, rest // second))
    return _laid(min(found, key=lambda sides: (sum(sides), max(sides))), mesh)


def most_square_that_fits(processors: int, mesh: Mesh) -> Size:
    """The most square box of so many processors, or of the fewest more, that fits the mesh."""
    if processors > mesh.processors:
        return most_square(processors, mesh)
    shortest, middle, longest = sorted(mesh.extents)
    # Two sides and the number leave one length for the third: any longer makes the box larger.
    first, second = (grid.ravel() for grid in np.mgrid[1 : shortest + 1, 1 : middle + 1])
    third = -(-processors // (first * second))
    fits = third <= longest
    sides = np.stack((first, second, third), axis=1)[fits]
    best = np.lexsort((sides.max(axis=1), sides.sum(axis=1), sides.prod(axis=1)))[0]
    a, b, c = sides[best].tolist()
    return _laid((a, b, c), mesh)


SHAPES: Final = {"most-square": most_square, "most-square-that-fits": most_square_that_fits}


def boxes_for(processors: NDArray[np.int64], mesh: Mesh, shape: str) -> NDArray[np.int32]:
    """The boxes `[n, 3]` of many jobs; equal numbers have equal boxes."""
    counts, which = np.unique(processors, return_inverse=True)
    sizes = [SHAPES[shape](count, mesh) for count in counts.tolist()]
    return np.array(sizes, dtype=np.int32)[which]


def _laid(sides: tuple[int, int, int], mesh: Mesh) -> Size:
    """The longest side along the mesh's longest, and so on; among equal ones x comes first, then y."""
    axes = sorted(range(mesh.dims), key=lambda axis: -mesh.shape[axis])
    size = [1, 1, 1]
    for axis, side in zip(axes, sorted(sides, reverse=True), strict=False):
        size[axis] = side
    w, d, h = size
    return (w, d, h)
