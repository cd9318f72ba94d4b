"""The plots show the figures of the jobs, keep up with a run, and change their clothes with the theme."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPicture
from PySide6.QtWidgets import QApplication, QMenu

from meshgui.engine.runs.measures import JobFigures, summary
from meshgui.model.timeline.plot_data import PlotData
from meshgui.views.charts.live_plot import LivePlot
from meshgui.views.charts.plots import PlotsView
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.widgets.labels import ElidedLabel
from tests.networks import busy
from tests.runs import first_events, run_of
from tests.views.conftest import handle_events
from tests.views.measuring import cuts_in


@pytest.fixture
def plots(shown, cursor, recording):
    """A shown plot of a thousand jobs."""
    view = shown(PlotsView, 1000, 220)
    cursor.show(recording)
    return view


def test_the_dots_are_the_job_figures_and_select_their_jobs(plots, recording, selection):
    """Every dot is a finished job's turnaround at its finish, and no finished job is far from a dot."""
    figures = JobFigures(recording)
    pairs = set(zip(figures.finish.tolist(), figures.turnaround.tolist(), strict=True))
    x, y = plots.shown[0].dots.getData()
    assert set(zip(x.tolist(), y.tolist(), strict=True)) <= pairs
    near_x, near_y = recording.end_time / 700, figures.turnaround.max() / 200
    for finish, turnaround in pairs:
        assert ((abs(x - finish) < near_x) & (abs(y - turnaround) < near_y)).any()
    # The job selected elsewhere is marked here, and can be chosen here
    selection.select(300)
    x, _ = plots.shown[0].pointed.getData()
    assert x.tolist() == [recording.times[recording.ended[300]]]
    dots = plots.shown[0].dots
    dots.sigClicked.emit(dots, dots.points()[5:6], None)
    x, _ = dots.getData()
    assert recording.times[recording.ended[selection.job]] == x[5]


@pytest.mark.parametrize(("field", "scale"), [("turnaround", 1), ("operations", 1), ("microseconds", 1e6)])
def test_the_series_are_the_job_figures_in_order_of_finishing(recording, field, scale):
    """The series and their running means end at the means of the run; that in use is its utilisation."""
    figures, data = JobFigures(recording), PlotData(recording)
    values = getattr(figures, "seconds" if field == "microseconds" else field) * scale
    series = getattr(data, field)
    assert series.values.tolist() == values[np.argsort(figures.finish, kind="stable")].tolist()
    assert series.mean[-1] == pytest.approx(values.mean())
    assert (np.diff(data.finish) >= 0).all()
    mean = data.in_use.mean_until(np.array([recording.end_time]))[0]
    assert mean == pytest.approx(100 * summary(recording)["utilization"])


@pytest.fixture
def updates(plots, monkeypatch):
    """The runs given to a plot to draw: neither moving nor being hidden counts."""
    given, show_data = [], LivePlot.show_data

    def counted(plot, data):
        given.append(data)
        show_data(plot, data)

    monkeypatch.setattr(LivePlot, "show_data", counted)
    return given


def test_no_plot_has_a_menu(shown, cursor, recording):
    """It never opens, every theme would style it, and Qt ends the program where it is found as garbage."""
    others = set(QApplication.allWidgets())
    view = shown(PlotsView, 1000, 220)
    cursor.show(recording)
    assert view.shown
    assert not any(isinstance(widget, QMenu) for widget in set(QApplication.allWidgets()) - others)


def test_the_now_line_stands_at_the_cursor(plots, updates, cursor, recording):
    """The veil begins there and the words say the mean so far, and no curve is made again for it."""
    cursor.go_to_time(recording.end_time / 2)
    chart = plots.shown[0]
    assert chart.now.value() == chart.veil.getRegion()[0] == cursor.time
    assert not updates
    figures = JobFigures(recording)
    done = figures.finish <= cursor.time
    said = f"mean turnaround {figures.turnaround[done].mean():.2f} over {done.sum()} jobs"
    assert chart.run.wordings(cursor.time, cursor.position.events)[0] == said
    assert chart.run.wordings(0.0, 0)[0] == "no job has finished yet"


@pytest.mark.parametrize(("width", "kept"), [(1000, 0), (610, 1), (500, 2)])
def test_the_figure_beside_the_choices_is_whole_or_left_out(shown, cursor, recording, width, kept):
    """In full, its mean alone, or nothing, which the tooltip says: a number cut short is another number."""
    plots = shown(PlotsView, width, 220)
    cursor.show(recording)
    cursor.go_to_time(recording.end_time)
    wordings = plots.charts[0].run.wordings(cursor.time, cursor.position.events)
    whole, mean, nothing = wordings
    summary, _unit = plots.findChildren(ElidedLabel)
    assert (summary.shown, summary.text(), summary.elided) == (wordings[kept], whole, kept > 0)
    assert mean.removeprefix("mean ") in whole
    assert nothing == ""


