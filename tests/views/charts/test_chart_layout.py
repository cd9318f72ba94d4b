"""The parts of a chart have room, do not overlap and stand where their values are."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from meshgui.model.base.named import named as named_with_id
from meshgui.model.charts.chart_axis import AxisTick
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine, PublishedMark
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_points import mark_under, neighbour, point_under, points_in_sight
from meshgui.views.charts.chart_style import COMPACT, RESULT

NAN = math.nan
SIZES = [(1600, 1000), (1280, 720), (640, 400), (300, 200)]
LONG = "A strategy with a name that goes on and on, number"


def room(width, height):
    """A rectangle of a size, not at the origin."""
    return QRectF(20, 30, width, height)


def one_curve(x, y, size=(800, 500), style=RESULT, half=None, shape="straight", **more):
    """The layout of one series."""
    one = ChartSeries.of("a", "A", 0, x, y, half=half, shape=shape)
    return arrange(ChartData("T", "x", "y", (one,), **more), room(*size), style=style)


def named(chart, words):
    """The chart with other names of its series."""
    series = [replace(one, label=f"{words} {i}") for i, one in enumerate(chart.series)]
    return replace(chart, series=tuple(series))


def boxes(layout):
    """The rectangles of all words: of names in the legend, at the ends of curves, of numbers on both axes."""
    label, small = QFontMetricsF(layout.fonts.label), QFontMetricsF(layout.fonts.small)
    sample = layout.px(14 if layout.chart.kind == "bars" else RESULT.sample)

    def name(left, one):
        width = label.horizontalAdvance(one.words)
        return QRectF(left, one.middle - label.height() / 2, width, label.height())

    def number(x, top, height, words, share):
        width = small.horizontalAdvance(words)
        return QRectF(x - share * width, top, width, height)

    area, high = layout.area, small.capHeight()
    legend = [name(one.left + sample + layout.px(6), one) for one in layout.legend]
    ends = [name(area.right() + layout.px(18 + RESULT.sample + 6), one) for one in layout.ends]
    across = [
        number(float(layout.xs(mark.value)), area.bottom() + 5, small.height(), mark.words, 0.5)
        for mark in layout.x_ticks
    ]
    up = [
        number(area.left() - 8, float(layout.ys(mark.value)) - high / 2, high, mark.words, 1)
        for mark in layout.y_ticks
    ]
    return legend + ends, across + up


@pytest.mark.parametrize("end", [99.0, 240.0, 497.0, 1200.0])
def test_a_narrow_axis_has_three_numbers_where_they_fit(end):
    """Not its beginning alone, as where the next round number would be beyond the end."""
    layout = one_curve([0.0, end], [0.0, 1.0], (300, 200), COMPACT)
    assert len(layout.x_ticks) >= 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("count", [1, 4, 8, 25])
@pytest.mark.parametrize("words", ["S", LONG])
@pytest.mark.parametrize("kind", ["curves", "bars"])
def test_no_words_overlap(make_curves, make_bars, size, count, words, kind):
    """Names and numbers keep clear of one another and of the data, at every size, however long they are."""
    chart = named((make_curves if kind == "curves" else make_bars)(count), words)
    layout = arrange(chart, room(*size))
    names, numbers = boxes(layout)
    found = [box.adjusted(0.5, 0.5, -0.5, -0.5) for box in (*names, *numbers)]
    assert not [(a, b) for a, b in combinations(found, 2) if a.intersects(b)]
    assert not [box for box in found if box.intersects(layout.area.adjusted(1, 1, -1, -1))]
    assert layout.area.height() > 0.2 * size[1]
    assert layout.area.width() > 0.4 * size[0]
    if kind == "curves":
        assert all(room(*size).adjusted(-1, -1, 1, 1).contains(box) for box in names)


def test_short_names_stand_at_the_ends_and_long_ones_above(make_curves):
    """Direct names where they fit, else a legend outside the area; those it has no room for are counted."""
    direct = arrange(make_curves(8), room(1280, 720))
    assert (len(direct.ends), len(direct.legend)) == (8, 0)
    above = arrange(named(make_curves(8), LONG), room(1280, 720))
    assert (len(above.ends), len(above.legend)) == (0, 8)
    assert all(name.middle < above.area.top() for name in above.legend)
    small = arrange(named(make_curves(25), LONG), room(400, 260))
    assert small.unnamed > 0
    assert len(small.legend) + small.unnamed == 25


def test_points_lie_where_their_values_are(make_curves):
    """The axes' numbers and the points agree: both are evenly apart, up and to the right."""
    layout = arrange(make_curves(3), room(1280, 720))
    area, one = layout.area, layout.chart.series[1]
    for marks, places, way in ((layout.x_ticks, layout.xs, 1), (layout.y_ticks, layout.ys, -1)):
        values = np.array([mark.value for mark in marks])
        steps = way * np.diff(places(values)) / np.diff(values)
        assert steps == pytest.approx(np.full(len(steps), steps[0]))
        assert steps[0] > 0
    xs, ys = layout.places(one)
    assert area.left() < xs.min() < xs.max() < area.right()
    shares = (xs[2] - area.left()) / area.width(), (area.bottom() - ys[2]) / area.height()
    assert float(layout.across.value(shares[0])) == pytest.approx(one.x[2])
    assert float(layout.up.value(shares[1])) == pytest.approx(one.y[2])


