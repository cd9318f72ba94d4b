"""The parts of a chart have room, do not overlap and stand where their values are."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from meshgui.model.chart_axis import AxisTick
from meshgui.model.charts import ChartData, ChartSeries, CursorLine, PublishedMark
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_points import mark_under, neighbour, point_under, points_in_sight
from meshgui.views.charts.chart_style import COMPACT, RESULT

NAN = math.nan
SIZES = [(1600, 1000), (1280, 720), (640, 400), (300, 200)]
LONG = "A strategy with a name that goes on and on, number"


def room(size):
    """A rectangle of a size, not at the origin."""
    return QRectF(20, 30, *size)


def named(chart, words):
    """The chart with other names of its series."""
    series = [
        ChartSeries.of(one.key, f"{words} {i}", i, one.x, one.y, low=one.low, high=one.high)
        for i, one in enumerate(chart.series)
    ]
    return ChartData(**{**vars(chart), "series": tuple(series)})


def boxes(layout):
    """The rectangles of all words around the area."""
    label, small = QFontMetricsF(layout.fonts.label), QFontMetricsF(layout.fonts.small)
    found = []
    for name in layout.legend:
        width = label.horizontalAdvance(name.words)
        left = name.left + layout.px(14 if layout.chart.kind == "bars" else RESULT.sample) + layout.px(6)
        found.append(QRectF(left, name.middle - label.height() / 2, width, label.height()))
    for end in layout.ends:
        left = layout.area.right() + layout.px(18 + RESULT.sample + 6)
        found.append(
            QRectF(left, end.middle - label.height() / 2, label.horizontalAdvance(end.words), label.height())
        )
    for mark in layout.x_ticks:
        width = small.horizontalAdvance(mark.words)
        x = float(layout.xs(mark.value))
        found.append(QRectF(x - width / 2, layout.area.bottom() + 5, width, small.height()))
    for mark in layout.y_ticks:
        width = small.horizontalAdvance(mark.words)
        y = float(layout.ys(mark.value))
        found.append(
            QRectF(layout.area.left() - 8 - width, y - small.capHeight() / 2, width, small.capHeight())
        )
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 4, 8, 25])
@pytest.mark.parametrize("words", ["S", LONG])
@pytest.mark.parametrize("kind", ["curves", "bars"])
def test_no_words_overlap(make_curves, make_bars, size, count, words, kind):
    """Names and numbers keep clear of one another and of the data, at every size, however long they are."""
    chart = named((make_curves if kind == "curves" else make_bars)(count), words)
    layout = arrange(chart, room(size))
    found = [box.adjusted(0.5, 0.5, -0.5, -0.5) for box in boxes(layout)]
    assert not [(a, b) for a, b in combinations(found, 2) if a.intersects(b)]
    assert not [box for box in found if box.intersects(layout.area.adjusted(1, 1, -1, -1))]
    assert layout.area.height() > 0.2 * size[1]
    assert layout.area.width() > 0.4 * size[0]


@pytest.mark.parametrize("size", SIZES)
def test_words_stay_inside(make_curves, size):
    """No name reaches beyond the rectangle."""
    for count in (1, 8, 25):
        layout = arrange(named(make_curves(count), LONG), room(size))
        assert all(
            room(size).adjusted(-1, -1, 1, 1).contains(box) for box in boxes(layout)[: len(layout.ends)]
        )
        assert all(
            room(size).adjusted(-1, -1, 1, 1).contains(box) for box in boxes(layout)[: len(layout.legend)]
        )


def test_short_names_stand_at_the_ends_and_long_ones_above(make_curves):
    """Direct names where they fit; otherwise a legend outside the area, complete."""
    direct = arrange(make_curves(8), room((1280, 720)))
    assert len(direct.ends) == 8
    assert not direct.legend
    above = arrange(named(make_curves(8), LONG), room((1280, 720)))
    assert not above.ends
    assert len(above.legend) == 8
    assert all(name.middle < above.area.top() for name in above.legend)


def test_names_that_find_no_room_are_counted(make_curves):
    """In a small chart the legend gives way to the data, and says how many names are left out."""
    layout = arrange(named(make_curves(25), LONG), room((400, 260)))
    assert layout.unnamed > 0
    assert len(layout.legend) + layout.unnamed == 25


def test_points_lie_where_their_values_are(make_curves):
    """The axes' numbers and the points agree."""
    layout = arrange(make_curves(3), room((1280, 720)))
    for marks, places, edge in ((layout.x_ticks, layout.xs, "left"), (layout.y_ticks, layout.ys, "bottom")):
        values = np.array([mark.value for mark in marks])
        where = places(values)
        steps = np.diff(where) / np.diff(values)
        assert steps == pytest.approx(np.full(len(steps), steps[0]))
        assert edge
    one = layout.chart.series[1]
    xs, ys = layout.places(one)
    assert layout.area.left() < xs.min() < xs.max() < layout.area.right()
    assert float(layout.across.value((xs[2] - layout.area.left()) / layout.area.width())) == pytest.approx(
        one.x[2]
    )
    assert float(layout.up.value((layout.area.bottom() - ys[2]) / layout.area.height())) == pytest.approx(
        one.y[2]
    )


