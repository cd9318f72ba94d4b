"""Draws the strokes of the network on the layers of the flat canvas, and finds the one at a point."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Mesh
from meshgui.model.scene.idle_links import (
    channels_near,
    idle_apart,
    idle_links,
    idle_strength,
    seam_signs,
)
from meshgui.model.scene.network_pointing import NOWHERE, SLACK, Pointed
from meshgui.model.scene.network_scene import NetworkScene
from meshgui.model.scene.slicing import shown_nodes
from meshgui.model.scene.strokes import Strokes, under
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.scene.network.brush import StrokeBrush
from meshgui.views.style.theme_colours import Theme


class FlatNetwork:
    """The strokes on the layers, cut by the slice."""

    def __init__(self, network: NetworkScene, layout: FlatLayout, scale: float) -> None:
        self._mesh, self._drawn, self._layout = network.mesh, network.strokes, layout
        self._shows_use, self._channels = network.use is not None, network.channels
        self._scale = scale

    def draw(self, painter: QPainter, theme: Theme) -> None:
        """Draw the idle links, if there is room for them, and the worms."""
        mesh, cell = self._mesh, self._layout.cell / self._scale
        strength = self._idle_strength
        if strength > 0:
            shown = shown_nodes(mesh, self._layout.cut)
            apart = idle_apart(mesh, cell, self._channels)
            links = idle_links(mesh, theme, shown, of=self._channels, apart=apart)
            idle = on_layers(links, self._layout)
            idle.colours[:, 3] *= strength
            StrokeBrush(painter, idle, self._layout.cell, self._scale).draw()
        draw_seams(painter, self._layout, theme, self._scale)
        StrokeBrush(painter, self._strokes, self._layout.cell, self._scale).draw()

    def ends_of(self, packets: Sequence[int]) -> tuple[Floats, Floats]:
        """Where the strokes of packets begin and end."""
        drawn = self._strokes.of(packets)
        return drawn.starts[:, :2].astype(np.float64), drawn.ends[:, :2].astype(np.float64)

    def pointed_at(self, point: tuple[float, float]) -> Pointed:
        """The packet and the channel under a point."""
        pointed = self._find(self._strokes, point)
        if pointed != NOWHERE or self._idle_strength == 0.0:
            return pointed
        node = self._layout.node_at(QPointF(*point))
        if node is None:
            return NOWHERE
        low = np.maximum(np.array(node) - 1, 0)
        high = np.minimum(np.array(node) + 2, self._mesh.extents)
        around = np.meshgrid(*(np.arange(a, b) for a, b in zip(low, high, strict=True)))
        x, y, z = (side.ravel() for side in around)
        width, depth, _ = self._mesh.extents
        near = channels_near(self._mesh, (z * depth + y) * width + x, self._channels)
        return self._find(on_layers(near, self._layout), point)

    @property
    def _idle_strength(self) -> float:
        """The opacity of idle links; no flat layer lies behind another, so each counts as a 2D mesh."""
        width, depth, _ = self._mesh.extents
        plane = Mesh((width, depth))
        return idle_strength(
            plane,
            self._layout.cell / self._scale,
            ((0, width - 1), (0, depth - 1)),
            beside_use=self._shows_use,
        )

    @cached_property
    def _strokes(self) -> Strokes:
        return on_layers(self._drawn, self._layout)

    def _find(self, drawn: Strokes, point: tuple[float, float]) -> Pointed:
        known = (drawn.packets >= 0) | (drawn.channels >= 0)
        drawn = drawn.only(known)
        widths = drawn.looks[:, 0] * self._layout.cell
        row = under(
            drawn.starts[:, :2], drawn.ends[:, :2], widths, -drawn.looks[:, 4], point, SLACK * self._scale
        )
        return NOWHERE if row is None else Pointed.of(drawn, row)


def draw_seams(painter: QPainter, layout: FlatLayout, theme: Theme, scale: float) -> None:
    """Draw the signs of a torus where its rings are cut."""
    signs = on_layers(seam_signs(layout.mesh, theme, shown_nodes(layout.mesh, layout.cut)), layout)
    StrokeBrush(painter, signs, layout.cell, scale).draw()


def on_layers(drawn: Strokes, layout: FlatLayout) -> Strokes:
    """Convert strokes to pixels; one between two layers becomes a dot at each end."""
    starts, low = layout.points(drawn.starts)
    ends, high = layout.points(drawn.ends)
    kept = layout.keeps(drawn.starts), layout.keeps(drawn.ends)
    level = low == high
    flat = np.flatnonzero(level & kept[0] & kept[1])
    lower, upper = np.flatnonzero(~level & kept[0]), np.flatnonzero(~level & kept[1])
    rows = np.concatenate((flat, lower, upper))
    begin = np.concatenate((starts[flat], starts[lower], ends[upper]))
    end = np.concatenate((ends[flat], starts[lower], ends[upper]))
    placed = drawn.only(rows)._replace(starts=begin.astype(np.float32), ends=end.astype(np.float32))
    return placed.only(np.argsort(placed.looks[:, 4], kind="stable"))
