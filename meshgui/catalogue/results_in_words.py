"""Published and measured numbers in words, as the command line, the page and the gallery have them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import JudgedNumber, Verdict
from meshgui.engine.basics.translation import formatted, has_decimal_comma, tr
from meshgui.engine.basics.words import UNKNOWN, percentage_points
from meshgui.engine.runs.dictionary import FIGURES
from meshgui.experiment.statistics import Estimate

HEADING: Final = (*(tr("figure"), tr("published"), tr("measured"), tr("ratio"), tr("verdict"), tr("runs")),)

_LEAST: Final = 1e-6  # half the width of an interval; what is less has too many zeros


class NumberRow(NamedTuple):
    """One number, cell by cell under `HEADING`."""

    figure: str
    published: str
    measured: str
    ratio: str
    verdict: str
    runs: str


def row_of(judged: JudgedNumber, *, times: bool = True, name: Callable[[str], str] = str) -> NumberRow:
    """A judged number in words; unless `times`, of an order by the clock without the times measured.

    Strategies are called by their ids, or by what `name` makes of these.
    """
    measured = judged.measured
    ratio = "" if judged.ratio is None or not math.isfinite(judged.ratio) else formatted(judged.ratio, ".2f")
    known = judged.precise or judged.verdict is Verdict.NOT_RUN
    verdict = judged.verdict.words + ("" if known else tr(", not precise"))
    runs = max((e.runs for e in judged.means.values()), default=0) if measured is None else measured.runs
    wordings = measured_wordings(judged, name)
    found = wordings[1] if judged.means and judged.number.timed and not times else wordings[0]
    return NumberRow(
        _quantity_words(judged, name), _published(judged, name), found, ratio, verdict, str(runs or "")
    )


def _quantity_words(judged: JudgedNumber, name: Callable[[str], str] = str) -> str:
    """What a number is of: utilisation: tbl, at load 5.8."""
    number = judged.number
    if number.schedule:
        return tr("the whole schedule")
    title = FIGURES[number.figure].title
    sign = "−" if number.difference else "/"
    over = f" {sign} {name(judged.to)}" if judged.to else ""
    if number.to_setting:
        over += f" ({number.to_setting})"
    of = f": {name(number.strategy)}{over}" if number.strategy else ""
    where = ""
    if number.over_loads:
        most = number.over_loads == "greatest"
        where = tr(", greatest over all loads") if most else tr(", least over all loads")
    elif judged.load is not None:
        where = tr(", at load {load:g}").format(load=judged.load)
        if number.to_load is not None:
            where += tr(" and {load:g}").format(load=number.to_load)
    return title + of + where


def scaled(judged: JudgedNumber) -> tuple[float, str]:
    """By what a number is multiplied to be shown, and its unit after a space; a ratio has neither."""
    number = judged.number
    if judged.to and not number.difference:
        return 1.0, ""
    if number.figure not in FIGURES:
        return 1.0, ""
    if FIGURES[number.figure].unit == "seconds":
        return 1e6, " µs"
    if not FIGURES[number.figure].percent:
        return 1.0, ""
    return 100.0, percentage_points() if number.difference else " %"


def _published(judged: JudgedNumber, name: Callable[[str], str]) -> str:
    number, (scale, unit) = judged.number, scaled(judged)
    if number.schedule:
        return tr("{number} jobs").format(number=len(number.schedule))
    if number.highest or number.lowest:
        which = tr("highest") if number.highest else tr("lowest")
        return f"{which}: {tr(', ').join(map(name, number.highest or number.lowest))}"
    if number.asked:
        return tr("nothing published")
    if judged.published is None:
        least, most = number.least, number.most
        if least is None and most is None:
            return number.words
        if least is None:
            said = tr("at most {short}{unit}").format(short=short((most or 0.0) * scale), unit=unit)
        elif most is None:
            said = tr("at least {short}{unit}").format(short=short(least * scale), unit=unit)
        else:
            said = tr("{low} to {high}{unit}").format(
                low=short(least * scale), high=short(most * scale), unit=unit
            )
    else:
        said = short(judged.published * scale) + unit
        if number.interval:
            between = "; " if has_decimal_comma() else ", "
            said += f" [{between.join(short(end * scale) for end in number.interval[:2])}]"
    if number.words:
        said += f" ({number.words})"
    return said + (tr(" (from the table)") if number.derived else "")


def measured_wordings(judged: JudgedNumber, name: Callable[[str], str] = str) -> tuple[str, ...]:
    """What was measured, and shorter: without every load, without its own; of an order its end."""
    scale, unit = scaled(judged)
    if judged.verdict is Verdict.NOT_RUN:
        return (UNKNOWN,)
    if judged.means:
        up = bool(judged.number.highest)
        ranked = sorted(judged.means, key=lambda one: judged.means[one].mean)
        whole = " < ".join(f"{name(one)} {short(judged.means[one].mean * scale)}" for one in ranked)
        named = judged.number.highest or judged.number.lowest
        ends = tr(", ").join(
            map(name, sorted(judged.means, key=lambda one: judged.means[one].mean, reverse=up)[: len(named)])
        )
        said = tr("highest: {ends}") if up else tr("lowest: {ends}")
        return whole, said.format(ends=ends), ends
    if judged.number.schedule:
        return (tr("the same") if judged.verdict is Verdict.REPRODUCED else tr("another one"),)
    if judged.measured is None:
        return ("",)
    said = shown(judged.measured, scale) + unit
    if not judged.loads:
        return (said,)
    here = (
        tr("{said} at load {load:g}").format(said=said, load=judged.load) if judged.load is not None else said
    )
    every = tr(", ").join(
        f"{formatted(load, 'g')}: {short(found.mean * scale)}" for load, found in judged.loads.items()
    )
    return f"{here}; {every}", here, said


def short(value: float) -> str:
    """A number to three figures or the nearest whole one."""
    return formatted(value, ",.0f" if abs(value) >= 100 else ".3g")


def shown(measured: Estimate, scale: float = 1.0) -> str:
    """A mean with its interval, if that is known and has a width, both to the second digit of that."""
    mean, half = measured.mean * scale, measured.half_width * scale
    if not math.isfinite(half) or half == 0:
        return short(mean)
    if half < _LEAST:
        return f"{short(mean)} ± {formatted(half, '.2g')}"
    form = f",.{max(1 - math.floor(math.log10(half)), 0)}f"
    return f"{formatted(mean, form)} ± {formatted(half, form)}"


def verdict_counts(judged: Iterable[JudgedNumber]) -> dict[Verdict, int]:
    """How many numbers have each verdict."""
    found = Counter(j.verdict for j in judged)
    return {verdict: found[verdict] for verdict in Verdict if found[verdict]}


def verdicts_in_words(judged: Iterable[JudgedNumber]) -> str:
    """As part of a sentence: `7 reproduced (6 not precise), 1 differs`."""
    numbers = list(judged)
    vague = verdict_counts(one for one in numbers if not one.precise and one.verdict is not Verdict.NOT_RUN)
    parts = []
    for verdict, count in verdict_counts(numbers).items():
        more = tr(" ({vague} not precise)").format(vague=vague[verdict]) if verdict in vague else ""
        parts.append(f"{count} {verdict.words}{more}")
    return tr(", ").join(parts)


def as_data(entry: CatalogueEntry, judged: Iterable[JudgedNumber]) -> dict[str, Any]:
    """An entry with what was measured, as plain data."""
    rows = list(judged)
    return {
        "id": entry.id,
        "title": entry.title,
        "source": entry.source,
        "text": entry.text,
        "settings": [
            {"name": name, "what": setting.what, "source": setting.source, "scenario": setting.scenario}
            for name, setting in entry.settings.items()
        ],
        "verdicts": {verdict.value: n for verdict, n in verdict_counts(rows).items()},
        "numbers": [_number(j) for j in rows],
        "remarks": list(entry.remarks),
    }


def _number(judged: JudgedNumber) -> dict[str, Any]:
    number = judged.number
    published: Any = judged.published
    if published is None and (number.least is not None or number.most is not None):
        published = [number.least, number.most]
    return {
        "setting": judged.setting,
        "figure": number.figure or "schedule",
        "strategy": number.strategy or None,
        "to": judged.to or None,
        "load": judged.load,
        "what": _quantity_words(judged),
        "published": published,
        "interval": list(number.interval) or None,
        "highest": list(number.highest) or None,
        "lowest": list(number.lowest) or None,
        "measured": _estimate(judged.measured),
        "means": {name: _estimate(found) for name, found in judged.means.items()} or None,
        "ratio": judged.ratio if judged.ratio is not None and math.isfinite(judged.ratio) else None,
        "verdict": judged.verdict.value,
        "precise": judged.precise,
    }


def _estimate(found: Estimate | None) -> dict[str, Any] | None:
    if found is None:
        return None
    half = found.half_width if math.isfinite(found.half_width) else None
    return {"mean": found.mean if math.isfinite(found.mean) else None, "half_width": half, "runs": found.runs}
