"""Figures with their intervals in words: as many digits as the interval leaves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.basics.words import PERCENT, UNKNOWN, within
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.engine.runs.figures import Figures
from meshgui.experiment.batches import LARGEST_AUTOCORRELATION
from meshgui.experiment.statistics import Estimate, autocorrelation

_PLAIN: Final = range(-6, 10)  # powers of ten within which numbers are written out


def as_json(found: Estimate) -> dict[str, float | None]:
    """An estimate as data; null for what is not known."""
    error, half = found.relative_error, found.half_width
    return {
        "mean": found.mean,
        "half_width": half if math.isfinite(half) else None,
        "relative_error": error if math.isfinite(error) else None,
    }


def joined(name: str, samples: Iterable[Figures]) -> dict[str, float]:
    """How the samples of a figure hang together, as data; nothing where there are none."""
    values = [sample[name] for sample in samples if name in sample]
    return {"autocorrelation": autocorrelation(values)} if values else {}


def figure_column(name: str, found: Sequence[Estimate | None], of_shares: str = PERCENT) -> list[str]:
    """Means under means, and half-widths under half-widths; shares with a unit of their own."""
    cells = [_parts(name, one) for one in found]
    unit = of_shares if NUMBERS[name].percent else ""
    means, halves = (max((len(cell[i]) for cell in cells), default=0) for i in (0, 1))
    without = " " * (halves + 3) if halves else ""
    rows = [
        (mean.rjust(means) + (f" ± {half.rjust(halves)}" if half else without) + unit)
        if mean
        else UNKNOWN.rjust(means)
        for mean, half in cells
    ]
    return right([NUMBERS[name].title, *(row.ljust(max(map(len, rows))) for row in rows)])


def shown(name: str, found: Estimate) -> str:
    """A mean, and half the width of its interval."""
    mean, half = _parts(name, found)
    return mean + (f" ± {half}" if half else "") + (PERCENT if NUMBERS[name].percent else "")


def _parts(name: str, found: Estimate | None) -> tuple[str, str]:
    """A mean and half the width of its interval, if that has one, to the second digit of the latter."""
    if found is None:
        return "", ""
    scale = 100 if NUMBERS[name].percent else 1
    mean, half = found.mean * scale, found.half_width * scale
    if not math.isfinite(half) or half == 0 or not math.isfinite(mean):
        return formatted(mean, ".5g"), ""
    power = math.floor(math.log10(half))
    if power not in _PLAIN or abs(mean) >= 10.0 ** max(_PLAIN):
        return formatted(mean, ".5g"), formatted(half, ".2g")
    digits = max(0, 1 - power)
    return formatted(mean, f".{digits}f"), formatted(half, f".{digits}f")


def right(cells: Sequence[str]) -> list[str]:
    """The cells of a column, flush right."""
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells]


def too_narrow(name: str, autocorrelation: float) -> str:
    """The end of a warning: a figure whose batches hang together."""
    return tr(
        "successive batches are correlated (lag-1 autocorrelation {autocorrelation:.2f}, {figure}, above "
        "{LARGEST_AUTOCORRELATION}), so the intervals are too narrow: use fewer batches or more jobs."
    ).format(
        autocorrelation=autocorrelation,
        figure=within(NUMBERS[name].title),
        LARGEST_AUTOCORRELATION=LARGEST_AUTOCORRELATION,
    )
