"""Places the labels of a chart so that none touches another: plain numbers, no painter."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from meshgui.model.base.flow import in_rows
from meshgui.model.base.named import BEFORE_ID, elided_name, ids_in

Measure = Callable[[str], float]
"""The width of a text in pixels."""

_SLANTS: Final = (35.0, 60.0, 90.0)  # degrees: the flattest at which no name is left out
_BREAKS: Final = (" ", "-", "/", "_", "·", "×")


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move positions at least `gap` apart between low and high, as near to the wanted ones as possible.

    Where there is no room for all, they stand closer from low on.
    """
    count = len(wanted)
    if count > 1:
        gap = min(gap, max(high - low, 0.0) / (count - 1))
    order = sorted(range(count), key=lambda i: (wanted[i], i))
    # With the gaps taken out the places only need to rise: neighbours that do not are pooled at their mean.
    pools: list[list[float]] = []  # sum, count
    for rank, i in enumerate(order):
        pools.append([wanted[i] - rank * gap, 1.0])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, size = pools.pop()
            pools[-1][0] += total
            pools[-1][1] += size
    last = max(high - max(count - 1, 0) * gap, low)
    flat = [min(max(total / size, low), last) for total, size in pools for _ in range(int(size))]
    places = [0.0] * count
    for rank, (i, place) in enumerate(zip(order, flat, strict=True)):
        places[i] = place + rank * gap
    return places


def flow(widths: Sequence[float], room: float, gap: float) -> list[tuple[int, float]]:
    """Rows in which things of these widths stand: of each its row and its left edge.

    They form columns of one width if that takes no more rows than one right after another.
    """
    column = max(widths, default=0.0) + gap
    columns = max(int((room + gap) / column), 1)
    grid = [(i // columns, i % columns * column) for i in range(len(widths))]
    rows = in_rows(widths, room, gap)
    return grid if rows and grid[-1][0] <= rows[-1][0] and rows[-1][0] > 0 else rows


def wrapped(text: str, room: float, measure: Measure) -> list[str]:
    """Break a text after words and signs into lines no wider than the room; a longer word stays whole.

    An id behind a name has the space before it on its line, and stays whole, too.
    """
    words: list[str] = [""]
    ids = {place for first, last in ids_in(text) for place in range(first, last)}
    for place, letter in enumerate(text):
        if letter == BEFORE_ID:
            words.append("")
        words[-1] += letter
        if letter in _BREAKS and place not in ids:
            words.append("")
    lines = [""]
    for word in words:
        if lines[-1] and measure((lines[-1] + word).rstrip(" ")) > room:
            lines.append("")
        lines[-1] += word
    return [line.strip(" ") for line in lines if line.strip()] or [""]


class CategoryRows(NamedTuple):
    """The layout of the names of categories below an axis."""

    slant: float  # degrees; 0: level
    lines: tuple[tuple[str, ...], ...]  # of each category; none: left out
    height: float
    overhang: float = 0.0  # how far a slanted name reaches to the left of its place


def category_rows(
    names: Sequence[str], slot: float, line: float, longest: float, measure: Measure
) -> CategoryRows:
    """Lay names out in one line, else in up to three, else slanted and cut, and leave some out at worst."""
    room = slot - line * 0.6
    broken = [wrapped(name, room, measure) for name in names]
    if all(measure(part) <= room for parts in broken for part in parts) and max(map(len, broken)) <= 3:
        return CategoryRows(0.0, tuple(map(tuple, broken)), line * max(map(len, broken)))
    closest = [line / math.sin(math.radians(slant)) for slant in _SLANTS]
    fitting = (slant for slant, distance in zip(_SLANTS, closest, strict=True) if distance <= slot)
    slant = next(fitting, _SLANTS[-1])
    turn = math.radians(slant)
    every = max(math.ceil(line / math.sin(turn) / max(slot, 1e-9) - 1e-9), 1)
    kept = [(elided(name, longest, measure),) if i % every == 0 else () for i, name in enumerate(names)]
    widest = max((measure(part) for parts in kept for part in parts), default=0.0)
    return CategoryRows(
        slant,
        tuple(kept),
        widest * math.sin(turn) + line * math.cos(turn),
        widest * math.cos(turn),
    )


def elided(text: str, room: float, measure: Measure) -> str:
    """Cut a text to the room, with an ellipsis; a name keeps its id."""
    return elided_name(text, room, measure)
