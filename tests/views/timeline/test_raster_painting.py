"""Curves drawn into pixels reach their true peaks, also where many events share a column."""

import numpy as np
import pytest

from meshgui.model.curves import Extremes, StepCurve
from meshgui.views.style.raster import Raster, pixel, pixels

GROUND, FILL, BAND, LINE = (pixel(colour) for colour in ("#ffffff", "#dddddd", "#999999", "#000000"))


def heights(raster):
    """How far up each column is drawn."""
    drawn = raster.array != GROUND
    return np.where(drawn.any(axis=0), raster.array.shape[0] - drawn.argmax(axis=0), 0)


def crowded(spike):
    """A curve of a hundred thousand events at 10, with one at 100 for a moment."""
    values = np.where(np.arange(100_000) % 2, 10, 5)
    values[spike] = 100
    return StepCurve(np.arange(100_000, dtype=float), values)


@pytest.mark.parametrize("spike", [0, 31_415, 99_998])
def test_a_spike_reaches_its_height_in_its_column(spike):
    """The one column with the spike is drawn to the top, all others to a tenth of it."""
    edges = np.linspace(0, 100_000, 501)
    curve = crowded(spike)
    raster = Raster(500, 101, GROUND)
    raster.curve(0, 101, curve.extremes(edges), 100.0, (FILL, BAND, LINE), 1, curve.means(edges))
    reached = heights(raster)
    assert np.flatnonzero(reached == 101).tolist() == [spike // 200]
    assert np.median(reached) == 11


def test_a_step_is_drawn_exactly():
    """With room enough each column's line lies at its value, and the ground below is filled."""
    raster = Raster(4, 11, GROUND)
    levels = np.array([0.0, 5.0, 10.0, 2.0])
    raster.curve(0, 11, Extremes(levels, levels), 10.0, (FILL, BAND, LINE), 1)
    assert heights(raster).tolist() == [0, 6, 11, 3]
    assert (raster.array[:, 1] == FILL).sum() == 5
    assert (raster.array[:, 1] == LINE).sum() == 1


def test_a_curve_that_is_always_zero_draws_nothing():
    """Without a limit there is no curve."""
    raster = Raster(4, 11, GROUND)
    levels = np.zeros(4)
    raster.curve(0, 11, Extremes(levels, levels), 0.0, (FILL, BAND, LINE), 1)
    assert (raster.array == GROUND).all()


def test_bars_lie_in_their_lanes():
    """A lane's rows take the colours of its bars, its gap and what is free stay as they were."""
    raster = Raster(3, 8, GROUND)
    colours = pixels(np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    raster.lanes(0, 4, 1, np.array([[0, -1, 1], [-1, 1, 1]]), colours)
    assert raster.array[:3, 0].tolist() == [0xFFFF0000] * 3
    assert raster.array[3, 0] == GROUND
    assert (raster.array[:4, 1] == GROUND).all()
    assert raster.array[4:7, 1].tolist() == [0xFF0000FF] * 3


def test_no_lanes_draw_nothing():
    """Before the first job has started there are no bars, and the picture stays as it is."""
    raster = Raster(20, 10, GROUND)
    raster.lanes(2, 5, 1, np.zeros((0, 20), dtype=np.int64), np.zeros(4, dtype=np.uint32))
    assert (raster.array == GROUND).all()
