"""Codes the frames of an animated GIF: one palette, LZW in a kernel, and of each frame what has changed."""

from __future__ import annotations

import struct
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.kernel import kernel

Pixels = NDArray[np.uint8]  # [height, width, 3], red, green and blue
_BITS: Final = 5  # of each colour, by which the palette is looked up
_COLOURS: Final = 256
_WEIGHTS: Final = np.array([2, 4, 3])  # how much the eye notices of red, green and blue


class GifFrames:
    """The bytes of a GIF, frame by frame. The palette is that of the first frame and a few spare greys."""

    def __init__(self, first: Pixels) -> None:
        self._height, self._width = first.shape[:2]
        self._table, self._nearest = _palette(first)
        self._shown: NDArray[np.uint8] | None = None

    def head(self) -> bytes:
        """What stands before the frames: size, palette, and that they play for ever."""
        screen = struct.pack("<HHBBB", self._width, self._height, 0b1111_0111, 0, 0)
        loop = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
        return b"GIF89a" + screen + self._table.astype(np.uint8).tobytes() + loop

    def frame(self, pixels: Pixels, hundredths: int) -> bytes:
        """A frame that is shown for this many hundredths of a second."""
        shown = self._nearest[_cells(pixels)]
        top, bottom, left, right = self._changed(shown)
        self._shown = shown
        control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0b0000_0100, hundredths, 0, 0)
        place = struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0)
        part = np.ascontiguousarray(shown[top:bottom, left:right]).reshape(-1)
        room = np.empty(len(part) * 2 + 64, dtype=np.uint8)
        coded = room[: lzw(part, room)].tobytes()
        blocks = b"".join(
            bytes([len(block)]) + block for block in (coded[i : i + 255] for i in range(0, len(coded), 255))
        )
        return control + place + b"\x08" + blocks + b"\x00"

    @staticmethod
    def tail() -> bytes:
        """What stands behind the frames."""
        return b"\x3b"

    def _changed(self, shown: NDArray[np.uint8]) -> tuple[int, int, int, int]:
        """The rectangle that differs from the frame before; one pixel where nothing does."""
        if self._shown is None:
            return 0, self._height, 0, self._width
        differs = shown != self._shown
        rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
        if not len(rows):
            return 0, 1, 0, 1
        return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1


def _cells(pixels: Pixels) -> NDArray[np.intp]:
    """The cell of the colour cube of each pixel."""
    red, green, blue = (pixels[..., i].astype(np.intp) >> (8 - _BITS) for i in range(3))
    return (red << 2 * _BITS) | (green << _BITS) | blue


def _palette(pixels: Pixels) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Up to 256 colours, and the nearest of them for each cell of the cube of all colours.

    Frequent colours come first; the corners and greys of the cube serve what comes later.
    """
    cells = _cells(pixels).reshape(-1)
    counts = np.bincount(cells, minlength=1 << 3 * _BITS)
    flat = pixels.reshape(-1, 3).astype(np.float64)
    sums = np.stack([np.bincount(cells, flat[:, i], len(counts)) for i in range(3)], axis=1)
    levels = np.array([0, 64, 128, 192, 255])
    spare = np.stack(np.meshgrid(levels, levels, levels), axis=-1).reshape(-1, 3)
    often = np.argsort(-counts, kind="stable")[: _COLOURS - len(spare)]
    often = often[counts[often] > 0]
    means = np.rint(sums[often] / counts[often, None]).astype(np.int64)
    table = np.zeros((_COLOURS, 3), dtype=np.int64)
    table[: len(means) + len(spare)] = np.concatenate((means, spare))
    all_cells = np.arange(len(counts))
    mask, half = (1 << _BITS) - 1, 1 << (7 - _BITS)
    middles = np.stack([(all_cells >> shift & mask) for shift in (2 * _BITS, _BITS, 0)], axis=1)
    middles = (middles << (8 - _BITS)) + half
    known = counts > 0
    middles[known] = np.rint(sums[known] / counts[known, None])
    nearest = np.empty(len(counts), dtype=np.uint8)
    # The squared distance without the cell's own square, which is the same for every colour. Numbers below
    # 2^24 are exact; a product of so few rows is computed in this thread alone.
    squares = (table * table * _WEIGHTS).sum(axis=1).astype(np.float32)
    doubled, places = (2 * table * _WEIGHTS).T.astype(np.float32), middles.astype(np.float32)
    for start in range(0, len(counts), 512):
        part = slice(start, start + 512)
        nearest[part] = (squares - places[part] @ doubled).argmin(axis=1)
    return table, nearest


@kernel
def lzw(pixels: NDArray[np.uint8], out: NDArray[np.uint8]) -> int:
    """Code pixels of 8 bits by GIF's variant of LZW; returns how many bytes were written."""
    clear, end = 256, 257
    follows = np.zeros((4096, 256), dtype=np.int32)  # era * 4096 + code; of another era: none
    era = 1
    following, width = end + 1, 9
    written, held, bits = 0, clear, 9
    values = pixels.astype(np.int64)  # signed, as codes are
    prefix = values[0]
    for i in range(1, len(pixels) + 1):
        if i < len(pixels):
            value = values[i]
            code = follows[prefix, value] - era * 4096
            if 0 <= code < 4096:
                prefix = code
                continue
        held |= prefix << bits
        bits += width
        while bits >= 8:
            out[written] = held & 255
            written += 1
            held >>= 8
            bits -= 8
        if i == len(pixels):
            break
        if following < 4096:
            follows[prefix, value] = era * 4096 + following
            if following == 1 << width:
                width += 1
            following += 1
        else:
            held |= clear << bits
            bits += width
            era += 1
            following, width = end + 1, 9
        prefix = value
    held |= end << bits
    bits += width
    while bits > 0:
        out[written] = held & 255
        written += 1
        held >>= 8
        bits -= 8
    return written
