"""Draws a scene flat: layers side by side with their jobs, dots, heat, path, marks and network."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.model.scene.colours import job_patterns
from meshgui.model.scene.hatching import STRENGTH, lines_over
from meshgui.model.scene.idle_links import CELLS_BEHIND_LINKS
from meshgui.model.scene.marks import CROSSED, DASHED, Colour
from meshgui.model.scene.mesh_scene import Scene, free_strength
from meshgui.model.scene.slicing import cut_boxes
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.flat.network import FlatNetwork, draw_seams
from meshgui.views.mesh.scene.labels import axis_step, number_font, number_size
from meshgui.views.mesh.scene.legend import draw_legend, place_legend
from meshgui.views.mesh.scene.network.labels import draw_use_legend, place_use_legend, queue_labels
from meshgui.views.style.hatching import draw_hatch
from meshgui.views.style.lettering import write_labels
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.labels import label_qcolor, paint_job

_GAP: Final = 0.06  # what a box keeps from its cells' borders
_PLANE_HALF: Final = 0.14
_LEAST_LABEL: Final = 20.0


class _Number(NamedTuple):
    """A job's number, and the box that it is drawn on."""

    rect: QRectF
    text: str
    ink: QColor


class FlatPainter:
    """Draws one scene on one layout, in a picture of a given size."""

    def __init__(
        self, painter: QPainter, scene: Scene, layout: FlatLayout, room: QSize, themes: Dress
    ) -> None:
        self.painter, self.scene, self.layout, self.room, self.themes = painter, scene, layout, room, themes
        self.written: list[QRectF] = []  # where there are letters

    def draw(self) -> list[QPointF]:
        """Draw everything but the legend from bottom to top; returns the axes' letters."""
        letters = self._draw_layers()
        self._draw_heat()
        self._draw_dots()
        numbers = self._draw_boxes()
        if self.scene.network is None:
            self._draw_job_numbers(numbers)
        self._draw_path()
        placed = self._draw_marks()
        self._draw_job_numbers(placed)
        self._draw_network(numbers)
        return letters

    def draw_legend(self, letters: list[QPointF]) -> float:
        """Draw the legend beside the axes' letters; returns where it begins."""
        legend = place_legend(self.room, self.scene.legend, self.themes, letters)
        if legend is None:
            return self.room.width()
        draw_legend(self.painter, legend)
        self.written.append(legend.frame)
        return legend.frame.left()

    def _draw_layers(self) -> list[QPointF]:
        """Draw the empty layers with lines between nodes, titles and numbers; returns the axes' letters."""
        painter, scene, layout = self.painter, self.scene, self.layout
        theme, themes = self.themes.theme, self.themes
        w, d, h = scene.mesh.extents
        painter.setFont(themes.text("caption"))
        text = QFontMetricsF(painter.font()).height()
        letters: list[QPointF] = []
        for layer in layout.layers:
            plane = layout.rect(layer, 0, 0, w, d)
            strength = 1.0 if scene.network is None else CELLS_BEHIND_LINKS
            painter.setPen(QPen(theme.colour("mesh_grid", strength), 1.0))
            step = axis_step(max(w, d), max(w, d) * layout.cell, 5.0)
            for x in (*range(0, w, step), w):
                at = plane.left() + x * layout.cell
                painter.drawLine(QPointF(at, plane.top()), QPointF(at, plane.bottom()))
            for y in (*range(0, d, step), d):
                at = plane.bottom() - y * layout.cell
                painter.drawLine(QPointF(plane.left(), at), QPointF(plane.right(), at))
            painter.setPen(theme.colour("mesh_axis"))
            if h > 1:
                painter.drawText(QPointF(plane.left(), plane.top() - 0.35 * text), f"z = {layer}")
            place = layer - layout.layers.start  # layers share the numbers on the left and below
            lowest = place + layout.columns >= len(layout.layers)
            leftmost = place % layout.columns == 0
            nodes = w if lowest else 0, d if leftmost else 0
            letters += self._draw_numbers(plane, layout.cell, nodes, text)
        return letters

    def _draw_numbers(
        self, plane: QRectF, cell: float, nodes: tuple[int, int], text: float
    ) -> Iterator[QPointF]:
        """Draw the numbers of columns below a layer, and those of rows beside it; yields their letters."""
        painter = self.painter
        for axis, count in enumerate(nodes):
            step = axis_step(count, count * cell, 2.0 * text)
            for n in range(0, count, step):
                if axis == 0:
                    at = QPointF(plane.left() + (n + 0.5) * cell, plane.bottom() + text)
                else:
                    at = QPointF(plane.left() - text, plane.bottom() - (n + 0.5) * cell)
                room = QRectF(at.x() - text, at.y() - text / 2, 2 * text, text)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(n))
                self.written.append(room)
            if count:
                x = QPointF(plane.right() + 0.5 * text, plane.bottom() + 1.3 * text)
                letter = (x, QPointF(plane.left() - 1.2 * text, plane.top() - 0.5 * text))[axis]
                painter.drawText(letter, "xy"[axis])  # untranslated: names of the axes
                self.written.append(QRectF(letter.x(), letter.y() - text, text, text))
                yield letter

    def _draw_heat(self) -> None:
        """Draw the free cells in the colour of their heat."""
        painter, scene, layout = self.painter, self.scene, self.layout
        painter.setPen(Qt.PenStyle.NoPen)
        kept = layout.keeps(scene.heat)
        for (x, y, z), colour in zip(
            scene.heat[kept].tolist(), scene.heat_colours[kept].tolist(), strict=True
        ):
            painter.setBrush(QColor.fromRgbF(*colour))
            painter.drawRect(layout.rect(z, x + _GAP / 2, y + _GAP / 2, 1 - _GAP, 1 - _GAP))

    def _draw_path(self) -> None:
        """Draw a thin line through the middles of nodes, layer by layer, with a dot where it begins."""
        painter, scene, layout = self.painter, self.scene, self.layout
        path, kept = scene.path, layout.keeps(scene.path)
        if not kept.any():
            return
        places = [layout.rect(round(z), x, y, 1, 1).center() for x, y, z in path.tolist()]
        together = kept[:-1] & kept[1:] & (np.diff(path[:, 2]) == 0)
        for strength in np.unique(scene.path_strength):
            colour = _colour(scene.path_colour)
            colour.setAlphaF(colour.alphaF() * float(strength))
            painter.setPen(QPen(colour, 1.5 * self.themes.scale))
            stretches = np.flatnonzero(together & (scene.path_strength == strength)).tolist()
            painter.drawLines([QLineF(places[n], places[n + 1]) for n in stretches])
        if kept[0] and scene.path_strength[:1].max(initial=0.0) == 1.0:  # else a job's number may stand there
            painter.setBrush(_colour(scene.path_colour))
            painter.setPen(Qt.PenStyle.NoPen)
            radius = max(0.14 * layout.cell, 2.0)
            painter.drawEllipse(places[0], radius, radius)

    def _draw_dots(self) -> None:
        """Draw free nodes, or the numbers of the strategy's grid, all dots of one colour at once."""
        painter, scene, layout = self.painter, self.scene, self.layout
        x, y, z = scene.dots.astype(np.int64).T
        faint = free_strength(layout.cell / self.themes.scale)
        strength = np.where(scene.unmarked_dots, np.float32(faint), np.float32(1.0))
        shown = layout.keeps(scene.dots) & (strength > 0.0)
        looks = np.concatenate((scene.dot_colours, scene.dot_sizes[:, None]), axis=1)
        looks[:, 3] *= strength
        kinds, which = np.unique(looks, axis=0, return_inverse=True)
        for number, (red, green, blue, alpha, size) in enumerate(kinds.tolist()):
            pen = QPen(_colour((red, green, blue, alpha)), max(size * layout.cell, 1.0))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            rows = np.flatnonzero(shown & (which.ravel() == number))
            painter.drawPoints(
                [
                    layout.rect(layer, column, row, 1, 1).center()
                    for column, row, layer in zip(
                        x[rows].tolist(), y[rows].tolist(), z[rows].tolist(), strict=True
                    )
                ]
            )

    def _draw_boxes(self) -> list[_Number]:
        """Draw the jobs' boxes layer by layer, each with its colour and hatch; returns their numbers."""
        painter, scene, layout = self.painter, self.scene, self.layout
        numbers = []
        low, high, rows = cut_boxes(scene.boxes, layout.cut, layered=True)
        theme, faded = self.themes.theme, scene.faded.tolist()
        ground = np.array(theme.rgb("mesh_background"))
        patterns, lines = job_patterns(scene.jobs).tolist(), lines_over(scene.colours, ground).tolist()
        for (x, y, z), (right, top, _), row in zip(low.tolist(), high.tolist(), rows.tolist(), strict=True):
            job = int(scene.jobs[row])
            rect = layout.rect(z, x + _GAP, y + _GAP, right - x - 2 * _GAP, top - y - 2 * _GAP)
            fill = _colour((*scene.colours[row].tolist(),))
            ink = label_qcolor(job, theme)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRect(rect)
            line = _colour((*lines[row], STRENGTH))
            draw_hatch(painter, rect, patterns[row], line, self.themes.scale)
            width = float(scene.widths[row]) * self.themes.scale
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(_colour((*scene.edges[row].tolist(),)), width))
            painter.drawRect(rect)
            numbers.append(_Number(rect, str(job), theme.colour("text") if faded[row] else ink))
        return numbers

    def _draw_job_numbers(self, numbers: list[_Number]) -> None:
        """Draw each number in the middle of its box."""
        painter = self.painter
        for rect, text, ink in numbers:
            font = number_font(text, rect.width(), rect.height(), self.themes)
            if font is None:
                continue
            painter.setFont(font)
            painter.setPen(ink)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
            self._note(rect.center(), font, text)

    def _note(self, middle: QPointF, font: QFont, text: str) -> None:
        """Remember where a number was written."""
        metrics = QFontMetricsF(font)
        size = QSizeF(metrics.horizontalAdvance(text), metrics.height())
        self.written.append(QRectF(middle - QPointF(size.width(), size.height()) / 2, size))

    def _draw_corner_numbers(self, numbers: list[_Number]) -> None:
        """Draw each number in a corner with a rim of the ground, where worms cross the jobs."""
        painter = self.painter
        ground = QPen(self.themes.theme.colour("mesh_background", 0.85), 3.0 * self.themes.scale)
        ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        for rect, text, ink in numbers:
            side = min(rect.width(), rect.height())
            font = self._number_font(max(0.6 * side, min(side, _LEAST_LABEL * self.themes.scale)))
            if font is None or QFontMetricsF(font).horizontalAdvance(text) + 6 > rect.width():
                continue
            letters = QPainterPath()
            letters.addText(rect.left() + 4.0, rect.top() + 1.0 + QFontMetricsF(font).ascent(), font, text)
            painter.strokePath(letters, ground)
            painter.fillPath(letters, ink)
            self.written.append(letters.boundingRect())

    def _number_font(self, room: float) -> QFont | None:
        """The font for a job's number in a square of that side in pixels; None where it has no room."""
        room /= self.themes.scale
        return None if room < _LEAST_LABEL else self.themes.text(number_size(room), QFont.Weight.DemiBold)

    def _draw_marks(self) -> list[_Number]:
        """Draw the marks of the attempt over everything else; returns the numbers of boxes just placed."""
        painter, scene, layout = self.painter, self.scene, self.layout
        numbers = []
        for mark in scene.marks:
            low, high, _ = cut_boxes(np.array([mark.box], dtype=np.int16), layout.cut, layered=True)
            pen = QPen(_colour(mark.edge), mark.width * self.themes.scale)
            if mark.role in DASHED:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(_colour(mark.fill) if mark.job is None else Qt.BrushStyle.NoBrush)
            for (x, y, z), (right, top, _) in zip(low.tolist(), high.tolist(), strict=True):
                left, wide = float(x), float(right - x)
                if mark.role == Role.BORDER:
                    left, wide = (x + right) / 2 - _PLANE_HALF, 2 * _PLANE_HALF
                rect = layout.rect(z, left, y, wide, top - y)
                if mark.job is not None:
                    paint_job(painter, self.themes, mark.job, rect)
                painter.drawRect(rect)
                if mark.role in CROSSED:
                    painter.drawLine(rect.topLeft(), rect.bottomRight())
                    painter.drawLine(rect.bottomLeft(), rect.topRight())
                if mark.job is not None:
                    ink = label_qcolor(mark.job, self.themes.theme)
                    numbers.append(_Number(rect, str(mark.job), ink))
        return numbers

    def _draw_network(self, numbers: list[_Number]) -> None:
        """Draw links and worms, and the texts over them."""
        scene, layout = self.scene, self.layout
        network, themes = scene.network, self.themes
        if network is None:
            draw_seams(self.painter, layout, themes.theme, themes.scale)
            return
        FlatNetwork(network, layout, themes.scale).draw(self.painter, themes.theme)
        self._draw_corner_numbers(numbers)

        def points_of(nodes: Floats32) -> tuple[Floats, NDArray[np.bool_]]:
            kept = layout.keeps(nodes)
            return layout.points(nodes[kept])[0], kept

        counts = queue_labels(network, layout.cell, points_of, themes)
        if counts is not None:
            write_labels(self.painter, counts)
        if network.use is not None:
            draw_use_legend(self.painter, place_use_legend(self.room, network.use, themes), themes)


def _colour(colour: Colour) -> QColor:
    return QColor.fromRgbF(*colour)
