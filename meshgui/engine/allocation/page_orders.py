"""The orders in which pages are listed (001 figure 2, 000 figure 2.8, and two space-filling curves).

All but row-major and snake are orders of a square with a power of two on the side. A grid of any other size
takes the smallest such square around it, and skips what lies outside. In 3D, which the papers leave to
others, there are row-major, snake and a Hilbert curve, that one of a cube.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np

from meshgui.engine.basics.arrays import Ints
from meshgui.engine.basics.geometry import Mesh

PageOrder = Literal["row-major", "shuffled-row-major", "snake", "shuffled-snake", "hilbert", "h-index"]
_Numbers = Ints


@lru_cache(maxsize=32)
def page_order(order: PageOrder, columns: int, rows: int) -> _Numbers:
    """The `[column, row]` of every page of a grid, in order; not to be written to."""
    row, column = np.indices((rows, columns)).reshape(2, -1)
    return _in_order(_KEYS[order](column, row, columns, rows), column, row)


@lru_cache(maxsize=32)
def cube_order(order: PageOrder, columns: int, rows: int, layers: int) -> _Numbers:
    """The `[column, row, layer]` of every page of a 3D grid, in order; not to be written to."""
    layer, row, column = np.indices((layers, rows, columns)).reshape(3, -1)
    keys = _KEYS_OF_CUBES[order](column, row, layer, (columns, rows, layers))
    return _in_order(keys, column, row, layer)


@lru_cache(maxsize=32)
def ranks_in(order: PageOrder, mesh: Mesh) -> _Numbers:
    """The place of each processor, by its number, in an order of the whole mesh; not to be written to."""
    w, d, h = mesh.extents
    places = page_order(order, w, d) if mesh.dims == 2 else cube_order(order, w, d, h)
    numbers = places[:, 0] + w * places[:, 1] + (w * d * places[:, 2] if mesh.dims == 3 else 0)
    ranks = np.empty(len(numbers), dtype=np.int64)
    ranks[numbers] = np.arange(len(numbers))
    ranks.flags.writeable = False
    return ranks


def _in_order(keys: _Numbers, *axes: _Numbers) -> _Numbers:
    """The places of pages in the order of their keys."""
    places: _Numbers = np.stack(axes, axis=1)[np.argsort(keys)]
    places.flags.writeable = False
    return places


def _levels(*sides: int) -> int:
    """How often the enclosing square or cube can be halved."""
    return (max(sides) - 1).bit_length()


def _row_major(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    del rows
    return row * columns + column


def _snake(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    """Row by row, every other one backwards."""
    del rows
    return row * columns + np.where(row % 2 == 0, column, columns - 1 - column)


def _shuffled_row_major(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    """The bits of row and column in turn, so that every quarter is finished before the next."""
    keys = np.zeros_like(column)
    for level in reversed(range(_levels(columns, rows))):
        keys = 4 * keys + 2 * (row >> level & 1) + (column >> level & 1)
    return keys


def _shuffled_snake(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    """The same, with the quarters taken round about, so that each shares a side with the next."""
    keys = np.zeros_like(column)
    for level in reversed(range(_levels(columns, rows))):
        right, upper = column >> level & 1, row >> level & 1
        keys = 4 * keys + 2 * upper + (right ^ upper)
    return keys


def _hilbert(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    """Quarters in a circle, each turned so that the curve continues next to where it left the last one."""
    x, y = column.copy(), row.copy()
    keys = np.zeros_like(x)
    for level in reversed(range(_levels(columns, rows))):
        right, upper = x >> level & 1, y >> level & 1
        keys = 4 * keys + (3 * right ^ upper)
        # The lower quarters are mirrored in a diagonal: the left in the rising one, the right in the falling.
        x, y = (axis & (1 << level) - 1 for axis in (x, y))
        last = (1 << level) - 1
        x, y = np.where(right & ~upper & 1, last - x, x), np.where(right & ~upper & 1, last - y, y)
        x, y = np.where(upper, x, y), np.where(upper, y, x)
    return keys


_Point = tuple[int, int]
_Triangle = tuple[_Point, _Point, _Point]  # where the curve enters, where it leaves, and the right angle


def _h_index(column: _Numbers, row: _Numbers, columns: int, rows: int) -> _Numbers:
    """Niedermeier, Reinhardt and Sanders's closed curve: the square cut into halves of halves of triangles.

    Each half is a right triangle again, entered and left at its acute corners, until there are as many as
    cells. Four of the last ones meet in the middle of each 2×2 block and take its four cells, turned one way
    in every other block, so that triangles that share a side get cells that share a side.
    """
    levels = max(_levels(columns, rows), 1)
    side = 1 << levels
    triangles: list[_Triangle] = [((0, 0), (side, side), (0, side)), ((side, side), (0, 0), (side, 0))]
    for _ in range(2 * levels - 1):
        triangles = [half for triangle in triangles for half in _halves(triangle)]
    ranks = np.empty((side, side), dtype=np.int64)
    for rank, triangle in enumerate(triangles):
        x, y = _cell(triangle)
        ranks[y, x] = rank
    keys: _Numbers = ranks[row, column]
    return keys


def _halves(triangle: _Triangle) -> tuple[_Triangle, _Triangle]:
    """The two halves, in the order in which the curve goes through them."""
    (x1, y1), (x2, y2), corner = triangle
    middle = ((x1 + x2) // 2, (y1 + y2) // 2)
    return ((x1, y1), corner, middle), (corner, (x2, y2), middle)


def _cell(triangle: _Triangle) -> _Point:
    """The cell that stands for one of the last triangles, whose right angle is the middle of a block."""
    (x1, y1), (x2, y2), (x, y) = triangle
    dx, dy = (x1 + x2) // 2 - x, (y1 + y2) // 2 - y  # the side of the block it lies at
    turn = 1 if (x // 2 + y // 2) % 2 == 0 else -1
    return x + (dx - turn * dy - 1) // 2, y + (dy + turn * dx - 1) // 2


_KEYS: dict[PageOrder, Callable[[_Numbers, _Numbers, int, int], _Numbers]] = {
    "row-major": _row_major,
    "shuffled-row-major": _shuffled_row_major,
    "snake": _snake,
    "shuffled-snake": _shuffled_snake,
    "hilbert": _hilbert,
    "h-index": _h_index,
}


def _row_major_of_cubes(
    column: _Numbers, row: _Numbers, layer: _Numbers, grid: tuple[int, int, int]
) -> _Numbers:
    return (layer * grid[1] + row) * grid[0] + column


def _snake_of_cubes(column: _Numbers, row: _Numbers, layer: _Numbers, grid: tuple[int, int, int]) -> _Numbers:
    """Layer by layer, every other one backwards, and so its rows: every page lies next to the one before."""
    columns, rows, _ = grid
    line = layer * rows + np.where(layer % 2 == 0, row, rows - 1 - row)
    return line * columns + np.where(line % 2 == 0, column, columns - 1 - column)


# The octants of a cube in the order in which the Hilbert curve goes through them: on which side each lies
# along the three axes; and of the three axes of the curve within it, which axis of the cube each follows,
# and whether backwards.
_OCTANTS = (
    ((0, 0, 0), (1, 2, 0), (0, 0, 0)),
    ((1, 0, 0), (2, 0, 1), (0, 0, 0)),
    ((1, 1, 0), (2, 0, 1), (0, 0, 0)),
    ((0, 1, 0), (0, 1, 2), (1, 1, 0)),
    ((0, 1, 1), (0, 1, 2), (1, 1, 0)),
    ((1, 1, 1), (2, 0, 1), (1, 0, 1)),
    ((1, 0, 1), (2, 0, 1), (1, 0, 1)),
    ((0, 0, 1), (1, 2, 0), (0, 1, 1)),
)


def _hilbert_of_cubes(
    column: _Numbers, row: _Numbers, layer: _Numbers, grid: tuple[int, int, int]
) -> _Numbers:
    """Octants one after another, each turned so that the curve continues beside the last one."""
    axes = np.stack((column, row, layer))
    keys = np.zeros_like(column)
    for level in reversed(range(_levels(*grid))):
        sides, last = axes >> level & 1, (1 << level) - 1
        within = axes & last
        turned = within.copy()
        ranks = np.zeros_like(keys)
        for rank, (at, along, backwards) in enumerate(_OCTANTS):
            here = (sides == np.array(at)[:, None]).all(axis=0)
            ranks[here] = rank
            for axis in range(3):
                place = within[along[axis], here]
                turned[axis, here] = last - place if backwards[axis] else place
        keys, axes = 8 * keys + ranks, turned
    return keys


_KEYS_OF_CUBES: dict[PageOrder, Callable[[_Numbers, _Numbers, _Numbers, tuple[int, int, int]], _Numbers]] = {
    "row-major": _row_major_of_cubes,
    "snake": _snake_of_cubes,
    "hilbert": _hilbert_of_cubes,
}
ORDERS_OF_CUBES: tuple[PageOrder, ...] = tuple(_KEYS_OF_CUBES)
