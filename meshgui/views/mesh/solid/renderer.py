"""Draws a layout with OpenGL 3.3 in one context: instanced boxes, lines and dots."""

from __future__ import annotations

from typing import Final

import numpy as np
import shiboken6
from numpy.typing import NDArray
from OpenGL.raw.GL.VERSION import GL_1_0 as GL
from OpenGL.raw.GL.VERSION.GL_1_3 import GL_MULTISAMPLE
from OpenGL.raw.GL.VERSION.GL_1_4 import GL_FUNC_ADD
from OpenGL.raw.GL.VERSION.GL_3_2 import GL_PROGRAM_POINT_SIZE
from PySide6.QtGui import QMatrix4x4, QOpenGLContext, QOpenGLExtraFunctions, QVector2D, QVector3D
from PySide6.QtOpenGL import (
    QOpenGLBuffer,
    QOpenGLShader,
    QOpenGLShaderProgram,
    QOpenGLVertexArrayObject,
)

from meshgui.engine.basics.arrays import Floats32
from meshgui.engine.basics.translation import tr
from meshgui.resources import resource
from meshgui.views.mesh.scene.builder import free_strength
from meshgui.views.mesh.scene.network.idle_links import (
    CELLS_BEHIND_LINKS,
    idle_apart,
    idle_channels,
    idle_rows,
    idle_strength,
)
from meshgui.views.mesh.scene.network.strokes import Strokes
from meshgui.views.mesh.solid.axes import grid_segments
from meshgui.views.mesh.solid.camera import FROM_ABOVE, Camera
from meshgui.views.mesh.solid.layout import EDGE_ON, Layout
from meshgui.views.mesh.solid.opengl import DrawingError
from meshgui.views.style.theme import Theme

__all__ = ["MeshRenderer"]

_HAZE: Final = 0.22  # how far the farthest faces fade
_FINE: Final = 3.0  # pixels of a node from which the lines between all nodes of a large 2D mesh are drawn;
_FINE_SIDE: Final = 256  # nodes along a side, up to which they always are
_GHOST: Final = 0.22  # the opacity of outlines behind other parts

Uniform = float | QMatrix4x4 | QVector2D | QVector3D


