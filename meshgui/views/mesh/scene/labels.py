"""Text that both canvases write over the mesh: the card at the pointer, an empty view, sizes of numbers."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from meshgui.views.style.theme import TextSize, ThemeManager

__all__ = ["EMPTY", "axis_step", "draw_card", "draw_line", "number_size"]

EMPTY: Final = "Open a scenario to see its mesh."


def draw_card(
    painter: QPainter, room: QSize, at: QPointF, lines: tuple[str, ...], themes: ThemeManager
) -> None:
    """A small card with a few lines beside a point, inside the picture; the first line is the strongest."""
    fonts = [themes.text("body", QFont.Weight.DemiBold)] + [themes.text("caption")] * (len(lines) - 1)
    metrics = [QFontMetricsF(font) for font in fonts]
    pad, gap = themes.px(10), themes.px(16)
    width = max(m.horizontalAdvance(line) for m, line in zip(metrics, lines, strict=True)) + 2 * pad
    height = sum(m.height() for m in metrics) + 1.4 * pad
    x = at.x() + gap if at.x() + gap + width <= room.width() else at.x() - gap - width
    y = at.y() + gap if at.y() + gap + height <= room.height() else at.y() - gap - height
    theme = themes.theme
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("hairline"), 1.0))
    painter.setBrush(theme.colour("raised", 0.97))
    painter.drawRoundedRect(QRectF(max(x, 0.0), max(y, 0.0), width, height), themes.px(6), themes.px(6))
    top = max(y, 0.0) + 0.7 * pad
    for number, (font, metric, line) in enumerate(zip(fonts, metrics, lines, strict=True)):
        painter.setFont(font)
        painter.setPen(theme.colour("muted" if number else "text"))
        painter.drawText(QPointF(max(x, 0.0) + pad, top + metric.ascent()), line)
        top += metric.height()


def draw_line(painter: QPainter, room: QSize, text: str, themes: ThemeManager) -> None:
    """One quiet line in the middle of an empty view."""
    painter.setFont(themes.text("lead"))
    painter.setPen(themes.theme.colour("muted"))
    painter.drawText(QRect(QPoint(), room), Qt.AlignmentFlag.AlignCenter, text)


def number_size(room: float) -> TextSize:
    """A size of the type scale that fits the room on a face."""
    return (
        "caption"
        if room < 30
        else "body"
        if room < 44
        else "lead"
        if room < 80
        else "title"
        if room < 160
        else "display"
    )


def axis_step(nodes: int, room: float, least: float) -> int:
    """Every how many nodes an axis is numbered, so that numbers in `room` pixels are `least` pixels apart."""
    step = 1
    while nodes > step and room / nodes * step < least:
        step *= 2
    return step
