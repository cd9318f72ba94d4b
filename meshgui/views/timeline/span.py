"""The labels on the timeline's ruler, and the span of cycles over which the use of channels is counted."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from meshgui.views.style.direction import write
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.frame import Frame, TimeScale

Span = tuple[int, int]


def label_rect(text: str, middle: float, frame: Frame, themes: Dress) -> QRect:
    """The rectangle of a label on the ruler, centred at a place from left to right."""
    px, metrics = themes.px, QFontMetrics(themes.text("caption", QFont.Weight.Medium))
    rect = QRect(0, px(2), metrics.horizontalAdvance(text) + px(12), frame.ruler.height - px(5))
    rect.moveCenter(QPoint(round(middle), rect.center().y()))
    return rect


def paint_label(painter: QPainter, rect: QRect, text: str, themes: Dress, ground: str, ink: str) -> None:
    """Write a label on a ground, both in colours of the theme."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(themes.theme.colour(ground))
    painter.drawRoundedRect(rect, themes.px(4), themes.px(4))
    painter.setPen(themes.theme.colour(ink))
    painter.setFont(themes.text("caption", QFont.Weight.Medium))
    write(painter, rect, text, int(Qt.AlignmentFlag.AlignCenter))
    painter.restore()


def span_label(span: Span, frame: Frame, scale: TimeScale, themes: Dress, pill: QRect) -> QRect:
    """The rectangle of the span's cycle numbers: in its middle, beside the playhead's own label."""
    px = themes.px
    left, right = scale.within(span[0], span[1] + 1)
    room = label_rect(_words(span), (left + right) / 2, frame, themes)
    if room.intersects(pill):
        later = pill.right() + px(4)
        earlier = pill.left() - px(4) - room.width()
        fits_later = later + room.width() <= frame.width
        to_the_right = fits_later and (room.center().x() >= pill.center().x() or earlier < frame.left)
        room.moveLeft(later if to_the_right else earlier)
    else:
        room.moveLeft(min(max(room.left(), frame.left), frame.width - px(4) - room.width()))
    return room


def paint_span(
    painter: QPainter, span: Span, frame: Frame, scale: TimeScale, themes: Dress, label: QRect
) -> None:
    """Tint the cycles, first to last, and write their numbers."""
    theme = themes.theme
    left, right = scale.within(span[0], span[1] + 1)
    top, bottom = frame.ruler.bottom, frame.events.bottom
    if right > left:
        painter.fillRect(QRectF(left, top, right - left, bottom - top), theme.colour("accent", 0.09))
    for cycle, x in ((span[0], left), (span[1] + 1, right)):
        if scale.low <= cycle <= scale.high:
            painter.fillRect(QRectF(x - 0.5, top, 1, bottom - top), theme.colour("accent"))
    if right > left:
        paint_label(painter, label, _words(span), themes, "selection", "text")


def _words(span: Span) -> str:
    return f"{span[0]}–{span[1]}"
