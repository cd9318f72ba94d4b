"""Draws the legend of an attempt in the margin above the mesh, for both canvases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from meshgui.views.mesh.scene.marks import CROSSED, DASHED, LegendEntry
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.theme import ThemeManager
from meshgui.views.widgets.flow import in_rows

__all__ = ["draw_legend"]

_SAMPLE: Final = 11  # pixels of a sample's side


def draw_legend(
    painter: QPainter,
    room: QSize,
    entries: tuple[LegendEntry, ...],
    themes: ThemeManager,
    letters: Sequence[QPointF],
) -> float:
    """Draw a sample and a word for each entry, in as few rows as the width allows; returns where it begins.

    The rows end before the axis whose letter, one of those at these places, stands in the upper left. Several
    rows would lie over the mesh: they stand beside it, behind the rightmost letter, where they have the room.
    """
    if not entries:
        return room.width()
    px, theme = themes.px, themes.theme
    painter.setFont(themes.text("caption"))
    metrics = QFontMetricsF(painter.font())
    side, pad, gap, line = px(_SAMPLE), px(8), px(14), metrics.height() + px(3)
    widths = [side + px(5) + metrics.horizontalAdvance(entry.words) for entry in entries]
    taken = max((at.x() for at in letters if at.y() < 2 * line and at.x() < room.width() / 2), default=0.0)
    around = 2 * px(8) + 2 * pad
    places = in_rows(widths, room.width() - taken - around, gap)
    beside = room.width() - max((at.x() + px(8) for at in letters), default=0.0) - around
    if places[-1][0] > 0 and letters and beside >= max(widths):
        places = in_rows(widths, beside, gap)
    wide = max(x + width for (_, x), width in zip(places, widths, strict=True))
    high = (places[-1][0] + 1) * line
    frame = QRectF(room.width() - px(8) - wide - 2 * pad, px(4), wide + 2 * pad, high + px(4))
    draw_frame(painter, frame, themes, 0.94)
    for entry, (row, x) in zip(entries, places, strict=True):
        left, top = frame.left() + pad + x, frame.top() + px(2) + row * line
        sample = QRectF(left, top + (metrics.height() - side) / 2, side, side)
        _draw_sample(painter, sample, entry, themes)
        painter.setPen(theme.colour("text"))
        painter.drawText(QPointF(left + side + px(5), top + metrics.ascent()), entry.words)
    return frame.left()


def _draw_sample(painter: QPainter, rect: QRectF, entry: LegendEntry, themes: ThemeManager) -> None:
    """Draw a box as it is in the mesh, or a dot."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor.fromRgbF(*entry.fill))
    if entry.width:
        width = entry.width * themes.scale * 0.7
        pen = QPen(QColor.fromRgbF(*entry.edge), width, j=Qt.PenJoinStyle.MiterJoin)
        inside = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        if entry.role in DASHED:
            pen.setDashPattern([2.0, 1.5])
        painter.setPen(pen)
        painter.drawRect(inside)
        if entry.role in CROSSED:
            painter.drawLine(inside.topLeft(), inside.bottomRight())
            painter.drawLine(inside.bottomLeft(), inside.topRight())
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(rect.center(), rect.width() * 0.32, rect.width() * 0.32)
    painter.restore()
