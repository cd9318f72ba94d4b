"""Places the parts of a sliced and exploded scene in space, and finds what a ray hits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.arrays import Floats, Floats32, Ints
from meshgui.engine.basics.geometry import Mesh, ramps
from meshgui.views.mesh.scene.builder import Scene
from meshgui.views.mesh.scene.marks import CROSSED, DASHED, StyledMark
from meshgui.views.mesh.scene.network.strokes import NOTHING, Strokes
from meshgui.views.mesh.scene.slicing import Slice, cut_boxes, shown_nodes, shown_part, shown_rows

__all__ = ["DIAGONALS", "EDGE_ON", "Layout", "Numbered", "Space", "box_segments", "dashed"]

_GAP: Final = 0.07  # a box keeps this far from its cells' borders, so that neighbours stand apart
_MARK_GAP: Final = 0.03  # marks keep less: they lie around boxes and never in their faces
_PLACED_GAP: Final = 0.005  # the box placed keeps least: it is solid, and no other mark lies in its faces
_PLANE_HALF: Final = 0.12  # half the thickness of a border plane
_PLATE: Final = 0.35  # the height of a 2D mesh
_APART: Final = 1.2  # how far fully exploded layers move apart, in layers
EDGE_ON: Final = 0.03
"""Faces seen almost from their edge are not drawn: the least share of the view's direction across them."""

_MOST_INSIDE: Final = 64  # nodes of a mesh whose links are all drawn, also those within it
_TILE: Final = 0.04  # the height of a tile of a heat map
_TILES_APART: Final = 1 << 16  # tiles that are each drawn; of more, those of a row in one shade are joined
_SHADES: Final = 64
_MARCH: Final = 0.2  # of a node: how finely the line of sight is followed
_PAST_FACE: Final = 0.3  # from where on the line of sight a box is counted that has the place in its face
_PATH_WIDTH: Final = 1.5
_PATH_START: Final = 0.1  # half the side of the block a path begins with
_EDGES: Final = np.array([(a, a | 1 << axis) for axis in range(3) for a in range(8) if not a >> axis & 1])
DIAGONALS: Final = np.array(
    [(a, b) for b in range(8) for a in range(b) if (a ^ b).bit_count() == 2]  # corners of one face
)
_DASH: Final = 1 / 3  # of a node, with the gap behind it
_DASH_SHARE: Final = 0.6


