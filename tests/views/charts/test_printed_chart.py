"""A chart for print: its letters, labels and legend as chosen, the rest as in the window."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QImage, QPainter

from meshgui.model.base.picture_formats import PictureError
from meshgui.model.charts.charts import ChartData
from meshgui.model.charts.lettering import LEGEND_PLACES, Lettering
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_style import RESULT
from meshgui.views.charts.printed_chart import paint_printed, require_family
from meshgui.views.style.theme_colours import EXPORT

RECT = QRectF(0, 0, 340, 240)  # a column of a paper


def layout_with(chart, legend):
    """Where the parts of a chart are."""
    return arrange(chart, RECT, style=replace(RESULT, legend=legend))


def test_names_are_where_they_are_wanted(make_curves):
    """Beside the lines, in rows above, or nowhere; if the chart chooses, they are where they fit."""
    chart = make_curves(3)
    beside, above, none = (layout_with(chart, place) for place in ("beside", "above", "none"))
    assert (len(beside.ends), len(beside.legend)) == (3, 0)
    assert (len(above.ends), len(above.legend)) == (0, 3)
    assert (none.ends, none.legend, none.unnamed) == ((), (), 0)
    assert none.area.height() > above.area.height()
    assert none.area.width() > beside.area.width()
    assert set(LEGEND_PLACES) == {"auto", "beside", "above", "none"}


def test_bars_have_no_lines_to_stand_beside(make_bars):
    """Their names stay above."""
    assert len(layout_with(make_bars(2), "beside").legend) == 2


def test_labels_are_those_chosen_and_others_the_charts_own(make_curves):
    """An empty label is one as well."""
    chart = make_curves(2)
    shown = Lettering(title="", y_label="seconds").applied(chart)
    assert (shown.title, shown.x_label, shown.y_label) == ("", chart.x_label, "seconds")
    assert Lettering().applied(chart).title == chart.title


def ink(chart, lettering):
    """How many pixels of a picture are not white."""
    image = QImage(340, 240, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    with QPainter(image) as painter:
        paint_printed(painter, RECT, chart, EXPORT, lettering)
    return image


def test_larger_letters_are_drawn_larger_and_another_font_otherwise(make_curves, themes):
    """The same choices give the same picture to the last pixel."""
    chart = make_curves(2)
    small, large = ink(chart, Lettering(points=6)), ink(chart, Lettering(points=12))
    assert small != large
    assert small == ink(chart, Lettering(points=6))
    other = next(name for name in QFontDatabase.families() if name != "Inter")
    assert ink(chart, Lettering(family=other, points=6)) != small


@pytest.mark.parametrize("family", ["", "Inter"])
def test_the_fonts_of_a_chart_are_of_the_family(family, themes):
    """The program's own, or the one that is named, behind which the own has letters that it lacks."""
    layout = arrange(ChartData("t", "x", "y"), RECT, style=replace(RESULT, family=family))
    assert layout.fonts.label.families()[0] == "Inter"
    assert QFontMetricsF(layout.fonts.label).height() > 0


def test_a_font_that_is_not_there_is_named_with_the_nearest(themes):
    """One sentence."""
    require_family("")
    require_family("Inter")
    with pytest.raises(PictureError, match=r"^No font is called Intr: did you mean Inter\?\.?$"):
        require_family("Intr")
