"""The columns of a setting's numbers: what was published and measured, and the verdict with its sign."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry, Setting
from meshgui.catalogue.judging import JudgedNumber, Verdict
from meshgui.catalogue.results_in_words import NumberRow, measured_wordings, row_of
from meshgui.engine.basics.translation import tr
from meshgui.model.fields.names import strategy_name
from meshgui.model.studies.verdict_looks import LOOKS
from meshgui.model.tables.columns import UNKNOWN, Column, GiveWay, TableCell


class EntryNumber(NamedTuple):
    """A judged number and its place among those of its entry."""

    row: int
    judged: JudgedNumber


@dataclass(frozen=True, eq=False)
class NumberRows:
    """The numbers of a setting. In files an order has a row for each strategy: see `published_tables`."""

    entry: CatalogueEntry
    setting: Setting
    numbers: Sequence[EntryNumber]

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def title(self) -> str:
        entry, setting = self.entry.readers_name, self.setting.readers_name
        return setting if setting.startswith(entry) else tr(", ").join((entry, setting))

    @property
    def scope(self) -> Hashable:
        return self.entry.id, self.setting.name

    @cached_property
    def words(self) -> list[NumberRow]:
        """The numbers as texts."""
        return [row_of(number.judged) for number in self.numbers]

    @cached_property
    def full(self) -> list[NumberRow]:
        """The same with full names."""
        return [row_of(number.judged, name=strategy_name) for number in self.numbers]

    def published(self, row: int) -> TableCell:
        """The published number; what is said of it in brackets is left out where there is no room."""
        words = self.words[row].published
        return TableCell(self.full[row].published, shorter=(words, _bare(words)))

    def measured(self, row: int) -> TableCell:
        """The measured number, in wordings for more or less room."""
        judged = self.numbers[row].judged
        whole, *shorter = (*measured_wordings(judged, strategy_name), *measured_wordings(judged))
        return UNKNOWN if judged.verdict is Verdict.NOT_RUN else TableCell(whole, shorter=tuple(shorter))

    def verdict(self, row: int) -> TableCell:
        """The verdict with its sign; `not precise` is a sign, too, where there is no room for the words."""
        text, judged = self.words[row].verdict, self.numbers[row].judged
        look = LOOKS[judged.verdict]
        short = (self.brief_verdict(row),) if text != judged.verdict.words else ()
        tone = "text" if judged.precise else "muted"
        return TableCell(text, tone=tone, shorter=short, sign=look.sign, sign_tone=look.tone)

    def brief_verdict(self, row: int) -> str:
        """The verdict in a word, with ± behind it where it is not precise."""
        word = self.numbers[row].judged.verdict.words
        return word if self.words[row].verdict == word else f"{word} ±"


_LONGEST: Final = 60  # letters of a text for which a column is widened; longer ones are cut


def _bare(words: str) -> str:
    """A published number without what is said of it in brackets."""
    return words.partition(" (")[0]


def _widest(usual: str, text: Callable[[NumberRow], str] | None = None) -> Callable[[NumberRows], list[str]]:
    """The widest usual text, so that the first results move nothing, and the texts there are before them."""
    return lambda d: [usual, *(text(row)[:_LONGEST] for row in d.words if text is not None)]


NUMBER_COLUMNS: Final[tuple[Column[NumberRows], ...]] = (
    Column(
        tr("Figure"),
        lambda d, row: d.words[row].figure,
        cell=lambda d, row: TableCell(d.full[row].figure),
        brief=lambda d, row: TableCell(d.words[row].figure),
        widest=lambda d: [row.figure for row in d.full],
        shorter=(_widest(tr("Turnaround: paging(0) / mbs"), lambda row: row.figure),),
        shrinks=True,
        id="figure",
    ),
    Column(
        tr("Published"),
        lambda d, row: d.words[row].published,
        cell=NumberRows.published,
        widest=_widest(tr("1.65 (almost identical)"), lambda row: row.published),
        shorter=(
            lambda d: [row.published[:_LONGEST] for row in d.words],
            lambda d: [_bare(row.published)[:_LONGEST] for row in d.words],
        ),
        shrinks=True,
        id="published",
    ),
    Column(
        tr("Measured"),
        cell=NumberRows.measured,
        widest=_widest("0.00118 ± 0.00047"),
        shorter=(lambda d: [measured_wordings(number.judged)[-1] for number in d.numbers],),
        grows=True,
        shrinks=True,
        id="measured",
    ),
    Column(tr("Ratio"), lambda d, row: d.words[row].ratio, widest=_widest("10.00"), id="ratio"),
    Column(
        tr("Verdict"),
        cell=NumberRows.verdict,
        id="verdict",
        widest=lambda _d: [tr("reproduced, not precise"), *(verdict.words for verdict in Verdict)],
        shorter=(
            lambda d: [row.verdict for row in d.words],
            lambda d: [d.brief_verdict(row) for row in range(len(d))],
        ),
        sign=True,
    ),
    Column(tr("Runs"), lambda d, row: d.words[row].runs, widest=_widest("1000"), number=True, id="runs"),
)
NUMBER_GIVE_WAY: Final = (
    GiveWay(("figure",)),
    GiveWay(("verdict",)),
    GiveWay(("verdict",)),
    GiveWay(("published",)),
    GiveWay(("measured",)),
    GiveWay(("runs",), hide=True),
    GiveWay(("ratio",), hide=True),
    GiveWay(("published",)),
    GiveWay(("measured",), hide=True, if_empty=True),
)
