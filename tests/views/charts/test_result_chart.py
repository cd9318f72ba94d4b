"""The chart widget: pointing, picking by hand and by keys, zoom that lasts, and quiet updates."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from meshgui.model.charts import ChartData, ChartSeries, PublishedMark
from meshgui.views.charts.chart_points import points_in_sight
from meshgui.views.charts.series_look import series_colour


def spot_of(view, series, point):
    """Where a point is drawn."""
    return next(s.at for s in points_in_sight(view.arranged) if (s.series, s.point) == (series, point))


def move(view, at, buttons=Qt.MouseButton.NoButton):
    """Move the pointer over the chart."""
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        at,
        view.mapToGlobal(at),
        Qt.MouseButton.NoButton,
        buttons,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def wheel(view, at, angle):
    """Turn the wheel at a place; whether the chart took it."""
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    return event.isAccepted()


def pixels(view):
    """What is seen."""
    image = view.grab().toImage().convertToFormat(view.grab().toImage().Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.width(), 4)
    return raw[:, :, 2::-1].astype(int)


def has(view, colour):
    """How many pixels have a colour."""
    return int((np.abs(pixels(view) - [colour.red(), colour.green(), colour.blue()]).max(axis=2) < 10).sum())


def longer(chart, points):
    """The chart with only the first points known, the rest still missing."""
    series = tuple(
        ChartSeries.of(
            one.key,
            one.label,
            one.place,
            one.x,
            np.where(np.arange(len(one)) < points, one.y, math.nan),
            low=one.low,
            high=one.high,
            runs=one.runs,
            points=one.points,
        )
        for one in chart.series
    )
    return ChartData(**{**vars(chart), "series": series})


def test_pointing_says_the_nearest_point_in_one_line(view, make_curves, qtbot):
    """Series, x, mean, half width and runs; beyond reach nothing."""
    view.show_chart(make_curves(3))
    with qtbot.waitSignal(view.pointed) as heard:
        move(view, spot_of(view, 1, 4) + QPointF(3, -2))
    assert heard.args == ["Strategy 1 · load 0.5 · 9.0 ± 1.0 · 10 runs"]
    assert view.accessibleDescription() == heard.args[0]
    move(view, view.arranged.area.bottomRight() - QPointF(5, 5))
    assert view.words == ""


def test_pointing_at_a_published_value_says_so(view, make_curves):
    """A published value is told from a measured one."""
    mark = PublishedMark(0.5, 20.0, 20.0, "s0")
    view.show_chart(make_curves(2, marks=(mark,)))
    move(view, view.arranged.mark_ends(mark)[0])
    assert view.words == "Strategy 0 · load 0.5 · published 20"


def test_a_click_picks_the_point(view, qtbot):
    """The signal carries the series' key and what the point is about."""
    one = ChartSeries.of("tbl", "TBL", 0, [1.0, 2.0], [3.0, 4.0], points=[("run", 7), ("run", 8)])
    view.show_chart(ChartData("T", "load", "s", (one,)))
    with qtbot.waitSignal(view.picked) as heard:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot_of(view, 0, 1).toPoint())
    assert heard.args == ["tbl", ("run", 8)]
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))


def test_a_click_on_a_bar_picks_it(view, make_bars, qtbot):
    """Anywhere on a bar."""
    view.show_chart(make_bars(3))
    with qtbot.waitSignal(view.picked) as heard:
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.arranged.bar(2, 1).center().toPoint())
    assert heard.args == ["s2", 1]


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
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.words == ""
    with qtbot.assertNotEmitted(view.picked):
        qtbot.keyClick(view, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("key", "own"),
    [(Qt.Key.Key_Left, True), (Qt.Key.Key_Plus, True), (Qt.Key.Key_Space, False), (Qt.Key.Key_F5, False)],
)
def test_the_windows_keys_stay_the_windows(view, make_curves, key, own):
    """The chart takes its own keys before the window's shortcuts do, and no others."""
    view.show_chart(make_curves(3))
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(view, event)
    assert event.isAccepted() is own


def test_an_empty_chart_takes_no_keys(view):
    """Where there is nothing to go over, arrows are the window's."""
    view.show_chart(ChartData("T", "load", "s"))
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QApplication.sendEvent(view, event)
    assert not event.isAccepted()
    assert view.words == ""


def test_the_wheel_looks_closer_at_the_pointer(view, make_curves):
    """What is under the pointer stays there; turning back far enough shows all."""
    view.show_chart(make_curves(3))
    at = spot_of(view, 1, 4)
    assert wheel(view, at, 360)
    assert view.view is not None
    assert (spot_of(view, 1, 4) - at).manhattanLength() < 12
    wheel(view, at, -1200)
    assert view.view is None


def test_the_wheel_beside_the_curves_is_the_windows(view, make_curves, make_bars):
    """Over names and numbers, and over bars, the wheel scrolls whatever the chart lies in."""
    view.show_chart(make_curves(3))
    assert not wheel(view, QPointF(4, 4), 120)
    view.show_chart(make_bars(3))
    assert not wheel(view, view.arranged.area.center(), 120)