def test_intervals_and_published_values_have_room():
    """The axes hold the intervals' ends and the published values, not the means alone."""
    one = ChartSeries.of("a", "A", 0, [1.0, 2.0], [5.0, 6.0], half=[1.0, 30.0])
    layout = arrange(
        ChartData("T", "x", "y", (one,), marks=(PublishedMark(4.0, 50.0, 70.0, "a"),)), room((800, 500))
    )
    assert layout.up.high >= 70
    assert layout.up.low <= -24
    assert layout.across.high >= 4


def test_the_lower_axis_stands_while_results_come_in():
    """Points without a value yet have their place: the axis does not move when they get one."""
    x = [1.0, 2.0, 3.0]
    early = ChartData("T", "x", "y", (ChartSeries.of("a", "A", 0, x, [5.0, NAN, NAN]),))
    late = ChartData("T", "x", "y", (ChartSeries.of("a", "A", 0, x, [5.0, 5.5, 5.8]),))
    assert arrange(early, room((800, 500))).across == arrange(late, room((800, 500))).across
    assert arrange(early, room((800, 500))).area == arrange(late, room((800, 500))).area


@pytest.mark.parametrize(
    ("x", "y", "half"),
    [
        ([1.0], [5.0], [0.0]),
        ([1.0], [NAN], [NAN]),
        ([1.0, 2.0], [0.0, 0.0], [0.0, 0.0]),
        ([1e9, 2e9], [1e30, 5e30], [1e29, 1e29]),
        ([1e-9, 2e-9], [1e-30, 5e-30], [1e-31, 0.0]),
        ([-1.0, 1.0], [-1e308, 1e308], [0.0, 0.0]),
        ([1.0, 1.0], [7.0, 7.0], [0.0, 0.0]),
    ],
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_odd_values_leave_a_chart(x, y, half, scale):
    """One point, none, equal, huge and tiny values, negative ones on a logarithm: every place is finite."""
    chart = ChartData("T", "x", "y", (ChartSeries.of("a", "A", 0, x, y, half=half),), y_scale=scale)
    layout = arrange(chart, room((800, 500)))
    assert layout.up.high > layout.up.low
    assert layout.across.high > layout.across.low
    assert all(math.isfinite(spot.x + spot.y) for spot in points_in_sight(layout))
    area = layout.area.adjusted(-2, -2, 2, 2)
    assert all(area.contains(spot.at) for spot in points_in_sight(layout))


def test_a_zero_stays_on_a_logarithmic_chart():
    """Zero has no logarithm: it lies on the lower edge, where it can be pointed at."""
    one = ChartSeries.of("a", "A", 0, [1.0, 2.0, 3.0], [0.0, 10.0, 1000.0])
    layout = arrange(ChartData("T", "x", "y", (one,), y_scale="log"), room((800, 500)))
    found = {spot.point: spot for spot in points_in_sight(layout)}
    assert found[0].y == layout.area.bottom()
    assert found[1].y < layout.area.bottom()


def test_bars_stand_side_by_side_in_their_groups(make_bars):
    """No two bars overlap, each group keeps its part of the axis, and values over them have room."""
    layout = arrange(make_bars(8), room((1280, 720)))
    found = sorted((layout.bar(i, k) for i in range(8) for k in range(3)), key=lambda bar: bar.left())
    assert all(a.right() <= b.left() + 1e-6 for a, b in pairwise(found))
    assert all(bar.bottom() == layout.foot() for bar in found)
    assert layout.values_turned is False
    line = QFontMetricsF(layout.fonts.small).height()
    assert (
        min(float(layout.ys(one.high.max())) for one in layout.chart.series) - line >= layout.area.top() - 6
    )


def test_values_of_narrow_bars_are_turned_then_left_out(make_bars):
    """Numbers over bars never touch: level, else turned, else none."""
    assert arrange(make_bars(8), room((560, 500))).values_turned is True
    assert arrange(make_bars(25), room((560, 500))).values_turned is None


def test_negative_bars_hang_from_zero():
    """A bar below zero begins at the line of zero."""
    one = ChartSeries.of("a", "A", 0, [0, 1], [-5.0, 5.0])
    layout = arrange(ChartData("T", "x", "y", (one,), "bars", ("g", "h")), room((800, 500)))
    below, above = layout.bar(0, 0), layout.bar(0, 1)
    assert below.top() == above.bottom() == pytest.approx(float(layout.ys(0)))


def test_a_bar_without_a_value_is_not_there(make_bars):
    """A failed mean leaves a gap that nothing points at."""
    one = ChartSeries.of("a", "A", 0, [0, 1], [NAN, 5.0])
    layout = arrange(ChartData("T", "x", "y", (one,), "bars", ("g", "h")), room((800, 500)))
    assert layout.bar(0, 0) is None
    assert [spot.point for spot in points_in_sight(layout)] == [1]


# Pointing


def test_the_nearest_point_is_pointed_at(make_curves):
    """Within reach the nearest of all curves' points counts, beyond it none."""
    layout = arrange(make_curves(4), room((1280, 720)))
    among = points_in_sight(layout)
    for spot in among:
        assert point_under(layout, among, spot.at + QPointF(1, 1), 24) == spot
    assert point_under(layout, among, layout.area.bottomRight(), 24) is None


def test_anywhere_over_a_bar_points_at_it(make_bars):
    """A bar is met over its whole width, and above it as well: short ones can be pointed at."""
    layout = arrange(make_bars(3), room((1280, 720)))
    among = points_in_sight(layout)
    bar = layout.bar(1, 2)
    for at in (bar.center(), QPointF(bar.left() + 1, layout.area.top() + 2)):
        found = point_under(layout, among, at, 24)
        assert found[:2] == (1, 2)
    assert point_under(layout, among, QPointF(layout.area.left() + 1, bar.center().y()), 24) is None


def test_published_values_are_pointed_at_over_their_bars(make_bars):
    """A range over a bar is met anywhere along it."""
    mark = PublishedMark("decreasing", 20.0, 30.0, "s1")
    layout = arrange(make_bars(3, marks=(mark,)), room((1280, 720)))
    low, high = layout.mark_ends(mark)
    bar = layout.bar(1, 1)
    assert bar.left() <= low.x() <= bar.right()
    assert mark_under(layout, (low + high) / 2, 8) == mark
    assert mark_under(layout, low + QPointF(0, 40), 8) is None


def test_arrows_go_along_a_curve_and_from_curve_to_curve(make_curves):
    """Left and right stay on a curve, up and down change it, and ends hold."""
    layout = arrange(make_curves(3), room((1280, 720)))
    among = points_in_sight(layout)
    first = neighbour(layout, among, None, "right")
    assert first[:2] == (0, 0)
    assert neighbour(layout, among, first, "left") == first
    assert neighbour(layout, among, first, "right")[:2] == (0, 1)
    assert neighbour(layout, among, first, "last")[:2] == (0, 9)
    assert neighbour(layout, among, first, "up")[:2] == (1, 0)
    assert neighbour(layout, among, first, "down") == first


def test_arrows_reach_every_bar(make_bars):
    """Right goes through all bars in order; up and down go from group to group."""
    layout = arrange(make_bars(2), room((1280, 720)))
    among = points_in_sight(layout)
    at = neighbour(layout, among, None, "right")
    met = [at[:2]]
    for _ in range(5):
        at = neighbour(layout, among, at, "right")
        met.append(at[:2])
    assert met == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert neighbour(layout, among, at, "down")[:2] == (1, 1)
    assert neighbour(layout, among, at, "up") == at


def test_arrows_pass_over_missing_points():
    """A failed point is passed over."""
    one = ChartSeries.of("a", "A", 0, [1.0, 2.0, 3.0], [1.0, NAN, 3.0])
    layout = arrange(ChartData("T", "x", "y", (one,)), room((800, 500)))
    among = points_in_sight(layout)
    assert neighbour(layout, among, among[0], "right").point == 2


def test_equal_curves_can_all_be_reached():
    """Curves that lie on one another are passed one by one with up and down."""
    series = tuple(ChartSeries.of(f"s{i}", f"S{i}", i, [1.0, 2.0], [5.0, 5.0]) for i in range(4))
    layout = arrange(ChartData("T", "x", "y", series), room((800, 500)))
    among = points_in_sight(layout)
    at = neighbour(layout, among, None, "right")
    met = [at.series]
    for _ in range(3):
        at = neighbour(layout, among, at, "up")
        met.append(at.series)
    assert met == [0, 1, 2, 3]


def test_an_axis_of_nothing_has_no_numbers(make_curves):
    """Before the first result the upright axis claims no numbers; the lower one stands already."""
    one = ChartSeries.of("a", "A", 0, [1.0, 2.0, 3.0], [NAN, NAN, NAN])
    layout = arrange(ChartData("T", "x", "y", (one,)), room((800, 500)))
    assert not layout.y_ticks
    assert layout.x_ticks


def test_a_curve_of_steps_turns_at_its_points_and_reaches_the_end():
    """Each value holds until the next point, the last one to the edge of the area."""
    one = ChartSeries.of("a", "A", 0, [0.0, 1.0], [5.0, 7.0], shape="steps")
    layout = arrange(ChartData("T", "x", "y", (one,), x_reach=(4.0,)), room((800, 500)), style=COMPACT)
    xs, ys = layout.line(one)
    assert xs.tolist() == [*map(float, layout.xs([0.0, 1.0, 1.0])), layout.area.right()]
    assert ys.tolist() == layout.ys([5.0, 5.0, 7.0, 7.0]).tolist()


def test_axes_reach_what_they_are_told_to_and_cursor_lines():
    """Even where no point of a series lies so far."""
    one = ChartSeries.of("a", "A", 0, [1.0, 2.0], [5.0, 6.0])
    chart = ChartData(
        "T", "x", "y", (one,), cursors=(CursorLine(9.0, "now"),), x_reach=(0.0,), y_reach=(0.0,)
    )
    layout = arrange(chart, room((400, 200)), style=COMPACT)
    assert (layout.across.low, layout.across.high) == (0.0, 9.0)
    assert layout.up.low == 0.0


def test_given_ticks_stand_instead_of_round_numbers():
    """Ticks without words take no room beside the area, and a compact chart none for a missing name."""
    one = ChartSeries.of("a", "", 0, [0.0, 7.0], [0.2, 1.0], shape="area")
    ticks = (AxisTick(0.0, "0"), AxisTick(7.0, "7"))
    chart = ChartData("", "", "100 %", (one,), x_ticks=ticks, y_ticks=(AxisTick(1.0, ""),))
    layout = arrange(chart, room((300, 76)), style=COMPACT)
    assert (layout.x_ticks, layout.y_ticks) == (ticks, (AxisTick(1.0, ""),))
    assert layout.area.left() == layout.inner.left()
    assert layout.area.height() > 25
    assert not layout.legend
