"""The widget of one chart of results: hovering, clicking, keys and zoom over the painted chart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QSinglePointEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.basics.words import harmless
from meshgui.model.charts.charts import ChartData, CursorLine, PublishedMark
from meshgui.model.charts.lettering import Lettering
from meshgui.model.tables.tables import PlainTable
from meshgui.views.charts.chart_arranging import arrange
from meshgui.views.charts.chart_layout import ChartLayout, VisibleAxes
from meshgui.views.charts.chart_painter import (
    draw_cursors,
    draw_layout,
    draw_pointed,
    draw_pointed_words,
    paint_chart,
)
from meshgui.views.charts.chart_points import (
    ChartPoint,
    Way,
    describe_mark,
    describe_point,
    mark_under,
    neighbour,
    point_under,
    points_in_sight,
)
from meshgui.views.charts.printed_chart import paint_printed
from meshgui.views.charts.zooming import held_inside, moved, zoomed
from meshgui.views.exporting.exportable import ChartLabels, Paint, Picture
from meshgui.views.style.direction import is_rtl, mirror_in, place_in
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.own_keys import keeps_key

_REACH: Final = 24  # pixels from which a point is still pointed at
_MARK_REACH: Final = 9
_NOTCH: Final = 120  # a wheel's angle
_ZOOM: Final = 0.8  # of a notch, or of a key
_WAYS: Final[dict[Qt.Key, Way]] = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Home: "first",
    Qt.Key.Key_End: "last",
}
_MIRRORED: Final[dict[Way, Way]] = {"left": "right", "right": "left"}
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_CLOSER: Final = (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
_PLAIN: Final = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
_OF_TIME: Final = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
_OF_SPEED: Final = (*_CLOSER, Qt.Key.Key_Minus)


class ResultChart(DragWidget, QWidget):
    """Shows a `ChartData`. Dragging and the wheel look closer at curves; a double click shows all of them."""

    accessible_role = QAccessible.Role.Graphic

    picked = Signal(str, object)
    """A point was clicked, or entered: its series' key and what the point is about."""
    pointed = Signal(str)
    """What is pointed at, in one line; empty: nothing."""

    def __init__(self, themes: ThemeManager) -> None:
        super().__init__()
        self._themes = themes
        self.chart = self._exported = ChartData("", "", "")  # what is shown, and what pictures of it show
        self.view: VisibleAxes | None = None  # the part in sight; None: all
        self._arranged: ChartLayout | None = None
        self._points: list[ChartPoint] = []
        self._pointed: ChartPoint | None = None
        self._mark: PublishedMark | None = None
        self._picture: QPixmap | None = None
        self._dragged: VisibleAxes | None = None  # the part in sight when the drag began
        self._cursors: tuple[CursorLine, ...] = ()
        self._said = ""
        self.setAccessibleName(tr("Chart"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        themes.changed.connect(self._lay_out_anew)
        FocusRing(self, themes)
        Sizing(themes, self).call(self.setMinimumSize, 200, 160)

    # What is shown

    @property
    def arranged(self) -> ChartLayout:
        """The layout of the chart."""
        if self._arranged is None:
            self._arranged = arrange(self.chart, QRectF(self.rect()), self._themes.scale, self.view)
            self._points = points_in_sight(self._arranged)
        return self._arranged

    @property
    def words(self) -> str:
        """The hovered point or published value in one line."""
        if self._pointed is not None:
            return describe_point(self.arranged, self._pointed)
        return describe_mark(self.arranged, self._mark) if self._mark is not None else ""

    def show_chart(self, chart: ChartData, exported: ChartData | None = None) -> None:
        """Show a chart; one of the same axes keeps the part in sight and what is pointed at.

        Pictures of it show another one, if given: with a title that says more.
        """
        before, self.chart, self._exported = self.chart, chart, exported or chart
        if _axes_of(before) != _axes_of(chart):
            self.view = None
        self._lay_out_again(before)
        self._mark = self._mark if self._mark in chart.marks else None
        self.setAccessibleName(harmless(chart.title) or tr("Chart"))
        self._say()
        self._describe()

    def show_cursors(self, *cursors: CursorLine) -> None:
        """Draw these lines over the chart, which costs less than another chart; pictures leave them out."""
        if cursors != self._cursors:
            self._cursors = cursors
            self.update()

    def pictures(self) -> Sequence[Picture]:
        """A picture of the visible part without the hover, in the size it has outside lecture mode."""

        def paint(painter: QPainter, rect: QRectF, theme: Theme) -> None:
            paint_chart(painter, rect, self._exported, theme, view=self.view)

        def lettered(lettering: Lettering) -> Paint:
            shown, view = self._exported, self.view
            return lambda painter, rect, theme: paint_printed(painter, rect, shown, theme, lettering, view)

        shown = self._exported
        labels = ChartLabels(shown.title, shown.x_label, shown.y_label)
        size = self.size() / self._themes.scale
        return (Picture(shown.title, size, paint, lettered=lettered, labels=labels),)

    def tables(self) -> Sequence[PlainTable]:
        """The numbers that are drawn, in full precision; none while the chart is empty."""
        if self.chart.is_empty:
            return ()
        head, *rows = self.chart.rows()
        return (PlainTable(tr("{title}, chart").format(title=self.chart.title), tuple(map(str, head)), rows),)

    @property
    def pointed_at(self) -> Hashable | None:
        """What the hovered point is about."""
        spot = self._pointed
        return None if spot is None else self.chart.series[spot.series].points[spot.point]

    def point_to(self, about: Hashable | None) -> None:
        """Hover what is about this, if it is visible, without a signal."""
        if about == self.pointed_at:
            return
        self._mark, self._pointed = None, None if about is None else self._find(about)
        self._said = self.words
        self._describe()
        self.update()

    def show_all(self) -> None:
        """Show the whole chart."""
        self._look(None)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in by a factor below 1, or out by one above; what is at a position stays there."""
        layout = self.arranged
        if self.chart.kind == "bars" or self.chart.is_empty:
            return
        self._look(self._in_whole(zoomed(layout, factor, at if at is not None else layout.area.center())))

    # Events

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return room for a chart with its names."""
        return QSize(self._themes.px(640), self._themes.px(400))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the picture, repainted only when something in it has changed, and the hovered point."""
        del event
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            with QPainter(self._picture) as on_picture:
                mirror_in(self, on_picture)
                draw_layout(on_picture, self.arranged, self._themes.theme)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            mirror_in(self, painter)
            if self._cursors and not self.chart.is_empty:
                draw_cursors(painter, self.arranged, self._themes.theme, self._cursors)
            if self._pointed is not None:
                draw_pointed(painter, self.arranged, self._themes.theme, self._pointed)
            if self.words:
                at = self._pointed.at if self._pointed is not None else self._mark_place()
                draw_pointed_words(painter, self.arranged, self._themes, self.words, at)

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        """Lay the chart out in the new size."""
        del event
        self._lay_out_anew()

    def event(self, event: QEvent) -> bool:
        """Keep the keys of the chart from being taken for the window's while it has the focus.

        Those of time and of its speed are left to a window that has them as commands.
        """
        return keeps_key(event, self._keeps) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Handle arrows from point to point, Enter to pick, plus and minus to zoom, 0 for all, Escape.

        The arrows with Ctrl, and Z, which brings the mesh closer too, do so beside a time as well.
        """
        if not self._is_own(event):
            super().keyPressEvent(event)
            return
        key = Qt.Key(event.key())
        if key in _WAYS:
            self._mark = None
            layout, way = self.arranged, _WAYS[key]
            if is_rtl(self):
                way = _MIRRORED.get(way, way)
            self._point(neighbour(layout, self._points, self._pointed, way))
        elif key in _ENTER:
            self._pick(self._pointed)
        elif key in _OF_SPEED or key == Qt.Key.Key_Z:
            shifted = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
            farther = key == Qt.Key.Key_Minus or (key == Qt.Key.Key_Z and shifted)
            self.zoom(1 / _ZOOM if farther else _ZOOM, self._pointed.at if self._pointed else None)
        elif key == Qt.Key.Key_0:
            self.show_all()
        else:
            self._point(None)

    def hover_at(self, point: QPointF) -> None:
        """Hover the nearest point."""
        self._point_at(place_in(self, point))

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """Move the visible part with the pointer."""
        del way
        if self.pressed is None or self.view is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        self._dragged = self._dragged or self.view
        whole = self._place(event) - place_in(self, self.pressed)
        self._look(self._in_whole(moved(self._dragged, self.arranged.area, whole)))

    def click_at(self, point: QPointF) -> None:
        """Pick what was clicked."""
        self.hover_at(point)
        self._pick(self._pointed)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Begin the next drag with the part that is in sight then."""
        self._dragged = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show all of the chart."""
        if event.button() == Qt.MouseButton.LeftButton and self._under(self._place(event)) is None:
            self.show_all()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Zoom curves at the pointer; elsewhere leave the wheel to the window."""
        if self.chart.kind == "bars" or not self.arranged.area.contains(self._place(event)):
            event.ignore()
            return
        self.zoom(_ZOOM ** (event.angleDelta().y() / _NOTCH), self._place(event))
        self._point_at(self._place(event))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """End the hover."""
        del event
        self._mark = None
        self._point(None)

    # Pointing

    def _place(self, event: QSinglePointEvent) -> QPointF:
        """Where the pointer is on the chart from left to right."""
        return place_in(self, event.position())

    def _under(self, at: QPointF) -> ChartPoint | None:
        layout = self.arranged
        return point_under(layout, self._points, at, self._themes.px(_REACH))

    def _point_at(self, at: QPointF) -> None:
        layout = self.arranged
        self._mark = mark_under(layout, at, self._themes.px(_MARK_REACH))
        self._point(None if self._mark is not None else self._under(at))
        self.setCursor(
            Qt.CursorShape.PointingHandCursor if self._pointed is not None else Qt.CursorShape.ArrowCursor
        )

    def _point(self, spot: ChartPoint | None) -> None:
        self._pointed = spot
        self._say()
        self.update()

    def _say(self) -> None:
        words = self.words
        if words != self._said:
            self._said = words
            self._describe()
            self.pointed.emit(words)

    def _describe(self) -> None:
        """Tell screen readers what is pointed at, or else which series there are."""
        names = tr(", ").join(one.words for one in self.chart.series if one.label)
        self.setAccessibleDescription(self._said or names or self.chart.empty)

    def _pick(self, spot: ChartPoint | None) -> None:
        if spot is not None:
            one = self.chart.series[spot.series]
            self.picked.emit(one.key, one.points[spot.point])

    def _lay_out_again(self, before: ChartData) -> None:
        """Forget the layout, and point at the same point as in the chart before."""
        spot, self._arranged, self._picture, self._pointed = self._pointed, None, None, None
        if spot is not None:
            was = before.series[spot.series]
            self._pointed = self._find(was.points[spot.point], was.key)
        self.update()

    def _lay_out_anew(self) -> None:
        self._lay_out_again(self.chart)

    def _find(self, about: Hashable, key: str | None = None) -> ChartPoint | None:
        """The point in sight that is about this, of the series of this key if one is given."""
        self.arranged  # noqa: B018 - lays out, and finds the points
        for found in self._points:
            one = self.chart.series[found.series]
            if one.points[found.point] == about and key in {None, one.key}:
                return found
        return None

    def _mark_place(self) -> QPointF:
        ends = self.arranged.mark_ends(self._mark) if self._mark is not None else None
        return ends[1] if ends else self.arranged.area.center()

    # The part in sight

    def _look(self, view: VisibleAxes | None) -> None:
        if view == self.view:
            return
        self.view = view
        self._lay_out_anew()
        self._point(self._pointed)

    def _in_whole(self, view: VisibleAxes) -> VisibleAxes | None:
        """Hold a view within the chart; None stands for all of it; too small a view changes nothing."""
        whole = arrange(self.chart, QRectF(self.rect()), self._themes.scale)
        held = held_inside(view, VisibleAxes(whole.across, whole.up))
        if held is None:
            return self.view
        return None if held == (whole.across, whole.up) else held

    def _keeps(self, event: QKeyEvent) -> bool:
        """Whether a key is the chart's even where the window has a command for it."""
        left_to_time = event.modifiers() in _PLAIN and event.key() in (*_OF_TIME, *_OF_SPEED)
        shifted_plus = event.key() in _CLOSER and event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        return self._is_own(event) and not left_to_time and not shifted_plus

    def _is_own(self, event: QKeyEvent) -> bool:
        """Whether the chart handles a key in its present state."""
        if self.chart.is_empty:
            return False
        key, modifiers, curves = event.key(), event.modifiers(), self.chart.kind == "curves"
        if modifiers == Qt.KeyboardModifier.ShiftModifier:
            return curves and key in (*_CLOSER, Qt.Key.Key_Z)  # plus is a shifted key on many keyboards
        if modifiers == Qt.KeyboardModifier.ControlModifier or key in _WAYS:
            return key in _WAYS and modifiers in (*_PLAIN, Qt.KeyboardModifier.ControlModifier)
        if modifiers not in _PLAIN:
            return False
        if key in (*_ENTER, Qt.Key.Key_Escape):
            return self._pointed is not None
        return curves and key in (*_OF_SPEED, Qt.Key.Key_Z, Qt.Key.Key_0)


def _axes_of(chart: ChartData) -> tuple[object, ...]:
    """The properties of the axes that a zoom depends on."""
    return chart.kind, chart.x_label, chart.y_label, chart.x_scale, chart.y_scale, chart.categories
