"""Scrubbing leads to the right time, the playhead stands there, and only what changed is drawn again."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import speaking
from meshgui.engine.runs.recording import Recording
from meshgui.model.charts.curves import Extremes, StepCurve
from meshgui.model.exercises.exercise_cut import cut_off
from meshgui.model.moment.position import Position
from meshgui.model.scene.colours import job_colour
from meshgui.model.stepping.bookmarks import Bookmarks
from meshgui.model.stepping.breakpoints import Breakpoints
from meshgui.views.style.raster import Raster, pixel, pixels
from meshgui.views.style.theme import ThemeManager
from meshgui.views.timeline import frame
from meshgui.views.timeline.frame import room_for_names
from meshgui.views.timeline.overview import RunOverview, run_shape
from meshgui.views.timeline.panel import TimelineView
from tests.runs import first_events, run_of
from tests.views.conftest import handle_events
from tests.views.pointer import move_to
from tests.views.timeline.driving import job_bars, turn_wheel


@pytest.fixture
def timeline(shown, cursor, recording):
    """A shown timeline of a thousand jobs."""
    view = shown(TimelineView)
    cursor.show(recording)
    view.grab()
    return view


@pytest.mark.parametrize("x", [200, 640, 1000])
def test_a_click_goes_to_the_time_under_it(qtbot, timeline, cursor, x):
    """The cursor goes where the pointer is, and the playhead stands under it."""
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(x, 100))
    assert cursor.time == pytest.approx(timeline.time_at(x))
    assert timeline.playhead == pytest.approx(x, abs=0.5)


def test_a_diamond_marks_the_start_or_the_finish_whose_steps_are_shown(timeline, cursor, recording, themes):
    """In the row of starts inside an attempt, in that of finishes inside a release; none between events."""
    rows = {}
    for name, enter in (("start", cursor.enter_attempt), ("finish", cursor.enter_release)):
        cursor.last()
        assert timeline.step_mark is None
        enter(10)
        mark, accent = timeline.step_mark, themes.theme.colour("accent")
        assert mark.x() == pytest.approx(timeline.playhead)
        image = timeline.grab().toImage()
        assert image.pixelColor(int(mark.x()) - 1, int(mark.y())) == accent
        rows[name] = mark.y()
    assert rows["start"] < rows["finish"]
    assert int(recording.ended[10]) == cursor.position.events


def test_dragging_scrubs_live_to_the_ends_of_the_run(qtbot, timeline, cursor, recording):
    """Beyond the strips' ends lie the run's first and last moment."""
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(1279, 100))
    assert cursor.position == Position(len(recording))
    qtbot.mouseClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(0, 100))
    assert cursor.time == 0
    # While the button is held, every move of the pointer moves the cursor
    times = []
    cursor.changed.connect(lambda _change: times.append(cursor.time))
    qtbot.mousePress(timeline, Qt.MouseButton.LeftButton, pos=QPoint(300, 60))
    for x in (400, 500, 450):
        move_to(timeline, QPointF(x, 60), Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(timeline, Qt.MouseButton.LeftButton, pos=QPoint(450, 60))
    assert times == pytest.approx([timeline.time_at(x) for x in (300, 400, 500, 450)])


def test_the_playhead_is_drawn_in_the_accent_where_the_time_is(timeline, cursor, recording, themes):
    """From the ruler down, and not beside it; however often it moves, the picture under it is kept."""
    before = timeline.pictures_drawn
    for share in np.linspace(1, 0.3, 50):
        cursor.go_to_time(recording.end_time * share)
        timeline.repaint()
    picture, accent = timeline.grab().toImage(), QColor(themes.theme.accent)
    at, rows = round(timeline.playhead), range(30, timeline.height())
    assert all(picture.pixelColor(at, y) == accent for y in rows)
    assert not any(picture.pixelColor(at + 6, y) == accent for y in rows)
    assert timeline.pictures_drawn == before


def test_a_hidden_timeline_does_no_work(timeline, cursor, recording):
    """Nothing is drawn or looked up while hidden; shown again, it has caught up."""
    timeline.hide()
    before = timeline.pictures_drawn
    asked = []
    part = first_events(recording, 900)
    original = Recording.busy_steps
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recording, "busy_steps", lambda own: asked.append(own) or original(own))
        cursor.show(part)
        cursor.extend(first_events(recording, 950))
        cursor.go_to(Position(17))
        handle_events()
        assert asked == []
    assert timeline.pictures_drawn == before
    timeline.show()
    timeline.grab()
    assert timeline.pictures_drawn > before
    assert timeline.window_of_time.end == pytest.approx(recording.jobs.arrival[-1])


def test_a_bar_has_its_jobs_colour_and_lies_at_its_time(timeline, cursor, recording):
    """Where a bar is found, its job runs, and the pixel is in its colour."""
    turn_wheel(timeline, 640, 13)
    cursor.go_to_time(timeline.time_at(640))
    picture = timeline.grab().toImage()
    found = job_bars(timeline)
    assert len(found) > 20
    for job, place in found.items():
        time = timeline.time_at(place.x() + 0.5)
        slack = timeline.window_of_time.span / 900
        assert recording.times[recording.started[job]] <= time + slack
        assert recording.times[recording.ended[job]] >= time - slack
        if abs(place.x() - timeline.playhead) > 4:  # the first pixel of a bar: no number reaches there
            seen = picture.pixelColor(place.x(), place.y())
            wanted = QColor.fromRgbF(*job_colour(job, "light"))
            assert seen.getRgb() == pytest.approx(wanted.getRgb(), abs=1)


@pytest.mark.parametrize(("width", "height"), [(758, 104), (968, 170)])
def test_jobs_too_many_for_bars_are_a_curve_until_one_looks_closer(shown, cursor, width, height):
    """Specks of colour say less than how many run; nearer, every job has a bar that can be pointed at."""
    view = shown(TimelineView, width, height)
    cursor.show(run_of("failing-cubes-8x8x8"))
    view.grab()
    assert job_bars(view) == {}
    turn_wheel(view, width / 2, 13)
    view.grab()
    assert job_bars(view)


def test_pointing_at_a_bar_hovers_its_job_and_a_click_selects_it(qtbot, timeline, selection):
    """The same job lights up everywhere; a drag that begins on a bar scrubs, and selects nothing."""
    left = Qt.MouseButton.LeftButton
    turn_wheel(timeline, 640, 13)
    timeline.grab()
    job, place = next(iter(job_bars(timeline).items()))
    move_to(timeline, QPointF(place))
    assert selection.hovered == job
    qtbot.mousePress(timeline, left, pos=place)
    move_to(timeline, QPointF(place) + QPointF(80, 0), left)
    qtbot.mouseRelease(timeline, left, pos=place + QPoint(80, 0))
    assert selection.job is None
    qtbot.mouseClick(timeline, left, pos=place)
    assert selection.job == job


def test_wheel_and_middle_button_zoom_and_pan_and_a_playhead_that_leaves_is_followed(
    qtbot, timeline, cursor, recording
):
    """The time under the pointer stays there in a zoom and a drag; two clicks bring the whole run back."""
    window, held = timeline.window_of_time, timeline.time_at(700)
    whole = window.span
    turn_wheel(timeline, 700, 5)
    low, span = window.low, window.span
    assert span < whole
    assert timeline.time_at(700) == pytest.approx(held)
    turn_wheel(timeline, 700, -1, Qt.KeyboardModifier.ShiftModifier)
    assert window.low > low
    assert window.span == pytest.approx(span)
    held = timeline.time_at(700)
    qtbot.mousePress(timeline, Qt.MouseButton.MiddleButton, pos=QPoint(700, 80))
    move_to(timeline, QPointF(600, 80), Qt.MouseButton.MiddleButton)
    qtbot.mouseRelease(timeline, Qt.MouseButton.MiddleButton, pos=QPoint(600, 80))
    assert timeline.time_at(600) == pytest.approx(held)
    qtbot.mouseDClick(timeline, Qt.MouseButton.LeftButton, pos=QPoint(600, 80))
    assert window.fits_all
    # Zoomed in, going elsewhere brings that time in sight
    turn_wheel(timeline, 300, 10)
    cursor.last()
    assert timeline.window_of_time.high == pytest.approx(recording.end_time)
    assert timeline.playhead is not None


def test_a_run_in_progress_is_drawn_as_far_as_it_has_got(timeline, cursor, recording, themes):
    """The scale reaches to the last arrival from the first; what is not known yet has another ground."""
    cursor.show(first_events(recording, 600))
    before = timeline.pictures_drawn
    near_the_end, ground = QPoint(timeline.frame.right - 4, 70), QColor(themes.theme.hover)
    assert timeline.grab().toImage().pixelColor(near_the_end) == ground
    cursor.extend(recording)
    assert timeline.grab().toImage().pixelColor(near_the_end) != ground
    assert timeline.pictures_drawn == before + 2


def test_it_follows_theme_and_size(timeline, themes):
    """Ground and text are the dark theme's; at 1.4 times the size it asks for 1.4 times the height."""
    light, before = timeline.grab().toImage(), timeline.sizeHint().height()
    themes.set_mode("dark")
    dark = timeline.grab().toImage()
    assert light.pixelColor(2, 2) == QColor("#ffffff")
    assert dark.pixelColor(2, 2) == QColor(themes.theme.panel)
    themes.set_scale(1.4)
    assert timeline.sizeHint().height() == pytest.approx(1.4 * before, abs=1)
    timeline.grab()