class MeshRenderer:
    """The programs and buffers of one context. Make, draw and release it while that context is current."""

    def __init__(self, context: QOpenGLContext) -> None:
        self._gl = QOpenGLExtraFunctions(context)
        self._gl.initializeOpenGLFunctions()
        corner, quad = _faces(), np.array([[0, -1], [1, -1], [1, 1], [0, -1], [1, 1], [0, 1]], np.float32)
        box, segment, dot, stroke = map(_program, ("box", "segment", "dot", "stroke"))
        self._programs = box, segment, dot, stroke
        self._solid = _Batch(self._gl, box, corner, (3,), (3, 3, 4, 4, 1))
        self._glass = _Batch(self._gl, box, corner, (3,), (3, 3, 4, 4, 1))
        self._grid = _Batch(self._gl, segment, quad, (2,), (3, 3, 4, 1))
        self._lines = _Batch(self._gl, segment, quad, (2,), (3, 3, 4, 1))
        self._dots = _Batch(self._gl, dot, None, (), (3, 4, 1))
        self._free = _Batch(self._gl, dot, None, (), (3, 4, 1))
        self._covers = _Batch(self._gl, box, corner, (3,), (3, 3, 4, 4, 1))
        self._links = _Batch(self._gl, stroke, quad, (2,), (3, 3, 4, 4, 2))
        self._worms = _Batch(self._gl, stroke, quad, (2,), (3, 3, 4, 4, 2))
        solids = self._solid, self._glass, self._grid, self._lines
        self._batches = (*solids, self._covers, self._dots, self._free, self._links, self._worms)
        self._layout: Layout | None = None
        self._solid_rows: Floats32 = np.zeros((0, 15), dtype=np.float32)
        self._solid_order: tuple[float, ...] = ()
        self._glass_rows: Floats32 = np.zeros((0, 15), dtype=np.float32)
        self._free_key: tuple[object, ...] = ()
        self._grid_key: tuple[object, ...] = ()
        self._links_key: tuple[object, ...] = ()

    def show(self, layout: Layout | None) -> None:
        """Upload a layout into the buffers, unless it is the one already there."""
        if layout is self._layout:
            return
        self._layout = layout
        if layout is None:
            return
        self._solid_rows = layout.solids(glass=False)
        self._solid_order = ()
        self._glass_rows = layout.solids(glass=True)
        self._lines.fill(layout.outlines())
        marked = ~layout.scene.unmarked_dots[layout.dots]
        self._dots.fill(_dots(layout, layout.points[marked], layout.dots[marked]))
        self._covers.fill(layout.covers())
        self._worms.fill(_rows(layout.strokes))

    def draw(
        self, camera: Camera, theme: Theme, size: tuple[int, int], pixel: float, *, smooth: bool = True
    ) -> None:
        """Draw into the bound frame buffer, `size` in its pixels, `pixel` of them to one of the design."""
        self._prepare(theme, size)
        if self._layout is not None:
            self._draw_layout(self._layout, camera, theme, size, pixel, smooth=smooth)
        self._gl.glDepthMask(1)
        self._gl.glDisable(GL.GL_DEPTH_TEST)

    def _draw_layout(
        self,
        layout: Layout,
        camera: Camera,
        theme: Theme,
        size: tuple[int, int],
        pixel: float,
        *,
        smooth: bool,
    ) -> None:
        gl = self._gl
        node = size[1] / camera.pose.extent / pixel
        self._update_grid(layout, camera, theme, node)
        values = _uniforms(layout, camera, theme, size, pixel)
        gl.glDepthMask(0)
        self._grid.draw(values)
        gl.glDepthMask(1)
        self._draw_free(layout, camera, values, free_strength(node))
        self._order_solids(camera)
        self._solid.draw(values)
        gl.glDepthMask(0)
        self._dots.draw(values)
        self._draw_links(layout, camera, theme, values, node)
        if len(self._glass_rows):
            middles = (self._glass_rows[:, :3] + self._glass_rows[:, 3:6]) / 2
            order = np.argsort(middles @ camera.back.astype(np.float32))
            self._glass.fill(self._glass_rows[order])
            self._glass.draw(values)
        flat = layout.space.mesh.dims == 2
        self._draw_worms(values, smooth=smooth, in_plane=flat and camera.back[2] > FROM_ABOVE)
        self._lines.draw(values)
        gl.glDisable(GL.GL_DEPTH_TEST)
        self._lines.draw(values, strength=_GHOST)

    def release(self) -> None:
        """Release all programs and buffers."""
        for batch in self._batches:
            batch.release()
        for program in self._programs:
            program.removeAllShaders()
            shiboken6.delete(program)

    def _prepare(self, theme: Theme, size: tuple[int, int]) -> None:
        """Set all OpenGL state that drawing needs: QPainter changes the state of a shared context."""
        gl = self._gl
        gl.glViewport(0, 0, *size)
        gl.glDisable(GL.GL_SCISSOR_TEST)
        gl.glDisable(GL.GL_STENCIL_TEST)
        gl.glEnable(GL_MULTISAMPLE)
        gl.glColorMask(1, 1, 1, 1)
        gl.glDepthMask(1)
        gl.glClearColor(*theme.rgba("mesh_background", 1.0))
        gl.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
        gl.glEnable(GL.GL_DEPTH_TEST)
        gl.glDepthFunc(GL.GL_LESS)
        gl.glDisable(GL.GL_CULL_FACE)
        gl.glEnable(GL.GL_BLEND)
        gl.glBlendEquation(GL_FUNC_ADD)
        # The picture stays opaque: alpha is what is under it, not what is drawn over it.
        gl.glBlendFuncSeparate(
            GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA
        )
        gl.glEnable(GL_PROGRAM_POINT_SIZE)

    def _draw_free(self, layout: Layout, camera: Camera, values: dict[str, Uniform], strength: float) -> None:
        """Draw free nodes where no job is in the picture: before or behind one they seem inside it."""
        if strength == 0.0:  # a million points that none sees take a second where the processor draws
            return
        gl = self._gl
        key = (layout, _sides(camera))
        if key != self._free_key:
            self._free_key = key
            self._free.fill(_dots(layout, *layout.free_points(camera.back)))
        gl.glColorMask(0, 0, 0, 0)
        self._covers.draw(values)
        gl.glColorMask(1, 1, 1, 1)
        gl.glDepthMask(0)
        gl.glDepthFunc(GL.GL_LEQUAL)
        self._free.draw({**values, "farthest": 1.0}, strength)
        gl.glDepthFunc(GL.GL_LESS)
        gl.glDepthMask(1)
        gl.glClear(GL.GL_DEPTH_BUFFER_BIT)

    def _order_solids(self, camera: Camera) -> None:
        """Sort boxes from near to far, so that hidden pixels are not shaded; valid for one octant."""
        towards = np.sign(camera.back)
        order = tuple(towards.tolist())
        if order != self._solid_order:
            self._solid_order = order
            depths = (self._solid_rows[:, :3] + self._solid_rows[:, 3:6]) @ towards.astype(np.float32)
            self._solid.fill(self._solid_rows[np.argsort(-depths)])

    def _draw_worms(self, values: dict[str, Uniform], *, smooth: bool, in_plane: bool) -> None:
        """The strokes twice: first what is solid and hides what lies behind it, then with soft rims.

        All in one plane they need no depth: they come in the order in which they lie over each other.
        """
        if in_plane:
            self._gl.glDisable(GL.GL_DEPTH_TEST)
            self._worms.draw(values)
            self._gl.glEnable(GL.GL_DEPTH_TEST)
            return
        self._gl.glDepthMask(1)
        self._worms.draw(values, core=1.0 if smooth else 0.5)
        self._gl.glDepthMask(0)
        if smooth:
            self._worms.draw(values)

    def _draw_links(
        self, layout: Layout, camera: Camera, theme: Theme, values: dict[str, Uniform], node: float
    ) -> None:
        """Draw the idle links, if a node has enough pixels; they do not change between cycles."""
        space = layout.space
        network = layout.scene.network
        if network is None:
            return
        strength = idle_strength(space.mesh, node, space.shown, beside_use=network.use is not None)
        if strength == 0.0:
            return
        apart = idle_apart(space.mesh, node)
        key = (space, theme, apart, _sides(camera))
        if key != self._links_key:
            self._links_key = key
            mesh = space.mesh
            idle = idle_channels(mesh, theme) if apart else idle_rows(mesh, theme, space.shown)
            self._links.fill(_rows(space.stretched(space.in_the_open(idle, camera.back))))
        self._links.draw(values, strength)

    def _update_grid(self, layout: Layout, camera: Camera, theme: Theme, node: float) -> None:
        """Upload the grid again if other faces are at the back, or others of its lines stand apart."""
        crossed = layout.space.mesh.dims == 2 and layout.scene.network is not None
        fine = node >= _FINE or max(layout.space.mesh.extents) <= _FINE_SIDE
        key = (layout.space, _sides(camera), theme, crossed, fine)
        if key != self._grid_key:
            self._grid_key = key
            colour = theme.rgba("mesh_grid", CELLS_BEHIND_LINKS if crossed else 1.0)
            self._grid.fill(grid_segments(layout.space, camera, colour, fine=fine))


