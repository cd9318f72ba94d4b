"""The results of a sweep, as a table in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from meshgui.cli import output
from meshgui.cli.figure_words import as_json, figure_column, joined, right, too_narrow
from meshgui.engine.basics.parts import printable
from meshgui.engine.basics.translation import tr, tr_n
from meshgui.engine.basics.words import count_of, percent, percentage_points, within
from meshgui.engine.runs.dictionary import NUMBERS
from meshgui.experiment.batches import Autocorrelation, worst_autocorrelation
from meshgui.experiment.differences import PairedDifferences
from meshgui.experiment.grid import Experiment
from meshgui.experiment.results import Imprecision, PointResult
from meshgui.model.studies.experiment_words import error_words

_SHOWN: Final = ("turnaround", "waiting", "utilization", "latency")
_LONGEST: Final = 48  # letters of a value in the table


# A sweep


def results_as_json(
    experiment: Experiment, results: Sequence[PointResult], differences: PairedDifferences | None = None
) -> dict[str, Any]:
    """The results as data."""
    cut = experiment.batches
    return {
        "title": experiment.title,
        "id": experiment.id,
        "target": experiment.target.model_dump(mode="json"),
        "batches": None if cut is None else cut.model_dump(mode="json"),
        "points": [_as_json(experiment, result, differences) for result in results],
    }


def _as_json(
    experiment: Experiment, result: PointResult, differences: PairedDifferences | None
) -> dict[str, Any]:
    samples = result.sampled if experiment.batches else ()
    point: dict[str, Any] = {
        "values": dict(zip(experiment.keys, result.point.values, strict=True)),
        "runs": result.runs,
        "precise": result.precise,
        "drawn": result.point.drawn,
        "fault": result.fault or None,
        "figures": {
            name: as_json(found) | joined(name, samples)
            for name, found in (result.estimates | result.wall).items()
        },
    }
    return point if differences is None else point | _differences_as_json(differences, result)


def _differences_as_json(differences: PairedDifferences, result: PointResult) -> dict[str, Any]:
    found = {name: differences.of(result, name) for name in result.estimates}
    known = {name: as_json(one) for name, one in found.items() if one is not None}
    return {"pairs": differences.pairs(result), "differences": known or None}


def results_in_words(
    experiment: Experiment, results: Sequence[PointResult], differences: PairedDifferences | None = None
) -> str:
    """A row a point, and a sentence on how sure the means are; then the differences, if wanted."""
    if not results:
        return tr("No point of the grid is in this shard.")
    shown = _shown(experiment, results)
    columns = [
        *_values(experiment, results),
        *(figure_column(name, [result.estimates.get(name) for result in results]) for name in shown),
    ]
    if experiment.batches is None:
        columns.append(right([tr("Runs"), *(str(result.runs) for result in results)]))
    columns.append(["", *(_verdict(experiment, result) for result in results)])
    title = [printable(experiment.title), ""] if experiment.title else []
    lines = [*title, _table(columns), "", *_sentences(experiment, results)]
    if differences is not None:
        lines += ["", *_differences_in_words(experiment, results, differences)]
    return "\n".join(lines)


def _differences_in_words(
    experiment: Experiment, results: Sequence[PointResult], differences: PairedDifferences
) -> list[str]:
    """A row for every point but those of the baseline."""
    rows = [result for result in results if result.point.index in differences.others]
    pairs = right([tr("Pairs"), *(str(differences.pairs(result)) for result in rows)])
    columns = [
        *_values(experiment, rows),
        *(
            figure_column(name, [differences.of(result, name) for result in rows], percentage_points())
            for name in _shown(experiment, results)
        ),
        pairs,
    ]
    sure = percent(experiment.target.confidence)
    base = printable(differences.label)
    said = tr("Differences from {base}: runs in pairs, with {sure} intervals of their own.").format(
        base=base, sure=sure
    )
    return [_table(columns), "", said]


def _shown(experiment: Experiment, results: Sequence[PointResult]) -> list[str]:
    """The figures in the tables."""
    wanted = (*_SHOWN, *experiment.target.figures)
    return [name for name in dict.fromkeys(wanted) if any(name in result.estimates for result in results)]


def _values(experiment: Experiment, results: Sequence[PointResult]) -> list[list[str]]:
    """A column for each field varied."""
    return [[key, *_clipped([r.point.labels[i] for r in results])] for i, key in enumerate(experiment.keys)]


def _table(columns: Sequence[Sequence[str]]) -> str:
    return output.columns([tuple(row) for row in zip(*columns, strict=True)])


def _clipped(labels: list[str]) -> list[str]:
    """The values of an axis, cut short where that leaves no two alike."""
    whole = [printable(label) for label in labels]
    short = [label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…" for label in whole]
    return short if len(set(short)) == len(set(whole)) else whole


def _verdict(experiment: Experiment, result: PointResult) -> str:
    """What is wrong with a point, if anything is."""
    if result.fault:
        return tr("failed: {printable}").format(printable=printable(result.fault))
    if result.exact:
        return tr("nothing is drawn: one run")
    imprecise = Imprecision.of((result,), experiment.target)
    return "" if imprecise is None else error_words(imprecise)


def _sentences(experiment: Experiment, results: Sequence[PointResult]) -> list[str]:
    target, cut = experiment.target, experiment.batches
    failed = sum(bool(result.fault) for result in results)
    open_ones = sum(not result.precise and not result.fault for result in results)
    means = tr("Means") if cut is None else tr("Means of {count} batches of one run").format(count=cut.count)
    precision = percent(target.precision)
    after = count_of(target.most, "run") if cut is None else tr("that run")
    said = tr("{means} with {percent} intervals").format(means=means, percent=percent(target.confidence))
    if open_ones:
        said += tr_n(
            "; {number} of {points} is not within {within} after {runs}",
            "; {number} of {points} are not within {within} after {runs}",
            open_ones,
            points=count_of(len(results), "point"),
            within=precision,
            runs=after,
        )
    elif not failed:
        near = tr(", all within {within}") if len(results) > 1 else tr(", within {within}")
        said += near.format(within=precision)
    if failed:
        said += tr("; {failed} of {points} failed").format(
            failed=failed, points=count_of(len(results), "point")
        )
    names = dict.fromkeys(name for result in results for name in target.wanted(result.point.scenario))
    counted = ", ".join(within(NUMBERS[name].title) for name in names)
    sentences = [tr("{said}. What counts: {counted}.").format(said=said, counted=counted)]
    if cut is not None:
        close = [found for result in results if (found := _hanging(experiment, result)) is not None]
        if close:
            worst = max(close, key=lambda found: found.autocorrelation)
            sentences.append(
                tr("At {close} of {points} {too_narrow}").format(
                    close=len(close), points=count_of(len(results), "point"), too_narrow=too_narrow(*worst)
                )
            )
    return sentences


def _hanging(experiment: Experiment, result: PointResult) -> Autocorrelation | None:
    return worst_autocorrelation(result.sampled, experiment.target.wanted(result.point.scenario))
