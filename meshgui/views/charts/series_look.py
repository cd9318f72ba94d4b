"""The colour, symbol and dash of each series of a chart, in both themes."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from meshgui.model.scene.colours import ThemeName
from meshgui.views.style.theme_colours import Theme

# Okabe and Ito's set, black as the text's. On a dark ground nearly as they chose it; on white their lighter
# ones are too faint for lines, so all are spread over the darker half until dichromats tell them apart too.
_COLOURS: Final[dict[ThemeName, tuple[str, ...]]] = {
    "light": ("#005c99", "#bb4800", "#008c64", "#b05f8d", "#b97b00", "#2d90c3", "#1a1e24", "#4d4600"),
    "dark": ("#1179b9", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#e9ecf0", "#f0e442"),
}
COLOUR_COUNT: Final = 8

# In the pen's widths. Lines of the first round of colours are whole.
_DASHES: Final = ((), (5.0, 2.5), (1.2, 1.8), (7.0, 2.0, 1.2, 2.0))
DASH_COUNT: Final = len(_DASHES)
_TONES: Final = ("text", "outline")  # of lines without a colour

_PLUS: Final = 0.42  # half the width of a plus's arms
_STAR: Final = 0.45  # how deep a star is cut


def _around(count: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    """Corners on a circle, the first one on top."""
    angles = [2 * math.pi * (k / count) + turn for k in range(count)]
    return [(radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles]


def _plus(turn: float) -> list[tuple[float, float]]:
    w, r = _PLUS, 1.3
    corners = [(-w, -r), (w, -r), (w, -w), (r, -w), (r, w), (w, w), (w, r), (-w, r), (-w, w), (-r, w)]
    corners += [(-r, -w), (-w, -w)]
    cos, sin = math.cos(turn), math.sin(turn)
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]


def _star() -> list[tuple[float, float]]:
    outer, inner = _around(5, 1.35), _around(5, 1.35 * _STAR, math.pi / 5)
    return [corner for pair in zip(outer, inner, strict=True) for corner in pair]


# Of about equal area within a circle of radius 1. No diamond: that is a published value.
_SYMBOLS: Final = (
    _around(32, 1.0),
    [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    _around(3, 1.3),
    _plus(0.0),
    _around(3, 1.3, math.pi),
    _plus(math.pi / 4),
    _star(),
    [(-1.0, -1.1), (1.0, -1.1), (-1.0, 1.1), (1.0, 1.1)],
)
SYMBOL_COUNT: Final = len(_SYMBOLS)


def series_signs(place: int) -> tuple[int, int, int]:
    """The colour, symbol and dash of a place; the next round of a colour has another symbol and dash."""
    colour, turn = place % COLOUR_COUNT, place // COLOUR_COUNT
    return colour, (colour + 3 * turn) % SYMBOL_COUNT, turn % DASH_COUNT


def series_colour(place: int, theme: ThemeName) -> QColor:
    """The colour a series has in every chart of this theme."""
    return QColor(_COLOURS[theme][series_signs(place)[0]])


def series_pen(place: int, theme: ThemeName, width: float) -> QPen:
    """The pen of a series' line."""
    return _pen(series_colour(place, theme), width, _DASHES[series_signs(place)[2]])


def plain_pen(place: int, theme: Theme, width: float) -> QPen:
    """A line without a colour: its dash differs from its neighbours', then its tone."""
    tone = theme.colour(_TONES[place // DASH_COUNT % len(_TONES)])
    return _pen(tone, width, _DASHES[place % DASH_COUNT])


def _pen(colour: QColor, width: float, dashes: tuple[float, ...]) -> QPen:
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dashes:
        pen.setDashPattern(list(dashes))
    return pen


@cache
def symbol_outline(place: int, radius: float) -> QPolygonF:
    """The symbol of a series around 0, 0."""
    corners = _SYMBOLS[series_signs(place)[1]]
    return QPolygonF([QPointF(x * radius, y * radius) for x, y in corners])


def draw_symbol(painter: QPainter, at: QPointF, place: int, radius: float) -> None:
    """The symbol of a series in the painter's pen and brush."""
    if series_signs(place)[1] == 0:
        painter.drawEllipse(at, radius, radius)
    else:
        painter.drawPolygon(symbol_outline(place, radius).translated(at), Qt.FillRule.WindingFill)


def draw_published(painter: QPainter, low: QPointF, high: QPointF, radius: float) -> None:
    """The sign of a published value, an open diamond, or of a range, a bracket; in the painter's pen."""
    if abs(low.y() - high.y()) < 1.0:
        corners = ((0, -1), (1, 0), (0, 1), (-1, 0))
        painter.drawPolygon(QPolygonF([high + QPointF(x * radius, y * radius) for x, y in corners]))
        return
    across = QPointF(radius, 0)
    painter.drawLine(QLineF(low, high))
    for end in (low, high):
        painter.drawLine(QLineF(end - across, end + across))
