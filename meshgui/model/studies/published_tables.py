"""Published and measured numbers as a table in full precision, for files and spreadsheets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from meshgui.catalogue.entries import CatalogueEntry
from meshgui.catalogue.judging import JudgedNumber
from meshgui.catalogue.results_in_words import row_of
from meshgui.catalogue.sources import cited
from meshgui.engine.basics.translation import tr
from meshgui.experiment.statistics import Estimate
from meshgui.model.tables.tables import PlainTable

COLUMNS = (
    tr("entry"),
    tr("setting"),
    tr("source"),
    tr("figure"),
    tr("strategy"),
    tr("to"),
    tr("load"),
    tr("published"),
    tr("published at least"),
    tr("published at most"),
    tr("published in words"),
    tr("measured"),
    tr("half width"),
    tr("runs"),
    tr("ratio"),
    tr("verdict"),
    tr("precise"),
)


def table_of(entry: CatalogueEntry, judged: Iterable[JudgedNumber], title: str) -> PlainTable:
    """A row a number; of an order a row for each strategy, under the verdict on the whole order."""
    return PlainTable(title, COLUMNS, [row for one in judged for row in _rows(entry, one)])


def _rows(entry: CatalogueEntry, judged: JudgedNumber) -> Iterable[Sequence[object]]:
    number, setting = judged.number, entry.settings[judged.setting]
    first = (entry.readers_name, setting.readers_name, cited(setting.source), number.figure or tr("schedule"))
    said = (judged.published, number.least, number.most, row_of(judged).published)
    last = (judged.ratio, judged.verdict.words, tr("yes") if judged.precise else tr("no"))
    found: Mapping[str, Estimate | None] = judged.means or {number.strategy: judged.measured}
    for strategy, measured in found.items():
        mean = None if measured is None else measured.mean
        half = measured.half_width if measured is not None and math.isfinite(measured.half_width) else None
        runs = None if measured is None else measured.runs
        yield (*first, strategy or None, judged.to or None, judged.load, *said, mean, half, runs, *last)
