"""The ground of what floats over a picture: cards, legends and controls."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from meshgui.views.style.theme import Dress


def draw_frame(painter: QPainter, rect: QRectF, themes: Dress, opacity: float) -> None:
    """Draw the ground and the border of what floats over the mesh."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(themes.theme.colour("hairline"), 1.0))
    painter.setBrush(themes.theme.colour("raised", opacity))
    painter.drawRoundedRect(rect, themes.px(6), themes.px(6))
