"""The charts of a published result: what was measured, with its intervals, and over it what was published.

A chart has the numbers of one setting that are of one figure and of one kind: amounts, ratios or differences.
A bar is what was measured; numbers that are of the same runs share it, and each has its mark. What a paper
leaves to others has no marks: it is drawn over the loads, a curve for each strategy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import JudgedNumber
from meshgui.catalogue.results_in_words import scaled
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.experiment.statistics import Estimate
from meshgui.experiment.theory import IF_UNLOADED, UNLOADED
from meshgui.model.base.named import ids_in
from meshgui.model.charts.charts import ChartData, ChartSeries, PublishedMark
from meshgui.model.fields.names import strategy_name

PICTURES: Final = 3
"""Charts of an entry that its page shows."""

_EXTREMES: Final = {"least": tr("least"), "greatest": tr("greatest")}
_MEASURED: Final = "measured"
_ROUND: Final = 8  # colours: beyond these the same one has another dash
_FEWEST: Final = 3  # bars: of fewer the table says as much
_REACH: Final = 1.15  # how far beyond what is measured an open range is drawn
_EMPTY: Final = tr("Not run yet.")
_OPEN: Final = tr("Where only one end of a range is published, the other end is drawn at the measured value.")

_Kind = Literal["amount", "ratio", "difference"]


class Bar(NamedTuple):
    """What a bar is about: its name, and which of an entry's judged numbers are read off it."""

    name: str
    rows: tuple[int, ...]


class PublishedChart(NamedTuple):
    """A chart of an entry; the points of its series are `Bar`s, also where these are curves."""

    setting: str
    figure: str
    kind: str
    chart: ChartData

    @property
    def bars(self) -> tuple[Bar, ...]:
        """What its bars are about."""
        return tuple(about for one in self.chart.series for about in one.points if isinstance(about, Bar))

    @property
    def rows(self) -> frozenset[int]:
        """The numbers it shows, by their places among the entry's judged ones."""
        return frozenset(row for bar in self.bars for row in bar.rows)

    @property
    def shows_times_alone(self) -> bool:
        """Whether it has nothing but times by the clock, which no other run measures again."""
        return FIGURES[self.figure].wall and not self.chart.marks

    def bar_of(self, row: int, strategy: str = "") -> Bar | None:
        """The bar a number is read off; of an order, which is read off several, that of the strategy."""
        found = [bar for bar in self.bars if row in bar.rows]
        named = [bar for bar in found if strategy and bar.name.startswith(strategy)]
        return next(iter(named or found), None)


class _Group(NamedTuple):
    """Numbers that go into one chart."""

    setting: str
    figure: str
    kind: _Kind


class _Part(NamedTuple):
    """A number, or one strategy's part in an order: what its bar is called and what was measured."""

    row: int
    judged: JudgedNumber
    what: str  # tbl / ff
    where: str  # at which load
    measured: Estimate | None
    full: str = ""  # the same as `what`, with full names


def charts_of(entry: CatalogueEntry, judged: Iterable[JudgedNumber]) -> list[PublishedChart]:
    """Setting by setting, a chart for each figure; those of numbers that were not run have marks alone."""
    rows = [(row, found) for row, found in enumerate(judged) if not found.number.schedule]
    places = {name: place for place, name in enumerate(entry.settings)}
    groups: dict[_Group, list[_Part]] = {}
    for row, found in sorted(rows, key=lambda item: places[item[1].setting]):
        groups.setdefault(_group(found), []).extend(_parts(entry, row, found))
    return [
        PublishedChart(group.setting, group.figure, group.kind, _chart(entry, group, parts))
        for group, parts in groups.items()
    ]


def worth_a_picture(charts: Sequence[PublishedChart]) -> list[PublishedChart]:
    """The charts that the page of an entry shows: those of the most bars, three of them, none of few."""
    there = [
        chart
        for chart in charts
        if len(chart.bars) >= _FEWEST and not chart.chart.is_empty and not chart.shows_times_alone
    ]
    return sorted(there, key=lambda chart: -len(chart.bars))[:PICTURES]


