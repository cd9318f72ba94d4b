"""The 3D canvas: turn, slice and explode the mesh, and point at its jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import (
    QHideEvent,
    QImage,
    QMouseEvent,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtOpenGL import QOpenGLPaintDevice
from PySide6.QtOpenGLWidgets import QOpenGLWidget

from meshgui.engine.basics.arrays import Floats
from meshgui.engine.basics.geometry import Mesh, Node
from meshgui.engine.basics.translation import tr
from meshgui.model.scene.camera import VIEWS, Camera, Pose, Viewpoint, fitted, in_between
from meshgui.model.scene.network_pointing import NOWHERE, Pointed
from meshgui.model.scene.solid_layout import Layout
from meshgui.model.scene.solid_pointing import ends_in_picture, pointed_at
from meshgui.model.scene.space import Space
from meshgui.views.mesh.scene.canvas import NO_ENDS, SceneCanvas
from meshgui.views.mesh.scene.drawing import Grip
from meshgui.views.mesh.scene.drawn_box import Side
from meshgui.views.mesh.scene.labels import EMPTY, draw_line
from meshgui.views.mesh.scene.source import SceneSource
from meshgui.views.mesh.solid.drawing import Ray, grip_at, node_near, sides_on_screen
from meshgui.views.mesh.solid.opengl import DrawingError, SmoothBuffer, draws_in_software, release_before
from meshgui.views.mesh.solid.painter import SolidPainter
from meshgui.views.mesh.solid.writing import LegendPicture, Writer, Writing
from meshgui.views.style.application import surface_format
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.file_progress import Runner, at_once

if TYPE_CHECKING:
    from meshgui.views.mesh.solid.batches import DriverClock
    from meshgui.views.mesh.solid.renderer import MeshRenderer


_REST: Final = 120  # milliseconds without motion after which edges are made smooth again
_MOTION: Final = 200  # milliseconds
_DEGREES_PER_PIXEL: Final = 0.4
_CLOSEST, _FARTHEST = 1.5, 8.0  # the picture's height, in nodes and in sizes of the mesh
_MARGINS: Final = (28, 40)  # pixels left around a fitted mesh in 2D and in 3D, for numbers and letters


class MeshGL(SceneCanvas, QOpenGLWidget):
    """The 3D view."""

    failed = Signal(str)  # drawing with OpenGL has failed

    def __init__(self, source: SceneSource) -> None:
        super().__init__()
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # as the mesh is, in every language
        self.setFormat(surface_format())
        self.motion = True  # views are reached by turning, not by jumping
        self._renderer: MeshRenderer | None = None
        self._smooth = SmoothBuffer()
        self._writer, self._legends = Writer(source.themes), LegendPicture(source.themes)
        self._writing: Writing | None = None  # of the last picture
        self._frugal = False  # no hardware: during motion a high frame rate matters more than smooth edges
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.update)
        self._drawn_once = False  # whether a frame has been drawn while visible
        self._resizing = False
        self._layout: Layout | None = None
        self._exploded = 0.0
        self._pose = Pose(*VIEWS["home"], (0.0, 0.0, 0.0), 10.0)
        self._view_name: str | None = None  # the view fitted now, until the user moves
        self._turn = QVariantAnimation(self)
        self._turn.setDuration(_MOTION)
        self._turn.setEasingCurve(QEasingCurve.Type.InOutCubic)
        self._turn.setStartValue(0.0)
        self._turn.setEndValue(1.0)
        self._turn.valueChanged.connect(self._turned)
        self._way = (self._pose, self._pose)
        self.follow_scene(source)

    # What a window uses

    @property
    def pose(self) -> Pose:
        """The current pose of the camera."""
        return self._pose

    @property
    def viewpoint(self) -> Viewpoint:
        """The pose, and the name of the view if it is one."""
        return self._view_name, self._pose

    def restore(self, viewpoint: Viewpoint) -> None:
        """Show a pose that was there before, fitted to the picture if it is a named view."""
        self._turn.stop()
        self._view_name, self._pose = viewpoint
        self._refit()
        self.update()

    def set_camera_view(self, name: str, *, animated: bool = True) -> None:
        """Go to the home, top, front or side view, fitted to the picture."""
        if name not in VIEWS:
            raise ValueError(
                tr("expected one of {VIEWS}, got “{name}”").format(VIEWS=", ".join(VIEWS), name=name)
            )
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

    def camera_data(self) -> dict[str, Any]:
        """The named view, or the pose of the camera, as JSON has it."""
        pose = self._pose
        if self._view_name is not None:
            return {"view": self._view_name}
        return {"pose": [pose.azimuth, pose.elevation, *pose.target, pose.extent]}

    def show_camera(self, data: Mapping[str, Any]) -> None:
        """Go to a named view or to a pose; anything else changes nothing."""
        pose = data.get("pose")
        if data.get("view") in VIEWS:
            self.set_camera_view(data["view"], animated=False)
        elif isinstance(pose, list) and len(pose) == 6 and all(isinstance(n, int | float) for n in pose):
            azimuth, elevation, x, y, z, extent = map(float, pose)
            if np.isfinite(pose).all() and abs(elevation) <= 90 and extent > 0:
                self._move_to(Pose(azimuth, elevation, (x, y, z), max(extent, _CLOSEST)))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor, towards a point of the widget or its middle."""
        farthest = _FARTHEST * max(self._space().size)
        extent = min(max(self._pose.extent / factor, _CLOSEST), farthest)
        right = up = 0.0
        if at is not None:
            right, up = (at.x() - self.width() / 2) / self.height(), 0.5 - at.y() / self.height()
        self._move_to(self._pose.zoomed(self._pose.extent / extent, right, up))

    def turn(self, azimuth: float, elevation: float) -> None:
        """Turn by some degrees."""
        self._move_to(self._pose.turned(azimuth, elevation))

    def come_to_rest(self) -> None:
        """End the motion: draw the next frame with smooth edges."""
        self._rest.stop()
        self.update()

    def hurry(self) -> None:
        """Draw steps that follow each other as motion: without smooth edges where there is no hardware."""
        self._rest.start()

    def time_driver(self) -> DriverClock:
        """Measure the processor time that OpenGL takes of the frames from now on; needs one drawn before."""
        if self._renderer is None:
            raise RuntimeError("there is no OpenGL to measure")
        return self._renderer.time_driver()

    def camera(self, width: int | None = None, height: int | None = None) -> Camera:
        """The camera for a picture of that size, or for the widget's."""
        width, height = width or self.width(), height or self.height()
        reach = 2.0 * sum(self._space().size) + sum(abs(t) for t in self._pose.target)
        return Camera(self._pose, width / max(height, 1), reach)

    @property
    def written(self) -> Sequence[QRectF]:
        """Where it has letters, as of the last picture."""
        return [] if self._writing is None else self._writing.places

    def pointed_at(self, point: QPointF) -> Pointed:
        """The packet and the channel at a point of the widget."""
        layout = self.shown_layout
        if layout is None or layout.scene.network is None or self.width() < 1 or self.height() < 1:
            return NOWHERE
        size = (float(self.width()), float(self.height()))
        return pointed_at(layout, self.camera(), size, (point.x(), point.y()), self._themes.scale)

    def _ends_of(self, packets: Sequence[int]) -> tuple[Floats, Floats]:
        layout = self.shown_layout
        if layout is None:
            return NO_ENDS
        size = (float(self.width()), float(self.height()))
        return ends_in_picture(layout.strokes.of(packets), self.camera(), size)[:2]

    def grab_image(self, size: QSize, scale: int = 1, run: Runner = at_once) -> QImage:
        """An image of the view in any size and pixel ratio, without hover card and highlights.

        A context of its own draws it, so that it does not depend on the window; `run` calls what does,
        and may do so in another thread.
        """
        layout = self.shown_layout
        camera, theme, pixel = self._camera_for(size), self._themes.theme, scale * self._themes.scale
        draw_still = _drawing_of_stills()
        surface, image = QOffscreenSurface(), QImage(size * scale, QImage.Format.Format_RGB32)
        surface.setFormat(surface_format())
        surface.create()
        within = run if QOpenGLContext.supportsThreadedOpenGL() else at_once
        within(lambda: draw_still(image, surface, layout, camera, theme, pixel))
        image.setDevicePixelRatio(scale)
        with QPainter(image) as painter:
            painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
            self._write_with(painter, size, layout, camera)
        image.setDevicePixelRatio(1)
        return image

    def draw_lines(self, painter: QPainter, size: QSize) -> None:
        """Draw the view with a painter, as shapes that can be enlarged: for SVG and PDF."""
        layout = self.shown_layout
        camera = self._camera_for(size)
        if layout is not None:
            SolidPainter(painter, size, layout, camera, self._themes).draw()
        self._write_with(painter, size, layout, camera)

    # Drawing

    def initializeGL(self, /) -> None:  # noqa: N802 - Qt's name
        """Prepare a context; there is a new one after the widget has moved to another window."""
        context = QOpenGLContext.currentContext()  # not of `self.context()`: that one ends with the widget
        try:
            self._renderer = renderer = _renderer_of(context)
            self._frugal = draws_in_software(context)
        except DrawingError as error:
            self._renderer = None
            self.failed.emit(str(error))
            return
        release_before(context, renderer.release, self._smooth.release)

    def paintGL(self, /) -> None:  # noqa: N802 - Qt's name
        """Draw mesh and labels."""
        if self._renderer is None:
            return
        if self._resizing and not self._drawn_once:
            return  # Qt draws at every size on the way to the first frame, and throws it away
        ratio = self.devicePixelRatioF()
        size = QSize(round(self.width() * ratio), round(self.height() * ratio))
        layout = self.shown_layout
        camera = self.camera()
        self._renderer.show(layout)
        smooth = not (self._frugal and (self._moving or not self._drawn_once))
        if smooth:
            with self._renderer.clock:
                self._smooth.begin(size)
        pixel = ratio * self._themes.scale
        self._renderer.draw(camera, self._themes.theme, size.toTuple(), pixel, smooth=smooth)
        if smooth:
            with self._renderer.clock:
                self._smooth.end()
        if layout is not None:
            self._write(layout, camera, ratio)
        if layout is None or self.shows_over:
            self._paint_over(size, ratio)
        if not self._drawn_once:
            self._drawn_once = True
            self._rest.start()  # the first frame comes soon, the smooth one after it

    def _camera_for(self, size: QSize) -> Camera:
        """The camera of a picture of that size: a named view is fitted to it."""
        pose = self._pose
        try:
            if self._view_name is not None:
                self._pose = self._fit(self._view_name, size.width(), size.height()) or pose
            return self.camera(size.width(), size.height())
        finally:
            self._pose = pose

    def _write(self, layout: Layout, camera: Camera, ratio: float) -> None:
        """Let the graphics card write the labels, and lay the legends over them."""
        if self._renderer is None:
            return
        writing = self._writer.place(self.size(), layout, camera)
        self.legend_left = writing.legend_left or float(self.width())
        self._writing = writing
        self._renderer.write(writing.labels, ratio)
        legends = self._legends.of(writing, ratio)
        if legends is not None:
            self._renderer.lay(*legends)

    def _paint_over(self, size: QSize, ratio: float) -> None:
        """Paint what the pointer brings with it, or the line of the empty state."""
        # Not a painter on the widget: it would write elsewhere while a parent takes a picture of itself.
        paper = QOpenGLPaintDevice(size)
        paper.setDevicePixelRatio(ratio)
        with QPainter(paper) as painter:
            if self.source.scene is None:
                draw_line(painter, self.size(), EMPTY, self._themes)
            self.draw_over(painter)

    def _write_with(self, painter: QPainter, room: QSize, layout: Layout | None, camera: Camera) -> None:
        """Write labels and legends with a painter, or the line of the empty state."""
        if layout is None:
            draw_line(painter, room, EMPTY, self._themes)
        else:
            Writer(self._themes).place(room, layout, camera).write(painter, self._themes)

    # Updates

    def _space(self) -> Space:
        """The space of the nodes; without a recording, that of one node."""
        return Space(self.source.mesh or Mesh((1, 1, 1)), self.source.look.cut, self.source.look.explode)

    def _changed(self) -> None:
        super()._changed()
        if self.source.look.explode != self._exploded:
            self._exploded = self.source.look.explode
            self._refit()
            if self._view_name is None and self._mesh is not None:  # turned by hand: fitted from where it is
                self._turn.stop()
                self._pose = self._fit_from(
                    self._pose.azimuth, self._pose.elevation, self.width(), self.height()
                )

    @property
    def shown_layout(self) -> Layout | None:
        """Where the boxes of the current scene lie in space; None without a recording."""
        scene = self.source.scene
        if scene is None:
            return None
        space = self._space()
        if self._layout is None or self._layout.scene is not scene or self._layout.space != space:
            self._layout = Layout(scene, space)
        return self._layout

    def _fit_mesh(self) -> None:
        """Show another mesh in its home view: a 2D mesh from above."""
        self._view_name = "top" if self._mesh is not None and self._mesh.dims == 2 else "home"
        self._refit()

    def _fit(self, name: str, width: int, height: int) -> Pose | None:
        """The pose of a named view in a picture of that size."""
        if self.source.view is None:
            return None
        return self._fit_from(*VIEWS[name], width, height)

    def _fit_from(self, azimuth: float, elevation: float, width: int, height: int) -> Pose:
        """The pose from a side at which the mesh fills a picture of that size."""
        space = self._space()
        margin = self._themes.px(_MARGINS[space.mesh.dims - 2])
        margins = (min(margin / max(width, 1), 0.2), min(margin / max(height, 1), 0.2))
        return fitted(azimuth, elevation, space.size, width / max(height, 1), margins)

    def _refit(self) -> None:
        """Fit the named view again after a change of the size of the widget or the mesh."""
        if self._view_name is not None:
            self.set_camera_view(self._view_name, animated=False)

    def _turned(self, share: float) -> None:
        self._pose = in_between(*self._way, share)
        self._rest.start()
        self.update()

    def _move_to(self, pose: Pose) -> None:
        """Move the camera for the user, and leave the named view."""
        self._turn.stop()
        self._view_name = None
        self._pose = pose
        self._rest.start()
        self.update()
        self.source.camera_moved.emit()

    @property
    def _moving(self) -> bool:
        """Whether the camera moved within the last moment."""
        return self._rest.isActive()

    # The pointer

    def _row_at(self, point: QPointF) -> int | None:
        layout = self.shown_layout
        if layout is None or self.width() < 1 or self.height() < 1:
            return None
        return layout.pick(*self._ray_at(point))

    def _ray_at(self, point: QPointF) -> Ray:
        x, y = 2 * point.x() / max(self.width(), 1) - 1, 1 - 2 * point.y() / max(self.height(), 1)
        return self.camera().ray(x, y)

    def _grip_at(self, point: QPointF) -> Grip | None:
        return None if self.source.mesh is None else grip_at(self._space(), self._ray_at(point))

    def _node_near(self, point: QPointF, grip: Grip) -> Node | None:
        return node_near(self._space(), self._ray_at(point), grip)

    def _sides(self, boxes: NDArray[np.int16], sides: Sequence[Side]) -> list[QPolygonF]:
        size = (float(self.width()), float(self.height()))
        return sides_on_screen(self._space(), self.camera(), size, boxes, sides)

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """The left button turns; right, middle or Shift with left moves."""
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.buttons() & Qt.MouseButton.LeftButton and not shift:
            self.turn(-way.x() * _DEGREES_PER_PIXEL, way.y() * _DEGREES_PER_PIXEL)
        else:
            self._move_to(self._pose.moved(-way.x() / self.height(), way.y() / self.height()))

    def resizeEvent(self, event: QResizeEvent, /) -> None:  # noqa: N802 - Qt's name
        """Keep a named view fitted."""
        self._resizing = True
        self._rest.start()  # a size that changes is motion, too
        super().resizeEvent(event)
        self._resizing = False
        self._refit()

    def showEvent(self, event: QShowEvent, /) -> None:  # noqa: N802 - Qt's name
        """Update what changed while hidden."""
        super().showEvent(event)
        self._changed()

    def hideEvent(self, event: QHideEvent, /) -> None:  # noqa: N802 - Qt's name
        """End a turn at once if the canvas is hidden."""
        if self._turn.state() == QVariantAnimation.State.Running:
            self._turn.stop()
            self._pose = self._way[1]
        super().hideEvent(event)


def _drawing_of_stills() -> Callable[[QImage, QOffscreenSurface, Layout | None, Camera, Theme, float], None]:
    """What draws a picture; PyOpenGL is loaded only where something is drawn in 3D."""
    try:
        from meshgui.views.mesh.solid.still import draw_still  # noqa: PLC0415 - see above
    except ImportError as error:
        raise _no_library(error) from error
    return draw_still


def _renderer_of(context: QOpenGLContext) -> MeshRenderer:
    """A renderer for the current context; PyOpenGL is loaded only where something is drawn in 3D."""
    try:
        from meshgui.views.mesh.solid.renderer import MeshRenderer  # noqa: PLC0415 - see above
    except ImportError as error:
        raise _no_library(error) from error
    return MeshRenderer(context)


def _no_library(error: ImportError) -> DrawingError:
    return DrawingError(tr("PyOpenGL finds no OpenGL library: {error}").format(error=error))
