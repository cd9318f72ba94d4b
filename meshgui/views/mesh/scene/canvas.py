"""The behaviour that both canvases share: hovering, selecting with a click, dragging."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QWheelEvent

from meshgui.engine.basics.geometry import Mesh
from meshgui.views.mesh.scene.builder import describe_box
from meshgui.views.mesh.scene.labels import draw_card
from meshgui.views.mesh.scene.network.pointing import Pointed, card, choose, job_of
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.following import follow

__all__ = ["SceneCanvas"]

_ZOOM_PER_NOTCH: Final = 1.15


class SceneCanvas(DragWidget):
    """A canvas of the scene; mixed into a widget that draws and that finds the object at a point."""

    def follow_scene(self, source: SceneSource) -> None:
        """Draw the scenes of a source from now on; to be called once the widget is made."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click takes the focus back from a slider
        self.setMinimumSize(160, 120)
        self.source, self._themes, self._selection = source, source.themes, source.selection
        self._mesh: Mesh | None = None
        self._stepped = False  # since the pointer moved: its card would cover what a key steps through
        source.changed.connect(self._changed)
        follow(self, source.cursor.changed, self._hide_card)

    # To be implemented by a canvas

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        raise NotImplementedError

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor, towards a point of the widget or its middle."""
        raise NotImplementedError

    def _row_at(self, point: QPointF) -> int | None:
        """The row of the box shown at a point of the widget."""
        raise NotImplementedError

    def _fit_mesh(self) -> None:
        """Fit the view to another mesh."""
        raise NotImplementedError

    # Shared by both

    def job_at(self, point: QPointF) -> int | None:
        """The job shown at a point of the widget."""
        row, scene = self._row_at(point), self.source.scene
        return int(scene.jobs[row]) if row is not None and scene is not None else None

    def draw_pointer_card(self, painter: QPainter) -> None:
        """Draw the card of the hovered object beside the pointer; not while the view is dragged."""
        view, scene, at = self.source.view, self.source.scene, self.pointer
        if view is None or scene is None or at is None or self.dragging or self._stepped:
            return
        lines = card(view, self.pointed_at(at), self._selection)
        row = self._row_at(at)
        if not lines and row is not None:
            lines = describe_box(view, scene, row)
        if lines:
            draw_card(painter, self.size(), at, lines, self._themes)

    def _changed(self) -> None:
        """The scene has changed; it is built when it is painted."""
        if self.source.mesh != self._mesh:
            self._mesh = self.source.mesh
            self._fit_mesh()
        self.update()

    def _hide_card(self) -> None:
        """Take the pointer's card away inside an attempt until the pointer moves."""
        view = self.source.view
        self._stepped = view is not None and view.position.inside

    def hover_at(self, point: QPointF) -> None:
        """Hover the packet, channel and job at a point."""
        self._stepped = False
        view, pointed = self.source.view, self.pointed_at(point)
        whose = job_of(view, pointed.packet) if view is not None and pointed.packet is not None else None
        self._selection.hover(self.job_at(point) if whose is None else whose, *pointed)
        self.update()

    def click_at(self, point: QPointF) -> None:
        """Select the packet, channel or job at a point, or nothing."""
        view = self.source.view
        if view is None or not choose(view, self.pointed_at(point), self._selection):
            self._selection.select(self.job_at(point))

    def mouseDoubleClickEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Take a second click for a click like the first."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent, /) -> None:  # noqa: N802 - Qt's name
        """Zoom towards the pointer."""
        self.zoom(_ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0), event.position())
        event.accept()

    def enterEvent(self, event: QEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """Start hovering."""
        self.pointer = event.position()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent, /) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        self.pointer = None
        self._selection.hover(None)
        self.update()
        super().leaveEvent(event)
