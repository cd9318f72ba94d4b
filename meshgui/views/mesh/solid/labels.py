"""Draws the numbers of axes and jobs over the mesh in 3D."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from meshgui.engine.basics.arrays import Floats
from meshgui.views.mesh.scene.labels import BESIDE, least_letters, number_ems, number_size
from meshgui.views.mesh.solid.axes import ticks
from meshgui.views.mesh.solid.camera import FROM_ABOVE, Camera
from meshgui.views.mesh.solid.layout import Layout
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.labels import label_qcolor

__all__ = ["JobNumber", "draw_axes", "draw_job_numbers", "job_numbers"]

_MOST_NUMBERS: Final = 260  # one for each node of a 16×16 mesh
_MIDDLE: Final = (0.5, 0.5)  # where a number stands on a face, in shares of its sides
_OFF_MIDDLE: Final = tuple((u, v) for u in (0.2, 0.5, 0.8) for v in (0.2, 0.5, 0.8) if (u, v) != _MIDDLE)
_CORNERS: Final = np.array([[corner >> axis & 1 for axis in range(3)] for corner in range(8)], dtype=bool)
_MOST_SEARCHED: Final = 100  # boxes for which another place than the middle of a face is looked for
_SLANT: Final = 4  # times as wide as letters are high a face is at most that has room for none
_MOST_LOOKED_AT: Final = 800  # faces, the largest, of which is found out whether they are in sight
_INSET: Final = 4.0  # pixels between a number in a corner and the edges of its box
_LABEL_HALF: Final = 12.0  # pixels to each side of a number's middle that must be seen


def draw_axes(
    painter: QPainter, room: QSize, layout: Layout, camera: Camera, themes: ThemeManager
) -> list[QPointF]:
    """Draw the numbers along the axes and their names; returns the places of the names."""
    font, strong = themes.text("caption"), themes.text("body", QFont.Weight.DemiBold)
    height = QFontMetricsF(font).height()
    colour = themes.theme.colour("mesh_axis")
    names = []
    for tick in ticks(layout.space, camera, room.width(), room.height(), height):
        at = QPointF(tick.x, tick.y)
        if not height / 2 <= tick.y <= room.height() - height / 2:
            continue  # large letters in a low picture: half a number would be none
        painter.setFont(strong if tick.name else font)
        painter.setPen(colour)
        _centred(painter, at, tick.text)
        if tick.name:
            names.append(at)
    return names


class JobNumber(NamedTuple):
    """A job's number in the picture: its middle, the font, the job, the row of its box in `occupied`."""

    at: QPointF
    font: QFont
    job: int
    row: int


def draw_job_numbers(
    painter: QPainter, room: QSize, layout: Layout, camera: Camera, themes: ThemeManager
) -> None:
    """Draw each job's number on its boxes."""
    theme, scene = themes.theme, layout.scene
    for number in job_numbers(room, layout, camera, themes):
        faded = scene.network is not None or (number.row < len(scene.jobs) and scene.faded(number.row))
        painter.setFont(number.font)
        painter.setPen(theme.colour("text") if faded else label_qcolor(int(scene.tints[number.job]), theme))
        _centred(painter, number.at, str(number.job))


def job_numbers(room: QSize, layout: Layout, camera: Camera, themes: ThemeManager) -> list[JobNumber]:
    """Place each number on the largest face of its box that is in sight and has room for it.

    If worms are drawn inside the jobs it stands in the upper left of its box instead, where that is in sight.
    """
    half = np.array([room.width(), room.height()]) / 2.0
    chosen = _best_faces(layout, camera, half, themes)
    numbered = layout.numbered
    points = half + camera.project(chosen.places)[:, :2] * half * (1, -1)
    found = []
    for (x, y), across, letters, box in zip(
        points.tolist(), chosen.rooms.tolist(), chosen.letters.tolist(), chosen.boxes.tolist(), strict=True
    ):
        if layout.scene.network is None:
            font = themes.text(number_size(across / themes.scale), QFont.Weight.DemiBold)
            font.setPixelSize(min(font.pixelSize(), int(letters)))
            found.append(JobNumber(QPointF(x, y), font, int(numbered.jobs[box]), int(numbered.rows[box])))
        elif (number := _corner_number(layout, camera, half, themes, box)) is not None:
            found.append(number)
    return found