class Space(NamedTuple):
    """The map from node coordinates to space: the slice, the gap between layers, the height of a 2D mesh."""

    mesh: Mesh
    cut: Slice | None = None
    explode: float = 0.0  # 0 to 1

    @property
    def layer(self) -> float:
        """The distance from layer to layer."""
        return 1.0 + self.explode * _APART

    @property
    def height(self) -> float:
        """The height of one node."""
        return _PLATE if self.mesh.dims == 2 else 1.0

    @property
    def size(self) -> tuple[float, float, float]:
        """The extents of the whole mesh."""
        w, d, h = self.mesh.extents
        return float(w), float(d), (h - 1) * self.layer + self.height

    @property
    def shown(self) -> tuple[tuple[int, int], ...]:
        """The first and the last node along each axis in the slice."""
        return shown_nodes(self.mesh, self.cut)

    def pieces(self, boxes: NDArray[np.int16]) -> tuple[Floats32, Floats32, NDArray[np.intp]]:
        """Boxes of nodes in space: lowest corners, highest corners, source rows.

        The slice cuts them; exploded boxes are split into layers.
        """
        low, high, rows = cut_boxes(boxes, self.cut, layered=self.explode > 0)
        return self._in_space(low, 0.0), self._in_space(high, self.height), rows

    def along(self, path: Floats32) -> tuple[Floats32, NDArray[np.bool_]]:
        """The middles of a path's nodes (of a 2D mesh on its top), and which of them lie in the slice."""
        places = path.astype(np.float32) + np.array([0.5, 0.5, 0.5], dtype=np.float32)
        places[:, 2] = path[:, 2] * np.float32(self.layer)
        places[:, 2] += self.height + _MARK_GAP if self.mesh.dims == 2 else self.height / 2
        return places, np.ones(len(path), dtype=np.bool_) if self.cut is None else self.cut.keeps(path)

    def stretched(self, strokes: Strokes) -> Strokes:
        """Strokes in space, cut by the slice."""
        starts, kept = self.along(strokes.starts)
        ends, also = self.along(strokes.ends)
        return strokes._replace(starts=starts, ends=ends).only(kept & also)

    @property
    def small(self) -> bool:
        """Whether routers and links within the mesh are kept apart from those behind them."""
        return prod(last - first + 1 for first, last in self.shown) <= _MOST_INSIDE

    def walls(self, nodes: NDArray[np.integer] | NDArray[np.floating], back: Floats) -> NDArray[np.bool_]:
        """For each node and axis, whether it lies on the wall across that axis that is turned away."""
        on = np.zeros((len(nodes), 3), dtype=np.bool_)
        for axis, (first, last) in enumerate(self.shown):
            if abs(back[axis]) > EDGE_ON:
                on[:, axis] = nodes[:, axis] == (first if back[axis] > 0 else last)
        return on

    def in_the_open(self, links: Strokes, back: Floats) -> Strokes:
        """The idle links to show from a direction: in a large 3D mesh those on the walls turned away.

        All others would lie over them, in a moiré.
        """
        if self.mesh.dims == 2 or self.explode or self.small:
            return links
        starts, ends = self.walls(np.rint(links.starts), back), self.walls(np.rint(links.ends), back)
        return links.only(np.flatnonzero((starts & ends).any(axis=1)))

    def points(self, nodes: NDArray[np.int16]) -> tuple[Floats32, NDArray[np.intp]]:
        """The middles of the nodes in the slice, and which these are."""
        rows = np.arange(len(nodes)) if self.cut is None else np.flatnonzero(self.cut.keeps(nodes))
        places = self._in_space(nodes[rows].astype(np.int64), 0.0)
        places += np.array([0.5, 0.5, self.height / 2], dtype=np.float32)
        return places, rows

    def _in_space(self, corners: Ints, above: float) -> Floats32:
        """Corners in space; `above` is the distance from the upper side of a node to the node below it."""
        places = corners.astype(np.float32)
        levels = places[:, 2] - (1.0 if above else 0.0)
        places[:, 2] = levels * np.float32(self.layer) + np.float32(above)
        return places


class Numbered(NamedTuple):
    """Boxes that a job's number stands on, held or just placed: corners, the job, the row in `occupied`."""

    low: Floats32
    high: Floats32
    jobs: NDArray[np.int32]
    rows: NDArray[np.intp]


