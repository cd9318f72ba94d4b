"""Draws the texts that both canvases share: the card at the pointer, an empty view, sizes of numbers."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from meshgui.engine.basics.arrays import Floats
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

_SAMPLES: Final = 5  # points of a stroke that a card may cover,
_COVERED: Final = 20.0  # each as bad as this many pixels away from the pointer
_STEP: Final = 12.0  # pixels between two places for a card
_LEAST_LETTERS: Final = 8  # pixels of the smallest number that can be read
_MEASURED: Final = 100  # pixels at which the digits are measured
EMPTY: Final = tr("No run yet")


def place_card(
    size: QSizeF, room: QSize, at: QPointF, gap: float, kept: tuple[Floats, Floats] | None = None
) -> QRectF:
    """A card beside a point, inside the picture: the nearest place where it covers least of some strokes.

    The strokes are given by where they begin and end. Below the point and to its right comes first.
    """
    wide, high = size.width(), size.height()
    x = at.x() + gap if at.x() + gap + wide <= room.width() else at.x() - gap - wide
    y = at.y() + gap if at.y() + gap + high <= room.height() else at.y() - gap - high
    beside = QRectF(QPointF(max(x, 0.0), max(y, 0.0)), size)
    if kept is None or not len(kept[0]):
        return beside
    along = np.linspace(0.0, 1.0, _SAMPLES)[:, None, None]
    points = (kept[0] + along * (kept[1] - kept[0])).reshape(-1, 2)
    lefts, tops = (
        np.append(np.arange(0.0, max(long, 0.0), _STEP), first)
        for long, first in ((room.width() - wide, beside.left()), (room.height() - high, beside.top()))
    )
    across = (points[:, 0] >= lefts[:, None]) & (points[:, 0] <= lefts[:, None] + wide)
    down = (points[:, 1] >= tops[:, None]) & (points[:, 1] <= tops[:, None] + high)
    covered = down.astype(np.float32) @ across.T.astype(np.float32)
    apart = np.hypot(
        np.maximum(np.maximum(lefts - at.x(), at.x() - lefts - wide), 0.0)[None, :],
        np.maximum(np.maximum(tops - at.y(), at.y() - tops - high), 0.0)[:, None],
    )
    apart[apart < gap] = np.inf
    apart[-1, -1] = 0.0  # the usual place comes first
    cost = covered * _COVERED + apart
    row, column = np.unravel_index(np.argmin(cost), cost.shape)
    return QRectF(QPointF(float(lefts[column]), float(tops[row])), size)


def draw_card(
    painter: QPainter,
    room: QSize,
    at: QPointF,
    lines: tuple[str, ...],
    themes: Dress,
    kept: tuple[Floats, Floats] | None = None,
) -> None:
    """Draw a card of a few lines beside a point; the first line is the strongest."""
    fonts = [themes.text("body", QFont.Weight.DemiBold)] + [themes.text("caption")] * (len(lines) - 1)
    metrics = [QFontMetricsF(font) for font in fonts]
    pad, gap = themes.px(10), themes.px(16)
    width = max(m.horizontalAdvance(line) for m, line in zip(metrics, lines, strict=True)) + 2 * pad
    height = sum(m.height() for m in metrics) + 1.4 * pad
    card = place_card(QSizeF(width, height), room, at, gap, kept)
    draw_frame(painter, card, themes, 0.97)
    top = card.top() + 0.7 * pad
    for number, (font, metric, line) in enumerate(zip(fonts, metrics, lines, strict=True)):
        painter.setFont(font)
        painter.setPen(themes.theme.colour("muted" if number else "text"))
        painter.drawText(QPointF(card.left() + pad, top + metric.ascent()), isolated(line))
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
