"""The charts of a published result: what was measured, with its intervals, and over it what was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from meshgui.engine.figures import FIGURES
from meshgui.engine.judging import Judged
from meshgui.engine.papers import Entry
from meshgui.engine.statistics import Estimate
from meshgui.model.charts import Chart, Mark, Series

__all__ = ["charts_of"]

_MEASURED: Final = "measured"
_REACH: Final = 1.15  # how far beyond what is measured an open range is drawn


class _Group(NamedTuple):
    """Numbers that go into one chart: of one setting, one figure, and one kind."""

    setting: str
    figure: str
    kind: str  # amounts, ratios, differences, orders


def charts_of(entry: Entry, judged: Iterable[Judged]) -> list[tuple[str, Chart]]:
    """Setting by setting, a chart for each figure; those of numbers that were not run are empty."""
    rows = sorted(
        (j for j in judged if not j.number.schedule), key=lambda j: list(entry.settings).index(j.setting)
    )
    order: dict[_Group, list[Judged]] = {}
    for row in rows:
        order.setdefault(_group(row), []).append(row)
    return [(group.setting, _chart(entry, group, members)) for group, members in order.items()]


def _group(judged: Judged) -> _Group:
    number = judged.number
    kind = "amount"
    if number.highest or number.lowest:
        kind = "order"
    elif number.difference:
        kind = "difference"
    elif judged.to:
        kind = "ratio"
    return _Group(judged.setting, number.figure, kind)


def _chart(entry: Entry, group: _Group, members: Sequence[Judged]) -> Chart:
    figure = FIGURES[group.figure]
    scale = 100.0 if figure.percent and group.kind != "ratio" else 1.0
    unit = {"ratio": "ratio", "difference": "difference"}.get(group.kind, figure.unit)
    label = f"{figure.title} ({'percent' if scale != 1 else unit})"
    title = f"{figure.title}, {entry.settings[group.setting].what}"
    bars = list(_bars(group, members))
    names = tuple(dict.fromkeys(name for name, _, _ in bars))
    found = {name: measured for name, measured, _ in bars if measured is not None}
    series = Series.of(
        _MEASURED,
        _MEASURED,
        0,
        range(len(names)),
        [found[name].mean * scale if name in found else float("nan") for name in names],
        half=[found[name].half_width * scale if name in found else float("nan") for name in names],
        runs=[found[name].runs if name in found else 0 for name in names],
        points=names,
    )
    marks = tuple(
        mark for name, measured, row in bars if (mark := _mark(name, measured, row, scale)) is not None
    )
    there = (series,) if names else ()
    return Chart(title, "", label, there, "bars", names, marks=marks, empty="It has not been run yet.")


def _bars(group: _Group, members: Sequence[Judged]) -> Iterator[tuple[str, Estimate | None, Judged]]:
    """Name, what was measured and the number, bar by bar."""
    for row in members:
        if group.kind == "order":
            yield from ((name, found, row) for name, found in row.means.items())
        else:
            yield _name(row), row.measured, row


def _name(judged: Judged) -> str:
    number = judged.number
    sign = "−" if number.difference else "/"
    name = f"{number.strategy} {sign} {judged.to}" if judged.to else number.strategy
    if number.over_loads:
        return f"{name}, {number.over_loads}"
    return name if judged.load is None else f"{name}, {judged.load:g}"


def _mark(name: str, measured: Estimate | None, judged: Judged, scale: float) -> Mark | None:
    """The published value, or the published range as far as it concerns what is drawn."""
    if judged.published is not None:
        return Mark(name, judged.published * scale, judged.published * scale, _MEASURED)
    least, most = judged.number.least, judged.number.most
    if least is None and most is None:
        return None
    low = 0.0 if least is None else least
    high = max(low, 0.0 if measured is None else measured.mean) * _REACH if most is None else most
    return Mark(name, low * scale, high * scale, _MEASURED)