def test_a_run_that_grows_quickly_is_looked_at_now_and_then(qtbot, plots, updates, cursor, recording):
    """Of many looks in a moment not all are drawn, but the last one is in the end, with its dots."""
    cursor.show(first_events(recording, 100))
    before = len(plots.shown[0].dots.getData()[0])
    updates.clear()
    for count in range(200, 1800, 100):
        cursor.extend(first_events(recording, count))
    assert len(updates) <= 2
    qtbot.waitUntil(lambda: plots.shown[0].data.end == recording.times[1699])
    assert len(plots.shown[0].dots.getData()[0]) > before


def test_a_hidden_plot_does_no_work(plots, updates, cursor, recording):
    """Hidden, nothing is drawn; shown again, it has caught up."""
    plots.hide()
    cursor.show(first_events(recording, 900))
    cursor.extend(first_events(recording, 1800))
    assert not updates
    plots.show()
    assert len(updates) == 1
    assert plots.shown[0].data.end == recording.times[1799]


def test_only_the_plots_in_sight_are_fed(qtbot, plots, recording):
    """With one plot in sight, which is chosen, the others hold no data; with room for four all do."""
    assert [chart.data is not None for chart in plots.charts] == [True, False, False, False]
    assert legend_of(plots.shown[0]) == ["time units", "a job", "mean so far"]
    qtbot.mouseClick(plots.chooser.button(1), Qt.MouseButton.LeftButton)
    assert plots.shown == [plots.charts[1]]
    assert legend_of(plots.shown[0]) == ["percent", "the share of processors in use", "mean so far"]
    plots.resize(1400, 900)
    assert plots.shown == plots.charts
    assert all(chart.data is not None for chart in plots.charts)


def test_names_without_room_beside_each_other_stand_in_a_list(qtbot, plots, cursor):
    """With a network there are seven: then one button names the plot in sight, and lists them all."""
    plots.resize(600, 220)
    assert plots.chooser.isVisible()
    assert not plots.choice.isVisible()
    cursor.show(busy())
    assert not plots.chooser.isVisible()
    assert plots.choice.isVisible()
    assert cuts_in(plots) == []
    qtbot.mouseClick(plots.choice, Qt.MouseButton.LeftButton)
    listed = plots.choice.popup.list
    assert [listed.item(row).text() for row in range(listed.count())] == [
        chart.kind.title for chart in plots.charts
    ]
    plots.choice.popup.picked.emit(5)
    plots.choice.popup.hide()
    assert plots.shown == [plots.charts[5]]
    assert plots.choice.words == "Blocking"
    plots.resize(1000, 220)
    assert plots.chooser.isVisible()
    assert plots.chooser.index == 5
    assert cuts_in(plots) == []


def test_a_theme_changes_the_colours_but_those_of_a_picture(plots, themes, tmp_path):
    """Ground, mean and now line wear the dark theme's; an exported PNG is light, and twice as fine."""
    themes.set_mode("dark")
    export(plots, tmp_path / "plot.png")
    chart = plots.shown[0]
    assert chart.mean.opts["pen"].color() == QColor(themes.theme.text)
    assert chart.now.pen.color() == QColor(themes.theme.accent)
    seen = plots.grab().toImage()
    assert seen.pixelColor(2, seen.height() - 2) == QColor(themes.theme.panel)
    picture = QImage(str(tmp_path / "plot.png"))
    assert picture.pixelColor(0, 0) == QColor("#ffffff")
    assert picture.width() > 1.8 * 900
    # Letters and dots of the legend grow with a finer picture, which looks the same when seen as large
    picture, grey = plots.pictures()[0], []
    for scale in (1, 3):
        path = tmp_path / f"{scale}.png"
        write_picture(path, picture.paint, picture.size, scale=scale)
        image = QImage(str(path)).scaled(picture.size, mode=Qt.TransformationMode.SmoothTransformation)
        image.convertTo(QImage.Format.Format_Grayscale8)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
        grey.append(rows[56:74, 12:182].astype(float))  # "a job" and "mean so far", below the unit
    ink = [255.0 - part for part in grey]
    across = [np.flatnonzero(part.max(axis=0) > 60) for part in ink]
    assert across[0][-1] > 150
    assert abs(across[0][-1] - across[1][-1]) < 4
    assert ink[0].sum() == pytest.approx(ink[1].sum(), rel=0.2)


