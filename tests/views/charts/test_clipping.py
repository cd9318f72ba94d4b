"""Lines and areas are cut at a rectangle exactly, for painters that cannot clip."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meshgui.views.charts.clipping import clipped_area, clipped_line

RECT = (0.0, 0.0, 10.0, 10.0)
POINTS = st.lists(st.tuples(st.integers(-20, 30), st.integers(-20, 30)), min_size=3, max_size=12)


def shoelace(corners):
    """The area of a polygon."""
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def test_a_line_that_leaves_and_comes_back_is_two():
    """The part outside is left out, and the ends lie on the edge."""
    parts = clipped_line(np.array([[2.0, 5.0], [14.0, 5.0], [14.0, 8.0], [4.0, 8.0]]), RECT)
    assert [part.tolist() for part in parts] == [[[2, 5], [10, 5]], [[10, 8], [4, 8]]]


@given(POINTS)
def test_a_cut_line_is_inside_and_as_long_as_its_samples_say(points):
    """Nothing lies outside, and its length is that of the samples of the whole line found inside."""
    given_line = np.array(points, dtype=float)
    parts = clipped_line(given_line, RECT)
    for part in parts:
        assert part.min() >= -1e-9
        assert part.max() <= 10 + 1e-9
    length = sum(np.hypot(*np.diff(part, axis=0).T).sum() for part in parts)
    shares = (np.arange(2000) + 0.5) / 2000
    expected = 0.0
    for a, b in pairwise(given_line):
        at = a + shares[:, None] * (b - a)
        inside = ((at >= 0) & (at <= 10)).all(axis=1)
        expected += inside.mean() * np.hypot(*(b - a))
    assert length == pytest.approx(expected, abs=0.06 * len(points))


@pytest.mark.parametrize(
    ("corners", "area"),
    [
        ([[2, 2], [8, 2], [8, 8], [2, 8]], 36),
        ([[-5, -5], [15, -5], [15, 15], [-5, 15]], 100),
        ([[-5, 5], [5, 5], [5, 20], [-5, 20]], 25),
        ([[12, 2], [18, 2], [18, 8]], 0),
        ([[0, 0], [20, 0], [0, 20]], 100),
        ([[5, -5], [15, 5], [5, 15], [-5, 5]], 100),
        ([[0, 0], [20, 20], [0, 20]], 50),
    ],
)
def test_a_cut_area_is_the_part_inside(corners, area):
    """The area that is left is the one the rectangle and the polygon share."""
    left = clipped_area(np.array(corners, dtype=float), RECT)
    assert (shoelace(left) if len(left) else 0) == pytest.approx(area)
