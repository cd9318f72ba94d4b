"""Draws a layout with OpenGL 3.3 in one context: instanced boxes, lines and dots."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

import numpy as np
from numpy.typing import NDArray
from OpenGL.raw.GL.VERSION import GL_1_0 as GL
from OpenGL.raw.GL.VERSION.GL_1_3 import GL_MULTISAMPLE, GL_TEXTURE0
from OpenGL.raw.GL.VERSION.GL_1_4 import GL_FUNC_ADD
from OpenGL.raw.GL.VERSION.GL_3_2 import GL_PROGRAM_POINT_SIZE
from PySide6.QtCore import QPoint
from PySide6.QtGui import (
    QImage,
    QMatrix4x4,
    QOpenGLContext,
    QOpenGLExtraFunctions,
    QVector2D,
    QVector3D,
)

from meshgui.engine.basics.arrays import Floats32
from meshgui.model.scene.camera import FROM_ABOVE, Camera
from meshgui.model.scene.hatching import FINE, PEN, STRENGTH, WIDE
from meshgui.model.scene.idle_links import (
    CELLS_BEHIND_LINKS,
    idle_apart,
    idle_links,
    idle_strength,
    seam_signs,
)
from meshgui.model.scene.light import AMBIENT, KEY, Light
from meshgui.model.scene.mesh_scene import free_strength
from meshgui.model.scene.solid_layout import BOX_PARTS, Layout
from meshgui.model.scene.space import EDGE_ON
from meshgui.model.scene.strokes import Strokes
from meshgui.views.mesh.solid.axes import grid_segments
from meshgui.views.mesh.solid.batches import Batch, Driver, DriverClock, Program, Sheet, Uniform
from meshgui.views.mesh.solid.glyphs import GlyphSheet
from meshgui.views.style.lettering import Labels
from meshgui.views.style.theme_colours import Theme

_FINE: Final = 3.0  # pixels of a node from which the lines between all nodes of a large 2D mesh are drawn;
_FINE_SIDE: Final = 256  # nodes along a side, up to which they always are
_GHOST: Final = 0.22  # the opacity of outlines behind other parts

Values = dict[str, Uniform]


class MeshRenderer:
    """The programs and buffers of one context. Make, draw and release it while that context is current."""

    def __init__(self, context: QOpenGLContext) -> None:
        self._gl = QOpenGLExtraFunctions(context)
        self._gl.initializeOpenGLFunctions()
        self._driver = driver = Driver(self._gl)
        corner, quad = _faces(), np.array([[0, -1], [1, -1], [1, 1], [0, -1], [1, 1], [0, 1]], np.float32)
        names = ("box", "segment", "dot", "stroke", "sprite")
        self._programs = box, segment, dot, stroke, sprite = tuple(map(Program, names))
        self._solid = Batch(driver, box, corner, (3,), BOX_PARTS)
        self._glass = Batch(driver, box, corner, (3,), BOX_PARTS)
        self._grid = Batch(driver, segment, quad, (2,), (3, 3, 4, 1))
        self._lines = Batch(driver, segment, quad, (2,), (3, 3, 4, 1))
        self._dots = Batch(driver, dot, None, (), (3, 4, 1))
        self._free = Batch(driver, dot, None, (), (3, 4, 1))
        self._covers = Batch(driver, box, corner, (3,), BOX_PARTS)
        self._links = Batch(driver, stroke, quad, (2,), (3, 3, 4, 4, 2))
        self._seams = Batch(driver, stroke, quad, (2,), (3, 3, 4, 4, 2))
        self._worms = Batch(driver, stroke, quad, (2,), (3, 3, 4, 4, 2))
        self._letters, self._picture = Sheet(driver, sprite), Sheet(driver, sprite)
        solids = self._solid, self._glass, self._grid, self._lines, self._letters, self._picture
        self._batches = (*solids, self._covers, self._dots, self._free, self._links, self._seams, self._worms)
        self._glyphs = GlyphSheet(1.0)
        self._uploaded: NDArray[np.uint8] | None = None
        self._shown: QImage | None = None
        self._flat: Values = {}
        self._layout: Layout | None = None
        self._solid_rows: Floats32 = np.zeros((0, sum(BOX_PARTS)), dtype=np.float32)
        self._solid_order: tuple[float, ...] = ()
        self._glass_rows: Floats32 = np.zeros((0, sum(BOX_PARTS)), dtype=np.float32)
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
        self._flat = {"viewport": QVector2D(*size)}
        self._prepare(theme, size)
        if self._layout is not None:
            self._draw_layout(self._layout, camera, theme, size, pixel, smooth=smooth)
        self._gl.glDepthMask(1)
        self._gl.glDisable(GL.GL_DEPTH_TEST)

    def write(self, labels: Labels, ratio: float) -> None:
        """Write labels over what was drawn; `ratio` of its pixels are one of their places."""
        if ratio != self._glyphs.ratio:
            self._glyphs = GlyphSheet(ratio)
        parts = self._glyphs.parts(labels)
        if self._uploaded is not self._glyphs.cover:
            self._uploaded = self._glyphs.cover
            self._letters.show_letters(self._uploaded)
        self._letters.draw(self._flat, parts)

    def lay(self, picture: QImage, at: QPoint) -> None:
        """Lay a picture over what was drawn, pixel for pixel; it is uploaded once."""
        if picture is not self._shown:
            self._shown = picture
            self._picture.show_picture(picture)
        size = (picture.width(), picture.height())
        self._picture.draw(self._flat, np.array([[*at.toTuple(), 0, 0, *size, 1, 1, 1, 1]], dtype=np.float32))

    @property
    def clock(self) -> AbstractContextManager[None]:
        """What runs while OpenGL works."""
        return self._driver.clock

    def time_driver(self) -> DriverClock:
        """Measure the processor time that OpenGL takes from now on."""
        self._driver.clock = clock = DriverClock()
        return clock

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
        self._grid.draw(values, strength=1.0)
        gl.glDepthMask(1)
        self._draw_free(layout, camera, values, free_strength(node))
        self._order_solids(camera)
        self._solid.draw(values)
        gl.glDepthMask(0)
        self._dots.draw(values, strength=1.0, farthest=0.0)
        self._draw_links(layout, camera, theme, values, node)
        if len(self._glass_rows):
            middles = (self._glass_rows[:, :3] + self._glass_rows[:, 3:6]) / 2
            order = np.argsort(middles @ camera.back.astype(np.float32))
            self._glass.fill(self._glass_rows[order])
            self._glass.draw(values)
        flat = layout.space.mesh.dims == 2
        self._draw_worms(values, smooth=smooth, in_plane=flat and camera.back[2] > FROM_ABOVE)
        self._lines.draw(values, strength=1.0)
        gl.glDisable(GL.GL_DEPTH_TEST)
        self._lines.draw(values, strength=_GHOST)

    def release(self) -> None:
        """Release all programs and buffers."""
        for batch in self._batches:
            batch.release()
        for program in self._programs:
            program.release()

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
        gl.glActiveTexture(GL_TEXTURE0)

    def _draw_free(self, layout: Layout, camera: Camera, values: Values, strength: float) -> None:
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
        self._free.draw(values, strength=strength, farthest=1.0)
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

    def _draw_worms(self, values: Values, *, smooth: bool, in_plane: bool) -> None:
        """The strokes twice: first what is solid and hides what lies behind it, then with soft rims.

        All in one plane they need no depth: they come in the order in which they lie over each other.
        """
        if in_plane:
            self._gl.glDisable(GL.GL_DEPTH_TEST)
            self._worms.draw(values, strength=1.0, core=0.0)
            self._gl.glEnable(GL.GL_DEPTH_TEST)
            return
        self._gl.glDepthMask(1)
        self._worms.draw(values, strength=1.0, core=1.0 if smooth else 0.5)
        self._gl.glDepthMask(0)
        if smooth:
            self._worms.draw(values, strength=1.0, core=0.0)

    def _draw_links(self, layout: Layout, camera: Camera, theme: Theme, values: Values, node: float) -> None:
        """Draw the idle links, if a node has enough pixels; they do not change between cycles."""
        space, mesh = layout.space, layout.space.mesh
        network = layout.scene.network
        strength, of = 0.0, 1
        if network is not None:
            of = network.channels
            strength = idle_strength(mesh, node, space.shown, beside_use=network.use is not None)
        if strength == 0.0 and not any(mesh.rings):
            return
        apart = idle_apart(mesh, node, of)
        key = (space, theme, apart, of, _sides(camera))
        if key != self._links_key:
            self._links_key = key

            def seen(drawn: Strokes) -> Strokes:
                return space.in_the_open(drawn, camera.back)

            self._links.fill(
                _rows(space.stretched(seen(idle_links(mesh, theme, space.shown, of=of, apart=apart))))
            )
            self._seams.fill(_rows(space.stretched(seam_signs(mesh, theme, space.shown, seen))))
        if strength:
            self._links.draw(values, strength=strength, core=0.0)
        self._seams.draw(values, strength=1.0, core=0.0)

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


def _uniforms(layout: Layout, camera: Camera, theme: Theme, size: tuple[int, int], pixel: float) -> Values:
    """The uniforms of all shaders by their names."""
    light = Light(camera, layout.space)
    return {
        "matrix": QMatrix4x4(*camera.matrix.ravel().tolist()),
        "light": QVector3D(*light.direction.tolist()),
        "ambient": AMBIENT,
        "key": KEY,
        "eye": QVector3D(*camera.eye.tolist()),
        "depths": QVector2D(*light.depths),
        "ground": QVector3D(*theme.rgb("mesh_background")),
        "viewport": QVector2D(*size),
        "pixel": pixel,
        "least": 1.5 * pixel,
        "haze": light.haze,
        "reach": (PEN * pixel + 1.0) / 2.0,  # of a line, with half a pixel that it covers in part
        "strength": STRENGTH,
        "fine": QVector2D(*FINE),
        "wide": QVector2D(*WIDE),
        "size": size[1] * camera.distance / camera.pose.extent,  # of a node at distance 1, in pixels
    }


def _faces() -> Floats32:
    """The corners of three faces, one across each axis, as two triangles each."""
    quad = [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)]
    return np.array([(u, v, axis) for axis in range(3) for u, v in quad], dtype=np.float32)
