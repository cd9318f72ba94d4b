"""The geometry of the timeline: its strips from top to bottom, and times from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics

from meshgui.engine.basics.translation import tr
from meshgui.views.style.fonts import text_font
from meshgui.views.style.theme import SIZES, Dress
from meshgui.views.timeline.time_window import TimeWindow

_PARTS: Final = (0.32, 0.24, 0.44, 0.0)  # of the height: processors in use, queue, jobs, packets
_PARTS_FAR: Final = (0.26, 0.18, 0.34, 0.22)  # with a network, the whole run in sight
_PARTS_NEAR: Final = (0.2, 0.0, 0.25, 0.55)  # and single packets: the queue hardly changes in their time

_LINE: Final = 18  # a strip has at least the height of its name
_READABLE: Final = 40  # what the jobs should have before the strips above them take their room
_IN_USE, _QUEUE, _JOBS = 0, 1, 2  # their places among the parts

_FAR: Final = 2.0  # pixels for a packet: too few for bars
_NEAR: Final = 30.0  # enough to point at each


class Band(NamedTuple):
    """A strip's place from top to bottom."""

    top: int
    height: int

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.top + self.height

    def first_line(self, height: int) -> Band | None:
        """The place of a text's first line beside the strip; None where the strip is too low for it."""
        return Band(self.top, min(height, self.height)) if 5 * self.height > 4 * height else None


@dataclass(frozen=True)
class Frame:
    """The places of all strips, in the widget's pixels; one that there is no room for has no height."""

    width: int
    height: int
    left: int  # where the strips begin, after their names
    right: int  # where they end, before their limits
    ruler: Band
    in_use: Band
    queue: Band
    jobs: Band
    packets: Band
    events: Band

    @classmethod
    def lay_out(cls, width: int, height: int, themes: Dress, near: float | None = None) -> Frame:
        """Lay out the strips: ruler and ticks keep their height, the others share the rest.

        With a network, `near` goes from 0, the run in sight, to 1, single packets: the room goes to them bit
        by bit, so that zooming shifts the strips and never swaps them.

        Where the height does not do for all, the queue goes as a whole, then the processors in use.
        """
        px = themes.px
        ruler, events = px(24), px(20)
        for dropped in ((), (_QUEUE,), (_QUEUE, _IN_USE)):
            far = _without(dropped, _PARTS if near is None else _PARTS_FAR)
            close = far if near is None else _without(dropped, _PARTS_NEAR)
            parts = far + (close - far) * (near or 0.0)
            gaps = [px(8 if near is None else 6) if part else 0 for part in far]
            gaps[_QUEUE] = round(gaps[_QUEUE] * (1 - (near or 0.0)))
            room = max(height - ruler - events - sum(gaps) - px(8), px(30))
            least = room * np.minimum(far, close)[close > 0].min()
            if least >= px(_LINE) and room * far[_JOBS] >= px(_READABLE):
                break
        heights = np.diff(np.rint(np.cumsum(parts) * room), prepend=0.0).astype(int).tolist()
        at = ruler
        bands = []
        for part, gap in zip([*heights, events], [*gaps, 0], strict=True):
            bands.append(Band(at, part))
            at += part + gap
        left = room_for_names(themes)
        return cls(width, height, left, max(width - px(84), left + 16), Band(0, ruler), *bands)

    @property
    def strips(self) -> QRect:
        """Ruler and strips, without names and limits."""
        return QRect(self.left, 0, self.right - self.left, self.height)


def _without(dropped: Sequence[int], parts: Sequence[float]) -> NDArray[np.float64]:
    """The parts of the height without some strips, whose room the others share."""
    kept = np.array(parts, dtype=np.float64)
    kept[list(dropped)] = 0.0
    shares: NDArray[np.float64] = kept / kept.sum()
    return shares


def room_for_names(themes: Dress) -> int:
    """Where the strips begin: after the longest name with its present value, in this language."""
    lines = ((tr("in use"), "100 %"), (tr("queue"), "999"), (tr("jobs"), "999"), (tr("packets"), "999"))
    return max(_widest(lines, themes.px(SIZES["caption"])) + themes.px(28), themes.px(100))


@cache  # asked for many times in a paint
def _widest(lines: tuple[tuple[str, str], ...], pixels: int) -> int:
    metrics = QFontMetrics(text_font(pixels))
    return max(metrics.horizontalAdvance(name) + metrics.horizontalAdvance(value) for name, value in lines)


class TimeScale:
    """Times as places of the widget, and as columns of the pixels drawn."""

    def __init__(self, frame: Frame, window: TimeWindow, ratio: float, *, is_mirrored: bool = False) -> None:
        self.frame, self.window, self.ratio = frame, window, ratio
        self.is_mirrored = is_mirrored
        self.low, self.high = window.low, window.high
        self.columns = max(self.device(frame.right) - self.device(frame.left), 1)

    @cached_property
    def edges(self) -> NDArray[np.float64]:
        """The times at which columns begin and end."""
        return np.linspace(self.low, self.high, self.columns + 1)

    @property
    def span(self) -> float:
        """The time in sight."""
        return self.high - self.low

    @property
    def unit(self) -> float:
        """The columns of one unit of time."""
        return self.columns / self.span

    def device(self, length: float) -> int:
        """A length of the widget in pixels drawn."""
        return round(length * self.ratio)

    def x(self, time: float) -> float:
        """The place of a time in the widget."""
        share = (time - self.low) / self.span
        return self.frame.left + share * (self.frame.right - self.frame.left)

    def time(self, x: float) -> float:
        """The time at a place of the widget, cut to the part in sight."""
        share = (x - self.frame.left) / (self.frame.right - self.frame.left)
        return self.low + min(max(share, 0.0), 1.0) * self.span

    def within(self, begin: float, end: float) -> tuple[float, float]:
        """The ends of a span in the widget, cut to the part in sight."""
        left, right = self.frame.left, self.frame.right
        return min(max(self.x(begin), left), right), min(max(self.x(end), left), right)

    def column(self, times: NDArray[np.floating] | NDArray[np.integer]) -> NDArray[np.float64]:
        """The places of times among the columns, cut to the part in sight."""
        return np.clip((times - self.low) * self.unit, 0.0, self.columns)

    def column_at(self, x: float) -> int | None:
        """The column at a place of the widget."""
        if not self.frame.left <= x < self.frame.right:
            return None
        return min(int(x * self.ratio) - self.device(self.frame.left), self.columns - 1)


def nearness(pixels: float) -> float:
    """How far the timeline is zoomed to single packets, from 0 to 1, if one takes this many pixels."""
    return float(np.clip(np.log(max(pixels, 1e-9) / _FAR) / np.log(_NEAR / _FAR), 0.0, 1.0))
