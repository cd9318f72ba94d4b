"""The legend below the layers of a grid: the colours of its values, and the ramp of its amounts."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter

from meshgui.engine.allocation.inspection import Grid, Heat
from meshgui.engine.allocation.steps import Role
from meshgui.model.base.flow import in_rows
from meshgui.model.scene.heat import heat_colours
from meshgui.views.style.direction import write
from meshgui.views.style.theme import Dress
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.labels import SWATCH

_RAMP: Final = (96, 8)  # the bar that shows the colours of amounts
SIGNED: Final = (Role.CANDIDATE, Role.PLACED)
"""Roles whose cells have a sign as well as a colour."""


class GridLegend:
    """The legend of one grid at one width."""

    def __init__(self, grid: Grid, width: int, themes: Dress) -> None:
        self._grid, self._width, self._themes = grid, width, themes

    @property
    def height(self) -> int:
        """The height with the room above; 0 without anything to explain."""
        places = self._places()
        line = QFontMetrics(self._themes.text("caption")).height()
        inside = int(places[-1].y()) + line if places else self._heat_height()
        return inside + self._themes.px(16) if inside else 0

    def paint(self, painter: QPainter, top: int) -> None:
        """Paint the legend from a height on."""
        grid, px, theme = self._grid, self._themes.px, self._themes.theme
        painter.setFont(self._themes.text("caption"))
        metrics = painter.fontMetrics()
        side = px(SWATCH)
        if grid.heat is not None:
            self._paint_heat(painter, grid.heat, top)
        for value, place in zip(grid.legend, self._places(), strict=True):
            x, y = int(place.x()), top + int(place.y())
            sample = QRect(x, y + (metrics.height() - side) // 2, side, side)
            painter.fillRect(sample, role_colour(value.role, theme))
            painter.setPen(theme.colour("outline"))
            painter.drawRect(sample.adjusted(0, 0, -1, -1))
            if value.role in SIGNED:
                paint_sign(painter, sample, theme)
            painter.setPen(theme.colour("muted"))
            write(painter, QPointF(x + side + px(6), y + metrics.ascent()), value.label)

    def _places(self) -> list[QPointF]:
        """The place of each word of the legend, from the legend's top."""
        px, metrics = self._themes.px, QFontMetrics(self._themes.text("caption"))
        words = (metrics.horizontalAdvance(value.label) for value in self._grid.legend)
        places = in_rows([px(SWATCH) + px(6) + word for word in words], self._width - px(24), px(16))
        top, line = self._heat_height(), metrics.height() + px(4)
        return [QPointF(px(12) + x, top + row * line) for row, x in places]

    def _heat_height(self) -> int:
        """The height of the ramp in the legend, with its label beside or below it."""
        if self._grid.heat is None:
            return 0
        line = QFontMetrics(self._themes.text("caption")).height() + self._themes.px(4)
        return line if self._heat_label(self._grid.heat).top() == 0 else 2 * line

    def _heat_label(self, heat: Heat) -> QRect:
        """The rectangle of the ramp's label, from the legend's top."""
        px, metrics = self._themes.px, QFontMetrics(self._themes.text("caption"))
        ends = sum(metrics.horizontalAdvance(str(end)) for end in (heat.low, heat.high))
        x = px(12) + ends + px(6) + px(_RAMP[0]) + px(6) + px(12)
        wanted, right = metrics.horizontalAdvance(heat.label) + 1, self._width - px(12)
        if x + wanted <= right:
            return QRect(x, 0, wanted, metrics.height())
        return QRect(px(12), metrics.height() + px(4), right - px(12), metrics.height())

    def _paint_heat(self, painter: QPainter, heat: Heat, top: int) -> None:
        """Paint a bar of all colours between the least and the greatest amount, and its label."""
        px, theme, metrics = self._themes.px, self._themes.theme, painter.fontMetrics()
        low, high = str(heat.low), str(heat.high)
        x, base = px(12), top + metrics.ascent()
        painter.setPen(theme.colour("muted"))
        write(painter, QPointF(x, base), low)
        x += metrics.horizontalAdvance(low) + px(6)
        width, height = (px(side) for side in _RAMP)
        bar = QRect(x, top + (metrics.height() - height) // 2, width, height)
        ramp = QLinearGradient(bar.topLeft(), bar.topRight())
        stops = Heat("", 0, 8)
        for step, colour in enumerate(heat_colours(np.arange(9), stops, theme).tolist()):
            ramp.setColorAt(step / 8, QColor.fromRgbF(*colour))
        painter.fillRect(bar, ramp)
        painter.setPen(theme.colour("outline"))
        painter.drawRect(bar.adjusted(0, 0, -1, -1))
        x += width + px(6)
        painter.setPen(theme.colour("muted"))
        write(painter, QPointF(x, base), high)
        room = self._heat_label(heat)
        label = metrics.elidedText(heat.label, Qt.TextElideMode.ElideRight, room.width())
        write(painter, QPointF(room.left(), base + room.top()), label)


def paint_sign(painter: QPainter, rect: QRect, theme: Theme) -> None:
    """Paint a dot, so that candidates differ from the rest without their colour too."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour("panel"))
    radius = max(rect.width() * 0.18, 1.5)
    painter.drawEllipse(QPointF(rect.center()) + QPointF(0.5, 0.5), radius, radius)
    painter.restore()


def role_colour(role: Role, theme: Theme) -> QColor:
    """The colour of a role in a grid, opaque: translucent ones laid over the free ground."""
    name, share = {
        Role.NOTHING: ("free", 1.0),
        Role.TRIED: ("outline", 1.0),
        Role.CANDIDATE: ("candidate", 1.0),
        Role.PROHIBITED: ("prohibited", 0.38),
        Role.BORDER: ("border_plane", 1.0),
        Role.BLOCKED: ("blocked", 1.0),
        Role.PLACED: ("candidate", 1.0),
    }[role]
    ground, colour = theme.rgb("free"), theme.rgb(name)
    return QColor.fromRgbF(*(g + (c - g) * share for g, c in zip(ground, colour, strict=True)))