def export(plots, path):
    """Write what is shown to a file, as the export dialog does at first."""
    picture = plots.pictures()[0]
    write_picture(path, picture.paint, picture.size, scale=2, title=picture.title)


def test_without_a_run_there_is_a_line_of_words(shown, cursor):
    """An empty plot says what will be here; one job is enough to draw."""
    view = shown(PlotsView, 1000, 220)
    empty = view.grab().toImage()
    cursor.show(run_of("three-jobs-4x4x4"))
    assert view.grab().toImage() != empty
    cursor.show(None)
    handle_events()
    assert view.grab().toImage() == empty


def slow(recording, **slowest):
    """The run with allocations of 20 µs each, but for some jobs."""
    seconds = np.full(1000, 20e-6)
    for job, time in slowest.items():
        seconds[int(job.removeprefix("job"))] = time
    return replace(recording, seconds=seconds)


@pytest.mark.parametrize(
    ("slowest", "said"),
    [
        ({"job3": 4e-3, "job500": 4e-3}, "2 above, up to 4\u202f000 µs (job 3)"),
        ({"job3": 16469.4e-6}, "1 above, up to 16\u202f469 µs (job 3)"),
    ],
)
def test_a_pause_of_the_system_does_not_flatten_the_times(plots, cursor, recording, slowest, said):
    """A time far beyond the usual lies outside the axis; the legend says how many do, and which."""
    plots.choose(3)
    cursor.show(slow(recording, **slowest))
    assert plots.shown[0].plot.getAxis("left").range[1] < 100
    assert legend_of(plots.shown[0]) == ["µs", "a job", "mean so far", said]


def test_the_list_of_plots_stands_before_the_summary(plots, qtbot):
    """Where the names have no room beside each other, neither lies over the other nor outside."""
    plots.resize(360, 240)
    plots.show()
    qtbot.waitUntil(plots.choice.isVisible)
    qtbot.waitUntil(lambda: plots.choice.geometry().right() < plots._summary.geometry().left())
    assert plots.rect().contains(plots.choice.geometry())


def legend_of(chart):
    """The words of a plot's legend."""
    return [entry.words for entry in chart.legend.entries]


def test_the_legend_covers_no_data_and_a_narrow_one_takes_more_lines(qtbot, plots, cursor, recording, themes):
    """It stands above the axes: docked, higher, and with all plots side by side."""
    for size in ((640, 190), (800, 320), (1200, 700)):
        plots.resize(*size)
        qtbot.waitUntil(lambda: plots.shown[0].plot.getViewBox().height() > 0)
        for chart in plots.shown:
            legend = chart.legend.sceneBoundingRect()
            assert legend.height() > 0, size
            assert legend.bottom() <= chart.plot.getViewBox().sceneBoundingRect().top() + 0.5, size
    # Words that have no room beside others have a line of their own; only what has none even there is cut
    plots.resize(1000, 220)
    plots.choose(3)
    cursor.show(slow(recording, job3=16469.4e-6))
    chart = plots.shown[0]
    *_, said = legend_of(chart)
    shown = ["µs", "a job", "mean so far", said]
    one = QFontMetricsF(themes.text("caption")).height()
    qtbot.waitUntil(lambda: chart.legend.height() == pytest.approx(one))
    assert [entry.words for _, entry in chart.legend.placed] == shown
    plots.resize(420, 220)
    qtbot.waitUntil(lambda: chart.legend.height() == pytest.approx(2 * one))
    assert [entry.words for _, entry in chart.legend.placed] == shown
    assert chart.legend.toolTip() == ""
    legend, area = chart.legend.sceneBoundingRect(), chart.plot.getViewBox().sceneBoundingRect()
    assert legend.bottom() <= area.top() + 0.5
    letters = QFontMetricsF(themes.text("caption")).horizontalAdvance
    assert all(corner.x() + letters(entry.words) <= legend.width() for corner, entry in chart.legend.placed)
    chart.legend.resize(120, 2 * one)
    assert chart.legend.placed[-1][1].words.endswith("…")
    assert said in chart.legend.toolTip()


