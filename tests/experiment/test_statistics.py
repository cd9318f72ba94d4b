"""Confidence intervals against SciPy, and their coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.experiment import statistics

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed; test-nojit runs this")
pytestmark = pytest.mark.scipy


samples_of = st.lists(st.integers(-(10**6), 10**6).map(lambda n: n / 128), min_size=2, max_size=50)


@given(samples=samples_of, confidence=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_is_students(samples, confidence):
    """Mean and half-width equal SciPy's t interval."""
    if np.ptp(samples) == 0:
        assert statistics.estimate(samples, confidence).half_width == pytest.approx(0, abs=1e-6)
        return
    measured = statistics.estimate(samples, confidence)
    low, high = stats.t.interval(confidence, len(samples) - 1, np.mean(samples), stats.sem(samples))
    scale = max(map(abs, samples))
    assert measured.interval == pytest.approx((low, high), rel=1e-6, abs=1e-9 * scale)
    assert measured.runs == len(samples)


def test_the_interval_holds_the_truth_as_often_as_it_says():
    """Of 4000 intervals from ten normal samples each, 95 % contain the mean, give or take chance."""
    rng = np.random.default_rng(5)
    intervals = [statistics.estimate(row).interval for row in rng.normal(3, 2, (4000, 10)).tolist()]
    covered = sum(low <= 3 <= high for low, high in intervals) / 4000
    assert abs(covered - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)


def test_one_sample_says_nothing_about_its_error_and_relative_error_of_means_at_zero():
    """A single run has an unbounded interval, none at all is an error; exactly 0 is exact."""
    assert statistics.estimate([3.0]) == statistics.Estimate(3.0, math.inf, 1)
    with pytest.raises(ValueError, match="at least one sample"):
        statistics.estimate([])
    assert statistics.Estimate(0.0, 0.0, 5).relative_error == 0
    assert statistics.Estimate(0.0, 1.0, 5).relative_error == math.inf
    assert statistics.Estimate(-4.0, 1.0, 5).relative_error == 0.25


def test_equal_samples_are_known_exactly():
    """Without the rounding of their sum; what pairs have in common falls out; at 95 % unless stated."""
    assert math.fsum([0.1] * 3) / 3 != 0.1
    assert statistics.estimate([0.1] * 3) == statistics.Estimate(0.1, 0.0, 3)
    assert statistics.estimate([0.1, 0.2, 0.2]).half_width > 0
    assert statistics.estimate([0.2, 0.2, 0.1]).half_width > 0
    assert statistics.difference_of_means([3.0, 12.0, 103.0], [1.0, 10.0, 101.0]) == statistics.Estimate(
        2.0, 0.0, 3
    )
    assert statistics.difference_of_means([3.0, 5.0], [1.0, 1.0]) == statistics.estimate([2.0, 4.0])
    assert statistics.difference_of_means([3.0, 5.0], [1.0, 1.0], 0.8) == statistics.estimate([2.0, 4.0], 0.8)
    assert statistics.quantile(7) == statistics.quantile(7, 0.95) == pytest.approx(stats.t.ppf(0.975, 6))
    assert statistics.estimate([1.0, 2.0]) == statistics.estimate([1.0, 2.0], 0.95)


@pytest.mark.parametrize(
    ("values", "found"), [([], 0), ([7.0], 0), ([1.0, 3.0], -0.5), ([1.0, 2.0, 6.0], -1 / 14), ([4.0] * 5, 0)]
)
def test_the_autocorrelation_of_a_few_values(values, found):
    """Products of successive deviations over their squares; 0 for fewer than two, or for equal ones."""
    assert statistics.autocorrelation(values) == pytest.approx(found)
