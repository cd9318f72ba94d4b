"""A grid of the inspector: a value per processor, a picture for each layer, and a legend."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)

from meshgui.engine.allocation.inspection import Grid, GridValue, Polyline, Tree
from meshgui.engine.allocation.steps import Mark, Role
from meshgui.engine.basics.geometry import Box, Mesh, Node
from meshgui.engine.basics.translation import tr
from meshgui.model.scene.heat import amounts, heat_colours
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import LazyRows, PlainTable
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import copy_picture, picture_size
from meshgui.views.inspector.grid_legend import SIGNED, GridLegend, paint_sign, role_colour
from meshgui.views.inspector.inspector_panel import InspectorPanel
from meshgui.views.style.direction import is_rtl, mirror_in
from meshgui.views.style.paper import is_vector
from meshgui.views.style.raster import pixels
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.own_keys import keeps_key
from meshgui.views.widgets.tips import Tips, show_tip

_GAP = 10  # pixels between two layers
_LEAST_WITH_GAPS = 5  # a smaller cell has no room for a gap
_LEAST_WITH_SIGNS = 7  # nor a smaller one for its sign
_LEAST_LAYERS = 112  # the least height for the layers
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WAYS: Final = {
    Qt.Key.Key_Left: (-1, 0, 0),
    Qt.Key.Key_Right: (1, 0, 0),
    Qt.Key.Key_Up: (0, 1, 0),
    Qt.Key.Key_Down: (0, -1, 0),
    Qt.Key.Key_PageUp: (0, 0, 1),
    Qt.Key.Key_PageDown: (0, 0, -1),
}
_HELP: Final = tr(
    "Return enters the grid, the arrow keys move in it, Page Up and Page Down through its layers."
)
_FINE = 4  # pixels of an exported picture in lines, for one on the screen


class _LayerPlaces(NamedTuple):
    """The places of the layers: how many a row, the side of a cell, and the steps from layer to layer."""

    across: int
    cell: int
    step_x: int
    step_y: int
    top: int


class GridPanel(InspectorPanel[Grid]):
    """Shows one `Grid`; y runs upwards, as in the mesh seen from above."""

    accessible_role = QAccessible.Role.Graphic

    def __init__(self, selection: Selection, pin: Pin, themes: Dress) -> None:
        super().__init__(selection, pin, themes)
        self.grid: Grid | None = None
        self._reading = False  # by keys, which the window has otherwise
        self._mesh = Mesh((1, 1))
        self._pointed: Node | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(_HELP)
        self._ring = FocusRing(self, themes)
        themes.changed.connect(self.update)
        Sizing(themes, self).rule(self._ask_for_room)
        Tips(self, self._words_at)

    def show_data(self, data: Grid, mesh: Mesh, last: Tree | None = None, *, fresh: bool = False) -> None:
        """Show other values in place."""
        del last, fresh
        self.grid, self._mesh = data, mesh
        self.setAccessibleName(data.title)
        self._ask_for_room()
        self._point_out()
        self.update()

    def cell_rect(self, x: int, y: int, z: int) -> QRect:
        """The rectangle of a processor's value."""
        places, depth = self._layer_places(), self._mesh.extents[1]
        left = self._first_left(places) + z % places.across * places.step_x
        top = places.top + z // places.across * places.step_y
        return QRect(left + x * places.cell, top + (depth - 1 - y) * places.cell, places.cell, places.cell)

    def _first_left(self, places: _LayerPlaces) -> int:
        """Where the first layer begins: they stand where one begins to read, and keep their own direction."""
        margin = self._themes.px(12)
        if not is_rtl(self):
            return margin
        return self.width() - margin - places.across * places.step_x + self._themes.px(_GAP)

    def node_at(self, position: QPointF) -> Node | None:
        """The processor whose value is drawn at a point."""
        places, (width, depth, height) = self._layer_places(), self._mesh.extents
        column, dx = divmod(int(position.x()) - self._first_left(places), places.step_x)
        row, dy = divmod(int(position.y()) - places.top, places.step_y)
        x, y, z = dx // places.cell, depth - 1 - dy // places.cell, row * places.across + column
        inside = 0 <= column < places.across and row >= 0 and x < width and y >= 0 and z < height
        return (x, y, z) if inside else None

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the grid, and a frame around the hovered processor."""
        del event
        if self.grid is None:
            return
        with QPainter(self) as painter:
            self.draw(painter)
            if self._pointed is not None:
                painter.setPen(self._themes.theme.colour("text"))
                painter.drawRect(self.cell_rect(*self._pointed).adjusted(0, 0, -1, -1))

    def draw(self, painter: QPainter) -> None:
        """Draw the layers and the legend."""
        grid = self.grid
        if grid is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for z in range(self._mesh.extents[2]):
            self._paint_layer(painter, grid, z)
        if grid.path is not None:
            self._paint_path(painter, grid.path)
        places = self._layer_places()
        rows = math.ceil(self._mesh.extents[2] / places.across)
        below = places.top + rows * places.step_y - self._caption_height()
        painter.save()
        mirror_in(self, painter)  # the layers keep the mesh's direction
        GridLegend(grid, self.width(), self._themes).paint(painter, below)
        painter.restore()

    # Export

    def pictures(self) -> Sequence[Picture]:
        """The grid with its legend."""
        title = self.grid.title if self.grid is not None else ""
        return (copy_picture(self.named(title), picture_size(self, self._themes), self._twin),)

    def tables(self) -> Sequence[PlainTable]:
        """The number of every processor, and its meaning."""
        grid = self.grid
        if grid is None:
            return ()
        words = {value.value: value.label for value in grid.legend}
        values = grid.values  # the array of this step: another step has another

        def rows() -> Iterator[tuple[object, ...]]:
            for (z, y, x), value in np.ndenumerate(values):
                yield x, y, z, value, words.get(int(value))

        return (
            PlainTable(
                self.named(grid.title),
                ("x", "y", "z", tr("Value"), tr("Meaning")),
                LazyRows(values.size, rows),
            ),
        )

    def _twin(self, dress: Dress, size: QSize) -> GridPanel:
        twin = GridPanel(self._selection, self._pin, dress)
        twin.resize(size)
        if self.grid is not None:
            twin.show_data(self.grid, self._mesh)
        twin.setFixedSize(size.expandedTo(QSize(0, twin.minimumHeight())))
        return twin

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Mark the processor under the pointer in the mesh."""
        self._point_at(self.node_at(event.position()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Make room for the legend, which is higher where it is narrower."""
        super().resizeEvent(event)
        self._ask_for_room()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Remove the mark."""
        super().leaveEvent(event)
        self._point_at(None)

    # Keys

    def event(self, event: QEvent) -> bool:
        """Keep the keys that go through the grid from the window's commands."""
        return keeps_key(event, self._takes) or super().event(event)

    def at_end(self, way: int) -> bool:
        """Whether the keys are not in the grid, so that they go past it."""
        del way
        return not self._reading

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Go into the grid, from processor to processor, and out; leave all other keys to the window."""
        if not self._takes(event):
            event.ignore()
            return
        way = _WAYS.get(Qt.Key(event.key()))
        if way is not None and self._pointed is not None:
            sides = self._mesh.extents
            x, y, z = (
                min(max(at + by, 0), side - 1) for at, by, side in zip(self._pointed, way, sides, strict=True)
            )
            self._read((x, y, z))
        elif self._reading:
            self._stop_reading()
        else:
            self._read(self._pointed or (0, 0, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Give the keys back."""
        super().focusOutEvent(event)
        self._stop_reading()

    def _takes(self, event: QKeyEvent) -> bool:
        key, plain = Qt.Key(event.key()), Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.KeypadModifier
        if self.grid is None or event.modifiers() & ~plain:
            return False
        return key in _ENTER or (self._reading and (key in _WAYS or key == Qt.Key.Key_Escape))

    def _read(self, node: Node) -> None:
        """Mark a processor, and say what its value means."""
        self._reading = True
        self._point_at(node)
        self.setAccessibleDescription(self.words(node))
        show_tip(self, self.mapToGlobal(self.cell_rect(*node).bottomRight()), self.words(node))

    def _stop_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._point_at(None)
            self.setAccessibleDescription(_HELP)
            show_tip(self, QPoint())

    def _words_at(self, position: QPointF) -> str:
        node = self.node_at(position)
        return self.words(node) if node else ""

    def words(self, node: Node) -> str:
        """A processor and its value in words."""
        value = self._value(node)
        name = ",".join(map(str, node[: self._mesh.dims]))
        if value is None and self.grid is not None and self.grid.heat is not None:
            return f"({name}): {self.grid.heat.label} {self._number(node)}"
        return f"({name}): {value.label}" if value is not None else f"({name})"

    def _value(self, node: Node) -> GridValue | None:
        if self.grid is None:
            return None
        number = self._number(node)
        return next((value for value in self.grid.legend if value.value == number), None)

    def _number(self, node: Node) -> int:
        x, y, z = node
        return int(self.grid.values[z, y, x]) if self.grid is not None else 0

    def _point_at(self, node: Node | None) -> None:
        if node != self._pointed:
            self._pointed = node
            self._point_out()
            if node is None:
                self._pin.fall_back()
            self.update()

    def _point_out(self) -> None:
        if self._pointed is not None:
            value = self._value(self._pointed)
            role = value.role if value is not None else Role.NOTHING
            self._pin.point_out(Mark(role, Box(*self._pointed, 1, 1, 1), (0, 0, 0)))

    def _layer_places(self) -> _LayerPlaces:
        """The arrangement with the largest cells."""
        px, (width, depth, height) = self._themes.px, self._mesh.extents
        caption, words = self._caption_height(), self._caption_width()
        legend = self._legend_height()
        room_x, room_y = self.width() - px(24), self.height() - px(8) - legend
        gap, best = px(_GAP), _LayerPlaces(1, 0, 1, 1, 0)
        for across in range(1, height + 1):
            if across > 1 and across * (words + gap) - gap > room_x:
                break
            rows = math.ceil(height / across)
            cell = min(
                (room_x - (across - 1) * gap) // (across * width),
                (room_y - rows * (gap + caption)) // (rows * depth),
                px(36),
            )
            if cell > best.cell:
                step_y = depth * cell + caption + gap
                best = _LayerPlaces(across, cell, max(width * cell, words) + gap, step_y, px(4) + caption)
        return best if best.cell else _LayerPlaces(height, 1, width + gap, depth + gap, px(4) + caption)

    def _caption_height(self) -> int:
        return QFontMetrics(self._themes.text("caption")).height() if self._mesh.dims == 3 else 0

    def _caption_width(self) -> int:
        """The longest caption."""
        metrics = QFontMetrics(self._themes.text("caption"))
        return metrics.horizontalAdvance(f"z {self._mesh.extents[2] - 1}") if self._mesh.dims == 3 else 0

    def _paint_layer(self, painter: QPainter, grid: Grid, z: int) -> None:
        theme = self._themes.theme
        width, depth, _ = self._mesh.extents
        cell = self._layer_places().cell
        values = grid.values[z, ::-1]  # the picture's first row is the highest y
        colours = {value.value: role_colour(value.role, theme) for value in grid.legend}
        picture = np.full((depth, width), theme.colour("panel").rgba(), dtype=np.uint32)
        if grid.heat is not None:
            warm = amounts(grid)[z, ::-1]
            picture[warm] = pixels(heat_colours(values[warm], grid.heat, theme))
        for number, colour in colours.items():
            picture[values == number] = colour.rgba()
        image = QImage(picture.tobytes(), width, depth, 4 * width, QImage.Format.Format_RGB32)
        area = self.cell_rect(0, depth - 1, z).united(self.cell_rect(width - 1, 0, z))
        if is_vector(painter):  # enlarged later, it would blur its pixels into one another
            image = image.scaled(area.size() * _FINE)
        painter.drawImage(area, image)
        if cell >= _LEAST_WITH_GAPS:
            painter.setPen(theme.colour("panel"))
            for x in range(area.left(), area.left() + width * cell + 1, cell):
                painter.drawLine(x, area.top(), x, area.bottom())
            for y in range(area.top(), area.top() + depth * cell + 1, cell):
                painter.drawLine(area.left(), y, area.right(), y)
        if cell >= _LEAST_WITH_SIGNS:
            self._paint_signs(painter, grid, z)
        if self._mesh.dims == 3:
            painter.setFont(self._themes.text("caption"))
            painter.setPen(theme.colour("muted"))
            painter.drawText(area.left(), area.top() - self._themes.px(4), f"z {z}")

    def _paint_path(self, painter: QPainter, path: Polyline) -> None:
        """Paint a thin line through the middles with a dot at its start, broken where the layer changes."""
        if not len(path):
            return
        cell, theme = self._layer_places().cell, self._themes.theme
        corners = {z: self.cell_rect(0, 0, z) for z in range(self._mesh.extents[2])}
        layers = np.rint(path[:, 2]).astype(np.int64)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = max(cell * 0.05, 1.0)
        casing = QPen(theme.colour("panel", 0.6), 3 * width)  # keeps the line in sight on every colour
        line = QPen(theme.colour("text"), width)
        for part in np.split(np.arange(len(path)), np.flatnonzero(np.diff(layers)) + 1):
            first = corners[int(layers[part[0]])]
            x = first.left() + (path[part, 0] + 0.5) * cell
            y = first.bottom() + 1 - (path[part, 1] + 0.5) * cell
            places = [QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
            for pen in (casing, line):
                painter.setPen(pen)
                painter.drawPolyline(QPolygonF(places))
            if part[0] == 0:
                start = places[0]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("text"))
        radius = max(cell * 0.16, 2.0)
        painter.drawEllipse(start, radius, radius)
        painter.restore()

    def _paint_signs(self, painter: QPainter, grid: Grid, z: int) -> None:
        for value in grid.legend:
            if value.role in SIGNED:
                for y, x in np.argwhere(grid.values[z] == value.value).tolist():
                    paint_sign(painter, self.cell_rect(x, y, z), self._themes.theme)

    def _legend_height(self) -> int:
        return GridLegend(self.grid, self.width(), self._themes).height if self.grid is not None else 0

    def _ask_for_room(self) -> None:
        """Set the least height: layers that can still be read, and the whole legend."""
        self.setMinimumHeight(self._themes.px(_LEAST_LAYERS) + self._legend_height())
