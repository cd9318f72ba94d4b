"""What a painter draws on."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QPaintEngine, QPainter

_IN_LINES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether a painter draws shapes, not pixels."""
    return painter.paintEngine().type() in _IN_LINES