@pytest.mark.parametrize("name", ["three-jobs-4x4x4", "turning-helps-3x3x2", "heavy-tail-ssd"])
@pytest.mark.parametrize("size", [(1600, 200), (300, 140), (60, 40)])
def test_any_run_fits_any_size(shown, cursor, name, size):
    """Few jobs or many, in much room or hardly any: it is drawn."""
    view = shown(TimelineView, *size)
    cursor.show(run_of(name))
    cursor.last()
    assert not view.grab().isNull()


def test_without_a_run_it_says_what_to_do(shown, cursor, recording):
    """An empty timeline takes no clicks and does not break; a run taken away leaves it empty."""
    view = shown(TimelineView)
    empty = view.grab().toImage()
    cursor.show(recording)
    assert view.grab().toImage() != empty
    cursor.show(None)
    assert view.grab().toImage() == empty
    assert view.playhead is None


def places_of(view, colour):
    """Where a view has a colour."""
    picture, wanted = view.grab().toImage(), QColor(colour).rgb()
    places = product(range(picture.width()), range(picture.height()))
    return {at for at in places if picture.pixel(*at) == wanted}


def test_a_reservation_is_marked_in_the_row_of_starts(shown, cursor, themes):
    """In 004's Example 1 a job reserves a box at 5: one stroke there, half a row high, in its own colour."""
    recording = run_of("tree-allocation-example-1")
    view = shown(TimelineView)
    cursor.show(recording)
    cursor.last()
    marked = places_of(view, themes.theme.reserved)
    assert 3 <= len({y for _, y in marked}) <= 4
    assert all(view.time_at(x) == pytest.approx(5, abs=0.1) for x, _ in marked)


