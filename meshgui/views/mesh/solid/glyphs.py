"""The letters of labels, each drawn once for a font and a pixel ratio, side by side for the graphics card."""

from __future__ import annotations

from math import ceil
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.views.style.lettering import LETTERS, Labels, label_font

_PHASES: Final = 4  # places within a pixel at which letters are drawn, as Qt does,
_FINE: Final = 32  # up to fonts of this size in pixels of the screen: of larger ones they look alike
_ALIGNED: Final = 4  # bytes that the length of a row is a multiple of, as OpenGL wants it
_PAD: Final = 2  # pixels around a letter
_MOST_SIZES: Final = 512  # pixels of the largest font


class _Style(NamedTuple):
    """A font in the sheet: its letters side by side, a row of them for each phase."""

    top: int
    width: int  # of the cell of a letter
    height: int
    baseline: int  # from the upper edge of a cell
    phases: int
    half_capital: float
    advances: tuple[float, ...]  # of each letter


class GlyphSheet:
    """The letters drawn so far, for one ratio of the screen's pixels to those of the design."""

    def __init__(self, ratio: float) -> None:
        self.ratio = ratio
        self.cover = np.zeros((0, _ALIGNED), dtype=np.uint8)
        """How far each pixel of the sheet is covered."""
        self._styles = np.full((2, _MOST_SIZES), -1)
        self._cells = np.zeros((0, 6))  # of each style, but for its letters
        self._advances = np.zeros((0, len(LETTERS)))

    def parts(self, labels: Labels) -> Floats32:
        """Where each letter of some labels is drawn, and from where: rows for `Sheet.draw`."""
        styles = self._styles[labels.strong.astype(np.intp), labels.sizes]
        if (styles < 0).any():
            self._add(labels)
            styles = self._styles[labels.strong.astype(np.intp), labels.sizes]
        which, column = np.nonzero(labels.letters >= 0)
        letters, styles = labels.letters[which, column], styles[which]
        lefts = self._lefts(labels.places[:, 0] * self.ratio, which, self._advances[styles, letters])
        top, width, height, baseline, phases, half_capital = self._cells[styles].T
        steps = np.rint(lefts * phases)
        x = np.floor(steps / phases)
        y = np.rint(labels.places[which, 1] * self.ratio + half_capital) - baseline
        row = top + (steps - x * phases) * height
        cells = np.stack((x - _PAD, y, letters * width, row, width, height), axis=1)
        return np.concatenate((cells, labels.colours[which]), axis=1, dtype=np.float32)

    @staticmethod
    def _lefts(middles: Floats, which: NDArray[np.intp], advances: Floats) -> Floats:
        """The left edge of each letter, whose label is around its middle."""
        ends = np.cumsum(advances)
        widths = np.bincount(which, advances, len(middles))
        before = np.cumsum(widths) - widths  # of the labels before
        lefts: Floats = ends - advances - (before + widths / 2 - middles)[which]
        return lefts

    def _add(self, labels: Labels) -> None:
        """Draw the letters of fonts that are not there yet."""
        for strong, size in sorted(set(zip(labels.strong.tolist(), labels.sizes.tolist(), strict=True))):
            if self._styles[int(strong), size] < 0:
                style = self._draw(size, strong=strong)
                self._styles[int(strong), size] = len(self._cells)
                self._cells = np.concatenate((self._cells, np.array([style[:-1]])))
                self._advances = np.concatenate((self._advances, np.array([style.advances])))

    def _draw(self, size: int, *, strong: bool) -> _Style:
        """Draw the letters of a font below those that are there."""
        font, ratio = label_font(size, strong=strong), self.ratio
        font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)  # one cover for all three colours
        metrics = QFontMetricsF(font)
        advances = tuple(metrics.horizontalAdvance(letter) * ratio for letter in LETTERS)
        ink = metrics.tightBoundingRect(LETTERS)
        baseline = ceil(-ink.top() * ratio) + _PAD
        style = _Style(
            len(self.cover),
            ceil(max(advances)) + 2 * _PAD,
            baseline + ceil(ink.bottom() * ratio) + _PAD,
            baseline,
            _PHASES if size * ratio <= _FINE else 1,
            metrics.capHeight() * ratio / 2,
            advances,
        )
        image = QImage(len(LETTERS) * style.width, style.phases * style.height, QImage.Format.Format_RGB32)
        image.fill(QColor("black"))
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            painter.setFont(font)
            painter.setPen(QColor("white"))
            for phase in range(style.phases):
                y = (phase * style.height + baseline) / ratio
                for place, letter in enumerate(LETTERS):
                    x = (place * style.width + _PAD + phase / style.phases) / ratio
                    painter.drawText(QPointF(x, y), letter)
        self._append(image)
        return style

    def _append(self, image: QImage) -> None:
        """Put what was drawn, white on black, below the letters that are there."""
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
        drawn = np.pad(pixels[..., 0], ((0, 0), (0, -image.width() % _ALIGNED)))
        above, wide = self.cover, max(self.cover.shape[1], drawn.shape[1])
        self.cover = np.concatenate(
            [np.pad(part, ((0, 0), (0, wide - part.shape[1]))) for part in (above, drawn)]
        )
