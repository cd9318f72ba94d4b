"""Places the jobs' numbers over the mesh in 3D, all of them at once as arrays.

What a turn of the mesh does not change is worked out once: texts, colours, and which faces lie bare.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.model.scene.camera import FROM_ABOVE, Camera
from meshgui.model.scene.colours import inks_on, job_colours
from meshgui.model.scene.light import Light
from meshgui.model.scene.solid_layout import Layout
from meshgui.views.mesh.scene.labels import (
    BESIDE,
    NUMBER_LIMITS,
    NUMBER_SIZES,
    least_letters,
    number_ems,
)
from meshgui.views.style.lettering import Labels, letter_sizes, letters_of
from meshgui.views.style.theme import Dress

_MOST_NUMBERS: Final = 260  # one for each node of a 16×16 mesh
_MIDDLE: Final = ((0.5, 0.5),)  # where a number stands on a face, in shares of its sides
_OFF_MIDDLE: Final = tuple((u, v) for u in (0.2, 0.5, 0.8) for v in (0.2, 0.5, 0.8) if (u, v) != (0.5, 0.5))
_AROUND: Final = ((0, 0), (1, 0), (1, 1), (0, 1))  # the corners of a face
_CORNERS: Final = np.array([[corner >> axis & 1 for axis in range(3)] for corner in range(8)], dtype=bool)
_MOST_SEARCHED: Final = 100  # boxes for which another place than the middle of a face is looked for
_SLANT: Final = 4  # times as wide as letters are high a face is at most that has room for none
_MOST_LOOKED_AT: Final = 800  # faces, the largest, of which is found out whether they are in sight
_INSET: Final = 4.0  # pixels between a number in a corner and the edges of its box
_LABEL_HALF: Final = 12.0  # pixels to each side of a number's middle that must be seen


class _Spots(NamedTuple):
    """Places that could bear a number, on bare faces turned to the eye from one side of each axis."""

    points: Floats  # [5, n, 3]: each place, and the corners of its face
    ems: Floats  # [n, 2]: the width and height of the number, as shares of its letters' size
    boxes: NDArray[np.intp]  # their places in `Layout.numbered`
    axes: NDArray[np.intp]  # across which their faces lie
    spans: Floats  # the longest side of their boxes


class _Faces(NamedTuple):
    """Places for numbers in one picture, of which nothing hides the box's own face."""

    points: Floats  # [n, 2]: from the middle of the picture, in pixels; y runs upwards
    rooms: Floats  # the pixels around each
    letters: Floats  # the pixels of the largest letters that keep the number on its face
    boxes: NDArray[np.intp]
    axes: NDArray[np.intp]
    depths: Floats

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> _Faces:
        """Some of them."""
        return _Faces._make(column[which] for column in self)