def file_names(entry: CatalogueEntry, charts: Sequence[PublishedChart]) -> list[str]:
    """A name for the picture of each chart: `000-C3-uniform-turnaround-ratio.svg`."""
    names: list[str] = []
    for chart in charts:
        words = f"{entry.id} {chart.setting} {chart.figure} {chart.kind}".lower()
        stem = "-".join(
            "".join(c if c.isalnum() and c.isascii() else " " for c in words.replace("×", "x")).split()
        )
        taken = sum(name.startswith((f"{stem}.", f"{stem}--")) for name in names)
        names.append(f"{stem}.svg" if not taken else f"{stem}--{taken + 1}.svg")
    return names


def _group(judged: JudgedNumber) -> _Group:
    number = judged.number
    kind: _Kind = "difference" if number.difference else "ratio" if judged.to else "amount"
    return _Group(judged.setting, number.figure, kind)


def _parts(entry: CatalogueEntry, row: int, judged: JudgedNumber) -> Iterator[_Part]:
    number = judged.number
    if number.highest or number.lowest:
        load = judged.load if judged.load is not None else number.load
        where = "" if load is None else formatted(load, "g")
        for name in entry.settings[judged.setting].strategies:
            yield _Part(row, judged, name, where, judged.means.get(name), strategy_name(name))
        return
    what, full = (_what(judged, name) for name in (str, strategy_name))
    yield _Part(row, judged, what, _place_words(judged), judged.measured, full)


def _what(judged: JudgedNumber, name: Callable[[str], str]) -> str:
    """Which strategy, and which it is set beside."""
    number = judged.number
    what = name(number.strategy) if number.strategy else ""
    if judged.to:
        what += f" {'−' if number.difference else '/'} {name(judged.to)}"
    return what + (f" ({number.to_setting})" if number.to_setting else "")


def _place_words(judged: JudgedNumber) -> str:
    number = judged.number
    if number.over_loads:
        return number.over_loads
    if judged.load is None:
        return ""
    if number.to_load is None:
        return formatted(judged.load, "g")
    return tr("{load:g} and {other:g}").format(load=judged.load, other=number.to_load)


def _chart(entry: CatalogueEntry, group: _Group, parts: Sequence[_Part]) -> ChartData:
    figure, what = FIGURES[group.figure], entry.settings[group.setting].what
    scale, unit = scaled(parts[0].judged)
    if all(part.judged.number.asked and part.judged.load is not None for part in parts):
        return _curves(
            f"{figure.title}: {what}", f"{figure.title} ({unit.strip() or figure.unit_words})", parts
        )
    wheres = {part.where for part in parts}
    common = wheres.pop() if len(wheres) == 1 else None  # said once, above, and not below every bar
    short_title = f"{figure.title}{_at(common)}"
    named = {_name(part, common): _name(part._replace(what=part.full), common) for part in parts}
    bars = [
        Bar(name, tuple(dict.fromkeys(p.row for p in parts if _name(p, common) == name))) for name in named
    ]
    found = {_name(part, common): part.measured for part in parts if part.measured is not None}
    series = ChartSeries.of(
        _MEASURED,
        tr("measured"),
        0,
        range(len(bars)),
        [found[bar.name].mean * scale if bar.name in found else math.nan for bar in bars],
        half=[_half(found.get(bar.name)) * scale for bar in bars],
        runs=[found[bar.name].runs if bar.name in found else 0 for bar in bars],
        points=bars,
    )
    marks = (_mark(_name(part, common), part, scale) for part in parts)
    return ChartData(
        f"{short_title}: {what}",
        "",
        f"{figure.title} ({_unit(group.kind, unit.strip() or figure.unit_words)})",
        (series,),
        "bars",
        tuple(named),
        marks=tuple(mark for mark in marks if mark is not None),
        note=_note(parts),
        empty=_EMPTY,
        short_title=short_title,
        full_categories=tuple(named.values()),
        names=_names(parts),
    )


