"""Draws a run over time: the strips as a cached picture, and the playhead, selection and span over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QFont, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.moment.clock_words import clock_words, longest_clock_words
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.timeline.job_lanes import JobLanes
from meshgui.model.timeline.packet_spans import PacketSpans
from meshgui.model.timeline.plot_data import run_title
from meshgui.model.timeline.run_curves import RunCurves, run_curves
from meshgui.views.exporting.exportable import Picture
from meshgui.views.exporting.off_screen_copy import copy_picture, picture_size
from meshgui.views.exporting.pausing_painter import runner_of
from meshgui.views.style.direction import is_rtl, mirror_in, rect_in, write
from meshgui.views.style.paper import is_vector
from meshgui.views.style.sizing import Sizing
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.frame import Frame, TimeScale, nearness
from meshgui.views.timeline.highlights import Highlights
from meshgui.views.timeline.picture import EVENT_ROWS, TimelinePicture
from meshgui.views.timeline.span import label_rect, paint_label, paint_span, span_label
from meshgui.views.timeline.time_window import TimeWindow
from meshgui.views.widgets.focus_ring import FocusRing
from meshgui.views.widgets.following import follow

_FINE: Final = 4  # pixels of a picture in lines for one on the screen
_CYCLES_IN_SIGHT: Final = 20.0  # zoomed in as far as it goes


class TimelineCanvas(QWidget):
    """Ruler, processors in use, queue, jobs and events over time, with the playhead."""

    accessible_role = QAccessible.Role.Graphic
    scale_changed = Signal()  # another part of the run is in sight, or a longer run

    def __init__(self, cursor: Cursor, selection: Selection, themes: Dress) -> None:
        super().__init__()
        self._cursor, self._selection, self._themes = cursor, selection, themes
        self.window_of_time = TimeWindow()  # the part of the run in sight
        self._lanes = JobLanes()
        self._recording: Recording | None = None
        self._picture: TimelinePicture | None = None
        self.pictures_drawn = 0  # how often the background was drawn: moving the playhead must not count
        self._scrubbing = False  # while the playhead is dragged, the part in sight stays
        self._span_shown: tuple[int, int] | None = None
        self._playhead: QRect = QRect()
        self.setAccessibleName(tr("Timeline"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._ring = FocusRing(self, themes)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        follow(self, cursor.changed, lambda _change: self._follow_cursor())
        follow(self, selection.changed, lambda _changes: self._show_selection())
        themes.changed.connect(self._redraw)
        Sizing(themes, self).call(self.setMinimumHeight, 106).rule(self.updateGeometry)

    @property
    def playhead(self) -> float | None:
        """The place of the playhead in pixels from the left, if it is in sight."""
        view, scale = self._cursor.view, self._scale
        return scale.x(view.time) if view is not None and scale.low <= view.time <= scale.high else None

    @property
    def time_text(self) -> str:
        """The time with two decimals, as elsewhere; close up with as many as ten pixels tell apart.

        With a network the cycle.
        """
        if self._recording is not None and self._recording.network is not None:
            return clock_words(self._recording, self._cursor.time)
        frame = self.frame
        pixel = self.window_of_time.span / max(frame.right - frame.left, 1)
        decimals = min(max(int(-np.floor(np.log10(10 * pixel))), 2), 6)
        return formatted(self._cursor.time, f".{decimals}f")

    @property
    def packets_drawn(self) -> PacketSpans | None:
        """The packets whose number is drawn: all, or those that have bars."""
        return self._picture.packets_drawn if self._picture is not None else None

    @property
    def packets_under_way(self) -> int | None:
        """How many of the packets drawn are under way now; None without a network."""
        recording, packets = self._recording, self.packets_drawn
        if recording is None or packets is None:
            return None
        return packets.now(recording, self._cursor.position, self._cursor.time)

    def time_at(self, x: float) -> float:
        """The time at a place, cut to what is in sight."""
        return self._scale.time(x)

    def fit(self) -> None:
        """Show the whole run."""
        self.window_of_time.fit()
        self._redraw()

    def show_from(self, time: float) -> None:
        """Show as much of the run as before, from a time on."""
        self.window_of_time.pan(time - self.window_of_time.low)
        self._redraw()

    def job_at(self, place: QPointF) -> int | None:
        """The job whose bar, or whose packet's, lies there; places are those of a run from left to right."""
        packet = self.packet_at(place)
        if packet is not None and self._recording is not None and self._recording.network is not None:
            return int(self._recording.network.jobs[packet])
        bars = self._picture.bars if self._picture is not None else None
        return bars.at(place.x(), place.y()) if bars is not None else None

    def packet_at(self, place: QPointF) -> int | None:
        """The packet whose bar lies there."""
        strip = self._picture.packets if self._picture is not None else None
        return strip.bars.at(place.x(), place.y()) if strip is not None and strip.bars is not None else None

    # Following

    def _follow_cursor(self) -> None:
        if not self.isVisible():
            return
        recording = self._cursor.recording
        self._say()
        if recording is not self._recording:
            self._take(recording)
        elif not self._scrubbing and self.window_of_time.reveal(self._cursor.time):
            self._redraw()
        else:
            self._move_playhead()

    def _say(self) -> None:
        """Tell screen readers what stands at the playhead."""
        view = self._cursor.view
        said = tr("{clock}: {use:.0f} % in use, {running} running, {waiting} waiting")
        self.setAccessibleDescription(
            ""
            if view is None
            else said.format(
                clock=clock_words(view.recording, view.time),
                use=100 * view.snapshot.utilization,
                running=len(view.snapshot.running),
                waiting=len(view.snapshot.queue),
            )
        )

    def _take(self, recording: Recording | None) -> None:
        before, self._recording = self._recording, recording
        if recording is None:
            self._redraw()
            return
        end = recording.end_time
        if not recording.over and len(recording.jobs):
            end = max(end, float(recording.jobs.arrival[-1]))  # a scale that does not change with every event
        self.window_of_time.set_end(end, _CYCLES_IN_SIGHT if recording.network is not None else 0.0)
        if not recording.is_of_run(before):
            self.window_of_time.fit()
        self._lanes.follow(recording)
        self._redraw()

    def _show_selection(self) -> None:
        if not self.isVisible():
            return
        if self._selection.span != self._span_shown:
            self._span_shown = self._selection.span
            self.update()
            return
        picture, selected = self._picture, (self._selection.job, self._selection.packet)
        if picture is not None and picture.depends_on_selection and picture.selected != selected:
            self._redraw()
            return
        frame = self.frame
        self.update(QRect(0, frame.jobs.top - 4, frame.width, frame.packets.bottom - frame.jobs.top + 8))

    def _redraw(self) -> None:
        """Draw everything again when next visible."""
        self._picture = None
        self.update()
        self.scale_changed.emit()

    def _move_playhead(self) -> None:
        frame = self.frame
        self.update(rect_in(self, self._playhead))
        self.update(rect_in(self, self._playhead_area()))
        if self._selection.span is not None:  # its label makes way for the playhead's
            self.update(QRect(0, 0, frame.width, frame.ruler.height))
        self.update(rect_in(self, QRect(0, 0, frame.left, frame.height)))

    # Geometry

    @property
    def frame(self) -> Frame:
        """Where the strips lie."""
        return self._picture.frame if self._picture is not None else self._lay_out()

    @property
    def _scale(self) -> TimeScale:
        if self._picture is not None:
            return self._picture.scale
        return TimeScale(self._lay_out(), self.window_of_time, 1.0)

    def _lay_out(self) -> Frame:
        network = self._recording.network if self._recording is not None else None
        if network is None:
            return Frame.lay_out(self.width(), self.height(), self._themes)
        usual = network.law.unblocked(sum(network.mesh.extents) // 3)  # a packet's time on the way
        wide = self.width() / self._themes.scale
        return Frame.lay_out(
            self.width(), self.height(), self._themes, nearness(usual / self.window_of_time.span * wide)
        )

    def _playhead_area(self) -> QRect:
        """The area that the playhead and its label cover."""
        at = self.playhead
        half = self._themes.px(112)  # the marks of the ruler it covers come and go
        return QRect() if at is None else QRect(round(at) - half, 0, 2 * half, self.height())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """A size with room for every strip."""
        return QSize(self._themes.px(900), self._themes.px(184))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the cached picture, and over it the moving parts."""
        with QPainter(self) as painter:
            recording = self._recording
            if recording is None:
                self._paint_empty(painter)
                return
            curves = run_curves(recording)
            picture = self._cached_picture(recording, curves)
            # Into the dirty part only: a moving playhead is a narrow one.
            area = event.rect()
            ratio = picture.pixmap.devicePixelRatio()
            source = QRectF(area.x() * ratio, area.y() * ratio, area.width() * ratio, area.height() * ratio)
            painter.drawPixmap(QRectF(area), picture.pixmap, source)
            mirror_in(self, painter)
            self._paint_over(painter, recording, curves, picture)

    def _paint_over(
        self, painter: QPainter, recording: Recording, curves: RunCurves, picture: TimelinePicture
    ) -> None:
        """Draw the moving parts."""
        self._paint_highlights(painter, recording, picture)
        self._paint_readings(painter, curves, picture)
        self._paint_playhead(painter, picture)

    def _paint_highlights(self, painter: QPainter, recording: Recording, picture: TimelinePicture) -> None:
        highlights = Highlights(painter, recording, picture, self._selection, self._themes)
        highlights.paint_jobs(self._lanes)
        highlights.paint_packets()

    def _cached_picture(self, recording: Recording, curves: RunCurves) -> TimelinePicture:
        if self._picture is None:
            self._picture = self._new_picture(self.devicePixelRatioF())
            self._picture.draw(recording, curves, self._lanes)
            self.pictures_drawn += 1
        return self._picture

    def _new_picture(self, ratio: float) -> TimelinePicture:
        scale = TimeScale(self._lay_out(), self.window_of_time, ratio, is_mirrored=is_rtl(self))
        return TimelinePicture(scale, self._themes, (self._selection.job, self._selection.packet))

    def _paint_empty(self, painter: QPainter) -> None:
        theme = self._themes.theme
        painter.fillRect(self.rect(), theme.colour("panel"))
        painter.setPen(theme.colour("muted"))
        painter.setFont(self._themes.text("body"))
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Open a scenario to see its timeline.")
        )

    def _paint_readings(self, painter: QPainter, curves: RunCurves, picture: TimelinePicture) -> None:
        """Write the present values of the curves beside their names; of the packets, of those drawn."""
        frame, under_way = picture.frame, self.packets_under_way
        reading = curves.readings(self._cursor.position.events)
        painter.setFont(self._themes.text("caption", QFont.Weight.Medium))
        painter.setPen(self._themes.theme.colour("text"))
        flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        texts = [f"{reading.in_use:.0f} %", f"{reading.waiting}", f"{reading.running}"]
        texts.append("" if under_way is None else f"{under_way}")
        bands = (frame.in_use, frame.queue, frame.jobs, frame.packets)
        for text, band in zip(texts, bands, strict=True):
            line = band.first_line(painter.fontMetrics().height())
            if line is not None:
                room = QRect(0, line.top, frame.left - self._themes.px(10), line.height)
                write(painter, room, text, flags)

    def _paint_playhead(self, painter: QPainter, picture: TimelinePicture) -> None:
        """Draw the selected span and the playhead, and the ruler's numbers around their labels."""
        self._playhead = self._playhead_area()
        covers = []
        pill, span = self._pill(picture.frame), self._selection.span
        if pill is not None:
            covers.append(pill)
        if span is not None and picture.packets is not None:
            label = span_label(span, picture.frame, picture.scale, self._themes, pill or QRect())
            paint_span(painter, span, picture.frame, picture.scale, self._themes, label)
            covers.append(label)
        picture.write_ruler(painter, covers)
        at = self.playhead
        if at is None or pill is None:
            return
        width = self._themes.px(2)
        line = QRect(round(at - width / 2), pill.bottom(), width, picture.frame.height)
        painter.fillRect(line, self._themes.theme.colour("accent"))
        self._paint_step_mark(painter)
        paint_label(painter, pill, self.time_text, self._themes, "accent", "accent_text")

    @property
    def step_mark(self) -> QPointF | None:
        """The middle of the diamond that stands at a start or a finish while its steps are shown."""
        at, position = self.playhead, self._cursor.position
        if at is None or not position.inside:
            return None
        band = self.frame.events
        kind = EventKind.FINISH if position.release else EventKind.START
        return QPointF(at, band.top + (EVENT_ROWS.index(kind) + 0.5) * band.height / len(EVENT_ROWS))

    def _paint_step_mark(self, painter: QPainter) -> None:
        middle, reach = self.step_mark, self._themes.px(5)
        if middle is None:
            return
        theme = self._themes.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("panel"), self._themes.px(1.5)))
        painter.setBrush(theme.colour("accent"))
        corners = ((0, -reach), (reach, 0), (0, reach), (-reach, 0))
        painter.drawPolygon(QPolygonF([middle + QPointF(dx, dy) for dx, dy in corners]))
        painter.restore()

    def _pill(self, frame: Frame) -> QRect | None:
        """The rectangle of the playhead's label; with a network as wide as any cycle needs."""
        at, recording = self.playhead, self._recording
        if at is None or recording is None:
            return None
        px = self._themes.px
        text = longest_clock_words(recording) if recording.network is not None else self.time_text
        pill = label_rect(text, at, frame, self._themes)
        pill.moveLeft(min(max(pill.left(), frame.left - px(8)), frame.width - px(4) - pill.width()))
        return pill

    # Export

    def draw(self, painter: QPainter) -> None:
        """Draw the run on any paper at its own resolution, without the playhead; no pixels are enlarged."""
        recording = self._recording
        if recording is None:
            self._paint_empty(painter)
            return
        curves = run_curves(recording)
        ratio = (
            float(_FINE) if is_vector(painter) else max(painter.deviceTransform().m11(), 1.0)
        )  # before it is mirrored
        picture = self._picture = self._new_picture(ratio)
        lanes = self._lanes  # not of this widget, which may be gone before a thread has ended
        runner_of(painter)(lambda: picture.prepare(recording, curves, lanes))
        mirror_in(self, painter)
        picture.paint(painter, recording, curves)
        picture.write_ruler(painter, [])
        self._paint_highlights(painter, recording, picture)

    def pictures(self) -> Sequence[Picture]:
        """The timeline under its scenario and strategy."""
        title = run_title(self._recording) if self._recording is not None else tr("Timeline")
        picture = copy_picture(title, picture_size(self, self._themes), self._twin)
        return (replace(picture, title=tr("Timeline")),)

    def _twin(self, dress: Dress, size: QSize) -> TimelineCanvas:
        twin = TimelineCanvas(self._cursor, self._selection, dress)
        twin.setFixedSize(size)
        twin._recording, twin._lanes = self._recording, self._lanes
        twin.window_of_time = self.window_of_time
        return twin

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Lay the strips out again."""
        super().resizeEvent(event)
        self._redraw()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Update what changed while hidden."""
        super().showEvent(event)
        if self._cursor.recording is not self._recording:
            self._take(self._cursor.recording)
        self._follow_cursor()
