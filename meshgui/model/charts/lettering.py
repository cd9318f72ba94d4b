"""The words and letters of a printed chart: its font, labels and legend, as chosen for a paper or a slide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from meshgui.model.charts.charts import ChartData

LegendPlace = Literal["auto", "beside", "above", "none"]
LEGEND_PLACES: Final[tuple[LegendPlace, ...]] = get_args(LegendPlace)
"""Where the names of series are: beside the lines if they fit, always beside them, in rows above, nowhere."""

MILLIMETRE: Final = 96 / 25.4
"""Pixels of a picture at scale 1."""


@dataclass(frozen=True)
class Lettering:
    """The choices; an empty family and 0 points are the chart's own, None a label of its own."""

    family: str = ""
    points: float = 0.0
    legend: LegendPlace = "auto"
    title: str | None = None
    x_label: str | None = None
    y_label: str | None = None

    def applied(self, chart: ChartData) -> ChartData:
        """The chart with the labels chosen."""
        named = {name: getattr(self, name) for name in ("title", "x_label", "y_label")}
        return replace(chart, **{name: label for name, label in named.items() if label is not None})
