"""What is written over the mesh in 3D, on screen and in pictures: labels, and the legends above it."""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.model.scene.camera import Camera
from meshgui.model.scene.solid_layout import Layout
from meshgui.views.mesh.scene.legend import PlacedLegend, draw_legend, place_legend
from meshgui.views.mesh.scene.network.labels import (
    PlacedUseLegend,
    draw_use_legend,
    place_use_legend,
    queue_labels,
)
from meshgui.views.mesh.solid.axes import axis_labels
from meshgui.views.mesh.solid.labels import JobNumbers
from meshgui.views.style.lettering import LETTERS, Labels, write_labels
from meshgui.views.style.theme import Dress


class Writing(NamedTuple):
    """All that is written over one picture."""

    labels: Labels
    legend: PlacedLegend | None  # of an attempt
    use_legend: PlacedUseLegend | None

    @property
    def legend_left(self) -> float | None:
        """Where the legend of an attempt begins."""
        return None if self.legend is None else self.legend.frame.left()

    @property
    def places(self) -> list[QRectF]:
        """Where something is written in the picture."""
        legends = [placed.frame for placed in (self.legend, self.use_legend) if placed is not None]
        return [*self.labels.rects, *legends]

    def write(self, painter: QPainter, themes: Dress) -> None:
        """Write all of it with a painter."""
        write_labels(painter, self.labels)
        self.draw_legends(painter, themes)

    def draw_legends(self, painter: QPainter, themes: Dress) -> None:
        """Draw the legends alone."""
        if self.legend is not None:
            draw_legend(painter, self.legend)
        if self.use_legend is not None:
            draw_use_legend(painter, self.use_legend, themes)


class Writer:
    """Places what is written over a layout; what a turn does not change is kept from picture to picture."""

    def __init__(self, themes: Dress) -> None:
        self._themes = themes
        self._key: tuple[object, ...] = ()
        self._numbers: JobNumbers | None = None

    def place(self, room: QSize, layout: Layout, camera: Camera) -> Writing:
        """Place labels and legends in a picture of that size."""
        themes, network = self._themes, layout.scene.network
        axes = axis_labels(room, layout.space, camera, themes)
        parts = [axes, self._numbers_of(layout).placed(room, camera)]
        use = None
        if network is not None:

            def points_of(nodes: Floats32) -> tuple[Floats, NDArray[np.bool_]]:
                places, kept = layout.space.along(nodes)
                points = camera.project(places[kept].astype(float))[:, :2]
                return (points * (1, -1) + 1) / 2 * room.toTuple(), kept

            counts = queue_labels(network, room.height() / camera.pose.extent, points_of, themes)
            parts += [] if counts is None else [counts]
            use = None if network.use is None else place_use_legend(room, network.use, themes)
        legend = None
        if layout.scene.legend:
            names = axes.places[axes.letters[:, -1] >= LETTERS.index("x")].tolist()
            legend = place_legend(room, layout.scene.legend, themes, [QPointF(x, y) for x, y in names])
        return Writing(Labels.joined(*parts), legend, use)

    def _numbers_of(self, layout: Layout) -> JobNumbers:
        key = (layout, self._themes.theme, self._themes.scale)
        if self._numbers is None or key != self._key:
            self._key, self._numbers = key, JobNumbers(layout, self._themes)
        return self._numbers


class LegendPicture:
    """A picture of the legends, drawn again only when they have changed."""

    def __init__(self, themes: Dress) -> None:
        self._themes = themes
        self._key: tuple[object, ...] = ()
        self._image, self._at = QImage(), QPoint()

    def of(self, writing: Writing, ratio: float) -> tuple[QImage, QPoint] | None:
        """The picture in pixels of the screen, and where its upper left is; None without a legend."""
        frames = [placed.frame for placed in (writing.legend, writing.use_legend) if placed is not None]
        if not frames:
            return None
        key = (writing.legend, writing.use_legend, self._themes.theme, self._themes.scale, ratio)
        if key != self._key:
            self._key = key
            left = floor((min(frame.left() for frame in frames) - 1) * ratio)
            top = floor((min(frame.top() for frame in frames) - 1) * ratio)
            right = ceil((max(frame.right() for frame in frames) + 1) * ratio)
            bottom = ceil((max(frame.bottom() for frame in frames) + 1) * ratio)
            image = QImage(right - left, bottom - top, QImage.Format.Format_RGBA8888_Premultiplied)
            image.fill(0)
            image.setDevicePixelRatio(ratio)
            with QPainter(image) as painter:
                painter.translate(-left / ratio, -top / ratio)
                writing.draw_legends(painter, self._themes)
            self._image, self._at = image, QPoint(left, top)
        return self._image, self._at
