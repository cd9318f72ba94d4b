"""The flat canvas: the layers of the mesh side by side, drawn without OpenGL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Node
from meshgui.model.document.window_moment import MOST_ZOOM
from meshgui.model.scene.mesh_scene import Scene
from meshgui.model.scene.network_pointing import NOWHERE, Pointed
from meshgui.model.scene.slicing import Slice, cut_boxes, shown_rows
from meshgui.views.mesh.flat.layout import FlatLayout
from meshgui.views.mesh.flat.network import FlatNetwork
from meshgui.views.mesh.flat.painter import FlatPainter
from meshgui.views.mesh.scene.canvas import NO_ENDS, SceneCanvas
from meshgui.views.mesh.scene.drawing import Grip
from meshgui.views.mesh.scene.drawn_box import Side
from meshgui.views.mesh.scene.labels import EMPTY, draw_line
from meshgui.views.mesh.scene.source import SceneSource

_MARGIN: Final = 36  # pixels around the layers, for the numbers
_BETWEEN: Final = 28  # pixels between layers, for their titles


class MeshFlat(SceneCanvas, QWidget):
    """The flat view."""

    def __init__(self, source: SceneSource) -> None:
        super().__init__()
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the mesh is, in every language
        self._zoom = 1.0
        self._offset = QPointF()
        self._written: Sequence[QRectF] = ()
        self._held: tuple[Scene, Slice | None, NDArray[np.int32]] | None = None
        self.follow_scene(source)

    def home(self) -> None:
        """Show all layers at the largest size that fits."""
        self._zoom, self._offset = 1.0, QPointF()
        self.update()

    def camera_data(self) -> dict[str, Any]:
        """The zoom and what is shifted, in shares of the view, as JSON has it."""
        if self._zoom == 1.0:
            return {}
        across, down = self._offset.x() / max(self.width(), 1), self._offset.y() / max(self.height(), 1)
        return {"zoom": self._zoom, "offset": [across, down]}

    def show_camera(self, data: Mapping[str, Any]) -> None:
        """Zoom as it was; anything else shows all."""
        zoom, offset = data.get("zoom"), data.get("offset")
        self.home()
        if not isinstance(zoom, int | float) or not 1.0 < zoom <= MOST_ZOOM:
            return
        if isinstance(offset, list) and len(offset) == 2 and all(isinstance(n, int | float) for n in offset):
            self._zoom = float(zoom)
            self._offset = QPointF(offset[0] * self.width(), offset[1] * self.height())

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor, towards a point of the widget or its middle."""
        at = at if at is not None else QPointF(self.width() / 2, self.height() / 2)
        zoom = min(max(self._zoom * factor, 1.0), MOST_ZOOM)
        self._offset = at - (at - self._offset) * (zoom / self._zoom) if zoom > 1.0 else QPointF()
        self._zoom = zoom
        self.update()
        self.source.camera_moved.emit()

    def grab_image(self, size: QSize, scale: int = 1) -> QImage:
        """An image of the view in any size and pixel ratio, without hover card and highlights."""
        image = QImage(size * scale, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            painter.scale(scale, scale)
            self._draw(painter, size.width(), size.height(), zoomed=False)
        return image

    def draw_lines(self, painter: QPainter, size: QSize, *, legend: bool = True) -> None:
        """Draw the view with a painter, as shapes that can be enlarged; small ones have no legend."""
        self._draw(painter, size.width(), size.height(), zoomed=False, legend=legend)

    def height_for(self, width: int) -> int:
        """As high as the layers are when they are as wide."""
        mesh = self.source.mesh
        if mesh is None or mesh.dims == 3:
            return round(0.8 * width)
        around = 2 * self._themes.px(_MARGIN)
        across, along, _ = mesh.extents
        return min(round((width - around) * along / across + around), width)

    @property
    def written(self) -> Sequence[QRectF]:
        """Where it has letters, as of the last picture."""
        return self._written

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        scene, layout = self.source.scene, self.shown_layout
        if scene is None or layout is None or scene.network is None:
            return NOWHERE
        return FlatNetwork(scene.network, layout, self._themes.scale).pointed_at((point.x(), point.y()))

    def _ends_of(self, packets: Sequence[int]) -> tuple[Floats, Floats]:
        scene, layout = self.source.scene, self.shown_layout
        if scene is None or layout is None or scene.network is None:
            return NO_ENDS
        return FlatNetwork(scene.network, layout, self._themes.scale).ends_of(packets)

    def paintEvent(self, event: QPaintEvent, /) -> None:  # noqa: N802 - Qt's name
        """Draw the layers, and the card beside the pointer."""
        del event
        with QPainter(self) as painter:
            self._draw(painter, self.width(), self.height(), zoomed=True)
            self.draw_over(painter)

    def _draw(self, painter: QPainter, width: int, height: int, *, zoomed: bool, legend: bool = True) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(0, 0, width, height), self._themes.theme.colour("mesh_background"))
        scene, room = self.source.scene, QSize(width, height)
        if scene is None:
            draw_line(painter, room, EMPTY, self._themes)
            return
        layout = self._layout(scene, width, height, zoomed=zoomed)
        drawing = FlatPainter(painter, scene, layout, room, self._themes)
        letters = drawing.draw()
        if legend:
            self.legend_left = drawing.draw_legend(letters)
        self._written = drawing.written

    @property
    def shown_layout(self) -> FlatLayout | None:
        """Where the layers lie on the widget; None without a recording."""
        scene = self.source.scene
        return None if scene is None else self._layout(scene, self.width(), self.height())

    def _layout(self, scene: Scene, width: int, height: int, *, zoomed: bool = True) -> FlatLayout:
        themes = self._themes
        room, cut = (width, height), self.source.look.cut
        fit = FlatLayout.fitted(scene.mesh, cut, room, themes.px(_MARGIN), themes.px(_BETWEEN))
        return fit.zoomed(self._zoom, self._offset) if zoomed else fit

    def _fit_mesh(self) -> None:
        self.home()

    def _row_at(self, point: QPointF) -> int | None:
        scene, node = self.source.scene, self._node_at(point)
        if scene is None or node is None:
            return None
        cut = self.source.look.cut
        if self._held is None or self._held[0] is not scene or self._held[1] != cut:
            self._held = (scene, cut, shown_rows(scene, cut))
        x, y, z = node
        row = int(self._held[2][z, y, x])
        return row if row >= 0 else None

    def _grip_at(self, point: QPointF) -> Grip | None:
        node = self._node_at(point)
        return None if node is None else Grip(node, 2, 1)

    def _node_at(self, point: QPointF) -> Node | None:
        layout = self.shown_layout
        return None if layout is None else layout.node_at(point)

    def _node_near(self, point: QPointF, grip: Grip) -> Node | None:
        layout = self.shown_layout
        return None if layout is None else layout.node_near(point, grip.node[2])

    def _sides(self, boxes: NDArray[np.int16], sides: Sequence[Side]) -> list[QPolygonF]:
        """A rectangle a layer: all sides are seen from above."""
        del sides
        layout = self.shown_layout
        if layout is None:
            return []
        low, high, _ = cut_boxes(boxes, layout.cut, layered=True)
        corners = zip(low.tolist(), high.tolist(), strict=True)
        return [QPolygonF(layout.rect(z, x, y, right - x, top - y)) for (x, y, z), (right, top, _) in corners]

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """Move the layers with any button, if they are larger than the widget."""
        del event
        if self._zoom > 1.0:
            self._offset += way
            self.update()
            self.source.camera_moved.emit()
