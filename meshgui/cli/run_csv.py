"""The results of a run as comma-separated tables: a row a finished job, a row a channel and span of time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from meshgui.cli import output
from meshgui.cli.faults import UsageError
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.engine.runs.table_dictionary import TABLES
from meshgui.engine.runs.tables import ChannelRowsError, Columns, channel_slices, table_of

_ROWS_AT_ONCE: Final = 1 << 14


def job_table(recording: Recording) -> Iterator[bytes]:
    """The figures of each finished job, a heading first.

    Columns that had other names in older versions have those where they were, and their own at the end.
    """
    columns = table_of(recording, "jobs")
    former = {of.name: of.also for of in TABLES["jobs"].columns if of.also}
    columns = {former.get(name, name): values for name, values in columns.items()} | {
        name: columns[name] for name in former
    }
    yield (",".join(columns) + "\n").encode()
    count = len(columns["job"])
    with output.ProgressLine(tr("Writing"), "job") as progress:
        for begin in range(0, count, _ROWS_AT_ONCE):
            yield from _rows(
                {name: values[begin : begin + _ROWS_AT_ONCE] for name, values in columns.items()}
            )
            progress.report(begin, count)


def size_table(recording: Recording) -> Iterator[bytes]:
    """The figures of jobs by classes of size, a heading first."""
    columns = table_of(recording, "by_size")
    yield (",".join(columns) + "\n").encode()
    yield from _rows(columns)


def channel_table(recording: Recording, every: int | None) -> Iterator[bytes]:
    """What each channel that carried a flit in the run carried in each slice of it, a heading first.

    What is too long is refused at once, before the first row is asked for.
    """
    try:
        count, slices = channel_slices(recording, every)
    except ChannelRowsError as error:
        said = tr("meshgui run: --channels: {error}; a larger --every makes fewer")
        raise UsageError(said.format(error=error)) from None

    def table() -> Iterator[bytes]:
        yield (",".join(of.name for of in TABLES["channels"].columns) + "\n").encode()
        with output.ProgressLine(tr("Writing"), "slice") as progress:
            for number, columns in enumerate(slices):
                yield from _rows(columns)
                progress.report(number, count)

    return table()


def _rows(columns: Columns) -> Iterator[bytes]:
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    yield "".join(",".join(map(_cell, row)) + "\n" for row in rows).encode()


def _cell(value: Any) -> str:  # noqa: ANN401 - a number or a word
    """A number in full, nothing for one that there is not; a word with a comma in quotation marks."""
    if isinstance(value, str):
        return f'"{value}"' if "," in value else value
    return "" if math.isnan(value) else str(value)
