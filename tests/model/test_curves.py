"""Curves keep their peaks when brought down to columns, and means are the plain ones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from meshgui.model.curves import StepCurve, first_of_each_cell, running_mean

STEPS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1, max_size=60)


def naive(times, values, moment):
    """The value after the last change up to a moment, looked for one by one."""
    result = 0
    for time, value in zip(times, values, strict=True):
        if time <= moment:
            result = value
    return result


@given(STEPS, st.integers(1, 30))
def test_a_column_shows_the_true_extremes(steps, columns):
    """The least and greatest value in a column are those of all moments in it."""
    steps = sorted(steps, key=lambda step: step[0])
    times, values = np.array([s[0] for s in steps], dtype=float), np.array([s[1] for s in steps])
    edges = np.linspace(-1.0, 52.0, columns + 1)
    low, high = StepCurve(times, values).extremes(edges)
    for column in range(columns):
        left, right = edges[column], edges[column + 1]
        moments = [left, right, *[t for t in times if left <= t <= right]]
        seen = [naive(times, values, moment) for moment in moments]
        assert (low[column], high[column]) == (min(seen), max(seen))


def test_one_spike_among_a_million_events_is_seen():
    """At its full height in its column; a dip at one time does not show."""
    values = np.ones(1_000_000, dtype=np.int64)
    values[654_321] = 77
    high = StepCurve(np.arange(1e6), values).extremes(np.linspace(0, 1_000_000, 1001)).high
    assert np.flatnonzero(high == 77).tolist() == [654] == np.flatnonzero(high > 1).tolist()
    curve = StepCurve(np.array([1.0, 2.0, 2.0, 3.0]), np.array([5, 0, 6, 0]))
    assert curve.extremes(np.array([1.0, 2.5])).low.tolist() == [5.0]
    assert curve.at(2.0) == 6


def test_the_mean_over_time_weighs_each_value_by_its_span():
    """Half the time at 4 and half at 0 is 2 on average, without any event 0; a running mean weighs none."""
    curve = StepCurve(np.array([0.0, 5.0]), np.array([4, 0]))
    assert curve.mean_until(np.array([0.0, 5.0, 10.0])).tolist() == [0.0, 4.0, 2.0]
    empty = StepCurve(np.zeros(0), np.zeros(0, dtype=np.int64))
    assert empty.mean_until(np.array([1.0])).tolist() == [0.0]
    assert empty.extremes(np.array([0.0, 1.0, 2.0])).high.tolist() == [0.0, 0.0]
    assert running_mean(np.array([4.0, 2.0, 6.0])).tolist() == [4.0, 3.0, 4.0]


def test_thinned_dots_cover_the_same_cells():
    """Thinning keeps one dot of every cell that holds any, and none outside."""
    rng = np.random.default_rng(1)
    x, y = rng.random(20_000), rng.random(20_000)
    kept = first_of_each_cell(x, y, ((0.0, 0.5), (0.0, 1.0)), (20, 10))
    assert len(kept) == 200
    assert x[kept].max() <= 0.5
