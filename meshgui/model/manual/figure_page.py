"""The page of figures and columns, written from their dictionaries."""

from __future__ import annotations

from collections.abc import Iterable

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import FIGURES, Figure
from meshgui.engine.runs.table_dictionary import TABLES, TableColumn

TITLE = tr("Figures and columns")


def figure_page() -> str:
    """Its Markdown, in the program's language."""
    parts = [f"# {TITLE}", *_introduction(), f"## {tr('Figures of a run')}", _figures()]
    parts += [_spreads(), _contract()]
    for name, table in TABLES.items():
        parts.append(f"## {tr('{title}: `{name}`').format(title=table.title, name=name)}")
        parts.append(tr("A row is {row}.").format(row=table.row))
        parts.append(_columns(table.columns))
    return "\n\n".join(parts) + "\n"


def _introduction() -> tuple[str, ...]:
    return (
        tr(
            "A number of a run has one name, in the library, in the JSON of `meshgui run`, in the CSV of "
            "`meshgui run` and `meshgui sweep`, in Parquet files and for `--until`. `meshgui figures --json` "
            "prints this page for programs."
        ),
        tr("A share is a number from 0 to 1 in files, and is shown in percent."),
    )


def _figures() -> str:
    head = (tr("name"), tr("what it is"), tr("unit"), tr("formula"), tr("averaged over"))
    return _table(head, map(_figure_row, FIGURES.values()))


def _figure_row(figure: Figure) -> tuple[str, ...]:
    return (
        f"`{figure.name}`",
        figure.help,
        figure.unit_words,
        f"`{figure.formula}`",
        "" if figure.over == "run" else figure.over_words,
    )


def _spreads() -> str:
    named = FIGURES["turnaround"].spread_name("p95"), FIGURES["queue_length_mean"].spread_name("max")
    return tr(
        "A figure that is averaged also has its median, 95th percentile and maximum, for example `{job}` and "
        "`{time}`: over the jobs, packets or links, or over time, where the median is the least number that "
        "is not exceeded for half of the time. Times, slowdowns, latency and blocking have `.sd` and `.min` "
        "as well. Where there is nothing to average, a figure is 0."
    ).format(job=named[0], time=named[1])


def _contract() -> str:
    nested = ", ".join(f"`{figure.also}` (`{figure.name}`)" for figure in FIGURES.values() if figure.also)
    return tr(
        "`meshgui run --json` has these names in `figures`. Beside them it writes what it has always "
        "written: distributions as `turnaround: {{mean, sd, …}}`, and {nested}. The classes of `by_size` are "
        "there, too."
    ).format(nested=nested)


def _columns(columns: Iterable[TableColumn]) -> str:
    head = (tr("name"), tr("what it is"), tr("unit"), tr("formula"), tr("also written as"))
    return _table(head, map(_column_row, columns))


def _column_row(column: TableColumn) -> tuple[str, ...]:
    said = column.help
    if column.network:
        said = tr("{meaning} (with a network)").format(meaning=said)
    if column.failures:
        said = tr("{meaning} (with failures)").format(meaning=said)
    if column.stated:
        said = tr("{meaning} (where the workload states it)").format(meaning=said)
    formula, also = (f"`{words}`" if words else "" for words in (column.formula, column.also))
    return (f"`{column.name}`", said, column.unit_words, formula, also)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
