"""Rows and cells of a store as a stranger may have written them: a ValueError or TypeError for any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.runs.figures import Figures

__all__ = ["figures_from", "names_from", "rows_by_seed"]


def rows_by_seed(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Rows of which each begins with a seed: each seed once, in order."""
    last = -1
    for row in rows:
        if type(row[0]) is not int or row[0] <= last:
            raise ValueError(row[0])
        last = row[0]
        yield row


def figures_from(text: str) -> Figures:
    """Figures by name, from JSON."""
    figures = json.loads(text)
    if not isinstance(figures, dict):
        raise TypeError(type(figures))
    return {name: number + 0.0 for name, number in figures.items()}


def names_from(text: str) -> tuple[str, ...]:
    """Names of figures, from JSON: they become headings of tables."""
    names = json.loads(text)
    if not isinstance(names, list):
        raise TypeError(type(names))
    for name in names:
        if not isinstance(name, str) or not name.isprintable() or harmless(name) != name:
            raise ValueError(name)
    return tuple(names)
