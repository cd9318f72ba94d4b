"""Draws how the work of strategies grows: over meshes, and over the jobs on one mesh, both logarithmic."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from meshgui.engine.growth import Growth, Point, Series
from meshgui.model.picture_formats import PictureFormat
from meshgui.views.exporting.picture_files import write_picture
from meshgui.views.style.application import qt_application
from meshgui.views.style.colours import job_colour
from meshgui.views.style.theme import EXPORT, Dress, Theme

__all__ = ["GrowthPicture", "write_growth"]

_SIZE: Final = QSize(1600, 900)
_DASHES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
)
_HUES: Final = 12  # told apart from there on by their dashes


class GrowthPicture:
    """Both plots side by side."""

    def __init__(self, measured: Sequence[Growth]) -> None:
        self._measured = tuple(measured)

    def picture_title(self) -> str:
        """See Picture."""
        return "How the operations of strategies grow"

    def picture_size(self) -> QSize:
        """See Picture."""
        return _SIZE

    def paint(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        """See Picture."""
        dress = Dress(theme)
        painter.save()
        painter.fillRect(rect, theme.colour("window"))
        looks = {growth.cls.id: _pen(place, theme) for place, growth in enumerate(self._measured)}
        meshes = [growth.meshes for growth in self._measured]
        jobs = [growth.jobs for growth in self._measured]
        by_mesh = _Plot(
            "Larger meshes, a dozen jobs on each", "processors of the mesh", lambda p: p.processors
        )
        by_jobs = _Plot("More jobs on one mesh", "jobs on the mesh", lambda p: p.jobs)
        left = QRectF(rect.left(), rect.top(), rect.width() / 2, rect.height())
        by_mesh.draw(painter, left, meshes, looks, dress)
        by_jobs.draw(painter, left.translated(left.width(), 0), jobs, looks, dress)
        painter.restore()


def write_growth(measured: Sequence[Growth], out: Path) -> None:
    """Write both plots side by side: PNG, SVG or PDF, by the ending of the name."""
    qt_application()
    picture = GrowthPicture(measured)
    words = f"Strategies: {', '.join(growth.cls.id for growth in measured)}"
    write_picture(
        out,
        picture.paint,
        picture.picture_size(),
        title=picture.picture_title(),
        description=words,
        without_ending=PictureFormat.PNG,
    )


def _pen(place: int, theme: Theme) -> QPen:
    """A hue and a dash that no other strategy has."""
    colour = theme.colour("text")
    colour.setRgbF(*job_colour(place % _HUES, theme.name))
    return QPen(colour, 2.5, _DASHES[place // _HUES % len(_DASHES)])


class _Plot:
    """One plot: operations over something, each curve named at its end."""

    def __init__(self, title: str, across: str, amount: Callable[[Point], float]) -> None:
        self._title, self._across, self._amount = title, across, amount
        self._theme = EXPORT

    def draw(
        self,
        painter: QPainter,
        room: QRectF,
        series: Sequence[Series],
        looks: dict[str, QPen],
        themes: Dress,
    ) -> None:
        """Draw the plot into its room."""
        self._theme = themes.theme
        shown = [one for one in series if one.points]
        area = room.adjusted(96, 88, -120, -80)
        painter.setFont(themes.text("title", QFont.Weight.DemiBold))
        painter.setPen(self._theme.colour("text"))
        painter.drawText(QPointF(area.left(), room.top() + 44), self._title)
        painter.setFont(themes.text("body"))
        painter.setPen(self._theme.colour("muted"))
        painter.drawText(QPointF(area.left(), room.top() + 68), "operations per allocation")
        if not shown:
            return
        points = [point for one in shown for point in one.points]
        x = _Axis.over([self._amount(p) for p in points], area.left(), area.right())
        y = _Axis.over([max(p.allocation, 1.0) for p in points], area.bottom(), area.top())
        self._draw_axes(painter, area, x, y)
        ends = []
        for one in shown:
            line = [QPointF(x.at(self._amount(p)), y.at(max(p.allocation, 1.0))) for p in one.points]
            pen = looks[one.name]
            painter.setPen(pen)
            painter.drawPolyline(QPolygonF(line))
            painter.setBrush(pen.color())
            painter.setPen(Qt.PenStyle.NoPen)
            for place in line:
                painter.drawEllipse(place, 4, 4)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ends.append((line[-1], one.name, pen))
        self._name_curves(painter, ends, area)

    def _draw_axes(self, painter: QPainter, area: QRectF, x: _Axis, y: _Axis) -> None:
        metrics = QFontMetricsF(painter.font())
        grid, ink = self._theme.colour("hairline"), self._theme.colour("muted")
        for value in x.marks():
            place = x.at(value)
            painter.setPen(grid)
            painter.drawLine(QPointF(place, area.top()), QPointF(place, area.bottom()))
            painter.setPen(ink)
            text = f"{value:,.0f}"
            painter.drawText(QPointF(place - metrics.horizontalAdvance(text) / 2, area.bottom() + 24), text)
        for value in y.marks():
            place = y.at(value)
            painter.setPen(grid)
            painter.drawLine(QPointF(area.left(), place), QPointF(area.right(), place))
            painter.setPen(ink)
            text = f"{value:,.0f}"
            painter.drawText(
                QPointF(area.left() - metrics.horizontalAdvance(text) - 10, place + metrics.capHeight() / 2),
                text,
            )
        across = metrics.horizontalAdvance(self._across)
        painter.drawText(QPointF(area.right() - across, area.bottom() + 52), self._across)

    def _name_curves(self, painter: QPainter, ends: list[tuple[QPointF, str, QPen]], area: QRectF) -> None:
        """The names beside the ends of the curves, moved apart where they would touch."""
        metrics = QFontMetricsF(painter.font())
        height = metrics.height()
        ends.sort(key=lambda end: -end[0].y())
        lowest = area.bottom() + height
        for place, name, pen in ends:
            lowest = min(place.y() + metrics.capHeight() / 2, lowest - height)
            text_at = QPointF(area.right() + 24, lowest)
            painter.setPen(QPen(pen.color(), 1.0))
            painter.drawLine(place, text_at + QPointF(-4, -metrics.capHeight() / 2))
            painter.setPen(self._theme.colour("text"))
            painter.drawText(text_at, name)


class _Axis:
    """A logarithmic axis between two places of the picture."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low, self._high = math.log10(low), math.log10(high)
        self._start, self._end = start, end

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> _Axis:
        """An axis on which all values lie."""
        low, high = min(values), max(values)
        return cls(low, high if high > low else low * 10, start, end)

    def at(self, value: float) -> float:
        """Where a value lies."""
        share = (math.log10(value) - self._low) / (self._high - self._low)
        return self._start + share * (self._end - self._start)

    def marks(self) -> list[float]:
        """Powers of ten; between them 2 and 5 where there are few."""
        decades = range(math.floor(self._low), math.ceil(self._high) + 1)
        steps = (1,) if self._high - self._low > 3 else (1, 2, 5)
        values = [step * 10.0**decade for decade in decades for step in steps]
        return [value for value in values if self._low - 1e-9 <= math.log10(value) <= self._high + 1e-9]
