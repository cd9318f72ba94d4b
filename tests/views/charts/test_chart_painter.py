"""One painter for the window and for files: colours, words as text, nothing beyond its place."""

import math
import re

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from meshgui.model.charts.chart_axis import ChartAxis
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine, PublishedMark
from meshgui.model.scene.colours import mix
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_layout import VisibleAxes
from meshgui.views.charts.chart_painter import draw_cursors, paint_chart
from meshgui.views.charts.chart_style import COMPACT
from meshgui.views.charts.series_look import series_colour
from meshgui.views.style.theme import DARK, LIGHT
from meshgui.views.style.theme_colours import EXPORT
from tests.views.reading import rgb_of

SIZE = QSize(900, 600)
RECT = QRectF(0, 0, 900, 600)
MAGENTA = QColor(255, 0, 255)


def painted(chart, theme=LIGHT, view=None, rect=RECT, scale=1.0):
    """The picture of a chart, on magenta."""
    image = QImage(SIZE, QImage.Format.Format_RGB32)
    image.fill(MAGENTA)
    with QPainter(image) as painter:
        paint_chart(painter, rect, chart, theme, scale, view)
    return rgb_of(image)


def compact(series, **more):
    """The picture of a compact chart."""
    image = QImage(300, 160, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        chart = ChartData("", "x", "y", tuple(series), **more)
        paint_chart(painter, QRectF(0, 0, 300, 160), chart, LIGHT, style=COMPACT)
    return rgb_of(image)


def near(pixels, colour):
    """Which pixels have a colour."""
    wanted = np.array([colour.red(), colour.green(), colour.blue()])
    return np.abs(pixels - wanted).max(axis=2) <= 12


def svg(chart, view=None):
    """The SVG file of a chart."""
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(SIZE)
    with QPainter(generator) as painter:
        paint_chart(painter, RECT, chart, EXPORT, 1.0, view)
    return bytes(content.data().data()).decode()


@pytest.mark.parametrize("theme", [LIGHT, DARK, EXPORT], ids=["light", "dark", "export"])
def test_each_series_is_drawn_in_its_colour(make_curves, theme):
    """Every colour of eight is in the picture, on the theme's panel."""
    pixels = painted(make_curves(8), theme)
    for place in range(8):
        assert near(pixels, series_colour(place, theme.name)).sum() > 100
    assert (near(pixels, theme.colour("panel"))).mean() > 0.5


def test_painting_keeps_to_its_rectangle_and_curves_to_their_area(make_curves, make_bars):
    """Nothing is painted beyond the rectangle given, not even of a part in sight."""
    rect = QRectF(100, 80, 600, 400)
    view = VisibleAxes(ChartAxis(0.4, 0.6), ChartAxis(6.0, 9.0))
    for chart, part in ((make_curves(6), None), (make_curves(6), view), (make_bars(4), None)):
        pixels = painted(chart, rect=rect, view=part)
        outside = np.ones(pixels.shape[:2], dtype=bool)
        outside[80:480, 100:700] = False
        assert near(pixels, MAGENTA)[outside].all()
    # Curves that leave the area end at its edge, on every painter
    view = VisibleAxes(ChartAxis(0.4, 0.6), ChartAxis(6.0, 9.0))
    area = arrange(make_curves(1), RECT, 1.0, view).area
    curve = near(painted(make_curves(1), view=view), series_colour(0, "light"))
    assert not curve[:, : int(area.left()) - 2].any()
    assert curve[:, int(area.left()) + 2 : int(area.right()) - 2].any()


@pytest.mark.parametrize("count", [1, 2])
def test_bars_have_symbols_where_one_series_is_told_from_another(make_bars, count):
    """In the foot of each bar; a single series is one colour without a hole."""
    chart = make_bars(count)
    layout, pixels = arrange(chart, RECT), painted(chart)
    for series in range(count):
        bar = layout.bar(series, 0)
        assert bar is not None
        foot = pixels[
            int(bar.bottom()) - 13 : int(bar.bottom()) - 5, int(bar.left()) + 2 : int(bar.right()) - 2
        ]
        assert near(foot, LIGHT.colour("panel")).any() == (count > 1)


def test_a_band_shows_the_interval_and_a_gap_a_point_that_failed(make_curves):
    """The ground is tinted between the ends of the interval and plain beyond."""
    one = ChartSeries.of("a", "A", 0, [0.0, 1.0], [10.0, 10.0], half=[4.0, 4.0])
    chart = ChartData("T", "x", "y", (one,))
    layout, pixels = arrange(chart, RECT), painted(chart)
    x, inside, above, below = (int(at) for at in (layout.xs(0.53), *layout.ys([12.3, 14.3, 5.6])))
    plain = near(pixels, LIGHT.colour("panel")) | near(pixels, LIGHT.colour("plot_grid"))
    assert np.abs(pixels[inside, x] - 255).max() >= 5
    assert plain[[above, below], x].all()
    # No line is drawn across a point without a value
    one = ChartSeries.of("a", "A", 0, [0.0, 1.0, 2.0, 3.0], [10.0, 10.0, math.nan, 10.0])
    chart = ChartData("T", "x", "y", (one,))
    layout = arrange(chart, RECT)
    y = round(float(layout.ys(10.0)))
    drawn = near(painted(chart), series_colour(0, "light"))[y - 2 : y + 3].any(axis=0)
    assert [drawn[int(layout.xs(x))] for x in (0.5, 1.5, 2.5, 3.0)] == [True, False, False, True]


@pytest.mark.parametrize("kind", ["curves", "bars"])
@pytest.mark.parametrize(
    "y", [[math.nan] * 3, [0.0] * 3, [1e300, 2e300, 0.0], [-3.0, 0.0, 5.0], [1e-300, 1e-290, 5.0]]
)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_odd_values_are_painted(kind, y, scale):
    """Whatever the values, a picture comes out with its title and without warnings."""
    one = ChartSeries.of("a", "A", 0, [0, 1, 2], y, half=[0.0, math.nan, 1.0])
    marks = (PublishedMark("b", 0.0, 0.0, "a"), PublishedMark("c", -1.0, 1e9))
    chart = ChartData("T", "x", "y", (one,), kind, ("a", "b", "c"), y_scale=scale, marks=marks)
    assert not near(painted(chart), MAGENTA).any()


def test_published_values_are_open_diamonds_in_the_colour_of_their_series():
    """A diamond's rim has the series' colour and its middle the ground's."""
    one = ChartSeries.of("a", "A", 1, [0.0, 1.0], [10.0, 12.0])
    mark = PublishedMark(0.5, 4.0, 4.0, "a")
    chart = ChartData("T", "x", "y", (one,), marks=(mark,))
    middle = arrange(chart, RECT).mark_ends(mark)[0].toPoint()
    pixels = painted(chart)
    rim = near(pixels, series_colour(1, "light"))
    assert near(pixels, LIGHT.colour("panel"))[middle.y() - 2 : middle.y() + 3, middle.x()].all()
    assert rim[middle.y() - 8 : middle.y() - 3, middle.x() - 1 : middle.x() + 2].any()


def test_words_of_an_svg_are_text_and_its_shapes_are_vectors(make_curves, make_bars):
    """Title, axes, names, numbers and published labels can be searched; nothing is a raster image."""
    curves = make_curves(3, marks=(PublishedMark(0.5, 20.0, 20.0, "s0"),), note="Means of 10 runs.")
    words = {
        "Turnaround",
        "load",
        "turnaround, s",
        "Strategy 2",
        "0.2",
        "10",
        "published",
        "Means of 10 runs.",
    }
    for chart, expected in ((curves, words), (make_bars(3), {"uniform", "Strategy 1", "10"})):
        text = svg(chart)
        assert expected <= set(re.findall(r">([^<>]+)</text>", text))
        assert "<image" not in text
    # An empty chart says so: there is the title and a sentence, and no axes
    text = svg(ChartData("Turnaround", "load", "s", empty="Start the experiment to see results here."))
    assert ">Turnaround</text>" in text
    assert "Start the experiment to see results here." in text
    assert ">load<" not in text


def test_shapes_of_an_svg_stay_in_the_area_when_a_part_is_in_sight(make_curves):
    """SVG has no clipping here: the geometry itself is cut."""
    view = VisibleAxes(ChartAxis(0.35, 0.95), ChartAxis(6.0, 9.0))
    area = arrange(make_curves(4), RECT, 1.0, view).area.adjusted(-1, -1, 1, 1)
    found = re.findall(r'<polyline[^>]*points="([^"]+)"', svg(make_curves(4), view))
    lines = [line for line in found if len(line.split()) > 2]  # shorter ones are samples and marks
    assert lines
    for line in lines:
        for pair in line.split():
            x, y = map(float, pair.split(","))
            assert area.left() <= x <= area.right()
            assert area.top() <= y <= area.bottom()


def test_a_compact_chart_keeps_the_accent_for_the_current_curve_and_the_cursor_line():
    """Other curves differ by dashes in the colours of text; the label stands beside its line."""
    x, accent = [0.0, 1.0, 2.0], LIGHT.colour("accent")
    plain = ChartSeries.of("a", "before", 0, x, [1.0, 2.0, 3.0])
    current = ChartSeries.of("b", "now", 1, x, [3.0, 2.0, 1.0], current=True)
    assert not near(compact([plain]), accent).any()
    assert near(compact([plain, current]), accent).any()
    assert near(compact([plain], cursors=(CursorLine(1.0, "latest"),)), accent).any()
    # More of an area is filled where the values are higher
    filled = QColor(mix(LIGHT.panel, LIGHT.muted, 0.65))
    areas = (ChartSeries.of("a", "", 0, [0.0, 1.0, 2.0], [y] * 3, shape="area") for y in (0.2, 0.8))
    low, high = (near(compact([area], y_reach=(0.0, 1.0)), filled).sum() for area in areas)
    assert 0 < 3 * low < high


@pytest.mark.parametrize("at", [-15.0, -3.0, 0.0, 6.5, 12.0, 15.0])
def test_no_curve_crosses_the_label_of_a_cursor_line(at):
    """Beside its line a label has no such room among three curves that cross; at the edge it has."""
    x = np.linspace(-50, 50, 101)
    rising, falling = np.clip(x / 20, 0, 1), np.clip(-x / 20, 0, 1)
    values = rising, falling, 1 - rising - falling
    curves = tuple(ChartSeries.of(str(i), str(i), i, x, y) for i, y in enumerate(values))
    cursor = CursorLine(at, f"latest error {at}")
    chart = ChartData("", "error", "degree", curves, cursors=(cursor,))
    layout = arrange(chart, QRectF(0, 0, 340, 150), style=COMPACT)
    image = QImage(340, 150, QImage.Format.Format_RGB32)
    image.fill(MAGENTA)
    with QPainter(image) as painter:
        draw_cursors(painter, layout, LIGHT, [cursor])
    ground = ~near(rgb_of(image), MAGENTA)  # of the label, two pixels wider than it
    line = round(float(layout.xs(at)))
    ground[:, line - 2 : line + 3] = False
    rows, columns = np.flatnonzero(ground.any(axis=1)), np.flatnonzero(ground.any(axis=0))
    left, right = columns[0] + 2, columns[-1] - 2
    assert right - left > 60
    assert layout.area.adjusted(-3, -1, 3, 1).contains(QRectF(left, rows[0], right - left, len(rows)))
    for curve in curves:
        xs, ys = layout.line(curve)
        inside = (xs > left) & (xs < right)
        assert not ((ys[inside] > rows[0] + 1) & (ys[inside] < rows[-1])).any()
