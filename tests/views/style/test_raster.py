"""The timeline's raster: what it draws where there is nothing to draw."""

import numpy as np
import pytest

pytest.importorskip("PySide6")

from meshgui.views.style.raster import Raster


def test_no_lanes_draw_nothing():
    """Before the first job has started there are no bars, and the picture stays as it is."""
    raster = Raster.__new__(Raster)
    raster.array = np.full((10, 20), 7, dtype=np.uint32)
    raster.lanes(2, 5, 1, np.zeros((0, 20), dtype=np.int64), np.zeros(4, dtype=np.uint32))
    assert (raster.array == 7).all()
