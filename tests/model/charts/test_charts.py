"""Charts: their rows, their axes and the values one types for them, and their curves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.engine.basics.translation import speaking
from meshgui.experiment.fields import FieldError
from meshgui.model.charts.chart_axis import (
    ChartAxis,
    axis_ticks,
    number_words,
    raw_axis,
    round_axis,
    round_numbers,
)
from meshgui.model.charts.charts import (
    ChartData,
    ChartSeries,
    PublishedMark,
    SeriesPlaces,
    point_words,
)
from meshgui.model.charts.curves import StepCurve, first_of_each_cell, running_mean
from meshgui.model.studies.axis_values import axis_of, text_of

NAN = math.nan
ONE = ChartSeries.of("a", "A", 0, [0], [1])


def test_a_series_keeps_its_place_when_others_come():
    """A strategy's place is the same in every chart and after others were added before it in a list."""
    places = SeriesPlaces()
    before = {key: places.of(key) for key in ("tbl", "best fit")}
    new = [places.of(key) for key in ("aaa", "best fit", "tbl", "zzz")]
    assert before == {"tbl": 0, "best fit": 1}
    assert new == [2, 1, 0, 3]


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: ChartSeries.of("a", "A", 0, [1, 2, 3], [1, 2]), "expected 3 values of y, got 2"),
        (lambda: ChartSeries.of("a", "A", 0, [1], [1], low=[0], half=[1]), "got both"),
        (lambda: ChartData("T", "x", "y", (ONE,), kind="bars"), "groups"),
        (lambda: ChartData("T", "x", "y", (ONE,), categories=("a",), x_scale="log"), "logarithmic"),
        (
            lambda: ChartData("T", "x", "y", categories=("fcfs",), marks=(PublishedMark("none", 1, 1),)),
            "expected one of fcfs, got none",
        ),
    ],
    ids=["lengths", "two intervals", "bars without groups", "a logarithm of names", "an unknown category"],
)
def test_what_cannot_be_drawn_is_refused_where_it_is_made(make, fault):
    """Series of unequal lengths, bars without their groups, marks at a category that has no value."""
    with pytest.raises(ValueError, match=fault):
        make()


def test_half_widths_make_intervals_and_a_chart_of_failures_only_is_empty():
    """To both sides; the table has a head, a row for each point with what it lacks left out."""
    one = ChartSeries.of("a", "A", 0, [1, 2], [10, 20], half=[1, NAN])
    assert (one.low[0], one.high[0], one.points) == (9, 11, (0, 1))
    assert np.isnan(one.low[1])
    one = ChartSeries.of("a", "A", 0, [1, 2], [NAN, NAN])
    assert ChartData("T", "x", "y", (one,)).is_empty
    assert not ChartData("T", "x", "y", (one,), marks=(PublishedMark(1.0, 2.0, 3.0),)).is_empty
    chart = ChartData("T", "x", "s", categories=("fcfs", "window"), marks=(PublishedMark("window", 1, 1),))
    assert chart.at(chart.marks[0]) == 1
    one = ChartSeries.of("tbl", "TBL", 0, [0, 1], [5.0, NAN], half=[0.5, NAN], runs=[10, 0])
    marks = (PublishedMark("4×4", 5.2, 5.2, "tbl"), PublishedMark("8×8", 6, 7, None, "Figure 5"))
    chart = ChartData("T", "mesh", "turnaround, s", (one,), categories=("4×4", "8×8"), marks=marks)
    assert chart.rows() == [
        ("series", "mesh", "turnaround, s", "interval low", "interval high", "runs", "published"),
        ("TBL", "4×4", 5.0, 4.5, 5.5, 10, None),
        ("TBL", "8×8", None, None, None, None, None),
        ("TBL", "4×4", 5.2, 5.2, 5.2, None, "published"),
        (None, "8×8", None, 6, 7, None, "Figure 5"),
    ]


@pytest.mark.parametrize(
    ("numbers", "runs", "words"),
    [
        ((12.3456, 12.0, 12.6912), 10, "TBL · load 0.8 · 12.35 ± 0.35 · 10 runs"),
        ((12345.6, 12000.0, 12691.2), 1, "TBL · load 0.8 · 12346 ± 346 · 1 run"),
        ((12.3456, NAN, NAN), 0, "TBL · load 0.8 · 12.35"),
        ((3.0, 3.0, 3.0), 2, "TBL · load 0.8 · 3 · 2 runs"),
        ((3.0, 2.5, 4.0), 2, "TBL · load 0.8 · 3 (2.5 to 4) · 2 runs"),
        ((3.2e-9, 3.1e-9, 3.3e-9), 2, "TBL · load 0.8 · 3.2e-09 ± 1e-10 · 2 runs"),
        ((NAN, NAN, NAN), 0, "TBL · load 0.8 · no value"),
    ],
)
def test_a_point_in_one_line(numbers, runs, words):
    """A mean has the figures its interval bears; without interval, runs or value it says what there is."""
    y, low, high = ([number] for number in numbers)
    one = ChartSeries.of("tbl", "TBL", 0, [0.8], y, low=low, high=high, runs=[runs])
    assert point_words(ChartData("T", "load", "s", (one,)), one, 0) == words


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


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1, 2.5, 4", (1, 2.5, 4)),
        ("1..3", (1, 2, 3)),
        ("0.1..0.5/0.2", (0.1, 0.3, 0.5)),
        ("1..2/0.25, 5", (1, 1.25, 1.5, 1.75, 2, 5)),
        ("8×8, 16 x 16, 4*4*4", ([8, 8], [16, 16], [4, 4, 4])),
        ("tbl, ff", ("tbl", "ff")),
        ("[2, 5], [5, 10]", ([2, 5], [5, 10])),
        ("null, true", (None, True)),
        ("2 4 6  8", (2, 4, 6, 8)),
        ("1 .. 3 8", (1, 2, 3, 8)),
        ("1,5 2", (1.5, 2)),
        ("1,5; 2; 0,5..1/0,25", (1.5, 2, 0.5, 0.75, 1)),
        ("8 x 8 ; 4×4", ([8, 8], [4, 4])),
        ("1,5", (1, 5)),
        ("1,2,3", (1, 2, 3)),
    ],
)
def test_what_is_typed_is_what_is_meant(text, values):
    """Numbers, ranges with steps, shapes with any sign between, words and JSON."""
    assert axis_of("workload.load", text).values == values


