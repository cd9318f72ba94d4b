"""Paired differences between the points of an experiment: which runs make pairs, and what is said of them."""

import csv
import io

import pytest

from meshgui.experiment.differences import Baseline, baseline_from, paired_differences
from meshgui.experiment.results_csv import csv_of
from meshgui.experiment.statistics import estimate
from tests.experiments import run_experiment, small_experiment

AXES = ("workload.load=0.5,2", "allocator.name=ff,mbs,gabl", "mesh.shape=4x4,5x5")


@pytest.fixture(scope="module")
def swept():
    """An experiment of three fields whose points have different numbers of runs, with its results."""
    experiment = small_experiment(
        *(axis.replace(",mbs", ",bf") for axis in AXES), precision=0.3, confidence=0.9
    )
    return experiment, run_experiment(experiment)


def test_a_point_is_set_beside_the_one_that_differs_in_the_baseline_alone(swept):
    """The same load and mesh, and the baseline's strategy; a point of the baseline has none beside it."""
    experiment, results = swept
    beside = paired_differences(experiment, results, baseline_from(experiment, "allocator.name=bf"))
    for result in results:
        other = beside.others.get(result.point.index)
        load, name, shape = result.point.values
        assert (other and other.point.values) == (None if name == "bf" else (load, "bf", shape))


def test_a_difference_is_that_of_runs_with_the_same_seeds(swept):
    """As many pairs as the point with fewer runs has, and an interval of the experiment's confidence."""
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
    """What two strategies share falls out; 2.0 is the load 2, and a shape is read as one."""
    experiment, results = swept
    beside = paired_differences(experiment, results, baseline_from(experiment, "allocator.name=ff"))
    bf = next(r for r in results if r.point.values == (0.5, "bf", [5, 5]))
    assert beside.of(bf, "utilization").half_width < bf.estimates["utilization"].half_width / 2
    assert baseline_from(swept[0], "workload.load=2.0") == Baseline("workload.load", 1)
    assert baseline_from(swept[0], "mesh.shape=5×5") == Baseline("mesh.shape", 1)


def test_the_table_has_differences_behind_all_else(swept):
    """Pairs, then difference and half width of every figure; nothing in a row of the baseline."""
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
