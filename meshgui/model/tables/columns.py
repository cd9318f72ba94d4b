"""The columns of tables: cells as shown and as exported, order, and widths."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics import words
from meshgui.engine.basics.sentences import Link
from meshgui.engine.basics.translation import formatted
from meshgui.model.tables.tables import LazyRows, PlainTable


class TableSource(Protocol):
    """The rows of a table: their number, title and scope."""

    def __len__(self) -> int: ...

    @property
    def title(self) -> str:
        """The title of the table."""
        ...

    @property
    def scope(self) -> Hashable:
        """While this stays the same, no column becomes narrower."""
        ...


D = TypeVar("D", bound=TableSource)


class TableCell(NamedTuple):
    """The text of one place of a table, the job it stands for, and its colour in the theme.

    A sign before the text has a colour of its own. Where the text has no room, the first of the shorter ones
    that has is drawn: a number cut short is another number.
    """

    text: str
    job: int | None = None
    tone: str = "text"
    shorter: tuple[str, ...] = ()
    sign: str = ""
    sign_tone: str = "text"


UNKNOWN: Final = TableCell(words.UNKNOWN, tone="muted")
"""The cell of a value that is not known, or that there is not."""


class SortOrder(NamedTuple):
    """The column by which rows are sorted, named by its key."""

    key: str
    descending: bool


class GiveWay(NamedTuple):
    """How some columns save room: by their next shorter form, or by disappearing, perhaps only if empty.

    Without columns it is the captions of all that are no longer names in full.
    """

    columns: tuple[str, ...] = ()  # by their ids
    hide: bool = False
    if_empty: bool = False


@dataclass(frozen=True)
class Column(Generic[D]):
    """One column of a table over some data; its functions take the data and the number of a row in it.

    A column without `value` is in views only.
    """

    title: str
    value: Callable[[D, int], object] | None = None  # in full precision; None where there is nothing
    form: str = ""  # the format of the value in its cell
    tone: Callable[[D, int], str] = lambda _data, _row: "text"
    job: Callable[[D, int], int | None] | None = None  # the job whose colour stands before the text
    cell: Callable[[D, int], TableCell] | None = None  # where it shows more than the value
    brief: Callable[[D, int], TableCell] | None = None  # the cell in its shorter forms, where it is another
    shown: bool = True  # else it is in files only
    name: str = ""  # its title in files, where that is another
    number: bool = False  # right-aligned
    key: str = ""  # by what its caption sorts
    order: Callable[[D], NDArray[np.generic]] | None = None  # numbers to sort all rows by; NaN comes last
    widest: Callable[[D], Iterable[str]] = lambda _data: ()  # texts that there must be room for
    shorter: tuple[Callable[[D], Iterable[str]], ...] = ()  # the same for its shorter forms
    sign: bool = False  # its cells have a sign before them
    grows: bool = False  # takes the room that is left
    shrinks: bool = False  # shrinks if nothing else suffices
    link: Callable[[D, int], Link | None] | None = None  # the link of its cells, if it is not that of the row
    id: str = ""  # what others call it, in every language
    full_title: str = ""  # its caption before that gives way

    def cell_of(self, data: D, row: int, *, brief: bool = False) -> TableCell:
        """The cell in a row: its own, or else its value in its format."""
        own = self.brief if brief and self.brief is not None else self.cell
        if own is not None:
            return own(data, row)
        value = None if self.value is None else self.value(data, row)
        if value is None:
            return UNKNOWN
        job = None if self.job is None else self.job(data, row)
        return TableCell(formatted(value, self.form), job, self.tone(data, row))


def export(columns: Sequence[Column[D]], data: D, rows: Sequence[int] | None = None) -> PlainTable:
    """The values of these rows, or of all, for files and spreadsheets."""
    wanted = range(len(data)) if rows is None else rows
    parts = [(column.name or column.title, column.value) for column in columns if column.value is not None]

    def lines() -> Iterator[tuple[object, ...]]:
        return (tuple([value(data, row) for _, value in parts]) for row in wanted)

    return PlainTable(data.title, tuple(name for name, _ in parts), LazyRows(len(wanted), lines))


def rows_in_order(columns: Sequence[Column[D]], data: D, order: SortOrder | None) -> Sequence[int]:
    """The rows in order of a column; equal ones as they stand, and unknown ones last either way."""
    found = None if order is None else next((c for c in columns if c.key and c.key == order.key), None)
    if order is None or found is None or found.order is None:
        return range(len(data))
    by = np.asarray(found.order(data))
    rows: list[int] = np.argsort(-by if order.descending else by, kind="stable").tolist()
    return rows


def longest_texts(texts: Iterable[str]) -> list[str]:
    """The candidates for the widest text: none has fewer letters than one before it."""
    longest: dict[str, None] = {}
    letters = 0
    for text in texts:
        if len(text) >= letters and text not in longest:
            letters = len(text)
            longest[text] = None
    return list(longest)