def _corner_number(
    layout: Layout, camera: Camera, half: Floats, themes: ThemeManager, box: int
) -> JobNumber | None:
    """A number in the upper left of its box; None where it has no room, or where another box is before it."""
    numbered = layout.numbered
    corners = np.where(_CORNERS, numbered.high[box], numbered.low[box]).astype(np.float64)
    points = camera.project(corners)[:, :2] * half
    corner = points[int(np.argmax(points[:, 1] - points[:, 0]))]
    towards = points.mean(axis=0) - corner
    room = float(min(np.ptp(points[:, 0]), np.ptp(points[:, 1])))
    font = themes.text(number_size(0.4 * room / themes.scale), QFont.Weight.DemiBold)
    metrics, job = QFontMetricsF(font), int(numbered.jobs[box])
    size = np.array([metrics.horizontalAdvance(str(job)), metrics.capHeight()])
    if max(size) > room - 4:
        return None
    place = corner + np.sign(towards) * np.minimum(size / 2 + _INSET * themes.scale, np.abs(towards))
    row, end = int(numbered.rows[box]), np.array([size[0] / 2, 0.0])
    before = {layout.pick(*camera.ray(*(point / half))) for point in (place - end, place, place + end)}
    if not before <= {row, None}:
        return None
    x, y = half + place * (1, -1)
    return JobNumber(QPointF(x, y), font, job, row)


def _best_faces(layout: Layout, camera: Camera, half: Floats, themes: ThemeManager) -> _Faces:
    """For each box the place in sight with most room; `half` is half the picture's size."""
    least = least_letters(themes)
    shift = _LABEL_HALF * themes.scale * camera.pose.extent / (2 * half[1])
    faces = _seen_faces(layout, camera, (_MIDDLE,), half, least, shift)
    without = np.ones(len(layout.numbered.rows), dtype=np.bool_)
    without[faces.boxes] = False
    missing = np.flatnonzero(without)
    if 0 < len(missing) <= _MOST_SEARCHED:  # their middles are hidden, or lie too close to an edge
        off = _seen_faces(layout, camera, _OFF_MIDDLE, half, least, shift)
        faces = faces.joined(off.only(np.isin(off.boxes, missing)))
    order = np.argsort(-faces.rooms, kind="stable")
    first: dict[int, int] = {}  # np.unique would import np.ma, which takes longer than all of this
    for n, row in enumerate(layout.numbered.rows[faces.boxes[order]].tolist()):
        first.setdefault(row, n)
    return faces.only(_not_too_many(order[list(first.values())], faces.rooms))


class _Faces(NamedTuple):
    """Places for numbers on faces turned to the eye: in space, the room around each in pixels, the boxes."""

    places: Floats
    rooms: Floats
    letters: Floats  # the pixels of the largest letters that keep the number on the face
    boxes: NDArray[np.intp]  # their places in `Layout.numbered`

    def only(self, which: NDArray[np.bool_] | NDArray[np.intp]) -> _Faces:
        """Some of them."""
        return _Faces(self.places[which], self.rooms[which], self.letters[which], self.boxes[which])

    def joined(self, other: _Faces) -> _Faces:
        """These, and others after them."""
        return _Faces(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))