class Layout:
    """A scene in space, to upload and to pick from."""

    def __init__(self, scene: Scene, space: Space) -> None:
        self.scene = scene
        self.space = space
        low, high, self.rows = space.pieces(scene.boxes)
        gap = np.array([_GAP, _GAP, _GAP * space.height], dtype=np.float32)
        self.low, self.high = low + gap, high - gap
        self.points, self.dots = space.points(scene.dots)
        self._held: NDArray[np.int32] | None = None
        self._place_marks()

    @property
    def held(self) -> NDArray[np.int32]:
        """The row of the box shown at each node, or -1."""
        if self._held is None:
            self._held = shown_rows(self.scene, self.space.cut)
        return self._held

    @cached_property
    def occupied(self) -> NDArray[np.int32]:
        """Like `held`; the boxes just placed come after the rows of those held."""
        grid = self.held.copy()
        for row, mark in self._placed:
            x, y, z, w, d, h = mark.box
            part = grid[z : z + h, y : y + d, x : x + w]
            part[shown_part(self.space.cut, mark.box)] = row
        return grid

    @cached_property
    def _solid_grid(self) -> NDArray[np.int32]:
        """Like `occupied`, without translucent jobs."""
        solid = np.append(self.scene.colours[:, 3] >= 1.0, np.ones(len(self.scene.marks) + 1, dtype=np.bool_))
        return np.where(solid[self.occupied], self.occupied, np.int32(-1))

    @cached_property
    def _walled(self) -> NDArray[np.int32]:
        """Like `occupied`, with a node of no box around it, where what lies outside is looked up."""
        return np.pad(self.occupied, 1, constant_values=-1)

    @cached_property
    def _walled_solid(self) -> NDArray[np.int32]:
        return np.pad(self._solid_grid, 1, constant_values=-1)

    @cached_property
    def numbered(self) -> Numbered:
        """The boxes that a job's number can stand on."""
        parts = [(self.low, self.high, self.scene.jobs[self.rows], self.rows)]
        for row, mark in self._placed:
            low, high, pieces = self._mark_pieces(mark)
            count = len(pieces)
            parts.append((low, high, np.full(count, mark.job, np.int32), np.full(count, row, np.intp)))
        low, high, jobs, rows = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Numbered(low, high, jobs, rows)

    @property
    def _placed(self) -> Iterator[tuple[int, StyledMark]]:
        """The marks of boxes just placed, and their rows in `occupied`."""
        placed = (mark for mark in self.scene.marks if mark.job is not None)
        return enumerate(placed, len(self.scene.boxes))

    @cached_property
    def strokes(self) -> Strokes:
        """The strokes of the network, in space."""
        network = self.scene.network
        return NOTHING if network is None else self.space.stretched(network.strokes)

    def solids(self, *, glass: bool) -> Floats32:
        """Opaque or translucent boxes for the box shader: corners, fill, edge, edge width, in rows of 15."""
        scene, rows = self.scene, self.rows
        which = (scene.colours[rows, 3] < 1.0) == glass
        if not glass and scene.mesh.dims == 3 and self.space.explode == 0:
            which &= ~buried(self.held, rows)
        rows = rows[which]
        boxes = np.c_[
            self.low[which], self.high[which], scene.colours[rows], scene.edges[rows], scene.widths[rows]
        ]
        marks = self._mark_boxes[(self._mark_boxes[:, 9] < 1.0) == glass]
        extra = self._path_start() if glass else self._tiles()
        return np.ascontiguousarray(np.concatenate((boxes, marks, extra)), dtype=np.float32)

    def outlines(self) -> Floats32:
        """The outlines of marks, of the selected and of the hovered job, and the path, as segments."""
        parts = [self._mark_lines, self._path_lines()]
        scene = self.scene
        for job, colour, width in zip(
            (scene.hovered, scene.selected), reversed(scene.edge_colours), scene.rims, strict=True
        ):
            if job is not None:
                which = scene.jobs[self.rows] == job
                parts.append(box_segments(self.low[which], self.high[which], colour, width))
        return np.concatenate(parts)

    def pick(self, start: Floats, direction: Floats) -> int | None:
        """The row of the nearest box that a ray hits, or None."""
        if not len(self.low):
            return None
        safe = np.where(np.abs(direction) < 1e-12, 1e-12, direction)
        one, two = (self.low - start) / safe, (self.high - start) / safe
        enter = np.minimum(one, two).max(axis=1)
        leave = np.maximum(one, two).min(axis=1)
        hit = np.flatnonzero((enter <= leave) & (leave > 0))
        return int(self.rows[hit[np.argmin(enter[hit])]]) if len(hit) else None

    def covers(self) -> Floats32:
        """The translucent jobs, to find what of a picture they cover; in rows for the box shader."""
        scene, rows = self.scene, self.rows
        which = scene.colours[rows, 3] < 1.0
        rest = np.zeros((int(which.sum()), 9))
        return np.concatenate((self.low[which], self.high[which], rest), axis=1, dtype=np.float32)

    def free_points(self, back: Floats) -> tuple[Floats32, NDArray[np.intp]]:
        """The free nodes to show from a direction, and which dots these are.

        Of the layers of a 3D mesh together only those on the walls turned away and on the ground: all others
        would lie over them, in a moiré. In a small mesh that is empty no two of them do.
        """
        which = self.scene.unmarked_dots[self.dots]
        can_be_seen_through = self.scene.network is not None or not len(self.scene.boxes)
        open_mesh = self.space.small and can_be_seen_through
        if self.scene.mesh.dims == 3 and not self.space.explode and not open_mesh:
            which &= self.space.walls(self.scene.dots[self.dots], back).any(axis=1)
        return self.points[which], self.dots[which]

    def in_sight(
        self,
        places: Floats,
        eye: Floats,
        own: NDArray[np.intp] | None = None,
        *,
        solid_only: bool = False,
    ) -> NDArray[np.bool_]:
        """A mask of the places that no box hides from the camera, by marching through the nodes.

        A box does not hide the places that are its own, by its row in `occupied`; without `own` it hides
        those within it. `solid_only` looks through translucent jobs.
        """
        begin, own = (_PAST_FACE, np.full(len(places), -1)) if own is None else (0.0, own)
        away = eye - places
        towards = away / np.linalg.norm(away, axis=1, keepdims=True)
        left = np.arange(len(places))  # those not found hidden so far
        grid = self._walled_solid if solid_only else self._walled
        last, steps = np.array(self.scene.mesh.extents), np.array([1, grid.shape[2], grid[0].size])
        rows_at, gaps = grid.ravel(), self.space.height < self.space.layer
        end = float(np.linalg.norm(self.space.size))
        for block in np.array_split(np.arange(begin, end, _MARCH), 16):
            way = places[left, None, :] + towards[left, None, :] * block[None, :, None]
            if gaps:
                way[..., 2], rest = np.divmod(way[..., 2], self.space.layer)
            nodes = np.maximum(np.minimum(np.floor(way), last), -1.0) + 1.0
            rows = rows_at[(nodes @ steps).astype(np.intp)]
            hides = (rows >= 0) & (rows != own[left, None])
            if gaps:
                hides &= rest < self.space.height
            left = left[~hides.any(axis=1)]
        seen = np.zeros(len(places), dtype=np.bool_)
        seen[left] = True
        return seen

    def _tiles(self) -> Floats32:
        """The heat of a 2D mesh's free nodes, as boxes that lie flat on its ground."""
        if self.scene.mesh.dims == 3:  # there the dots show it
            return np.zeros((0, 15), dtype=np.float32)
        cells = np.concatenate((self.scene.heat, np.ones_like(self.scene.heat)), axis=1)
        heat_colours = self.scene.heat_colours
        if len(cells) > _TILES_APART:
            cells, heat_colours = joined(cells, heat_colours)
        low, high, rows = self.space.pieces(cells)
        gap = np.array([_GAP / 2, _GAP / 2, 0.0], dtype=np.float32)
        low, high = low + gap, high - gap
        high[:, 2] = low[:, 2] + _TILE
        colours = heat_colours[rows]
        solid, none = np.ones((len(rows), 1), np.float32), np.zeros((len(rows), 5), np.float32)
        return np.concatenate((low, high, colours, solid, none), axis=1)

    def _path_lines(self) -> Floats32:
        """A segment from each node of the path to the next, where the slice leaves both."""
        places, kept = self.space.along(self.scene.path)
        both = kept[:-1] & kept[1:]
        start, end = places[:-1][both], places[1:][both]
        look = np.tile(np.array([*self.scene.path_colour, _PATH_WIDTH], dtype=np.float32), (len(start), 1))
        look[:, 3] *= self.scene.path_strength[both]
        return np.concatenate((start, end, look), axis=1, dtype=np.float32)

    def _path_start(self) -> Floats32:
        """A small block at the start of the path; translucent, so that it is drawn over the others."""
        places, kept = self.space.along(self.scene.path[:1])
        kept &= bool(self.scene.path_strength[:1].max(initial=0.0) == 1.0)  # a job's number may stand there
        reach, (red, green, blue, _) = np.float32(_PATH_START), self.scene.path_colour
        look = np.array([red, green, blue, 0.99, red, green, blue, 0.99, 0.0], dtype=np.float32)
        looks = np.tile(look, (len(places), 1))
        return np.concatenate((places - reach, places + reach, looks), axis=1, dtype=np.float32)[kept]

    def _place_marks(self) -> None:
        """Lay out the boxes and outlines of the marks."""
        boxes, lines = [np.zeros((0, 15), dtype=np.float32)], [np.zeros((0, 11), dtype=np.float32)]
        for mark in self.scene.marks:
            low, high, _ = self._mark_pieces(mark)
            if mark.role == Role.BORDER:
                middle = (low[:, 0] + high[:, 0]) / 2
                low[:, 0], high[:, 0] = middle - _PLANE_HALF, middle + _PLANE_HALF
            if mark.fill[3] > 0:
                look = np.array([*mark.fill, *mark.edge, 0.0], dtype=np.float32)
                boxes.append(np.c_[low, high, np.tile(look, (len(low), 1))].astype(np.float32))
            edges = box_segments(low, high, mark.edge, mark.width)
            lines.append(dashed(edges) if mark.role in DASHED else edges)
            if mark.role in CROSSED:
                lines.append(box_segments(low, high, mark.edge, mark.width, DIAGONALS))
        self._mark_boxes = np.concatenate(boxes)
        self._mark_lines = np.concatenate(lines)

    def _mark_pieces(self, mark: StyledMark) -> tuple[Floats32, Floats32, NDArray[np.intp]]:
        """The corners of a mark's pieces in space, and their rows."""
        low, high, rows = self.space.pieces(np.array([mark.box], dtype=np.int16))
        gap = np.float32(_PLACED_GAP if mark.role == Role.PLACED else _MARK_GAP)
        return low + gap, high - gap, rows


