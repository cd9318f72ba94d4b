"""Draws the texts over the network: lengths of queues at processors, the legend of use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QLinearGradient, QPainter, QPen

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.engine.basics.translation import tr
from meshgui.views.mesh.scene.network.builder import NetworkScene, UseLegend
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.heat import line_colours
from meshgui.views.style.theme import ThemeManager

__all__ = ["draw_network_labels"]

_COUNTS_FROM: Final = 48.0  # pixels of a node from which a count has room in it
_RAMP: Final = ((72, 120), 8)  # pixels: how long in a narrow view and in a roomy one, how thick
_ROOMY: Final = 640  # pixels of a view in which the legend leaves the axis's name beside it free
_STOPS: Final = 9


def draw_network_labels(
    painter: QPainter,
    room: QSize,
    network: NetworkScene,
    node: float,
    points_of: Callable[[Floats32], tuple[Floats, NDArray[np.bool_]]],
    themes: ThemeManager,
) -> None:
    """The lengths of queues where a node has pixels enough, and the legend of the use of channels.

    `points_of` says where nodes stand in the picture, and which of them a slice leaves.
    """
    if node >= _COUNTS_FROM * themes.scale:
        points, kept = points_of(network.queued)
        _draw_counts(painter, points, network.queue_lengths[kept], themes)
    if network.use is not None:
        _draw_use_legend(painter, room, network.use, themes)


def _draw_counts(
    painter: QPainter, places: NDArray[np.floating], counts: NDArray[np.integer], themes: ThemeManager
) -> None:
    """Draw the number of packets that wait at each place, if it is more than one."""
    painter.setFont(themes.text("caption", QFont.Weight.DemiBold))
    painter.setPen(themes.theme.colour("text"))
    metrics = QFontMetricsF(painter.font())
    for (x, y), count in zip(places.tolist(), counts.tolist(), strict=True):
        if count > 1:
            left = x - metrics.horizontalAdvance(str(count)) / 2
            painter.drawText(QPointF(left, y - themes.px(9)), str(count))


def _draw_use_legend(painter: QPainter, room: QSize, use: UseLegend, themes: ThemeManager) -> None:
    """Draw one line in the margin above the mesh: the cycles counted, and the scale."""
    theme, px = themes.theme, themes.px
    font = themes.text("caption")
    metrics = QFontMetricsF(font)
    span = tr("cycles {begin} to {end}").format(begin=use.begin, end=use.end)
    roomy = room.width() >= px(_ROOMY)
    words = tr("Use of channels, {span}").format(span=span) if roomy else tr("Use, {span}").format(span=span)
    low, high = (
        "> 0 %",
        (tr("{share:.3g} %, the busiest link") if roomy else tr("{share:.3g} %, busiest link")),
    )
    high = high.format(share=100 * use.most)
    gap, pad, wide, thick = px(8), px(10), px(_RAMP[0][roomy]), px(_RAMP[1])
    lengths = [metrics.horizontalAdvance(text) for text in (words, low, high)]
    width = sum(lengths) + wide + 4 * gap + 2 * pad
    if width + px(16) > room.width():  # a narrow view has room for the scale alone
        width -= lengths[0] + 2 * gap
        words, lengths[0] = "", -2 * gap
    frame = QRectF(room.width() - width - px(8), px(6), width, metrics.height() + px(8))
    draw_frame(painter, frame, themes, 0.94)
    baseline = frame.top() + px(4) + metrics.ascent()
    left = frame.left() + pad
    painter.setFont(font)
    painter.setPen(theme.colour("text"))
    painter.drawText(QPointF(left, baseline), words)
    left += lengths[0] + 2 * gap
    painter.setPen(theme.colour("muted"))
    painter.drawText(QPointF(left, baseline), low)
    left += lengths[1] + gap
    painter.drawText(QPointF(left + wide + gap, baseline), high)
    ramp = QLinearGradient(left, 0.0, left + wide, 0.0)
    shares = np.linspace(0.0, 1.0, _STOPS)
    colours = line_colours(shares, theme)
    for share, colour in zip(shares.tolist(), colours.tolist(), strict=True):
        ramp.setColorAt(share, QColor.fromRgbF(*colour))
    painter.setPen(QPen(theme.colour("outline"), 1.0))
    painter.setBrush(ramp)
    painter.drawRect(QRectF(left, frame.center().y() - thick / 2, wide, thick))
