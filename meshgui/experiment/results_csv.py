"""The results of an experiment as a table (RFC 4180): a row a point, every number with all its digits."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from meshgui.engine.basics.csv_text import harmless
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.differences import PairedDifferences
from meshgui.experiment.fields import text_of
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult
from meshgui.experiment.statistics import Estimate

_FIRST = ("runs", "precise", "fault")


def columns_of(
    experiment: Experiment, results: Sequence[PointResult], differences: PairedDifferences | None = None
) -> list[str]:
    """The headings: the fields varied, how often a point was run, and each figure with its error.

    Then, where points are set beside others, the pairs of runs and each figure's difference.
    """
    headings = [*experiment.keys, *_FIRST]
    for name in figure_names(results):
        headings += [name, f"{name}_half_width", f"{name}_relative_error"]
    if differences is not None:
        headings.append("pairs")
        for name in figure_names(results):
            headings += [f"{name}_difference", f"{name}_difference_half_width"]
    return headings


def rows_of(results: Sequence[PointResult], differences: PairedDifferences | None = None) -> list[list[str]]:
    """The cells: values as `--vary` reads them; what is not known is left empty."""
    names = figure_names(results)
    rows = []
    for result in results:
        values = (harmless(text_of(value)) for value in result.point.values)
        row = [*values, str(result.runs), "yes" if result.precise else "no", harmless(result.fault)]
        for name in names:
            row += _cells(result.estimates.get(name))
        if differences is not None:
            row.append(str(differences.pairs(result) or ""))
            for name in names:
                row += _cells(differences.of(result, name))[:2]
        rows.append(row)
    return rows


def csv_of(
    experiment: Experiment, results: Sequence[PointResult], differences: PairedDifferences | None = None
) -> bytes:
    """The table as a file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns_of(experiment, results, differences))
    writer.writerows(rows_of(results, differences))
    return text.getvalue().encode()


def number_of(value: float) -> str:
    """A number with all its digits."""
    return repr(float(value))


def figure_names(results: Sequence[PointResult]) -> list[str]:
    """The figures that some point has, in the order in which they are always shown; no wall times."""
    there = {name for result in results for name in result.estimates}
    return [name for name in NUMBERS if name in there]


def _cells(found: Estimate | None) -> list[str]:
    if found is None:
        return ["", "", ""]
    return [
        number_of(value) if math.isfinite(value) else ""
        for value in (found.mean, found.half_width, found.relative_error)
    ]
