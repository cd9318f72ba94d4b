"""Draws the legend of an attempt or of packets in the margin above the mesh, for both canvases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from meshgui.model.base.flow import in_rows
from meshgui.model.scene.marks import CROSSED, DASHED, NO_COLOUR, LegendEntry, Sign
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.fonts import text_font
from meshgui.views.style.theme import Dress
from meshgui.views.widgets.labels import paint_job

_SAMPLE: Final = 11  # pixels of a sample's side
_SHARE: Final = 0.25  # of the height that rows over the mesh may take
_WORM: Final = 0.45  # how strong a worm is beside the flits in it


class PlacedLegend(NamedTuple):
    """A legend in a picture."""

    entries: tuple[LegendEntry, ...]
    frame: QRectF
    places: tuple[tuple[float, float], ...]  # the upper left of each entry's line
    beside: bool  # the mesh, of which it covers nothing
    themes: Dress  # in whose letters


def place_legend(
    room: QSize, entries: tuple[LegendEntry, ...], themes: Dress, letters: Sequence[QPointF]
) -> PlacedLegend | None:
    """Place a sample and a word for each entry, in as few rows as the width allows.

    The rows end before the axis whose letter, one of those at these places, is in the upper left. Several
    rows would lie over the mesh: they stand beside it, behind the rightmost letter, where they have room.
    Without that room signs of packets have one row, as a worm that would be covered says more, and others a
    quarter of the height: in the letters of the desk where those of a lecture have none, and the last that
    have none even so are counted.
    """
    if not entries:
        return None
    most = 0.0 if entries[-1].sign is not None else room.height() * _SHARE
    for shown in (len(entries), *range(len(entries), 0, -1)):
        left_out = len(entries) - shown
        rest = (LegendEntry(f"+{left_out}", NO_COLOUR),) if left_out else ()
        placed = _placed((*entries[:shown], *rest), room, themes, letters)
        if placed.beside or placed.places[-1][1] - placed.places[0][1] <= most:
            break
        themes = themes.usual
    return placed


def _placed(
    entries: tuple[LegendEntry, ...], room: QSize, themes: Dress, letters: Sequence[QPointF]
) -> PlacedLegend:
    """Place all of these entries."""
    px = themes.px
    size = themes.text("caption").pixelSize()
    words, height = _sizes_of(tuple(entry.words for entry in entries), size)
    pad, line = px(8), height + px(3)
    widths = [_before_words(entry, themes) + width for entry, width in zip(entries, words, strict=True)]
    taken = max((at.x() for at in letters if at.y() < 2 * line and at.x() < room.width() / 2), default=0.0)
    around = 2 * px(8) + 2 * pad
    rows = in_rows(widths, room.width() - taken - around, px(14))
    beside = room.width() - max((at.x() + px(8) for at in letters), default=0.0) - around
    # where the upward axis alone has its letter, nothing says where the mesh ends
    stands_beside = rows[-1][0] > 0 and len(letters) > 1 and beside >= max(widths)
    if stands_beside:
        rows = in_rows(widths, beside, px(14))
    wide = max(x + width for (_, x), width in zip(rows, widths, strict=True))
    high = (rows[-1][0] + 1) * line
    frame = QRectF(room.width() - px(8) - wide - 2 * pad, px(4), wide + 2 * pad, high + px(4))
    left, top = frame.left() + pad, frame.top() + px(2)
    places = tuple((left + x, top + row * line) for row, x in rows)
    return PlacedLegend(entries, frame, places, stands_beside and high <= room.height(), themes)


def _before_words(entry: LegendEntry, themes: Dress) -> int:
    """The room of a sample, which the count of those left out has not."""
    counts = entry.fill == NO_COLOUR and not entry.width
    return 0 if counts else themes.px(_SAMPLE) + themes.px(5)


def draw_legend(painter: QPainter, placed: PlacedLegend) -> None:
    """Draw a legend where it was placed."""
    themes = placed.themes
    painter.setFont(themes.text("caption"))
    metrics, side = QFontMetricsF(painter.font()), themes.px(_SAMPLE)
    draw_frame(painter, placed.frame, themes, 0.94)
    for entry, (left, top) in zip(placed.entries, placed.places, strict=True):
        sample = QRectF(left, top + (metrics.height() - side) / 2, side, side)
        _draw_sample(painter, sample, entry, themes)
        painter.setPen(themes.theme.colour("text"))
        painter.drawText(QPointF(left + _before_words(entry, themes), top + metrics.ascent()), entry.words)


@lru_cache(maxsize=8)
def _sizes_of(words: tuple[str, ...], size: int) -> tuple[tuple[float, ...], float]:
    """The widths of the words of entries in letters of that size, and the height of a line."""
    metrics = QFontMetricsF(text_font(size))
    return tuple(metrics.horizontalAdvance(entry) for entry in words), metrics.height()


def _draw_sample(painter: QPainter, rect: QRectF, entry: LegendEntry, themes: Dress) -> None:
    """Draw a box, a dot or a sign as it is in the mesh."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor.fromRgbF(*entry.fill))
    if entry.sign is not None:
        _draw_sign(painter, rect, entry.sign)
    elif entry.width:
        width = entry.width * themes.scale * 0.7
        pen = QPen(QColor.fromRgbF(*entry.edge), width, j=Qt.PenJoinStyle.MiterJoin)
        inside = rect.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        if entry.role in DASHED:
            pen.setDashPattern([2.0, 1.5])
        if entry.job is not None:
            paint_job(painter, themes, entry.job, inside)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen)
        painter.drawRect(inside)
        if entry.role in CROSSED:
            painter.drawLine(inside.topLeft(), inside.bottomRight())
            painter.drawLine(inside.bottomLeft(), inside.topRight())
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(rect.center(), rect.width() * 0.32, rect.width() * 0.32)
    painter.restore()


