"""`meshgui figures`: every figure and column by the name that files have, with unit, meaning and formula."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from meshgui.cli import output
from meshgui.cli.arguments import Parser
from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.dictionary import FIGURES, Figure
from meshgui.engine.runs.table_dictionary import TABLES, TableColumn


def declare(parser: Parser) -> None:
    """The arguments."""
    parser.json()


def execute(options: Namespace) -> int:
    """Do it."""
    if options.json:
        tables = {
            name: {"row": table.row, "columns": list(map(_column, table.columns))}
            for name, table in TABLES.items()
        }
        output.write_json({"figures": list(map(_figure, FIGURES.values())), "tables": tables}, indent=2)
        return 0
    lines = [tr("Figures of a run"), "", output.columns([_figure_row(one) for one in FIGURES.values()])]
    for name, table in TABLES.items():
        rows = [_column_row(column) for column in table.columns]
        lines += ["", tr("{table}: a row for {row}").format(table=name, row=table.row), ""]
        lines.append(output.columns(rows))
    output.write("\n".join(lines))
    return 0


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "title": figure.title,
        "unit": figure.unit,
        "meaning": figure.help,
        "formula": figure.formula,
        "divided_by": figure.over_words,
        "spread": [figure.spread_name(part) for part in figure.spreads],
        "also": figure.also,
        "network": figure.network,
        "failures": figure.failures,
        "wall_time": figure.wall,
    }


def _column(column: TableColumn) -> dict[str, Any]:
    return {
        "name": column.name,
        "unit": column.unit,
        "meaning": column.help,
        "formula": column.formula,
        "also": column.also,
        "network": column.network,
        "stated": column.stated,
        "failures": column.failures,
    }


def _figure_row(figure: Figure) -> tuple[str, ...]:
    return (f"  {figure.name}", figure.unit_words, figure.help)


def _column_row(column: TableColumn) -> tuple[str, ...]:
    return (f"  {column.name}", column.unit_words, column.help)
