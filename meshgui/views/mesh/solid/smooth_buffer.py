"""A multisampled frame buffer, for smooth edges."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat

__all__ = ["SmoothBuffer", "smooth_buffer"]

_SAMPLES: Final = 4


def smooth_buffer(size: QSize) -> QOpenGLFramebufferObject:
    """A buffer of that size with depth and several samples, if the driver has them."""
    attachment = QOpenGLFramebufferObjectFormat()
    attachment.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
    attachment.setSamples(_SAMPLES)
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