def _curves(title: str, y_label: str, parts: Sequence[_Part]) -> ChartData:
    """What was measured over the loads, a curve for each strategy; and what theory expects of it."""
    scale, _ = scaled(parts[0].judged)
    curves: dict[str, list[_Part]] = {}
    for part in parts:
        curves.setdefault(part.what, []).append(part)
    series = [
        ChartSeries.of(
            name,
            name,
            place,
            [part.judged.load or 0.0 for part in curve],
            [math.nan if part.measured is None else part.measured.mean * scale for part in curve],
            half=[_half(part.measured) * scale for part in curve],
            runs=[0 if part.measured is None else part.measured.runs for part in curve],
            points=[Bar(tr(", ").join((name, part.where)), (part.row,)) for part in curve],
            full=curve[0].full,
        )
        for place, (name, curve) in enumerate(curves.items())
    ]
    expected = [
        ChartSeries.of(
            f"theory {one.key}",  # untranslated: a key
            f"{one.label} · {UNLOADED}",
            one.place + _ROUND,
            one.x,
            [math.nan if part.judged.expected is None else part.judged.expected for part in curve],
            full=f"{one.words} · {UNLOADED}",
        )
        for one, curve in zip(series, curves.values(), strict=True)
        if any(part.judged.expected is not None for part in curve)
    ]
    return ChartData(
        title,
        tr("load"),
        y_label,
        (*series, *expected),
        note=IF_UNLOADED if expected else "",
        empty=_EMPTY,
        short_title=title.partition(":")[0],
        names=_names(parts),
    )


def _names(parts: Iterable[_Part]) -> tuple[str, ...]:
    """The full names of all strategies of a chart, each once."""
    ids = (name for part in parts for name in (part.judged.number.strategy or part.what, part.judged.to))
    return tuple(name for one in dict.fromkeys(ids) if ids_in(name := strategy_name(one)))


def _name(part: _Part, common: str | None) -> str:
    if common is not None or not part.where:
        return part.what
    return tr(", ").join((part.what, _EXTREMES.get(part.where, part.where)))


def _at(where: str | None) -> str:
    """Where all bars of a chart are from."""
    if not where:
        return ""
    if where == "least":
        return tr(", least over all loads")
    if where == "greatest":
        return tr(", greatest over all loads")
    return tr(" at load {load}").format(load=where)


def _unit(kind: _Kind, unit: str) -> str:
    if kind == "ratio":
        return tr("ratio")
    return tr("difference, {unit}").format(unit=unit) if kind == "difference" else unit


def _half(measured: Estimate | None) -> float:
    """Half an interval; one run has none."""
    return measured.half_width if measured is not None and math.isfinite(measured.half_width) else math.nan


def _mark(name: str, part: _Part, scale: float) -> PublishedMark | None:
    """The published value, or the published range as far as it concerns what is drawn."""
    published, number = part.judged.published, part.judged.number
    if published is not None:
        return PublishedMark(name, published * scale, published * scale, _MEASURED)
    least, most = number.least, number.most
    if least is None and most is None:
        return None
    mean = 0.0 if part.measured is None else part.measured.mean
    low = min(0.0, mean) if least is None else least
    high = max(low, mean) * _REACH if most is None else most
    return PublishedMark(name, low * scale, high * scale, _MEASURED)


def _note(parts: Sequence[_Part]) -> str:
    """What no mark can show: orders, and that a range has no end."""
    said = [
        tr("the highest is {strategies}").format(
            strategies=tr(" or ").join(map(strategy_name, number.highest))
        )
        if number.highest
        else tr("the lowest is {strategies}").format(
            strategies=tr(" or ").join(map(strategy_name, number.lowest))
        )
        for number in dict.fromkeys(part.judged.number for part in parts)
        if number.highest or number.lowest
    ]
    notes = [tr("Published: {orders}.").format(orders=", ".join(said))] if said else []
    numbers = [part.judged.number for part in parts]
    if any((number.least is None) != (number.most is None) for number in numbers):
        notes.append(_OPEN)
    return " ".join(notes)
