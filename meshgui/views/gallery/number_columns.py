"""The columns of a setting's numbers: what was published and measured, and the verdict with its sign."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from meshgui.catalogue.entries import CatalogueEntry, Setting
from meshgui.catalogue.judging import JudgedNumber, Verdict
from meshgui.catalogue.results_in_words import NumberRow, measured_wordings, row_of
from meshgui.model.columns import UNKNOWN, Column, TableCell
from meshgui.views.gallery.verdict_look import LOOKS

__all__ = ["NUMBER_COLUMNS", "USUAL", "EntryNumber", "NumberRows"]


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
        """See TableSource."""
        name, entry = self.setting.name, self.entry.id
        return f"{entry}, {name}" if name != entry else entry

    @property
    def scope(self) -> Hashable:
        """See TableSource."""
        return self.title

    @cached_property
    def words(self) -> list[NumberRow]:
        """The numbers in words."""
        return [row_of(number.judged) for number in self.numbers]

    def measured(self, row: int) -> TableCell:
        """What was measured, in as many words as have room."""
        judged = self.numbers[row].judged
        whole, *shorter = measured_wordings(judged)
        return UNKNOWN if judged.verdict is Verdict.NOT_RUN else TableCell(whole, shorter=tuple(shorter))

    def verdict(self, row: int) -> TableCell:
        """The verdict with its sign; that it is not precise is said where there is room."""
        text, judged = self.words[row].verdict, self.numbers[row].judged
        look = LOOKS[judged.verdict]
        short = (judged.verdict.value,) if text != judged.verdict.value else ()
        tone = "text" if judged.precise else "muted"
        return TableCell(text, tone=tone, shorter=short, sign=look.sign, sign_tone=look.tone)


USUAL: Final = (
    "Turnaround: paging(0) / mbs",
    "1.65 (almost identical)",
    "0.00118 ± 0.00047",
    "10.00",
    "reproduced, not precise",
    "1000",
)
"""The widest usual texts, column by column; longer ones are cut, and whole in tooltips."""

NUMBER_COLUMNS: Final[tuple[Column[NumberRows], ...]] = (
    Column("Figure", lambda d, row: d.words[row].figure),
    Column("Published", lambda d, row: d.words[row].published),
    Column("Measured", cell=NumberRows.measured),
    Column("Ratio", lambda d, row: d.words[row].ratio),
    Column("Verdict", cell=NumberRows.verdict, sign=True),
    Column("Runs", lambda d, row: d.words[row].runs, number=True),
)
