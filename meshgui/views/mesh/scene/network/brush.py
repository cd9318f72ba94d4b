"""Draws strokes with a painter: on the flat canvas, and in pictures of lines."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from meshgui.model.scene.strokes import Look, Strokes

_SPECK: Final = 0.01  # pixels: a line of length 0 would not be drawn
_RIM: Final = 6.0  # pixels: a smaller ring keeps the rim of one of that radius


class StrokeBrush:
    """Draws strokes given in pixels, all those of one look and colour together."""

    def __init__(self, painter: QPainter, drawn: Strokes, cell: float, scale: float) -> None:
        self._painter, self._drawn, self._cell, self._scale = painter, drawn, cell, scale

    def draw(self) -> None:
        """Draw them, lower levels first."""
        drawn = self._drawn
        if not drawn:
            return
        # The level first, so that sorting by kind is sorting by level.
        kinds = np.concatenate(
            (drawn.looks[:, 4:5], drawn.looks[:, :4], drawn.looks[:, 5:], drawn.colours), 1
        )
        kinds, which = np.unique(kinds, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(which.ravel()))[:-1])
        for kind, rows in zip(kinds.tolist(), groups, strict=True):
            level, width, least, taper, hole, fades, *colour = kind
            self._draw_kind(Look(width, least, taper, hole, level, fades), colour, rows)

    def _draw_kind(self, look: Look, colour: list[float], rows: NDArray[np.intp]) -> None:
        wanted, least = look.width * self._cell, look.least * self._scale
        if look.fades:
            colour[3] *= float(np.clip(2.0 * wanted / least - 0.7, 0.0, 1.0))
        if colour[3] <= 0:
            return
        width, tint = max(wanted, least), QColor.fromRgbF(*colour)
        starts, ends = self._drawn.starts[rows].tolist(), self._drawn.ends[rows].tolist()
        painter = self._painter
        if look.taper:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(tint)
            for start, end in zip(starts, ends, strict=True):
                painter.drawPolygon(_arrow(start, end, width))
        elif look.hole:
            rim = (1.0 - look.hole) * max(width / 2, _RIM * self._scale)
            painter.setPen(QPen(tint, rim))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius = (width - rim) / 2
            for x, y in starts:
                painter.drawEllipse(QPointF(x, y), radius, radius)
        else:
            painter.setPen(QPen(tint, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLines(
                [QLineF(x, y, u + _SPECK, v) for (x, y), (u, v) in zip(starts, ends, strict=True)]
            )


def _arrow(start: list[float], end: list[float], width: float) -> QPolygonF:
    """A triangle from its base to its point; it keeps its form if it is small or seen from the front."""
    from_, to = np.array(start), np.array(end)
    way = to - from_
    reach = float(np.hypot(*way))
    along = way / reach if reach > 1e-3 else np.array([0.0, -1.0])
    more = along * max(0.475 * width - reach / 2, 0.0)
    from_, to = from_ - more, to + more
    side = np.array([-along[1], along[0]]) * width / 2
    return QPolygonF([QPointF(*p) for p in ((from_ + side).tolist(), (from_ - side).tolist(), to.tolist())])
