"""The look of verdicts: a sign with a colour, and a bar of their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from meshgui.catalogue.judging import Verdict
from meshgui.model.studies.verdict_looks import LOOKS, VerdictLook
from meshgui.views.style.direction import write
from meshgui.views.style.theme import Dress

_GAP: Final = 10  # between two counts


def paint_bar(painter: QPainter, themes: Dress, rect: QRectF, counts: Mapping[Verdict, int]) -> None:
    """Draw the shares of the verdicts side by side, each wide enough to be seen."""
    there = [(verdict, counts[verdict]) for verdict in Verdict if counts.get(verdict)]
    total = sum(count for _, count in there)
    least, gap = themes.px(3), themes.px(1)
    room = rect.width() - gap * max(len(there) - 1, 0) - least * len(there)
    left = rect.left()
    for verdict, count in there:
        width = least + room * count / total
        part = QRectF(left, rect.top(), width, rect.height())
        token = "groove" if verdict is Verdict.NOT_RUN else LOOKS[verdict].tone
        painter.fillRect(part, themes.theme.colour(token))
        left += width + gap


def paint_counts(painter: QPainter, themes: Dress, rect: QRectF, counts: Mapping[Verdict, int]) -> None:
    """Draw signs with their counts, up to the right edge."""
    painter.setFont(themes.text("caption"))
    metrics = QFontMetricsF(painter.font())
    left = rect.right() - counts_width(themes, counts)
    for look, words in _counted(counts):
        middle = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for text, tone in ((f"{look.sign}\N{THIN SPACE}", look.tone), (words, "muted")):
            painter.setPen(themes.theme.colour(tone))
            write(painter, QRectF(left, rect.top(), rect.width(), rect.height()), text, middle)
            left += metrics.horizontalAdvance(text)
        left += themes.px(_GAP)


def counts_width(themes: Dress, counts: Mapping[Verdict, int]) -> float:
    """The width of the signs with their counts."""
    metrics = QFontMetricsF(themes.text("caption"))
    widths = [
        metrics.horizontalAdvance(f"{look.sign}\N{THIN SPACE}") + metrics.horizontalAdvance(words)
        for look, words in _counted(counts)
    ]
    return sum(widths) + themes.px(_GAP) * max(len(widths) - 1, 0)


def _counted(counts: Mapping[Verdict, int]) -> list[tuple[VerdictLook, str]]:
    return [(LOOKS[verdict], str(counts[verdict])) for verdict in Verdict if counts.get(verdict)]
