"""Paints a chart for print: in a font, a size of letters and with labels that were chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontDatabase, QPainter

from meshgui.engine.basics.nearest import nearest
from meshgui.engine.basics.translation import tr
from meshgui.model.base.picture_formats import PictureError
from meshgui.model.charts.charts import ChartData
from meshgui.model.charts.lettering import Lettering
from meshgui.views.charts.chart_layout import VisibleAxes
from meshgui.views.charts.chart_painter import paint_chart
from meshgui.views.charts.chart_style import RESULT
from meshgui.views.exporting.picture_files import DPI
from meshgui.views.style.fonts import load_fonts
from meshgui.views.style.theme import SIZES
from meshgui.views.style.theme_colours import Theme

_FINER: Final = 8  # fonts are whole pixels high: laid out eight times as large, letters are exact


def paint_printed(
    painter: QPainter,
    rect: QRectF,
    chart: ChartData,
    theme: Theme,
    lettering: Lettering,
    view: VisibleAxes | None = None,
) -> None:
    """Paint a chart into a rectangle, its labels `points` high."""
    scale = lettering.points * DPI / 72 / SIZES[RESULT.label] if lettering.points else 1.0
    style = replace(RESULT, family=lettering.family, legend=lettering.legend)
    large = QRectF(rect.left() * _FINER, rect.top() * _FINER, rect.width() * _FINER, rect.height() * _FINER)
    painter.save()
    painter.scale(1 / _FINER, 1 / _FINER)
    paint_chart(painter, large, lettering.applied(chart), theme, scale * _FINER, view, style)
    painter.restore()


def require_family(family: str) -> None:
    """Raise a PictureError with the nearest name where no font is called that."""
    load_fonts()
    known = QFontDatabase.families()
    if family and family not in known:
        said = tr("No font is called {family}{nearest}.")
        raise PictureError(said.format(family=family, nearest=nearest(family, known)))
