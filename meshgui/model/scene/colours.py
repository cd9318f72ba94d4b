"""Colour arithmetic without Qt: OKLCH, contrast, and the colour and pattern that tell jobs apart."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.basics.translation import tr

RGB = tuple[float, float, float]
"""Red, green and blue from 0 to 1, encoded as sRGB."""

ThemeName = Literal["light", "dark"]

_LAB_TO_LMS: Final = np.array(
    [
        [1.0, 0.3963377774, 0.2158037573],
        [1.0, -0.1055613458, -0.0638541728],
        [1.0, -0.0894841775, -1.2914855480],
    ]
)
_LMS_TO_LINEAR: Final = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)

HUE_COUNT: Final = 16
PATTERN_COUNT: Final = 6

# Sixteen even hues, ordered by annealing: a job and the three after it keep the greatest least
# distance a circle of equal lightness allows, as seen by normal eyes and by deuteranopes,
# protanopes and tritanopes. A fixed angle from one to the next (golden or not) cannot do this: it
# always meets two hues that mirror each other about the line on which a dichromat sees.
_FIRST_HUE: Final = 18.75
_HUE_ORDER: Final = (10, 13, 6, 4, 8, 15, 12, 5, 9, 2, 0, 11, 7, 14, 3, 1)

# The most chroma that every hue still has in sRGB at these lightnesses. Where more jobs run than there are
# hues, every second round of them is darker.
_JOB_LIGHTNESS_CHROMA: Final[dict[ThemeName, tuple[tuple[float, float], ...]]] = {
    "light": ((0.65, 0.11), (0.5, 0.084)),
    "dark": ((0.75, 0.122), (0.58, 0.098)),
}
COLOUR_COUNT: Final = 2 * HUE_COUNT
LOOK_COUNT: Final = HUE_COUNT * PATTERN_COUNT
"""Jobs after which colour and pattern together come again."""

# Of the first sixteen jobs, found by search; see `job_pattern`.
_FIRST_PATTERNS: Final = (0, 2, 3, 1, 5, 2, 3, 1, 4, 5, 0, 2, 1, 3, 4, 5)


def _encode(linear: float) -> float:
    """The sRGB transfer curve, clipped to what a screen can show."""
    value = min(max(linear, 0.0), 1.0)
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _decode(encoded: float) -> float:
    """The inverse of `_encode`."""
    return encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4


def oklch(lightness: float, chroma: float, hue: float) -> RGB:
    """The sRGB colour of an OKLCH triple, hue in degrees."""
    angle = np.deg2rad(hue)
    lab = np.array([lightness, chroma * np.cos(angle), chroma * np.sin(angle)])
    linear = _LMS_TO_LINEAR @ (_LAB_TO_LMS @ lab) ** 3
    return _encode(float(linear[0])), _encode(float(linear[1])), _encode(float(linear[2]))


@lru_cache(maxsize=256)  # of all themes, which painters ask for all the time
def from_hex(text: str) -> RGB:
    """The colour written as `#rrggbb`."""
    digits = text.removeprefix("#")
    if len(digits) != 6:
        raise ValueError(tr("expected a colour as #rrggbb, got “{text}”").format(text=text))
    return int(digits[0:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:6], 16) / 255


def to_hex(colour: RGB) -> str:
    """A colour as `#rrggbb`."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in colour)


def mix(first: str, second: str, share: float) -> str:
    """`first` with `share` (0 to 1) of `second` laid over it."""
    a, b = from_hex(first), from_hex(second)
    blend = [x + (y - x) * share for x, y in zip(a, b, strict=True)]
    return to_hex((blend[0], blend[1], blend[2]))


def mix_evenly(first: str, second: str, shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of red, green and blue between two colours, in steps that look equal: a straight line in OKLab."""
    ends = np.array([[_decode(part) for part in from_hex(colour)] for colour in (first, second)])
    lab = np.linalg.solve(_LAB_TO_LMS, np.cbrt(np.linalg.solve(_LMS_TO_LINEAR, ends.T))).T
    between = lab[0] + (lab[1] - lab[0]) * shares[:, np.newaxis]
    linear = ((between @ _LAB_TO_LMS.T) ** 3) @ _LMS_TO_LINEAR.T
    encoded: NDArray[np.float64] = np.vectorize(_encode, otypes=[float])(linear)
    return encoded


def luminance(colour: RGB) -> float:
    """Relative luminance as WCAG defines it."""
    red, green, blue = (_decode(part) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: RGB, second: RGB) -> float:
    """The WCAG contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@cache
def _palette(theme: ThemeName) -> NDArray[np.float32]:
    """The colours of both rounds of hues."""
    step = 360.0 / HUE_COUNT
    hues = [_FIRST_HUE + step * place for place in _HUE_ORDER]
    rounds = _JOB_LIGHTNESS_CHROMA[theme]
    palette = np.array([oklch(*shade, hue) for shade in rounds for hue in hues], dtype=np.float32)
    palette.flags.writeable = False
    return palette


def job_colours(jobs: NDArray[np.integer], theme: ThemeName) -> NDArray[np.float32]:
    """The colours of many jobs at once, one row of red, green and blue each."""
    return np.take(_palette(theme), jobs % COLOUR_COUNT, axis=0)


def job_colour(job: int, theme: ThemeName) -> RGB:
    """The colour of a job, from its number alone: it is the same in every run and view of this theme."""
    red, green, blue = _palette(theme)[job % COLOUR_COUNT].tolist()
    return red, green, blue


@cache
def label_colour(job: int, theme: ThemeName) -> RGB:
    """Black or white: the one with more contrast on the job's colour."""
    return ink_on(job_colour(job, theme))


def ink_on(ground: RGB) -> RGB:
    """Black or white: the one with more contrast on a ground."""
    red, green, blue = inks_on(np.array([ground]))[0].tolist()
    return red, green, blue


def inks_on(grounds: NDArray[np.floating]) -> NDArray[np.float32]:
    """Black or white for each of many grounds, one a row: the one with more contrast."""
    linear = np.where(grounds <= 0.04045, grounds / 12.92, ((grounds + 0.055) / 1.055) ** 2.4)
    luminances = linear @ (0.2126, 0.7152, 0.0722) + 0.05
    is_white = luminances * luminances < 1.05 * 0.05
    return np.repeat(is_white.astype(np.float32)[:, None], 3, axis=1)


def job_pattern(job: int) -> int:
    """The hatching of a job, 0 (plain) to 5.

    Jobs of one colour differ in it, and so does a job from the three after it, and from those less than
    sixteen apart whose hue looks alike in some kind of colour blindness.
    """
    return (_FIRST_PATTERNS[job % HUE_COUNT] + job // HUE_COUNT) % PATTERN_COUNT


def job_patterns(jobs: NDArray[np.integer]) -> NDArray[np.integer]:
    """The hatchings of many jobs at once."""
    patterns: NDArray[np.integer] = np.take(_FIRST_PATTERNS, jobs % HUE_COUNT) + jobs // HUE_COUNT
    return patterns % PATTERN_COUNT
