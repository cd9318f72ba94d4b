"""Intervals against SciPy, their coverage, and replications that stop when they are precise enough."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from meshgui.engine.statistics import Estimate, batch_means, estimate, replicate

samples_of = st.lists(st.integers(-(10**6), 10**6).map(lambda n: n / 128), min_size=2, max_size=50)


@given(samples=samples_of, confidence=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_is_students(samples, confidence):
    """Mean and half-width equal SciPy's t interval."""
    if np.ptp(samples) == 0:
        assert estimate(samples, confidence).half_width == pytest.approx(0, abs=1e-6)
        return
    measured = estimate(samples, confidence)
    low, high = stats.t.interval(confidence, len(samples) - 1, np.mean(samples), stats.sem(samples))
    scale = max(map(abs, samples))
    assert measured.interval == pytest.approx((low, high), rel=1e-6, abs=1e-9 * scale)
    assert measured.runs == len(samples)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    """Of 4000 intervals from ten normal samples each, 95 % contain the mean, give or take chance."""
    rng = np.random.default_rng(5)
    intervals = [estimate(row).interval for row in rng.normal(3, 2, (4000, 10)).tolist()]
    covered = sum(low <= 3 <= high for low, high in intervals) / 4000
    assert abs(covered - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_one_sample_says_nothing_about_its_error():
    """A single run has a mean and an unbounded interval; none at all is an error."""
    assert estimate([3.0]) == Estimate(3.0, math.inf, 1)
    with pytest.raises(ValueError, match="at least one sample"):
        estimate([])


def test_relative_error_of_means_at_zero():
    """Exactly 0 is exact; a mean of 0 with some width is as imprecise as can be."""
    assert Estimate(0.0, 0.0, 5).relative_error == 0
    assert Estimate(0.0, 1.0, 5).relative_error == math.inf
    assert Estimate(-4.0, 1.0, 5).relative_error == 0.25


def noisy(seed):
    """A run whose figures differ in noise."""
    rng = np.random.default_rng(seed)
    return {"calm": 10 + 0.1 * rng.normal(), "wild": 10 + 3 * rng.normal()}


def test_replication_stops_as_soon_as_every_figure_is_precise():
    """The wildest figure decides, and one run fewer would not have been enough."""
    made = []

    def run(number):
        made.append(number)
        return noisy(number)

    measured = replicate(run, precision=0.05, least=5, most=1000)
    n = len(made)
    assert made == list(range(n))
    assert 5 < n < 1000
    assert all(figure.runs == n and figure.relative_error <= 0.05 for figure in measured.values())
    shorter = estimate([noisy(number)["wild"] for number in range(n - 1)])
    assert shorter.relative_error > 0.05
    assert measured["wild"] == estimate([noisy(number)["wild"] for number in range(n)])


def test_replication_makes_its_least_number_of_runs():
    """Even figures without any noise are measured that often."""
    assert replicate(lambda _: {"same": 1.0}, least=7)["same"] == Estimate(1.0, 0.0, 7)


@pytest.mark.parametrize(("least", "most"), [(5, 12), (5, 5), (9, 4), (1, 1)])
def test_replication_gives_up_at_its_most(least, most):
    """What was measured until then is returned as it is."""
    measured = replicate(noisy, precision=1e-9, least=least, most=most)
    assert measured["wild"].runs == measured["calm"].runs == most


def test_tighter_precision_takes_more_runs():
    """Half the width takes about four times the runs."""
    wide, narrow = (replicate(noisy, precision=p)["wild"].runs for p in (0.04, 0.02))
    assert 2.5 < narrow / wide < 6


def test_batch_means_are_an_estimate_of_the_batches_means():
    """Equal batches; what does not fill one is left out."""
    values = [float(v) for v in [1, 3, 5, 7, 9, 11, 1000]]
    assert batch_means(values, 3) == estimate([2.0, 6.0, 10.0])


@pytest.mark.parametrize(("values", "batches"), [([1.0, 2.0, 3.0], 1), ([1.0], 2), ([], 2)])
def test_batch_means_need_two_batches(values, batches):
    """One batch, or batches of nothing, are an error that says so."""
    with pytest.raises(ValueError, match="at least two batches"):
        batch_means(values, batches)
