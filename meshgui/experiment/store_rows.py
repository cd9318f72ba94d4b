"""Rows and cells of a store as a stranger may have written them: a ValueError or TypeError for any other."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.basics.json_text import read_json
from meshgui.engine.basics.limits import max_json_memory, max_unpacked
from meshgui.engine.basics.work import look
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.limits import MAX_BUNDLED_TEXT


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


def works_from(rows: Iterable[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    """Work as plain data, from deflated JSON; what is damaged, or unpacks out of proportion, is passed over.

    All together unpack to no more than the texts of a bundle.
    """
    left = MAX_BUNDLED_TEXT
    for (body,) in rows:
        look()
        unpack = zlib.decompressobj()
        with suppress(zlib.error, ValueError):
            text = unpack.decompress(body, max_unpacked(len(body), left))
            left -= len(text)
            work = read_json(text, most=max_json_memory(len(body))) if unpack.eof else None
            if isinstance(work, dict):
                yield work
        if left <= 0:  # which would be no limit
            return
