"""The flat canvas: the layers of the mesh side by side, drawn without OpenGL."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.allocation.steps import Role
from meshgui.model.cursor import Cursor
from meshgui.model.selection import Selection
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.flat.network import FlatNetwork
from meshgui.views.mesh.scene.builder import Colour, Scene, describe_box
from meshgui.views.mesh.scene.labels import EMPTY, axis_step, draw_card, draw_line, number_size
from meshgui.views.mesh.scene.network.idle_links import CELLS_BEHIND_LINKS
from meshgui.views.mesh.scene.network.labels import COUNTS_FROM, draw_counts, draw_use_legend
from meshgui.views.mesh.scene.network.pointing import NOWHERE, Pointed, card, choose, job_of
from meshgui.views.mesh.scene.slicing import Slice, cut_boxes, shown_rows
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.style.colours import job_pattern, label_colour
from meshgui.views.style.theme import ThemeManager

__all__ = ["FlatLayout", "MeshFlat"]

_HATCHES: Final = (
    Qt.BrushStyle.NoBrush,
    Qt.BrushStyle.BDiagPattern,
    Qt.BrushStyle.HorPattern,
    Qt.BrushStyle.FDiagPattern,
    Qt.BrushStyle.VerPattern,
    Qt.BrushStyle.DiagCrossPattern,
)
_HATCH_STRENGTH: Final = 0.22
_MARGIN: Final = 36  # pixels around the layers, for the numbers
_BETWEEN: Final = 28  # pixels between layers, for their titles
_GAP: Final = 0.06  # what a box keeps from its cells' borders
_PLANE_HALF: Final = 0.14
_ZOOM_PER_NOTCH: Final = 1.15
_LARGEST_ZOOM: Final = 12.0
_LEAST_LABEL: Final = 20.0


class _Number(NamedTuple):
    """A job's number, and the box that it goes on."""

    rect: QRectF
    text: str
    ink: QColor
    ground: QColor


