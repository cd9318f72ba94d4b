"""The colours of amounts: one ramp per theme, even to the eye from low to high and safe for the colour-blind.

It goes from yellow to blue, the one pair of hues that everyone sees, and its lightness falls or rises all
the way. In both themes what is high stands out most from the ground.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.inspection import Grid, Heat
from meshgui.views.colours import mix_evenly
from meshgui.views.theme import Theme

__all__ = ["amounts", "heat_colours"]

_STEPS: Final = 256


def heat_colours(values: NDArray[np.integer], heat: Heat, theme: Theme) -> NDArray[np.float32]:
    """Red, green and blue of each amount; those beyond the ends look like the ends."""
    share = (values.astype(np.float64) - heat.low) / max(heat.high - heat.low, 1)
    step = np.rint(np.clip(share, 0.0, 1.0) * (_STEPS - 1)).astype(np.intp)
    return np.take(_ramp(theme.heat_low, theme.heat_high), step, axis=0)


def amounts(grid: Grid) -> NDArray[np.bool_]:
    """Where the grid's number is an amount, not one of those its legend names."""
    return ~np.isin(grid.values, [value.value for value in grid.legend])


@cache
def _ramp(low: str, high: str) -> NDArray[np.float32]:
    ramp = mix_evenly(low, high, np.linspace(0.0, 1.0, _STEPS)).astype(np.float32)
    ramp.flags.writeable = False
    return ramp