class JobNumbers:
    """The numbers of the jobs of a layout, in one theme at one size of text."""

    def __init__(self, layout: Layout, themes: Dress) -> None:
        self._layout, self._scale, self._least = layout, themes.scale, least_letters(themes)
        numbered = layout.numbered
        self._low, self._high = numbered.low.astype(np.float64), numbered.high.astype(np.float64)
        self._letters = letters_of(numbered.jobs)
        digits = (self._letters >= 0).sum(axis=1)
        counts = range(int(digits.max(initial=1)) + 1)
        self._ems = np.array([number_ems(max(count, 1)) for count in counts])[digits]
        self._digits = digits
        self._theme = themes.theme
        self._stepping_back = _stepping_back(layout)
        self._fonts = np.array([themes.text(size).pixelSize() for size in NUMBER_SIZES])
        sizes = [letter_sizes(size, strong=True)[:2] for size in self._fonts.tolist()]
        self._font_sizes = np.array(sizes)  # the width of a digit and the height of a capital
        self._known: dict[tuple[object, ...], _Spots] = {}

    def placed(self, room: QSize, camera: Camera) -> Labels:
        """Place each number on the largest face of its box that is in sight and has room for it.

        If worms are drawn inside the jobs it is in the upper left of its box instead, where that is in
        sight.
        """
        half = np.array([room.width(), room.height()]) / 2.0
        faces = self._best_faces(camera, half)
        if self._layout.scene.network is not None:
            return self._in_corners(faces.boxes, camera, half)
        fonts = self._fonts[self._ranks(faces.rooms)]
        sizes = np.minimum(fonts, faces.letters.astype(np.intp))
        return self._labels(half + faces.points * (1, -1), sizes, faces.boxes, self._inks(faces, camera))

    def _labels(
        self, places: Floats, sizes: NDArray[np.intp], boxes: NDArray[np.intp], colours: Floats32
    ) -> Labels:
        strong = np.ones(len(boxes), dtype=np.bool_)
        return Labels(places, self._letters[boxes], sizes, strong, colours)

    def _inks(self, faces: _Faces, camera: Camera) -> Floats32:
        """The colour of each number: what can be read on its face, or the text's where the job steps back."""
        theme, light = self._theme, Light(camera, self._layout.space)
        bright = [light.brightness(axis, upper=up) for axis, up in enumerate((camera.back > 0).tolist())]
        fills = job_colours(self._layout.numbered.jobs[faces.boxes], theme.name)
        hazes = light.faded(faces.depths)[:, None]
        grounds = fills * np.array(bright)[faces.axes, None] * (1 - hazes)
        colours = self._texts(len(faces.boxes))
        front = ~self._stepping_back[faces.boxes]
        colours[front, :3] = inks_on(grounds + hazes * theme.rgb("mesh_background"))[front]
        return colours

    def _texts(self, count: int) -> Floats32:
        """The theme's colour of texts, for each of some numbers."""
        return np.tile(np.array(self._theme.rgba("text", 1.0), dtype=np.float32), (count, 1))

    def _ranks(self, rooms: Floats) -> NDArray[np.intp]:
        """The places in NUMBER_SIZES of what fits these rooms."""
        return np.searchsorted(NUMBER_LIMITS, rooms / self._scale, side="right")

    def _in_corners(self, boxes: NDArray[np.intp], camera: Camera, half: Floats) -> Labels:
        """The numbers in the upper left of their boxes that have room, and before which no other box lies."""
        low, high = self._low[boxes], self._high[boxes]
        corners = np.where(_CORNERS, high[:, None, :], low[:, None, :])
        points = (camera.project(corners.reshape(-1, 3))[:, :2] * half).reshape(-1, 8, 2)
        upper_left = np.argmax(points[..., 1] - points[..., 0], axis=1)
        corner = points[np.arange(len(points)), upper_left]
        towards = points.mean(axis=1) - corner
        rooms = np.ptp(points, axis=1).min(axis=1, initial=np.inf)
        ranks = self._ranks(0.4 * rooms)
        size = self._font_sizes[ranks] * np.stack((self._digits[boxes], np.ones(len(boxes))), axis=1)
        places = corner + np.sign(towards) * np.minimum(size / 2 + _INSET * self._scale, np.abs(towards))
        roomy = size.max(axis=1, initial=0.0) <= rooms - 4
        kept = roomy & self._foremost(boxes, places, size[:, 0] / 2, camera, half)
        places, boxes = (half + places * (1, -1))[kept], boxes[kept]
        return self._labels(places, self._fonts[ranks[kept]], boxes, self._texts(len(boxes)))

    def _foremost(
        self, boxes: NDArray[np.intp], places: Floats, reach: Floats, camera: Camera, half: Floats
    ) -> NDArray[np.bool_]:
        """A mask of the boxes that nothing lies before, at their places and at both ends of their numbers."""
        rows, kept = self._layout.numbered.rows[boxes], np.ones(len(boxes), dtype=np.bool_)
        for side in (-1.0, 0.0, 1.0):
            ends = places + np.stack((side * reach, np.zeros(len(reach))), axis=1)
            nearest = self._layout.picks(camera.eye, camera.ways(ends / half))
            kept &= (nearest == rows) | (nearest < 0)
        return kept

    def _best_faces(self, camera: Camera, half: Floats) -> _Faces:
        """For each box the place in sight with most room; `half` is half the picture's size."""
        rows = self._layout.numbered.rows
        faces = self._seen_faces(self._spots(camera, _MIDDLE), camera, half)
        without = np.ones(len(rows), dtype=np.bool_)
        without[faces.boxes] = False
        missing = np.count_nonzero(without)
        if 0 < missing <= _MOST_SEARCHED:  # their middles are hidden, or lie too close to an edge
            off = self._spots(camera, _OFF_MIDDLE)
            wanted = np.flatnonzero(without[off.boxes])
            if len(wanted):
                more = self._seen_faces(_only(off, wanted), camera, half)
                faces = _Faces._make(np.concatenate(pair) for pair in zip(faces, more, strict=True))
        order = np.argsort(-faces.rooms, kind="stable")
        first = np.full(int(rows.max(initial=-1)) + 1, -1)
        first[rows[faces.boxes[order[::-1]]]] = np.arange(len(order))[::-1]
        return faces.only(_not_too_many(order[np.sort(first[first >= 0])], faces.rooms))

    def _spots(self, camera: Camera, shares: tuple[tuple[float, float], ...]) -> _Spots:
        """Spots, in shares of a face, on the bare faces that are turned to the eye."""
        upper = (camera.back > 0).tolist()
        key = (*upper, shares)
        if key not in self._known:
            parts = [self._spots_across(axis, upper[axis], spot) for axis in range(3) for spot in shares]
            points = np.concatenate([part.points for part in parts], axis=1)
            rest = (np.concatenate(column) for column in zip(*(part[1:] for part in parts), strict=True))
            self._known[key] = _Spots._make((points, *rest))
        return self._known[key]

    def _spots_across(self, axis: int, upper: bool, spot: tuple[float, float]) -> _Spots:
        """One spot on each bare face on one side across an axis."""
        u, v = (other for other in range(3) if other != axis)
        shares = np.zeros((5, 1, 3))
        shares[:, 0, u], shares[:, 0, v] = zip(spot, *_AROUND, strict=True)
        shares[:, 0, axis] = upper
        points = self._low + (self._high - self._low) * shares
        bare = np.flatnonzero(self._layout.sight.uncovered(points[0], axis, 1 if upper else -1))
        spans = (self._high - self._low)[bare].max(axis=1, initial=0.0)
        return _Spots(points[:, bare], self._ems[bare], bare, np.full(len(bare), axis), spans)

    def _seen_faces(self, spots: _Spots, camera: Camera, half: Floats) -> _Faces:
        """The spots with room for a number of which nothing hides the box's own face."""
        nearest = camera.distance / camera.depths[0] * 2 * half[1] / camera.pose.extent  # pixels of a node
        large = spots.spans * nearest * _SLANT >= self._least
        if not large.all():
            spots = _only(spots, np.flatnonzero(large))
        projected = camera.project(spots.points.reshape(-1, 3))
        seen = (projected[:, :2] * half).reshape(5, -1, 2)
        rooms = _room_within(seen[1:], seen[0], spots.ems)
        faces = _Faces(seen[0], *rooms, spots.boxes, spots.axes, projected[: len(spots.boxes), 2])
        which = np.flatnonzero(faces.letters >= self._least)
        if self._layout.scene.mesh.dims == 2 and camera.back[2] > FROM_ABOVE:
            return faces.only(which)  # straight from above nothing hides anything
        which = which[np.argsort(-faces.rooms[which], kind="stable")[:_MOST_LOOKED_AT]]
        reach = _LABEL_HALF * self._scale * camera.pose.extent / (2 * half[1])
        rightwards = _rightwards(camera)[spots.axes[which]] * reach
        places = spots.points[0, which]
        rows = self._layout.numbered.rows[spots.boxes[which]]
        # Of an exploded mesh the layers of a job hide one another.
        own = None if self._layout.space.explode else np.concatenate((rows, rows))
        both = self._layout.in_sight(
            np.concatenate((places + rightwards, places - rightwards)), camera.eye, own
        )
        return faces.only(which[both.reshape(2, -1).all(axis=0)])


