"""Draws strips directly into pixels with NumPy, as fast for a million events as for ten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from meshgui.model.curves import Extremes
from meshgui.views.style.colours import from_hex

__all__ = ["Raster", "pixel", "pixels"]

Pixels = NDArray[np.uint32]


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
        fill: np.uint32,
        line: np.uint32,
        pen: int,
    ) -> None:
        """Draw a filled step curve; `limit` is at the top, and the line spans each column's range."""
        part = self.array[top : top + height]
        scale = (height - pen) / limit if limit > 0 else 0.0
        low, high = (np.rint(level * scale).astype(np.int64) for level in levels)
        above = np.arange(height - 1, -1, -1)[:, np.newaxis]  # how far a row lies above the ground line
        some = levels.high > 0
        part[(above < high) & some] = fill
        part[(above >= low) & (above < high + pen) & some] = line

    def wave(
        self,
        top: int,
        height: int,
        levels: Extremes,
        means: NDArray[np.float64],
        limit: float,
        tones: tuple[np.uint32, np.uint32, np.uint32],
        pen: int,
    ) -> None:
        """Draw a curve with many changes a pixel: filled to its minimum, a band to its maximum, its mean."""
        part = self.array[top : top + height]
        scale = (height - pen) / limit if limit > 0 else 0.0
        low, high, mean = (np.rint(level * scale).astype(np.int64) for level in (*levels, means))
        above = np.arange(height - 1, -1, -1)[:, np.newaxis]
        fill, band, line = tones
        part[above < low] = fill
        part[(above >= low) & (above < high + pen) & (levels.high > 0)] = band
        # From one column's mean to the next, so that the line does not fall to pieces.
        before = np.concatenate((mean[:1], mean[:-1]))
        part[(above >= np.minimum(mean, before)) & (above < np.maximum(mean, before) + pen)] = line

    def lanes(self, top: int, lane_height: int, gap: int, rows: NDArray[np.int64], colours: Pixels) -> None:
        """Draw bars by lane: `rows[lane, column]` is the number of a colour, or -1 for nothing."""
        count = len(rows)
        part = self.array[top : top + count * lane_height].reshape(count, lane_height, self.array.shape[1])
        drawn = part[:, : lane_height - gap]
        held = rows >= 0
        drawn[...] = np.where(held[:, np.newaxis], colours[rows][:, np.newaxis], drawn)

    def hatch(
        self,
        top: int,
        lane_height: int,
        gap: int,
        marked: NDArray[np.bool_],
        colour: np.uint32,
        pitch: int,
    ) -> None:
        """Hatch parts of bars with a slanted stripe every `pitch`; in low lanes fill them with the colour."""
        count, width = marked.shape
        part = self.array[top : top + count * lane_height].reshape(count, lane_height, width)
        drawn = part[:, : lane_height - gap]
        slant = np.arange(lane_height - gap)[:, np.newaxis] + np.arange(width)
        striped = (slant % pitch < (pitch + 1) // 2) | (lane_height <= pitch)
        drawn[marked[:, np.newaxis] & striped] = colour

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