def _sides(camera: Camera) -> tuple[float, ...]:
    """From which side of each axis the camera looks; 0 where it looks across."""
    return tuple(np.sign(np.where(np.abs(camera.back) < EDGE_ON, 0.0, camera.back)).tolist())


def _dots(layout: Layout, places: Floats32, rows: NDArray[np.intp]) -> Floats32:
    """Dots of the scene as rows for their shader."""
    parts = (places, layout.scene.dot_colours[rows], layout.scene.dot_sizes[rows, None])
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _rows(strokes: Strokes) -> Floats32:
    """The strokes as rows for their shader."""
    return np.concatenate((strokes.starts, strokes.ends, strokes.colours, strokes.looks), axis=1)


def _depths(layout: Layout, camera: Camera) -> QVector2D:
    """The least and the greatest distance of the mesh from the camera."""
    corners = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * np.array(layout.space.size)
    depths = camera.project(corners)[:, 2]
    return QVector2D(float(depths.min()), float(depths.max()))


def _uniforms(
    layout: Layout, camera: Camera, theme: Theme, size: tuple[int, int], pixel: float
) -> dict[str, Uniform]:
    """The uniforms of all shaders by their names."""
    light = camera.back + 0.35 * camera.right + 0.55 * camera.up
    return {
        "matrix": QMatrix4x4(*camera.matrix.ravel().tolist()),
        "light": QVector3D(*(light / np.linalg.norm(light)).tolist()),
        "eye": QVector3D(*camera.eye.tolist()),
        "depths": _depths(layout, camera),  # where the haze begins and ends
        "ground": QVector3D(*theme.rgb("mesh_background")),
        "viewport": QVector2D(*size),
        "pixel": pixel,
        "least": 1.5 * pixel,
        "farthest": 0.0,
        "haze": 0.0 if layout.space.mesh.dims == 2 else _HAZE,
        "size": size[1] * camera.distance / camera.pose.extent,  # of a node at distance 1, in pixels
    }


