"""A chart of the inspector: a few curves over one axis, the current one in the accent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent

from meshgui.engine.allocation.inspection import Chart, Tree
from meshgui.engine.basics.geometry import Mesh
from meshgui.engine.basics.translation import formatted, tr
from meshgui.model.charts.charts import ChartData, ChartSeries, CursorLine
from meshgui.model.stepping.pin import Pin
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_layout import ChartLayout
from meshgui.views.charts.chart_painter import draw_layout, paint_chart
from meshgui.views.charts.chart_style import COMPACT
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import picture_size, titled_picture
from meshgui.views.inspector.inspector_panel import InspectorPanel
from meshgui.views.style.direction import mirror_in, place_in
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress, ThemeManager
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.tips import Tips

_NOTHING: Final = Chart("", "", "", ())


class ChartPanel(InspectorPanel[Chart]):
    """Shows one `Chart`. It shows no jobs and no boxes, so that nothing in it follows the selection."""

    accessible_role = QAccessible.Role.Graphic

    def __init__(self, selection: Selection, pin: Pin, themes: ThemeManager) -> None:
        super().__init__(selection, pin, themes)
        self.chart = _NOTHING
        self._data = chart_data(_NOTHING)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # its table is that of what has the keys
        FocusRing(self, themes)
        themes.changed.connect(self.update)
        Sizing(themes, self).call(self.setMinimumHeight, 150)
        Tips(self, self.words)

    def show_data(self, data: Chart, mesh: Mesh, last: Tree | None = None, *, fresh: bool = False) -> None:
        """Show other curves in place."""
        del mesh, last, fresh
        self.chart, self._data = data, chart_data(data)
        self.setAccessibleName(data.title)
        self.setAccessibleDescription(tr(", ").join(curve.label for curve in data.curves) or data.empty)
        self.update()

    @property
    def arranged(self) -> ChartLayout:
        """The layout of the chart."""
        return arrange(self._data, QRectF(self.rect()), self._themes.scale, style=COMPACT)

    def words(self, position: QPointF) -> str:
        """The values of the curves at a place of the x axis."""
        layout, curves = self.arranged, self._data.series
        position = place_in(self, position)
        if not curves or not layout.area.contains(position):
            return ""
        x = layout.across.value((position.x() - layout.area.left()) / layout.area.width())
        values = (f"{one.label}: {formatted(one.value_at(x), '.3g')}" for one in curves if len(one))
        return "\n".join([f"{self.chart.x_label} {formatted(x, '.3g')}", *values])

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the chart."""
        del event
        with QPainter(self) as painter:
            mirror_in(self, painter)
            draw_layout(painter, self.arranged, self._themes.theme)

    def pictures(self) -> Sequence[Picture]:
        """The chart under its title."""

        def draw(painter: QPainter, room: QRectF, dress: Dress) -> None:
            paint_chart(painter, room, self._data, dress.theme, style=COMPACT)

        return (titled_picture(self.named(self.chart.title), picture_size(self, self._themes), draw),)

    def tables(self) -> Sequence[PlainTable]:
        """The points of all curves."""
        chart = self.chart
        names = (tr("Curve"), chart.x_label or "x", chart.y_label or "y")
        rows = [(curve.label, x, y) for curve in chart.curves for x, y in zip(curve.x, curve.y, strict=True)]
        return (PlainTable(self.named(chart.title), names, tuple(rows)),)


def chart_data(chart: Chart) -> ChartData:
    """A strategy's chart as the painter draws it; until a curve has a point, only what the empty one says."""
    plain = [curve for curve in chart.curves if not curve.current]
    series = tuple(
        ChartSeries.of(
            f"{place} {curve.label}",
            curve.label,
            0 if curve.current else plain.index(curve),
            curve.x,
            curve.y,
            shape="steps" if curve.steps else "straight",
            current=curve.current,
        )
        for place, curve in enumerate(chart.curves)
    )
    there = any(len(one) for one in series)
    return ChartData(
        "",
        chart.x_label,
        chart.y_label,
        series if there else (),
        empty=chart.empty,
        cursors=tuple(CursorLine(sign.x, sign.label) for sign in chart.signs) if there else (),
        y_reach=(0.0,),
    )
