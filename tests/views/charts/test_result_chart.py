"""The chart widget: pointing, picking by hand and by keys, zoom that lasts, and quiet updates."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from meshgui.model.charts.charts import ChartData, ChartSeries, PublishedMark
from meshgui.views.charts import result_chart
from meshgui.views.charts.chart_points import points_in_sight
from meshgui.views.charts.series_look import series_colour
from tests.views.pointer import NO_KEY, move_to, turn_wheel
from tests.views.reading import rgb_of


def spot_of(view, series, point):
    """Where a point is drawn."""
    return next(s.at for s in points_in_sight(view.arranged) if (s.series, s.point) == (series, point))


def has(view, colour):
    """How many pixels have a colour."""
    wanted = [colour.red(), colour.green(), colour.blue()]
    return int((np.abs(rgb_of(view.grab().toImage()) - wanted).max(axis=2) < 10).sum())


def longer(chart, points):
    """The chart with only the first points known, the rest still missing."""

    def known(one):
        y = np.where(np.arange(len(one)) < points, one.y, math.nan)
        ends = {"low": one.low, "high": one.high, "runs": one.runs, "points": one.points}
        return ChartSeries.of(one.key, one.label, one.place, one.x, y, **ends)

    return replace(chart, series=tuple(map(known, chart.series)))


def test_pointing_says_the_nearest_point_in_one_line(view, make_curves, qtbot):
    """Series, x, mean, half width and runs; beyond reach nothing; a published value is distinct from them."""
    mark = PublishedMark(0.5, 20.0, 20.0, "s0")
    view.show_chart(make_curves(3, marks=(mark,)))
    assert view.accessibleName() == "Turnaround"
    with qtbot.waitSignal(view.pointed) as heard:
        move_to(view, spot_of(view, 1, 4) + QPointF(3, -2))
    assert heard.args == ["Strategy 1 · load 0.5 · 9.0 ± 1.0 · 10 runs"]
    assert view.accessibleDescription() == heard.args[0]
    move_to(view, view.arranged.area.bottomRight() - QPointF(5, 5))
    assert view.words == ""
    move_to(view, view.arranged.mark_ends(mark)[0])
    assert view.words == "Strategy 0 · load 0.5 · published 20"


def test_a_click_picks_the_point(view, make_bars, qtbot):
    """The signal carries the series' key and what the point is about; a bar is clicked anywhere on it."""

    def clicked(at):
        with qtbot.waitSignal(view.picked) as heard:
            qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=at.toPoint())
        return heard.args

    one = ChartSeries.of("tbl", "TBL", 0, [1.0, 2.0], [3.0, 4.0], points=[("run", 7), ("run", 8)])
    view.show_chart(ChartData("T", "load", "s", (one,)))
    assert clicked(spot_of(view, 0, 1)) == ["tbl", ("run", 8)]
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    view.show_chart(make_bars(3))
    assert clicked(view.arranged.bar(2, 1).center()) == ["s2", 1]


def test_keys_go_over_points_and_enter_picks(view, make_curves, qtbot):
    """Arrows move, Enter picks what a click would, Escape lets go."""
    view.show_chart(make_curves(3))
    view.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Up):
        qtbot.keyClick(view, key)
    assert view.words.startswith("Strategy 1 · load 0.2 ·")
    with qtbot.waitSignal(view.picked) as heard:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert heard.args == ["s1", 1]
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.words.startswith("Strategy 1 · load 1 ·")
    qtbot.keyClick(view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert not view.words.startswith("Strategy 1 · load 1 ·")
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.words == ""
    with qtbot.assertNotEmitted(view.picked):
        qtbot.keyClick(view, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("key", "own"),
    [
        (Qt.Key.Key_Up, True),
        (Qt.Key.Key_Z, True),
        (Qt.Key.Key_Left, False),
        (Qt.Key.Key_End, False),
        (Qt.Key.Key_Plus, False),
        (Qt.Key.Key_Space, False),
        (Qt.Key.Key_F5, False),
    ],
)
def test_the_windows_keys_stay_the_windows(view, make_curves, key, own):
    """The chart takes its own keys before the window's shortcuts do, none of time, and none while empty."""
    for chart, takes in ((make_curves(3), own), (ChartData("T", "load", "s"), False)):
        view.show_chart(chart)
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, NO_KEY)
        event.ignore()
        QApplication.sendEvent(view, event)
        assert event.isAccepted() is takes
    assert view.words == ""


def test_the_wheel_looks_closer_at_the_pointer(view, make_curves, make_bars):
    """What is under it stays there; beside curves and over bars the wheel is the window's."""
    view.show_chart(make_curves(3))
    assert not turn_wheel(view, QPointF(4, 4), 1)
    at = spot_of(view, 1, 4)
    assert turn_wheel(view, at, 3)
    assert view.view is not None
    assert (spot_of(view, 1, 4) - at).manhattanLength() < 12
    turn_wheel(view, at, -10)
    assert view.view is None
    view.show_chart(make_bars(3))
    assert not turn_wheel(view, view.arranged.area.center(), 1)


