"""Draws the hatching of jobs with a painter: a texture where there are pixels, else lines."""

from __future__ import annotations

from functools import lru_cache
from math import floor

import numpy as np
from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QTransform

from meshgui.engine.basics.arrays import Floats
from meshgui.model.scene.hatching import PATTERNS, PEN, Lines, pitch_of, strokes, tiles
from meshgui.views.style.paper import is_vector


def draw_hatch(
    painter: QPainter, rect: QRectF, pattern: int, line: QColor, scale: float, corner: float = 0.0
) -> None:
    """Draw a pattern over a rectangle, perhaps with round corners, if it is large enough to be read.

    The painter has no pen; its brush is another one afterwards.
    """
    pitch = pitch_of(min(rect.width(), rect.height()) / scale) * scale
    if not pitch or not pattern:
        return
    if is_vector(painter):
        inside = rect.marginsRemoved(QMarginsF(*4 * (0.3 * corner,)))
        ends = (inside.topLeft(), inside.topRight(), inside.bottomRight(), inside.bottomLeft())
        around = np.array([(end.x(), end.y()) for end in ends])
        draw_lines(painter, around, rect.center(), PATTERNS[pattern], line, scale, pitch)
        return
    across = painter.deviceTransform().m11()
    texture = _texture(pattern, line.rgba(), pitch, PEN * scale, abs(across), is_mirrored=across < 0)
    painter.setBrush(texture)
    painter.setBrushOrigin(floor(rect.center().x()), floor(rect.center().y()))
    if corner:
        painter.drawRoundedRect(rect, corner, corner)
    else:
        painter.drawRect(rect)


def draw_lines(
    painter: QPainter,
    corners: Floats,
    middle: QPointF,
    lines: Lines,
    line: QColor,
    scale: float,
    pitch: float,
) -> None:
    """Draw the lines of a pattern over a convex area, with one of each of its families in the middle."""
    path = QPainterPath()
    for x, y, u, v in strokes(lines, corners, (middle.x(), middle.y()), pitch).tolist():
        path.moveTo(x, y)
        path.lineTo(u, v)
    painter.strokePath(path, QPen(line, PEN * scale, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))


@lru_cache(maxsize=1024)  # of the patterns and colours of a few sizes
def _texture(
    pattern: int, line: int, pitch: float, pen: float, across: float, *, is_mirrored: bool
) -> QBrush:
    """A pattern in a colour, in pixels of which `across` are one of the painter's."""
    side = max(round(pitch * across), 1)
    tile = tiles(side, round(pen * across))[pattern, :, :: -1 if is_mirrored else 1]
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    for y, x in np.argwhere(tile).tolist():
        image.setPixel(x, y, line)
    brush = QBrush(image)
    brush.setTransform(QTransform.fromScale(pitch / side, pitch / side))
    return brush
