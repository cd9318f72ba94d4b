"""The timeline: drag to move in time, wheel to zoom, point at a bar to see its job or packet.

With a network it reaches down to single cycles; Shift and a drag choose the cycles over which the use of
channels is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Final

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QSinglePointEvent, QWheelEvent

from meshgui.engine.basics.translation import tr
from meshgui.model.jobs.job_tables import jobs_over_time
from meshgui.model.moment.narration import job_title
from meshgui.model.stepping.cursor import Cursor
from meshgui.model.stepping.selection import Selection
from meshgui.model.tables.tables import PlainTable
from meshgui.views.style.direction import is_rtl, place_in
from meshgui.views.style.theme import ThemeManager
from meshgui.views.timeline.canvas import TimelineCanvas
from meshgui.views.timeline.highlights import packet_words
from meshgui.views.widgets.dragging import DragWidget
from meshgui.views.widgets.tips import Tips

_ZOOM_A_NOTCH: Final = 0.8
_PAN_A_NOTCH: Final = 0.1
_NOTCH: Final = 120.0  # Qt's eighths of a degree


class TimelineView(DragWidget, TimelineCanvas):
    """The timeline with its mouse actions."""

    def __init__(self, cursor: Cursor, selection: Selection, themes: ThemeManager) -> None:
        super().__init__(cursor, selection, themes)
        self._spanning = False  # while a span is selected
        Tips(self, self.words_at)

    def tables(self) -> Sequence[PlainTable]:
        """When each job comes, starts and leaves."""
        return () if self._recording is None else (jobs_over_time(self._recording),)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Go to the time with the left button, or with Shift begin a span; begin to pan with the middle."""
        if self._recording is None:
            return
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._spanning = left and shift and self._recording.network is not None
        self._scrubbing = left and not self._spanning
        if self._scrubbing:
            self._go_to(self._place(event).x())
        elif event.button() == Qt.MouseButton.MiddleButton:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def is_drag_to(self, here: QPointF) -> bool:
        """Scrub and pan at once."""
        self.dragging |= not self._spanning
        return super().is_drag_to(here)

    def drag_by(self, way: QPointF, event: QMouseEvent) -> None:
        here = self._place(event).x()
        if self._spanning and self.pressed is not None:
            self._stretch_span(place_in(self, self.pressed).x(), here)
        elif self._scrubbing:
            self._go_to(here)
        elif event.buttons() & Qt.MouseButton.MiddleButton:
            moved = -way.x() if is_rtl(self) else way.x()
            self.window_of_time.pan(-moved * self.window_of_time.span / (self.frame.right - self.frame.left))
            self._redraw()

    def hover_at(self, point: QPointF) -> None:
        place = place_in(self, point)
        self._selection.hover(self.job_at(place), self.packet_at(place))

    def click_at(self, point: QPointF) -> None:
        """Select the job or the packet of a bar."""
        job, packet = self.job_at(place_in(self, point)), self.packet_at(place_in(self, point))
        if not self._scrubbing or job is None:
            return
        if packet is not None:
            self._selection.select_packet(packet, job)
        else:
            self._selection.select(job)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Click, or end what was dragged."""
        super().mouseReleaseEvent(event)
        self._spanning = self._scrubbing = False
        if event.button() == Qt.MouseButton.MiddleButton:
            self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Deselect the span under the pointer; elsewhere show the whole run."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        span = self._selection.span
        if span is not None and span[0] <= self._cycle_at(self._place(event).x()) <= span[1]:
            self._selection.select_span(None)
        else:
            self.fit()

    def _place(self, event: QSinglePointEvent) -> QPointF:
        """Where the pointer is on the run from left to right."""
        return place_in(self, event.position())

    def _stretch_span(self, begin: float, end: float) -> None:
        """Select the cycles between two places."""
        first, last = sorted((self._cycle_at(begin), self._cycle_at(end)))
        self._selection.select_span((first, last))

    def _go_to(self, x: float) -> None:
        """Go to the time at a place; with a network to the whole cycle there."""
        network = self._recording is not None and self._recording.network is not None
        self._cursor.go_to_time(self._cycle_at(x) if network else self.time_at(x))

    def _cycle_at(self, x: float) -> int:
        """The cycle at a place, at most the last one simulated."""
        known = self._recording.end_time if self._recording is not None else 0.0
        return floor(min(self.time_at(x), known))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Zoom about the pointer; with Shift, or sideways, pan."""
        if self._recording is None:
            return
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(delta.x()) > abs(delta.y()):
            sideways = -delta.x() if is_rtl(self) else delta.x()
            notches = (sideways or delta.y()) / _NOTCH
            self.window_of_time.pan(-notches * _PAN_A_NOTCH * self.window_of_time.span)
        else:
            factor = _ZOOM_A_NOTCH ** (delta.y() / _NOTCH)
            self.window_of_time.zoom(self.time_at(self._place(event).x()), factor)
        self._redraw()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Stop hovering."""
        self._selection.hover(None)
        super().leaveEvent(event)

    def words_at(self, place: QPointF) -> str:
        """What the tooltip says at a place."""
        recording, place = self._recording, place_in(self, place)
        if recording is None:
            return ""
        packet = self.packet_at(place)
        if packet is not None:
            return packet_words(recording, packet)
        job = self.job_at(place)
        if job is not None:
            waited = recording.waited(job, len(recording), recording.end_time)
            return tr("{job}, after waiting {waited:.2f}").format(
                job=job_title(recording, job), waited=waited
            )
        strip = self._picture.packets if self._picture is not None else None
        band = self.frame.packets
        if strip is not None and strip.bars is None and band.top <= place.y() < band.bottom:
            if strip.near:
                return tr("How many packets are under way. Select a job to see its own")
            return tr("How many packets are under way. Zoom in to see them one by one")
        if self.frame.events.top <= place.y() < self.frame.events.bottom:
            if recording.strategy.release_lines:
                return tr(
                    "From top to bottom: arrivals, starts, finishes; a mark through all of them: rejected. "
                    "Starts and finishes have pseudo-code to step through"
                )
            return tr(
                "From top to bottom: arrivals, starts, finishes; a mark through all of them: rejected. "
                "Starts have pseudo-code to step through"
            )
        return ""
