"""Short labels over a picture as whole arrays: where each stands, its letters, size and colour."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.views.style.fonts import text_font

LETTERS: Final = "0123456789xyz"
"""All that labels are written with: numbers, and the names of the axes."""

_INK: Final = (0.65, 0.8)  # of a letter's size: how wide and how high it is
_LONGEST: Final = 10  # digits of the largest job number
_POWERS: Final = 10 ** np.arange(_LONGEST - 1, -1, -1)


class Labels(NamedTuple):
    """Short texts in a picture, one a row of each array."""

    places: Floats  # [n, 2]: their middles, in pixels
    letters: NDArray[np.int8]  # [n, 10]: places in LETTERS, on the right; -1 before the first
    sizes: NDArray[np.intp]  # [n]: the size of their font, in pixels
    strong: NDArray[np.bool_]  # [n]: whether they are semi-bold
    colours: Floats32  # [n, 4]

    def only(self, which: NDArray[np.bool_]) -> Labels:
        """Some of them."""
        return Labels._make(column[which] for column in self)

    @property
    def rects(self) -> list[QRectF]:
        """Where each is in the picture, about."""
        sizes = self.sizes[:, None] * _INK
        sizes[:, 0] *= (self.letters >= 0).sum(axis=1)
        return [QRectF(*row) for row in np.hstack((self.places - sizes / 2, sizes)).tolist()]

    @classmethod
    def joined(cls, *parts: Labels) -> Labels:
        """Several after one another."""
        return cls._make(np.concatenate(column) for column in zip(*parts, strict=True))


def letters_of(numbers: NDArray[np.integer]) -> NDArray[np.int8]:
    """The digits of numbers that are not negative, as `Labels.letters`."""
    whole = numbers[:, None] // _POWERS
    return np.where((whole > 0) | (_POWERS == 1), whole % 10, -1).astype(np.int8)


def text_of(letters: NDArray[np.int8]) -> str:
    """One row of `Labels.letters` as text."""
    return "".join(LETTERS[place] for place in letters.tolist() if place >= 0)


def label_font(size: int, *, strong: bool) -> QFont:
    """The font of a label."""
    return text_font(size, QFont.Weight.DemiBold if strong else QFont.Weight.Normal)


@cache
def letter_sizes(size: int, *, strong: bool) -> tuple[float, float, float]:
    """The width of a digit of a label's font, the height of a capital, and that of a line, in pixels."""
    metrics = QFontMetricsF(label_font(size, strong=strong))
    return metrics.horizontalAdvance("0"), metrics.capHeight(), metrics.height()


def write_labels(painter: QPainter, labels: Labels) -> None:
    """Write labels with a painter, into a picture or a file of shapes."""
    for (x, y), letters, size, strong, colour in zip(
        labels.places.tolist(),
        labels.letters,
        labels.sizes.tolist(),
        labels.strong.tolist(),
        labels.colours.tolist(),
        strict=True,
    ):
        painter.setFont(label_font(size, strong=strong))
        painter.setPen(QColor.fromRgbF(*colour))
        metrics, text = QFontMetricsF(painter.font()), text_of(letters)
        painter.drawText(QPointF(x - metrics.horizontalAdvance(text) / 2, y + metrics.capHeight() / 2), text)
