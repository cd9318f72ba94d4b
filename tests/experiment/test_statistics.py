"""Intervals of means, and the quantiles of Student's t, against SciPy's and by definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.experiment import statistics
from meshgui.experiment.student_t import two_sided_quantile

pytestmark = pytest.mark.scipy

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed; test-nojit runs this")


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


def test_the_interval_holds_the_truth_as_often_as_it_says_and_one_sample_or_equal_ones_are_special():
    """4000 intervals of ten normal samples; a single sample has none, equal ones are known exactly."""
    rng = np.random.default_rng(5)
    intervals = [statistics.estimate(row).interval for row in rng.normal(3, 2, (4000, 10)).tolist()]
    covered = sum(low <= 3 <= high for low, high in intervals) / 4000
    assert abs(covered - 0.95) < 4 * math.sqrt(0.95 * 0.05 / 4000)
    assert statistics.estimate([3.0]) == statistics.Estimate(3.0, math.inf, 1)
    with pytest.raises(ValueError, match="at least one sample"):
        statistics.estimate([])
    assert statistics.Estimate(0.0, 0.0, 5).relative_error == 0
    assert statistics.Estimate(0.0, 1.0, 5).relative_error == math.inf
    assert statistics.Estimate(-4.0, 1.0, 5).relative_error == 0.25
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


confidences = st.floats(0.05, 0.9999)


@given(degrees=st.integers(1, 100_000), confidence=confidences)
def test_it_is_scipys(degrees, confidence):
    """To twelve digits, from one degree of freedom to as many as runs ever have."""
    found = two_sided_quantile(degrees, confidence)
    assert found == pytest.approx(float(stats.t.isf((1 - confidence) / 2, degrees)), rel=1e-12)


@given(confidence=confidences)
def test_one_and_two_degrees_have_formulas(confidence):
    """The Cauchy distribution's, and the square root."""
    beyond = 1 - confidence
    assert two_sided_quantile(1, confidence) == pytest.approx(1 / math.tan(beyond * math.pi / 2), rel=1e-12)
    two = confidence * math.sqrt(2 / (beyond * (2 - beyond)))
    assert two_sided_quantile(2, confidence) == pytest.approx(two, rel=1e-12)


def test_millions_of_degrees_are_as_good_as_normal_and_the_ends():
    """There, too; no confidence needs no width, and certainty no finite one."""
    assert two_sided_quantile(5_000_000, 0.95) == pytest.approx(1.959963984540054, rel=1e-6)
    assert two_sided_quantile(5_000_000, 0.95) == pytest.approx(float(stats.t.isf(0.025, 5e6)), rel=1e-9)
    assert two_sided_quantile(9, 0.0) == 0.0
    with pytest.raises(ValueError, match=r"confidence 1\.0"):
        two_sided_quantile(9, 1.0)
