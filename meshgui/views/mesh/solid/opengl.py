"""Checks whether OpenGL works here, and whether hardware draws it."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

from meshgui.views.style.application import surface_format

__all__ = ["DrawingError", "draws_in_software", "opengl_works"]

_SOFTWARE: Final = ("llvmpipe", "softpipe", "swrast", "swiftshader", "gdi generic")


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
