"""The results of a sweep, as a table in words and as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from meshgui.cli import output
from meshgui.cli.figure_words import as_json, figure_column, joined, percent, right, too_narrow
from meshgui.engine.figures import FIGURES
from meshgui.engine.parts import printable
from meshgui.engine.words import are, so_many
from meshgui.experiment.batches import Autocorrelation, worst_autocorrelation
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import PointResult

__all__ = ["results_as_json", "results_in_words"]

_SHOWN: Final = ("turnaround", "waiting", "utilization", "latency")
_LONGEST: Final = 48  # letters of a value in the table


# A sweep


def results_as_json(experiment: Experiment, results: Sequence[PointResult]) -> dict[str, Any]:
    """The results as data."""
    cut = experiment.batches
    return {
        "title": experiment.title,
        "id": experiment.id,
        "target": experiment.target.model_dump(mode="json"),
        "batches": None if cut is None else cut.model_dump(mode="json"),
        "points": [
            {
                "values": dict(zip(experiment.keys, result.point.values, strict=True)),
                "runs": result.runs,
                "precise": result.precise,
                "fault": result.fault or None,
                "figures": {
                    name: as_json(found) | joined(name, result.sampled if cut else ())
                    for name, found in (result.estimates | result.wall).items()
                },
            }
            for result in results
        ],
    }


def results_in_words(experiment: Experiment, results: Sequence[PointResult]) -> str:
    """A row a point, and a sentence on how sure the means are."""
    wanted = (*_SHOWN, *experiment.target.figures)
    shown = [name for name in dict.fromkeys(wanted) if any(name in result.estimates for result in results)]
    columns = [
        *([key, *_clipped([r.point.labels[i] for r in results])] for i, key in enumerate(experiment.keys)),
        *(figure_column(name, [result.estimates.get(name) for result in results]) for name in shown),
    ]
    if experiment.batches is None:
        columns.append(right(["Runs", *(str(result.runs) for result in results)]))
    columns.append(["", *(_verdict(experiment, result) for result in results)])
    title = [printable(experiment.title), ""] if experiment.title else []
    table = output.columns([tuple(row) for row in zip(*columns, strict=True)])
    return "\n".join([*title, table, "", *_sentences(experiment, results)])


def _clipped(labels: list[str]) -> list[str]:
    """The values of an axis, cut short where that leaves no two alike."""
    whole = [printable(label) for label in labels]
    short = [label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…" for label in whole]
    return short if len(set(short)) == len(set(whole)) else whole


def _verdict(experiment: Experiment, result: PointResult) -> str:
    """What is wrong with a point, if anything is."""
    if result.fault:
        return f"failed: {printable(result.fault)}"
    if result.precise:
        return ""
    target = experiment.target
    errors = {
        name: result.estimates[name].relative_error if name in result.estimates else math.inf
        for name in target.wanted(result.point.scenario)
    }
    worst = max(errors, key=errors.__getitem__)
    by = f"within {percent(errors[worst])} only" if math.isfinite(errors[worst]) else "not known to a share"
    return f"{FIGURES[worst].title.lower()} {by}"


def _sentences(experiment: Experiment, results: Sequence[PointResult]) -> list[str]:
    target, cut = experiment.target, experiment.batches
    failed = sum(bool(result.fault) for result in results)
    open_ones = sum(not result.precise and not result.fault for result in results)
    means = "Means" if cut is None else f"Means of {cut.count} batches of one run"
    within = percent(target.precision)
    after = so_many(target.most, "run") if cut is None else "that run"
    said = f"{means} with {percent(target.confidence)} intervals"
    if open_ones:
        verb = are(open_ones)
        said += f"; {open_ones} of {so_many(len(results), 'point')} {verb} not within {within} after {after}"
    elif not failed:
        said += f", {'all ' if len(results) > 1 else ''}within {within}"
    if failed:
        said += f"; {failed} of {so_many(len(results), 'point')} failed"
    names = dict.fromkeys(name for result in results for name in target.wanted(result.point.scenario))
    counted = ", ".join(FIGURES[name].title.lower() for name in names)
    sentences = [f"{said}. What counts: {counted}."]
    if cut is not None:
        close = [found for result in results if (found := _hanging(experiment, result)) is not None]
        if close:
            worst = max(close, key=lambda found: found.autocorrelation)
            sentences.append(f"At {len(close)} of {so_many(len(results), 'point')} {too_narrow(*worst)}")
    return sentences


def _hanging(experiment: Experiment, result: PointResult) -> Autocorrelation | None:
    return worst_autocorrelation(result.sampled, experiment.target.wanted(result.point.scenario))