def test_more_results_keep_the_part_in_sight_and_what_is_pointed_at(view, make_curves):
    """A chart that grows does not jump back."""
    whole = make_curves(3)
    view.show_chart(longer(whole, 6))
    view.zoom(0.5, spot_of(view, 1, 3))
    move(view, spot_of(view, 1, 3))
    before, words, part = spot_of(view, 1, 3), view.words, view.view
    view.show_chart(longer(whole, 9))
    assert view.view == part
    assert view.words == words
    assert (spot_of(view, 1, 3) - before).manhattanLength() < 1e-6


def test_another_chart_is_shown_whole(view, make_curves):
    """A part of one figure is no part of another."""
    view.show_chart(make_curves(3))
    view.zoom(0.5)
    other = make_curves(3)
    view.show_chart(ChartData(**{**vars(other), "y_label": "use, percent"}))
    assert view.view is None


def test_dragging_moves_the_part_in_sight_and_picks_nothing(view, make_curves, qtbot):
    """A drag is no click, and it ends at the chart's ends."""
    view.show_chart(make_curves(3))
    view.zoom(0.5)
    begun = view.view
    start = view.arranged.area.center().toPoint()
    with qtbot.assertNotEmitted(view.picked):
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
        move(view, QPointF(start) + QPointF(60, 0), Qt.MouseButton.LeftButton)
        assert view.view.across.low < begun.across.low
        assert view.view.up == begun.up
        move(view, QPointF(start) + QPointF(90000, 0), Qt.MouseButton.LeftButton)
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start)
    view_low = view.view.across.low
    view.show_all()
    assert view_low == pytest.approx(view.arranged.across.low)


def test_a_double_click_and_0_show_all(view, make_curves, qtbot):
    """Two ways back from a zoom."""
    view.show_chart(make_curves(1))
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Plus)
    assert view.view is not None
    qtbot.keyClick(view, Qt.Key.Key_0)
    assert view.view is None
    view.zoom(0.5)
    qtbot.mouseDClick(view, Qt.MouseButton.LeftButton, pos=QPoint(6, 300))
    assert view.view is None


def test_zoom_ends_before_numbers_lose_their_sense(view, make_curves):
    """However far one zooms, axes keep a length and every mark is told from the next."""
    view.show_chart(make_curves(2))
    for _ in range(200):
        view.zoom(0.5)
    words = [mark.words for mark in view.arranged.x_ticks]
    assert len(words) == len(set(words))
    assert view.arranged.across.high > view.arranged.across.low


def test_pointing_does_not_paint_the_chart_anew(view, make_curves):
    """Following the pointer costs the ring and the line of words, not all curves."""
    view.show_chart(make_curves(8))
    view.grab()
    picture = view._picture
    move(view, spot_of(view, 1, 4))
    view.grab()
    assert view._picture is picture
    view.show_chart(make_curves(9))
    view.grab()
    assert view._picture is not picture


def test_a_pointed_point_is_ringed_in_the_accent(view, make_curves):
    """The accent means now and selected, and is nowhere else in the chart."""
    view.show_chart(make_curves(3))
    accent = view._themes.theme.colour("accent")
    assert has(view, accent) == 0
    move(view, spot_of(view, 1, 4))
    assert has(view, accent) > 40


def test_a_change_of_theme_shows_at_once(view, make_curves):
    """Ground and series wear the theme the window wears."""
    view.show_chart(make_curves(3))
    assert has(view, series_colour(1, "light")) > 50
    view._themes.set_mode("dark")
    assert has(view, series_colour(1, "dark")) > 50
    assert has(view, view._themes.theme.colour("panel")) > 100_000


def test_a_lecture_makes_everything_larger(view, make_curves):
    """Type grows with the scale, and the area gives way."""
    view.show_chart(make_curves(3))
    before = view.arranged
    view._themes.set_scale(1.4)
    assert view.arranged.fonts.label.pixelSize() == round(13 * 1.4)
    assert view.arranged.area.width() < before.area.width()


def test_a_resized_chart_keeps_its_point(view, make_curves):
    """The ring moves with its point."""
    view.show_chart(make_curves(3))
    move(view, spot_of(view, 2, 2))
    words = view.words
    view.resize(700, 420)
    assert view.words == words
    assert view._pointed.at == spot_of(view, 2, 2)


def test_a_point_that_is_gone_is_not_pointed_at(view, make_curves, qtbot):
    """When the series is taken out, so is the ring, and whoever listens is told."""
    view.show_chart(make_curves(3))
    move(view, spot_of(view, 2, 2))
    with qtbot.waitSignal(view.pointed) as heard:
        view.show_chart(make_curves(2))
    assert heard.args == [""]


def test_the_chart_has_a_name_for_screen_readers(view, make_curves):
    """Its title."""
    view.show_chart(make_curves(2))
    assert view.accessibleName() == "Turnaround"


def test_a_picture_of_it_is_as_large_as_at_a_desk(view, make_curves):
    """A lecture's scale enlarges the window, not the pictures."""
    view.show_chart(make_curves(2))
    view.resize(980, 700)
    view._themes.set_scale(1.4)
    [picture] = view.pictures()
    assert (picture.title, picture.size) == ("Turnaround", QSize(700, 500))