def _seen_faces(
    layout: Layout,
    camera: Camera,
    spots: tuple[tuple[float, float], ...],
    half: Floats,
    least: float,
    shift: float,
) -> _Faces:
    """The spots on faces with room for a number of which nothing hides the box's own face."""
    faces, ways = _faces(layout, camera, spots, half, least)
    if layout.scene.mesh.dims == 2 and camera.back[2] > FROM_ABOVE:
        return faces  # straight from above nothing hides anything
    largest = np.argsort(-faces.rooms, kind="stable")[:_MOST_LOOKED_AT]
    faces, ways = faces.only(largest), ways[largest]
    rows = layout.numbered.rows[faces.boxes]
    if layout.space.explode:  # there the layers of a job hide one another
        rows = np.full(len(rows), -1)
    seen = np.ones(len(rows), dtype=np.bool_)
    for way in (shift, -shift):
        left = np.flatnonzero(seen)
        seen[left] = layout.in_sight(faces.places[left] + ways[left] * way, camera.eye, rows[left])
    return faces.only(seen)


def _faces(
    layout: Layout, camera: Camera, spots: tuple[tuple[float, float], ...], half: Floats, least: float
) -> tuple[_Faces, Floats]:
    """Spots, in shares of a face, on the faces turned to the eye; and the way to the right within each."""
    numbered = layout.numbered
    nearest = camera.distance / camera.depths[0] * 2 * half[1] / camera.pose.extent  # pixels of a node there
    large = np.flatnonzero((numbered.high - numbered.low).max(axis=1) * nearest * _SLANT >= least)
    low, high = numbered.low[large].astype(np.float64), numbered.high[large].astype(np.float64)
    digits = np.floor(np.log10(np.maximum(numbered.jobs[large], 1))).astype(np.intp)  # less one
    ems = np.array([number_ems(1 + digit) for digit in range(int(digits.max(initial=0)) + 1)])[digits]
    found, ways = [], []
    for axis in range(3):
        u, v = (other for other in range(3) if other != axis)
        way = np.where(np.arange(3) == axis, 0.0, camera.right)
        way /= max(float(way @ camera.right), 0.1)  # so that it leads one unit to the right in the picture

        def on_face(share: tuple[float, float], axis: int = axis, u: int = u, v: int = v) -> Floats:
            shares = np.zeros(3)
            shares[u], shares[v], shares[axis] = *share, float(camera.back[axis] > 0)
            return low + (high - low) * shares

        corners = [camera.project(on_face(share))[:, :2] * half for share in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for spot in spots:
            places = on_face(spot)
            room, letters = _room_within(corners, camera.project(places)[:, :2] * half, ems)
            boxes = np.flatnonzero(letters >= least)
            found.append(_Faces(places[boxes], room[boxes], letters[boxes], large[boxes]))
            ways.append(np.tile(way, (len(boxes), 1)))
    return _Faces(*(np.concatenate(column) for column in zip(*found, strict=True))), np.concatenate(ways)


def _room_within(corners: list[Floats], points: Floats, ems: Floats) -> tuple[Floats, Floats]:
    """The diameter of the largest circle around each point within its polygon of these corners.

    And the size of the largest letters of a text around it whose width and height `ems` has in those letters.
    """
    room, letters = np.full(len(points), np.inf), np.full(len(points), np.inf)
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        side, way = end - start, points - start
        long = np.maximum(np.hypot(*side.T), 1e-9)
        across = 2 * np.abs(side[:, 0] * way[:, 1] - side[:, 1] * way[:, 0]) / long
        reach = (np.abs(side[:, 1]) * ems[:, 0] + np.abs(side[:, 0]) * ems[:, 1]) / long
        room = np.minimum(room, across)
        letters = np.minimum(letters, (across - BESIDE) / np.maximum(reach, 1e-9))
    return room, letters


def _not_too_many(order: NDArray[np.intp], sizes: Floats) -> NDArray[np.intp]:
    """The largest faces; of equal ones all or none, so that neighbours are treated alike."""
    if len(order) <= _MOST_NUMBERS:
        return order
    larger: NDArray[np.intp] = order[sizes[order] > sizes[order[_MOST_NUMBERS]] + 0.5]
    return larger


def _centred(painter: QPainter, at: QPointF, text: str) -> None:
    """Draw a text with its middle at a point."""
    metrics = QFontMetricsF(painter.font())
    width = metrics.horizontalAdvance(text)
    painter.drawText(QPointF(at.x() - width / 2, at.y() + metrics.capHeight() / 2), text)
