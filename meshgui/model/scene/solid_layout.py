"""Places the parts of a sliced and exploded scene in space, and finds what a ray hits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.engine.basics.geometry import ramps
from meshgui.model.scene.hatching import families
from meshgui.model.scene.marks import CROSSED, DASHED, StyledMark
from meshgui.model.scene.mesh_scene import Scene
from meshgui.model.scene.sight import Sight
from meshgui.model.scene.slicing import shown_part, shown_rows
from meshgui.model.scene.space import MARK_GAP, Space
from meshgui.model.scene.strokes import NOTHING, Strokes

BOX_PARTS: Final = (3, 3, 4, 4, 1, 4)
"""The parts of a row for the box shader: corners, fill, edge, the edge's width, lines of the hatching."""

_GAP: Final = 0.07  # a box keeps this far from its cells' borders, so that neighbours stand apart
_PLACED_GAP: Final = 0.005  # the box placed keeps least: it is solid, and no other mark lies in its faces
_PLANE_HALF: Final = 0.12  # half the thickness of a border plane
_TILE: Final = 0.04  # the height of a tile of a heat map
_TILES_APART: Final = 1 << 16  # tiles that are each drawn; of more, those of a row in one shade are joined
_SHADES: Final = 64
_RAYS_BY_BOXES: Final = 1 << 18  # tried at once
_PATH_WIDTH: Final = 1.5
_PATH_START: Final = 0.1  # half the side of the block a path begins with
_EDGES: Final = np.array([(a, a | 1 << axis) for axis in range(3) for a in range(8) if not a >> axis & 1])
DIAGONALS: Final = np.array(
    [(a, b) for b in range(8) for a in range(b) if (a ^ b).bit_count() == 2]  # corners of one face
)
_DASH: Final = 1 / 3  # of a node, with the gap behind it
_DASH_SHARE: Final = 0.6


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
    def sight(self) -> Sight:
        """What the boxes hide from the eye."""
        return self._sight_among(self.occupied)

    @cached_property
    def _solid_sight(self) -> Sight:
        return self._sight_among(self._solid_grid)

    def _sight_among(self, grid: NDArray[np.int32]) -> Sight:
        return Sight.among(grid, self.space.size, self.space.layer, self.space.height)

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
        """Opaque or translucent boxes in rows for the box shader."""
        scene, rows = self.scene, self.rows
        which = (scene.colours[rows, 3] < 1.0) == glass
        if not glass and scene.mesh.dims == 3 and self.space.explode == 0:
            which &= ~buried(self.held, rows)
        rows = rows[which]
        boxes = np.c_[
            self.low[which],
            self.high[which],
            scene.colours[rows],
            scene.edges[rows],
            scene.widths[rows],
            families(scene.jobs[rows]),
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
        row = int(self.picks(start, direction[None])[0])
        return row if row >= 0 else None

    def picks(self, start: Floats, directions: Floats) -> NDArray[np.intp]:
        """The row of the nearest box that each ray from one place hits, or -1."""
        found = np.full(len(directions), -1, dtype=np.intp)
        if not len(self.low):
            return found
        safe = np.where(np.abs(directions) < 1e-12, 1e-12, directions)
        low, high = self.low - start, self.high - start
        together = max(_RAYS_BY_BOXES // len(low), 1)
        for begin in range(0, len(found), together):
            rays = slice(begin, begin + together)
            one, two = low / safe[rays, None], high / safe[rays, None]
            enter = np.minimum(one, two).max(axis=2)
            leave = np.maximum(one, two).min(axis=2)
            enter[(enter > leave) | (leave <= 0)] = np.inf
            nearest = np.argmin(enter, axis=1)
            hit = np.isfinite(enter[np.arange(len(nearest)), nearest])
            found[rays][hit] = self.rows[nearest[hit]]
        return found

    def covers(self) -> Floats32:
        """The translucent jobs, to find what of a picture they cover; in rows for the box shader."""
        scene, rows = self.scene, self.rows
        which = scene.colours[rows, 3] < 1.0
        rest = np.zeros((int(which.sum()), sum(BOX_PARTS[2:])))
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
        """A mask of the places that no box hides from the camera: see Sight.

        `own` are rows in `occupied`; `solid_only` looks through translucent jobs.
        """
        return (self._solid_sight if solid_only else self.sight).reaches(places, eye, own)

    def _tiles(self) -> Floats32:
        """The heat of a 2D mesh's free nodes, as boxes that lie flat on its ground."""
        if self.scene.mesh.dims == 3:  # there the dots show it
            return np.zeros((0, sum(BOX_PARTS)), dtype=np.float32)
        cells = np.concatenate((self.scene.heat, np.ones_like(self.scene.heat)), axis=1)
        heat_colours = self.scene.heat_colours
        if len(cells) > _TILES_APART:
            cells, heat_colours = joined(cells, heat_colours)
        low, high, rows = self.space.pieces(cells)
        gap = np.array([_GAP / 2, _GAP / 2, 0.0], dtype=np.float32)
        low, high = low + gap, high - gap
        high[:, 2] = low[:, 2] + _TILE
        colours = heat_colours[rows]
        solid, none = (
            np.ones((len(rows), 1), np.float32),
            np.zeros((len(rows), sum(BOX_PARTS[3:])), np.float32),
        )
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
        look = np.array([red, green, blue, 0.99, red, green, blue, 0.99, *5 * [0.0]], dtype=np.float32)
        looks = np.tile(look, (len(places), 1))
        return np.concatenate((places - reach, places + reach, looks), axis=1, dtype=np.float32)[kept]

    def _place_marks(self) -> None:
        """Lay out the boxes and outlines of the marks."""
        boxes, lines = (
            [np.zeros((0, sum(BOX_PARTS)), dtype=np.float32)],
            [np.zeros((0, 11), dtype=np.float32)],
        )
        for mark in self.scene.marks:
            low, high, _ = self._mark_pieces(mark)
            if mark.role == Role.BORDER:
                middle = (low[:, 0] + high[:, 0]) / 2
                low[:, 0], high[:, 0] = middle - _PLANE_HALF, middle + _PLANE_HALF
            if mark.fill[3] > 0:
                hatching = families(np.array([mark.job])) if mark.job is not None else np.zeros((1, 4))
                look = np.array([*mark.fill, *mark.edge, 0.0, *hatching[0]], dtype=np.float32)
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
        gap = np.float32(_PLACED_GAP if mark.role == Role.PLACED else MARK_GAP)
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
