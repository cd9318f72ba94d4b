"""The run over time, and where we are in it: drag to move, wheel to zoom, point at a bar to find its job."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QEvent, QMarginsF, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from meshgui.engine.recording import NEVER, Recording
from meshgui.model.cursor import Cursor
from meshgui.model.lanes import Lanes
from meshgui.model.narration import job_name
from meshgui.model.run_curves import RunCurves, run_curves
from meshgui.model.selection import Selection
from meshgui.model.time_window import TimeWindow
from meshgui.views.colours import job_colour
from meshgui.views.following import follow
from meshgui.views.theme import ThemeManager
from meshgui.views.timeline_picture import Band, Frame, TimelinePicture

__all__ = ["TimelineView"]

_ZOOM_A_NOTCH: Final = 0.8
_PAN_A_NOTCH: Final = 0.1
_NOTCH: Final = 120.0  # Qt's eighths of a degree


class TimelineView(QWidget):
    """Ruler, processors in use, queue, jobs and events over time, with the playhead."""

    def __init__(
        self, cursor: Cursor, selection: Selection, themes: ThemeManager, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._cursor, self._selection, self._themes = cursor, selection, themes
        self._window = TimeWindow()
        self._lanes = Lanes()
        self._recording: Recording | None = None
        self._picture: TimelinePicture | None = None
        self._pictures_drawn = 0
        self._scrubbing = False
        self._panned_from: QPointF | None = None
        self._pressed_job: int | None = None
        self._playhead: QRect = QRect()
        self.setAccessibleName("Timeline")
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        follow(self, cursor.changed, self._follow_cursor)
        follow(self, selection.changed, self._show_selection)
        themes.changed.connect(self._dress)
        self._dress()

    @property
    def window_of_time(self) -> TimeWindow:
        """The part of the run in sight."""
        return self._window

    @property
    def pictures_drawn(self) -> int:
        """How often the background was drawn: moving the playhead must not count."""
        return self._pictures_drawn

    @property
    def playhead(self) -> float | None:
        """Where the playhead stands, in pixels from the left, if it is in sight."""
        view = self._cursor.view
        if view is None or not self._window.low <= view.time <= self._window.high:
            return None
        return self._x(view.time)

    @property
    def time_text(self) -> str:
        """The time with two decimals, as elsewhere; close up with as many as ten pixels tell apart."""
        frame = self._frame()
        pixel = self._window.span / max(frame.right - frame.left, 1)
        return f"{self._cursor.time:.{min(max(int(-np.floor(np.log10(10 * pixel))), 2), 6)}f}"

    def time_at(self, x: float) -> float:
        """The time at a place, held to what is in sight."""
        frame = self._frame()
        share = min(max((x - frame.left) / (frame.right - frame.left), 0.0), 1.0)
        return self._window.low + share * self._window.span

    def fit(self) -> None:
        """Bring the whole run in sight."""
        self._window.fit()
        self._redraw()

    def job_at(self, place: QPointF) -> int | None:
        """The job whose bar lies there."""
        return self._picture.job_at(place.x(), place.y()) if self._picture is not None else None

    # Following

    def _follow_cursor(self) -> None:
        if not self.isVisible():
            return
        recording = self._cursor.recording
        if recording is not self._recording:
            self._take(recording)
        elif not self._scrubbing and self._window.reveal(self._cursor.time):
            self._redraw()
        else:
            self._move_playhead()

    def _take(self, recording: Recording | None) -> None:
        before, self._recording = self._recording, recording
        if recording is None:
            self._redraw()
            return
        end = recording.end_time
        if not recording.complete and len(recording.jobs):
            end = max(end, float(recording.jobs.arrival[-1]))  # a scale that need not change at every look
        same_run = before is not None and before.jobs is recording.jobs
        self._window.set_end(end)
        if not same_run:
            self._window.fit()
        self._lanes.follow(recording)
        self._redraw()

    def _show_selection(self) -> None:
        if self.isVisible():
            frame = self._frame()
            self.update(QRect(0, frame.jobs.top - 4, frame.width, frame.jobs.height + 8))

    def _dress(self) -> None:
        self.setMinimumHeight(self._themes.px(140))
        self.updateGeometry()
        self._redraw()

    def _redraw(self) -> None:
        """Draw all anew when next seen."""
        self._picture = None
        self.update()

    def _move_playhead(self) -> None:
        frame = self._frame()
        self.update(self._playhead)
        self.update(self._playhead_area())
        self.update(QRect(0, 0, frame.left, frame.height))

    # Geometry

    def _frame(self) -> Frame:
        if self._picture is not None:
            return self._picture.frame
        return Frame.lay_out(self.width(), self.height(), self._themes)

    def _x(self, time: float) -> float:
        frame = self._frame()
        return frame.left + (time - self._window.low) / self._window.span * (frame.right - frame.left)

    def _playhead_area(self) -> QRect:
        """What the playhead and its label cover."""
        at = self.playhead
        half = self._themes.px(112)  # the marks of the ruler it covers come and go
        return QRect() if at is None else QRect(round(at) - half, 0, 2 * half, self.height())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for every strip."""
        return QSize(self._themes.px(900), self._themes.px(184))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """The kept picture, and over it what moves."""
        painter = QPainter(self)
        recording = self._recording
        if recording is None:
            self._paint_empty(painter)
            return
        curves = run_curves(recording)
        picture = self._kept_picture(recording, curves)
        # Into the dirty part only: a moving playhead is a narrow one.
        area = event.rect()
        ratio = picture.pixmap.devicePixelRatio()
        source = QRectF(area.x() * ratio, area.y() * ratio, area.width() * ratio, area.height() * ratio)
        painter.drawPixmap(QRectF(area), picture.pixmap, source)
        self._paint_jobs(painter, recording, picture)
        self._paint_readings(painter, curves, picture.frame)
        self._paint_playhead(painter, picture)

    def _kept_picture(self, recording: Recording, curves: RunCurves) -> TimelinePicture:
        if self._picture is None:
            frame = Frame.lay_out(self.width(), self.height(), self._themes)
            picture = TimelinePicture(frame, self._window, self._themes, self.devicePixelRatioF())
            picture.draw(recording, curves, self._lanes)
            self._picture = picture
            self._pictures_drawn += 1
        return self._picture

    def _paint_empty(self, painter: QPainter) -> None:
        theme = self._themes.theme
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.setPen(theme.colour("muted"))
        painter.setFont(self._themes.text("body"))
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignCenter, "Time passes here once a scenario is open."
        )

    def _paint_jobs(self, painter: QPainter, recording: Recording, picture: TimelinePicture) -> None:
        """The selected job and the one pointed at, with the time each of them waited."""
        theme, px = self._themes.theme, self._themes.px
        chosen, hovered = self._selection.job, self._selection.hovered
        painter.save()
        painter.setClipRect(picture.frame.strips)
        for job, colour in ((hovered, theme.colour("text")), (chosen, theme.colour("accent"))):
            if job is None or not 0 <= job < len(recording.jobs) or recording.started[job] == NEVER:
                continue
            start = float(recording.times[recording.started[job]])
            ended = recording.ended[job]
            finish = recording.end_time if ended == NEVER else float(recording.times[ended])
            bar = picture.bar(int(self._lanes.lane[job]), start, finish)
            middle = bar.center().y()
            painter.setPen(QPen(colour, px(1.5)))
            arrival = QPointF(picture.x(float(recording.jobs.arrival[job])), middle)
            painter.drawLine(arrival, QPointF(bar.left(), middle))
            painter.drawLine(arrival + QPointF(0, -px(3)), arrival + QPointF(0, px(3)))
            if not picture.shows_bars:
                painter.fillRect(bar, QColor.fromRgbF(*job_colour(job, theme.name)))
            painter.setPen(QPen(colour, px(2)))
            painter.drawRect(bar)
            if bar.height() >= px(10):  # in a bar of its own hue the outline would drown
                painter.setPen(QPen(theme.colour("panel"), px(1)))
                painter.drawRect(bar.marginsRemoved(QMarginsF(px(1.5), px(1.5), px(1.5), px(1.5))))
        painter.restore()

    def _paint_readings(self, painter: QPainter, curves: RunCurves, frame: Frame) -> None:
        """What the curves say now, beside their names."""
        reading = curves.readings(self._cursor.place.position)
        painter.setFont(self._themes.text("caption", QFont.Weight.Medium))
        painter.setPen(self._themes.theme.colour("text"))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        texts = (f"{reading.in_use:.0f} %", f"{reading.waiting}", f"{reading.running}")
        for text, band in zip(texts, (frame.in_use, frame.queue, frame.jobs), strict=True):
            line = Band(band.top, min(painter.fontMetrics().height(), band.height))
            room = QRect(0, line.top, frame.left - self._themes.px(10), line.height)
            painter.drawText(room, flags, text)

    def _paint_playhead(self, painter: QPainter, picture: TimelinePicture) -> None:
        at = self.playhead
        self._playhead = self._playhead_area()
        if at is None:
            picture.write_ruler(painter, QRect())
            return
        theme, px, frame = self._themes.theme, self._themes.px, picture.frame
        bold = self._themes.text("caption", QFont.Weight.Medium)
        text = self.time_text
        pill = QRect(
            0, px(2), QFontMetrics(bold).horizontalAdvance(text) + px(12), frame.ruler.height - px(5)
        )
        pill.moveCenter(QPoint(round(at), pill.center().y()))
        pill.moveLeft(min(max(pill.left(), frame.left - px(8)), frame.width - px(4) - pill.width()))
        picture.write_ruler(painter, pill)
        accent = theme.colour("accent")
        width = px(2)
        painter.fillRect(QRect(round(at - width / 2), pill.bottom(), width, frame.height), accent)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawRoundedRect(pill, px(4), px(4))
        painter.setFont(bold)
        painter.setPen(theme.colour("accent_text"))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    # The pointer

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Left: go there. Middle: take hold of the strips."""
        if self._recording is None:
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self._scrubbing = True
            self._pressed_job = self.job_at(event.position())
            self._cursor.go_to_time(self.time_at(event.position().x()))
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._panned_from = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Scrub, pan, or point at a bar."""
        if self._scrubbing:
            self._pressed_job = None
            self._cursor.go_to_time(self.time_at(event.position().x()))
        elif self._panned_from is not None:
            moved = event.position().x() - self._panned_from.x()
            self._panned_from = event.position()
            frame = self._frame()
            self._window.pan(-moved * self._window.span / (frame.right - frame.left))
            self._redraw()
        else:
            self._selection.hover(self.job_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on a bar that did not become a drag selects its job."""
        if event.button() == Qt.MouseButton.LeftButton and self._scrubbing:
            self._scrubbing = False
            if self._pressed_job is not None:
                self._selection.select(self._pressed_job)
        elif event.button() == Qt.MouseButton.MiddleButton:
            self._panned_from = None
            self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Bring the whole run in sight."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Zoom about the pointer; with Shift, or sideways, pan."""
        if self._recording is None:
            return
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y()):
            notches = (delta.x() or delta.y()) / _NOTCH
            self._window.pan(-notches * _PAN_A_NOTCH * self._window.span)
        else:
            self._window.zoom(self.time_at(event.position().x()), _ZOOM_A_NOTCH ** (delta.y() / _NOTCH))
        self._redraw()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Point at nothing."""
        self._selection.hover(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Say in words what lies under the pointer."""
        if isinstance(event, QHelpEvent):
            text = self._words_at(event.pos())
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _words_at(self, place: QPoint) -> str:
        recording = self._recording
        if recording is None:
            return ""
        job = self.job_at(QPointF(place))
        if job is not None:
            waited = recording.times[recording.started[job]] - recording.jobs.arrival[job]
            return f"{job_name(recording, job)}, after waiting {waited:.2f}"
        if self._frame().events.top <= place.y() < self._frame().events.bottom:
            return "From top to bottom: arrivals, starts, finishes; a mark through all of them: turned away"
        return ""

    # The widget's own life

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Lay the strips out anew."""
        super().resizeEvent(event)
        self._redraw()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        if self._cursor.recording is not self._recording:
            self._take(self._cursor.recording)
        self._follow_cursor()
