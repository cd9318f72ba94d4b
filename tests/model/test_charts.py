"""Charts of results: places along x, places of series that stay, tables, and points in words."""

import math

import numpy as np
import pytest

from meshgui.model.charts import ChartData, ChartSeries, PublishedMark, SeriesPlaces, point_words, positions

NAN = math.nan
ONE = ChartSeries.of("a", "A", 0, [0], [1])


@pytest.mark.parametrize(
    ("values", "order", "categories", "places"),
    [
        ([0.2, 1, 0.6], (), (), [0.2, 1.0, 0.6]),
        (["tbl", "best fit", "tbl", "qa"], (), ("tbl", "best fit", "qa"), [0, 1, 0, 2]),
        ([[16, 16], (8, 8, 4)], (), ("16×16", "8×8×4"), [0, 1]),
        ([True, False], (), ("yes", "no"), [0, 1]),
        (["c", "a", "x", "b"], ["a", "b", "z", "c"], ("a", "b", "c", "x"), [2, 0, 3, 1]),
        ([], (), (), []),
    ],
    ids=["numbers", "texts", "shapes", "choices", "in a given order", "nothing"],
)
def test_numbers_lie_where_they_are_and_all_else_in_categories(values, order, categories, places):
    """As they first come or in the order given; shapes and choices are no numbers, and none is empty."""
    found = positions(values, order=order)
    assert (found.categories, found.x.tolist()) == (categories, places)


def test_a_series_keeps_its_place_when_others_come():
    """A strategy's place is the same in every chart and after others were added before it in a list."""
    places = SeriesPlaces.after(["tbl", "best fit"])
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
    """Series of unequal lengths, bars without their groups, marks at a category nobody has."""
    with pytest.raises(ValueError, match=fault):
        make()


def test_half_widths_make_intervals_and_a_chart_of_failures_only_is_empty():
    """As far to both sides; one published value is something, in its category."""
    one = ChartSeries.of("a", "A", 0, [1, 2], [10, 20], half=[1, NAN])
    assert (one.low[0], one.high[0], one.points) == (9, 11, (0, 1))
    assert np.isnan(one.low[1])
    one = ChartSeries.of("a", "A", 0, [1, 2], [NAN, NAN])
    assert ChartData("T", "x", "y", (one,)).is_empty
    assert not ChartData("T", "x", "y", (one,), marks=(PublishedMark(1.0, 2.0, 3.0),)).is_empty
    chart = ChartData("T", "x", "s", categories=("fcfs", "window"), marks=(PublishedMark("window", 1, 1),))
    assert chart.at(chart.marks[0]) == 1


def test_rows_hold_every_number_once():
    """The table has a head, a row for each point with what it lacks left out, and published values last."""
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
        ((3.0, 3.0, 3.0), 2, "TBL · load 0.8 · 3 ± 0 · 2 runs"),
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
