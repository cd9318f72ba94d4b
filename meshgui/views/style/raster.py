"""Draws strips directly into pixels with NumPy, as fast for a million events as for ten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from meshgui.engine.basics.arrays import Floats
from meshgui.model.charts.curves import Extremes
from meshgui.model.scene.colours import from_hex

Pixels = NDArray[np.uint32]
Tones = tuple[np.uint32, np.uint32, np.uint32]
"""The fill of a curve, the band to its maximum and its line."""


def pixels(colours: NDArray[np.floating]) -> Pixels:
    """Rows of red, green and blue from 0 to 1 as 0xffRRGGBB."""
    parts = np.rint(np.clip(colours, 0.0, 1.0) * 255).astype(np.uint32)
    result: Pixels = (parts[..., 0] << 16) | (parts[..., 1] << 8) | parts[..., 2] | np.uint32(0xFF000000)
    return result


def pixel(colour: str) -> np.uint32:
    """A colour, written `#rrggbb`, as 0xffRRGGBB."""
    return np.uint32(pixels(np.array([from_hex(colour)]))[0])


class Raster:
    """A picture as an array, rows from the top."""

    def __init__(self, width: int, height: int, ground: np.uint32) -> None:
        self.array = np.full((height, width), ground, dtype=np.uint32)

    def image(self) -> QImage:
        """The picture for a painter; it shares the array's memory."""
        height, width = self.array.shape
        return QImage(self.array.data, width, height, width * 4, QImage.Format.Format_RGB32)

    def curve(
        self,
        top: int,
        height: int,
        levels: Extremes,
        limit: float,
        tones: Tones,
        pen: int,
        means: Floats | None = None,
    ) -> None:
        """Draw a filled step curve; `limit` is at the top, and the line spans each column's range.

        With `means`, for many changes a pixel, the fill ends at the minimum and a band at the maximum; the
        line follows the mean.
        """
        part, (fill, band, line) = self.array[top : top + height], tones
        scale = (height - pen) / limit if limit > 0 else 0.0
        low, high = (np.rint(level * scale).astype(np.int64) for level in levels)
        above = np.arange(height - 1, -1, -1)[:, np.newaxis]  # how far a row lies above the ground line
        some = levels.high > 0
        part[(above < (high if means is None else low)) & some] = fill
        part[(above >= low) & (above < high + pen) & some] = line if means is None else band
        if means is not None:
            # From one column's mean to the next, so that the line does not fall to pieces.
            mean = np.rint(means * scale).astype(np.int64)
            before = np.concatenate((mean[:1], mean[:-1]))
            part[(above >= np.minimum(mean, before)) & (above < np.maximum(mean, before) + pen)] = line

    def lanes(self, top: int, lane_height: int, gap: int, rows: NDArray[np.int64], colours: Pixels) -> None:
        """Draw bars by lane: `rows[lane, column]` is the number of a colour, or -1 for nothing."""
        drawn = self._bars(top, len(rows), lane_height, gap)
        held = rows >= 0
        drawn[...] = np.where(held[:, np.newaxis], colours[rows][:, np.newaxis], drawn)

    def lay(
        self,
        top: int,
        lane_height: int,
        gap: int,
        tile: NDArray[np.bool_],
        kinds: NDArray[np.integer],
        colours: Pixels,
        origin: int,
    ) -> None:
        """Lay patterns over bars: of `tile[kind, row, column]` that of `kinds[lane, column]`, from `origin`.

        Its first row is the middle of a lane.
        """
        drawn = self._bars(top, len(kinds), lane_height, gap)
        pitch, height = tile.shape[1], lane_height - gap
        flat = tile.reshape(-1)
        first = kinds * (pitch * pitch) + (np.arange(kinds.shape[1]) - origin) % pitch
        for row in range(min(pitch, height)):
            on = flat.take(first + (row - height // 2) % pitch * pitch)
            rows = drawn[:, row::pitch]
            np.copyto(rows, colours[:, np.newaxis], where=on[:, np.newaxis])

    def hatch(
        self, top: int, lane_height: int, gap: int, marked: NDArray[np.bool_], colour: np.uint32, pitch: int
    ) -> None:
        """Hatch parts of bars with a slanted stripe every `pitch`; in low lanes fill them with the colour."""
        count, width = marked.shape
        slant = np.arange(lane_height - gap)[:, np.newaxis] + np.arange(width)
        striped = (slant % pitch < (pitch + 1) // 2) | (lane_height <= pitch)
        self._bars(top, count, lane_height, gap)[marked[:, np.newaxis] & striped] = colour

    def _bars(self, top: int, count: int, lane_height: int, gap: int) -> Pixels:
        """The pixels of the bars in some lanes, `[lane, row, column]`, without the gaps below them."""
        part = self.array[top : top + count * lane_height]
        bars: Pixels = part.reshape(count, lane_height, self.array.shape[1])[:, : lane_height - gap]
        return bars

    def cut(
        self,
        top: int,
        lane_height: int,
        lanes: NDArray[np.intp],
        columns: NDArray[np.intp],
        colour: np.uint32,
    ) -> None:
        """Draw vertical strokes through single lanes."""
        rows = top + lanes[:, np.newaxis] * lane_height + np.arange(lane_height)
        self.array[rows, columns[:, np.newaxis]] = colour

    def ticks(
        self, top: int, height: int, columns: NDArray[np.intp], colours: Pixels | np.uint32, pen: int
    ) -> None:
        """Draw vertical strokes at columns."""
        columns = np.minimum(columns, self.array.shape[1] - pen)
        for offset in range(pen):
            self.array[top : top + height, columns + offset] = colours

    def level(self, row: int, colour: np.uint32, pen: int) -> None:
        """Draw a horizontal line."""
        self.array[row : row + pen] = colour
