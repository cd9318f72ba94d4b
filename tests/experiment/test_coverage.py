"""The measurement of how often a sweep's intervals hold the mean, on populations whose answer is known."""

import numpy as np
import pytest

from meshgui.engine.scenario import scenario_from
from meshgui.experiment.statistics import estimate
from tests.experiments import SMALL
from tests.tools import tool

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
