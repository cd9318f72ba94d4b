"""The mesh, its processors and boxes of them, in the coordinates of the papers (0-based, x fastest)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Ints, Ints32
from meshgui.engine.basics.kernel import kernel

V = TypeVar("V", bound=np.generic)
Size = tuple[int, int, int]
Node = tuple[int, int, int]


class Box(NamedTuple):
    """A box of processors: its base (lowest corner) and its extents."""

    x: int
    y: int
    z: int
    w: int
    d: int
    h: int

    @property
    def base(self) -> Node:
        """The lowest corner."""
        return (self.x, self.y, self.z)

    @property
    def size(self) -> Size:
        """The extents."""
        return (self.w, self.d, self.h)

    @property
    def end(self) -> Node:
        """The highest corner, inclusive: the papers' upper right node."""
        return (self.x + self.w - 1, self.y + self.d - 1, self.z + self.h - 1)

    @property
    def volume(self) -> int:
        """Processors in the box."""
        return self.w * self.d * self.h

    def overlaps(self, other: Box) -> bool:
        """Whether the two boxes share a processor."""
        return all(
            a < b + n and b < a + m
            for a, m, b, n in zip(self.base, self.size, other.base, other.size, strict=True)
        )

    def nodes(self) -> Iterator[Node]:
        """Its processors, x fastest."""
        for z, y, x in product(*(range(b, b + n) for b, n in zip(self[2::-1], self[5:2:-1], strict=True))):
            yield (x, y, z)

    def units(self, size: Size) -> tuple[Box, ...]:
        """The boxes of this size, side by side from the origin on, of which it has a part."""
        (i, j, k), (u, v, w), (x, y, z) = size, self.base, self.end
        first, last = (u // i, v // j, w // k), (x // i, y // j, z // k)
        numbers = Box.from_corners(first, last).nodes()
        return tuple(Box(x * i, y * j, z * k, i, j, k) for x, y, z in numbers)

    @classmethod
    def from_corners(cls, base: Node, end: Node) -> Box:
        """The box between two corners, both inclusive."""
        return cls(*base, *(e - b + 1 for b, e in zip(base, end, strict=True)))

    def describe(self, *, flat: bool = False) -> str:
        """The box by its corners, as the papers write it: (0,0,0)–(1,3,3), or (0,0)–(1,3) in a flat mesh."""
        return f"{self.corner(flat=flat)}–{_place(self.end, flat)}"

    def corner(self, *, flat: bool = True) -> str:
        """The base alone."""
        return _place(self.base, flat)


def in_three(sides: Sequence[int]) -> Size:
    """The sides of something in three dimensions; what is flat has height 1."""
    w, d, *rest = sides
    return (w, d, rest[0] if rest else 1)


def _place(node: Node, flat: bool) -> str:
    return f"({','.join(map(str, node[: 2 if flat else 3]))})"


@dataclass(frozen=True, slots=True)
class Mesh:
    """The machine: W×L processors (2D) or W×D×H (3D), some of whose axes may close to rings."""

    shape: tuple[int, ...]
    wrap: tuple[bool, ...] = ()  # of each axis whether it is a ring; empty if none is

    @property
    def dims(self) -> int:
        """2 or 3."""
        return len(self.shape)

    @property
    def extents(self) -> Size:
        """The shape in three dimensions; a 2D mesh has height 1."""
        return in_three(self.shape)

    @property
    def rings(self) -> tuple[bool, bool, bool]:
        """Whether each of three axes is a ring."""
        x, y, z = (*self.wrap, False, False, False)[:3]
        return (x, y, z)

    @property
    def processors(self) -> int:
        """How many processors the machine has."""
        return prod(self.shape)

    def box(self) -> Box:
        """The whole machine."""
        return Box(0, 0, 0, *self.extents)

    def holds(self, box: Box) -> bool:
        """Whether the box lies inside the machine and is not empty."""
        return all(
            b >= 0 and n >= 1 and b + n <= m for b, n, m in zip(box.base, box.size, self.extents, strict=True)
        )

    def parts(self, box: Box) -> tuple[Box, ...]:
        """The plain boxes of one that may lie across the seams of rings, row-major from its base."""
        spans = []
        for base, size, side, ring in zip(box.base, box.size, self.extents, self.rings, strict=True):
            beyond = base + size - side if ring and base < side < base + size else 0
            spans.append([(base, size - beyond), (0, beyond)][: 2 if beyond else 1])
        return tuple(Box(x, y, z, w, d, h) for (z, h), (y, d), (x, w) in product(*reversed(spans)))

    def joined(self, parts: Sequence[Box]) -> Box:
        """The box across seams that these are the parts of; it goes beyond the sides that it crosses."""
        size = [sum(dict({(p[axis], p[3 + axis]) for p in parts}).values()) for axis in range(3)]
        return Box(*parts[0].base, *size)

    def describe_box(self, box: Box) -> str:
        """A box that may lie across seams by its corners: (6,0)–(1,3) where x is a ring of 8."""
        axes = zip(box.base, box.end, self.extents, self.rings, strict=True)
        x, y, z = (end - side if ring and base < side <= end else end for base, end, side, ring in axes)
        return f"{box.corner(flat=self.dims == 2)}–{_place((x, y, z), self.dims == 2)}"

    def fits(self, size: Size) -> bool:
        """Whether a box of this size fits into the empty machine as it is, unturned."""
        return all(n <= m for n, m in zip(size, self.extents, strict=True))

    def occupancy(self) -> Ints32:
        """An array `[z, y, x]` of the job that holds each processor, all free (-1)."""
        w, d, h = self.extents
        return np.full((h, d, w), -1, dtype=np.int32)

    def describe(self) -> str:
        """The shape in words, e.g. 8×8×8."""
        return "×".join(map(str, self.shape))


def region(array: NDArray[V], box: Box) -> NDArray[V]:
    """The view of an `[z, y, x]` array that a box covers."""
    return array[box.z : box.z + box.h, box.y : box.y + box.d, box.x : box.x + box.w]


def ramps(counts: NDArray[np.integer]) -> Ints:
    """0..n-1 for each count, one after another."""
    ends = np.cumsum(counts, dtype=np.int64)
    places = np.arange(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
    places -= np.repeat(ends - counts, counts)
    return places


def cells(boxes: Ints, mesh: Mesh) -> Ints:
    """The places, in a flattened `[z, y, x]` array, of all processors of boxes `[k, 6]`."""
    width, depth, _ = mesh.extents
    return list_cells(boxes, width, depth)


@kernel
def write_box(boxes: Ints32, n: int, x: int, y: int, z: int, w: int, d: int, h: int) -> None:
    """Make this the n-th of the boxes."""
    boxes[n, 0], boxes[n, 1], boxes[n, 2] = x, y, z
    boxes[n, 3], boxes[n, 4], boxes[n, 5] = w, d, h


@kernel
def write_parts(boxes: Ints32, extents: Ints32, x: int, y: int, z: int, w: int, d: int, h: int) -> int:
    """Write the plain parts of a box that may lie across seams, row-major from its base: how many."""
    if x + w <= extents[0] and y + d <= extents[1] and z + h <= extents[2]:
        write_box(boxes, 0, x, y, z, w, d, h)
        return 1
    count = 0
    for k in range(2):
        near_z = min(h, extents[2] - z)
        bottom, high = (z, near_z) if k == 0 else (0, h - near_z)
        for j in range(2):
            near_y = min(d, extents[1] - y)
            south, deep = (y, near_y) if j == 0 else (0, d - near_y)
            for i in range(2):
                near_x = min(w, extents[0] - x)
                west, wide = (x, near_x) if i == 0 else (0, w - near_x)
                if min(high, deep, wide) > 0:
                    write_box(boxes, count, west, south, bottom, wide, deep, high)
                    count += 1
    return count


@kernel
def list_joined(parts: NDArray[np.integer], extents: Size) -> Ints:
    """The numbers of the processors of a box across seams, given by its parts, x fastest from its base."""
    base, size = parts[0, :3], np.zeros(3, dtype=np.int64)
    for axis in range(3):
        for i in range(parts.shape[0]):
            beside = True  # the first part of those that differ along this axis alone
            for other in range(3):
                beside = beside and (other == axis or parts[i, other] == base[other])
            size[axis] += parts[i, 3 + axis] if beside else 0
    places = np.empty(size[0] * size[1] * size[2], dtype=np.int64)
    for n in range(places.size):
        x = (base[0] + n % size[0]) % extents[0]
        y = (base[1] + n // size[0] % size[1]) % extents[1]
        z = (base[2] + n // (size[0] * size[1])) % extents[2]
        places[n] = (z * extents[1] + y) * extents[0] + x
    return places


@kernel
def list_cells(boxes: NDArray[np.integer], width: int, depth: int) -> Ints:
    """The numbers of all processors of boxes, box by box, x fastest."""
    volume = 0
    for i in range(boxes.shape[0]):
        volume += int(boxes[i, 3]) * int(boxes[i, 4]) * int(boxes[i, 5])
    places = np.empty(volume, dtype=np.int64)
    at = 0
    for i in range(boxes.shape[0]):
        x, y, z = int(boxes[i, 0]), int(boxes[i, 1]), int(boxes[i, 2])
        w, d, h = int(boxes[i, 3]), int(boxes[i, 4]), int(boxes[i, 5])
        for layer in range(z, z + h):
            for row in range(y, y + d):
                first = (layer * depth + row) * width + x
                for place in range(first, first + w):
                    places[at] = place
                    at += 1
    return places


def orientations(size: Size, dims: int) -> tuple[Size, ...]:
    """The distinct turns of a request, in the order the strategies try them (000 §2.2.1)."""
    a, b, c = size
    turns = (
        [(a, b, c), (b, a, c)]
        if dims == 2
        else [(a, b, c), (a, c, b), (b, a, c), (b, c, a), (c, a, b), (c, b, a)]
    )
    return tuple(dict.fromkeys(turns))


def describe_size(size: Size, dims: int) -> str:
    """A request in words, e.g. 2×4×4, or 2×4 on a 2D mesh."""
    return "×".join(map(str, size[:dims]))


# Nodes by their numbers, in row-major order


def node_number(mesh: Mesh, node: Node) -> int:
    """The number of a node."""
    width, depth, _ = mesh.extents
    x, y, z = node
    return (z * depth + y) * width + x


def node_numbers(mesh: Mesh, places: NDArray[np.integer]) -> Ints:
    """The numbers of nodes `[n, 3]`."""
    width, depth, _ = mesh.extents
    numbers: Ints = places.astype(np.int64) @ np.array((1, width, width * depth), dtype=np.int64)
    return numbers


def node_at(mesh: Mesh, number: int) -> Node:
    """The node of a number."""
    width, depth, _ = mesh.extents
    return (number % width, number // width % depth, number // (width * depth))


def places(mesh: Mesh, numbers: NDArray[np.integer]) -> Ints:
    """The coordinates `[n, 3]` of nodes."""
    width, depth, _ = mesh.extents
    n = np.asarray(numbers, dtype=np.int64)
    return np.stack((n % width, n // width % depth, n // (width * depth)), axis=-1)


def boxes_of(mask: NDArray[np.bool_]) -> tuple[Box, ...]:
    """The true places of an `[z, y, x]` array as boxes.

    Each begins at the first place left, and grows along x, then y, then z.
    """
    left, found = mask.copy(), []
    while left.any():
        z, y, x = np.argwhere(left)[0].tolist()
        ends = [x + 1, y + 1, z + 1]
        for axis, side in ((0, left.shape[2]), (1, left.shape[1]), (2, left.shape[0])):
            while ends[axis] < side:
                ends[axis] += 1
                if not left[z : ends[2], y : ends[1], x : ends[0]].all():
                    ends[axis] -= 1
                    break
        left[z : ends[2], y : ends[1], x : ends[0]] = False
        found.append(Box(x, y, z, ends[0] - x, ends[1] - y, ends[2] - z))
    return tuple(found)


def runs_of_processors(processors: Iterable[Box]) -> list[Box]:
    """The boxes of single processors joined along each row, as very many would take long to draw."""
    x, y, z = np.array([box.base for box in processors]).T
    order = np.lexsort((x, y, z))
    x, y, z = x[order], y[order], z[order]
    begins = np.flatnonzero(np.append(True, (np.diff(z) != 0) | (np.diff(y) != 0) | (np.diff(x) != 1)))
    lengths = np.diff(np.append(begins, len(x)))
    rows = zip(x[begins].tolist(), y[begins].tolist(), z[begins].tolist(), lengths.tolist(), strict=True)
    return [Box(x, y, z, length, 1, 1) for x, y, z, length in rows]
