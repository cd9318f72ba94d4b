"""Compares the runs that a store has of a bundle with those in the bundle."""

from __future__ import annotations

import math
from typing import NamedTuple

from meshgui.experiment.bundle import Bundle
from meshgui.experiment.bundle_format import figure_order
from meshgui.experiment.differences import differences_of
from meshgui.experiment.results import results_of
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.store import Store


class BundleDifference(NamedTuple):
    """The first number of a bundle that did not come out again."""

    point: int
    seed: int
    figure: str  # empty if there is no such run
    batch: int | None
    bundled: float | None  # None where there is no such number
    found: float | None


def has_table_of(bundle: Bundle, store: Store) -> bool:
    """Whether the bundle's table of results is that of a store's runs."""
    experiment, results = bundle.experiment, results_of(bundle.experiment, store)
    return bundle.results_table() == csv_of(experiment, results, differences_of(experiment, results))


def first_difference(bundle: Bundle, store: Store) -> BundleDifference | None:
    """Where what a store has of the bundle's experiment is not what the bundle has; None if nowhere."""
    experiment = bundle.experiment
    at, kept = -1, {}
    for replication in bundle.replications():
        if replication.point != at:
            at = replication.point
            key = experiment.points[at].spec.key
            kept = store.results(key, experiment.seed, bundle.points[at].runs)
        made = kept.get(replication.seed)
        if made is None:
            return BundleDifference(at, replication.seed, "", None, None, None)
        if len(made.samples) != len(replication.samples):
            return BundleDifference(at, replication.seed, "", None, None, None)
        for number, (old, new) in enumerate(zip(replication.samples, made.samples, strict=True)):
            batch = None if experiment.batches is None else number
            for name in sorted({*old, *new}, key=figure_order):
                if not _same(old.get(name), new.get(name)):
                    return BundleDifference(at, replication.seed, name, batch, old.get(name), new.get(name))
    return None


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other or (math.isnan(one) and math.isnan(other))
