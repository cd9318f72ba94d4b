"""Draws the numbers of axes and jobs over the mesh in 3D."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from meshgui.views.mesh.scene.labels import number_size
from meshgui.views.mesh.solid.axes import ticks
from meshgui.views.mesh.solid.camera import Camera
from meshgui.views.mesh.solid.layout import Layout
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.labels import label_qcolor

__all__ = ["draw_axes", "draw_job_numbers"]

_LEAST_FACE: Final = 20.0  # pixels a face must measure for a number to stand on it
_MOST_NUMBERS: Final = 160
_INSET: Final = 4.0  # pixels between a number in a corner and the edges of its box
_LABEL_HALF: Final = 12.0  # pixels to each side of a face's middle that must be seen


def draw_axes(painter: QPainter, room: QSize, layout: Layout, camera: Camera, themes: ThemeManager) -> None:
    """Draw the numbers along the axes and their names."""
    font, strong = themes.text("caption"), themes.text("body", QFont.Weight.DemiBold)
    height = QFontMetricsF(font).height()
    colour = themes.theme.colour("mesh_axis")
    for tick in ticks(layout.space, camera, room.width(), room.height(), height):
        painter.setFont(strong if tick.name else font)
        painter.setPen(colour)
        _centred(painter, QPointF(tick.x, tick.y), tick.text)


def draw_job_numbers(
    painter: QPainter, room: QSize, layout: Layout, camera: Camera, themes: ThemeManager
) -> None:
    """Draw each job's number on the largest visible face of its boxes with room for it."""
    scale = np.array([room.width(), room.height()]) / 2.0
    least = _LEAST_FACE * themes.scale
    places, across, sizes, rows = _faces(layout, camera, scale, least)
    if not len(rows):
        return
    if not layout.scene.of_glass:  # there the jobs are translucent and hide nothing
        aside = across * (_LABEL_HALF * themes.scale * camera.pose.extent / room.height())
        seen = layout.in_sight(places - aside, camera.eye)
        seen[seen] = layout.in_sight(places[seen] + aside[seen], camera.eye)
        places, sizes, rows = places[seen], sizes[seen], rows[seen]
    order = np.argsort(-sizes, kind="stable")
    _, first = np.unique(rows[order], return_index=True)  # the largest face of each box
    chosen = _not_too_many(order[np.sort(first)], sizes)
    if layout.scene.network is not None:
        _draw_corner_numbers(painter, layout, camera, scale, themes, rows[chosen])
        return
    points = camera.project(places[chosen])[:, :2] * scale
    theme = themes.theme
    for (x, y), size, row in zip(points, sizes[chosen], rows[chosen], strict=True):
        job = int(layout.scene.jobs[row])
        painter.setFont(themes.text(number_size(size / themes.scale), QFont.Weight.DemiBold))
        text = str(job)
        if QFontMetricsF(painter.font()).horizontalAdvance(text) > size - 4:
            continue
        faded = layout.scene.faded(int(row))
        painter.setPen(theme.colour("text") if faded else label_qcolor(job, theme))
        _centred(painter, QPointF(x + scale[0], scale[1] - y), text)


def _draw_corner_numbers(
    painter: QPainter,
    layout: Layout,
    camera: Camera,
    scale: NDArray[np.float64],
    themes: ThemeManager,
    rows: NDArray[np.intp],
) -> None:
    """Draw each number in the upper left of its box, if worms are drawn inside the jobs."""
    painter.setPen(themes.theme.colour("text"))
    bits = np.array([[corner >> axis & 1 for axis in range(3)] for corner in range(8)], dtype=bool)
    for row in rows:
        which = int(np.flatnonzero(layout.rows == row)[0])
        corners = np.where(bits, layout.high[which], layout.low[which]).astype(np.float64)
        points = camera.project(corners)[:, :2] * scale
        x, y = points[int(np.argmax(points[:, 1] - points[:, 0]))]
        towards = points.mean(axis=0) - (x, y)
        room = float(min(np.ptp(points[:, 0]), np.ptp(points[:, 1])))
        font = themes.text(number_size(0.4 * room / themes.scale), QFont.Weight.DemiBold)
        metrics, text = QFontMetricsF(font), str(int(layout.scene.jobs[row]))
        width, height = metrics.horizontalAdvance(text), metrics.capHeight()
        if max(width, height) > room - 4:
            continue
        painter.setFont(font)
        inset = np.array([width / 2 + _INSET * themes.scale, height / 2 + _INSET * themes.scale])
        x, y = np.array([x, y]) + np.sign(towards) * np.minimum(inset, np.abs(towards))
        _centred(painter, QPointF(x + scale[0], scale[1] - y), text)


def _faces(
    layout: Layout, camera: Camera, scale: NDArray[np.float64], least: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """The faces turned to the eye with room for a number.

    Their middles, the way to the right within them, the room in pixels, the rows of their boxes.
    """
    low, high = layout.low.astype(np.float64), layout.high.astype(np.float64)
    middle, half = (low + high) / 2, (high - low) / 2
    per_unit = scale[1] * 2 / camera.pose.extent
    places, ways, rooms, rows = [], [], [], []
    for axis in range(3):
        u, v = (other for other in range(3) if other != axis)
        towards = np.sign(camera.back[axis]) * half[:, axis]
        face = middle.copy()
        face[:, axis] += towards
        lengths = [_shown(camera, other) * 2 * half[:, other] * per_unit for other in (u, v)]
        room = np.minimum(*lengths) * _squareness(camera, u, v)
        enough = np.flatnonzero(room >= least)
        places.append(face[enough])
        way = np.where(np.arange(3) == axis, 0.0, camera.right)
        way /= max(float(way @ camera.right), 0.1)  # so that it leads one unit to the right in the picture
        ways.append(np.tile(way, (len(enough), 1)))
        rooms.append(room[enough])
        rows.append(layout.rows[enough])
    return np.concatenate(places), np.concatenate(ways), np.concatenate(rooms), np.concatenate(rows)


def _not_too_many(order: NDArray[np.intp], sizes: NDArray[np.float64]) -> NDArray[np.intp]:
    """The largest faces; of equal ones all or none, so that neighbours are treated alike."""
    if len(order) <= _MOST_NUMBERS:
        return order
    larger: NDArray[np.intp] = order[sizes[order] > sizes[order[_MOST_NUMBERS]] + 0.5]
    return larger


def _shown(camera: Camera, axis: int) -> float:
    """The length of one unit along an axis in the picture."""
    return float(np.hypot(camera.right[axis], camera.up[axis]))


def _squareness(camera: Camera, u: int, v: int) -> float:
    """The sine of the angle between two axes in the picture: 1 at a right angle, 0 if parallel."""
    one = np.array([camera.right[u], camera.up[u]])
    two = np.array([camera.right[v], camera.up[v]])
    spread = np.linalg.norm(one) * np.linalg.norm(two)
    return float(abs(one[0] * two[1] - one[1] * two[0]) / spread) if spread > 1e-9 else 0.0


def _centred(painter: QPainter, at: QPointF, text: str) -> None:
    """Draw a text with its middle at a point."""
    metrics = QFontMetricsF(painter.font())
    width = metrics.horizontalAdvance(text)
    painter.drawText(QPointF(at.x() - width / 2, at.y() + metrics.capHeight() / 2), text)
