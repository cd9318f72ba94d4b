"""Places things one right after another, in as many rows as they need."""

from __future__ import annotations

from collections.abc import Sequence


def in_rows(widths: Sequence[float], room: float, gap: float) -> list[tuple[int, float]]:
    """The row and the left edge of things of these widths, one right after another."""
    places: list[tuple[int, float]] = []
    row, x = 0, 0.0
    for width in widths:
        if x > 0 and x + width > room:
            row, x = row + 1, 0.0
        places.append((row, x))
        x += width + gap
    return places
