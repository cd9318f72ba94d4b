"""Type names of the arrays that the whole program hands around, and which of them Python keeps."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Floats32 = NDArray[np.float32]
"""What OpenGL draws from."""

BORROWED: Final[set[type]] = set()
"""The states whose arrays Python keeps as long as kernels work on them."""
