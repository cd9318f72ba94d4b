"""Bars in lanes: the job or packet at each column of each lane, and the rectangles of bars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from meshgui.engine.basics.arrays import Floats, Ints
from meshgui.engine.basics.geometry import ramps
from meshgui.model.scene.colours import COLOUR_COUNT, LOOK_COUNT, ThemeName, job_colours, job_patterns
from meshgui.model.scene.hatching import PEN, line_colours, pitch_of, tiles
from meshgui.views.style.raster import Pixels, Raster, pixels
from meshgui.views.style.theme import Dress
from meshgui.views.timeline.frame import Band, TimeScale

LEAST_BAR = 2.5
"""Pixels: bars that are narrower on average say less than how many there are."""


class LaneRun(NamedTuple):
    """Columns of a lane with the same job or packet, `first` to `first + length`."""

    lane: int
    first: int
    length: int
    value: int


class _Looks(NamedTuple):
    """How the bars of jobs look, before that repeats; nothing, the last one, is plain."""

    fills: Pixels
    lines: Pixels
    patterns: NDArray[np.integer]


@cache
def _looks(theme: ThemeName) -> _Looks:
    jobs = np.arange(LOOK_COUNT)
    lines = np.take(line_colours(theme), jobs % COLOUR_COUNT, axis=0)
    return _Looks(pixels(job_colours(jobs, theme)), pixels(lines), np.append(job_patterns(jobs), 0))


@dataclass(frozen=True, eq=False)
class BarLanes:
    """The lanes of a strip."""

    band: Band
    scale: TimeScale
    height: int  # of a lane with the gap below its bars, in pixels drawn
    gap: int
    values: Ints  # [lane, column]: the job or packet, or -1

    def at(self, x: float, y: float) -> int | None:
        """The job or packet whose bar lies at a place of the widget."""
        column = self.scale.column_at(x)
        lane = int((y * self.scale.ratio - self.scale.device(self.band.top)) // self.height)
        if column is None or not 0 <= lane < len(self.values):
            return None
        value = int(self.values[lane, column])
        return value if value >= 0 else None

    def rect(self, lane: int, left: float, width: float) -> QRectF:
        """A part of a lane in the widget, without the gap."""
        pitch, gap = self.height / self.scale.ratio, self.gap / self.scale.ratio
        return QRectF(left, self.band.top + lane * pitch, width, pitch - gap)

    def draw(self, raster: Raster, jobs: Ints, themes: Dress) -> None:
        """Draw the bars in the colours and hatchings of their jobs, `[lane, column]`."""
        top, looks = self.scale.device(self.band.top), _looks(themes.theme.name)
        rows = np.where(self.values >= 0, jobs % LOOK_COUNT, -1).astype(np.int64)
        raster.lanes(top, self.height, self.gap, rows, looks.fills)
        unit = themes.scale * self.scale.ratio
        pitch = round(pitch_of((self.height - self.gap) / unit) * unit)
        if pitch:
            tile = tiles(pitch, round(PEN * unit))[:, :, :: -1 if self.scale.is_mirrored else 1]
            # Lines go with the bars where the time in sight moves on.
            origin = round(-self.scale.low * self.scale.unit)
            raster.lay(top, self.height, self.gap, tile, looks.patterns[rows], looks.lines[rows], origin)

    def runs(self, least: int) -> Iterator[LaneRun]:
        """The runs of equal values that are at least this many columns long."""
        for lane, row in enumerate(self.values):
            cuts = np.flatnonzero(np.diff(row, prepend=-2, append=-2))
            first, length = cuts[:-1], np.diff(cuts)
            wide = (length >= least) & (row[first] >= 0)
            for run in zip(
                first[wide].tolist(), length[wide].tolist(), row[first[wide]].tolist(), strict=True
            ):
                yield LaneRun(lane, *run)

    def run_rect(self, run: LaneRun) -> QRectF:
        """The rectangle of a run."""
        ratio = self.scale.ratio
        return self.rect(run.lane, self.scale.x(self.scale.low) + run.first / ratio, run.length / ratio)

    def set_font(self, painter: QPainter, themes: Dress) -> None:
        """Set a font that fits into a bar."""
        font = themes.text("caption", QFont.Weight.Medium)
        font.setPixelSize(min(font.pixelSize(), round(self.height / self.scale.ratio) - 2))
        painter.setFont(font)


def fill_lanes(lanes: Ints, first: Floats, last: Floats, values: Ints, into: Ints) -> Ints:
    """Write values over spans of columns of some lanes of `into`; each takes at least one column."""
    columns = into.shape[1]
    left = np.minimum(np.floor(first).astype(np.int64), columns - 1)
    length = np.maximum(np.floor(last).astype(np.int64) - left, 1)
    into.reshape(-1)[np.repeat(lanes * columns + left, length) + ramps(length)] = np.repeat(values, length)
    return into


def bar_or_mark(
    bars: BarLanes | None, band: Band, scale: TimeScale, themes: Dress, lane: int, span: tuple[float, float]
) -> QRectF:
    """The rectangle of a bar; without bars or a lane, of a mark at the foot of the strip."""
    left, right = scale.within(*span)
    width = max(right - left, 2.0)
    if bars is not None and lane >= 0:
        return bars.rect(lane, left, width)
    height = themes.px(5)
    return QRectF(left, band.bottom - height, width, height)
