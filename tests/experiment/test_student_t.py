"""The quantiles of Student's t, against SciPy's and by their own definition."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.experiment.student_t import two_sided_quantile

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed; test-nojit runs this")
pytestmark = pytest.mark.scipy


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
