"""The behaviour that both canvases share: hovering, selecting with a click, dragging, drawing jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPolygonF,
    QWheelEvent,
)

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Box, Mesh, Node
from meshgui.engine.basics.translation import tr
from meshgui.model.jobs.job_tables import boxes_on_mesh
from meshgui.model.moment.moment_view import View
from meshgui.model.scene.mesh_scene import Scene, describe_box
from meshgui.model.scene.network_pointing import Pointed, card, choose, job_of, looked_at
from meshgui.model.stepping.cursor import CursorChange
from meshgui.model.tables.tables import PlainTable
from meshgui.views.mesh.scene.drawing import Grip
from meshgui.views.mesh.scene.drawn_box import (
    Side,
    draw_box,
    draw_chosen,
    draw_hint,
    drawing_hints,
    words_of,
)
from meshgui.views.mesh.scene.labels import draw_card
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.own_keys import keeps_key

_ZOOM_PER_NOTCH: Final = 1.15
_WAYS: Final[dict[int, Node]] = {
    Qt.Key.Key_Left: (-1, 0, 0),
    Qt.Key.Key_Right: (1, 0, 0),
    Qt.Key.Key_Down: (0, -1, 0),
    Qt.Key.Key_Up: (0, 1, 0),
    Qt.Key.Key_PageDown: (0, 0, -1),
    Qt.Key.Key_PageUp: (0, 0, 1),
}
"""From node to node: y grows upwards, as it is drawn."""

NO_ENDS: Final[tuple[Floats, Floats]] = (np.zeros((0, 2)), np.zeros((0, 2)))
"""Of no strokes."""

_HERE: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class SceneCanvas(DragWidget):
    """A canvas of the scene; mixed into a widget that draws and that finds the object at a point."""

    accessible_role = QAccessible.Role.Graphic

    def follow_scene(self, source: SceneSource) -> None:
        """Draw the scenes of a source from now on; to be called once the widget is made."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a click takes the focus back from a slider
        self.setAccessibleName(tr("Mesh"))
        self._ring = FocusRing(self, source.themes)
        self.setMinimumSize(160, 120)
        self.source, self._themes, self._selection = source, source.themes, source.selection
        self._mesh: Mesh | None = None
        self.legend_left = 0.0  # as of the last picture: what is said beside the legend ends there
        self._rests = False  # the pointer, since there was something new to see: its card would cover that
        source.changed.connect(self._changed)
        source.drawing.changed.connect(self._follow_drawing)
        follow(self, source.cursor.changed, self._hide_card)

    # To be implemented by a canvas

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        raise NotImplementedError

    @property
    def written(self) -> Sequence[QRectF]:
        """Where it has letters, as of the last picture."""
        raise NotImplementedError

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor, towards a point of the widget or its middle."""
        raise NotImplementedError

    def _ends_of(self, packets: Sequence[int]) -> tuple[Floats, Floats]:
        """Where the strokes of packets begin and end on the widget."""
        raise NotImplementedError

    def _row_at(self, point: QPointF) -> int | None:
        """The row of the box shown at a point of the widget."""
        raise NotImplementedError

    def _fit_mesh(self) -> None:
        """Fit the view to another mesh."""
        raise NotImplementedError

    def _grip_at(self, point: QPointF) -> Grip | None:
        """Where a box begins that is drawn from a point of the widget; None beside the mesh."""
        raise NotImplementedError

    def _node_near(self, point: QPointF, grip: Grip) -> Node | None:
        """The node nearest to a point of the widget, on the side of the mesh that is drawn on."""
        raise NotImplementedError

    def _sides(self, boxes: NDArray[np.int16], sides: Sequence[Side]) -> list[QPolygonF]:
        """Where some sides of boxes of nodes are on the widget."""
        raise NotImplementedError

    # Shared by both

    def job_at(self, point: QPointF) -> int | None:
        """The job shown at a point of the widget."""
        row, scene = self._row_at(point), self.source.scene
        return int(scene.jobs[row]) if row is not None and scene is not None else None

    @property
    def shows_over(self) -> bool:
        """Whether `draw_over` may have something to draw."""
        drawing = self.source.drawing
        return drawing.draws or bool(drawing.marks) or drawing.grip is not None or self._may_show_card

    @property
    def _may_show_card(self) -> bool:
        """Whether there is a pointer that can have a card: not while the view is dragged."""
        return self.pointer is not None and not self.dragging and not self._rests

    def draw_over(self, painter: QPainter) -> None:
        """Draw what belongs to the pointer over all else: a box being drawn, or the card of what is there."""
        view, scene, drawing = self.source.view, self.source.scene, self.source.drawing
        if view is None or scene is None:
            return
        if drawing.placing:
            draw_hint(painter, self.legend_left, (drawing.placing,), self._themes)
        if drawing.placing or drawing.marks:
            draw_chosen(painter, scene.mesh, drawing, self._sides, self._themes)
        if drawing.active:
            forms = drawing_hints(scene.mesh, ends=view.recording.network is None)
            draw_hint(painter, self.legend_left, forms, self._themes)
        box = drawing.box(scene.mesh)
        if box is None or drawing.grip is None:
            self._draw_pointer_card(painter, view, scene)
            return
        draw_box(painter, scene, box, drawing.grip, self._sides, self._themes)
        if self.pointer is not None:
            words = words_of(box, scene.mesh, None if drawing.placing else view.snapshot.free)
            draw_card(painter, self.size(), self.pointer, words, self._themes)

    def _draw_pointer_card(self, painter: QPainter, view: View, scene: Scene) -> None:
        """Draw the card of the hovered object beside the pointer."""
        at = self.pointer
        if at is None or not self._may_show_card:
            return
        pointed = self.pointed_at(at)
        lines = card(view, pointed, self._selection)
        row = self._row_at(at)
        if self.source.drawing.placing and lines:
            lines = () if pointed.packet is None else (tr("Packet {packet}").format(packet=pointed.packet),)
        if not lines and row is not None:
            lines = describe_box(view, scene, row)
            if self.source.drawing.active and view.recording.network is None:
                lines = (*lines, tr("Click: end this job"))
        if lines:
            kept = self._ends_of(looked_at(view, pointed, self._selection))
            draw_card(painter, self.size(), at, lines, self._themes, kept)

    def _changed(self) -> None:
        """The scene has changed; it is built when it is painted."""
        if self.source.mesh != self._mesh:
            self._mesh = self.source.mesh
            self._fit_mesh()
        self.update()

    def _hide_card(self, change: CursorChange) -> None:
        """Take the card of a pointer that rests away from what a key or the player shows there."""
        self._rests |= change is not CursorChange.GREW

    def hover_at(self, point: QPointF) -> None:
        """Hover the packet, channel and job at a point."""
        self._rests = False
        view, pointed = self.source.view, self.pointed_at(point)
        whose = job_of(view, pointed.packet) if view is not None and pointed.packet is not None else None
        self._selection.hover(self.job_at(point) if whose is None else whose, *pointed)
        self.update()

    def click_at(self, point: QPointF) -> None:
        """Select the packet, channel or job at a point, or nothing."""
        view, job = self.source.view, self.job_at(point)
        if self.source.drawing.placing:
            self._place_at(point)
        elif self.source.drawing.active and job is not None:
            self.source.drawing.end_asked.emit(job)
        elif view is None or not choose(view, self.pointed_at(point), self._selection):
            self._selection.select(job)

    def _place_at(self, point: QPointF) -> None:
        """Point out the packet or the node at a point, for an exercise."""
        packet, grip = self.pointed_at(point).packet, self._grip_at(point)
        if packet is not None:
            self.source.drawing.packet_chosen.emit(packet)
        elif grip is not None:
            self.source.drawing.placed.emit(Box(*grip.node, 1, 1, 1))

    # Drawing

    def _follow_drawing(self) -> None:
        """Show by the pointer whether a drag draws, and draw the box as it is now."""
        drawing = self.source.drawing
        self.setCursor(Qt.CursorShape.CrossCursor if drawing.draws else Qt.CursorShape.ArrowCursor)
        if not drawing.draws:
            self.unsetCursor()
        self.update()

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Begin a click, a drag, or in the drawing mode a box."""
        super().mousePressEvent(event)
        drawing = self.source.drawing
        if drawing.draws and event.button() == Qt.MouseButton.LeftButton:
            grip = self._grip_at(event.position())
            if grip is not None:
                drawing.begin(grip)

    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Drag the box that is drawn, else what DragWidget says."""
        grip, here = self.source.drawing.grip, event.position()
        if grip is None or self.pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        self.pointer = here
        node = self._node_near(here, grip) if self.is_drag_to(here) else None
        if node is not None:
            self.source.drawing.drag_to(node)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Ask for the job that was drawn, else what DragWidget says."""
        mesh, drawing = self.source.mesh, self.source.drawing
        dragged = self.dragging
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.RightButton and not dragged:  # a drag moves the view
            self.source.menu_asked.emit(event.globalPosition().toPoint())
        if mesh is not None and drawing.grip is not None and event.button() == Qt.MouseButton.LeftButton:
            drawing.finish(mesh)

    def event(self, event: QEvent, /) -> bool:
        """Keep the digits from the window where they set the depth of a box."""
        return keeps_key(event, self._draws) or super().event(event)

    def _draws(self, event: QKeyEvent) -> bool:
        drawing = self.source.drawing
        digit = drawing.takes(event.text(), self.source.mesh)
        return bool(digit or (drawing.placing and event.key() in {*_WAYS, *_HERE}))

    def keyPressEvent(self, event: QKeyEvent, /) -> None:  # noqa: N802 - Qt's name
        """Set the depth of a box with a digit; the keys that go up and down select running jobs."""
        way = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if self.source.drawing.takes(event.text(), self.source.mesh):
            self.source.drawing.set_depth(int(event.text()))
        elif self.source.drawing.placing and self.source.mesh is not None and event.key() in _WAYS:
            self.source.drawing.move(_WAYS[event.key()], self.source.mesh)
        elif self.source.drawing.placing and event.key() in _HERE:
            if self.source.drawing.node is not None:
                self.source.drawing.placed.emit(Box(*self.source.drawing.node, 1, 1, 1))
        elif way is not None and not event.modifiers():
            self._walk(way)
        else:
            super().keyPressEvent(event)

    def _walk(self, way: int) -> None:
        """Select the next running job, or the one before; at first the first."""
        view, job = self.source.view, self._selection.job
        running = view.snapshot.running.tolist() if view is not None else []
        if running:
            place = running.index(job) + way if job in running else 0
            self._selection.select(running[min(max(place, 0), len(running) - 1)])

    def tables(self) -> Sequence[PlainTable]:
        """The boxes that are drawn."""
        view = self.source.view
        return () if view is None else (boxes_on_mesh(view),)

    def contextMenuEvent(self, event: QContextMenuEvent, /) -> None:  # noqa: N802 - Qt's name
        """Open the menu by its key; with the mouse it opens at the release, as a drag begins with a press."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.source.menu_asked.emit(event.globalPos())
        else:
            super().contextMenuEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Take a second click for a click like the first."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent, /) -> None:  # noqa: N802 - Qt's name
        """Zoom towards the pointer, or change the depth of a box that is drawn in three dimensions."""
        drawing, mesh = self.source.drawing, self.source.mesh
        if drawing.draws and mesh is not None and mesh.dims == 3:
            drawing.deepen(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        self.zoom(_ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0), event.position())
        event.accept()

    def enterEvent(self, event: QEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Have the pointer here; it hovers once it moves, which it has not where a window grows below it."""
        self.pointer, self._rests = event.position(), True
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent, /) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        self.pointer = None
        self._selection.hover(None)
        self.update()
        super().leaveEvent(event)