def test_more_results_keep_the_part_in_sight_and_what_is_pointed_at(view, make_curves):
    """A chart that grows does not jump back."""
    whole = make_curves(3)
    view.show_chart(longer(whole, 6))
    view.zoom(0.5, spot_of(view, 1, 3))
    move_to(view, spot_of(view, 1, 3))
    before, words, part = spot_of(view, 1, 3), view.words, view.view
    view.show_chart(longer(whole, 9))
    assert view.view == part
    assert view.words == words
    assert (spot_of(view, 1, 3) - before).manhattanLength() < 1e-6


def test_dragging_moves_the_part_in_sight_and_picks_nothing(view, make_curves, qtbot):
    """A drag is no click, and it ends at the chart's ends."""
    view.show_chart(make_curves(3))
    view.zoom(0.5)
    begun, left = view.view, Qt.MouseButton.LeftButton
    start = QPointF(view.arranged.area.center().toPoint())
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mousePress(view, left, pos=start.toPoint())
        move_to(view, start + QPointF(60, 0), left)
        assert view.view.across.low < begun.across.low
        assert view.view.up == begun.up
        move_to(view, start + QPointF(90000, 0), left)
        qtbot.mouseRelease(view, left, pos=start.toPoint())
    low = view.view.across.low
    view.show_all()
    assert low == pytest.approx(view.arranged.across.low)


def test_a_double_click_and_0_show_all_and_zoom_ends_before_numbers_lose_their_sense(
    view, make_curves, qtbot
):
    """Two ways back from a zoom."""
    view.show_chart(make_curves(1))
    view.setFocus()
    for closer, shift in ((Qt.Key.Key_Plus, NO_KEY), (Qt.Key.Key_Z, NO_KEY)):
        qtbot.keyClick(view, closer, shift)
        assert view.view is not None
        qtbot.keyClick(view, Qt.Key.Key_0)
        assert view.view is None
    qtbot.keyClick(view, Qt.Key.Key_Z)
    qtbot.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ShiftModifier)
    assert view.view is None
    view.zoom(0.5)
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(6, 300))
    assert view.view is None
    # However far one zooms, axes keep a length and every mark is told from the next
    view.show_chart(make_curves(2))
    for _ in range(200):
        view.zoom(0.5)
    words = [mark.words for mark in view.arranged.x_ticks]
    assert len(words) == len(set(words))
    assert view.arranged.across.high > view.arranged.across.low
    # Another chart is shown whole: a part of one figure is no part of another
    view.show_chart(make_curves(3))
    view.zoom(0.5)
    view.show_chart(replace(make_curves(3), y_label="use, percent"))
    assert view.view is None


def test_pointing_does_not_paint_the_chart_again(view, make_curves, monkeypatch):
    """Following the pointer costs the ring and the line of words, not all curves."""
    drawn, draw = [], result_chart.draw_layout
    monkeypatch.setattr(result_chart, "draw_layout", lambda *parts: drawn.append(1) or draw(*parts))
    view.show_chart(make_curves(8))
    view.grab()
    before = len(drawn)
    move_to(view, spot_of(view, 1, 4))
    view.grab()
    assert len(drawn) == before > 0
    view.show_chart(make_curves(9))
    view.grab()
    assert len(drawn) > before


def test_a_pointed_point_is_ringed_in_the_accent_and_a_change_of_theme_shows_at_once(
    view, make_curves, themes
):
    """The accent means now and selected, and is nowhere else in the chart."""
    view.show_chart(make_curves(3))
    accent = themes.theme.colour("accent")
    assert has(view, accent) == 0
    move_to(view, spot_of(view, 1, 4))
    assert has(view, accent) > 40
    # Ground and series wear the theme the window wears
    view.show_chart(make_curves(3))
    assert has(view, series_colour(1, "light")) > 50
    themes.set_mode("dark")
    assert has(view, series_colour(1, "dark")) > 50
    assert has(view, themes.theme.colour("panel")) > 100_000


def test_a_lecture_makes_everything_larger_but_its_pictures(view, make_curves, themes):
    """Type grows with the scale, and the area gives way; a picture is as large as at a desk."""
    view.show_chart(make_curves(3))
    view.resize(980, 700)
    before = view.arranged
    themes.set_scale(1.4)
    assert view.arranged.fonts.label.pixelSize() == round(13 * 1.4)
    assert view.arranged.area.width() < before.area.width()
    [picture] = view.pictures()
    assert (picture.title, picture.size) == ("Turnaround", QSize(700, 500))


def test_a_resized_chart_keeps_its_point_while_it_is_there(view, make_curves, qtbot, monkeypatch):
    """The ring moves with its point; listeners hear when the series is taken out."""
    ringed = []
    monkeypatch.setattr(result_chart, "draw_pointed", lambda *parts: ringed.append(parts[-1].at))
    view.show_chart(make_curves(3))
    move_to(view, spot_of(view, 2, 2))
    words = view.words
    view.resize(700, 420)
    view.grab()
    assert view.words == words
    assert ringed[-1] == spot_of(view, 2, 2)
    with qtbot.waitSignal(view.pointed) as heard:
        view.show_chart(make_curves(2))
    assert heard.args == [""]
