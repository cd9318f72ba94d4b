"""The span of cycles over which the use of channels is counted, as a band over the timeline's strips."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from meshgui.views.style.theme import Dress
from meshgui.views.timeline.frame import Frame, TimeScale

__all__ = ["paint_span", "span_label"]

Span = tuple[int, int]


def span_label(span: Span, frame: Frame, scale: TimeScale, themes: Dress, pill: QRect) -> QRect:
    """Where the span's cycle numbers stand on the ruler: in its middle, beside the playhead's own label."""
    px = themes.px
    left, right = scale.within(span[0], span[1] + 1)
    metrics = QFontMetrics(themes.text("caption", QFont.Weight.Medium))
    room = QRect(0, px(2), metrics.horizontalAdvance(_words(span)) + px(12), frame.ruler.height - px(5))
    room.moveCenter(QPoint(round((left + right) / 2), room.center().y()))
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
    theme, px = themes.theme, themes.px
    left, right = scale.within(span[0], span[1] + 1)
    top, bottom = frame.ruler.bottom, frame.events.bottom
    if right > left:
        tint = theme.colour("accent")
        tint.setAlphaF(0.09)
        painter.fillRect(QRectF(left, top, right - left, bottom - top), tint)
    for cycle, x in ((span[0], left), (span[1] + 1, right)):
        if scale.low <= cycle <= scale.high:
            painter.fillRect(QRectF(x - 0.5, top, 1, bottom - top), theme.colour("accent"))
    if right <= left:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("selection"))
    painter.drawRoundedRect(label, px(4), px(4))
    painter.setPen(theme.colour("text"))
    painter.setFont(themes.text("caption", QFont.Weight.Medium))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, _words(span))
    painter.restore()


def _words(span: Span) -> str:
    return f"{span[0]}–{span[1]}"