def test_a_rejected_job_is_marked_through_all_rows(shown, cursor, recording, themes):
    """Where a job was rejected a vermilion stroke crosses the three rows of events."""
    kinds = recording.kinds.copy()
    first = int(np.flatnonzero(kinds == EventKind.START)[400])
    kinds[first] = EventKind.REJECT
    view = shown(TimelineView)
    cursor.show(replace(recording, kinds=kinds))
    cursor.last()
    marked = [(x, y) for x, y in places_of(view, themes.theme.blocked) if y >= 140]
    assert len({y for _, y in marked}) >= 15
    slack = 5 * recording.end_time / 1000
    assert all(abs(view.time_at(x) - recording.times[first]) < slack for x, _ in marked)


@pytest.mark.parametrize("name", ["tbl-under-load", "tree-allocation-example-1", "three-jobs-4x4x4"])
def test_the_time_has_two_decimals_until_one_zooms_in(shown, cursor, name):
    """As everywhere else in the window, however long the run is; close up there are more."""
    view = shown(TimelineView)
    cursor.show(run_of(name))
    view.grab()
    assert view.time_text == f"{cursor.time:.2f}"
    turn_wheel(view, 640, 80)
    assert len(view.time_text.partition(".")[2]) > 2


def test_the_time_has_the_decimal_sign_of_the_language(shown, cursor):
    """A comma in German."""
    view = shown(TimelineView)
    cursor.show(run_of("three-jobs-4x4x4"))
    with speaking("de"):
        assert view.time_text == "0,00"


def test_long_names_leave_room_for_the_values(monkeypatch: pytest.MonkeyPatch, themes: ThemeManager):
    """The strips begin after both in every language, and English has the usual room."""
    assert room_for_names(themes) == themes.px(100)
    monkeypatch.setattr(frame, "tr", lambda name: {"queue": "Warteschlange"}.get(name, name))
    metrics = QFontMetrics(themes.text("caption"))
    assert room_for_names(themes) >= themes.px(22) + metrics.horizontalAdvance("Warteschlange999")


