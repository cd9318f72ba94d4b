"""Axes of charts reach to round numbers and keep still; their marks read well, huge or tiny."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.model.chart_axis import ChartAxis, axis_ticks, number_words, raw_axis, round_axis, round_numbers

FINITE = st.floats(-1e12, 1e12)


@given(st.lists(FINITE, min_size=1, max_size=20), st.integers(2, 12))
def test_every_value_lies_on_a_linear_axis(values, at_most):
    """A rounded axis holds all its values, and has a length."""
    axis = round_axis(values, "linear", at_most)
    assert axis.high > axis.low
    assert ((axis.share(values) >= -1e-6) & (axis.share(values) <= 1 + 1e-6)).all()


@given(st.lists(st.floats(1e-30, 1e30), min_size=1, max_size=20), st.integers(2, 12))
def test_every_positive_value_lies_on_a_logarithmic_axis(values, at_most):
    """A logarithmic axis holds all its values, and its marks lie inside in rising order."""
    axis = round_axis(values, "log", at_most)
    marks = [mark.value for mark in axis_ticks(axis, at_most)]
    assert marks == sorted(marks)
    shares = axis.share([*values, *marks])
    assert ((shares >= -1e-6) & (shares <= 1 + 1e-6)).all()


def test_an_axis_begins_at_zero_unless_the_values_are_far_from_it_and_keeps_still():
    """Results that come in one by one do not move it with each of them."""
    assert round_axis([3, 17], "linear", 6).low == 0
    assert round_axis([95.2, 98.7], "linear", 6).low == 95
    assert round_axis([3, 17.2], "linear", 6) == round_axis([3, 18.9, 7], "linear", 6)


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_no_values_make_an_axis_all_the_same(scale):
    """Nothing, NaN and what a logarithm has no place for leave an axis with a length."""
    for values in ([], [math.nan], [0.0, -3.0], [-3.0]):
        for axis in (raw_axis(values, scale), round_axis(values, scale, 5)):
            assert axis.high > axis.low


def test_a_logarithmic_axis_has_no_place_for_zero():
    """Zero and less have no share; others lie at their logarithms."""
    shares = ChartAxis(1, 1000, "log").share([0, -1, 1, 10, 1000])
    assert np.isnan(shares[:2]).all()
    assert shares[2:].tolist() == pytest.approx([0, 1 / 3, 1])


@given(st.floats(-0.5, 1.5), st.sampled_from(["linear", "log"]))
def test_a_share_and_its_value_are_inverse(share, scale):
    """What lies so far along an axis has that share."""
    axis = ChartAxis(2, 500, scale)
    assert float(axis.share(axis.value(share))) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "scale", "words"),
    [
        ([0, 1], "linear", ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([-5, -1], "linear", ["−5", "−4", "−3", "−2", "−1", "0"]),
        ([2e7, 5e8], "linear", ["0", "1×10⁸", "2×10⁸", "3×10⁸", "4×10⁸", "5×10⁸"]),
        ([1e-12, 4e-12], "linear", ["0", "1×10⁻¹²", "2×10⁻¹²", "3×10⁻¹²", "4×10⁻¹²"]),
        ([3, 4000], "log", ["1", "10", "100", "1000", "10000"]),
        ([3, 7], "log", ["2", "5", "10"]),
    ],
)
def test_marks_are_written_like_their_neighbours(values, scale, words):
    """Marks share their decimals or their power of ten, and are the project's round numbers."""
    assert [mark.words for mark in axis_ticks(round_axis(values, scale, 6), 6)] == words


def test_a_look_between_two_powers_of_ten_has_marks_too():
    """A short part of a logarithmic axis is marked at round numbers in between."""
    marks = axis_ticks(ChartAxis(11.0, 18.0, "log"), 6)
    assert len(marks) > 2
    assert all(11 <= mark.value <= 18 for mark in marks)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (12.5, "12.5"), (0.25, "0.25"), (1e6, "10⁶"), (-2.5e9, "−2.5×10⁹"), (3e-7, "3×10⁻⁷")],
)
def test_a_number_has_no_more_figures_than_say_it(value, words):
    """Plain where it is short, a power of ten where it is huge or tiny."""
    assert number_words(value) == words


@pytest.mark.parametrize(
    ("low", "high", "at_most", "expected", "decimals"),
    [
        (0.0, 100.0, 10, list(range(0, 101, 10)), 0),
        (0.0, 1.0, 5, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], 1),
        (3.0, 4.1, 3, [3.0, 3.5, 4.0], 1),
        (0.0, 0.0, 5, [], 0),
    ],
)
def test_ticks_are_round(low, high, at_most, expected, decimals):
    """Ticks are 1, 2 or 5 times a power of ten apart and say how many decimals they need."""
    found, places = round_numbers(low, high, at_most)
    assert found.tolist() == pytest.approx(expected)
    assert places == decimals
