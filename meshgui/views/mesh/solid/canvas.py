"""The mesh in three dimensions: turn it, slice it, take it apart, point at its jobs."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEasingCurve, QEvent, QPointF, QSize, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QHideEvent,
    QImage,
    QMouseEvent,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QSurfaceFormat,
    QWheelEvent,
)
from PySide6.QtOpenGL import QOpenGLPaintDevice
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QWidget

from meshgui.engine.geometry import Mesh
from meshgui.model.cursor import Cursor
from meshgui.model.selection import Selection
from meshgui.views.mesh.scene.builder import describe_box
from meshgui.views.mesh.scene.labels import EMPTY, draw_card, draw_line
from meshgui.views.mesh.scene.network.labels import COUNTS_FROM, draw_counts, draw_use_legend
from meshgui.views.mesh.scene.network.pointing import NOWHERE, Pointed, card, choose, job_of
from meshgui.views.mesh.scene.slicing import Slice
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.camera import VIEWS, Camera, Pose, fitted, in_between
from meshgui.views.mesh.solid.labels import draw_axes, draw_job_numbers
from meshgui.views.mesh.solid.layout import Layout, Space
from meshgui.views.mesh.solid.pointing import pointed_at
from meshgui.views.mesh.solid.renderer import DrawingError, MeshRenderer
from meshgui.views.mesh.solid.smooth_buffer import SmoothBuffer, draws_in_software, smooth_buffer
from meshgui.views.style.theme import ThemeManager

__all__ = ["MeshGL", "opengl_works", "surface_format"]

_REST: Final = 120  # milliseconds without motion after which edges are made smooth again
_MOTION: Final = 200  # milliseconds
_DEGREES_PER_PIXEL: Final = 0.4
_ZOOM_PER_NOTCH: Final = 1.15
_CLOSEST, _FARTHEST = 1.5, 8.0  # the picture's height, in nodes and in sizes of the mesh
_MARGIN: Final = 44  # pixels left around a fitted mesh, for the numbers


def surface_format() -> QSurfaceFormat:
    """OpenGL 3.3 core."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(24)
    return wanted


def opengl_works() -> bool:
    """Whether a context of that version can really be made and used here.

    The one all contexts of the program share with tells, if there is one: making another takes time.
    """
    shared = QOpenGLContext.globalShareContext()
    if shared is not None:
        return shared.isValid() and shared.format().version() >= (3, 3)
    context = QOpenGLContext()
    context.setFormat(surface_format())
    if not context.create() or context.format().version() < (3, 3):
        return False
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    works = context.makeCurrent(surface)
    context.doneCurrent()
    return works


