"""The texts over the network: lengths of queues at processors, the legend of use."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QLinearGradient, QPainter, QPen

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.engine.basics.translation import tr
from meshgui.model.scene.heat import line_colours
from meshgui.model.scene.network_scene import NetworkScene, UseLegend
from meshgui.views.style.floating import draw_frame
from meshgui.views.style.fonts import text_font
from meshgui.views.style.lettering import Labels, letter_sizes, letters_of
from meshgui.views.style.theme import Dress

_COUNTS_FROM: Final = 48.0  # pixels of a node from which a count has room in it
_ABOVE: Final = 9  # pixels of a count's lower edge above the middle of its node
_RAMP: Final = ((72, 120), 8)  # pixels: how long in a narrow view and in a roomy one, how thick
_ROOMY: Final = 640  # pixels of a view in which the legend leaves the axis's name beside it free
_STOPS: Final = 9


def queue_labels(
    network: NetworkScene,
    node: float,
    points_of: Callable[[Floats32], tuple[Floats, NDArray[np.bool_]]],
    themes: Dress,
) -> Labels | None:
    """The number of packets that wait at each node, if it is more than one, where a node has room for it.

    `points_of` says where nodes are in the picture, and which of them a slice leaves.
    """
    several = network.queue_lengths > 1
    if node < _COUNTS_FROM * themes.scale or not several.any():
        return None
    points, kept = points_of(network.queued[several])
    size = themes.text("caption").pixelSize()
    _, capital, _ = letter_sizes(size, strong=True)
    count = len(points)
    return Labels(
        points - (0.0, themes.px(_ABOVE) + capital / 2),
        letters_of(network.queue_lengths[several][kept]),
        np.full(count, size),
        np.ones(count, dtype=np.bool_),
        np.tile(np.array(themes.theme.rgba("text", 1.0), dtype=np.float32), (count, 1)),
    )


class PlacedUseLegend(NamedTuple):
    """One line in the margin above the mesh: the cycles counted, and the scale."""

    frame: QRectF
    texts: tuple[str, str, str]  # the cycles, and both ends of the scale
    lefts: tuple[float, float, float, float]  # of the texts and of the scale


def place_use_legend(room: QSize, use: UseLegend, themes: Dress) -> PlacedUseLegend:
    """Place the legend, in fewer words in a narrow picture."""
    return _place(room.width(), use, themes.scale, themes.text("caption").pixelSize())


@lru_cache(maxsize=4)
def _place(width: int, use: UseLegend, scale: float, caption: int) -> PlacedUseLegend:
    metrics = QFontMetricsF(text_font(caption))

    def px(pixels: float) -> int:
        return round(pixels * scale)

    span = tr("cycles {begin} to {end}").format(begin=use.begin, end=use.end)
    roomy = width >= px(_ROOMY)
    words = tr("Use of channels, {span}").format(span=span) if roomy else tr("Use, {span}").format(span=span)
    high = tr("{share:.3g} %, the busiest link") if roomy else tr("{share:.3g} %, busiest link")
    texts = [words, "> 0 %", high.format(share=100 * use.most)]
    gap, pad, ramp = px(8), px(10), px(_RAMP[0][roomy])
    lengths = [metrics.horizontalAdvance(text) for text in texts]
    wide = sum(lengths) + ramp + 4 * gap + 2 * pad
    if wide + px(16) > width:  # a narrow view has room for the scale alone
        wide -= lengths[0] + 2 * gap
        texts[0], lengths[0] = "", -2 * gap
    frame = QRectF(width - wide - px(8), px(6), wide, metrics.height() + px(8))
    begin = frame.left() + pad
    low = begin + lengths[0] + 2 * gap
    scale_left = low + lengths[1] + gap
    return PlacedUseLegend(
        frame, (texts[0], texts[1], texts[2]), (begin, low, scale_left + ramp + gap, scale_left)
    )


def draw_use_legend(painter: QPainter, placed: PlacedUseLegend, themes: Dress) -> None:
    """Draw the legend where it was placed."""
    theme, frame = themes.theme, placed.frame
    draw_frame(painter, frame, themes, 0.94)
    painter.setFont(themes.text("caption"))
    baseline = frame.top() + themes.px(4) + QFontMetricsF(painter.font()).ascent()
    for text, left, colour in zip(placed.texts, placed.lefts, ("text", "muted", "muted"), strict=False):
        painter.setPen(theme.colour(colour))
        painter.drawText(QPointF(left, baseline), text)
    left, gap = placed.lefts[3], themes.px(8)
    wide, thick = placed.lefts[2] - gap - left, themes.px(_RAMP[1])
    ramp = QLinearGradient(left, 0.0, left + wide, 0.0)
    shares = np.linspace(0.0, 1.0, _STOPS)
    for share, colours in zip(shares.tolist(), line_colours(shares, theme).tolist(), strict=True):
        ramp.setColorAt(share, QColor.fromRgbF(*colours))
    painter.setPen(QPen(theme.colour("outline"), 1.0))
    painter.setBrush(ramp)
    painter.drawRect(QRectF(left, frame.center().y() - thick / 2, wide, thick))
