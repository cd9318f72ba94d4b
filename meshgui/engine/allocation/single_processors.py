"""The base of strategies that give processors one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from meshgui.engine.allocation.base import BlockOptions
from meshgui.engine.allocation.held_processors import HeldProcessorsStrategy
from meshgui.engine.basics.kernel import kernel

__all__ = ["SingleProcessorsStrategy", "give"]


@kernel
def give(given: NDArray[np.int32], n: int, x: int, y: int, z: int) -> None:
    """Make a processor the job's n-th box."""
    given[n, 0], given[n, 1], given[n, 2] = x, y, z
    given[n, 3], given[n, 4], given[n, 5] = 1, 1, 1


class SingleProcessorsStrategy(HeldProcessorsStrategy):
    """Gives a job just as many processors as it asks for, each of them a box, if this many are free."""

    contiguous = False
    any_shape = True
    rotates = False
    fails_until_release = True
    options_model = BlockOptions