@pytest.mark.parametrize(
    ("text", "values"),
    [("1,5", (1.5,)), ("0,5..1,5/0,5", (0.5, 1, 1.5)), ("1, 5", (1, 5)), ("1,2,3", (1, 2, 3))],
)
def test_a_decimal_comma_is_one_where_the_language_has_it(text, values):
    """A comma between two digits alone; with a blank behind it, or another one, it parts values."""
    with speaking("de"):
        assert axis_of("workload.load", text).values == values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected at least one value"),
        ("1,,2", "expected values separated by commas, got 1,,2"),
        ("5..1", "expected a step that leads from 5 to 1, got 5..1"),
        ("1..5/0", "expected a step that leads from 1 to 5, got 1..5/0"),
        ("0..1/0.00001", "expected at most 10000 values, got 0..1/0.00001"),
        ("1, 2, 1", "expected each value once, got 1 twice"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_sentence(text, expected):
    """The sentence does not name the field: it stands beside it."""
    with pytest.raises(FieldError) as caught:
        axis_of("workload.load", text)
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "values", [[1, 2.5], ["tbl", "12"], [[8, 8], [4, 4, 4]], [None, True, "true"]], ids=str
)
def test_values_written_out_are_read_back(values):
    """What a stored axis is shown as is that axis again."""
    assert list(axis_of("workload.load", text_of(values)).values) == values
    with speaking("de"):
        assert list(axis_of("workload.load", text_of(values)).values) == values


def test_numbers_are_written_out_with_a_comma_in_german():
    """As they are typed, so with semicolons between them."""
    with speaking("de"):
        assert [text_of((5.8,)), text_of((2, 5.5))] == ["5,8", "2; 5,5"]


STEPS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1, max_size=60)


def naive(times, values, moment):
    """The value after the last change up to a moment, looked for one by one."""
    result = 0
    for time, value in zip(times, values, strict=True):
        if time <= moment:
            result = value
    return result


@given(STEPS, st.integers(1, 30))
def test_a_column_shows_the_true_extremes(steps, columns):
    """The least and greatest value in a column are those of all moments in it."""
    steps = sorted(steps, key=lambda step: step[0])
    times, values = np.array([s[0] for s in steps], dtype=float), np.array([s[1] for s in steps])
    edges = np.linspace(-1.0, 52.0, columns + 1)
    low, high = StepCurve(times, values).extremes(edges)
    for column in range(columns):
        left, right = edges[column], edges[column + 1]
        moments = [left, right, *[t for t in times if left <= t <= right]]
        seen = [naive(times, values, moment) for moment in moments]
        assert (low[column], high[column]) == (min(seen), max(seen))


def test_one_spike_among_a_million_events_is_seen():
    """At its full height in its column; a dip at one time does not show."""
    values = np.ones(1_000_000, dtype=np.int64)
    values[654_321] = 77
    high = StepCurve(np.arange(1e6), values).extremes(np.linspace(0, 1_000_000, 1001)).high
    assert np.flatnonzero(high == 77).tolist() == [654] == np.flatnonzero(high > 1).tolist()
    curve = StepCurve(np.array([1.0, 2.0, 2.0, 3.0]), np.array([5, 0, 6, 0]))
    assert curve.extremes(np.array([1.0, 2.5])).low.tolist() == [5.0]
    assert curve.at(2.0) == 6


def test_the_mean_over_time_weighs_each_value_by_its_span():
    """Half the time at 4 and half at 0 is 2; one dot of every cell that holds any is kept."""
    curve = StepCurve(np.array([0.0, 5.0]), np.array([4, 0]))
    assert curve.mean_until(np.array([0.0, 5.0, 10.0])).tolist() == [0.0, 4.0, 2.0]
    empty = StepCurve(np.zeros(0), np.zeros(0, dtype=np.int64))
    assert empty.mean_until(np.array([1.0])).tolist() == [0.0]
    assert empty.extremes(np.array([0.0, 1.0, 2.0])).high.tolist() == [0.0, 0.0]
    assert running_mean(np.array([4.0, 2.0, 6.0])).tolist() == [4.0, 3.0, 4.0]
    rng = np.random.default_rng(1)
    x, y = rng.random(20_000), rng.random(20_000)
    kept = first_of_each_cell(x, y, ((0.0, 0.5), (0.0, 1.0)), (20, 10))
    assert len(kept) == 200
    assert x[kept].max() <= 0.5