def buried(held: NDArray[np.int32], rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """A mask of the boxes in these rows that neighbours hide on all sides."""
    count = int(held.max(initial=-1)) + 1
    if not count:
        return np.zeros(len(rows), dtype=np.bool_)
    bare = np.zeros(count + 1, dtype=np.bool_)  # the last place stands for the nodes that no box holds
    for axis in range(3):
        first, last = (np.take(held, end, axis=axis) for end in (0, -1))
        bare[first] = bare[last] = True
        near, far = np.moveaxis(held, axis, 0)[:-1], np.moveaxis(held, axis, 0)[1:]
        bare[near[far < 0]] = True
        bare[far[near < 0]] = True
    covered: NDArray[np.bool_] = ~bare[rows]
    return covered


def dashed(segments: Floats32) -> Floats32:
    """Each segment in dashes, about three a node."""
    starts, ways = segments[:, :3], segments[:, 3:6] - segments[:, :3]
    counts = np.maximum(np.rint(np.linalg.norm(ways, axis=1) / _DASH).astype(np.intp), 1)
    which = np.repeat(np.arange(len(segments)), counts)
    pitch = 1 / (counts[which, None] - 1 + _DASH_SHARE)  # so that the last one ends where the segment does
    first, last = (pitch * (ramps(counts)[:, None] + at) for at in (0.0, _DASH_SHARE))
    ends = np.concatenate((starts[which] + first * ways[which], starts[which] + last * ways[which]), axis=1)
    return np.concatenate((ends, segments[which, 6:]), axis=1, dtype=np.float32)


def joined(cells: NDArray[np.int16], colours: Floats32) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Boxes of nodes in row-major order, joined along each row where their colours are nearly equal."""
    shades = np.rint(colours * _SHADES)
    begins = np.ones(len(cells), dtype=np.bool_)
    same_row = (cells[1:, 1:3] == cells[:-1, 1:3]).all(axis=1) & (np.diff(cells[:, 0]) == 1)
    begins[1:] = ~(same_row & (shades[1:] == shades[:-1]).all(axis=1))
    first = np.flatnonzero(begins)
    boxes = cells[first]
    boxes[:, 3] = np.diff(np.append(first, len(cells)))
    return boxes, (shades[first] / _SHADES).astype(np.float32)


def box_segments(
    low: Floats32,
    high: Floats32,
    colour: tuple[float, ...],
    width: float,
    between: NDArray[np.intp] = _EDGES,
) -> Floats32:
    """The twelve edges of each box for the segment shader: two ends, colour, width, in rows of 11.

    Or what else lies `between` its corners.
    """
    bits = np.array([[corner >> axis & 1 for axis in range(3)] for corner in range(8)], dtype=bool)
    corners = np.where(bits[None], high[:, None, :], low[:, None, :])  # [n, 8, 3]
    ends = corners[:, between].reshape(-1, 6)
    look = np.tile(np.array([*colour, width], dtype=np.float32), (len(ends), 1))
    return np.concatenate((ends, look), axis=1, dtype=np.float32)