class MeshGL(QOpenGLWidget):
    """The 3D view."""

    failed = Signal(str)  # drawing with OpenGL turned out to be impossible

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFormat(surface_format())
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click takes the keys back from a slider
        self.setMinimumSize(160, 120)
        self.motion = True  # views are reached by turning, not by jumping
        self._themes = themes
        self._selection = selection
        self._source = SceneSource(self, cursor, selection, themes, self._changed)
        self._renderer: MeshRenderer | None = None
        self._smooth = SmoothBuffer()
        self._frugal = False  # no hardware: while something moves, fluid goes before smooth
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST)
        self._rest.timeout.connect(self.update)
        self._seen = False  # whether a frame has been drawn for somebody to see
        self._resizing = False
        self._layout: Layout | None = None
        self._slice: Slice | None = None
        self._explode = 0.0
        self._pose = Pose(*VIEWS["home"], (0.0, 0.0, 0.0), 10.0)
        self._view_name: str | None = None  # the view fitted now, until the user moves
        self._shape: tuple[int, ...] | None = None
        self._pointer: QPointF | None = None
        self._pressed: QPointF | None = None
        self._dragging = False
        self._turn = QVariantAnimation(self)
        self._turn.setDuration(_MOTION)
        self._turn.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._turn.setStartValue(0.0)
        self._turn.setEndValue(1.0)
        self._turn.valueChanged.connect(self._turned)
        self._way = (self._pose, self._pose)

    # What a window asks for

    @property
    def pose(self) -> Pose:
        """Where the eye is now."""
        return self._pose

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

    @property
    def slice(self) -> Slice | None:
        """The layers shown, or None for all."""
        return self._slice

    @property
    def explode(self) -> float:
        """How far the layers are apart, 0 to 1."""
        return self._explode

    def set_camera_view(self, name: str, *, animated: bool = True) -> None:
        """Go to the home, top, front or side view, fitted to the picture."""
        if name not in VIEWS:
            raise ValueError(f"expected one of {', '.join(VIEWS)}, got {name!r}")
        self._view_name = name
        goal = self._fit(name, self.width(), self.height())
        self._turn.stop()
        if goal is None:
            return
        if animated and self.motion and self.isVisible():
            self._way = (self._pose, goal)
            self._turn.start()
        else:
            self._pose = goal
            self.update()

    def set_slice(self, axis: int, layers: tuple[int, int] | None) -> None:
        """Show only the layers from first to last across an axis, or all."""
        cut = None if layers is None else Slice(axis, *layers)
        if cut != self._slice:
            self._slice = cut
            self._changed()

    def set_explode(self, factor: float) -> None:
        """Move the layers apart: 0 not at all, 1 fully."""
        factor = min(max(factor, 0.0), 1.0)
        if factor != self._explode:
            self._explode = factor
            self._changed()
            self._refit()

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Nearer by a factor, towards a point of the widget or its middle."""
        farthest = _FARTHEST * max(self._space().size)
        extent = min(max(self._pose.extent / factor, _CLOSEST), farthest)
        right = up = 0.0
        if at is not None:
            right, up = (at.x() - self.width() / 2) / self.height(), 0.5 - at.y() / self.height()
        self._move_to(self._pose.zoomed(self._pose.extent / extent, right, up))

    def turn(self, azimuth: float, elevation: float) -> None:
        """Turn by so many degrees."""
        self._move_to(self._pose.turned(azimuth, elevation))

    def come_to_rest(self) -> None:
        """The eye has moved for now: the next frame is the smooth one."""
        self._rest.stop()
        self.update()

    def camera(self, width: int | None = None, height: int | None = None) -> Camera:
        """The camera for a picture of that size, or for the widget's."""
        width, height = width or self.width(), height or self.height()
        reach = 2.0 * sum(self._space().size) + sum(abs(t) for t in self._pose.target)
        return Camera(self._pose, width / max(height, 1), reach)

    def job_at(self, point: QPointF) -> int | None:
        """The job shown at a point of the widget."""
        row = self._row_at(point)
        return int(self._current_layout().scene.jobs[row]) if row is not None else None

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        scene = self._source.scene
        if scene is None or scene.network is None or self.width() < 1 or self.height() < 1:
            return NOWHERE
        size = (float(self.width()), float(self.height()))
        return pointed_at(
            self._current_layout(), self.camera(), size, (point.x(), point.y()), self._themes.scale
        )

    def place_of(self, job: int) -> QPointF | None:
        """Where the middle of a job's first box stands in the widget."""
        layout = self._current_layout()
        rows = [n for n, row in enumerate(layout.rows) if layout.scene.jobs[row] == job]
        if not rows:
            return None
        middle = (layout.low[rows[:1]] + layout.high[rows[:1]]) / 2
        x, y, _ = self.camera().project(middle)[0]
        return QPointF((x + 1) / 2 * self.width(), (1 - y) / 2 * self.height())

    def grab_image(self, size: QSize, scale: int = 1) -> QImage:
        """The view as a picture of any size, so many times as fine, without what belongs to the pointer."""
        context, surface = QOpenGLContext(), QOffscreenSurface()
        context.setFormat(surface_format())
        surface.setFormat(surface_format())
        surface.create()
        if not context.create() or not context.makeCurrent(surface):
            raise DrawingError("no OpenGL context can be made for the picture")
        try:
            return self._paint_offscreen(context, size, scale)
        finally:
            context.doneCurrent()

    # Drawing

    def initializeGL(self, /) -> None:  # noqa: N802 - Qt's name
        """A context is there, possibly a new one: the widget has moved to another window."""
        context = self.context()
        try:
            self._renderer = MeshRenderer(context)
            self._frugal = draws_in_software(context)
        except DrawingError as error:
            self._renderer = None
            self.failed.emit(str(error))
            return
        context.aboutToBeDestroyed.connect(self._release)

    def paintGL(self, /) -> None:  # noqa: N802 - Qt's name
        """Draw mesh and numbers."""
        if self._renderer is None:
            return
        if self._resizing and not self._seen:
            return  # Qt draws at every size on the way to the first frame, and throws it away
        ratio = self.devicePixelRatioF()
        size = QSize(round(self.width() * ratio), round(self.height() * ratio))
        layout = self._current_layout() if self._source.scene is not None else None
        camera = self.camera()
        self._renderer.show(layout)
        smooth = not (self._frugal and (self._moving or not self._seen))
        if smooth:
            self._smooth.begin(size)
        pixel = ratio * self._themes.scale
        self._renderer.draw(camera, self._themes.theme, size.toTuple(), pixel, smooth=smooth)
        if smooth:
            self._smooth.end()
        # Not a painter on the widget: it would write elsewhere while a parent takes a picture of itself.
        paper = QOpenGLPaintDevice(size)
        paper.setDevicePixelRatio(ratio)
        painter = QPainter(paper)
        self._write(painter, self.size(), layout, camera)
        if layout is not None and self._pointer is not None and not self._dragging:
            self._draw_card(painter, layout, self._pointer)
        painter.end()
        if not self._seen:
            self._seen = True
            self._rest.start()  # the first frame comes soon, the smooth one after it

    def _paint_offscreen(self, context: QOpenGLContext, size: QSize, scale: int) -> QImage:
        """Draw with a context of its own, so that the picture does not depend on the window."""
        pixels = size * scale
        buffer = smooth_buffer(pixels)
        renderer = MeshRenderer(context)
        pose = self._pose
        layout = self._current_layout() if self._source.scene is not None else None
        try:
            if self._view_name is not None:
                self._pose = self._fit(self._view_name, size.width(), size.height()) or pose
            camera = self.camera(size.width(), size.height())
        finally:
            self._pose = pose
        if not buffer.isValid():
            raise DrawingError(f"OpenGL has no room for {pixels.width()}×{pixels.height()} pixels here")
        buffer.bind()
        renderer.show(layout)
        paper = (pixels.width(), pixels.height())
        renderer.draw(camera, self._themes.theme, paper, scale * self._themes.scale)
        image = buffer.toImage().convertToFormat(QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(scale)
        buffer.release()
        renderer.release()
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        self._write(painter, size, layout, camera)
        painter.end()
        image.setDevicePixelRatio(1)
        return image

    def _write(self, painter: QPainter, room: QSize, layout: Layout | None, camera: Camera) -> None:
        """The numbers, or the line of the empty state."""
        if layout is None:
            draw_line(painter, room, EMPTY, self._themes)
            return
        draw_axes(painter, room, layout, camera, self._themes)
        draw_job_numbers(painter, room, layout, camera, self._themes)
        network = layout.scene.network
        if network is not None and room.height() / camera.pose.extent >= COUNTS_FROM * self._themes.scale:
            places, kept = layout.space.along(network.queued)
            points = camera.project(places[kept].astype(float))[:, :2]
            points = (points * (1, -1) + 1) / 2 * room.toTuple()
            draw_counts(painter, points, network.queue_lengths[kept], self._themes)
        if network is not None and network.use is not None:
            draw_use_legend(painter, room, network.use, self._themes)

    def _draw_card(self, painter: QPainter, layout: Layout, at: QPointF) -> None:
        view = self._source.view
        if view is None:
            return
        lines = card(view, self.pointed_at(at), self._selection.span)
        row = self._row_at(at)
        if not lines and row is not None:
            lines = describe_box(view, layout.scene, row)
        if lines:
            draw_card(painter, self.size(), at, lines, self._themes)

    def _release(self) -> None:
        """The context is about to go: its buffers first."""
        if self._renderer is not None:
            self.makeCurrent()
            self._renderer.release()
            self._renderer = None
            self._smooth.release()
            self.doneCurrent()

    # Keeping up

    def _space(self) -> Space:
        """Where nodes stand; without a recording, an empty place the size of one node."""
        view = self._source.view
        mesh = view.recording.mesh if view is not None else Mesh((1, 1, 1))
        return Space(mesh, self._slice, self._explode)

    def _current_layout(self) -> Layout:
        """The layout of the scene as it is now."""
        scene = self._source.scene
        if scene is None:
            raise RuntimeError("there is no mesh to draw")
        space = self._space()
        if self._layout is None or self._layout.scene is not scene or self._layout.space != space:
            self._layout = Layout(scene, space)
        return self._layout

    def _changed(self) -> None:
        """The scene is another one; it is made when it is painted."""
        view = self._source.view
        shape = view.recording.mesh.shape if view is not None else None
        if shape != self._shape:
            self._shape = shape
            self._slice = None
            self._view_name = "top" if shape is not None and len(shape) == 2 else "home"
            self._refit()
        self.update()

    def _fit(self, name: str, width: int, height: int) -> Pose | None:
        """The pose of a named view in a picture of that size."""
        if self._source.view is None:
            return None
        margin = self._themes.px(_MARGIN)
        margins = (min(margin / max(width, 1), 0.2), min(margin / max(height, 1), 0.2))
        return fitted(*VIEWS[name], self._space().size, width / max(height, 1), margins)

    def _refit(self) -> None:
        """Fit the named view again: the widget or the mesh has another size."""
        if self._view_name is not None:
            self.set_camera_view(self._view_name, animated=False)

    def _turned(self, share: float) -> None:
        self._pose = in_between(*self._way, share)
        self._rest.start()
        self.update()

    def _move_to(self, pose: Pose) -> None:
        """The user moves: no named view is kept any longer."""
        self._turn.stop()
        self._view_name = None
        self._pose = pose
        self._rest.start()
        self.update()

    @property
    def _moving(self) -> bool:
        """Whether the eye has moved just now."""
        return self._rest.isActive()

    # The pointer

    def _row_at(self, point: QPointF) -> int | None:
        if self._source.scene is None or self.width() < 1 or self.height() < 1:
            return None
        x, y = 2 * point.x() / self.width() - 1, 1 - 2 * point.y() / self.height()
        return self._current_layout().pick(*self.camera().ray(x, y))

    def _hover(self, here: QPointF) -> None:
        view, pointed = self._source.view, self.pointed_at(here)
        whose = job_of(view, pointed.packet) if view is not None and pointed.packet is not None else None
        self._selection.hover(self.job_at(here) if whose is None else whose, *pointed)

    def mousePressEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A press may become a click or a drag."""
        self._pressed = self._pointer = event.position()
        self._dragging = False

    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """Left turns; right, middle or Shift with left moves; no button points."""
        here = event.position()
        if self._pressed is None or self._pointer is None or not event.buttons():
            self._pointer = here
            self._hover(here)
            self.update()
            return
        if (here - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._dragging = True
        if not self._dragging:
            return
        way = here - self._pointer
        self._pointer = here
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.buttons() & Qt.MouseButton.LeftButton and not shift:
            self.turn(-way.x() * _DEGREES_PER_PIXEL, way.y() * _DEGREES_PER_PIXEL)
        else:
            self._move_to(self._pose.moved(-way.x() / self.height(), way.y() / self.height()))

    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A click selects the job under it, or nothing."""
        click = self._pressed is not None and not self._dragging
        self._pressed = None
        self._dragging = False
        if click and event.button() == Qt.MouseButton.LeftButton:
            view, here = self._source.view, event.position()
            if view is None or not choose(view, self.pointed_at(here), self._selection):
                self._selection.select(self.job_at(here))
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent, /) -> None:  # noqa: N802 - Qt's name
        """A second click is a click like the first."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent, /) -> None:  # noqa: N802 - Qt's name
        """Zoom towards the pointer."""
        self.zoom(_ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120.0), event.position())
        event.accept()

    def enterEvent(self, event: QEnterEvent, /) -> None:  # noqa: N802 - Qt's name
        """The pointer comes in."""
        self._pointer = event.position()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent, /) -> None:  # noqa: N802 - Qt's name
        """The pointer leaves: nothing is pointed at."""
        self._pointer = None
        self._selection.hover(None)
        self.update()
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent, /) -> None:  # noqa: N802 - Qt's name
        """Keep a named view fitted."""
        self._resizing = True
        self._rest.start()  # a size that changes is motion, too
        super().resizeEvent(event)
        self._resizing = False
        self._refit()

    def showEvent(self, event: QShowEvent, /) -> None:  # noqa: N802 - Qt's name
        """Whatever changed while hidden is seen now."""
        super().showEvent(event)
        self._changed()

    def hideEvent(self, event: QHideEvent, /) -> None:  # noqa: N802 - Qt's name
        """A turn nobody sees ends where it was going."""
        if self._turn.state() == QVariantAnimation.State.Running:
            self._turn.stop()
            self._pose = self._way[1]
        super().hideEvent(event)
