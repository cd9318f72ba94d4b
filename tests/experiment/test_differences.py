"""Differences to a baseline, and how often a sweep's intervals hold the mean."""

import csv
import io

import numpy as np
import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.differences import Baseline, baseline_from, paired_differences
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.statistics import estimate
from tests.experiments import SMALL, run_experiment, small_experiment
from tests.tools import tool

AXES = ("workload.load=0.5,2", "allocator.name=ff,mbs,gabl", "mesh.shape=4x4,5x5")


@pytest.fixture(scope="module")
def swept():
    """An experiment of three fields whose points have different numbers of runs, with its results."""
    experiment = small_experiment(
        *(axis.replace(",mbs", ",bf") for axis in AXES), precision=0.3, confidence=0.9
    )
    return experiment, run_experiment(experiment)


def test_a_point_is_set_beside_the_one_that_differs_in_the_baseline_alone(swept):
    """The same load and mesh, and the baseline's strategy; as many pairs as the point with fewer runs has."""
    experiment, results = swept
    beside = paired_differences(experiment, results, baseline_from(experiment, "allocator.name=bf"))
    for result in results:
        other = beside.others.get(result.point.index)
        load, name, shape = result.point.values
        assert (other and other.point.values) == (None if name == "bf" else (load, "bf", shape))
    experiment, results = swept
    beside = paired_differences(experiment, results, Baseline("allocator.name", 0))
    assert len({result.runs for result in results}) > 1
    for result in results:
        if result.point.values[1] == "ff":
            assert beside.of(result, "turnaround") is None
            assert beside.pairs(result) == 0
            continue
        other = beside.others[result.point.index]
        pairs = min(result.runs, other.runs)
        above, below = result.samples("turnaround"), other.samples("turnaround")
        each = [above[i] - below[i] for i in range(pairs)]
        assert beside.pairs(result) == pairs
        assert beside.of(result, "turnaround") == estimate(each, experiment.target.confidence)
        assert beside.of(result, "latency") is None


def test_common_jobs_make_the_interval_narrower(swept):
    """What two strategies share falls out; pairs, then difference and half width of every figure."""
    experiment, results = swept
    beside = paired_differences(experiment, results, baseline_from(experiment, "allocator.name=ff"))
    bf = next(r for r in results if r.point.values == (0.5, "bf", [5, 5]))
    assert beside.of(bf, "utilization").half_width < bf.estimates["utilization"].half_width / 2
    assert baseline_from(swept[0], "workload.load=2.0") == Baseline("workload.load", 1)
    assert baseline_from(swept[0], "mesh.shape=5×5") == Baseline("mesh.shape", 1)
    experiment, results = swept
    beside = paired_differences(experiment, results, Baseline("allocator.name", 0))
    plain = list(csv.reader(io.StringIO(csv_of(experiment, results).decode())))
    table = list(csv.reader(io.StringIO(csv_of(experiment, results, beside).decode())))
    width = len(plain[0])
    assert [row[:width] for row in table] == plain
    named = ["pairs", "turnaround_difference", "turnaround_difference_half_width"]
    assert table[0][width : width + 3] == named
    for result, row in zip(results, table[1:], strict=True):
        found = beside.of(result, "turnaround")
        if found is None:
            assert not any(row[width:])
        else:
            said = [str(found.runs), repr(found.mean), repr(found.half_width)]
            assert row[width : width + 3] == said


measured = tool("measure_coverage")


def normal(spread, count=2000):
    """Values around 1, normally distributed."""
    return np.random.default_rng(1).normal(1.0, spread, count)


def test_intervals_of_a_fixed_number_of_runs_hold_the_mean_as_often_as_they_say():
    """Nothing is lost by one look; with a spread that takes fifteen runs, five at least are too few."""
    for least in (5, 20):
        found = measured.coverage({"turnaround": normal(0.001)}, least, 4000, 0.05)
        assert found.runs == least
        assert found.held["turnaround"] == pytest.approx(0.95, abs=0.015)
    pool = {"turnaround": normal(0.1)}
    five, twenty = (measured.coverage(pool, least, 4000, 0.05).held["turnaround"] for least in (5, 20))
    assert five < 0.93 < twenty


def test_the_running_interval_is_that_of_a_sweep():
    """After every run, the mean and half width of the values so far."""
    values = normal(0.3, 12)
    mean, half = measured._running(values[np.newaxis])
    assert np.isinf(half[0, 0])
    for n in range(2, 13):
        found = estimate(values[:n])
        assert mean[0, n - 1] == pytest.approx(found.mean)
        assert half[0, n - 1] == pytest.approx(found.half_width)


def test_every_figure_has_to_be_precise():
    """The one that scatters most says how many runs are made; draws are seeded, and pools of real runs."""
    pools = [{"a": normal(0.2)}, {"a": normal(0.2), "b": normal(0.01)}]
    alone, both = (measured.coverage(pool, 10, 500, 0.05) for pool in pools)
    assert (alone.runs, alone.held["a"]) == (both.runs, both.held["a"])
    assert alone == measured.coverage(pools[0], 10, 500, 0.05)
    pool = measured.pool_of(scenario_from(SMALL), 3)
    assert sorted(pool) == ["turnaround", "utilization"]
    assert len(set(pool["turnaround"].tolist())) == 3
