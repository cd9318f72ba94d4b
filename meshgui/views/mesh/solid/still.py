"""Draws one picture of a layout into an image, with a context of its own, in any thread.

What takes long are calls of OpenGL by `ctypes`, which let go of the interpreter; Qt's own do not.
"""

from __future__ import annotations

from ctypes import c_void_p
from typing import Final

import numpy as np
from numpy.typing import NDArray
from OpenGL.error import Error
from OpenGL.raw.GL.VERSION import GL_1_0 as GL
from OpenGL.raw.GL.VERSION import GL_1_1, GL_1_2, GL_3_0
from PySide6.QtGui import QImage, QOffscreenSurface, QOpenGLContext

from meshgui.engine.basics.translation import tr
from meshgui.model.scene.camera import Camera
from meshgui.model.scene.solid_layout import Layout
from meshgui.views.mesh.solid.opengl import SAMPLES, DrawingError
from meshgui.views.mesh.solid.renderer import MeshRenderer
from meshgui.views.style.application import surface_format
from meshgui.views.style.theme_colours import Theme

_BAND: Final = 256  # rows that are read at a time
_OPAQUE: Final = np.uint32(0xFF000000)


def draw_still(
    image: QImage,
    surface: QOffscreenSurface,
    layout: Layout | None,
    camera: Camera,
    theme: Theme,
    pixel: float,
) -> None:
    """Fill an image of 32 bits; `pixel` of its pixels are one of the design.

    The surface comes from the window's thread, as some systems want; the context must not.
    """
    context = QOpenGLContext()
    context.setFormat(surface_format())
    if not context.create() or not context.makeCurrent(surface):
        raise DrawingError(tr("no OpenGL context can be made for the picture"))
    size = (image.width(), image.height())
    try:
        paper = _Paper(size)
        try:
            renderer = MeshRenderer(context)
            renderer.show(layout)
            renderer.draw(camera, theme, size, pixel)
            paper.read(_rows_of(image))
            renderer.release()
        finally:
            paper.release()
    except Error as error:
        raise _no_room(size) from error
    finally:
        context.doneCurrent()


def _no_room(size: tuple[int, int]) -> DrawingError:
    return DrawingError(
        tr("OpenGL has no room for {width}×{height} pixels here").format(width=size[0], height=size[1])
    )


def _rows_of(image: QImage) -> NDArray[np.uint32]:
    """The memory of an image, which has to outlive it."""
    return np.frombuffer(image.bits(), dtype=np.uint32).reshape(image.height(), image.width())


class _Paper:
    """A frame buffer with several samples a pixel, and one without, to read from."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._frames, self._stores = np.zeros(2, np.uint32), np.zeros(3, np.uint32)
        GL_3_0.glGenFramebuffers(2, self._frames)
        GL_3_0.glGenRenderbuffers(3, self._stores)
        most = np.zeros(1, np.int32)
        GL.glGetIntegerv(GL_3_0.GL_MAX_SAMPLES, most)
        smooth = min(SAMPLES, int(most[0]))
        try:
            self._furnish(1, GL_3_0.GL_COLOR_ATTACHMENT0, 2, GL_1_1.GL_RGBA8, 0)
            self._check()
            self._furnish(0, GL_3_0.GL_COLOR_ATTACHMENT0, 0, GL_1_1.GL_RGBA8, smooth)
            self._furnish(0, GL_3_0.GL_DEPTH_STENCIL_ATTACHMENT, 1, GL_3_0.GL_DEPTH24_STENCIL8, smooth)
            self._check()
        except (Error, DrawingError):
            self.release()
            raise

    def _furnish(self, frame: int, place: int, store: int, form: int, samples: int) -> None:
        GL_3_0.glBindFramebuffer(GL_3_0.GL_FRAMEBUFFER, self._frames[frame])
        GL_3_0.glBindRenderbuffer(GL_3_0.GL_RENDERBUFFER, self._stores[store])
        GL_3_0.glRenderbufferStorageMultisample(GL_3_0.GL_RENDERBUFFER, samples, form, *self._size)
        GL_3_0.glFramebufferRenderbuffer(
            GL_3_0.GL_FRAMEBUFFER, place, GL_3_0.GL_RENDERBUFFER, self._stores[store]
        )

    def _check(self) -> None:
        if GL_3_0.glCheckFramebufferStatus(GL_3_0.GL_FRAMEBUFFER) != GL_3_0.GL_FRAMEBUFFER_COMPLETE:
            raise _no_room(self._size)

    def read(self, rows: NDArray[np.uint32]) -> None:
        """What has been drawn, rows from the top."""
        width, height = self._size
        GL_3_0.glBindFramebuffer(GL_3_0.GL_READ_FRAMEBUFFER, self._frames[0])
        GL_3_0.glBindFramebuffer(GL_3_0.GL_DRAW_FRAMEBUFFER, self._frames[1])
        whole = 0, 0, width, height
        GL_3_0.glBlitFramebuffer(*whole, *whole, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL_3_0.glBindFramebuffer(GL_3_0.GL_FRAMEBUFFER, self._frames[1])
        band = np.empty((_BAND, width), np.uint32)
        pixels = GL_1_2.GL_BGRA, GL_1_2.GL_UNSIGNED_INT_8_8_8_8_REV
        for top in range(0, height, _BAND):
            count = min(_BAND, height - top)
            GL.glReadPixels(0, height - top - count, width, count, *pixels, c_void_p(band.ctypes.data))
            np.bitwise_or(band[:count][::-1], _OPAQUE, out=rows[top : top + count])

    def release(self) -> None:
        """Let go of the memory."""
        GL_3_0.glDeleteFramebuffers(2, self._frames)
        GL_3_0.glDeleteRenderbuffers(3, self._stores)