@pytest.mark.parametrize(("height", "named"), [(180, False), (320, True)])
def test_a_low_panel_keeps_its_room_for_the_plot(qtbot, plots, height, named):
    """The axis of time has no name there; marks of what is counted are whole, however small the amounts."""
    plots.resize(800, height)
    qtbot.waitUntil(lambda: plots.shown[0].plot.getAxis("bottom").label.isVisible() == named)
    qtbot.waitUntil(lambda: plots.shown[0].plot.getViewBox().height() > 0.5 * height)
    assert plots.shown[0].plot.getAxis("left").tickSpacing(0.0, 2.0, 400.0)[0][0] < 1.0
    plots.choose(2)
    assert plots.shown[0].plot.getAxis("left").tickSpacing(0.0, 2.0, 400.0) == [(1.0, 0.0)]


def test_the_lowest_panel_gives_the_room_of_the_legend_to_the_plot(qtbot, plots):
    """As in a strip below the mesh on a small screen; what is drawn is said beside the names of the plots."""
    plots.resize(800, 106)
    qtbot.waitUntil(lambda: plots.shown[0].plot.getViewBox().height() > 36)
    assert legend_of(plots.shown[0]) == []
    plots.resize(800, 220)
    qtbot.waitUntil(lambda: len(legend_of(plots.shown[0])) == 3)


def test_amounts_of_six_figures_and_more_have_their_numbers(plots, cursor, recording):
    """In thousands or millions, which the unit says: the axis has the same room in each plot."""
    plots.choose(2)
    most = JobFigures(recording).operations.max()
    for highest, unit in ((70_000, "operations"), (150_000, "operations × 1000"), (2e8, "operations × 10⁶")):
        operations = np.round(recording.operations * (highest / most)).astype(recording.operations.dtype)
        cursor.show(replace(recording, operations=operations))
        handle_events()
        assert legend_of(plots.shown[0])[0] == unit
        axis = plots.shown[0].plot.getAxis("left")
        picture = QPicture()
        with QPainter(picture) as painter:
            painter.setFont(axis.style["tickFont"])
            _, marks, numbers = axis.generateDrawSpecs(painter)
        assert len(numbers) == len(marks) > 1


def test_with_a_network_there_are_plots_of_its_packets_whose_dots_select_them(plots, cursor, selection):
    """Latency, blocking and packets under way are offered then, without widening a narrow window."""
    recording = busy()
    record = recording.network
    assert not plots.chooser.button(4).isVisible()
    cursor.show(recording)
    assert plots.chooser.button(6).isVisible()
    cursor.go_to_time(recording.end_time)
    plots.choose(4)
    x, y = plots.shown[0].dots.getData()
    pairs = set(zip(record.delivered.tolist(), record.latency.tolist(), strict=True))
    assert len(x) > 100
    assert set(zip(x.tolist(), y.tolist(), strict=True)) <= pairs
    said = f"mean latency {record.latency.mean():.1f} cycles over {len(record)} packets"
    assert plots.shown[0].run.wordings(cursor.time, cursor.position.events)[0] == said
    assert plots.shown[0].run.wordings(0.0, 0)[0] == "no packet has arrived yet"
    plots.choose(5)
    assert (
        f"{record.blocked.mean():.1f}" in plots.shown[0].run.wordings(cursor.time, cursor.position.events)[0]
    )
    assert plots.minimumWidth() <= 400
    plots.resize(400, 220)
    assert plots.width() == 400
    cursor.show(run_of("three-jobs-4x4x4"))
    assert not plots.chooser.button(4).isVisible()
    assert plots.shown == [plots.charts[0]]
    # A dot selects its packet with its job, and a selected packet is ringed; in the plots of jobs its job is
    cursor.show(recording)
    plots.choose(4)
    selection.select_packet(300, int(record.jobs[300]))
    x, y = plots.shown[0].pointed.getData()
    assert (x.tolist(), y.tolist()) == ([record.delivered[300]], [record.latency[300]])
    dots = plots.shown[0].dots
    dots.sigClicked.emit(dots, dots.points()[5:6], None)
    x, _ = dots.getData()
    assert record.delivered[selection.packet] == x[5]
    assert selection.job == record.jobs[selection.packet]
    plots.choose(0)
    x, _ = plots.shown[0].pointed.getData()
    assert x.tolist() == [recording.times[recording.ended[selection.job]]]


def test_the_packets_under_way_are_those_of_every_moment():
    """The curve says at any cycle how many the recording has in the network then."""
    recording = busy()
    curve = PlotData(recording).under_way
    cycles = np.linspace(0, recording.end_time, 200).astype(int)
    counts = [len(recording.network.at(int(cycle)).packets) for cycle in cycles]
    assert [curve.at(float(cycle)) for cycle in cycles] == counts
    assert curve.highest >= max(counts) > 5