def test_axes_hold_intervals_and_published_values_and_stand_while_results_come_in():
    """The axes hold the intervals' ends and the published values, not the means alone."""
    mark = PublishedMark(4.0, 50.0, 70.0, "a")
    layout = one_curve([1.0, 2.0], [5.0, 6.0], half=[1.0, 30.0], marks=(mark,))
    assert layout.up.high >= 70
    assert layout.up.low <= -24
    assert layout.across.high >= 4
    # Points without a value have their place; before the first value the upright axis has no numbers
    x = [1.0, 2.0, 3.0]
    before, early, late = (one_curve(x, y) for y in ([NAN] * 3, [5.0, NAN, NAN], [5.0, 5.5, 5.8]))
    assert (early.across, early.area) == (late.across, late.area)
    assert not before.y_ticks
    assert before.x_ticks


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
    layout = one_curve(x, y, half=half, y_scale=scale)
    assert layout.up.high > layout.up.low
    assert layout.across.high > layout.across.low
    assert all(math.isfinite(spot.x + spot.y) for spot in points_in_sight(layout))
    area = layout.area.adjusted(-2, -2, 2, 2)
    assert all(area.contains(spot.at) for spot in points_in_sight(layout))


def test_a_zero_stays_on_a_logarithmic_chart_and_negative_bars_hang_from_it():
    """Zero has no logarithm: it lies on the lower edge, where it can be pointed at."""
    layout = one_curve([1.0, 2.0, 3.0], [0.0, 10.0, 1000.0], y_scale="log")
    found = {spot.point: spot for spot in points_in_sight(layout)}
    assert found[0].y == layout.area.bottom()
    assert found[1].y < layout.area.bottom()
    # A bar below zero begins at the line of zero; a failed mean leaves a gap that nothing points at
    layout = one_curve([0, 1, 2], [-5.0, 5.0, NAN], kind="bars", categories=("g", "h", "i"))
    below, above = layout.bar(0, 0), layout.bar(0, 1)
    assert below.top() == above.bottom() == pytest.approx(float(layout.ys(0)))
    assert layout.bar(0, 2) is None
    assert [spot.point for spot in points_in_sight(layout)] == [0, 1]