def _only(spots: _Spots, which: NDArray[np.intp]) -> _Spots:
    """Some of the spots."""
    return _Spots._make((spots.points[:, which], *(column[which] for column in spots[1:])))


def _rightwards(camera: Camera) -> Floats:
    """For faces across each axis the way within them that leads one unit to the right in the picture."""
    ways = np.where(np.eye(3, dtype=bool), 0.0, camera.right)
    rightwards: Floats = ways / np.maximum(ways @ camera.right, 0.1)[:, None]
    return rightwards


def _stepping_back(layout: Layout) -> NDArray[np.bool_]:
    """Which numbered boxes are of jobs that step back, behind another job or the network."""
    scene, numbered = layout.scene, layout.numbered
    held = numbered.rows < len(scene.jobs)
    faded = np.full(len(held), scene.network is not None)
    faded[held] |= scene.faded[numbered.rows[held]]
    return faded


def _room_within(corners: Floats, points: Floats, ems: Floats) -> tuple[Floats, Floats]:
    """The diameter of the largest circle around each point within its polygon of these corners.

    And the size of the largest letters of a text around it whose width and height `ems` has in those letters.
    """
    sides, ways = corners[[1, 2, 3, 0]] - corners, points - corners
    x, y = np.abs(sides[..., 0]), np.abs(sides[..., 1])
    long = np.maximum(np.hypot(x, y), 1e-9)
    across = 2 * np.abs(sides[..., 0] * ways[..., 1] - sides[..., 1] * ways[..., 0]) / long
    reach = (y * ems[:, 0] + x * ems[:, 1]) / long
    letters = (across - BESIDE) / np.maximum(reach, 1e-9)
    return across.min(axis=0), letters.min(axis=0)


def _not_too_many(order: NDArray[np.intp], sizes: Floats) -> NDArray[np.intp]:
    """The largest faces; of equal ones all or none, so that neighbours are treated alike."""
    if len(order) <= _MOST_NUMBERS:
        return order
    larger: NDArray[np.intp] = order[sizes[order] > sizes[order[_MOST_NUMBERS]] + 0.5]
    return larger