def test_the_whole_run_ends_where_it_has_come_to(recording: Recording):
    """What is hidden, or not simulated yet, is not drawn as if all had stayed as it was."""
    strip, half = QRect(0, 0, 400, 20), cut_off(recording, len(recording) // 2)
    shape = run_shape(half, strip, recording.end_time).boundingRect()
    assert shape.right() == pytest.approx(400 * half.end_time / recording.end_time, abs=2)
    assert run_shape(recording, strip, recording.end_time).boundingRect().right() >= 399


GROUND, FILL, BAND, LINE = (pixel(colour) for colour in ("#ffffff", "#dddddd", "#999999", "#000000"))


def heights(raster):
    """How far up each column is drawn."""
    drawn = raster.array != GROUND
    return np.where(drawn.any(axis=0), raster.array.shape[0] - drawn.argmax(axis=0), 0)


def crowded(spike):
    """A curve of a hundred thousand events at 10, with one at 100 for a moment."""
    values = np.where(np.arange(100_000) % 2, 10, 5)
    values[spike] = 100
    return StepCurve(np.arange(100_000, dtype=float), values)


@pytest.mark.parametrize("spike", [0, 31_415, 99_998])
def test_a_spike_reaches_its_height_in_its_column(spike):
    """The one column with the spike is drawn to the top, all others to a tenth of it."""
    edges = np.linspace(0, 100_000, 501)
    curve = crowded(spike)
    raster = Raster(500, 101, GROUND)
    raster.curve(0, 101, curve.extremes(edges), 100.0, (FILL, BAND, LINE), 1, curve.means(edges))
    reached = heights(raster)
    assert np.flatnonzero(reached == 101).tolist() == [spike // 200]
    assert np.median(reached) == 11


def test_a_step_and_bars_are_drawn_exactly():
    """With room enough each column's line lies at its value, and the ground below is filled."""
    raster = Raster(4, 11, GROUND)
    levels = np.array([0.0, 5.0, 10.0, 2.0])
    raster.curve(0, 11, Extremes(levels, levels), 10.0, (FILL, BAND, LINE), 1)
    assert heights(raster).tolist() == [0, 6, 11, 3]
    assert (raster.array[:, 1] == FILL).sum() == 5
    assert (raster.array[:, 1] == LINE).sum() == 1
    # One that is always zero draws nothing: without a limit there is no curve
    raster = Raster(4, 11, GROUND)
    levels = np.zeros(4)
    raster.curve(0, 11, Extremes(levels, levels), 0.0, (FILL, BAND, LINE), 1)
    assert (raster.array == GROUND).all()
    # A lane's rows take the colours of its bars, its gap and what is free stay as they were
    raster = Raster(3, 8, GROUND)
    colours = pixels(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    raster.lanes(0, 4, 1, np.array([[0, -1, 1], [-1, 1, 1]]), colours)
    assert raster.array[:3, 0].tolist() == [0xFFFF0000] * 3
    assert raster.array[3, 0] == GROUND
    assert (raster.array[:4, 1] == GROUND).all()
    assert raster.array[4:7, 1].tolist() == [0xFF0000FF] * 3
    # Before the first job has started there are no bars, and the picture stays as it is
    raster = Raster(20, 10, GROUND)
    raster.lanes(2, 5, 1, np.zeros((0, 20), dtype=np.int64), np.zeros(4, dtype=np.uint32))
    assert (raster.array == GROUND).all()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_whole_run_leaves_a_margin_below(shown, themes, cursor, scale):
    """As the strips above have between them: it does not touch the edge of the panel."""
    themes.set_scale(scale)
    timeline = shown(TimelineView)
    overview = RunOverview(timeline, cursor, Breakpoints(), Bookmarks(), themes)
    assert overview.height() - 1 - overview.strip.bottom() == themes.px(8)
    assert overview.strip.height() >= 12 * scale
    overview.deleteLater()
    themes.set_scale(1.0)


def test_the_name_of_the_overview_is_whole(timeline, cursor, themes, monkeypatch):
    """The “g” of the German “ganzer Lauf” lost its foot: letters are higher than the strip."""
    overview = RunOverview(timeline, cursor, Breakpoints(), Bookmarks(), themes)
    metrics = QFontMetrics(overview.font())
    inked = {}
    for letter in "xg":
        monkeypatch.setattr("meshgui.views.timeline.overview.tr", lambda _words, letter=letter: letter)
        grey = overview.grab(QRect(0, 0, 60, 34)).toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        rows = np.array(grey.constBits()).reshape(34, -1)[:, :60]
        inked[letter] = np.flatnonzero(np.ptp(rows, axis=1))[-1]
    depth = {letter: metrics.tightBoundingRect(letter).bottom() for letter in "xg"}
    assert inked["g"] - inked["x"] >= depth["g"] - depth["x"]
    overview.deleteLater()
