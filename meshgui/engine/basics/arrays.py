"""Type names of the arrays that the whole program hands around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Floats32", "Ints"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Floats32 = NDArray[np.float32]
"""What OpenGL draws from."""
