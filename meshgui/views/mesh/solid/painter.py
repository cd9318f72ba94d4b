"""Draws the 3D view with a painter, as polygons and lines sorted from far to near: for SVG and PDF."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.model.scene.camera import Camera
from meshgui.model.scene.hatching import STRENGTH, lines_over, pitch_of
from meshgui.model.scene.idle_links import (
    CELLS_BEHIND_LINKS,
    idle_apart,
    idle_links,
    idle_strength,
    seam_signs,
)
from meshgui.model.scene.light import Light
from meshgui.model.scene.marks import Colour
from meshgui.model.scene.mesh_scene import free_strength
from meshgui.model.scene.solid_layout import BOX_PARTS, Layout
from meshgui.model.scene.strokes import Strokes
from meshgui.views.mesh.scene.network.brush import StrokeBrush
from meshgui.views.mesh.solid.axes import grid_segments
from meshgui.views.style.hatching import draw_lines
from meshgui.views.style.theme import Dress

_GHOST: Final = 0.22  # the opacity of outlines behind other parts
_PIECES: Final = 12  # of an outline, each in sight or not
_MOST_SORTED: Final = 1200  # boxes; more are sorted by their middles alone


class SolidPainter:
    """Draws one layout as one camera sees it."""

    def __init__(self, painter: QPainter, room: QSize, layout: Layout, camera: Camera, themes: Dress) -> None:
        self._painter, self._layout, self._camera, self._themes = painter, layout, camera, themes
        self._half = np.array([room.width(), room.height()]) / 2.0
        self._node = room.height() / camera.pose.extent  # pixels of a node at the target
        self._light = Light(camera, layout.space)

    def draw(self) -> None:
        """Draw everything from far to near."""
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, scene = self._themes.theme, self._layout.scene
        crossed = scene.mesh.dims == 2 and scene.network is not None
        colour = theme.rgba("mesh_grid", CELLS_BEHIND_LINKS if crossed else 1.0)
        self._draw_segments(grid_segments(self._layout.space, self._camera, colour))
        self._draw_free()
        self._draw_boxes()
        self._draw_dots()
        self._draw_network()
        self._draw_outlines()

    def _places(self, points: Floats | Floats32) -> tuple[Floats, Floats]:
        """Points in pixels, and their distances from the eye."""
        seen = self._camera.project(points.astype(np.float64))
        return self._half + seen[:, :2] * self._half * (1, -1), seen[:, 2]

    def _draw_segments(self, rows: Floats32, strength: float = 1.0) -> None:
        """Draw segments: two ends, colour, width."""
        starts, _ = self._places(rows[:, :3])
        ends, _ = self._places(rows[:, 3:6])
        for (x, y), (u, v), look in zip(starts.tolist(), ends.tolist(), rows[:, 6:].tolist(), strict=True):
            red, green, blue, alpha, width = look
            tint, width = QColor.fromRgbF(red, green, blue, alpha * strength), width * self._themes.scale
            self._painter.setPen(QPen(tint, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            self._painter.drawLine(QLineF(x, y, u, v))

    def _draw_free(self) -> None:
        """Draw free nodes where no job is in the picture."""
        strength = free_strength(self._node / self._themes.scale)
        points, rows = self._layout.free_points(self._camera.back)
        if strength == 0.0 or not len(points):
            return
        places, _ = self._places(points)
        towards = (places / self._half - 1) * (1, -1)
        bare = [self._layout.pick(*self._camera.ray(x, y)) is None for x, y in towards.tolist()]
        self._draw_discs(points[bare], rows[bare], strength)

    def _draw_dots(self) -> None:
        """Draw the dots that mean more: numbers of the strategy, heat, routers."""
        layout = self._layout
        marked = ~layout.scene.unmarked_dots[layout.dots]
        points, rows = layout.points[marked], layout.dots[marked]
        seen = layout.in_sight(points.astype(np.float64), self._camera.eye, solid_only=True)
        self._draw_discs(points[seen], rows[seen])

    def _draw_discs(self, points: Floats32, rows: NDArray[np.intp], strength: float = 1.0) -> None:
        scene = self._layout.scene
        places, depths = self._places(points)
        self._painter.setPen(Qt.PenStyle.NoPen)
        sizes = scene.dot_sizes[rows] * self._node * self._camera.distance / depths
        for (x, y), size, colour in zip(
            places.tolist(), sizes.tolist(), scene.dot_colours[rows].tolist(), strict=True
        ):
            red, green, blue, alpha = colour
            self._painter.setBrush(QColor.fromRgbF(red, green, blue, alpha * strength))
            self._painter.drawEllipse(QPointF(x, y), size / 2, size / 2)

    def _draw_boxes(self) -> None:
        """Draw jobs, marks and tiles, solid or not, each by the faces turned to the eye."""
        solid, glass = self._layout.solids(glass=False), self._layout.solids(glass=True)
        bare = np.ones(len(glass), dtype=np.bool_)
        for box in solid:  # what lies within it is hidden
            bare &= ((glass[:, :3] < box[:3]) | (glass[:, 3:6] > box[3:6])).any(axis=1)
        rows = np.concatenate((solid, glass[bare]))
        for row in far_to_near(rows[:, :3], rows[:, 3:6], self._camera.eye, self._camera.back).tolist():
            self._draw_box(rows[row].astype(np.float64))

    def _draw_box(self, box: Floats) -> None:
        low, high, fill, edge, width, lines = np.split(box, np.cumsum(BOX_PARTS)[:-1])
        pen = QPen(Qt.PenStyle.NoPen)
        if width[0] > 0:
            pen = QPen(QColor.fromRgbF(*edge.tolist()), float(width[0]) * self._themes.scale)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        self._painter.setPen(pen)
        ground = np.array(self._themes.theme.rgb("mesh_background"))
        for axis in range(3):
            upper = bool(self._camera.eye[axis] > high[axis])
            if not upper and self._camera.eye[axis] >= low[axis]:
                continue  # it is seen from its edge
            u, v = (axis + 1) % 3, (axis + 2) % 3
            corners = np.tile(low, (4, 1))
            corners[[1, 2], u], corners[[2, 3], v] = high[u], high[v]
            corners[:, axis] = high[axis] if upper else low[axis]
            shade = self._light.brightness(axis, upper=upper)
            places, depths = self._places(corners)
            haze = self._light.faded(depths.mean())
            red, green, blue = np.clip(fill[:3] * shade * (1 - haze) + ground * haze, 0, 1).tolist()
            self._painter.setBrush(QColor.fromRgbF(red, green, blue, float(fill[3])))
            self._painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in places.tolist()]))
            if lines.any():
                side = float(np.ptp(corners, axis=0)[[u, v]].min()) * self._node
                self._hatch(places, corners.mean(axis=0), side, lines, (red, green, blue, float(fill[3])))

    def _hatch(self, places: Floats, middle: Floats, side: float, lines: Floats, fill: Colour) -> None:
        """Draw a job's hatching over a face, with a line of each family through its middle."""
        through, depths = self._places(middle[None])
        scale = self._themes.scale
        pitch = pitch_of(side * self._camera.distance / float(depths[0]) / scale) * scale
        if pitch:
            ground = np.array(self._themes.theme.rgb("mesh_background"))
            red, green, blue = lines_over(np.array([fill]), ground)[0].tolist()
            line = QColor.fromRgbF(red, green, blue, STRENGTH)
            across, along = ((int(step), int(down)) for step, down in lines.reshape(2, 2).tolist())
            families = (across,) if across == along else (across, along)
            draw_lines(self._painter, places, QPointF(*through[0, :2].tolist()), families, line, scale, pitch)

    def _draw_network(self) -> None:
        """Draw idle links, and the worms from far to near."""
        space, network, theme = self._layout.space, self._layout.scene.network, self._themes.theme
        mesh, node = space.mesh, self._node / self._themes.scale

        def seen(drawn: Strokes) -> Strokes:
            return space.in_the_open(drawn, self._camera.back)

        if network is not None:
            strength = idle_strength(mesh, node, space.shown, beside_use=network.use is not None)
            of = network.channels
            links = idle_links(mesh, theme, space.shown, of=of, apart=idle_apart(mesh, node, of))
            idle = space.stretched(seen(links))
            self._draw_strokes(idle._replace(colours=idle.colours * (1, 1, 1, strength)))
        self._draw_strokes(space.stretched(seam_signs(mesh, theme, space.shown, seen)))
        self._draw_strokes(self._layout.strokes)

    def _draw_strokes(self, drawn: Strokes) -> None:
        """Draw strokes in a few steps of depth, in each of which a node has one size."""
        if not drawn:
            return
        starts, near = self._places(drawn.starts)
        ends, far = self._places(drawn.ends)
        depths = (near + far) / 2
        placed = drawn._replace(starts=starts.astype(np.float32), ends=ends.astype(np.float32))
        flat = self._layout.space.mesh.dims == 2
        order = np.argsort(drawn.looks[:, 4] if flat else -np.round(depths, 1), kind="stable")
        steps = 1 if flat else max(min(len(order), 24), 1)
        for part in np.array_split(order, steps):
            if len(part):
                node = self._node * self._camera.distance / float(depths[part].mean())
                StrokeBrush(self._painter, placed.only(part), node, self._themes.scale).draw()

    def _draw_outlines(self) -> None:
        """Draw outlines faintly, and again in full where nothing solid is before them."""
        lines = self._layout.outlines()
        if not len(lines):
            return
        self._draw_segments(lines, _GHOST)
        shares = np.linspace(0.0, 1.0, _PIECES + 1, dtype=np.float32)
        starts, ways = lines[:, None, :3], (lines[:, 3:6] - lines[:, :3])[:, None, :]
        begin = starts + ways * shares[None, :-1, None]
        end = starts + ways * shares[None, 1:, None]
        looks = np.repeat(lines[:, None, 6:], _PIECES, axis=1)
        pieces = np.concatenate((begin, end, looks), axis=2).reshape(-1, lines.shape[1])
        middles = (pieces[:, :3] + pieces[:, 3:6]).astype(np.float64) / 2
        self._draw_segments(pieces[self._layout.in_sight(middles, self._camera.eye, solid_only=True)])


def far_to_near(low: Floats32, high: Floats32, eye: Floats, back: Floats) -> NDArray[np.intp]:
    """The order in which boxes that do not overlap are drawn so that none covers one before it.

    A plane between two boxes has the eye on one side: the box on the other side comes first.
    """
    count, middles = len(low), (low + high) / 2 @ back.astype(np.float32)
    if count > _MOST_SORTED:
        return np.argsort(middles, kind="stable")
    first = np.zeros((count, count), dtype=np.bool_)  # [i, j]: i may be drawn before j
    for axis in range(3):
        apart = high[:, None, axis] <= low[None, :, axis] + 1e-4  # i lies below j
        first |= apart & (eye[axis] > low[None, :, axis])
        first |= apart.T & (eye[axis] < low[:, None, axis])
    must = first & ~first.T
    waiting, left = must.sum(axis=0), np.ones(count, dtype=np.bool_)
    order = np.zeros(count, dtype=np.intp)
    for place in range(count):
        ready = left & (waiting == 0)
        among = np.flatnonzero(ready if ready.any() else left)  # three boxes can cover one another in a ring
        chosen = among[np.argmin(middles[among])]
        order[place], left[chosen] = chosen, False
        waiting -= must[chosen]
    return order
