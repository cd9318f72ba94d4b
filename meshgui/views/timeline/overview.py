"""The whole run as a strip below the timeline: the part in sight, bookmarks by name, and its stops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAccessible, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.basics.translation import tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.stepping.bookmarks import Bookmark, Bookmarks
from meshgui.model.stepping.breakpoints import Breakpoints
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.stop_search import stops_of
from meshgui.model.tables.tables import LazyRows, PlainTable
from meshgui.model.timeline.run_curves import run_curves
from meshgui.views.style.direction import mirror_in, place_in, write
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import ThemeManager
from meshgui.views.style.theme_colours import Theme
from meshgui.views.timeline.canvas import TimelineCanvas
from meshgui.views.timeline.frame import room_for_names
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.following import follow
from meshgui.views.widgets.tips import Tips

_HEIGHT, _RIGHT = 34, 84  # as the strips of the timeline above, with their margin below
_MARK = 10  # how near a click has to be to a bookmark


class _Flag(NamedTuple):
    """A bookmark's place and the room of its name."""

    bookmark: Bookmark
    x: float
    name: QRectF


class RunOverview(DragWidget, QWidget):
    """Drag in it to move the part of the run that the timeline shows; a click on a bookmark goes there."""

    accessible_role = QAccessible.Role.Graphic

    def __init__(
        self,
        timeline: TimelineCanvas,
        cursor: Cursor,
        breakpoints: Breakpoints,
        bookmarks: Bookmarks,
        themes: ThemeManager,
    ) -> None:
        super().__init__()
        self._timeline, self._cursor, self._themes = timeline, cursor, themes
        self._breakpoints, self._bookmarks = breakpoints, bookmarks
        self.setAccessibleName(tr("Overview of the whole run"))
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._shape: tuple[Recording, QRect, float, QPolygonF] | None = None  # of the whole run
        timeline.scale_changed.connect(self._follow_scale)
        follow(self, cursor.changed, lambda _change: self.update())
        follow(self, breakpoints.changed, self.update)
        follow(self, bookmarks.changed, self.update)
        themes.changed.connect(self.update)
        Tips(self, self._words_at)
        Sizing(themes, self).call(self.setFixedHeight, _HEIGHT)

    def tables(self) -> Sequence[PlainTable]:
        """The processors in use, which the shape shows; bookmarks have a list of their own."""
        recording = self._cursor.recording
        if recording is None or not len(recording):
            return ()
        curve = run_curves(recording).in_use
        rows = LazyRows(
            len(curve.times), lambda: zip(curve.times.tolist(), curve.values.tolist(), strict=True)
        )
        return (PlainTable(tr("Overview of the whole run"), (tr("Time"), tr("Processors in use, %")), rows),)

    def _follow_scale(self) -> None:
        self.setAccessibleDescription(self._run_words())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the timeline."""
        return QSize(self._themes.px(900), self._themes.px(_HEIGHT))

    # Places

    @property
    def strip(self) -> QRect:
        """The rectangle of the run."""
        px = self._themes.px
        left = room_for_names(self._themes)
        width = max(self.width() - left - px(_RIGHT), 16)
        return QRect(left, px(14), width, self.height() - px(14 + 8))

    def x_of(self, time: float) -> float:
        """The place of a time."""
        strip = self.strip
        return strip.left() + strip.width() * time / self._timeline.window_of_time.end

    def time_at(self, x: float) -> float:
        """The time at a place."""
        strip, end = self.strip, self._timeline.window_of_time.end
        return min(max((x - strip.left()) / strip.width() * end, 0.0), end)

    def flags(self) -> list[_Flag]:
        """The bookmarks, with names where they do not overlap the one before."""
        metrics, px = self.fontMetrics(), self._themes.px
        taken, found = float("-inf"), []
        for bookmark in self._bookmarks.all:
            x = self.x_of(bookmark.instant.time)
            width = metrics.horizontalAdvance(bookmark.name)
            left = min(x + px(6), self.width() - width - px(4))
            fits = left >= taken
            found.append(_Flag(bookmark, x, QRectF(left, 0, width if fits else 0, px(14))))
            taken = left + width + px(10) if fits else taken
        return found

    def _flag_at(self, at: QPointF) -> _Flag | None:
        near = self._themes.px(_MARK)
        for flag in self.flags():
            if flag.name.contains(at) or (abs(flag.x - at.x()) <= near and at.y() <= self.strip.top()):
                return flag
        return None

    def _words_at(self, at: QPointF) -> str:
        flag = self._flag_at(place_in(self, at))
        if flag is not None:
            return tr("{name}, t {time:.2f}. Click to go there").format(
                name=flag.bookmark.name, time=flag.bookmark.instant.time
            )
        return self._run_words()

    def _run_words(self) -> str:
        if self._timeline.window_of_time.fits_all:
            return tr("The whole run")
        return tr("The whole run: drag to move the part in sight, double click to see all of it")

    # The mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Move the part in sight here, unless this is a bookmark."""
        if self._cursor.recording is None or event.button() != Qt.MouseButton.LeftButton:
            return
        super().mousePressEvent(event)
        if self._flag_at(place_in(self, event.position())) is None:
            self._move_to(place_in(self, event.position()).x())

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        """Move the part in sight to the pointer."""
        del way
        self._move_to(place_in(self, event.position()).x())

    def hover_at(self, point: QPointF) -> None:
        """Point at a bookmark."""
        pointing = self._flag_at(place_in(self, point)) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if pointing else Qt.CursorShape.ArrowCursor)

    def click_at(self, point: QPointF) -> None:
        """Go to a bookmark."""
        flag = self._flag_at(place_in(self, point))
        if flag is not None:
            self._cursor.go_to_kept(flag.bookmark.instant)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Show the whole run in the timeline."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._timeline.fit()

    def _move_to(self, x: float) -> None:
        window, time = self._timeline.window_of_time, self.time_at(x)
        if window.fits_all:
            self._cursor.go_to_time(time)
        else:
            self._timeline.show_from(time - window.span / 2)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the run."""
        del event
        theme = self._themes.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme.colour("panel"))
            mirror_in(self, painter)
            if self._cursor.recording is None:
                return
            self.setFont(self._themes.text("caption"))
            painter.setFont(self._themes.text("caption"))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_run(painter, theme)
            self._paint_stops(painter, theme)
            self._paint_part_in_sight(painter, theme)
            self._paint_flags(painter, theme)
            at = self.x_of(self._cursor.time)
            width = self._themes.px(2)
            strip = self.strip
            line = QRectF(at - width / 2, strip.top() - 2, width, strip.height() + 4)
            painter.fillRect(line, theme.colour("accent"))

    def _paint_run(self, painter: QPainter, theme: Theme) -> None:
        """The processors in use as a shape, and the strip's name."""
        strip, recording = self.strip, self._cursor.recording
        painter.setPen(theme.colour("muted"))
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        over = self._themes.px(8)  # letters are higher than the strip
        name = QRect(self._themes.px(12), strip.top() - over, strip.left(), strip.height() + 2 * over)
        write(painter, name, tr("whole run"), flags)
        painter.fillRect(strip, theme.colour("hover"))
        if recording is None or not len(recording):
            return
        end = self._timeline.window_of_time.end
        if self._shape is None or self._shape[:3] != (recording, strip, end):
            self._shape = recording, strip, end, run_shape(recording, strip, end)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour("outline"))
        painter.drawPolygon(self._shape[3])

    def _paint_stops(self, painter: QPainter, theme: Theme) -> None:
        """Ticks where breakpoints on events and times stop, one a column."""
        strip, recording = self.strip, self._cursor.recording
        if recording is None:
            return
        times = [stops_of(recording, wanted) for wanted in self._breakpoints.enabled]
        if not times:
            return
        end = self._timeline.window_of_time.end
        columns = np.unique(np.rint(strip.left() + strip.width() * np.concatenate(times) / end))
        height = self._themes.px(4)
        for x in columns.tolist():
            painter.fillRect(QRectF(x, strip.bottom() - height + 1, 1.5, height), theme.colour("blocked"))

    def _paint_part_in_sight(self, painter: QPainter, theme: Theme) -> None:
        window, strip = self._timeline.window_of_time, self.strip
        if window.fits_all:
            return
        left, right = self.x_of(window.low), self.x_of(window.high)
        painter.setPen(theme.colour("accent"))
        painter.setBrush(theme.colour("selection"))
        painter.setOpacity(0.6)
        painter.drawRect(QRectF(left, strip.top() - 1, max(right - left, 3.0), strip.height() + 1))
        painter.setOpacity(1.0)

    def _paint_flags(self, painter: QPainter, theme: Theme) -> None:
        """Each bookmark as a small flag with its name."""
        px, strip = self._themes.px, self.strip
        for flag in self.flags():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            top = strip.top() - px(11)
            corners = (0, 0), (px(5), px(3)), (0, px(6))
            painter.drawPolygon(QPolygonF([QPointF(flag.x + dx, top + dy) for dx, dy in corners]))
            painter.fillRect(QRectF(flag.x - 0.5, top, 1, strip.bottom() - top), theme.colour("accent"))
            painter.setPen(theme.colour("text"))
            if flag.name.width():
                write(painter, flag.name, flag.bookmark.name, int(Qt.AlignmentFlag.AlignLeft))


def run_shape(recording: Recording, strip: QRect, end: float) -> QPolygonF:
    """The processors in use over the run as a shape in the strip."""
    edges = np.linspace(0.0, end, max(strip.width(), 2) + 1)
    edges = edges[: int(np.searchsorted(edges, recording.end_time, side="right")) + 1]  # what there is of it
    means = run_curves(recording).in_use.means(edges)
    heights = strip.bottom() - means / 100.0 * (strip.height() - 1)
    points = [QPointF(strip.left() + i, h) for i, h in enumerate(heights.tolist())]
    last = points[-1].x() if points else strip.left()
    ground = QPointF(strip.left(), strip.bottom()), QPointF(last, strip.bottom())
    return QPolygonF([ground[0], *points, ground[1]])
