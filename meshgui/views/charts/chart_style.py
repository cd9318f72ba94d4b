"""The two styles of a painted chart: how much room words and margins have, and how lines differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtGui import QFont

from meshgui.model.charts.lettering import LegendPlace
from meshgui.views.style.fonts import text_font
from meshgui.views.style.theme import SIZES, TextSize


@dataclass(frozen=True)
class ChartStyle:
    """Lengths are the design's pixels."""

    margins: tuple[int, int]  # left and right, above and below
    gaps: float  # of the lengths between the parts of a result's chart
    title: TextSize
    label: TextSize
    number_room: str  # as wide as this, the numbers of the upright axis do not move the area
    sample: int  # the length of a line in the legend
    x_tick: int  # the least room of a number along an axis
    y_tick: int
    least_y_tick: int  # where the area is low, so that there are a few numbers
    steps: int  # in which the upright axis grows, at least
    pad: float  # of an axis of numbers is empty at both ends
    coloured: bool  # series have colours and symbols; otherwise dashes, and the current one the accent
    family: str = ""  # of the letters; empty: the program's own
    legend: LegendPlace = "auto"


RESULT: Final = ChartStyle(
    margins=(16, 12),
    gaps=1.0,
    title="lead",
    label="body",
    number_room="00000",
    sample=28,
    x_tick=88,
    y_tick=56,
    least_y_tick=32,
    steps=8,
    pad=0.025,
    coloured=True,
)
"""A result: names at the lines' ends where there is room for them."""

COMPACT: Final = ChartStyle(
    margins=(12, 4),
    gaps=0.35,
    title="body",
    label="caption",
    number_room="",
    sample=20,
    x_tick=64,
    y_tick=17,
    least_y_tick=17,
    steps=1,
    pad=0.0,
    coloured=False,
)
"""A chart of a side panel."""


@dataclass(frozen=True)
class ChartFonts:
    """The fonts of a chart."""

    title: QFont
    label: QFont
    small: QFont
    sentence: QFont

    @classmethod
    def of(cls, style: ChartStyle, scale: float) -> ChartFonts:
        """The fonts of a style at a scale."""
        title, label, small, sentence = (
            round(SIZES[size] * scale) for size in (style.title, style.label, "caption", "body")
        )
        fonts = (
            text_font(title, QFont.Weight.DemiBold),
            text_font(label),
            text_font(small),
            text_font(sentence),
        )
        if style.family:
            for font in fonts:
                font.setFamilies([style.family, *font.families()])
        return cls(*fonts)
