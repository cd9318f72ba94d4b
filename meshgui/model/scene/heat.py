"""The colours of amounts: one ramp per theme, even to the eye from low to high and safe for the colour-blind.

It goes from yellow to blue, the one pair of hues that everyone sees, and its lightness falls or rises all
the way. In both themes what is high stands out most from the ground. Thin lines on the bare ground take only
the part of it that is seen there.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import Grid, Heat
from meshgui.model.scene.colours import RGB, contrast, mix_evenly
from meshgui.model.scene.theme_colours import ThemeColours

_STEPS: Final = 256
_LEAST_CONTRAST: Final = 2.0  # of the faintest line to the ground


def heat_colours(values: NDArray[np.integer], heat: Heat, theme: ThemeColours) -> NDArray[np.float32]:
    """Red, green and blue of each amount; amounts outside 0 to 1 take the colour of the nearer end."""
    share = (values.astype(np.float64) - heat.low) / max(heat.high - heat.low, 1)
    step = np.rint(np.clip(share, 0.0, 1.0) * (_STEPS - 1)).astype(np.intp)
    return np.take(_ramp(theme.heat_low, theme.heat_high), step, axis=0)


def line_colours(shares: NDArray[np.floating], theme: ThemeColours) -> NDArray[np.float32]:
    """Red, green and blue of shares from just above 0 to 1, drawn as lines on the mesh's ground."""
    ramp = _ramp(theme.heat_low, theme.heat_high)
    first = _first_seen(theme.heat_low, theme.heat_high, theme.rgb("mesh_background"))
    step = np.rint(first + np.clip(shares, 0.0, 1.0) * (_STEPS - 1 - first)).astype(np.intp)
    colours: NDArray[np.float32] = np.take(ramp, step, axis=0)
    return colours


def amounts(grid: Grid) -> NDArray[np.bool_]:
    """A mask of the grid cells that hold an amount, not a value that the legend names."""
    return ~np.isin(grid.values, [value.value for value in grid.legend])


@cache
def _first_seen(low: str, high: str, ground: RGB) -> int:
    """The first step of a ramp from which all further steps are visible as lines on a ground."""
    red, green, blue = _ramp(low, high).astype(np.float64).T.tolist()
    steps = enumerate(zip(red, green, blue, strict=True), start=1)
    return max((step for step, colour in steps if contrast(colour, ground) < _LEAST_CONTRAST), default=0)


@cache
def _ramp(low: str, high: str) -> NDArray[np.float32]:
    ramp = mix_evenly(low, high, np.linspace(0.0, 1.0, _STEPS)).astype(np.float32)
    ramp.flags.writeable = False
    return ramp
