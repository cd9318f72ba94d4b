"""The timeline's packets: a bar each from injection to delivery, hops as cells, what was blocked hatched."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from meshgui.engine.network.record import NEVER_YET, Headers, NetworkRecord
from meshgui.engine.network.routing import describe_channel
from meshgui.model.packet_spans import PacketSpans
from meshgui.views.style.colours import HUE_COUNT, job_colour, job_colours, label_colour
from meshgui.views.style.raster import Raster, pixel, pixels
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.frame import Band, TimeScale

__all__ = ["TALL_LANE", "PacketStrip"]

_LEAST_BAR: Final = 2.5  # narrower than this on average, bars say less than how many there are
_LANES: Final = (
    22,
    16,
    12,
    9,
    7,
    5,
    4,
    3,
)  # heights, in so few steps that they seldom change as one moves on
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
        self._now = end_time  # so far the bars of packets reach that have not arrived
        self._top = scale.device(band.top)
        self._room = scale.device(band.bottom) - self._top
        self._lane_height = 0
        self._bars: NDArray[np.int64] | None = None  # the packet at a lane and column, or -1
        self._headers: Headers | None = None  # where each hop has its cell

    @property
    def shows_bars(self) -> bool:
        """Whether each packet has its bar, rather than a curve of how many are under way."""
        return self._bars is not None

    @property
    def shows_cycles(self) -> bool:
        """Whether a cycle is wide enough to be seen."""
        return self._scale.unit >= self._device(_LEAST_CYCLE)

    @property
    def near(self) -> bool:
        """Whether packets would be wide enough to be pointed at, were there but lanes enough."""
        return self._scale.unit * self._record.law.unblocked(1) >= self._device(_NEAR)

    @property
    def shows_hops(self) -> bool:
        """Whether the cells of a packet's hops are."""
        return self._headers is not None

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
            if lanes.min() < 0 or (last - first).mean() < self._device(_LEAST_BAR):
                return False
            heights = [self._device(height) for height in _LANES if height >= least]
            count = int(lanes.max()) + 1
            fitting = [height for height in heights if height * count <= self._room]
            if not fitting:
                return False
            self._lane_height = fitting[0]
        else:
            self._lane_height, count = self._device(_LANES[0]), 0
        # A bar gives its last pixel to the gap before the next one, where it can spare it.
        last = last - (last - first >= self._device(4))
        self._bars = self._fill(lanes, first, last, packets, np.full((count, self._scale.columns), -1))
        jobs = np.append(self._record.jobs, 0)[self._bars]  # -1 finds the 0 and is left out below
        rows = np.where(self._bars >= 0, jobs % HUE_COUNT, -1).astype(np.int64)
        hues = pixels(job_colours(np.arange(HUE_COUNT), self._themes.theme.name))
        raster.lanes(self._top, self._lane_height, self._gap, rows, hues)
        if len(packets):
            self._draw_headers(raster, packets)
        return True

    def write(self, painter: QPainter) -> None:
        """The channel of each cell that is large enough, or else the packets' numbers."""
        if self._bars is None or self._lane_height < self._device(12):
            return
        font = self._themes.text("caption", QFont.Weight.Medium)
        height = self._lane_height / self._scale.ratio
        font.setPixelSize(min(font.pixelSize(), round(height) - 2))
        painter.setFont(font)
        if self._headers is not None and self._scale.unit >= self._device(16):
            self._write_channels(painter, self._headers)
        else:
            self._write_numbers(painter)

    def packet_at(self, x: float, y: float) -> int | None:
        """The packet whose bar lies at a place of the widget."""
        column = self._scale.column_at(x)
        if self._bars is None or column is None:
            return None
        lane = int((y * self._scale.ratio - self._top) // self._lane_height)
        if not 0 <= lane < len(self._bars):
            return None
        packet = int(self._bars[lane, column])
        return packet if packet >= 0 else None

    def bar(self, packet: int) -> QRectF:
        """Where a packet's bar lies; with too many packets for bars, a mark under the curve."""
        begin, end = (float(times[0]) for times in self._ends(np.array([packet])))
        left, right = self._scale.within(begin, end)
        width = max(right - left, 2.0)
        lane = int(self._spans.lanes[packet])
        if self._bars is None or lane < 0:
            height = self._themes.px(5)
            return QRectF(left, self._band.bottom - height, width, height)
        pitch = self._lane_height / self._scale.ratio
        return QRectF(left, self._band.top + lane * pitch, width, pitch - self._gap / self._scale.ratio)

    def _few_enough(self) -> NDArray[np.int64] | None:
        """The packets in sight, unless there are more than bars could be drawn for."""
        scale = self._scale
        lanes = self._room // self._device(_LANES[-1])
        if self._spans.at_most(scale.low, scale.high) > lanes * scale.columns / self._device(_LEAST_BAR):
            return None
        return self._spans.in_sight(scale.low, scale.high)

    def _ends(self, packets: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        record = self._record
        begin, end = record.injected[packets], record.delivered[packets]
        return begin, np.where(end == NEVER_YET, self._now, end)

    def _fill(
        self,
        lanes: NDArray[np.int64],
        first: NDArray[np.float64],
        last: NDArray[np.float64],
        values: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Write values over spans of columns of some lanes."""
        columns = self._scale.columns
        left = np.minimum(np.floor(first).astype(np.int64), columns - 1)
        length = np.maximum(np.floor(last).astype(np.int64) - left, 1)
        ramp = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
        rows.reshape(-1)[np.repeat(lanes * columns + left, length) + ramp] = np.repeat(values, length)
        return rows

    def _draw_cycles(self, raster: Raster) -> None:
        """A hairline where each cycle begins."""
        cycles = np.arange(np.ceil(self._scale.low), np.floor(self._scale.high) + 1)
        columns = np.rint(self._scale.column(cycles)).astype(np.intp)
        raster.ticks(self._top, self._room, columns, pixel(self._themes.theme.hairline), 1)

    def _draw_headers(self, raster: Raster, packets: NDArray[np.int64]) -> None:
        """Hatch what headers waited, and part the hops where they are wide enough."""
        scale, bars, theme = self._scale, self._bars, self._themes.theme
        if bars is None or scale.unit * self._record.law.unblocked(1) < self._device(_LEAST_CELL):
            return
        headers = self._record.headers(packets)
        lanes = self._spans.lanes[headers.packets].astype(np.int64)
        granted = np.minimum(headers.granted.astype(np.float64), self._now)
        waited = (headers.steps > 0) & (headers.asked < granted) & (headers.asked <= self._now)
        first, last = (scale.column(times[waited]) for times in (headers.asked, granted))
        seen = last - first >= 1.0
        marked = self._fill(
            lanes[waited][seen],
            first[seen],
            last[seen],
            headers.packets[waited][seen],
            np.full_like(bars, -1),
        )
        held = (marked >= 0) & (marked == bars)
        pitch = self._device(_HATCH)
        raster.hatch(self._top, self._lane_height, self._gap, held, pixel(theme.blocked), pitch)
        if scale.unit * (self._record.law.routing_delay + 1) < self._device(_LEAST_CELL):
            return
        self._headers = headers
        entered = headers.granted + 1.0
        inside = (headers.granted != NEVER_YET) & (entered > scale.low) & (entered < scale.high)
        columns = scale.column(entered[inside]).astype(np.intp)
        raster.cut(self._top, self._lane_height, lanes[inside], columns, pixel(theme.panel))

    def _write_channels(self, painter: QPainter, headers: Headers) -> None:
        scale, record = self._scale, self._record
        entered = headers.granted + 1.0
        own_end = np.append(headers.packets[1:] != headers.packets[:-1], [True])
        asked, granted = np.append(headers.asked[1:], [0]), np.append(headers.granted[1:], [0])
        until = np.where(granted > asked, asked, granted + 1)  # to where the wait is hatched, or the next hop
        leaves = np.where(own_end, self._ends(headers.packets)[1], until)
        known = headers.granted != NEVER_YET
        seen = known & (entered < scale.high) & (leaves > scale.low)
        metrics, gap = painter.fontMetrics(), self._themes.px(4)
        height = self._lane_height / scale.ratio
        for row in np.flatnonzero(seen).tolist():
            left, right = scale.within(float(entered[row]), float(leaves[row]))
            text = describe_channel(record.mesh, int(headers.channels[row]))
            width = metrics.horizontalAdvance(text)
            if right - left >= width + 2 * gap:
                room = QRectF((left + right - width) / 2, 0, width, height)
                self._write(painter, int(headers.packets[row]), text, room)

    def _write_numbers(self, painter: QPainter) -> None:
        bars, ratio = self._bars, self._scale.ratio
        if bars is None:
            return
        metrics, gap = painter.fontMetrics(), self._themes.px(3)
        origin, height = self._scale.x(self._scale.low), self._lane_height / ratio
        for row in bars:
            cuts = np.flatnonzero(np.diff(row, prepend=-2, append=-2))
            begin, width = cuts[:-1], np.diff(cuts)
            wide = (width >= self._device(24)) & (row[begin] >= 0)
            for start, length in zip(begin[wide].tolist(), width[wide].tolist(), strict=True):
                packet = int(row[start])
                text = metrics.horizontalAdvance(str(packet)) + 2 * gap
                if length / ratio >= text:
                    middle = origin + (start + length / 2) / ratio
                    self._write(painter, packet, str(packet), QRectF(middle - text / 2, 0, text, height))

    def _write(self, painter: QPainter, packet: int, text: str, room: QRectF) -> None:
        """Write a text on a bar, on its plain colour instead of cuts and hatches."""
        lane, job = int(self._spans.lanes[packet]), int(self._record.jobs[packet])
        height = room.height()
        room.moveTop(self._band.top + lane * height)
        room.setHeight(height - self._gap / self._scale.ratio)
        painter.fillRect(room, QColor.fromRgbF(*job_colour(job, self._themes.theme.name)))
        painter.setPen(QColor.fromRgbF(*label_colour(job, self._themes.theme.name)))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _device(self, length: float) -> int:
        """So many pixels of the design in pixels drawn."""
        return max(1, round(length * self._themes.scale * self._scale.ratio))

    @property
    def _gap(self) -> int:
        return max(1, round(self._scale.ratio)) if self._lane_height >= self._device(4) else 0
