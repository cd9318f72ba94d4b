"""Tables as data: columns and rows in full precision, written as CSV, or set for a spreadsheet to paste."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import length_hint
from pathlib import Path
from typing import Final

import numpy as np

from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.basics.files import whole_file
from meshgui.engine.basics.translation import formatted, tr

MOST_COPIED: Final = 100_000
"""Rows that can be copied: a clipboard holds all of them in memory, as does what pastes them."""

_AT_ONCE: Final = 2048  # rows put into words together
_PLAIN: Final = (str, int, float, bool)


class TooLongError(ValueError):
    """A table with more rows than can be copied."""


class LazyRows:
    """Rows that are made one by one as they are read; their number is known before."""

    def __init__(self, count: int, rows: Callable[[], Iterable[Sequence[object]]]) -> None:
        self._count, self._rows = count, rows

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Sequence[object]]:
        return iter(self._rows())


@dataclass(frozen=True)
class PlainTable:
    """A table of given rows: texts, numbers, and None where there is nothing.

    What the rows are made of must not change afterwards; rows that know their number let progress be shown.
    """

    title: str
    columns: tuple[str, ...]
    rows: Iterable[Sequence[object]]


def csv_chunks(table: PlainTable) -> Iterator[tuple[int, bytes]]:
    """The table as CSV after RFC 4180 in UTF-8, the titles first: with each part how many rows it holds."""
    for count, text in _chunks(table, delimiter=",", lineterminator="\r\n"):
        yield count, text.encode("utf-8")


def write_csv(path: Path, table: PlainTable) -> Generator[int, None, None]:
    """Write the table, yielding after each part how many rows are written.

    The file replaces the old one after the last part; if closed before that, there is none, and
    an old one stays as it is.
    """
    written = 0
    with whole_file(path) as file:
        for count, part in csv_chunks(table):
            file.write(part)
            written += count
            yield written


def pasted(table: PlainTable) -> str:
    """The table with tabs between its cells, as spreadsheets paste it."""
    if (count := length_hint(table.rows)) > MOST_COPIED:
        raise TooLongError(_too_long(formatted(count, ",")))
    copied, parts = 0, []
    for count, text in _chunks(table, delimiter="\t", lineterminator="\n"):
        copied += count
        if copied > MOST_COPIED:  # its rows did not know how many they are
            raise TooLongError(_too_long(tr("more than {most:,}").format(most=MOST_COPIED)))
        parts.append(text)
    return "".join(parts)


def _too_long(rows: str) -> str:
    return tr("The table has {rows} rows, but at most {most:,} can be copied: export it as CSV.").format(
        rows=rows, most=MOST_COPIED
    )


def _chunks(table: PlainTable, *, delimiter: str, lineterminator: str) -> Iterator[tuple[int, str]]:
    """Titles and rows as text, some at once."""
    names = table.columns
    rows = iter(table.rows)
    head: list[Sequence[object]] = [names]
    while (part := list(islice(rows, _AT_ONCE))) or head:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=delimiter, lineterminator=lineterminator)
        for row in head + part:
            if len(row) != len(names):
                raise ValueError(
                    tr("{table}: expected {cells} cells, got {found}").format(
                        table=table.title, cells=len(names), found=len(row)
                    )
                )
            writer.writerow([_cell(value) for value in row])
        head = []
        yield len(part), text.getvalue()


def _cell(value: object) -> object:
    """A number in full, nothing where there is none, and no formula."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    plain = value if isinstance(value, _PLAIN) else str(value)
    return harmless(plain) if isinstance(plain, str) else plain
