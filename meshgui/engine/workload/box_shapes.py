"""Which box a job asks for that is known by its number of processors alone.

Most square: of all boxes of exactly so many processors, one whose sides differ least: the smallest sum of
sides, and of those the smallest longest side. Its longest side lies along the mesh's longest.

Most square that fits: the same among the boxes that fit the mesh. Where no box of exactly so many fits, the
smallest larger number that has one takes its place, and the job asks for that. More than the mesh has stays
what it is: such a job is rejected when it arrives.

None: processors without a box, written as a line of them, for strategies that look at their number alone.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Final

import numpy as np

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.geometry import Mesh, Size
from meshgui.engine.workload.swf import MOST_PROCESSORS

_NUMBERS: Final = np.arange(1, isqrt(MOST_PROCESSORS) + 1)


def most_square(processors: int, mesh: Mesh) -> Size:
    """The most square box of exactly this many processors, whether it fits or not."""
    numbers = _NUMBERS[: isqrt(processors)]
    low = numbers[processors % numbers == 0].tolist()  # both shorter sides are among them
    found = []
    for first in low if mesh.dims == 3 else (1,):
        if first**3 > processors:
            break
        rest = processors // first
        second = next(n for n in reversed(low) if n * n <= rest and rest % n == 0)
        found.append((first, second, rest // second))
    return _laid(min(found, key=lambda sides: (sum(sides), max(sides))), mesh)


def most_square_that_fits(processors: int, mesh: Mesh) -> Size:
    """The most square box of this many processors, or of the fewest more, that fits the mesh."""
    if processors > mesh.processors:
        return most_square(processors, mesh)
    volumes, sides = _fitting_boxes(mesh.extents)
    a, b, c = sides[np.searchsorted(volumes, processors)].tolist()
    return _laid((a, b, c), mesh)


def line_of(processors: int, mesh: Mesh) -> Size:
    """A number of processors alone, for strategies that look at no side of a request."""
    del mesh
    return (processors, 1, 1)


@lru_cache(maxsize=4)
def _fitting_boxes(extents: Size) -> tuple[Ints, Ints]:
    """The volumes of all boxes that fit a mesh, in order, and the most square box of each."""
    shortest, middle, longest = sorted(extents)
    first, second = (grid.ravel() for grid in np.mgrid[1 : shortest + 1, 1 : middle + 1])
    ordered = first <= second
    first, second = first[ordered], second[ordered]
    lengths = longest - second + 1  # of the third side, which is not shorter
    third = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths - second, lengths)
    sides = np.stack((np.repeat(first, lengths), np.repeat(second, lengths), third), axis=1)
    volumes = sides.prod(axis=1)
    order = np.lexsort((sides.max(axis=1), sides.sum(axis=1), volumes))
    volumes, places = np.unique(volumes[order], return_index=True)
    return volumes, sides[order][places]


SHAPES: Final = {
    "most-square": most_square,
    "most-square-that-fits": most_square_that_fits,
    "none": line_of,
}


def boxes_for(processors: Ints, mesh: Mesh, shape: str) -> Ints32:
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
