"""Whether OpenGL works here and in hardware, and a frame buffer with several samples for smooth edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

from meshgui.engine.basics.translation import tr
from meshgui.views.style.application import surface_format

SAMPLES: Final = 4
"""Samples of a pixel, if the driver has them."""

_SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "swiftshader", tr("gdi generic"))


class DrawingError(Exception):
    """The graphics driver refuses what the 3D view needs."""


def opengl_works() -> bool:
    """Whether a context of that version can be created and used here.

    If the program has a shared context, it is the one tested: creating another takes time.
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


def draws_in_software(context: QOpenGLContext) -> bool:
    """Whether the current context has no graphics hardware behind it."""
    from OpenGL.raw.GL.VERSION.GL_1_0 import GL_RENDERER  # noqa: PLC0415 - see MeshGL.initializeGL

    name = str(context.functions().glGetString(GL_RENDERER)).lower()
    return any(known in name for known in _SOFTWARE)


def release_before(context: QOpenGLContext, *releases: Callable[[], None]) -> None:
    """Call these with a context current right before it is destroyed.

    They must not be slots of the widget of that context: where it ends with the widget these are not called
    any more. What is left then makes the context current by itself, on a surface that it deletes at once,
    and some drivers make no context current after that.
    """
    surface = QOffscreenSurface(context.screen(), context)  # its owner: Python would delete it first
    surface.setFormat(context.format())
    surface.create()

    def release() -> None:
        if context.makeCurrent(surface):
            for one in releases:
                one()
            context.doneCurrent()

    context.aboutToBeDestroyed.connect(release)


def smooth_buffer(size: QSize) -> QOpenGLFramebufferObject:
    """A buffer of that size with depth and several samples, if the driver has them."""
    attachment = QOpenGLFramebufferObjectFormat()
    attachment.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    attachment.setSamples(SAMPLES)
    return QOpenGLFramebufferObject(size, attachment)


class SmoothBuffer:
    """A multisampled buffer of the size last requested, to draw into and to copy onto the screen."""

    def __init__(self) -> None:
        self._buffer: QOpenGLFramebufferObject | None = None

    def begin(self, size: QSize) -> None:
        """Bind the buffer, so that everything is drawn into it."""
        if self._buffer is None or self._buffer.size() != size:
            self._buffer = smooth_buffer(size)
        self._buffer.bind()

    def end(self) -> None:
        """Copy the buffer into the frame buffer of the widget."""
        if self._buffer is not None:
            QOpenGLFramebufferObject.blitFramebuffer(None, self._buffer)  # type: ignore[call-overload] # None is the default buffer
            QOpenGLFramebufferObject.bindDefault()

    def release(self) -> None:
        """Release the buffers."""
        self._buffer = None
