"""The timeline's packets: a bar each from injection to delivery, hops as cells, waits hatched."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.network.record import NEVER_YET, Headers, NetworkRecord
from meshgui.engine.network.routing import describe_channel
from meshgui.model.timeline.packet_spans import PacketSpans
from meshgui.views.style.direction import write
from meshgui.views.style.raster import Raster, pixel
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.bars import LEAST_BAR, BarLanes, bar_or_mark, fill_lanes
from meshgui.views.timeline.frame import Band, TimeScale
from meshgui.views.widgets.labels import job_qcolor, label_qcolor

# Heights, in so few steps that they seldom change as one moves on.
_LANES: Final = (22, 16, 12, 9, 7, 5, 4, 3)
_LEAST_CELL: Final = 5  # pixels between a header's hops for each to have its cell
_HATCH: Final = 8  # pixels from stripe to stripe
TALL_LANE: Final = 7  # one packet among others can be followed in a lane so high
_NEAR: Final = 12  # pixels for the shortest way of a packet
_LEAST_CYCLE: Final = 8  # pixels for a cycle to be seen by itself


class PacketStrip:
    """Draws the packets in sight, and keeps the places of their bars."""

    def __init__(
        self, band: Band, scale: TimeScale, spans: PacketSpans, end_time: float, themes: Dress
    ) -> None:
        self._band, self._scale, self._spans, self._themes = band, scale, spans, themes
        self._record: NetworkRecord = spans.record
        self._now = end_time  # where the bars of packets end that have not arrived
        self._top = scale.device(band.top)
        self._room = scale.device(band.bottom) - self._top
        self.bars: BarLanes | None = None  # of the packets
        self._headers: Headers | None = None  # where each hop has its cell

    @property
    def shows_cycles(self) -> bool:
        """Whether a cycle is wide enough to be seen."""
        return self._scale.unit >= self._device(_LEAST_CYCLE)

    @property
    def near(self) -> bool:
        """Whether packets would be wide enough to hover, given enough lanes."""
        return self._scale.unit * self._record.law.unblocked(1) >= self._device(_NEAR)

    def draw(self, raster: Raster, least: int = _LANES[-1]) -> bool:
        """Draw the bars; False, and none drawn, if there are too many, or their lanes lower than `least`."""
        if self.shows_cycles:
            self._draw_cycles(raster)
        packets = self._few_enough()
        if packets is None:
            return False
        lanes = self._spans.lanes[packets].astype(np.int64)
        first, last = (self._scale.column(times) for times in self._ends(packets))
        if len(packets):
            if lanes.min() < 0 or (last - first).mean() < self._device(LEAST_BAR):
                return False
            heights = [self._device(height) for height in _LANES if height >= least]
            count = int(lanes.max()) + 1
            fitting = [height for height in heights if height * count <= self._room]
            if not fitting:
                return False
            height = fitting[0]
        else:
            height, count = self._device(_LANES[0]), 0
        # A bar gives its last pixel to the gap before the next one, where it can spare it.
        last = last - (last - first >= self._device(4))
        values = fill_lanes(lanes, first, last, packets, np.full((count, self._scale.columns), -1))
        gap = max(1, round(self._scale.ratio)) if height >= self._device(4) else 0
        self.bars = BarLanes(self._band, self._scale, height, gap, values)
        self.bars.draw(raster, np.append(self._record.jobs, 0)[values], self._themes)  # -1 finds the 0
        if len(packets):
            self._draw_headers(raster, self.bars, packets)
        return True

    def write(self, painter: QPainter) -> None:
        """Write the channel of each cell that is large enough, or else the packets' numbers."""
        if self.bars is None or self.bars.height < self._device(12):
            return
        self.bars.set_font(painter, self._themes)
        if self._headers is not None and self._scale.unit >= self._device(16):
            self._write_channels(painter, self.bars, self._headers)
        else:
            self._write_numbers(painter, self.bars)

    def bar(self, packet: int) -> QRectF:
        """The rectangle of a packet's bar; with too many packets for bars, of a mark under the curve."""
        begin, end = (float(times[0]) for times in self._ends(np.array([packet])))
        lane = int(self._spans.lanes[packet])
        return bar_or_mark(self.bars, self._band, self._scale, self._themes, lane, (begin, end))

    def _few_enough(self) -> Ints | None:
        """The packets in sight, unless there are more than bars could be drawn for."""
        scale = self._scale
        lanes = self._room // self._device(_LANES[-1])
        if self._spans.at_most(scale.low, scale.high) > lanes * scale.columns / self._device(LEAST_BAR):
            return None
        return self._spans.in_sight(scale.low, scale.high)

    def _ends(self, packets: Ints) -> tuple[Ints, Floats]:
        record = self._record
        begin, end = record.injected[packets], record.delivered[packets]
        return begin, np.where(end == NEVER_YET, self._now, end)

    def _draw_cycles(self, raster: Raster) -> None:
        """Draw a hairline where each cycle begins."""
        cycles = np.arange(np.ceil(self._scale.low), np.floor(self._scale.high) + 1)
        columns = np.rint(self._scale.column(cycles)).astype(np.intp)
        raster.ticks(self._top, self._room, columns, pixel(self._themes.theme.hairline), 1)

    def _draw_headers(self, raster: Raster, bars: BarLanes, packets: Ints) -> None:
        """Hatch the time that headers waited, and part the hops where they are wide enough."""
        scale, theme = self._scale, self._themes.theme
        if scale.unit * self._record.law.unblocked(1) < self._device(_LEAST_CELL):
            return
        headers = self._record.headers(packets)
        lanes = self._spans.lanes[headers.packets].astype(np.int64)
        granted = np.minimum(headers.granted.astype(np.float64), self._now)
        blocks = self._record.blocks(headers.steps)
        waited = blocks & (headers.asked < granted) & (headers.asked <= self._now)
        first, last = (scale.column(times[waited]) for times in (headers.asked, granted))
        seen = last - first >= 1.0
        waits = lanes[waited][seen], first[seen], last[seen], headers.packets[waited][seen]
        marked = fill_lanes(*waits, np.full_like(bars.values, -1))
        held = (marked >= 0) & (marked == bars.values)
        pitch = self._device(_HATCH)
        raster.hatch(self._top, bars.height, bars.gap, held, pixel(theme.blocked), pitch)
        law = self._record.law
        if scale.unit * (law.cycles + law.pause) < self._device(_LEAST_CELL):
            return
        self._headers = headers
        entered = headers.entered.astype(np.float64)
        inside = (headers.entered != NEVER_YET) & (entered > scale.low) & (entered < scale.high)
        columns = scale.column(entered[inside]).astype(np.intp)
        raster.cut(self._top, bars.height, lanes[inside], columns, pixel(theme.panel))

    def _write_channels(self, painter: QPainter, bars: BarLanes, headers: Headers) -> None:
        scale, record = self._scale, self._record
        entered = headers.entered.astype(np.float64)
        own_end = np.append(headers.packets[1:] != headers.packets[:-1], [True])
        following = (headers.asked, headers.granted, headers.entered)
        asked, granted, onward = (np.append(times[1:], [0]) for times in following)
        until = np.where(granted > asked, asked, onward)  # to where the wait is hatched, or the next hop
        leaves = np.where(own_end, self._ends(headers.packets)[1], until)
        known = headers.entered != NEVER_YET
        seen = known & (entered < scale.high) & (leaves > scale.low)
        metrics, gap = painter.fontMetrics(), self._themes.px(4)
        for row in np.flatnonzero(seen).tolist():
            left, right = scale.within(float(entered[row]), float(leaves[row]))
            text = describe_channel(record.mesh, int(headers.channels[row]))
            width = metrics.horizontalAdvance(text)
            if right - left >= width + 2 * gap:
                packet = int(headers.packets[row])
                room = bars.rect(int(self._spans.lanes[packet]), (left + right - width) / 2, width)
                self._write(painter, packet, text, room)

    def _write_numbers(self, painter: QPainter, bars: BarLanes) -> None:
        metrics, gap = painter.fontMetrics(), self._themes.px(3)
        for run in bars.runs(self._device(24)):
            width, bar = metrics.horizontalAdvance(str(run.value)) + 2 * gap, bars.run_rect(run)
            if bar.width() >= width:
                room = bars.rect(run.lane, bar.center().x() - width / 2, width)
                self._write(painter, run.value, str(run.value), room)

    def _write(self, painter: QPainter, packet: int, text: str, room: QRectF) -> None:
        """Write a text on a bar, on its plain colour instead of cuts and hatches."""
        job = int(self._record.jobs[packet])
        painter.fillRect(room, job_qcolor(job, self._themes.theme))
        painter.setPen(label_qcolor(job, self._themes.theme))
        write(painter, room, text, int(Qt.AlignmentFlag.AlignCenter))

    def _device(self, length: float) -> int:
        """A length of the design in pixels drawn, at least one."""
        return max(1, round(length * self._themes.scale * self._scale.ratio))