def _draw_sign(painter: QPainter, rect: QRectF, sign: Sign) -> None:
    """Draw what a packet has on, beside or around its worm, in the colour of the brush."""
    colour, side, middle = painter.brush().color(), rect.width(), rect.center()
    worm = QColor(colour)
    worm.setAlphaF(_WORM)
    match sign:
        case Sign.BAND:
            painter.fillRect(rect.adjusted(0, 0.15 * side, 0, -0.15 * side), colour)
        case Sign.ARROW:
            painter.setPen(Qt.PenStyle.NoPen)
            back, wide = rect.left() + 0.1 * side, 0.42 * side
            tip = QPointF(rect.right(), middle.y())
            painter.drawPolygon([QPointF(back, middle.y() - wide), QPointF(back, middle.y() + wide), tip])
        case Sign.BEADS:
            painter.fillRect(rect.adjusted(0, 0.2 * side, 0, -0.2 * side), worm)
            painter.setPen(Qt.PenStyle.NoPen)
            for x in (0.26, 0.74):
                painter.drawEllipse(QPointF(rect.left() + x * side, middle.y()), 0.17 * side, 0.17 * side)
        case Sign.LINE:
            painter.fillRect(rect.adjusted(0, 0.2 * side, -0.6 * side, -0.2 * side), worm)
            painter.fillRect(rect.adjusted(0.4 * side, 0.39 * side, 0, -0.39 * side), worm)
        case Sign.DOT:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(middle, 0.32 * side, 0.32 * side)
        case Sign.RING:
            rim = 0.15 * side
            painter.setPen(QPen(colour, rim))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(middle, (side - rim) / 2, (side - rim) / 2)
        case Sign.DASHES:
            painter.setPen(QPen(colour, 0.2 * side, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            for begin in (0.1, 0.6):
                start = QPointF(rect.left() + begin * side, middle.y())
                painter.drawLine(start, start + QPointF(0.3 * side, 0))
