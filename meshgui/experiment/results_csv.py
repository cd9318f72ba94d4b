"""The results of an experiment as a table (RFC 4180): a row a point, every number with all its digits."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from meshgui.engine.figures import FIGURES
from meshgui.engine.statistics import Estimate
from meshgui.experiment.fields import text_of
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult

__all__ = ["columns_of", "csv_of", "number_of", "rows_of"]

_FIRST = ("runs", "precise", "fault")


def columns_of(experiment: Experiment, results: Sequence[PointResult]) -> list[str]:
    """The headings: the fields varied, how often a point was run, and each figure with its error."""
    headings = [*experiment.keys, *_FIRST]
    for name in _names(results):
        headings += [name, f"{name}_half_width", f"{name}_relative_error"]
    return headings


def rows_of(results: Sequence[PointResult]) -> list[list[str]]:
    """The cells: values as `--vary` reads them; what is not known is left empty."""
    names = _names(results)
    rows = []
    for result in results:
        values = map(text_of, result.point.values)
        row = [*values, str(result.runs), "yes" if result.precise else "no", result.fault]
        for name in names:
            row += _cells(result.estimates.get(name))
        rows.append(row)
    return rows


def csv_of(experiment: Experiment, results: Sequence[PointResult]) -> bytes:
    """The table as a file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns_of(experiment, results))
    writer.writerows(rows_of(results))
    return text.getvalue().encode()


def number_of(value: float) -> str:
    """A number with all its digits."""
    return repr(float(value))


def _names(results: Sequence[PointResult]) -> list[str]:
    """The figures that some point has, in the order in which they are always shown; no wall times."""
    there = {name for result in results for name in result.estimates}
    return [name for name in FIGURES if name in there]


def _cells(found: Estimate | None) -> list[str]:
    if found is None:
        return ["", "", ""]
    return [
        number_of(value) if math.isfinite(value) else ""
        for value in (found.mean, found.half_width, found.relative_error)
    ]
