"""Draws the texts that both canvases share: the card at the pointer, an empty view, sizes of numbers."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from meshgui.engine.basics.translation import tr
from meshgui.views.style.direction import isolated
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.fonts import text_font
from meshgui.views.style.theme import Dress, TextSize

BESIDE: Final = 1.0
"""The pixels that a number leaves of its face, from edge to edge."""

NUMBER_SIZES: Final[tuple[TextSize, ...]] = ("caption", "body", "lead", "title", "display")
"""The sizes of the type scale for a job's number, and between them the pixels of room on its face."""
NUMBER_LIMITS: Final = (30, 44, 80, 160)

_LEAST_LETTERS: Final = 8  # pixels of the smallest number that can be read
_MEASURED: Final = 100  # pixels at which the digits are measured
EMPTY: Final = tr("No run yet")


def draw_card(painter: QPainter, room: QSize, at: QPointF, lines: tuple[str, ...], themes: Dress) -> None:
    """Draw a card of a few lines beside a point, inside the picture; the first line is the strongest."""
    fonts = [themes.text("body", QFont.Weight.DemiBold)] + [themes.text("caption")] * (len(lines) - 1)
    metrics = [QFontMetricsF(font) for font in fonts]
    pad, gap = themes.px(10), themes.px(16)
    width = max(m.horizontalAdvance(line) for m, line in zip(metrics, lines, strict=True)) + 2 * pad
    height = sum(m.height() for m in metrics) + 1.4 * pad
    x = at.x() + gap if at.x() + gap + width <= room.width() else at.x() - gap - width
    y = at.y() + gap if at.y() + gap + height <= room.height() else at.y() - gap - height
    draw_frame(painter, QRectF(max(x, 0.0), max(y, 0.0), width, height), themes, 0.97)
    top = max(y, 0.0) + 0.7 * pad
    for number, (font, metric, line) in enumerate(zip(fonts, metrics, lines, strict=True)):
        painter.setFont(font)
        painter.setPen(themes.theme.colour("muted" if number else "text"))
        painter.drawText(QPointF(max(x, 0.0) + pad, top + metric.ascent()), isolated(line))
        top += metric.height()


def draw_line(painter: QPainter, room: QSize, text: str, themes: Dress) -> None:
    """Write one line in the middle of an empty view."""
    painter.setFont(themes.text("lead"))
    painter.setPen(themes.theme.colour("muted"))
    painter.drawText(QRect(QPoint(), room), Qt.AlignmentFlag.AlignCenter, text)


def number_size(room: float) -> TextSize:
    """A size of the type scale that fits the room on a face."""
    return NUMBER_SIZES[bisect_right(NUMBER_LIMITS, room)]


@cache
def number_ems(digits: int) -> tuple[float, float]:
    """The width and height of the ink of a job's number, as shares of its letters' size."""
    metrics = QFontMetricsF(text_font(_MEASURED, QFont.Weight.DemiBold))
    return metrics.tightBoundingRect("0" * digits).width() / _MEASURED, metrics.capHeight() / _MEASURED


def least_letters(themes: Dress) -> float:
    """The pixels of the smallest letters that a job's number is written in."""
    return _LEAST_LETTERS * min(themes.scale, 1.0)


def number_font(text: str, width: float, height: float, themes: Dress) -> QFont | None:
    """The font for a job's number on a face of that size in pixels, None without room."""
    wide, high = number_ems(len(text))
    font = themes.text(number_size(min(width, height) / themes.scale), QFont.Weight.DemiBold)
    pixels = int(min((width - BESIDE) / wide, (height - BESIDE) / high, font.pixelSize()))
    if pixels < least_letters(themes):
        return None
    font.setPixelSize(pixels)
    return font


def axis_step(nodes: int, room: float, least: float) -> int:
    """The step between numbers on an axis at which they are `least` pixels apart in `room` pixels."""
    step = 1
    while nodes > step and room / nodes * step < least:
        step *= 2
    return step
