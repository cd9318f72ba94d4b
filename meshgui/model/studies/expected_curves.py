"""What theory expects, as series of the chart of an experiment: a line without intervals for each series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from meshgui.engine.basics.translation import tr
from meshgui.experiment.results import PointResult
from meshgui.experiment.theory import expected
from meshgui.model.charts.charts import ChartSeries

_KEY: Final = "theory"  # before the key of the series it stands beside


def expected_series(
    points: Mapping[int, PointResult], figure: str, series: Sequence[ChartSeries], beyond: int
) -> tuple[list[ChartSeries], tuple[str, ...]]:
    """The series, each in the colour of the one it belongs to and `beyond` its place; what they assume.

    Series of which theory expects the same have one.
    """
    made: dict[tuple[bytes, bytes], ChartSeries] = {}
    said: dict[str, None] = {}
    for one in series:
        names: dict[str, None] = {}
        values = []
        for about in one.points:
            found = expected(points[about[1]], figure) if isinstance(about, tuple) else None
            values.append(math.nan if found is None else found.value)
            if found is not None:
                names.setdefault(found.name)
                said.setdefault(found.assumptions)
        if not names:
            continue
        name = tr(" and ").join(names)
        key, label = f"{_KEY} {one.key}", f"{one.label} · {name}"
        full, place = f"{one.words} · {name}", one.place + beyond
        drawn = ChartSeries.of(key, label, place, one.x, values, points=one.points, full=full)
        curve = (drawn.x.tobytes(), drawn.y.tobytes())
        made[curve] = replace(made[curve], label=name, full="") if curve in made else drawn
    return list(made.values()), tuple(said)