class _Batch:
    """A shape that a program repeats and a buffer of instances; without a shape, a buffer of points."""

    def __init__(
        self,
        gl: QOpenGLExtraFunctions,
        program: QOpenGLShaderProgram,
        shape: Floats32 | None,
        shape_parts: tuple[int, ...],
        parts: tuple[int, ...],
    ) -> None:
        self._gl = gl
        self._program = program
        self._corners = 0 if shape is None else len(shape)
        self._count = 0
        self._array = QOpenGLVertexArrayObject()
        self._array.create()
        self._array.bind()
        self._shape = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer)
        location = 0
        if shape is not None:
            self._shape.create()
            self._shape.bind()
            self._shape.allocate(shape.tobytes(), shape.nbytes)
            location = self._describe(location, shape_parts, divisor=0)
        self._instances = QOpenGLBuffer(QOpenGLBuffer.Type.VertexBuffer)
        self._instances.setUsagePattern(QOpenGLBuffer.UsagePattern.DynamicDraw)
        self._instances.create()
        self._instances.bind()
        self._describe(location, parts, divisor=0 if shape is None else 1)
        self._array.release()

    def _describe(self, location: int, parts: tuple[int, ...], *, divisor: int) -> int:
        """Describe a buffer's rows to the program; returns the next free location."""
        offset = 0
        self._program.bind()
        for part in parts:
            self._program.enableAttributeArray(location)
            self._program.setAttributeBuffer(location, GL.GL_FLOAT, offset, part, 4 * sum(parts))
            self._gl.glVertexAttribDivisor(location, divisor)
            offset += 4 * part
            location += 1
        return location

    def fill(self, rows: Floats32) -> None:
        """Upload new instances."""
        self._count = len(rows)
        self._instances.bind()
        self._instances.allocate(rows.tobytes(), rows.nbytes)
        self._instances.release()

    def draw(self, values: dict[str, Uniform], strength: float = 1.0, core: float = 0.0) -> None:
        """Draw all instances; the program, which others share, skips the values that it does not use."""
        if not self._count:
            return
        self._program.bind()
        for name, value in {**values, "strength": strength, "core": core}.items():
            location = self._program.uniformLocation(name)
            if isinstance(value, float):
                self._program.setUniformValue1f(location, value)
            else:
                self._program.setUniformValue(location, value)
        self._array.bind()
        if self._corners:
            self._gl.glDrawArraysInstanced(GL.GL_TRIANGLES, 0, self._corners, self._count)
        else:
            self._gl.glDrawArrays(GL.GL_POINTS, 0, self._count)
        self._array.release()
        self._program.release()

    def release(self) -> None:
        """Release the buffers."""
        self._array.destroy()
        self._shape.destroy()
        self._instances.destroy()


def _program(name: str) -> QOpenGLShaderProgram:
    """A program from the two shader files of that name."""
    folder = resource("shaders")
    program = QOpenGLShaderProgram()
    for ending, kind in (
        ("vert", QOpenGLShader.ShaderTypeBit.Vertex),
        ("frag", QOpenGLShader.ShaderTypeBit.Fragment),
    ):
        source = (folder / f"{name}.{ending}").read_text("utf-8")
        if not program.addShaderFromSourceCode(kind, source):
            raise DrawingError(
                tr("the shader {name}.{ending} does not compile: {log}").format(
                    name=name, ending=ending, log=program.log()
                )
            )
    if not program.link():
        raise DrawingError(tr("the shaders {name} do not link: {log}").format(name=name, log=program.log()))
    return program


def _faces() -> Floats32:
    """The corners of three faces, one across each axis, as two triangles each."""
    quad = [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)]
    return np.array([(u, v, axis) for axis in range(3) for u, v in quad], dtype=np.float32)