def test_bars_stand_side_by_side_in_their_groups(make_bars):
    """Each group keeps its part of the axis; values over them have room: level, else turned, else none."""
    layout = arrange(make_bars(8), room(1280, 720))
    found = sorted((layout.bar(i, k) for i in range(8) for k in range(3)), key=lambda bar: bar.left())
    assert all(a.right() <= b.left() + 1e-6 for a, b in pairwise(found))
    assert all(bar.bottom() == layout.foot() for bar in found)
    highest = min(float(layout.ys(one.high.max())) for one in layout.chart.series)
    assert highest - QFontMetricsF(layout.fonts.small).height() >= layout.area.top() - 6
    assert layout.values_turned is False
    assert arrange(make_bars(8), room(560, 500)).values_turned is True
    assert arrange(make_bars(25), room(560, 500)).values_turned is None


# Pointing


def test_the_nearest_point_and_anywhere_over_a_bar_is_pointed_at(make_curves, make_bars):
    """Within reach the nearest of all curves' points counts, beyond it none."""
    layout = arrange(make_curves(4), room(1280, 720))
    among = points_in_sight(layout)
    for spot in among:
        assert point_under(layout, among, spot.at + QPointF(1, 1), 24) == spot
    assert point_under(layout, among, layout.area.bottomRight(), 24) is None
    # A bar is met over its whole width, and above it as well: short ones can be pointed at
    layout = arrange(make_bars(3), room(1280, 720))
    among = points_in_sight(layout)
    bar = layout.bar(1, 2)
    for at in (bar.center(), QPointF(bar.left() + 1, layout.area.top() + 2)):
        found = point_under(layout, among, at, 24)
        assert found[:2] == (1, 2)
    assert point_under(layout, among, QPointF(layout.area.left() + 1, bar.center().y()), 24) is None
    # A published range over a bar is met anywhere along it
    mark = PublishedMark("decreasing", 20.0, 30.0, "s1")
    layout = arrange(make_bars(3, marks=(mark,)), room(1280, 720))
    low, high = layout.mark_ends(mark)
    bar = layout.bar(1, 1)
    assert bar.left() <= low.x() <= bar.right()
    assert mark_under(layout, (low + high) / 2, 8) == mark
    assert mark_under(layout, low + QPointF(0, 40), 8) is None


def test_arrows_go_along_a_curve_and_from_curve_to_curve(make_curves):
    """Left and right stay on a curve, up and down change it, and ends hold."""
    layout = arrange(make_curves(3), room(1280, 720))
    among = points_in_sight(layout)
    first = neighbour(layout, among, None, "right")
    assert first[:2] == (0, 0)
    assert neighbour(layout, among, first, "left") == first
    assert neighbour(layout, among, first, "right")[:2] == (0, 1)
    assert neighbour(layout, among, first, "last")[:2] == (0, 9)
    assert neighbour(layout, among, first, "up")[:2] == (1, 0)
    assert neighbour(layout, among, first, "down") == first
    # A failed point is passed over
    layout = one_curve([1.0, 2.0, 3.0], [1.0, NAN, 3.0])
    among = points_in_sight(layout)
    assert neighbour(layout, among, among[0], "right").point == 2
    # Curves that lie on one another are passed one by one
    series = tuple(ChartSeries.of(f"s{i}", f"S{i}", i, [1.0, 2.0], [5.0, 5.0]) for i in range(4))
    layout = arrange(ChartData("T", "x", "y", series), room(800, 500))
    among = points_in_sight(layout)
    at = neighbour(layout, among, None, "right")
    met = [at.series]
    for _ in range(3):
        at = neighbour(layout, among, at, "up")
        met.append(at.series)
    assert met == [0, 1, 2, 3]


def test_arrows_reach_every_bar(make_bars):
    """Right goes through all bars in order; up and down go from group to group."""
    layout = arrange(make_bars(2), room(1280, 720))
    among = points_in_sight(layout)
    at = neighbour(layout, among, None, "right")
    met = [at[:2]]
    for _ in range(5):
        at = neighbour(layout, among, at, "right")
        met.append(at[:2])
    assert met == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    assert neighbour(layout, among, at, "down")[:2] == (1, 1)
    assert neighbour(layout, among, at, "up") == at


