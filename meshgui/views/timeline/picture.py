"""The timeline without its playhead: curves, bars and events in one pixmap, drawn when they change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap

from meshgui.engine.basics.kinds import EventKind
from meshgui.engine.basics.translation import formatted, tr
from meshgui.engine.runs.recording import Recording
from meshgui.model.charts.chart_axis import round_numbers
from meshgui.model.charts.curves import StepCurve
from meshgui.model.scene.colours import job_colours, mix
from meshgui.model.timeline.job_lanes import JobLanes, job_spans
from meshgui.model.timeline.packet_spans import PacketSpans, packet_spans
from meshgui.model.timeline.run_curves import RunCurves
from meshgui.views.style.direction import mirror, write
from meshgui.views.style.raster import Raster, pixel, pixels
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.bars import BarLanes, bar_or_mark, fill_lanes
from meshgui.views.timeline.frame import Band, TimeScale
from meshgui.views.timeline.packets import TALL_LANE, PacketStrip
from meshgui.views.widgets.labels import label_qcolor

_LEAST_LANE: Final = 3
_LEAST_BAR: Final = 8  # pixels: bars that are shorter on average are specks of colour
_MOST_LANE: Final = 22
_SPARSE: Final = 6  # pixels an event has to itself, on average, for its job's colour to be seen
EVENT_ROWS: Final = (EventKind.ARRIVE, EventKind.START, EventKind.FINISH)
"""The rows of the strip of events, from top to bottom."""
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class TimelinePicture:
    """Draws a run's background, and remembers which bar lies where."""

    def __init__(self, scale: TimeScale, themes: Dress, selected: tuple[int | None, int | None]) -> None:
        self.selected = selected  # a job and a packet, whose bars come first where there is no room for all
        self.scale, self._themes = scale, themes
        self.frame, self._window, self._ratio = scale.frame, scale.window, scale.ratio
        self._theme = themes.theme
        self._columns, self._edges, self._device = scale.columns, scale.edges, scale.device
        self._pen = max(1, round(1.3 * themes.scale * scale.ratio))
        self.bars: BarLanes | None = None  # of the jobs
        self._line = QFontMetrics(themes.text("caption")).height()
        self.packets: PacketStrip | None = None
        self._all_packets = False
        self.whose_packets = ""  # those with bars, where not all have one
        self.packets_drawn: PacketSpans | None = None  # those, or all
        self._marks, self._decimals = np.zeros(0), 0
        self._raster: Raster | None = None
        self.pixmap = QPixmap()

    def draw(self, recording: Recording, curves: RunCurves, lanes: JobLanes) -> None:
        """Draw all but the playhead and the highlights, and keep it; mirrored, time runs to the left."""
        self.prepare(recording, curves, lanes)
        self.pixmap = QPixmap(self._device(self.frame.width), self._device(self.frame.height))
        self.pixmap.setDevicePixelRatio(self._ratio)
        with QPainter(self.pixmap) as painter:
            if self.scale.is_mirrored:
                mirror(painter, QRect(0, 0, self.frame.width, self.frame.height))
            self.paint(painter, recording, curves)

    def prepare(self, recording: Recording, curves: RunCurves, lanes: JobLanes) -> None:
        """Fill in the pixels: curves, bars and events, without words."""
        theme, frame = self._theme, self.frame
        raster = Raster(self._columns, self._device(frame.height), pixel(theme.panel))
        self._place_marks(recording)
        self._draw_ground(raster)
        for band, curve, most in (
            (frame.in_use, curves.in_use, 100.0),
            (frame.queue, curves.waiting, float(curves.most.waiting)),
        ):
            if band.first_line(self._line) is not None:  # what is too low for its name is not drawn
                self._draw_curve(raster, band, curve, most)
        if recording.outages is not None:
            self._draw_down(raster, curves)
        self._draw_jobs(raster, recording, curves, lanes)
        self._draw_packets(raster, recording)
        self._draw_events(raster, curves)
        self._draw_unknown(raster, recording)
        self._raster = raster

    def paint(self, painter: QPainter, recording: Recording, curves: RunCurves) -> None:
        """Paint the pixels, and write names and numbers over them."""
        frame = self.frame
        painter.fillRect(QRect(0, 0, frame.width, frame.height), self._theme.colour("panel"))
        if self._raster is None:
            return
        image = self._raster.image()
        painter.drawImage(QRectF(self._device(frame.left) / self._ratio, 0, image.width() / self._ratio,
                                 image.height() / self._ratio), image, QRectF(image.rect()))  # fmt: skip
        self._write_names(painter, curves, recording)
        self._write_numbers(painter)
        if self.packets is not None:
            self.packets.write(painter)

    @property
    def depends_on_selection(self) -> bool:
        """Whether another selection would show other packets."""
        return self.packets is not None and self.packets.near and not self._all_packets

    def bar(self, lane: int, start: float, finish: float) -> QRectF:
        """The rectangle of a job's bar; with too many jobs for bars, of a mark under the curve."""
        return bar_or_mark(self.bars, self.frame.jobs, self.scale, self._themes, lane, (start, finish))

    def _place_marks(self, recording: Recording) -> None:
        """Choose round times as far apart as their numbers need; with a network whole cycles."""
        frame, window, px = self.frame, self._window, self._themes.px
        width = frame.right - frame.left
        if recording.network is None:
            self._marks, self._decimals = round_numbers(window.low, window.high, max(2, width // px(96)))
            return
        digits = px(8) * len(formatted(window.end, ".0f")) + px(16)
        room = width // (digits if window.span * digits <= width else max(px(96), digits))
        self._marks, self._decimals = round_numbers(
            window.low, window.high, max(1, min(room, int(window.span)))
        )

    def _draw_ground(self, raster: Raster) -> None:
        """Draw lines at the ruler's marks and below each strip."""
        frame, hairline = self.frame, pixel(self._theme.hairline)
        share = (self._marks - self._window.low) / self._window.span
        columns = np.minimum(np.rint(share * self._columns).astype(np.intp), self._columns - 1)
        top = self._device(frame.ruler.height)
        raster.ticks(top, self._device(frame.events.bottom) - top, columns, hairline, 1)
        for band in (frame.in_use, frame.queue, frame.jobs, frame.packets, frame.events):
            if band in {frame.in_use, frame.queue} and band.first_line(self._line) is None:
                continue
            raster.level(self._device(band.bottom), hairline, 1)
        raster.level(self._device(frame.in_use.top), hairline, 1)

    def _draw_unknown(self, raster: Raster, recording: Recording) -> None:
        """Cover what has not been simulated yet, where the curves would go on as they last were."""
        if not recording.over:
            known = int(np.searchsorted(self._edges, recording.end_time))
            rows = slice(self._device(self.frame.in_use.top), self._device(self.frame.events.bottom))
            raster.array[rows, known:] = pixel(self._theme.hover)

    def _draw_curve(self, raster: Raster, band: Band, curve: StepCurve, limit: float) -> None:
        theme, edges = self._theme, self._edges
        top = self._device(band.top)
        height = self._device(band.bottom) - top
        fill, between = (pixel(mix(theme.panel, theme.text, share)) for share in (0.16, 0.32))
        crowded = curve.changes(self._window.low, self._window.high) >= self._columns
        means = curve.means(edges) if crowded else None
        tones = fill, between, pixel(theme.muted)
        raster.curve(top, height, curve.extremes(edges), limit, tones, self._pen, means)

    def _draw_jobs(self, raster: Raster, recording: Recording, curves: RunCurves, lanes: JobLanes) -> None:
        band = self.frame.jobs
        room = self._device(band.bottom) - self._device(band.top)
        found = job_spans(recording, self._window.low, self._window.high)
        first, last = (self.scale.column(moment) for moment in (found.start, found.finish))
        widths = last - first
        unit = self._ratio
        lane_height = min(room // max(lanes.count, 1), self._device(self._themes.px(_MOST_LANE)))
        if lane_height < _LEAST_LANE * unit or (len(widths) and widths.mean() < _LEAST_BAR * unit):
            self._draw_curve(raster, band, curves.running, float(curves.most.running))
            ends = np.floor(last[found.hit])
            self._draw_hits(raster, np.zeros_like(ends, np.int64), ends, self._device(self._themes.px(6)))
            return
        first, last = np.floor(first), np.floor(last)
        # A bar gives its last pixel to the gap before the next one, where it can spare it.
        last -= last - first >= 4
        values = np.full((lanes.count, self._columns), -1, dtype=np.int64)
        rows = lanes.of(found)
        fill_lanes(rows, first, last, found.jobs, values)
        gap = max(1, round(self._ratio)) if lane_height >= 4 else 0
        self.bars = BarLanes(band, self.scale, lane_height, gap, values)
        self.bars.draw(raster, values, self._themes)
        self._draw_hits(raster, rows[found.hit], last[found.hit], lane_height)

    def _draw_hits(
        self, raster: Raster, lanes: NDArray[np.int64], ends: NDArray[np.float64], height: int
    ) -> None:
        """Draw a thick mark, higher than the bar, at the end of each bar that a failure has cut off."""
        top, pen = self._device(self.frame.jobs.top), 2 * self._pen
        for lane, end in zip(lanes.tolist(), ends.tolist(), strict=True):
            if 0 <= end < self._columns:
                column = np.array([max(int(end) - pen // 2, 0)])
                raster.ticks(top + lane * height, height, column, pixel(self._theme.blocked), pen)

    def _draw_down(self, raster: Raster, curves: RunCurves) -> None:
        """Let the share of processors that are down hang from the top of their use, hatched."""
        band = self.frame.in_use
        if band.first_line(self._line) is None:
            return
        _, high = curves.down.extremes(self._edges)
        top = self._device(band.top)
        height = self._device(band.bottom) - top
        least = np.where(high > 0, 3 * self._pen, 0)
        reach = np.maximum(np.rint(high / 100.0 * height), least)
        row, column = np.ogrid[:height, : self._columns]
        hatched = (row < reach[: self._columns]) & ((row + column) % (3 * self._pen) < self._pen)
        raster.array[top : top + height, : self._columns][hatched] = pixel(self._theme.blocked)

    def _draw_packets(self, raster: Raster, recording: Recording) -> None:
        network = recording.network
        if network is None:
            return
        band = self.frame.packets
        every = packet_spans(network)
        strip = PacketStrip(band, self.scale, every, recording.end_time, self._themes)
        self.packets, self.packets_drawn = strip, every
        if strip.draw(raster):
            self._all_packets = True
            return
        if strip.near:
            for words, spans, least in self._fewer(every):
                part = PacketStrip(band, self.scale, spans, recording.end_time, self._themes)
                if part.draw(raster, least):
                    self.packets, self.packets_drawn, self.whose_packets = part, spans, words
                    return
        self._draw_curve(raster, band, every.under_way, float(every.most))

    def _fewer(self, every: PacketSpans) -> Iterator[tuple[str, PacketSpans, int]]:
        """Parts of the packets to draw alone where all are too many, and how low their lanes may be.

        The selected job's. With a packet selected, that and those that blocked it, unless the job's leave it
        room enough to be followed among them.
        """
        job, packet = self.selected
        if packet is not None and packet < len(every.record):
            if job is not None:
                yield tr("of job {job}").format(job=job), every.of_job(job), TALL_LANE
            yield tr("around {packet}").format(packet=packet), every.around(packet), 0
        elif job is not None:
            yield tr("of job {job}").format(job=job), every.of_job(job), 0

    def _draw_events(self, raster: Raster, curves: RunCurves) -> None:
        """Draw a row each for arrivals, starts and finishes; a rejected job has one mark through all of them.

        A job that leaves the queue for a reserved box is marked in the row of starts, half as high and in
        another colour.
        """
        theme, band = self._theme, self.frame.events
        row = self._device(band.height) // len(EVENT_ROWS)
        found = [curves.event_columns(kind, self._edges) for kind in EVENT_ROWS]
        busiest = max(int(counts.max()) for counts, _ in found)
        sparse = max(int(counts.sum()) for counts, _ in found) * _SPARSE < self._columns
        pen = 2 * self._pen if sparse else 1
        tones = np.array([pixel(mix(theme.panel, theme.text, share)) for share in (0.45, 0.6, 0.75, 0.9)])
        for index, (counts, jobs) in enumerate(found):
            columns = np.flatnonzero(counts)
            if sparse:
                colours = pixels(job_colours(jobs[columns], theme.name))
            else:
                share = np.log1p(counts[columns]) / np.log1p(max(busiest, 1))
                colours = tones[np.minimum((share * len(tones)).astype(np.intp), len(tones) - 1)]
            raster.ticks(self._device(band.top) + index * row, row - 1, columns, colours, pen)
        top, starts = self._device(band.top), EVENT_ROWS.index(EventKind.START)
        reserved, _ = curves.event_columns(EventKind.RESERVE, self._edges)
        half = (row - 1) // 2
        raster.ticks(
            top + starts * row + half, row - 1 - half, np.flatnonzero(reserved), pixel(theme.reserved), pen
        )
        rejected, _ = curves.event_columns(EventKind.REJECT, self._edges)
        raster.ticks(
            top, len(EVENT_ROWS) * row, np.flatnonzero(rejected), pixel(theme.blocked), 2 * self._pen
        )

    def _write_names(self, painter: QPainter, curves: RunCurves, recording: Recording) -> None:
        frame, themes = self.frame, self._themes
        painter.setFont(themes.text("caption"))
        painter.setPen(themes.theme.colour("muted"))
        network, most, packets = recording.network, curves.most, self.packets_drawn
        rows = [
            (tr("in use"), frame.in_use, "100 %"),
            (tr("queue"), frame.queue, tr("max {number}").format(number=most.waiting)),
            (tr("jobs"), frame.jobs, tr("max {number}").format(number=most.running)),
            (
                tr("packets"),
                frame.packets,
                tr("max {number}").format(number=packets.most) if packets is not None else "",
            ),
            (tr("events"), frame.events, ""),
        ]
        for name, band, limit in rows:
            line = band.first_line(self._line)
            if line is None:
                continue
            write(painter, QRect(themes.px(12), line.top, frame.left, line.height), name, _LEFT)
            room = QRect(frame.right, line.top, frame.width - frame.right - themes.px(12), line.height)
            write(painter, room, limit, _RIGHT)
        second = self._line
        if self.whose_packets and frame.packets.height >= 2 * second:
            room = QRect(themes.px(12), frame.packets.top + second, frame.left, second)
            write(painter, room, self.whose_packets, _LEFT)
        name = tr("time") if network is None else tr("cycle")
        write(painter, QRect(themes.px(12), 0, frame.left, frame.ruler.height), name, _LEFT)

    def write_ruler(self, painter: QPainter, covers: list[QRect]) -> None:
        """Write the times at the ruler's marks, except where one of `covers` would cut them."""
        frame, themes = self.frame, self._themes
        painter.setFont(themes.text("caption"))
        painter.setPen(themes.theme.colour("muted"))
        metrics, gap = painter.fontMetrics(), themes.px(4)
        for mark in self._marks.tolist():
            text = formatted(mark, f".{self._decimals}f")
            room = QRect(0, 0, metrics.horizontalAdvance(text) + 2 * gap, frame.ruler.height)
            room.moveCenter(QPoint(round(self.scale.x(mark)), room.center().y()))
            if not any(room.intersects(cover) for cover in covers):
                write(painter, room, text, int(Qt.AlignmentFlag.AlignCenter))

    def _write_numbers(self, painter: QPainter) -> None:
        """Write job numbers on the bars that are large enough."""
        if self.bars is None or self.bars.height < self._device(self._themes.px(12)):
            return
        self.bars.set_font(painter, self._themes)
        for run in self.bars.runs(self._device(self._themes.px(24))):
            painter.setPen(label_qcolor(run.value, self._theme))
            write(painter, self.bars.run_rect(run), str(run.value), int(Qt.AlignmentFlag.AlignCenter))
