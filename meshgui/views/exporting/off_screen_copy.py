"""Draws a widget's picture by an invisible copy of it, of another size and in another theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import shiboken6
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from meshgui.views.exporting.exportable import Picture
from meshgui.views.style.direction import is_rtl, mirror, write
from meshgui.views.style.theme import Dress
from meshgui.views.style.theme_colours import Theme

HEAD: Final = 36
"""The height of the line with a picture's title, in pixels at scale 1."""

_MARGIN: Final = 12
_LEAST: Final = QSize(120, 72)


class DrawableWidget(Protocol):
    """A widget that can draw itself into any painter."""

    def width(self) -> int:
        """In pixels."""
        ...

    def height(self) -> int:
        """In pixels."""
        ...

    def draw(self, painter: QPainter) -> None:
        """Draw as on the screen, without the hover."""
        ...


def picture_size(widget: QWidget, dress: Dress) -> QSize:
    """The size of a widget's picture with its title, without the scale of lecture mode."""
    size = widget.size() / dress.scale
    return size.expandedTo(_LEAST) + QSize(0, HEAD)


def paint_head(painter: QPainter, rect: QRectF, dress: Dress, title: str) -> QRectF:
    """Write the title over a picture, elided where it is too long; return the room below it."""
    room = QRectF(rect.left() + _MARGIN, rect.top(), rect.width() - 2 * _MARGIN, HEAD)
    font = dress.text("lead", QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(dress.theme.colour("text"))
    words = QFontMetricsF(font).elidedText(title, Qt.TextElideMode.ElideRight, room.width())
    painter.save()
    if is_rtl():
        mirror(painter, rect)
    write(painter, room, words, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter))
    painter.restore()
    return rect.adjusted(0, HEAD, 0, 0)


def titled_picture(
    title: str, size: QSize, draw: Callable[[QPainter, QRectF, Dress], None], head: str = ""
) -> Picture:
    """Make a picture with its title over it, or another head; `draw` draws into the room below."""

    def paint(painter: QPainter, rect: QRectF, theme: Theme) -> None:
        dress = Dress(theme)
        painter.save()
        try:
            painter.setClipRect(rect)
            painter.fillRect(rect, theme.colour("panel"))
            draw(painter, paint_head(painter, rect, dress, head or title), dress)
        finally:
            painter.restore()

    return Picture(title, size, paint)


def copy_picture(title: str, size: QSize, make: Callable[[Dress, QSize], DrawableWidget]) -> Picture:
    """Make a picture that a copy of a widget draws; `make` creates the copy for a dress and a size.

    A copy that needs more room than there is, is drawn smaller.
    """

    def draw(painter: QPainter, room: QRectF, dress: Dress) -> None:
        copy = make(dress, QSizeF(room.width(), room.height()).toSize().expandedTo(QSize(1, 1)))
        try:
            fit = min(room.width() / copy.width(), room.height() / copy.height(), 1.0)
            painter.translate(QPointF(room.left(), room.top()))
            painter.scale(fit, fit)
            copy.draw(painter)
        finally:
            if isinstance(copy, shiboken6.Object):
                shiboken6.delete(copy)  # now: what it follows would keep it otherwise

    return titled_picture(title, size, draw)
