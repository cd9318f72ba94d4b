"""Charts of results: places along x, places of series that stay, tables, and points in words."""

import math

import numpy as np
import pytest

from meshgui.model.charts import ChartData, ChartSeries, PublishedMark, SeriesPlaces, point_words, positions

NAN = math.nan


def test_numbers_lie_where_they_are():
    """Swept numbers are their own places, and there are no categories."""
    found = positions([0.2, 1, 0.6])
    assert found.x.tolist() == [0.2, 1.0, 0.6]
    assert found.categories == ()


def test_texts_lie_one_after_another():
    """Anything but numbers is a category, as it first comes, and a repeated one keeps its place."""
    found = positions(["tbl", "best fit", "tbl", "qa"])
    assert found.categories == ("tbl", "best fit", "qa")
    assert found.x.tolist() == [0, 1, 0, 2]


def test_shapes_and_choices_are_categories_in_words():
    """A shape reads 16×16 and a choice yes or no: neither is taken for a number."""
    assert positions([[16, 16], (8, 8, 4)]).categories == ("16×16", "8×8×4")
    assert positions([True, False]).categories == ("yes", "no")


def test_a_given_order_of_categories_holds():
    """Categories stand as told; what nobody named follows, and what is named but absent takes no room."""
    found = positions(["c", "a", "x", "b"], order=["a", "b", "z", "c"])
    assert found.categories == ("a", "b", "c", "x")
    assert found.x.tolist() == [2, 0, 3, 1]


def test_nothing_swept_has_no_places():
    """No values make no places."""
    assert positions([]).x.size == 0


def test_a_series_keeps_its_place_when_others_come():
    """A strategy's place is the same in every chart and after others were added before it in a list."""
    places = SeriesPlaces.after(["tbl", "best fit"])
    before = {key: places.of(key) for key in ("tbl", "best fit")}
    new = [places.of(key) for key in ("aaa", "best fit", "tbl", "zzz")]
    assert before == {"tbl": 0, "best fit": 1}
    assert new == [2, 1, 0, 3]


def test_series_of_unequal_lengths_are_refused():
    """Every point has all its numbers, or the series says which are amiss."""
    with pytest.raises(ValueError, match="expected 3 values of y, got 2"):
        ChartSeries.of("a", "A", 0, [1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="got both"):
        ChartSeries.of("a", "A", 0, [1], [1], low=[0], half=[1])


def test_half_widths_make_intervals():
    """An interval given by half its width reaches as far to both sides."""
    one = ChartSeries.of("a", "A", 0, [1, 2], [10, 20], half=[1, NAN])
    assert one.low[0] == 9
    assert one.high[0] == 11
    assert np.isnan(one.low[1])
    assert one.points == (0, 1)


def test_a_published_value_finds_its_category():
    """A mark stands at its category; one of a category nobody has is refused."""
    chart = ChartData(
        "T", "scheduler", "s", categories=("fcfs", "window"), marks=(PublishedMark("window", 1, 1),)
    )
    assert chart.at(chart.marks[0]) == 1
    with pytest.raises(ValueError, match="expected one of fcfs, got none"):
        ChartData("T", "scheduler", "s", categories=("fcfs",), marks=(PublishedMark("none", 1, 1),))


def test_bars_need_their_groups_and_logarithms_need_numbers():
    """Charts that cannot be drawn are refused where they are made."""
    one = ChartSeries.of("a", "A", 0, [0], [1])
    with pytest.raises(ValueError, match="groups"):
        ChartData("T", "x", "y", (one,), kind="bars")
    with pytest.raises(ValueError, match="logarithmic"):
        ChartData("T", "x", "y", (one,), categories=("a",), x_scale="log")


def test_a_chart_of_failures_only_is_empty():
    """What has no value leaves nothing to draw; one published value is something."""
    one = ChartSeries.of("a", "A", 0, [1, 2], [NAN, NAN])
    assert ChartData("T", "x", "y", (one,)).is_empty
    assert not ChartData("T", "x", "y", (one,), marks=(PublishedMark(1.0, 2.0, 3.0),)).is_empty


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
