"""Strokes are drawn lower levels first, and the pointer meets the nearest of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meshgui.views.mesh.scene.network.strokes import NOTHING, Look, Strokes, strokes, under

coordinate = st.floats(-100, 100)
points = st.tuples(coordinate, coordinate)


def flat(places):
    """Places in the plane as an array."""
    return np.array(places, dtype=float).reshape(-1, 2)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8))
def test_lower_levels_come_first_and_equals_keep_their_order(levels):
    """Whatever order parts are given in."""
    place = np.zeros((1, 3), dtype=np.float32)
    parts = [strokes(place, place, (0, 0, 0), Look(1.0, level=level), n) for n, level in enumerate(levels)]
    drawn = Strokes.together(parts)
    assert drawn.packets.tolist() == sorted(range(len(levels)), key=lambda n: levels[n])


def test_nothing_is_under_no_strokes():
    """An empty scene is falsy, and has nothing to point at."""
    assert not NOTHING
    assert under(flat([]), flat([]), np.zeros(0), np.zeros(0), (0.0, 0.0), 4.0) is None


@given(points, points, st.floats(0, 1), st.floats(0, 6.28), st.floats(0, 20))
def test_a_stroke_is_met_as_far_as_its_width_and_the_slack_reach(start, end, share, turn, away):
    """A point so far from a stroke meets it just when half the width and the slack are not less."""
    from_, to = np.array(start), np.array(end)
    point = from_ + (to - from_) * share + away * np.array([np.cos(turn), np.sin(turn)])
    steps = np.linspace(0.0, 1.0, 2001)[:, None]
    distance = np.hypot(*(from_ + (to - from_) * steps - point).T).min()
    if abs(distance - 9.0) > 0.2:  # the steps measure no finer
        found = under(flat(start), flat(end), np.array([10.0]), np.zeros(1), tuple(point), 4.0)
        assert (found == 0) == (distance < 9.0)


def test_of_strokes_that_are_met_the_nearest_to_the_eye_counts():
    """And one that is met goes before one that is missed by a little."""
    start, end = flat([(0, 0), (0, 0), (0, 4)]), flat([(9, 0), (9, 0), (9, 4)])
    widths, depths = np.array([2.0, 2.0, 2.0]), np.array([5.0, 3.0, 1.0])
    assert under(start, end, widths, depths, (4.0, 0.5), 4.0) == 1
    assert under(start, end, widths, depths, (4.0, 3.5), 4.0) == 2
