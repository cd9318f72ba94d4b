"""Each plot of the window, written in every format and read back; the window itself stays as it was."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QImage

from meshgui.engine.allocation.inspection import Chart, Curve, Grid, GridValue, Heat, NodeKind, Tree, TreeNode
from meshgui.engine.allocation.steps import Role
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.network.routing import WAYS
from meshgui.engine.runs.measures import JobFigures
from meshgui.model.network.network_tables import channel_traffic
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import write_csv
from meshgui.model.timeline.plot_data import run_title
from meshgui.views.charts.plots import PlotsView
from meshgui.views.exporting.exportable import Picture, picture_under, pictures_of, tables_of
from meshgui.views.exporting.off_screen_copy import HEAD
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.inspector.chart_panel import ChartPanel
from meshgui.views.inspector.grid_panel import GridPanel
from meshgui.views.inspector.tree_panel import TreePanel
from meshgui.views.network.use_curve import UseCurve
from meshgui.views.style.theme import DARK
from meshgui.views.style.theme_colours import EXPORT
from meshgui.views.timeline.panel import TimelineView
from tests.networks import busy
from tests.runs import cursor_in, run_of
from tests.views.conftest import handle_events
from tests.views.reading import csv_rows, pdf_fonts, pdf_page, svg_size, svg_texts


@pytest.fixture
def themes(themes):
    """The dark theme: pictures are light all the same."""
    themes.set_mode("dark")
    return themes


@pytest.fixture
def cursor():
    """In the middle of a thousand jobs."""
    return cursor_in(run_of(), time=run_of().end_time / 2)


@pytest.fixture
def shown(qtbot):
    """Shows a widget in a size."""

    def show(widget, width, height):
        qtbot.addWidget(widget)
        widget.resize(width, height)
        with qtbot.waitExposed(widget):
            widget.show()
        return widget

    return show


def chart_panel(cursor, selection, themes):
    """Two curves and what they mean."""
    x = np.array([0.0, 1.0, 3.0])
    curves = (Curve("bound", x, x / 3, current=True), Curve("held", x, x * x, steps=True))
    panel = ChartPanel(selection, Pin(selection), themes)
    panel.show_data(Chart("Bound over time", "time", "boxes", curves), Mesh((4, 4)))
    return panel


def tree_panel(cursor, selection, themes):
    """A root and two below it."""
    nodes = (
        TreeNode(0, None, NodeKind.INTERNAL, "8×8"),
        TreeNode(1, 0, NodeKind.BUSY, "4×8", above="5.0", job=0),
        TreeNode(2, 0, NodeKind.FREE, "2×8"),
    )
    panel = TreePanel(selection, Pin(selection), themes)
    panel.resize(400, 300)
    panel.show_data(Tree("Allocation tree", nodes, "None."), Mesh((4, 4)), fresh=True)
    return panel


def grid_panel(cursor, selection, themes):
    """Amounts, and what two of the numbers mean."""
    values = np.arange(32, dtype=np.int32).reshape(2, 4, 4)
    legend = (GridValue(0, "free", Role.NOTHING), GridValue(1, "found", Role.PLACED))
    panel = GridPanel(selection, Pin(selection), themes)
    panel.show_data(Grid("Scores", values, legend, Heat("busy neighbours", 2, 31)), Mesh((4, 4, 2)))
    return panel


def use_curve(cursor, selection, themes):
    """A channel of a busy network."""
    curve = UseCurve(themes)
    curve.show_traffic("(1,1)→(1,2)", channel_traffic(busy().network, 9 * WAYS + 2), (2000, 3000), 2300)
    return curve


PLOTS = {
    "one plot": (PlotsView, 900, 240, {"time", "time units", "0"}),
    "all plots": (PlotsView, 1200, 620, {"Turnaround", "Utilisation", "Operations", "Allocation time"}),
    "timeline": (TimelineView, 1000, 200, {"in use", "queue", "jobs", "events", "100 %"}),
    "chart": (chart_panel, 400, 260, {"Bound over time at 0", "boxes", "time", "bound", "held"}),
    "tree": (tree_panel, 400, 300, {"Allocation tree at 0", "8×8", "4×8", "2×8", "5.0", "free", "busy"}),
    "grid": (grid_panel, 400, 300, {"Scores at 0", "free", "found", "busy neighbours", "z 0", "z 1"}),
    "use curve": (use_curve, 400, 72, {"Use of (1,1)→(1,2), cycles 2000 to 3000", "100 %", "2000", "3000"}),
}


@pytest.fixture(params=PLOTS)
def plot(request, cursor, themes, shown):
    """A widget with its picture, and words that must be in it."""
    make, width, height, words = PLOTS[request.param]
    widget = shown(make(cursor, Selection(), themes), width, height)
    [picture, *_] = pictures_of(widget)
    assert isinstance(picture, Picture)
    return widget, picture, words


def colours(image):
    """The colours of an image, some of its pixels looked at."""
    return {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


def write(picture, path, **how):
    """Write it in its own size."""
    write_picture(path, picture.paint, picture.size, title=picture.title, **how)
    return path


def written(table, folder):
    """The rows of a table, written and read back."""
    list(write_csv(folder / "t.csv", table))
    return csv_rows(folder / "t.csv")


def test_a_picture_is_light_in_a_dark_window_has_its_words_and_leaves_the_window_alone(plot, tmp_path, qapp):
    """On white at its size times the scale, or at another size, filled to its corners; dark when asked."""
    widget, picture, words = plot
    before, widgets = widget.grab().toImage(), len(qapp.topLevelWidgets())
    small, large = (Picture("", QSize(*size), picture.paint) for size in ((200, 150), (1500, 900)))
    for wanted, scale in ((picture, 1), (picture, 2), (small, 1), (large, 1)):
        image = QImage(str(write(wanted, tmp_path / "p.png", scale=scale)))
        assert image.size() == wanted.size * scale
        assert image.pixelColor(0, 0) == QColor("#ffffff")
        assert image.pixelColor(image.width() - 1, 0) == QColor("#ffffff")
        assert image.pixelColor(image.width() - 1, image.height() - 1) == QColor("#ffffff")
        assert len(colours(image)) > (8 if wanted is picture else 4)
    dark = QImage(str(write(picture, tmp_path / "d.png", theme=DARK)))
    assert dark.pixelColor(0, 0) == QColor(DARK.panel)
    # As text that can be searched and changed; a page has three quarters of a point to the pixel
    svg, pdf = write(picture, tmp_path / "p.svg"), write(picture, tmp_path / "p.pdf")
    title, _, size = svg_size(svg)
    assert (title, QSize(*map(int, size))) == (picture.title, picture.size)
    assert words <= set(svg_texts(svg))
    wide, high = pdf_page(pdf)
    assert 0 <= wide - 0.75 * picture.size.width() < 1
    assert 0 <= high - 0.75 * picture.size.height() < 1
    assert pdf_fonts(pdf)
    assert all(name.startswith("Inter-") for name in pdf_fonts(pdf))
    # After all of these the widget looks as before, and no other widget is left over
    for ending in ("png", "svg", "pdf"):
        write(picture, tmp_path / f"p.{ending}", theme=EXPORT)
    handle_events()
    qapp.sendPostedEvents(None, 52)  # what is deleted later is deleted now
    assert widget.grab().toImage() == before
    assert len(qapp.topLevelWidgets()) == widgets


def test_a_long_title_is_cut_in_the_picture_and_letters_are_those_of_a_desk(themes, shown, tmp_path):
    """Its line ends before the margin."""
    panel = shown(chart_panel(None, Selection(), themes), 400, 260)
    title = "A bound of which there is very much to say " * 10
    panel.show_data(replace(panel.chart, title=title), Mesh((4, 4)))
    [picture] = panel.pictures()
    out = write(picture, tmp_path / "p.svg")
    assert svg_size(out)[0] == f"{title} at 0"
    [head] = [text for text in svg_texts(out) if text.startswith("A bound")]
    assert head.endswith("…")
    assert len(head) < 80
    image = QImage(str(write(picture, tmp_path / "p.png")))
    margin = {image.pixel(x, y) for x in range(390, 400) for y in range(HEAD)}
    assert margin == {QColor("#ffffff").rgb()}
    # Letters in a file do not grow because the window's do
    panel.resize(420, 280)
    themes.set_scale(1.4)
    [picture] = panel.pictures()
    assert picture.size == QSize(300, 200 + HEAD)
    texts = write(picture, tmp_path / "p.svg").read_text("utf-8")
    assert 'font-size="12"' in texts
    assert 'font-size="17"' not in texts


@pytest.fixture
def one(cursor, selection, themes, shown):
    """A view with room for one plot."""
    return shown(PlotsView(cursor, selection, themes), 900, 240)


@pytest.fixture
def all_plots(cursor, themes, shown):
    """A view with room for all of them."""
    return shown(PlotsView(cursor, Selection(), themes), 1200, 620)


def test_several_plots_are_offered_together_and_each_alone(one, all_plots):
    """All of them first, unless one was clicked; with one in sight there is no choice."""
    titles = [picture.title for picture in all_plots.pictures()]
    assert titles == ["Plots", "Turnaround", "Utilisation", "Operations", "Allocation time"]
    corners = {"Turnaround": (0.25, 0.3), "Utilisation": (0.75, 0.3), "Operations": (0.25, 0.8)}
    for title, (x, y) in corners.items():
        at = all_plots.mapToGlobal(QPoint(round(x * all_plots.width()), round(y * all_plots.height())))
        assert [picture.title for picture in picture_under(all_plots, at)] == [title]
    assert picture_under(one, one.mapToGlobal(one.rect().center())) == ()


def test_no_picture_has_the_playhead_but_the_scenario_and_the_strategy(one, cursor, themes, shown, tmp_path):
    """Wherever the cursor stands, plots and timeline give the same picture, without a veil."""
    whose = run_title(cursor.recording)
    assert cursor.recording.strategy.title in whose
    for view in (one, shown(TimelineView(cursor, Selection(), themes), 900, 240)):
        seen = set()
        for share in (0.2, 0.7):
            cursor.go_to_time(share * cursor.recording.end_time)
            seen.add(write(pictures_of(view)[0], tmp_path / "p.svg").read_bytes())
        assert len(seen) == 1
        assert any(whose in text for text in svg_texts(tmp_path / "p.svg"))


def test_a_plot_is_exported_as_it_is_looked_at(one, cursor, selection, tmp_path):
    """Zoomed in, with a job ringed: the picture shows the same part and the ring."""
    [picture] = one.pictures()
    whole = write(picture, tmp_path / "whole.svg")
    one.shown[0].plot.setXRange(100, 110, padding=0)
    near = write(one.pictures()[0], tmp_path / "near.svg")
    assert "104" in svg_texts(near)
    assert "104" not in svg_texts(whole)
    assert "<image" not in whole.read_text("utf-8")
    before = write(one.pictures()[0], tmp_path / "p.png").read_bytes()
    done = JobFigures(cursor.recording)
    selection.select(int(done.job[np.flatnonzero((done.finish > 102) & (done.finish < 108))[0]]))
    assert write(one.pictures()[0], tmp_path / "p.png").read_bytes() != before


def test_the_table_behind_a_plot_holds_every_job(all_plots, cursor, tmp_path, themes, shown):
    """More than the dots that are drawn: the run's own figures, to the last bit."""
    turnaround, utilisation, *_ = all_plots.tables()
    [titles, *rows] = written(turnaround, tmp_path)
    assert titles == ["Job", "Time", "Turnaround (time units)", "Mean so far"]
    figures = JobFigures(cursor.recording)
    known = dict(zip(figures.job.tolist(), figures.turnaround.tolist(), strict=True))
    assert {int(row[0]): float(row[2]) for row in rows} == known
    [_, *steps] = written(utilisation, tmp_path)
    times, busy_now = cursor.recording.busy_steps()
    last = dict(zip(times.tolist(), busy_now.tolist(), strict=True))
    percent = 100.0 / cursor.recording.mesh.processors
    assert {float(time): float(value) for time, value in steps} == {t: b * percent for t, b in last.items()}
    # Behind the inspectors' plots: points of curves, numbers of processors, a channel's use
    rows = []
    for make in (chart_panel, grid_panel, use_curve):
        [table] = tables_of(shown(make(None, Selection(), themes), 400, 300))
        rows.append(written(table, tmp_path))
    chart, grid, curve = rows
    assert chart[:3] == [["Curve", "time", "boxes"], ["bound", "0.0", "0.0"], ["bound", "1.0", str(1 / 3)]]
    assert grid[2] == ["1", "0", "0", "1", "found"]
    assert [int(row[3]) for row in grid[1:]] == list(range(32))
    shares = [float(row[2]) * (int(row[1]) - int(row[0]) + 1) for row in curve[1:]]
    crossings = channel_traffic(busy().network, 9 * WAYS + 2).crossings
    assert round(sum(shares)) == np.count_nonzero((crossings >= 2000) & (crossings <= 3000)) > 0
