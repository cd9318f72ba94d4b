"""Bundles on the command line: what fits into one, and whether every number of one came out again."""

from __future__ import annotations

from pathlib import Path

from meshgui.cli import output
from meshgui.cli.faults import UsageError, WorkFailed
from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import count_of
from meshgui.experiment.bundle import Bundle
from meshgui.experiment.bundle_check import BundleDifference, first_difference, has_table_of
from meshgui.experiment.bundle_format import BundleError, other_versions, versions_here
from meshgui.experiment.bundle_writer import fit_to_bundle
from meshgui.experiment.grid import Experiment
from meshgui.experiment.store import Store


def check_fit(experiment: Experiment, file: Path) -> None:
    """See before the work that the experiment in a file can be bundled."""
    try:
        fit_to_bundle(experiment)
    except BundleError as error:
        raise UsageError(tr("{file}: --bundle: {error}").format(file=file, error=error)) from None


def checked(bundle: Bundle, store: Store, *, as_json: bool) -> int:
    """Say in one line whether what a store has is what the bundle has."""
    found = first_difference(bundle, store)
    if found is not None:
        if as_json:
            output.write_json({"equal": False, "runs": bundle.runs, "difference": _as_json(bundle, found)})
        versions = other_versions(bundle.versions, versions_here(bundle.experiment.plugins))
        raise WorkFailed(f"{bundle.path}: {_in_words(bundle, found)}{versions}")
    if not has_table_of(bundle, store):
        if as_json:
            output.write_json({"equal": False, "runs": bundle.runs, "difference": {"table": "results.csv"}})
        raise WorkFailed(
            tr("{path}: results.csv: expected the means of its runs, which are all equal").format(
                path=bundle.path
            )
        )
    if as_json:
        output.write_json({"equal": True, "runs": bundle.runs, "difference": None})
    else:
        runs = count_of(bundle.runs, "run")
        points = count_of(len(bundle.points), "point")
        output.write(
            tr("{path}: all numbers of {runs} at {points} are equal").format(
                path=bundle.path, runs=runs, points=points
            )
        )
    return 0


def _in_words(bundle: Bundle, found: BundleDifference) -> str:
    experiment = bundle.experiment
    labels = experiment.points[found.point].labels
    place = ", ".join(f"{key}={label}" for key, label in zip(experiment.keys, labels, strict=True))
    where = tr("{place}, seed {seed}").format(place=place or tr("the scenario"), seed=found.seed)
    if not found.figure:
        return tr("{where}: expected this run as in the bundle, but it was not made").format(where=where)
    if found.batch is not None:
        where += tr(", batch {batch}").format(batch=found.batch)
    old, new = (tr("none") if number is None else repr(number) for number in (found.bundled, found.found))
    return tr("{where}: {figure}: expected {old} as in the bundle, got {new}").format(
        where=where, figure=found.figure, old=old, new=new
    )


def _as_json(bundle: Bundle, found: BundleDifference) -> dict[str, object]:
    values = bundle.experiment.points[found.point].values
    return found._asdict() | {"values": dict(zip(bundle.experiment.keys, values, strict=True))}