class MeshFlat(QWidget):
    """The flat view."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click takes the keys back from a slider
        self.setMinimumSize(160, 120)
        self._themes = themes
        self._selection = selection
        self._source = SceneSource(self, cursor, selection, themes, self._changed)
        self._slice: Slice | None = None
        self._shape: tuple[int, ...] | None = None
        self._zoom = 1.0
        self._offset = QPointF()
        self._pointer: QPointF | None = None
        self._pressed: QPointF | None = None
        self._dragging = False
        self._held: tuple[Scene, Slice | None, NDArray[np.int32]] | None = None

    # What a window asks for

    @property
    def show_grid(self) -> bool:
        """Whether a strategy's numbers per node are shown as dots inside an attempt."""
        return self._source.show_grid

    @show_grid.setter
    def show_grid(self, shown: bool) -> None:
        self._source.show_grid = shown

    @property
    def source(self) -> SceneSource:
        """The scene, and what of it is shown."""
        return self._source

    def set_slice(self, axis: int, layers: tuple[int, int] | None) -> None:
        """Show only the layers from first to last across an axis, or all."""
        self._slice = None if layers is None else Slice(axis, *layers)
        self.update()

    def home(self) -> None:
        """Show all layers, as large as they can be."""
        self._zoom, self._offset = 1.0, QPointF()
        self.update()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Nearer by a factor, towards a point of the widget or its middle."""
        at = at if at is not None else QPointF(self.width() / 2, self.height() / 2)
        zoom = min(max(self._zoom * factor, 1.0), _LARGEST_ZOOM)
        self._offset = at - (at - self._offset) * (zoom / self._zoom) if zoom > 1.0 else QPointF()
        self._zoom = zoom
        self.update()

    def job_at(self, point: QPointF) -> int | None:
        """The job shown at a point of the widget."""
        row = self._row_at(point)
        scene = self._source.scene
        return int(scene.jobs[row]) if row is not None and scene is not None else None

    def place_of(self, job: int) -> QPointF | None:
        """Where the middle of a job's first box, in its lowest layer shown, stands in the widget."""
        scene = self._source.scene
        if scene is None:
            return None
        low, high, rows = cut_boxes(scene.boxes, self._slice, layered=True)
        mine = np.flatnonzero(scene.jobs[rows] == job)
        if not len(mine):
            return None
        x, y, z = low[mine[0]].tolist()
        width, depth = (high[mine[0], :2] - low[mine[0], :2]).tolist()
        return self._layout(scene, self.width(), self.height()).rect(z, x, y, width, depth).center()

    def grab_image(self, size: QSize, scale: int = 1) -> QImage:
        """The view as a picture of any size, so many times as fine, without what belongs to the pointer."""
        image = QImage(size * scale, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        painter.scale(scale, scale)
        self._draw(painter, size.width(), size.height(), zoomed=False)
        painter.end()
        return image

    # Drawing

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Draw the layers, and the card beside the pointer."""
        del event
        painter = QPainter(self)
        self._draw(painter, self.width(), self.height(), zoomed=True)
        view, scene = self._source.view, self._source.scene
        if view is not None and scene is not None and self._pointer is not None and not self._dragging:
            lines = card(view, self.pointed_at(self._pointer), self._selection.span)
            row = self._row_at(self._pointer)
            if not lines and row is not None:
                lines = describe_box(view, scene, row)
            if lines:
                draw_card(painter, self.size(), self._pointer, lines, self._themes)
        painter.end()

    def _draw(self, painter: QPainter, width: int, height: int, *, zoomed: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(0, 0, width, height), self._themes.theme.colour("mesh_background"))
        scene = self._source.scene
        if scene is None:
            draw_line(painter, QSize(width, height), EMPTY, self._themes)
            return
        layout = self._layout(scene, width, height, zoomed=zoomed)
        self._draw_layers(painter, scene, layout)
        self._draw_heat(painter, scene, layout)
        self._draw_dots(painter, scene, layout)
        numbers = self._draw_boxes(painter, scene, layout)
        if scene.network is None:
            self._draw_job_numbers(painter, numbers)
        self._draw_path(painter, scene, layout)
        self._draw_marks(painter, scene, layout)
        self._draw_network(painter, scene, layout, QSize(width, height), numbers)

    def _draw_layers(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> None:
        """The empty layers with the lines between nodes, their titles and numbers."""
        theme, themes = self._themes.theme, self._themes
        w, d, h = scene.mesh.extents
        painter.setFont(themes.text("caption"))
        text = QFontMetricsF(painter.font()).height()
        for layer in layout.layers:
            board = layout.rect(layer, 0, 0, w, d)
            strength = 1.0 if scene.network is None else CELLS_BEHIND_LINKS
            painter.setPen(QPen(theme.colour("mesh_grid", strength), 1.0))
            step = axis_step(max(w, d), max(w, d) * layout.cell, 5.0)
            for x in (*range(0, w, step), w):
                at = board.left() + x * layout.cell
                painter.drawLine(QPointF(at, board.top()), QPointF(at, board.bottom()))
            for y in (*range(0, d, step), d):
                at = board.bottom() - y * layout.cell
                painter.drawLine(QPointF(board.left(), at), QPointF(board.right(), at))
            painter.setPen(theme.colour("mesh_axis"))
            if h > 1:
                painter.drawText(QPointF(board.left(), board.top() - 0.35 * text), f"z = {layer}")
            place = layer - layout.layers.start  # layers share the numbers at the left and below
            lowest = place + layout.columns >= len(layout.layers)
            leftmost = place % layout.columns == 0
            self._draw_numbers(painter, board, layout.cell, (w if lowest else 0, d if leftmost else 0), text)

    def _draw_numbers(
        self, painter: QPainter, board: QRectF, cell: float, nodes: tuple[int, int], text: float
    ) -> None:
        """The numbers of so many columns below a board, and of so many rows beside it."""
        for axis, count in enumerate(nodes):
            step = axis_step(count, count * cell, 2.0 * text)
            for n in range(0, count, step):
                if axis == 0:
                    at = QPointF(board.left() + (n + 0.5) * cell, board.bottom() + text)
                else:
                    at = QPointF(board.left() - text, board.bottom() - (n + 0.5) * cell)
                room = QRectF(at.x() - text, at.y() - text / 2, 2 * text, text)
                painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(n))
            if count and axis == 0:
                painter.drawText(QPointF(board.right() + 0.5 * text, board.bottom() + 1.3 * text), "x")
            elif count:
                painter.drawText(QPointF(board.left() - 1.2 * text, board.top() - 0.5 * text), "y")

    def _draw_heat(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> None:
        """The free cells in the colour of their heat."""
        painter.setPen(Qt.PenStyle.NoPen)
        kept = self._kept(scene.heat, layout)
        for (x, y, z), colour in zip(
            scene.heat[kept].tolist(), scene.heat_colours[kept].tolist(), strict=True
        ):
            painter.setBrush(QColor.fromRgbF(*colour))
            painter.drawRect(layout.rect(z, x + _GAP / 2, y + _GAP / 2, 1 - _GAP, 1 - _GAP))

    def _draw_path(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> None:
        """A thin line through the middles of nodes, layer by layer, with a dot where it begins."""
        path, kept = scene.path, self._kept(scene.path, layout)
        if not kept.any():
            return
        places = [layout.rect(round(z), x, y, 1, 1).center() for x, y, z in path.tolist()]
        together = kept[:-1] & kept[1:] & (np.diff(path[:, 2]) == 0)
        for strength in np.unique(scene.path_strength):
            colour = _colour(scene.path_colour)
            colour.setAlphaF(colour.alphaF() * float(strength))
            painter.setPen(QPen(colour, 1.5 * self._themes.scale))
            stretches = np.flatnonzero(together & (scene.path_strength == strength)).tolist()
            painter.drawLines([QLineF(places[n], places[n + 1]) for n in stretches])
        if kept[0] and scene.path_strength[:1].max(initial=0.0) == 1.0:  # else a job's number may stand there
            painter.setBrush(_colour(scene.path_colour))
            painter.setPen(Qt.PenStyle.NoPen)
            radius = max(0.14 * layout.cell, 2.0)
            painter.drawEllipse(places[0], radius, radius)

    def _kept(
        self, nodes: NDArray[np.integer] | NDArray[np.floating], layout: FlatLayout
    ) -> NDArray[np.bool_]:
        """Which nodes the slice leaves."""
        kept: NDArray[np.bool_] = (nodes[:, 2] >= layout.layers.start) & (nodes[:, 2] < layout.layers.stop)
        if self._slice is not None:
            across = nodes[:, self._slice.axis]
            kept &= (across >= self._slice.first) & (across <= self._slice.last)
        return kept

    def _draw_dots(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> None:
        """Free nodes, or the numbers of the strategy's grid, all dots of one colour at once."""
        x, y, z = scene.dots.astype(np.int64).T
        shown = self._kept(scene.dots, layout)
        looks = np.concatenate((scene.dot_colours, scene.dot_sizes[:, None]), axis=1)
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

    def _draw_boxes(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> list[_Number]:
        """The jobs' boxes, layer by layer, each with its colour and its hatch; the numbers to go on them."""
        numbers = []
        low, high, rows = cut_boxes(scene.boxes, self._slice, layered=True)
        theme = self._themes.theme
        for (x, y, z), (right, top, _), row in zip(low.tolist(), high.tolist(), rows.tolist(), strict=True):
            job = int(scene.jobs[row])
            rect = layout.rect(z, x + _GAP, y + _GAP, right - x - 2 * _GAP, top - y - 2 * _GAP)
            fill = _colour((*scene.colours[row].tolist(),))
            ink = QColor.fromRgbF(*label_colour(job, theme.name))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawRect(rect)
            hatch = _HATCHES[job_pattern(job)]
            if hatch != Qt.BrushStyle.NoBrush and layout.cell >= 4:
                faint = QColor(ink)
                faint.setAlphaF(_HATCH_STRENGTH * fill.alphaF())
                painter.setBrush(QBrush(faint, hatch))
                painter.drawRect(rect)
            width = float(scene.widths[row]) * self._themes.scale
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(_colour((*scene.edges[row].tolist(),)), width))
            painter.drawRect(rect)
            faded = fill.alphaF() < 1.0 or (scene.selected is not None and job != scene.selected)
            numbers.append(_Number(rect, str(job), theme.colour("text") if faded else ink, fill))
        return numbers

    def _draw_job_numbers(self, painter: QPainter, numbers: list[_Number]) -> None:
        """Each in the middle of its box, on a plain patch so that the hatch does not cross it."""
        for rect, text, ink, ground in numbers:
            font = self._number_font(min(rect.width(), rect.height()))
            if font is None:
                continue
            painter.setFont(font)
            metrics = QFontMetricsF(font)
            width = metrics.horizontalAdvance(text) + 4
            if width > rect.width() - 2:
                continue
            if ground.alphaF() == 1.0:
                self._patch(painter, rect, width, metrics.capHeight() + 6, ground)
            painter.setPen(ink)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_numbers_aside(self, painter: QPainter, numbers: list[_Number]) -> None:
        """Where worms are drawn inside the jobs: in a corner, over what crosses it, rimmed by the ground."""
        ground = QPen(self._themes.theme.colour("mesh_background", 0.85), 3.0 * self._themes.scale)
        ground.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        for rect, text, ink, _ in numbers:
            side = min(rect.width(), rect.height())
            font = self._number_font(max(0.6 * side, min(side, _LEAST_LABEL * self._themes.scale)))
            if font is None or QFontMetricsF(font).horizontalAdvance(text) + 6 > rect.width():
                continue
            letters = QPainterPath()
            letters.addText(rect.left() + 4.0, rect.top() + 1.0 + QFontMetricsF(font).ascent(), font, text)
            painter.strokePath(letters, ground)
            painter.fillPath(letters, ink)

    def _number_font(self, room: float) -> QFont | None:
        """The font for a job's number in a square of so many pixels; None where it has no room."""
        room /= self._themes.scale
        return None if room < _LEAST_LABEL else self._themes.text(number_size(room), QFont.Weight.DemiBold)

    @staticmethod
    def _patch(painter: QPainter, rect: QRectF, width: float, height: float, ground: QColor) -> None:
        patch = QRectF(0, 0, width, height)
        patch.moveCenter(rect.center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRect(patch)

    def _draw_marks(self, painter: QPainter, scene: Scene, layout: FlatLayout) -> None:
        """The marks of the attempt, over everything else."""
        for mark in scene.marks:
            low, high, _ = cut_boxes(np.array([mark.box], dtype=np.int16), self._slice, layered=True)
            painter.setPen(QPen(_colour(mark.edge), mark.width * self._themes.scale))
            painter.setBrush(_colour(mark.fill))
            for (x, y, z), (right, top, _) in zip(low.tolist(), high.tolist(), strict=True):
                left, wide = float(x), float(right - x)
                if mark.role == Role.BORDER:
                    left, wide = (x + right) / 2 - _PLANE_HALF, 2 * _PLANE_HALF
                painter.drawRect(layout.rect(z, left, y, wide, top - y))

    def _draw_network(
        self, painter: QPainter, scene: Scene, layout: FlatLayout, room: QSize, numbers: list[_Number]
    ) -> None:
        """Links and worms, and what is written over them."""
        network, themes = scene.network, self._themes
        if network is None:
            return
        FlatNetwork(network, layout, self._slice, themes.scale).draw(painter, themes.theme)
        self._draw_numbers_aside(painter, numbers)
        if layout.cell >= COUNTS_FROM * themes.scale:
            kept = self._kept(np.rint(network.queued), layout)
            places, _ = layout.points(network.queued[kept])
            draw_counts(painter, places, network.queue_lengths[kept], themes)
        if network.use is not None:
            draw_use_legend(painter, room, network.use, themes)

    # Keeping up

    def _layout(self, scene: Scene, width: int, height: int, *, zoomed: bool = True) -> FlatLayout:
        layers = range(scene.mesh.extents[2])
        if self._slice is not None and self._slice.axis == 2:
            layers = layers[self._slice.first : self._slice.last + 1]
        themes = self._themes
        fit = FlatLayout.fitted(scene.mesh, layers, (width, height), themes.px(_MARGIN), themes.px(_BETWEEN))
        return fit.zoomed(self._zoom, self._offset) if zoomed else fit

    def _changed(self) -> None:
        view = self._source.view
        shape = view.recording.mesh.shape if view is not None else None
        if shape != self._shape:
            self._shape, self._slice = shape, None
            self.home()
        self.update()

    # The pointer

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        scene = self._source.scene
        if scene is None or scene.network is None:
            return NOWHERE
        layout = self._layout(scene, self.width(), self.height())
        drawn = FlatNetwork(scene.network, layout, self._slice, self._themes.scale)
        return drawn.pointed_at((point.x(), point.y()))

    def _row_at(self, point: QPointF) -> int | None:
        scene = self._source.scene
        if scene is None:
            return None
        node = self._layout(scene, self.width(), self.height()).node_at(point)
        if node is None:
            return None
        if self._held is None or self._held[0] is not scene or self._held[1] != self._slice:
            self._held = (scene, self._slice, shown_rows(scene, self._slice))
        x, y, z = node
        row = int(self._held[2][z, y, x])
        return row if row >= 0 else None

    def _hover(self, here: QPointF) -> None:
        view, pointed = self._source.view, self.pointed_at(here)
        whose = job_of(view, pointed.packet) if view is not None and pointed.packet is not None else None
        self._selection.hover(self.job_at(here) if whose is None else whose, *pointed)

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A press may become a click or a drag."""
        self._pressed = self._pointer = event.position()
        self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A drag moves the paper; otherwise the pointer points."""
        here = event.position()
        if self._pressed is None or self._pointer is None or not event.buttons():
            self._pointer = here
            self._hover(here)
        else:
            if (here - self._pressed).manhattanLength() >= QApplication.startDragDistance():
                self._dragging = True
            if self._dragging and self._zoom > 1.0:
                self._offset += here - self._pointer
            self._pointer = here
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A click selects the job under it, or nothing."""
        click = self._pressed is not None and not self._dragging
        self._pressed, self._dragging = None, False
        if click and event.button() == Qt.MouseButton.LeftButton:
            view, here = self._source.view, event.position()
            if view is None or not choose(view, self.pointed_at(here), self._selection):
                self._selection.select(self.job_at(here))
        self.update()

    def wheelEvent(self, event: QWheelEvent, /) -> None:  # noqa: N802 - Qt's name
        """Zoom towards the pointer."""
        self.zoom(_ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent, /) -> None:  # noqa: N802 - Qt's name
        """The pointer leaves: nothing is pointed at."""
        self._pointer = None
        self._selection.hover(None)
        self.update()
        super().leaveEvent(event)


def _colour(colour: Colour) -> QColor:
    return QColor.fromRgbF(*colour)
