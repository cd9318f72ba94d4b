"""Type names of the arrays that the whole program hands around."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats32 = NDArray[np.float32]
"""What OpenGL draws from."""