def test_a_curve_of_steps_turns_at_its_points_and_reaches_the_end():
    """Each value holds until the next point, the last one to the edge of the area."""
    layout = one_curve([0.0, 1.0], [5.0, 7.0], style=COMPACT, shape="steps", x_reach=(4.0,))
    xs, ys = layout.line(layout.chart.series[0])
    assert xs.tolist() == [*map(float, layout.xs([0.0, 1.0, 1.0])), layout.area.right()]
    assert ys.tolist() == layout.ys([5.0, 5.0, 7.0, 7.0]).tolist()


def test_axes_reach_what_they_are_told_to_and_given_ticks_stand():
    """Even where no point of a series lies so far."""
    reach = {"cursors": (CursorLine(9.0, "now"),), "x_reach": (0.0,), "y_reach": (0.0,)}
    layout = one_curve([1.0, 2.0], [5.0, 6.0], (400, 200), COMPACT, **reach)
    assert (layout.across.low, layout.across.high, layout.up.low) == (0.0, 9.0, 0.0)
    # Given ticks without words take no room beside the area, and a compact chart none for a missing name
    one = ChartSeries.of("a", "", 0, [0.0, 7.0], [0.2, 1.0], shape="area")
    ticks = (AxisTick(0.0, "0"), AxisTick(7.0, "7"))
    chart = ChartData("", "", "100 %", (one,), x_ticks=ticks, y_ticks=(AxisTick(1.0, ""),))
    layout = arrange(chart, room(300, 76), style=COMPACT)
    assert (layout.x_ticks, layout.y_ticks) == (ticks, (AxisTick(1.0, ""),))
    assert layout.area.left() == layout.inner.left()
    assert layout.area.height() > 25
    assert not layout.legend


NAMES = tuple(named_with_id(f"Strategy number {i} of a few", f"s{i}") for i in range(4))


def of_strategies(kind, count=4):
    """A chart whose series or categories are strategies."""
    ids, names = [f"s{i}" for i in range(count)], NAMES[:count]
    if kind == "bars":
        one = ChartSeries.of("a", "a mean", 0, range(count), range(1, count + 1))
        return ChartData("", "", "y", (one,), kind, tuple(ids), full_categories=names, names=names)
    parts = zip(ids, names, strict=True)
    series = [ChartSeries.of(s, s, i, [1, 2], [i, i], full=full) for i, (s, full) in enumerate(parts)]
    return ChartData("", "", "y", tuple(series), names=names)


def names_in(layout):
    """What stands at the axis or in the legend, and in the lines below the chart."""
    if layout.categories is not None:
        return [
            " ".join(lines).replace(" \N{EN SPACE}", "\N{EN SPACE}") for lines in layout.categories.lines
        ], [*layout.note]
    return [one.words for one in layout.legend or layout.ends], list(layout.note)


@pytest.mark.parametrize("kind", ["curves", "bars"])
@pytest.mark.parametrize("width", [240, 300, 400, 500, 700, 1000, 1400])
def test_full_names_are_in_the_picture_whole(qapp, kind, width):
    """In legend or axis, or where they have no room there in a line below, with ids in their place."""
    shown, below = names_in(arrange(of_strategies(kind), room(width, 300)))
    if shown != list(NAMES):
        assert shown == ["s0", "s1", "s2", "s3"]
        assert " ".join(below).replace(" \N{EN SPACE}", "\N{EN SPACE}") == " · ".join(NAMES)
    assert not any("…" in words for words in shown + below)


def test_a_wide_chart_has_the_names_in_their_places_and_a_narrow_one_below(qapp):
    """Of bars on the axis, of curves at their ends or above."""
    for kind in ("curves", "bars"):
        assert names_in(arrange(of_strategies(kind), room(1400, 300))) == (list(NAMES), [])
    assert names_in(arrange(of_strategies("bars"), room(240, 300)))[0] == ["s0", "s1", "s2", "s3"]
