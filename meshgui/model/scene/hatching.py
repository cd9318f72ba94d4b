"""The hatching of a job, the second sign beside its colour: which lines, how far apart, how strong.

Painters, the pixels of the timeline, the shader of boxes and the page of a recording all draw from this.
Lines keep the directions and distances of the picture, not of a face in space, to look alike from every side.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import hypot
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.arrays import Floats, Floats32
from meshgui.model.scene.colours import COLOUR_COUNT, ThemeName, inks_on, job_colours, job_patterns

Lines = tuple[tuple[int, int], ...]
"""Families of lines, (across, down) each: where `across * x + down * y` is a multiple of a pitch."""

PATTERNS: Final[tuple[Lines, ...]] = (
    (),
    ((1, 1),),  # rising
    ((0, 1),),  # lying
    ((1, -1),),  # falling
    ((1, 0),),  # upright
    ((1, 1), (1, -1)),
)
"""The lines of each of `job_pattern`; the first is plain. Those that cross have steps of one length."""

PEN: Final = 1.0
"""The width of a line, in the design's pixels."""

STRENGTH: Final = 0.45
"""How far a line goes from its ground towards white or black, away from letters on it: they lose nothing."""

FINE: Final = (6.0, 4.0)
"""From which smaller side on an area is hatched, and how far its lines are apart, in the design's pixels."""

WIDE: Final = (16.0, 8.0)
"""From which they are farther apart."""


def pitch_of(side: float) -> float:
    """How far lines are apart in an area with this smaller side, in the design's pixels; 0 if it is plain."""
    return next((pitch for least, pitch in (WIDE, FINE) if side >= least), 0.0)


def lines_on(grounds: NDArray[np.floating]) -> NDArray[np.float32]:
    """White or black, towards which lines go on each of many grounds: not what letters have there."""
    return 1 - inks_on(grounds)


def lines_over(fills: Floats | Floats32, ground: Floats) -> Floats:
    """The same for fills with an opacity: as faint over the ground as they are, to differ from them alike."""
    towards: Floats = ground + (lines_on(fills[:, :3]) - ground) * fills[:, 3:]
    return towards


@cache
def line_colours(theme: ThemeName) -> NDArray[np.float32]:
    """The colours of lines on those of jobs."""
    grounds = job_colours(np.arange(COLOUR_COUNT), theme)
    return grounds + (lines_on(grounds) - grounds) * np.float32(STRENGTH)


def families(jobs: NDArray[np.integer]) -> Floats32:
    """The lines of many jobs as two families each, in rows of four; one alone comes twice, none as zeros."""
    return np.take(_FAMILIES, job_patterns(jobs), axis=0)


def strokes(lines: Lines, corners: Floats, middle: tuple[float, float], pitch: float) -> Floats:
    """The lines within a convex area, in rows of two ends, one of each family through the middle."""
    ends = []
    following = np.roll(corners, -1, axis=0)
    for family in lines:
        here, there = (around @ family - np.dot(family, middle) for around in (corners, following))
        places = np.arange(np.ceil(here.min() / pitch), np.floor(here.max() / pitch) + 1) * pitch
        crossed = (here <= places[:, None]) != (there <= places[:, None])  # [line, side]: two of each
        line, side = np.nonzero(crossed)
        share = (places[line] - here[side]) / (there[side] - here[side])
        ends.append((corners[side] + share[:, None] * (following - corners)[side]).reshape(-1, 4))
    return np.concatenate(ends) if ends else np.zeros((0, 4))


@lru_cache(maxsize=16)
def tiles(pitch: int, pen: int) -> NDArray[np.bool_]:
    """`[pattern, row, column]`: which pixels of a square that repeats lie on lines."""
    y, x = np.mgrid[:pitch, :pitch]
    found = np.zeros((len(PATTERNS), pitch, pitch), dtype=np.bool_)
    for pattern, lines in enumerate(PATTERNS):
        for across, down in lines:
            wide = max(round(pen * hypot(across, down)), 1)
            found[pattern] |= (across * x + down * y) % pitch < wide
    found.flags.writeable = False
    return found


_FAMILIES: Final[Floats32] = np.array(
    [np.ravel((lines * 2)[:2]) if lines else np.zeros(4) for lines in PATTERNS], dtype=np.float32
)
